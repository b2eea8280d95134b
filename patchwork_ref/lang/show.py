"""Nodes back to text. ``read(show(node)) == node`` for every expression and effect."""

from __future__ import annotations

from typing import assert_never

from patchwork_ref.lang import ast as t

_ATOM, _UNARY, _TERM, _SUM, _COMPARE, _NOT, _AND, _OR, _IF = range(9)


def show(node: t.Expr | t.Effect) -> str:
    """The text of an expression or effect, with no more parentheses than needed."""
    match node:
        case t.Assign():
            return f"{show(node.target)} = {show(node.value)}"
        case t.Update():
            return f"{show(node.target)} {node.op} {show(node.value)}"
        case t.Transfer():
            return f"transfer({show(node.amount)}, {show(node.giver)}, {show(node.taker)})"
        case _:
            return _show(node, _IF)


def _show(node: t.Expr, room: int) -> str:
    text, level = _written(node)
    return f"({text})" if level > room else text


def _written(node: t.Expr) -> tuple[str, int]:
    match node:
        case t.Integer():
            return str(node.value), _UNARY if node.value < 0 else _ATOM
        case t.Truth():
            return ("true" if node.value else "false"), _ATOM
        case t.Nobody():
            return "nobody", _ATOM
        case t.Empty():
            return f"no_{node.of}", _ATOM
        case t.PatchNamed():
            return f"'{node.id}'", _ATOM
        case t.Variable():
            return node.name, _ATOM
        case t.Players():
            return "players", _ATOM
        case t.Given():
            return f"table.{node.name}", _ATOM
        case t.Shared():
            return node.name, _ATOM
        case t.OfPlayer():
            return f"{_show(node.player, _ATOM)}.{node.name}", _ATOM
        case t.OfPatch():
            return f"{_show(node.patch, _ATOM)}.{node.name}", _ATOM
        case t.Before():
            return f"before({_show(node.body, _IF)})", _ATOM
        case t.Arithmetic():
            level = _TERM if node.op == "*" else _SUM
            return f"{_show(node.left, level)} {node.op} {_show(node.right, level - 1)}", level
        case t.Compare():
            rest = " ".join(f"{op} {_show(e, _SUM)}" for op, e in node.rest)
            return f"{_show(node.left, _SUM)} {rest}", _COMPARE
        case t.Logic():
            level = _AND if node.op == "and" else _OR
            return f" {node.op} ".join(_show(e, level - 1) for e in node.items), level
        case t.Not():
            return f"not {_show(node.body, _NOT)}", _NOT
        case t.Choose():
            return f"{_show(node.then, _OR)} if {_show(node.condition, _OR)} else {_show(node.otherwise, _IF)}", _IF
        case t.Call():
            return f"{node.primitive}({', '.join(show(a) for a in node.args)})", _ATOM
        case t.Quantified():
            where = f" if {_show(node.where, _OR)}" if node.where is not None else ""
            return f"{node.kind}({_show(node.body, _IF)} for {node.var} in {_show(node.domain, _OR)}{where})", _ATOM
        case t.Use():
            return node.name + (f"({', '.join(show(a) for a in node.args)})" if node.args else ""), _ATOM
        case _:
            assert_never(node)
