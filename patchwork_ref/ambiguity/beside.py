"""What ``beside.json`` keeps: games on which readings part beside other readings than a ruleset's, and quilts for more of them.

Their set-ups tell where the neutral token stands, so that all rules can play them that do not refuse an action.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from patchwork_ref.ambiguity.games import Game
from patchwork_ref.ambiguity.parted import game_from, game_json
from patchwork_ref.ambiguity.resewn import Quilts
from patchwork_ref.errors import InputError
from patchwork_ref.fixtures.read import shipped
from patchwork_ref.polyomino import cells_of, mask_of

FILE = "beside.json"


@dataclass(frozen=True)
class Beside:
    """By ambiguity: games, and quilts whose patches are not flipped."""

    games: Mapping[str, tuple[Game, ...]] = field(default_factory=dict)
    quilts: Mapping[str, tuple[Quilts, ...]] = field(default_factory=dict)


def read_beside(folder: str | Path | None = None) -> Beside:
    """What is stored; what is shipped when no folder is given, nothing when it has no such file. Raises InputError."""
    path = (Path(folder) if folder is not None else shipped()) / FILE
    if not path.exists():
        return Beside()
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        games = {ambiguity: tuple(map(_told, entries)) for ambiguity, entries in document["games"].items()}
        return Beside(games, {ambiguity: tuple(map(_quilts, entries)) for ambiguity, entries in document["quilts"].items()})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: no table of games and quilts ({type(error).__name__}: {error}); make beside writes it") from None


def write_beside(found: Beside, path: Path) -> None:
    """One game, and one pair of quilts, on a line."""
    parts = []
    for name, entries in (("games", {a: [game_json(g) for g in games] for a, games in found.games.items()}),
                          ("quilts", {a: [quilts_json(q) for q in quilts] for a, quilts in found.quilts.items()})):
        parts.append(f"{json.dumps(name)}: {{" + ",\n".join(f"{json.dumps(a)}: [\n" + _lines(lines) + "\n]" for a, lines in entries.items()) + "}")
    path.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


def _lines(entries: Sequence[Mapping[str, Any]]) -> str:
    return ",\n".join(map(json.dumps, entries))


def _told(entry: Mapping[str, Any]) -> Game:
    setup, actions = game_from(entry)
    return replace(setup, neutral_token=0), actions


def _quilts(entry: Mapping[str, Any]) -> Quilts:
    players = entry["players"]
    plan = {(who, name): mask_of(cells) for who, player in enumerate(players) for name, cells in player["patches"].items()}
    return Quilts(plan, {who: mask_of(player["special"]) for who, player in enumerate(players)}, len(plan), frozenset(entry["closing"]))


def quilts_json(quilts: Quilts) -> dict[str, Any]:
    """``players``: cells by patch, and cells for special patches; ``closing``: the patches that are bought last."""
    players = [
        {"patches": {name: list(cells_of(mask)) for (seat, name), mask in quilts.plan.items() if seat == who}, "special": list(cells_of(quilts.holes.get(who, 0)))}
        for who in (0, 1)
    ]
    return {"closing": sorted(quilts.closing), "players": players}
