"""The shortest games known on which two readings part, ruleset by ruleset, with the bound below them.

They lie beside the fixtures in ``parting.json``. A record is believed for its game alone: that is replayed under both
readings (``checked``), and its bound can be worked out again (``bounds``), its equivalence proved again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from patchwork_ref.ambiguity.games import Game, alike
from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import InputError, PatchworkRefError
from patchwork_ref.fixtures.read import shipped
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import State

FILE = "parting.json"
FORMAT = 1
OPEN = "open"
"""The observer of a pair of which neither a game nor a proof is known."""
HOW = ("exhausted", "argued", "proved")
"""How it is known that no shorter game parts the readings: by looking at every schedule; by counting patches, cells and
spaces; or, where there is no game at all, by Z3 for all states, or by a fact of play for all states that are reached."""


@dataclass(frozen=True, slots=True)
class Parted:
    """Two readings of an ambiguity within a ruleset. ``game`` parts them after ``length`` actions in what ``observer`` names
    (state, legal, score, winner); without a game none exists. No game of fewer than ``least`` actions does."""

    ambiguity: str
    readings: tuple[str, str]
    ruleset: str
    length: int | None
    observer: str
    game: Game | None
    least: int | None
    how: str
    says: str

    @property
    def settled(self) -> bool:
        """Whether nothing is left open: the game is the shortest, or there is none."""
        return self.observer != OPEN and (self.game is None or self.least == self.length)

    @property
    def words(self) -> str:
        """In one line what is known of shorter games."""
        if self.observer == OPEN:
            return f"no game is known that tells them apart; one has {self.least} actions or more: {self.says}"
        if self.game is None:
            return "no game at all tells them apart"
        if self.settled:
            return f"no shorter game does: {self.says}" if self.length else "no game can do so sooner"
        return f"whether a shorter one does is open; it has {self.least} actions or more: {self.says}"


def observed_at(a: Engine, b: Engine, game: Game) -> tuple[int, str] | None:
    """After how many actions (0 at the set-up) an observer can tell two rules apart, and by what: the state, the legal
    actions, the final scores or the winner. None when the game does not tell, or is illegal before it does."""
    setup, actions = game
    try:
        left, right = a.start(setup), b.start(setup)
    except PatchworkRefError:
        return None
    for number, action in enumerate((None, *actions)):
        if action is not None:
            if a.explain(left, action) is not None or b.explain(right, action) is not None:
                return None
            left, right = a.apply(left, action), b.apply(right, action)
        if not alike(a, left, b, right):
            return number, "state"
        if not _same_legal(a, left, b, right):
            return number, "legal"
        if a.is_over(left):
            one, other = a.score(left), b.score(right)
            if one.totals != other.totals:
                return number, "score"
            if one.winner != other.winner:
                return number, "winner"
    return None


def _same_legal(a: Engine, left: State, b: Engine, right: State) -> bool:
    """Whether both list the same actions. The options of the back ends are compared first, for each action takes time."""
    one, other = ([(e.machine.actions[f].type, p, free, table) for f, p, table, free in e.backend.options(s.values)] for e, s in ((a, left), (b, right)))
    return one == other or a.legal(left) == b.legal(right)


def checked(record: Parted, a: Engine, b: Engine) -> str:
    """What is wrong with a record, by replay; empty when nothing is."""
    if record.how not in HOW:
        return f"its bound is known by {record.how!r}; known ways are {', '.join(HOW)}"
    if record.game is None:
        open_ = record.observer == OPEN and record.least is not None
        return "" if (record.how == "proved" or open_) and record.length is None else "it has neither a game nor a proof"
    setup, actions = record.game
    if set(setup.circle) != {p.name for p in a.machine.regular} or setup.neutral_token is not None:
        return "its set-up is not the ruleset's: only circle and first player are free"
    found = observed_at(a, b, record.game)
    if found != (record.length, record.observer) or record.length != len(actions):
        return f"it says {record.length} ({record.observer}) of {len(actions)} actions, the replay {found}"
    return "" if record.least is not None and record.least <= record.length else "its bound is above its game"


def read_parted(folder: str | Path | None = None) -> tuple[Parted, ...]:
    """The records; those shipped when no folder is given, none when the folder has none. Raises InputError."""
    path = (Path(folder) if folder is not None else shipped()) / FILE
    if not path.exists():
        return ()
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        games = [game_from(entry) for entry in document["games"]]
        return tuple(_record(entry, games) for entry in document["pairs"])
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise InputError(f"{path}: no table of games on which readings part ({type(error).__name__}: {error}); make parting writes it") from None


def write_parted(records: Sequence[Parted], path: Path) -> None:
    games: list[str] = []
    pairs = []
    for record in records:
        at = None
        if record.game is not None:
            text = json.dumps(game_json(record.game))
            if text not in games:
                games.append(text)
            at = games.index(text)
        pairs.append({
            "ambiguity": record.ambiguity, "readings": list(record.readings), "ruleset": record.ruleset, "length": record.length, "observer": record.observer,
            "game": at, "least": record.least, "how": record.how, "says": record.says,
        })
    lines = [f'{{"format": {FORMAT},', '"games": [', ",\n".join(games), "],", '"pairs": [', ",\n".join(map(json.dumps, pairs)), "]}"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def action_text(action: Action) -> str:
    """``advance``, ``buy G 0 1 2``, ``special 7``; the cells of a patch that is discarded are left out."""
    return " ".join([action.type, *([action.patch] if action.patch is not None else []), *map(str, action.cells or ())])


def action_from(text: str) -> Action:
    kind, *words = text.split(" ")
    patch = words.pop(0) if kind == "buy" else None
    return Action(kind, patch, tuple(map(int, words)) if kind != "advance" else None)


def game_from(entry: Mapping[str, Any]) -> Game:
    return Setup(tuple(entry["circle"]), None, entry["first_player"]), tuple(map(action_from, entry["actions"]))


def game_json(game: Game) -> dict[str, Any]:
    setup, actions = game
    return {"circle": "".join(setup.circle), "first_player": setup.first_player, "actions": list(map(action_text, actions))}


def _record(entry: Mapping[str, Any], games: Sequence[Game]) -> Parted:
    a, b = entry["readings"]
    game = games[entry["game"]] if entry["game"] is not None else None
    return Parted(entry["ambiguity"], (a, b), entry["ruleset"], entry["length"], entry["observer"], game, entry["least"], entry["how"], entry["says"])
