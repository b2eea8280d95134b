"""Simplifying: definitions expanded, constants put in, what is known while compiling worked out.

The nodes of a Machine keep names, for the prose; only the compiled engine wants them gone. The numbers of a custom set-up
stay names, so that all set-ups of a Machine share one text.
"""

from __future__ import annotations

from dataclasses import replace

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import Type
from patchwork_ref.lang.walk import rebuilt, substituted
from patchwork_ref.machine.model import Machine

_COMPARE = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}


def expanded(node: t.Expr, machine: Machine) -> t.Expr:
    """The expression without definitions, and with the values of constants that no set-up replaces."""
    if isinstance(node, t.Use):
        if node.name in machine.definitions:
            definition = machine.definitions[node.name]
            values = dict(zip(definition.takes, (expanded(a, machine) for a in node.args), strict=True))
            return expanded(substituted(definition.body, values), machine)
        constant = machine.constants[node.name]
        if constant.type == Type.TRUTH:
            return t.Truth(bool(constant.value))
        if constant.type == Type.INTEGER and isinstance(constant.value, int) and not machine.custom:
            return t.Integer(int(constant.value))
        return node
    return rebuilt(node, lambda child: expanded(child, machine))


def folded(node: t.Expr, machine: Machine) -> t.Expr:
    """An expanded expression with everything worked out that does not depend on the state."""
    node = rebuilt(node, lambda child: folded(child, machine))
    match node:
        case t.Not(body=t.Truth(value=value)):
            return t.Truth(not value)
        case t.Logic():
            return _logic(node)
        case t.Choose(condition=t.Truth(value=value)):
            return node.then if value else node.otherwise
        case t.Arithmetic(op=op, left=t.Integer(value=a), right=t.Integer(value=b)):
            return t.Integer(a + b if op == "+" else a - b if op == "-" else a * b)
        case t.Compare(left=t.Integer(value=a), rest=((op, right),)):
            if isinstance(right, t.Integer) and op in _COMPARE:
                return t.Truth(_COMPARE[op](a, right.value))
            if isinstance(right, t.Use) and op in ("in", "not in") and not machine.custom:
                held = machine.constants[right.name].value
                return t.Truth((a in held) == (op == "in")) if isinstance(held, tuple) else node
    return node


def _logic(node: t.Logic) -> t.Expr:
    """Flat, without what is always so; decided when one part decides."""
    neutral = node.op == "and"
    parts: list[t.Expr] = []
    for item in node.items:
        if isinstance(item, t.Logic) and item.op == node.op:
            parts.extend(item.items)
        elif isinstance(item, t.Truth):
            if item.value != neutral:
                return item
        else:
            parts.append(item)
    if not parts:
        return t.Truth(neutral)
    return parts[0] if len(parts) == 1 else replace(node, items=tuple(parts))


def simplified(node: t.Expr, machine: Machine) -> t.Expr:
    """Expanded and folded."""
    return folded(expanded(node, machine), machine)


def conjuncts(node: t.Expr) -> tuple[t.Expr, ...]:
    """The parts of a conjunction; chains of comparisons are taken apart."""
    if isinstance(node, t.Logic) and node.op == "and":
        return tuple(part for item in node.items for part in conjuncts(item))
    if isinstance(node, t.Compare) and len(node.rest) > 1:
        lefts = (node.left, *(right for _, right in node.rest[:-1]))
        return tuple(t.Compare(left, (link,)) for left, link in zip(lefts, node.rest, strict=True))
    return () if node == t.Truth(True) else (node,)
