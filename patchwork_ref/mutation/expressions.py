"""Changes inside one expression: every node, every way that a person mistypes or misreads it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import Type, Vocabulary
from patchwork_ref.lang.walk import children, rebuilt

Variant = tuple[str, str, t.Expr]
"""The change's short name, the operator, and the changed expression."""

_WORD: dict[str, str] = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne", "in": "in", "not in": "not-in"}
_SHIFTED: dict[str, tuple[t.Comparison, ...]] = {
    "<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",), "==": ("<=", ">="), "!=": ("<", ">"), "in": (), "not in": (),
}
_FURTHER = {"<": -1, "<=": 1, ">": 1, ">=": -1}
"""By how much a bound is off where a shifted comparison is not: the other neighbour."""
_NEGATED: dict[str, t.Comparison] = {
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "in": "not in", "not in": "in",
}
TAKEN_FOR: dict[str, str] = {"buttons": "income", "income": "buttons"}
"""Fields of a player that are counted in the same tiles, so that people take one for the other."""
_ARITHMETIC: dict[str, tuple[tuple[str, Literal["+", "-", "*"]], ...]] = {"+": (("plus-to-minus", "-"),), "-": (("minus-to-plus", "+"),), "*": (("times-to-plus", "+"),)}


@dataclass(frozen=True, slots=True)
class Context:
    """What an expression may speak of: the rulebook's vocabulary, local integers and players, whether ``me`` exists,
    whether now and the start of the action can differ (and for which fields: ``changed``), the constants worth changing at one place (those named at
    several), and the fields that no rule reads."""

    vocabulary: Vocabulary
    integers: frozenset[str] = frozenset()
    players: frozenset[str] = frozenset()
    acting: bool = True
    moving: bool = False
    shared_constants: frozenset[str] = frozenset()
    unread: frozenset[str] = frozenset()
    changed: frozenset[str] | None = None  # me.space, ...; None for any


def variants(node: t.Expr, context: Context, before: bool = False) -> Iterator[Variant]:
    """Every changed form of an expression, outermost changes first. Ill-typed ones among them: the build refuses those."""
    yield from _here(node, context, before)
    inside = before or isinstance(node, t.Before)
    closed = isinstance(node, t.OfPlayer) or (isinstance(node, t.Call) and node.primitive == "other")  # changed as a whole
    for child in () if closed else children(node):
        inner = context
        if isinstance(node, t.Quantified) and child is not node.domain:
            inner = _bound(node, context)
        for name, operator, changed in variants(child, inner, inside):
            yield name, operator, rebuilt(node, lambda old, child=child, changed=changed: changed if old is child else old)  # type: ignore[misc]


def negated(node: t.Expr) -> t.Expr:
    """The opposite condition, as plainly as it can be written."""
    match node:
        case t.Not():
            return node.body
        case t.Truth():
            return t.Truth(not node.value)
        case t.Compare(rest=((op, right),)):
            return t.Compare(node.left, ((_NEGATED[op], right),))
        case _:
            return t.Not(node)


def shifted(node: t.Expr, by: int) -> t.Expr:
    """An integer expression and one more or less."""
    if isinstance(node, t.Integer):
        return t.Integer(node.value + by)
    return t.Arithmetic("+" if by > 0 else "-", node, t.Integer(abs(by)))


def opponent(player: t.Expr) -> t.Expr:
    """The other player, in the shortest words."""
    if player == t.Variable("me"):
        return t.Use("rival")
    if player == t.Use("rival"):
        return t.Variable("me")
    return t.Call("other", (player,))


def of_opponent(node: t.OfPlayer, context: Context) -> t.OfPlayer:
    """The same field of the other player, written so that it can be read: where patches have it too, the owner's type must be plain."""
    other = opponent(node.player)
    return replace(node, player=t.Call("other", (node.player,)) if other == t.Use("rival") and node.name in context.vocabulary.patch_fields else other)


def spoken(player: t.Expr) -> str:
    """A player as part of a name."""
    return player.name if isinstance(player, (t.Variable, t.Use)) else "other"


def _bound(node: t.Quantified, context: Context) -> Context:
    if isinstance(node.domain, t.Players):
        return replace(context, players=context.players | {node.var})
    return context


def _here(node: t.Expr, context: Context, before: bool) -> Iterator[Variant]:
    match node:
        case t.Integer(value=value):
            yield f"{value}-to-{value + 1}", "number", t.Integer(value + 1)
            if value > 0:
                yield f"{value}-to-{value - 1}", "number", t.Integer(value - 1)
        case t.Truth(value=value):
            yield f"{value}-to-{not value}".lower(), "negated", t.Truth(not value)
        case t.Variable(name=name):
            if name in context.integers:
                yield from ((f"{name}-{word}-1", "number", shifted(node, by)) for word, by in (("plus", 1), ("minus", -1)))
            elif name == "me" or name in context.players:
                yield f"{name}-to-{'rival' if name == 'me' else 'other'}", "players", opponent(node)
        case t.Use(name=name):
            yield from _use(node, context)
        case t.Compare():
            yield from _comparison(node, context)
        case t.Logic():
            yield from _logic(node)
        case t.Not():
            yield "not-dropped", "negated", node.body
        case t.Choose():
            yield "always-then", "branch", node.then
            yield "always-else", "branch", node.otherwise
            yield "branches-swapped", "branch", replace(node, then=node.otherwise, otherwise=node.then)
        case t.Arithmetic():
            for name, op in _ARITHMETIC[node.op]:
                yield name, "arithmetic", replace(node, op=op)
            yield f"{_SIGN[node.op]}-left-only", "arithmetic", node.left
            yield f"{_SIGN[node.op]}-right-only", "arithmetic", node.right
        case t.Before():
            yield "before-to-now", "moment", node.body
        case t.OfPlayer():
            yield from _field(node, context, before)
        case t.OfPatch(name=name):
            for other in sorted(context.vocabulary.patch_fields - {name}):
                yield f"{name}-to-{other}", "field", replace(node, name=other)
        case t.Call():
            yield from _call(node)
        case t.Quantified():
            if node.kind in ("all", "any"):
                kind: Literal["all", "any"] = "any" if node.kind == "all" else "all"
                yield f"{node.kind}-to-{kind}", "quantifier", replace(node, kind=kind)
            if node.where is not None:
                yield "where-dropped", "dropped", replace(node, where=None)


_SIGN = {"+": "plus", "-": "minus", "*": "times"}


def _use(node: t.Use, context: Context) -> Iterator[Variant]:
    if node.name == "rival":
        yield "rival-to-me", "players", t.Variable("me")
    elif node.name in context.shared_constants and context.vocabulary.constants.get(node.name) == Type.INTEGER:
        word = node.name.replace("_", "-")
        yield f"{word}-plus-1", "number", shifted(node, 1)
        yield f"{word}-minus-1", "number", shifted(node, -1)
    elif context.vocabulary.constants.get(node.name) == Type.SPACES:
        for other, kind in context.vocabulary.constants.items():
            if kind == Type.SPACES and other != node.name:
                yield f"{node.name}-to-{other}".replace("_", "-"), "field", t.Use(other)


def _changed_itself(node: t.Expr, context: Context) -> bool:
    """Whether another operator makes this number one more and one less."""
    return isinstance(node, t.Integer) or (isinstance(node, t.Variable) and node.name in context.integers) or (isinstance(node, t.Use) and node.name in context.shared_constants)


def _comparison(node: t.Compare, context: Context) -> Iterator[Variant]:
    for at, (op, right) in enumerate(node.rest):
        for other in (*_SHIFTED[op], _NEGATED[op]):
            links = (*node.rest[:at], (other, right), *node.rest[at + 1 :])
            yield f"{_WORD[op]}-to-{_WORD[other]}", "negated" if other == _NEGATED[op] else "comparison", replace(node, rest=links)
        if (by := _FURTHER.get(op)) is not None and not _changed_itself(right, context):
            links = (*node.rest[:at], (op, shifted(right, by)), *node.rest[at + 1 :])
            yield f"{_WORD[op]}-off-by-one", "comparison", replace(node, rest=links)
        if len(node.rest) > 1:
            left = [node.left, *(e for _, e in node.rest)]
            pairs = [(a, link) for i, (a, link) in enumerate(zip(left, node.rest, strict=False)) if i != at]
            parts = tuple(t.Compare(a, (link,)) for a, link in pairs)
            yield f"bound-{at + 1}-dropped", "dropped", parts[0] if len(parts) == 1 else t.Logic("and", parts)


def _logic(node: t.Logic) -> Iterator[Variant]:
    other: Literal["and", "or"] = "or" if node.op == "and" else "and"
    yield f"{node.op}-to-{other}", "logic", replace(node, op=other)
    for at in range(len(node.items)):
        rest = (*node.items[:at], *node.items[at + 1 :])
        yield f"part-{at + 1}-dropped", "weakened" if node.op == "and" else "strengthened", rest[0] if len(rest) == 1 else replace(node, items=rest)


def _field(node: t.OfPlayer, context: Context, before: bool) -> Iterator[Variant]:
    who = spoken(node.player)
    if context.acting or who in context.players:
        yield f"{who}-{node.name}-of-the-other".replace("_", "-"), "players", of_opponent(node, context)
    if (other := TAKEN_FOR.get(node.name, "")) in context.vocabulary.player and node.name in context.vocabulary.player:
        yield f"{node.name}-to-{other}", "field", replace(node, name=other)
    if context.moving and not before and (context.changed is None or f"{who}.{node.name}" in context.changed):
        yield f"{who}-{node.name}-before".replace("_", "-"), "moment", t.Before(node)


def _call(node: t.Call) -> Iterator[Variant]:
    match node.primitive, node.args:
        case ("min" | "max") as word, (a, b):
            yield ("min-to-max" if word == "min" else "max-to-min"), "primitive", replace(node, primitive="max" if word == "min" else "min")
            yield f"{word}-left-only", "primitive", a
            yield f"{word}-right-only", "primitive", b
        case "other", (a,):
            yield "other-dropped", "players", a
        case "turned", (circle, _):
            yield "turned-dropped", "primitive", circle
        case "first", (number, circle):
            yield "last-for-first", "first-last", replace(node, args=(number, t.Call("turned", (circle, t.Arithmetic("-", t.Call("size", (circle,)), number)))))
            yield "all-for-first", "first-last", circle
            yield "first-one-more", "number", replace(node, args=(shifted(number, 1), circle))
            yield "first-one-fewer", "number", replace(node, args=(shifted(number, -1), circle))
        case "filled_square", (region, side):
            yield "area-for-square", "primitive", t.Compare(t.Call("size", (region,)), ((">=", t.Arithmetic("*", side, side)),))
        case ("disjoint" | "fits") as word, _:
            yield f"{word}-negated", "negated", t.Not(node)
