"""Actions, and what comes of them: the values that every room exchanges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import Cell, State


@dataclass(frozen=True, slots=True)
class Action:
    """An action as the protocol writes it: a type, and the patch and the ascending cells where it has them."""

    type: str
    patch: str | None = None
    cells: tuple[int, ...] | None = None

    @property
    def key(self) -> tuple[str, str, tuple[int, ...]]:
        """Sorts actions by type, patch and cells."""
        return (self.type, self.patch or "", self.cells or ())

    def __str__(self) -> str:
        cells = "" if self.cells is None else f" on {','.join(map(str, self.cells)) or 'no cells'}"
        return f"{self.type}{' ' + self.patch if self.patch is not None else ''}{cells}"


@dataclass(frozen=True, slots=True)
class Change:
    """One field before and after; ``player`` is None for the shared state."""

    field: str
    player: int | None
    old: Cell
    new: Cell


@dataclass(frozen=True, slots=True)
class Firing:
    """A rule that took effect, and what it changed."""

    rule: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is illegal: the rule that refuses it, the protocol's code, and a sentence."""

    rule: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Step:
    """An action with the state that it led to and the rules that fired, in order."""

    action: Action
    state: State
    firings: tuple[Firing, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """Both totals, their parts by name, and the winner (None for nobody)."""

    totals: tuple[int, int]
    parts: tuple[Mapping[str, int], Mapping[str, int]]
    winner: int | None


@dataclass(frozen=True, slots=True)
class Trace:
    """A game or its beginning: set-up and actions. What follows from them is worked out again by whoever needs it."""

    ruleset: str | None
    readings: Mapping[str, str]
    setup: Setup
    actions: tuple[Action, ...]
    scores: tuple[int, int] | None = None
    winner: int | None = None
    seed: int | None = None
    numbers: Mapping[str, object] = field(default_factory=dict)  # of a custom set-up, as the protocol writes them
