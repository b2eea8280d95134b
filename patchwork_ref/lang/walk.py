"""Going over nodes: children, all nodes, rebuilding, and substitution of variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import assert_never

from patchwork_ref.lang import ast as t


def children(node: t.Expr) -> tuple[t.Expr, ...]:
    """The expressions directly inside, left to right."""
    match node:
        case t.Integer() | t.Truth() | t.Nobody() | t.Empty() | t.PatchNamed() | t.Variable() | t.Players() | t.Given() | t.Shared():
            return ()
        case t.OfPlayer(player=inner) | t.OfPatch(patch=inner) | t.Before(body=inner) | t.Not(body=inner):
            return (inner,)
        case t.Arithmetic():
            return (node.left, node.right)
        case t.Compare():
            return (node.left, *(e for _, e in node.rest))
        case t.Logic():
            return node.items
        case t.Choose():
            return (node.condition, node.then, node.otherwise)
        case t.Call() | t.Use():
            return node.args
        case t.Quantified():
            return (node.domain, *([node.where] if node.where is not None else []), node.body)
        case _:
            assert_never(node)


def rebuilt(node: t.Expr, change: Callable[[t.Expr], t.Expr]) -> t.Expr:
    """The same node with each direct child replaced by ``change(child)``."""
    match node:
        case t.Integer() | t.Truth() | t.Nobody() | t.Empty() | t.PatchNamed() | t.Variable() | t.Players() | t.Given() | t.Shared():
            return node
        case t.OfPlayer():
            return replace(node, player=change(node.player))
        case t.OfPatch():
            return replace(node, patch=change(node.patch))
        case t.Before() | t.Not():
            return replace(node, body=change(node.body))
        case t.Arithmetic():
            return replace(node, left=change(node.left), right=change(node.right))
        case t.Compare():
            return replace(node, left=change(node.left), rest=tuple((op, change(e)) for op, e in node.rest))
        case t.Logic():
            return replace(node, items=tuple(change(e) for e in node.items))
        case t.Choose():
            return replace(node, condition=change(node.condition), then=change(node.then), otherwise=change(node.otherwise))
        case t.Call() | t.Use():
            return replace(node, args=tuple(change(e) for e in node.args))
        case t.Quantified():
            where = change(node.where) if node.where is not None else None
            return replace(node, domain=change(node.domain), where=where, body=change(node.body))
        case _:
            assert_never(node)


def nodes(node: t.Expr) -> Iterator[t.Expr]:
    """The node and everything inside, outermost first. Definitions are not entered."""
    yield node
    for child in children(node):
        yield from nodes(child)


def substituted(node: t.Expr, values: Mapping[str, t.Expr]) -> t.Expr:
    """Variables replaced by expressions; a name bound again inside is left alone there."""
    if isinstance(node, t.Variable):
        return values.get(node.name, node)
    if isinstance(node, t.Quantified) and node.var in values:
        inner = {name: value for name, value in values.items() if name != node.var}
        where = substituted(node.where, inner) if node.where is not None else None
        return replace(node, domain=substituted(node.domain, values), where=where, body=substituted(node.body, inner))
    return rebuilt(node, lambda child: substituted(child, values))


def variables(node: t.Expr) -> frozenset[str]:
    """The free variables."""
    if isinstance(node, t.Variable):
        return frozenset({node.name})
    if isinstance(node, t.Quantified):
        inner = variables(node.body) | (variables(node.where) if node.where is not None else frozenset())
        return variables(node.domain) | (inner - {node.var})
    return frozenset().union(*(variables(child) for child in children(node)))


def expressions(effect: t.Effect) -> tuple[t.Expr, ...]:
    """The expressions that an effect reads, the target's player included."""
    match effect:
        case t.Assign() | t.Update():
            return (*_players(effect.target), effect.value)
        case t.Transfer():
            return (effect.amount, *_players(effect.giver), *_players(effect.taker))
        case _:
            assert_never(effect)


def targets(effect: t.Effect) -> tuple[t.Target, ...]:
    """What an effect writes."""
    return (effect.giver, effect.taker) if isinstance(effect, t.Transfer) else (effect.target,)


def _players(target: t.Target) -> tuple[t.Expr, ...]:
    return (target.player,) if isinstance(target, t.OfPlayer) else ()
