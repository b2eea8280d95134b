"""Two engines at one point of a game: do they differ in what an observer sees, and in which action?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from patchwork_ref.engine import Engine
from patchwork_ref.engine.compile import Option
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import State
from patchwork_ref.suite.cases import resolved
from patchwork_ref.suite.trial import viewer


@dataclass(frozen=True, slots=True)
class Witness:
    """``actions`` are played; then ``last`` (if there is one) is an action that only one of the two accepts, or the
    difference shows in the state or the final score. ``refused`` tells that the rulebook is the one that refuses it."""

    setup: Setup
    actions: tuple[Action, ...]
    kind: Literal["setup", "state", "score", "rejected-legal", "accepted-illegal"]
    last: Action | None = None
    refused: bool = False
    numbers: Mapping[str, Any] = field(default_factory=dict)  # of a custom set-up

    @property
    def length(self) -> int:
        return len(self.actions) + (self.last is not None)


class Pair:
    """Both engines at the same point of a game."""

    def __init__(self, own: Engine, changed: Engine, setup: Setup) -> None:
        self.own, self.changed, self.setup = own, changed, setup
        self.a, self.b = own.start(setup), changed.start(setup)
        self.views = viewer(own.layout), viewer(changed.layout)

    def copy(self) -> Pair:
        other = object.__new__(Pair)
        other.own, other.changed, other.setup, other.views, other.a, other.b = self.own, self.changed, self.setup, self.views, self.a, self.b
        return other

    def apart(self) -> Literal["state", "score"] | None:
        """Whether what is seen now differs."""
        a, b = self.own.backend, self.changed.backend
        ended = a.over(self.a.values), b.over(self.b.values)
        if self.views[0](self.a.values, ended[0]) != self.views[1](self.b.values, ended[1]):
            return "state"
        if ended[0] and (a.totals(self.a.values), a.winner(self.a.values)) != (b.totals(self.b.values), b.winner(self.b.values)):
            return "score"
        return None

    def lists(self) -> tuple[list[Option], list[Option]]:
        return self.own.backend.options(self.a.values), self.changed.backend.options(self.b.values)

    def differing(self, own: list[Option], changed: list[Option]) -> tuple[Action, bool] | None:
        """An action that only one of them allows; whether the rulebook refuses it."""
        if alike(own, changed):
            return None
        mine, theirs = actions_of(self.own, own), actions_of(self.changed, changed)
        only = sorted(theirs - mine, key=lambda a: a.key) or sorted(mine - theirs, key=lambda a: a.key)
        return (only[0], bool(theirs - mine)) if only else None

    def take(self, action: Action) -> bool:
        """Both play it; False when one of them refuses."""
        first, second = resolved(self.own, self.a, action), resolved(self.changed, self.b, action)
        if first is None or second is None or self.own.backend.check(first[0], self.a.values, first[1], first[2]) is not None:
            return False
        if self.changed.backend.check(second[0], self.b.values, second[1], second[2]) is not None:
            return False
        self.a = State(self.own.backend.run(first[0], self.a.values, first[1], first[2]), self.own.layout)
        self.b = State(self.changed.backend.run(second[0], self.b.values, second[1], second[2]), self.changed.layout)
        return True


def alike(own: list[Option], changed: list[Option]) -> bool:
    return len(own) == len(changed) and all(a[0] == b[0] and a[1] == b[1] and a[2] is b[2] and a[3] == b[3] for a, b in zip(own, changed, strict=True))


def actions_of(engine: Engine, options: list[Option]) -> set[Action]:
    return {action for option in options for action in engine.actions(option)}


def paired(own: Engine, changed: Engine, setup: Setup) -> Pair | None:
    try:
        return Pair(own, changed, setup)
    except PatchworkRefError:
        return None
