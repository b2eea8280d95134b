"""What a step of a game looks like, so that another step can be found that shows the same failure.

Traits are told from the mover's side: a step of one player may stand for a step of the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from patchwork_ref.engine.compile import RawFiring
from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.state import Values
from patchwork_ref.polyomino import cells_of

Traits = Mapping[str, Any]

WEIGHTS = {"fired": 9, "changed": 8, "patch": 4, "turned": 3, "moved": 2, "shared": 2, "exact": 2, "mover": 1}
"""How much each trait counts for likeness; the others count 1."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An action as a back end takes it."""

    form: int
    patch: int | None
    cells: int | None


def step_traits(engine: Engine, before: Values, choice: Choice, after: Values, raw: Sequence[RawFiring]) -> Traits:
    """Of a legal action: what fired, what changed, and where both players stand."""
    places, who = engine.layout.places, before[engine.layout.places["turn", None]]
    assert isinstance(who, int)
    names = engine.layout.names
    fired, changed = [], []
    for rule, writes in raw:
        fired.append(rule)
        changed.append((rule, *sorted((names[at][0], names[at][1] if names[at][1] is None else names[at][1] == who) for at, old, new in writes if old != new)))
    mine, others = places["space", who], places["space", 1 - who]
    found = _standing(engine, before, who) | {
        "form": choice.form, "patch": choice.patch, "turned": _turned(engine, choice.cells), "mover": who,
        "fired": tuple(sorted(fired)), "changed": tuple(sorted(changed)),
        "moved": _difference(after[mine], before[mine]), "shared": after[mine] == after[others], "landed": after[mine],
        "exact": choice.patch is not None and engine.machine.patches[choice.patch].numbers["cost"] == before[places["buttons", who]],
        "again": before[places["turn", None]] == after[places["turn", None]],
        "over": engine.backend.over(after),
    }
    return found


def refusal_traits(engine: Engine, before: Values, choice: Choice, failed: str) -> Traits:
    """Of an action that is refused."""
    who = before[engine.layout.places["turn", None]]
    assert isinstance(who, int)
    cost = engine.machine.patches[choice.patch].numbers["cost"] if choice.patch is not None and choice.patch >= 0 else 0
    return _standing(engine, before, who) | {
        "form": choice.form, "patch": choice.patch, "turned": _turned(engine, choice.cells), "mover": who, "fired": failed,
        "exact": _difference(cost, before[engine.layout.places["buttons", who]]), "over": engine.backend.over(before),
    }


def state_traits(engine: Engine, values: Values) -> Traits:
    """Of a moment in a game."""
    who = values[engine.layout.places["turn", None]]
    assert isinstance(who, int)
    over = engine.backend.over(values)
    found = _standing(engine, values, who) | {"mover": who, "form": "over" if over else "open"}
    if over:
        totals, parts = engine.backend.totals(values), engine.backend.parts(values)
        found |= {"fired": totals[0] == totals[1], "changed": tuple(sorted((name, part > 0) for player in parts for name, part in player.items())),
                  "negative": sorted(total < 0 for total in totals), "winner": engine.backend.winner(values)}
    return found


def likeness(one: Traits, other: Traits) -> int:
    """How alike two steps are; 0 when they are not of one kind."""
    if one.get("form") != other.get("form"):
        return 0
    return 1 + sum(WEIGHTS.get(name, 1) for name, value in one.items() if other.get(name) == value)


def agreement(one: Traits, other: Traits) -> tuple[str, ...]:
    """The names of the traits that both share: steps of one agreement are tried alike."""
    return tuple(name for name, value in one.items() if other.get(name) == value)


def _standing(engine: Engine, values: Values, who: int) -> dict[str, Any]:
    places = engine.layout.places
    number = [values[places[name, player]] for player in (who, 1 - who) for name in ("space", "income", "quilt", "pending")]
    quilt, rivals = number[2], number[6]
    assert isinstance(quilt, int) and isinstance(rivals, int)
    full = engine.machine.board.full
    return {
        "space": number[0], "rival": number[4], "earns": bool(number[1]), "waits": number[3],
        "sewn": (quilt > 0) + (quilt == full), "tile": (values[places["special_tile", who]], values[places["special_tile", 1 - who]]),
    }


def _difference(a: object, b: object) -> int:
    assert isinstance(a, int) and isinstance(b, int)
    return a - b


def _turned(engine: Engine, cells: int | None) -> tuple[int, ...] | None:
    """The cells moved to the corner: the same for every place of one orientation."""
    return None if not cells else _cornered(cells, engine.machine.board.columns)


@lru_cache(maxsize=20_000)
def _cornered(cells: int, columns: int) -> tuple[int, ...]:
    found = cells_of(cells)
    shift = columns * min(c // columns for c in found) + min(c % columns for c in found)
    return tuple(c - shift for c in found)
