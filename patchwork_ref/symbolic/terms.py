"""Every type of the rule language as terms, with Python values wherever something is known.

    integer             int or Z3 Int, unbounded: what bounds it is a declared invariant
    truth               bool or Z3 Bool
    player              Seat 0 or 1, or Z3 Bool (true for player 1)
    player or nobody    Maybe
    patch               Chosen: a bit vector with one bit, and the patch's number when it is known
    region, set of patches    bit vector of the board's cells, of the machine's patches
    set of spaces       Marks: a truth for each space that some constant names; no rule can put in another
    list of patches     Circle: a term of an uninterpreted sort for the order, and the set of its members
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import z3

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import Type
from patchwork_ref.lang.walk import targets
from patchwork_ref.machine.model import Machine, Step
from patchwork_ref.symbolic.measures import Sets, Unsupported


class Seat(int):
    """A known player; a kind of its own, so that a choice between two players is no number."""


SEATS = (Seat(0), Seat(1))

Truth: TypeAlias = bool | z3.BoolRef
Number: TypeAlias = int | z3.ArithRef
Player: TypeAlias = Seat | z3.BoolRef
Value: TypeAlias = Any
"""One of the forms above."""

ORDER = z3.DeclareSort("Order")


@dataclass(frozen=True, slots=True)
class Maybe:
    """A player when ``some``, else nobody."""

    some: Truth
    who: Player


@dataclass(frozen=True, slots=True)
class Chosen:
    bits: z3.BitVecRef
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Circle:
    order: z3.ExprRef
    members: z3.BitVecRef
    first: tuple[Number, Circle] | None = None  # when these are the first so many of another list


@dataclass(frozen=True, slots=True)
class Marks:
    holds: Mapping[int, Truth]


@dataclass(frozen=True, slots=True)
class Placing:
    """The placements of a patch."""

    patch: Chosen
    flips: Truth


class Both:
    """Both players, as a collection."""


def conj(*items: Truth) -> Truth:
    kept = [i for i in items if i is not True]
    if any(i is False for i in kept):
        return False
    return True if not kept else kept[0] if len(kept) == 1 else z3.And(*kept)


def disj(*items: Truth) -> Truth:
    kept = [i for i in items if i is not False]
    if any(i is True for i in kept):
        return True
    return False if not kept else kept[0] if len(kept) == 1 else z3.Or(*kept)


def neg(item: Truth) -> Truth:
    return not item if isinstance(item, bool) else z3.Not(item)


def as_truth(player: Player) -> Truth:
    """A player as the truth that it is player 1."""
    return player == 1 if isinstance(player, Seat) else player


def as_maybe(value: Value) -> Maybe:
    return value if isinstance(value, Maybe) else Maybe(True, value)


def same(a: Value, b: Value) -> Truth:
    """Whether two values of one type are equal."""
    match a, b:
        case (Maybe(), _) | (_, Maybe()):
            left, right = as_maybe(a), as_maybe(b)
            both = same(left.some, right.some)
            return conj(both, disj(neg(left.some), same(left.who, right.who)))
        case (Chosen(), Chosen()):
            return a.index == b.index if a.index is not None and b.index is not None else a.bits == b.bits
        case (Circle(), Circle()):
            return True if a.order.eq(b.order) else a.order == b.order
        case (Marks(), Marks()):
            return conj(*(same(a.holds.get(m, False), b.holds.get(m, False)) for m in sorted({*a.holds, *b.holds})))
        case (bool(), bool()):
            return a == b
        case (bool(), z3.BoolRef()) | (z3.BoolRef(), bool()):
            known, term = (a, b) if isinstance(a, bool) else (b, a)
            return term if known else z3.Not(term)
        case (Seat(), z3.BoolRef()) | (z3.BoolRef(), Seat()):
            player, term = (a, b) if isinstance(a, Seat) else (b, a)
            return term if player == 1 else z3.Not(term)
        case (int(), int()):
            return a == b
    return True if z3.is_expr(a) and z3.is_expr(b) and a.eq(b) else a == b


class Terms:
    """The sorts of one machine, and what all translations of it share: sets, lemmas, functions.

    ``beside`` is a second machine over the same state, to be compared with the first.
    """

    def __init__(self, machine: Machine, beside: Machine | None = None) -> None:
        self.machine = machine
        self.facts: list[z3.BoolRef] = []
        self.sets = Sets(self.facts)
        self.cells = z3.BitVecSort(machine.board.cells)
        self.patches = z3.BitVecSort(len(machine.patches))
        self.regular = sum(1 << i for i, p in enumerate(machine.patches) if p.regular)
        self.marks = universe(machine) if beside is None else tuple(sorted({*universe(machine), *universe(beside)}))
        whole, order = z3.IntSort(), ORDER
        self.turned = z3.Function("turned", order, whole, order)
        self.without = z3.Function("without", order, self.patches, order)
        self.first = z3.Function("first", order, whole, order)
        self.first_members = z3.Function("first_members", order, whole, self.patches)
        self.place = z3.Function("place", order, self.patches, whole)
        self.fits = z3.Function("fits", self.patches, self.cells, z3.BoolSort(), z3.BoolSort())
        self.places: list[tuple[Circle, Chosen, z3.ArithRef]] = []
        self.fit_tests: list[tuple[Chosen, z3.BitVecRef, Truth]] = []
        self.placed_tests: list[tuple[Machine, Placing, z3.BitVecRef, z3.BoolRef]] = []

    def patch(self, index: int) -> Chosen:
        return Chosen(z3.BitVecVal(1 << index, self.patches.size()), index)

    def ones(self, term: z3.BitVecRef) -> tuple[int, ...]:
        """The weights that count a set's elements."""
        return (1,) * int(term.size())

    def variable(self, name: str, kind: Type) -> Value:
        """A fresh value of a type, for the first state or a choice."""
        match kind:
            case Type.INTEGER:
                return z3.Int(name)
            case Type.TRUTH | Type.PLAYER:
                return z3.Bool(name)
            case Type.MAYBE_PLAYER:
                return Maybe(z3.Bool(f"{name} some"), z3.Bool(f"{name} who"))
            case Type.REGION:
                return z3.Const(name, self.cells)
            case Type.PATCHES:
                return z3.Const(name, self.patches)
            case Type.PATCH:
                return Chosen(self.sets.single(z3.Const(name, self.patches)))
            case Type.SPACES:
                return Marks({mark: z3.Bool(f"{name} {mark}") for mark in self.marks})
            case Type.CIRCLE:
                members = z3.Const(f"{name} members", self.patches)
                # a list is made of the table's circle alone, and that holds regular patches
                self.facts.append(members & ~z3.BitVecVal(self.regular, self.patches.size()) == 0)
                return Circle(z3.Const(f"{name} order", ORDER), members)
        raise Unsupported(f"a variable of type {kind}")

    def choice(self, condition: Truth, a: Value, b: Value) -> Value:
        """``a`` when the condition holds, else ``b``."""
        if isinstance(condition, bool):
            return a if condition else b
        if a is b:
            return a
        match a, b:
            case (Maybe(), _) | (_, Maybe()):
                left, right = as_maybe(a), as_maybe(b)
                return Maybe(self.choice(condition, left.some, right.some), self.choice(condition, left.who, right.who))
            case (Chosen(), Chosen()):
                return Chosen(self.sets.choice(condition, a.bits, b.bits))
            case (Circle(), Circle()):
                return Circle(z3.If(condition, a.order, b.order), self.sets.choice(condition, a.members, b.members))
            case (Marks(), Marks()):
                return Marks({m: self.choice(condition, a.holds.get(m, False), b.holds.get(m, False)) for m in sorted({*a.holds, *b.holds})})
            case (Placing(), Placing()):
                return Placing(self.choice(condition, a.patch, b.patch), self.choice(condition, a.flips, b.flips))
            case (bool(), bool()):
                return a if a == b else condition if a else z3.Not(condition)
            case (z3.BitVecRef(), z3.BitVecRef()):
                return self.sets.choice(condition, a, b)
            case (Seat(), Seat()) if a == b:
                return a
            case (Seat(), Seat() | z3.BoolRef()) | (z3.BoolRef(), Seat()):
                return self.choice(condition, as_truth(a), as_truth(b))
            case (bool(), z3.BoolRef()):
                return disj(condition, b) if a else conj(z3.Not(condition), b)
            case (z3.BoolRef(), bool()):
                return disj(z3.Not(condition), a) if b else conj(condition, a)
        if isinstance(a, int) and isinstance(b, int):
            return a if a == b else z3.If(condition, z3.IntVal(a), z3.IntVal(b))
        return a if z3.is_expr(a) and z3.is_expr(b) and a.eq(b) else z3.If(condition, a, b)


@dataclass(slots=True)
class World:
    """The fields now and at the start of the action."""

    terms: Terms
    now: dict[tuple[str, int | None], Value]
    before: dict[tuple[str, int | None], Value] = field(default_factory=dict)

    def at_start(self) -> World:
        return World(self.terms, self.before, self.before)

    def get(self, name: str, player: Player | None) -> Value:
        if player is None or isinstance(player, Seat):
            return self.now[name, player]
        return self.terms.choice(player, self.now[name, 1], self.now[name, 0])

    def set(self, name: str, player: Player | None, value: Value, condition: Truth) -> None:
        """Assigns where the condition holds."""
        for who in (player,) if player is None or isinstance(player, Seat) else SEATS:
            holds = condition if who is player else conj(condition, same(player, who))
            self.now[name, who] = self.terms.choice(holds, value, self.now[name, who])


def first_world(terms: Terms, name: str, me: int | None) -> World:
    """A world whose fields are all variables, but that ``me`` is to move."""
    machine = terms.machine
    now: dict[tuple[str, int | None], Value] = {(f.name, None): terms.variable(f"{name}{f.name}", f.type) for f in machine.shared}
    now |= {(f.name, who): terms.variable(f"{name}{f.name} {who}", f.type) for f in machine.player for who in (0, 1)}
    if me is not None:
        now["turn", None] = Seat(me)
    return World(terms, now, now)


def universe(machine: Machine) -> tuple[int, ...]:
    """The spaces that a set of spaces can hold: those that constants name, as long as no rule puts others in."""
    kinds = {f.name: f.type for f in (*machine.shared, *machine.player)}
    for rule in machine.rules.values():
        for effect in rule.does if isinstance(rule, Step) else ():
            for target in targets(effect):
                if kinds[target.name] == Type.SPACES and isinstance(effect, t.Update) and effect.op == "+=":
                    raise Unsupported(f"{rule.name} puts spaces into {target.name}")
    return tuple(sorted({int(m) for c in machine.constants.values() if c.type == Type.SPACES and isinstance(c.value, tuple) for m in c.value}))
