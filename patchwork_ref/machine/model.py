"""The parts of a Machine: typed, immutable, every one with its name, its words, its citation and its position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import Type
from patchwork_ref.polyomino import Board, Shape
from patchwork_ref.source import NOWHERE, Position

Value = int | bool | str | None | tuple[int, ...] | tuple[str, ...]
"""Of a constant: integers, truths, a patch's id, or the spaces of a set in ascending order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What every part carries. ``says`` is one line in plain words; ``cite`` where it comes from."""

    name: str
    says: str = ""
    cite: tuple[str, ...] = ()
    pos: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch(Named):
    """``name`` is its id; ``numbers`` its printed numbers (cost, time, income) by name."""

    shape: Shape
    picture: tuple[str, ...]
    numbers: Mapping[str, int]
    regular: bool = True  # false for the special patch, which is never in the circle


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant(Named):
    type: Type
    value: Value
    expr: t.Expr | None = None  # when it is worked out from other constants
    sends: str | None = None  # its place in the protocol's set-up message


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition(Named):
    """A named expression; ``rule`` is its permanent rule name when it is a rule of the game."""

    takes: Mapping[str, Type]
    body: t.Expr
    type: Type
    rule: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Given(Named):
    """What the table decides; ``otherwise`` is worked out when it does not say."""

    type: Type
    otherwise: t.Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Field(Named):
    """A field of the state."""

    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Start(Named):
    """A rule of the set-up: ``starts`` maps ``field`` or ``player.field`` to its first value."""

    starts: Mapping[str, t.Expr]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard(Named):
    """A condition that an action must meet; ``refuse`` is the protocol's reject code."""

    condition: t.Expr
    refuse: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain(Named):
    """What a choice may be; ``outside`` is the code for what is no such thing at all."""

    collection: t.Expr
    refuse: str
    outside: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Named):
    """Effects in sequence, under conditions that must all hold, once or for each element of a collection."""

    does: tuple[t.Effect, ...]
    when: Mapping[str, t.Expr]
    each: tuple[str, t.Expr] | None = None


Rule = Start | Guard | Domain | Step


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionForm(Named):
    """One kind of action: its choices in order, its guards, values worked out first, and its steps in order.

    ``type`` and ``discards`` are the form on the wire: the action's type, and whether it is sent without cells.
    """

    type: str
    discards: bool
    choices: tuple[tuple[str, Domain], ...]
    requires: tuple[Guard, ...]
    values: tuple[tuple[str, t.Expr], ...]
    steps: tuple[Step, ...]


PropertyKind = Literal["always", "each_step", "at_end", "falls", "possible"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Property(Named):
    """What is declared to hold; no rule reads it. ``body`` by ``kind``:

    always, at_end: a truth about a state, of both players; each_step: a truth about the state after an action, with
    ``me``, the choices that all of ``actions`` have, and ``before``; falls: an integer that is never negative and
    smaller after each action; possible: a condition on a state, under which one of ``actions`` is legal.
    """

    kind: PropertyKind
    why: str
    body: t.Expr
    actions: tuple[str, ...] = ()  # empty with each_step: every action
    within: t.Expr | None = None  # with falls: the most that the number can be when a game starts


@dataclass(frozen=True, slots=True)
class Machine:
    """The rules with every ambiguity decided. Validated when built; back ends trust it."""

    title: str
    ruleset: str | None
    readings: Mapping[str, str]
    board: Board
    patches: tuple[Patch, ...]  # regular ones first; a patch's number is its index here
    constants: Mapping[str, Constant]
    givens: Mapping[str, Given]
    shared: tuple[Field, ...]
    player: tuple[Field, ...]
    definitions: Mapping[str, Definition]
    rules: Mapping[str, Rule]
    actions: tuple[ActionForm, ...]
    starts: tuple[Start, ...]
    over: Definition
    winner: Definition
    total: Definition
    score: Mapping[str, Definition]
    chapters: Mapping[str, str]
    digest: str
    custom: bool = False  # whether a set-up has replaced numbers of the ruleset
    properties: Mapping[str, Property] = field(default_factory=dict)  # the digest does not cover them

    @property
    def regular(self) -> tuple[Patch, ...]:
        """The patches of the circle."""
        return tuple(p for p in self.patches if p.regular)

    def number(self, patch: str) -> int | None:
        """The index of the patch with this id."""
        return next((i for i, p in enumerate(self.patches) if p.name == patch), None)
