"""Expressions of the rule language as terms: one case for each node, one for each primitive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import assert_never

import z3

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import Type
from patchwork_ref.lang.walk import nodes
from patchwork_ref.machine.model import Machine
from patchwork_ref.polyomino import placements, squares
from patchwork_ref.symbolic.measures import Unsupported, by_value
from patchwork_ref.symbolic.terms import (
    SEATS,
    Both,
    Chosen,
    Circle,
    Marks,
    Maybe,
    Number,
    Placing,
    Seat,
    Terms,
    Truth,
    Value,
    World,
    conj,
    disj,
    neg,
    same,
)

Names = Mapping[str, Value]


class Translator:
    """Works out expressions of a machine in a world. ``table`` holds what the table gives, while a game is set up.

    ``placed`` names a truth of patch, cells and flips that stands for placement, so that two machines can be compared;
    without, only the number of cells is asked.
    """

    def __init__(self, terms: Terms, machine: Machine | None = None, placed: str | None = None) -> None:
        self.terms, self.machine, self.placed = terms, machine or terms.machine, placed
        self.table: dict[str, Value] = {}

    def value(self, node: t.Expr, world: World, names: Names) -> Value:
        match node:
            case t.Integer() | t.Truth():
                return node.value
            case t.Nobody():
                return Maybe(False, Seat(0))
            case t.Empty():
                return z3.BitVecVal(0, self.terms.cells if node.of == "cells" else self.terms.patches)
            case t.PatchNamed():
                return self.named(node.id)
            case t.Variable():
                return names[node.name]
            case t.Players():
                return Both()
            case t.Given():
                return self.table[node.name]
            case t.Shared():
                return world.get(node.name, None)
            case t.OfPlayer():
                return world.get(node.name, self.value(node.player, world, names))
            case t.OfPatch():
                return self.printed(self.value(node.patch, world, names), tuple(p.numbers[node.name] for p in self.machine.patches))
            case t.Before():
                return self.value(node.body, world.at_start(), names)
            case t.Arithmetic():
                a, b = self.value(node.left, world, names), self.value(node.right, world, names)
                return a + b if node.op == "+" else a - b if node.op == "-" else a * b
            case t.Compare():
                return self.compare(node, world, names)
            case t.Logic():
                items = [self.value(item, world, names) for item in node.items]
                return conj(*items) if node.op == "and" else disj(*items)
            case t.Not():
                return neg(self.value(node.body, world, names))
            case t.Choose():
                condition = self.value(node.condition, world, names)
                if isinstance(condition, bool):
                    return self.value(node.then if condition else node.otherwise, world, names)
                return self.terms.choice(condition, self.value(node.then, world, names), self.value(node.otherwise, world, names))
            case t.Call():
                return self.call(node, world, names)
            case t.Quantified():
                return self.quantified(node, world, names)
            case t.Use():
                return self.use(node, world, names)
            case _:
                assert_never(node)

    def use(self, node: t.Use, world: World, names: Names) -> Value:
        """A definition is worked out with its parameters bound; a constant is its value."""
        if node.name in self.machine.definitions:
            definition = self.machine.definitions[node.name]
            bound = dict(zip(definition.takes, (self.value(a, world, names) for a in node.args), strict=True))
            return self.value(definition.body, world, {**names, **bound})
        constant = self.machine.constants[node.name]
        if constant.type == Type.PATCH:
            return self.named(str(constant.value))
        if isinstance(constant.value, tuple):
            return Marks({int(mark): True for mark in constant.value})
        return constant.value

    def named(self, patch: str) -> Chosen:
        index = self.machine.number(patch)
        assert index is not None
        return self.terms.patch(index)

    def printed(self, patch: Chosen, numbers: tuple[int, ...]) -> Number:
        """One number of a patch."""
        if patch.index is not None:
            return numbers[patch.index]
        if min(numbers) < 0:
            raise Unsupported("a negative number on a patch")
        return by_value(patch.bits, numbers)

    def compare(self, node: t.Compare, world: World, names: Names) -> Truth:
        left, links = self.value(node.left, world, names), []
        for op, right_node in node.rest:
            right = self.value(right_node, world, names)
            links.append(self.link(op, left, right))
            left = right
        return conj(*links)

    def link(self, op: t.Comparison, a: Value, b: Value) -> Truth:
        match op:
            case "==":
                return same(a, b)
            case "!=":
                return neg(same(a, b))
            case "in":
                return self.holds(b, a)
            case "not in":
                return neg(self.holds(b, a))
            case "<":
                return a < b
            case "<=":
                return a <= b
            case ">":
                return a > b
            case ">=":
                return a >= b

    def holds(self, collection: Value, item: Value) -> Truth:
        """Whether a collection holds a value."""
        match collection:
            case Marks():
                return disj(*(conj(same(item, mark), held) for mark, held in collection.holds.items()))
            case Circle() if collection.first is not None:
                number, whole = collection.first
                found = conj(self.holds(whole, item), self.place(item, whole) < number)
                self.terms.facts.append((item.bits & collection.members != 0) == found)
                return found
            case Circle():
                return self.holds(collection.members, item)
            case z3.BitVecRef():
                return (item.bits & collection != 0)
            case Placing():
                return disj(*(item == z3.BitVecVal(mask, self.terms.cells) for mask in self.masks(collection)))
        raise Unsupported(f"membership in a {type(collection).__name__}")

    def masks(self, placing: Placing) -> tuple[int, ...]:
        """The listed placements of a patch that is known."""
        if placing.patch.index is None or not isinstance(placing.flips, bool):
            raise Unsupported("the list of placements of a patch that is not known")
        return placements(self.machine.patches[placing.patch.index].shape, self.machine.board, placing.flips)

    def sized(self, placing: Placing, cells: z3.BitVecRef) -> Truth:
        """What every placement meets: as many cells as the patch has. A weaker truth than membership."""
        size = same(self.size(cells), self.size(placing.patch))
        if self.placed is None:
            return size
        flips = z3.BoolVal(placing.flips) if isinstance(placing.flips, bool) else placing.flips
        found = z3.Function(self.placed, self.terms.patches, self.terms.cells, z3.BoolSort(), z3.BoolSort())(placing.patch.bits, cells, flips)
        self.terms.facts.append(z3.Implies(found, size))
        self.terms.placed_tests.append((self.machine, placing, cells, found))
        return found

    def size(self, of: Value) -> Number:
        match of:
            case Chosen():
                return self.printed(of, tuple(len(p.shape) for p in self.machine.patches))
            case Circle() if of.first is not None:
                number, whole = of.first
                least, size = _max(number, 0), self.size(whole)
                return _min(least, size)
            case Circle():
                return self.size(of.members)
            case z3.BitVecRef():
                return self.terms.sets.measure(of, self.terms.ones(of))
            case Marks():
                return sum((1 if held is True else z3.If(held, 1, 0)) for held in of.holds.values() if held is not False)
            case Placing():
                return len(self.masks(of))
        raise Unsupported(f"the size of a {type(of).__name__}")

    def place(self, patch: Chosen, circle: Circle) -> Number:
        """How many stand before a patch; all when it is not in the list."""
        if circle.first is not None:
            raise Unsupported("a place in the first patches of a list")
        found = self.terms.place(circle.order, patch.bits)
        size = self.size(circle)
        self.terms.facts.append(z3.And(found >= 0, found <= size, (found < size) == self.holds(circle, patch)))
        self.terms.places.append((circle, patch, found))
        return found

    def call(self, node: t.Call, world: World, names: Names) -> Value:
        args = [self.value(arg, world, names) for arg in node.args]
        match node.primitive:
            case "min":
                return _min(*args)
            case "max":
                return _max(*args)
            case "other":
                if isinstance(args[0], Maybe):
                    return replace(args[0], who=_other(args[0].who))
                return _other(args[0])
            case "size":
                return self.size(args[0])
            case "first":
                return self.first(*args)
            case "place":
                return self.place(*args)
            case "turned":
                circle, number = args
                if circle.first is not None:
                    raise Unsupported("turning the first patches of a list")
                return Circle(self.terms.turned(circle.order, number), circle.members)
            case "placements":
                return Placing(*args)
            case "disjoint":
                return args[0] & args[1] == 0
            case "fits":
                return self.fits(*args)
            case "filled_square":
                region, side = args
                if not isinstance(side, int):
                    raise Unsupported("a filled square whose side is not known")
                if side <= 0:
                    return True
                return disj(*(region & z3.BitVecVal(square, self.terms.cells) == square for square in squares(self.machine.board, side)))
        raise AssertionError(node.primitive)

    def first(self, number: Number, circle: Circle) -> Circle:
        if circle.first is not None:
            raise Unsupported("the first patches of the first patches of a list")
        members = self.terms.first_members(circle.order, number)
        self.terms.facts.append(members & ~circle.members == 0)
        return Circle(self.terms.first(circle.order, number), members, (number, circle))

    def fits(self, patch: Chosen, region: z3.BitVecRef, flips: Truth) -> Truth:
        """Exact when the patch is known; else a truth of which this much is known: where a patch fits, there is room."""
        if patch.index is not None and isinstance(flips, bool):
            listed = placements(self.machine.patches[patch.index].shape, self.machine.board, flips)
            return disj(*(region & z3.BitVecVal(mask, self.terms.cells) == 0 for mask in listed))
        found = self.terms.fits(patch.bits, region, flips if not isinstance(flips, bool) else z3.BoolVal(flips))
        room = self.size(region) + self.size(patch) <= self.machine.board.cells
        self.terms.facts.append(z3.Implies(found, room))
        self.terms.fit_tests.append((patch, region, flips))
        return found

    def elements(self, collection: Value) -> Iterator[tuple[Value, Truth]]:
        """Everything that a collection can hold, ascending, with the truth that it does."""
        match collection:
            case Both():
                yield from ((who, True) for who in SEATS)
            case Marks():
                yield from collection.holds.items()
            case Circle() | z3.BitVecRef():
                for index in range(self.terms.patches.size()):
                    patch = self.terms.patch(index)
                    yield patch, self.holds(collection, patch)
            case Placing():
                yield from ((z3.BitVecVal(mask, self.terms.cells), True) for mask in self.masks(collection))
            case _:
                raise Unsupported(f"going over a {type(collection).__name__}")

    def quantified(self, node: t.Quantified, world: World, names: Names) -> Value:
        domain = self.value(node.domain, world, names)
        if node.kind in ("sum", "count") and isinstance(domain, (Circle, z3.BitVecRef)):
            weights = self.weights(node, world, names)
            if weights is not None:
                whole = domain.members if isinstance(domain, Circle) else domain
                if isinstance(domain, Circle) and domain.first is not None:
                    raise Unsupported("a sum over the first patches of a list")
                return self.terms.sets.measure(whole, weights)
        held: list[tuple[Value, Truth, Names]] = []
        for element, inside in self.elements(domain):
            if inside is not False:
                inner = {**names, node.var: element}
                held.append((element, conj(inside, self.value(node.where, world, inner)) if node.where is not None else inside, inner))
        match node.kind:
            case "all":
                return conj(*(disj(neg(c), self.value(node.body, world, inner)) for _, c, inner in held if c is not False))
            case "any":
                return disj(*(conj(c, self.value(node.body, world, inner)) for _, c, inner in held if c is not False))
            case "sum":
                return _total((c, self.value(node.body, world, inner)) for _, c, inner in held)
            case "count":
                return _total((c, 1) for _, c, _ in held)
            case "one":
                (_, first, _), (_, second, _) = held
                return Maybe(neg(same(first, second)), second if not isinstance(second, bool) else Seat(second))

    def weights(self, node: t.Quantified, world: World, names: Names) -> tuple[int, ...] | None:
        """What each patch adds to a sum, when that does not depend on the state."""
        parts = [node.body, *([node.where] if node.where is not None else [])]
        if any(isinstance(n, (t.Shared, t.OfPlayer, t.Before, t.Given)) or (isinstance(n, t.Use) and n.name in self.machine.definitions) for p in parts for n in nodes(p)):
            return None
        found = []
        for index in range(self.terms.patches.size()):
            inner = {**names, node.var: self.terms.patch(index)}
            counts = node.where is None or self.value(node.where, world, inner)
            weight = (1 if node.kind == "count" else self.value(node.body, world, inner)) if counts is True else 0
            if not isinstance(counts, bool) or not isinstance(weight, int):
                return None
            found.append(weight)
        return tuple(found)


def _total(parts: Iterable[tuple[Truth, Number]]) -> Number:
    total: Number = 0
    for condition, number in parts:
        if condition is not False:
            total = total + (number if condition is True else z3.If(condition, number, 0))
    return total


def _min(a: Number, b: Number) -> Number:
    return min(a, b) if isinstance(a, int) and isinstance(b, int) else z3.If(a < b, a, b)


def _max(a: Number, b: Number) -> Number:
    return max(a, b) if isinstance(a, int) and isinstance(b, int) else z3.If(a > b, a, b)


def _other(player: Value) -> Value:
    return Seat(1 - player) if isinstance(player, Seat) else z3.Not(player)

