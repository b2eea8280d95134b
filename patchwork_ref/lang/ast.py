"""The nodes: data without behaviour. The two unions at the end are closed; a new node means following mypy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from patchwork_ref.source import NOWHERE, Position


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    pos: Position = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Integer(_Node):
    value: int


@dataclass(frozen=True, slots=True)
class Truth(_Node):
    value: bool


@dataclass(frozen=True, slots=True)
class Nobody(_Node):
    """No player."""


@dataclass(frozen=True, slots=True)
class Empty(_Node):
    """The region of no cells, or the set of no patches."""

    of: Literal["cells", "patches"]


@dataclass(frozen=True, slots=True)
class PatchNamed(_Node):
    """A patch by its id, written in quotes."""

    id: str


@dataclass(frozen=True, slots=True)
class Variable(_Node):
    """``me``, a choice, a ``with`` value, a parameter, or the name bound by a quantifier or ``for_each``."""

    name: str


@dataclass(frozen=True, slots=True)
class Players(_Node):
    """Both players, as a collection."""


@dataclass(frozen=True, slots=True)
class Given(_Node):
    """``table.name``: what the table decides before the game."""

    name: str


@dataclass(frozen=True, slots=True)
class Shared(_Node):
    """A field of the shared state."""

    name: str


@dataclass(frozen=True, slots=True)
class OfPlayer(_Node):
    """A field of a player's state."""

    player: Expr
    name: str


@dataclass(frozen=True, slots=True)
class OfPatch(_Node):
    """A number printed on a patch."""

    patch: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Before(_Node):
    """The value at the start of the action."""

    body: Expr


@dataclass(frozen=True, slots=True)
class Arithmetic(_Node):
    op: Literal["+", "-", "*"]
    left: Expr
    right: Expr


Comparison = Literal["<", "<=", ">", ">=", "==", "!=", "in", "not in"]


@dataclass(frozen=True, slots=True)
class Compare(_Node):
    """A chain: ``left`` against each of ``rest`` in turn, as in ``low < x <= high``."""

    left: Expr
    rest: tuple[tuple[Comparison, Expr], ...]


@dataclass(frozen=True, slots=True)
class Logic(_Node):
    op: Literal["and", "or"]
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not(_Node):
    body: Expr


@dataclass(frozen=True, slots=True)
class Choose(_Node):
    """``then if condition else otherwise``."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Call(_Node):
    """A primitive."""

    primitive: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Quantified(_Node):
    """``kind(body for var in domain if where)``; ``count`` and ``one`` have the variable itself as body."""

    kind: Literal["all", "any", "sum", "count", "one"]
    var: str
    domain: Expr
    where: Expr | None
    body: Expr


@dataclass(frozen=True, slots=True)
class Use(_Node):
    """A definition or constant, kept by name so that prose can say it; back ends expand it."""

    name: str
    args: tuple[Expr, ...] = ()


Expr = (
    Integer | Truth | Nobody | Empty | PatchNamed | Variable | Players | Given | Shared | OfPlayer | OfPatch | Before
    | Arithmetic | Compare | Logic | Not | Choose | Call | Quantified | Use
)

Target = Shared | OfPlayer


@dataclass(frozen=True, slots=True)
class Assign(_Node):
    target: Target
    value: Expr


@dataclass(frozen=True, slots=True)
class Update(_Node):
    """``+=`` and ``-=`` on integers; ``+=`` puts into, ``-=`` takes out of a set or list; ``|=`` joins regions."""

    target: Target
    op: Literal["+=", "-=", "|="]
    value: Expr


@dataclass(frozen=True, slots=True)
class Transfer(_Node):
    """Moves an amount, worked out once, from one integer field to another."""

    amount: Expr
    giver: Target
    taker: Target


Effect = Assign | Update | Transfer
