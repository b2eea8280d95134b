"""What ``beside.json`` keeps: games on which readings part beside other readings than a ruleset's.

Their set-ups tell where the neutral token stands, so that all rules can play them that do not refuse an action.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from patchwork_ref.ambiguity.games import Game
from patchwork_ref.ambiguity.parted import game_from, game_json
from patchwork_ref.errors import InputError
from patchwork_ref.fixtures.read import shipped

FILE = "beside.json"


def read_beside(folder: str | Path | None = None) -> dict[str, tuple[Game, ...]]:
    """The games stored, by ambiguity; what is shipped when no folder is given, none when it has no such file. Raises InputError."""
    path = (Path(folder) if folder is not None else shipped()) / FILE
    if not path.exists():
        return {}
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return {ambiguity: tuple(map(_told, entries)) for ambiguity, entries in document.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: no table of games ({type(error).__name__}: {error}); make beside writes it") from None


def write_beside(known: Mapping[str, Sequence[Game]], path: Path) -> None:
    """One game on a line."""
    lists = (f"{json.dumps(ambiguity)}: [\n" + ",\n".join(json.dumps(game_json(game)) for game in games) + "\n]" for ambiguity, games in known.items())
    path.write_text("{" + ",\n".join(lists) + "}\n", encoding="utf-8")


def _told(entry: Mapping[str, Any]) -> Game:
    setup, actions = game_from(entry)
    return replace(setup, neutral_token=0), actions
