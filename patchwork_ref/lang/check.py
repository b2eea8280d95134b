"""Types: every expression has one, every effect fits its target. Defects are collected, not raised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never

from patchwork_ref.diagnostics import Collector
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import ELEMENT, PRIMITIVES, QUANTIFIERS, Type, Vocabulary
from patchwork_ref.source import Position

Locals = Mapping[str, Type]


def accepts(wanted: Type, given: Type) -> bool:
    """Whether a value of one type may stand where another is wanted."""
    return wanted == given or (wanted == Type.MAYBE_PLAYER and given == Type.PLAYER)


@dataclass(slots=True)
class Checker:
    """Types expressions and effects against a vocabulary and the bodies of its definitions.

    ``type_of`` gives None where a defect was reported, so that one mistake is told once.
    """

    vocabulary: Vocabulary
    bodies: Mapping[str, t.Expr]
    collector: Collector
    _open: list[str] = field(default_factory=list)
    _known: dict[tuple[str, bool], Type | None] = field(default_factory=dict)

    def wrong(self, pos: Position, message: str, hint: str, code: str = "type") -> None:
        self.collector.add(pos, code, message, hint)

    def expect(self, node: t.Expr, wanted: Type, names: Locals) -> None:
        """Reports unless the expression has the wanted type."""
        given = self.type_of(node, names)
        if given is not None and not accepts(wanted, given):
            self.wrong(node.pos, f"this is of type {given}, {wanted} is wanted", "write an expression of that type")

    def type_of(self, node: t.Expr, names: Locals) -> Type | None:
        match node:
            case t.Integer():
                return Type.INTEGER
            case t.Truth():
                return Type.TRUTH
            case t.Nobody():
                return Type.MAYBE_PLAYER
            case t.Empty():
                return Type.REGION if node.of == "cells" else Type.PATCHES
            case t.PatchNamed():
                return Type.PATCH
            case t.Players():
                return Type.PLAYERS
            case t.Variable():
                return names.get(node.name)
            case t.Given():
                return self.vocabulary.table[node.name]
            case t.Shared():
                return self.vocabulary.shared[node.name]
            case t.OfPlayer():
                return self.of_player(node, names)
            case t.OfPatch():
                self.expect(node.patch, Type.PATCH, names)
                return Type.INTEGER
            case t.Before():
                return self.type_of(node.body, names)
            case t.Arithmetic():
                self.expect(node.left, Type.INTEGER, names)
                self.expect(node.right, Type.INTEGER, names)
                return Type.INTEGER
            case t.Compare():
                return self.comparison(node, names)
            case t.Logic():
                for item in node.items:
                    self.expect(item, Type.TRUTH, names)
                return Type.TRUTH
            case t.Not():
                self.expect(node.body, Type.TRUTH, names)
                return Type.TRUTH
            case t.Choose():
                return self.choice(node, names)
            case t.Call():
                return self.call(node, names)
            case t.Quantified():
                return self.quantified(node, names)
            case t.Use():
                return self.use(node, names)
            case _:
                assert_never(node)

    def of_player(self, node: t.OfPlayer, names: Locals) -> Type | None:
        given = self.type_of(node.player, names)
        if given is not None and given != Type.PLAYER:
            self.wrong(node.pos, f"{node.name!r} is a field of a player, this is of type {given}", "put a player before the dot")
            return None
        return self.vocabulary.player[node.name]

    def comparison(self, node: t.Compare, names: Locals) -> Type:
        left = node.left
        for op, right in node.rest:
            a, b = self.type_of(left, names), self.type_of(right, names)
            if a is not None and b is not None:
                self.compared(op, a, b, right.pos)
            left = right
        return Type.TRUTH

    def compared(self, op: str, a: Type, b: Type, pos: Position) -> None:
        if op in ("in", "not in"):
            if b not in ELEMENT or not accepts(ELEMENT[b], a):
                self.wrong(pos, f"a value of type {a} is never in one of type {b}", "put a collection of such values on the right")
        elif op in ("==", "!="):
            if not (accepts(a, b) or accepts(b, a)):
                self.wrong(pos, f"{a} and {b} are never equal", "compare values of one type")
        elif (a, b) != (Type.INTEGER, Type.INTEGER):
            self.wrong(pos, f"{op} compares integers, not {a} and {b}", "compare integers")

    def choice(self, node: t.Choose, names: Locals) -> Type | None:
        self.expect(node.condition, Type.TRUTH, names)
        a, b = self.type_of(node.then, names), self.type_of(node.otherwise, names)
        if a is None or b is None:
            return a or b
        if accepts(a, b):
            return a
        if accepts(b, a):
            return b
        self.wrong(node.pos, f"the two sides are of types {a} and {b}", "give both sides one type")
        return None

    def call(self, node: t.Call, names: Locals) -> Type | None:
        primitive = PRIMITIVES[node.primitive]
        given = [self.type_of(arg, names) for arg in node.args]
        for arg, kind, wanted in zip(node.args, given, primitive.takes, strict=True):
            if kind is not None and kind not in wanted:
                self.wrong(arg.pos, f"{node.primitive} does not take a value of type {kind}", f"give it {' or '.join(wanted)}")
        if node.primitive == "other":
            return given[0]
        return primitive.gives

    def quantified(self, node: t.Quantified, names: Locals) -> Type:
        domain = self.type_of(node.domain, names)
        result = QUANTIFIERS[node.kind]
        if domain is None:
            return result
        if domain not in ELEMENT or (node.kind == "one" and domain != Type.PLAYERS):
            self.wrong(node.domain.pos, f"{node.kind} cannot go over a value of type {domain}", "name a collection")
            return result
        inner = {**names, node.var: ELEMENT[domain]}
        if node.where is not None:
            self.expect(node.where, Type.TRUTH, inner)
        if node.kind in ("all", "any", "sum"):
            self.expect(node.body, Type.INTEGER if node.kind == "sum" else Type.TRUTH, inner)
        return result

    def use(self, node: t.Use, names: Locals) -> Type | None:
        if node.name in self.vocabulary.constants:
            return self.vocabulary.constants[node.name]
        takes = self.vocabulary.definitions[node.name].takes
        for arg, wanted in zip(node.args, takes.values(), strict=True):
            self.expect(arg, wanted, names)
        if "me" not in names and self.needs_me(node.name, frozenset()):
            self.wrong(node.pos, f"{node.name} speaks of 'me', which exists only inside an action", "use a definition that takes a player")
        return self.definition(node.name, node.pos)

    def needs_me(self, name: str, seen: frozenset[str]) -> bool:
        from patchwork_ref.lang.walk import nodes

        if name in seen or name not in self.bodies:
            return False
        bound = "me" in self.vocabulary.definitions[name].takes
        return not bound and any(
            inner == t.Variable("me") or (isinstance(inner, t.Use) and self.needs_me(inner.name, seen | {name}))
            for inner in nodes(self.bodies[name])
        )

    def definition(self, name: str, pos: Position) -> Type | None:
        """The type of a definition's body, worked out once; a definition that leads back to itself is a defect."""
        if name in self._open:
            self.wrong(pos, f"the definition {name} leads back to itself", "break the circle", code="circular")
            return None
        key = (name, True)
        if key not in self._known:
            if name not in self.bodies:
                return None
            self._open.append(name)
            self._known[key] = self.type_of(self.bodies[name], {"me": Type.PLAYER, **self.vocabulary.definitions[name].takes})
            self._open.pop()
        return self._known[key]

    def effect(self, node: t.Effect, names: Locals) -> None:
        """Reports unless the values fit the targets."""
        match node:
            case t.Assign():
                target = self.target(node.target, names)
                if target is not None:
                    self.expect(node.value, target, names)
            case t.Update():
                self.update(node, names)
            case t.Transfer():
                self.expect(node.amount, Type.INTEGER, names)
                for end in (node.giver, node.taker):
                    if self.target(end, names) not in (None, Type.INTEGER):
                        self.wrong(end.pos, "transfer moves between integer fields", "name fields of type integer")
            case _:
                assert_never(node)

    def target(self, node: t.Target, names: Locals) -> Type | None:
        return self.vocabulary.shared[node.name] if isinstance(node, t.Shared) else self.of_player(node, names)

    def update(self, node: t.Update, names: Locals) -> None:
        target = self.target(node.target, names)
        if target is None:
            return
        fits = {
            ("+=", Type.INTEGER): Type.INTEGER, ("-=", Type.INTEGER): Type.INTEGER, ("|=", Type.REGION): Type.REGION,
            ("+=", Type.SPACES): Type.INTEGER, ("-=", Type.SPACES): Type.INTEGER, ("-=", Type.CIRCLE): Type.PATCH,
            ("+=", Type.PATCHES): Type.PATCH, ("-=", Type.PATCHES): Type.PATCH,
        }.get((node.op, target))
        if fits is None:
            self.wrong(node.pos, f"{node.op} does not change a field of type {target}", "see docs/RULE-LANGUAGE.md for the updates of each type")
        else:
            self.expect(node.value, fits, names)
