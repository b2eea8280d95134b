"""A mutant plays a fixture: after how many actions does somebody who watches through the protocol notice?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from patchwork_ref.engine import Engine
from patchwork_ref.engine.perft import perft
from patchwork_ref.errors import SetupError
from patchwork_ref.fixtures.model import legal_digest
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.state import Layout, State, Values
from patchwork_ref.suite.cases import Case, Counted, Listed, Played, Refused, resolved

LARGEST_PERFT = 20_000
"""Sequences; a larger count is not asked of every mutant."""

Kind = Literal["setup", "state", "rejected-legal", "accepted-illegal", "legal", "perft", "score", "crash"]
View = tuple[object, ...]
Field = tuple[str, int | None]
"""A field of the protocol's state, and the player whose it is."""


@dataclass(frozen=True, slots=True)
class Kill:
    """The first difference: after how many actions, of what kind, the fields that differ (by name and player), and what
    the mutant had there (the engine's own values). ``accepted-illegal`` has the action under ``refused``, ``perft`` the
    number under ``perft(DEPTH)``, ``legal`` when asked in detail the actions under ``extra`` and ``missing``."""

    actions: int
    kind: Kind
    fields: tuple[Field, ...] = ()
    got: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Looks:
    """What is looked at: these fields of the state (None for all), and whether lists and counts of legal actions are."""

    shown: frozenset[Field] | None = None
    lists: bool = True


@lru_cache(maxsize=64)
def viewer(layout: Layout) -> Callable[[Values, bool], View]:
    """What the protocol's ``state`` shows of a state, as a tuple in the order of ``VIEWED``."""
    turn, pending = layout.places["turn", None], (layout.places["pending", 0], layout.places["pending", 1])
    at = [layout.places[name] for name in VIEWED[3:]]

    def view(values: Values, over: bool) -> View:
        who = values[turn]
        mover: object = None if over else who
        waits: object = 0 if over or not isinstance(who, int) else values[pending[who]]
        return (mover, waits, over, *(values[i] for i in at))

    return view


VIEWED: tuple[Field, ...] = (
    ("turn", None), ("pending_special", None), ("finished", None), ("circle", None), ("special_spaces", None),
    *((name, who) for who in (0, 1) for name in ("buttons", "space", "income", "quilt", "special_tile")),
)


def first_difference(engine: Engine, case: Case, looks: Looks | None = None) -> Kill | None:
    """Where an engine (a mutant's, already set up with the case's numbers) first differs observably from the case; None
    when nobody can tell. What goes wrong inside counts as a difference. With ``looks`` only what it names is
    looked at, and lists of legal actions that differ are told in detail."""
    shown, lists = (None, True) if looks is None else (looks.shown, looks.lists)
    done = 0
    try:
        if engine.machine.board != case.engine.machine.board:
            return Kill(0, "setup", (("quilt", None),))
        same = engine.layout == case.engine.layout and [p.name for p in engine.machine.patches] == [p.name for p in case.engine.machine.patches]
        view, expected = viewer(engine.layout), viewer(case.engine.layout)
        backend = engine.backend
        try:
            values = engine.start(case.setup).values
        except SetupError:
            return Kill(0, "setup")
        begun = backend.over(values)
        if not (same and values == case.start and begun == case.over) and (found := _apart(view(values, begun), expected(case.start, case.over), 0, shown)) is not None:
            return found
        for task in case.tasks:
            match task:
                case Played(action=action, choice=choice, after=after, over=over):
                    taken = choice if same and len(engine.machine.actions) == len(case.engine.machine.actions) else resolved(engine, State(values, engine.layout), action)
                    done += 1
                    if taken is None or backend.check(taken[0], values, taken[1], taken[2]) is not None:
                        return Kill(done, "rejected-legal")
                    values = backend.run(taken[0], values, taken[1], taken[2])
                    ended = backend.over(values)
                    if (values != after or ended != over) and (found := _apart(view(values, ended), expected(after, over), done, shown)) is not None:
                        return found
                case Refused(action=action):
                    taken = resolved(engine, State(values, engine.layout), action)
                    if taken is not None and backend.check(taken[0], values, taken[1], taken[2]) is None:
                        return Kill(done, "accepted-illegal", (("refused", None),), (action,))
                case Listed() | Counted() if not lists:
                    pass
                case Listed():
                    if _lists_otherwise(engine, values, task):
                        return Kill(done, "legal", *(_listed(engine, values, case, task) if looks is not None else ()))
                case Counted(depth=depth, nodes=nodes):
                    if nodes <= LARGEST_PERFT and (counted := perft(engine, State(values, engine.layout), depth)) != nodes:
                        return Kill(done, "perft", ((f"perft({depth})", None),), (counted,))
        if case.end is not None and (backend.totals(values), backend.winner(values)) != case.end:
            totals, winner = backend.totals(values), backend.winner(values)
            apart: list[tuple[Field, object]] = [(("score", who), totals[who]) for who in (0, 1) if totals[who] != case.end[0][who]]
            apart += [(("winner", None), winner)] if winner != case.end[1] else []
            return Kill(done, "score", tuple(field for field, _ in apart), tuple(value for _, value in apart))
    except Exception:  # whatever a mutant does wrong inside is noticed as a crash
        return Kill(done, "crash")
    return None


def _apart(got: View, expected: View, done: int, shown: frozenset[Field] | None) -> Kill | None:
    """The fields that differ; None when none does that is shown."""
    if got == expected:
        return None
    apart = [(name, a) for name, a, b in zip(VIEWED, got, expected, strict=True) if a != b and (shown is None or name in shown)]
    if not apart:
        return None
    return Kill(done, "state", tuple(name for name, _ in apart), tuple(value for _, value in apart))


def _listed(engine: Engine, values: Values, case: Case, task: Listed) -> tuple[tuple[Field, ...], tuple[object, ...]]:
    """The actions that only the mutant lists, and those that only the rulebook does."""
    theirs, ours = ({a for option in options for a in who.actions(option)} for who, options in ((engine, engine.backend.options(values)), (case.engine, task.options)))
    return (("extra", None), ("missing", None)), (theirs - ours, ours - theirs)


def _lists_otherwise(engine: Engine, values: Values, task: Listed) -> bool:
    options = engine.backend.options(values)
    if sum(option[3].bit_count() for option in options) != task.count:
        return True
    if len(options) == len(task.options) and all(a[0] == b[0] and a[1] == b[1] and a[2] is b[2] and a[3] == b[3] for a, b in zip(options, task.options, strict=True)):
        return False
    actions: list[Action] = [action for option in options for action in engine.actions(option)]
    return legal_digest(actions) != task.digest
