"""Expressions as Python text. Players known while compiling become parts of names: ``p0_buttons``, ``p1_buttons``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from patchwork_ref.diagnostics import Collector
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.check import Checker
from patchwork_ref.lang.types import ELEMENT, Type
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.vocabulary import vocabulary_of


@dataclass(frozen=True, slots=True)
class Scope:
    """What the names of an expression mean here: local names to Python text, with their types.

    A player's text is "0" or "1" when known; ``before`` puts the values from the start of the action.
    """

    texts: Mapping[str, str]
    types: Mapping[str, Type]
    before: bool = False

    def bound(self, name: str, text: str, kind: Type) -> Scope:
        return replace(self, texts={**self.texts, name: text}, types={**self.types, name: kind})


class Emitter:
    """Writes simplified expressions of one Machine as Python."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.checker = Checker(vocabulary_of(machine), {n: d.body for n, d in machine.definitions.items()}, Collector())
        self.fresh = 0

    def kind(self, node: t.Expr, scope: Scope) -> Type:
        found = self.checker.type_of(node, scope.types)
        assert found is not None
        return found

    def name(self, stem: str) -> str:
        """A new local name."""
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def field(self, name: str, who: str | None, scope: Scope) -> str:
        """The local variable of a field; a player not known while compiling chooses between two."""
        prefix = "b_" if scope.before else ""
        if who is None:
            return f"{prefix}s_{name}"
        if who in ("0", "1"):
            return f"{prefix}p{who}_{name}"
        return f"({prefix}p1_{name} if {who} else {prefix}p0_{name})"

    def text(self, node: t.Expr, scope: Scope) -> str:
        match node:
            case t.Integer():
                return str(node.value) if node.value >= 0 else f"({node.value})"
            case t.Truth():
                return str(node.value)
            case t.Nobody():
                return "None"
            case t.Empty():
                return "0"
            case t.PatchNamed():
                return f"NUMBER.get({node.id!r})" if self.machine.custom else str(self.machine.number(node.id))
            case t.Variable():
                return scope.texts[node.name]
            case t.Players():
                return "(0, 1)"
            case t.Given():
                return f"g_{node.name}"
            case t.Shared():
                return self.field(node.name, None, scope)
            case t.OfPlayer():
                return self.field(node.name, self.text(node.player, scope), scope)
            case t.OfPatch():
                return f"{node.name.upper()}[{self.text(node.patch, scope)}]"
            case t.Before():
                return self.text(node.body, replace(scope, before=True))
            case t.Arithmetic():
                return f"({self.text(node.left, scope)} {node.op} {self.text(node.right, scope)})"
            case t.Compare():
                return self.compare(node, scope)
            case t.Logic():
                return "(" + f" {node.op} ".join(self.text(item, scope) for item in node.items) + ")"
            case t.Not():
                return f"(not {self.text(node.body, scope)})"
            case t.Choose():
                return f"({self.text(node.then, scope)} if {self.text(node.condition, scope)} else {self.text(node.otherwise, scope)})"
            case t.Call():
                return self.call(node, scope)
            case t.Quantified():
                return self.quantified(node, scope)
            case t.Use():
                return self.constant(node.name)
            case _:
                assert_never(node)

    def constant(self, name: str) -> str:
        return f"K_{name}" if self.machine.custom else str(constant_value(self.machine, name))

    def compare(self, node: t.Compare, scope: Scope) -> str:
        ends = [node.left, *(right for _, right in node.rest)]
        parts = []
        for left, (op, right) in zip(ends, node.rest, strict=False):
            a, b = self.text(left, scope), self.text(right, scope)
            if op in ("in", "not in"):
                word = self.holds(a, b, self.kind(right, scope))
                parts.append(word if op == "in" else f"(not {word})")
            elif "None" in (a, b):
                parts.append(f"({a} is{'' if op == '==' else ' not'} {b})")
            else:
                parts.append(f"({a} {op} {b})")
        return parts[0] if len(parts) == 1 else "(" + " and ".join(parts) + ")"

    def holds(self, item: str, collection: str, kind: Type) -> str:
        if kind in (Type.SPACES, Type.PATCHES):
            return f"_holds({collection}, {item})"
        return f"({item} in {collection}{'.index' if kind == Type.PLACEMENTS else ''})"

    def call(self, node: t.Call, scope: Scope) -> str:
        args = [self.text(arg, scope) for arg in node.args]
        match node.primitive:
            case "min" | "max":
                sign = "<" if node.primitive == "min" else ">"
                a, b = args
                if not (b.isidentifier() or b.isdigit()):
                    return f"{node.primitive}({a}, {b})"
                if a.isidentifier() or a.isdigit():
                    return f"({a} if {a} {sign} {b} else {b})"
                kept = self.name("m")
                return f"({kept} if ({kept} := {a}) {sign} {b} else {b})"
            case "other":
                if args[0] in ("0", "1", "None"):
                    return {"0": "1", "1": "0", "None": "None"}[args[0]]
                return f"_other({args[0]})"
            case "size":
                return self.size(args[0], self.kind(node.args[0], scope))
            case "first":
                return f"_first({args[0]}, {args[1]})"
            case "place":
                return f"_place({args[0]}, {args[1]})"
            case "turned":
                return f"_turned({args[0]}, {args[1]})"
            case "placements":
                return f"TABLES[{args[1]}][{args[0]}]"
            case "disjoint":
                return f"(not {args[0]} & {args[1]})"
            case "fits":
                return f"(TABLES[{args[2]}][{args[0]}].free({args[1]}) != 0)"
            case "filled_square":
                return f"_square({args[0]}, {args[1]})"
        raise AssertionError(node.primitive)

    def size(self, text: str, kind: Type) -> str:
        if kind == Type.PATCH:
            return f"SIZE[{text}]"
        if kind in (Type.CIRCLE,):
            return f"len({text})"
        whole = f"({text})" if text.isdigit() else text  # a number takes no dot
        return f"len({text}.masks)" if kind == Type.PLACEMENTS else f"{whole}.bit_count()"

    def elements(self, text: str, kind: Type) -> str:
        """A collection as something that a ``for`` goes over, ascending."""
        if kind in (Type.SPACES, Type.PATCHES):
            return f"_bits({text})"
        return f"{text}.masks" if kind == Type.PLACEMENTS else text

    def quantified(self, node: t.Quantified, scope: Scope) -> str:
        kind = self.kind(node.domain, scope)
        if kind == Type.PLAYERS:
            return self.over_players(node, scope)
        var = self.name("x")
        inner = scope.bound(node.var, var, ELEMENT[kind])
        where = f" if {self.text(node.where, inner)}" if node.where is not None else ""
        body = "1" if node.kind == "count" else self.text(node.body, inner)
        word = "sum" if node.kind == "count" else node.kind
        return f"{word}({body} for {var} in {self.elements(self.text(node.domain, scope), kind)}{where})"

    def over_players(self, node: t.Quantified, scope: Scope) -> str:
        """Both players, one after the other, without a loop."""
        inner = [scope.bound(node.var, who, Type.PLAYER) for who in ("0", "1")]
        where = [self.text(node.where, s) if node.where is not None else "True" for s in inner]
        body = [self.text(node.body, s) for s in inner]
        match node.kind:
            case "all":
                return f"((not {where[0]} or {body[0]}) and (not {where[1]} or {body[1]}))" if node.where else f"({body[0]} and {body[1]})"
            case "any":
                return f"(({where[0]} and {body[0]}) or ({where[1]} and {body[1]}))" if node.where else f"({body[0]} or {body[1]})"
            case "sum":
                return f"(({body[0]} if {where[0]} else 0) + ({body[1]} if {where[1]} else 0))"
            case "count":
                return f"((1 if {where[0]} else 0) + (1 if {where[1]} else 0))"
            case "one":
                return f"_one({where[0]}, {where[1]})"


def constant_value(machine: Machine, name: str) -> object:
    """A constant as generated text has it: spaces as bits, a patch as its number."""
    constant = machine.constants[name]
    if constant.type == Type.SPACES and isinstance(constant.value, tuple):
        return sum(1 << int(space) for space in constant.value)
    return machine.number(str(constant.value)) if constant.type == Type.PATCH else constant.value
