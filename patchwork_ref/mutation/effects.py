"""Changes of a list of effects: dropped, doubled, swapped, turned round, given to the other player, one too many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import Type
from patchwork_ref.lang.walk import targets
from patchwork_ref.machine.model import Machine
from patchwork_ref.mutation.expressions import TAKEN_FOR, Context, of_opponent, shifted, spoken, variants
from patchwork_ref.mutation.independence import independent_effects

ListVariant = tuple[str, str, tuple[t.Effect, ...]]
"""The change's short name, the operator, and the changed list."""


def effect_lists(effects: tuple[t.Effect, ...], context: Context, machine: Machine) -> Iterator[ListVariant]:
    """Every changed form of a step's effects."""
    for at, effect in enumerate(effects):
        before, after = effects[:at], effects[at + 1 :]
        label = f"{at + 1}-" if len(effects) > 1 else ""
        yield f"does-{label}dropped", "dropped", (*before, *after)
        if _counts(effect, context):
            yield f"does-{label}doubled", "doubled", (*before, effect, effect, *after)
        if {target.name for target in targets(effect)} <= context.unread:
            continue  # nothing else about it can be noticed
        if after and not independent_effects(effect, after[0], machine):
            yield f"does-{label}swapped", "swapped", (*before, after[0], effect, *after[1:])
        for name, operator, changed in _effects(effect, context):
            yield f"does-{label}{name}", operator, (*before, changed, *after)


def added(effects: tuple[t.Effect, ...], context: Context) -> Iterator[ListVariant]:
    """The same with one effect more: what a player or a programmer wrongly believes an action to do besides."""
    for name, kind in context.vocabulary.player.items():
        if kind == Type.INTEGER and name not in context.unread:
            more: t.Effect = t.Update(t.OfPlayer(t.Variable("me"), name), "+=", t.Integer(1))
            yield f"does-also-{name}-plus-1".replace("_", "-"), "added", (*effects, more)
    for name, kind in context.vocabulary.shared.items():
        if kind == Type.CIRCLE:
            more = t.Assign(t.Shared(name), t.Call("turned", (t.Shared(name), t.Integer(1))))
            yield f"does-also-{name}-turned".replace("_", "-"), "added", (*effects, more)


def _counts(effect: t.Effect, context: Context) -> bool:
    """Whether doing it twice is more than doing it once."""
    return isinstance(effect, t.Transfer) or (isinstance(effect, t.Update) and effect.op in ("+=", "-=") and _kind(effect.target, context) == Type.INTEGER)


def _kind(target: t.Target, context: Context) -> Type | None:
    known = context.vocabulary.shared if isinstance(target, t.Shared) else context.vocabulary.player
    return known.get(target.name)


def _turned(target: t.Target, context: Context) -> tuple[str, t.Target] | None:
    """The same field of the other player, and a name for it."""
    if not isinstance(target, t.OfPlayer):
        return None
    return f"{spoken(target.player)}-{target.name}-of-the-other".replace("_", "-"), of_opponent(target, context)


def _effects(effect: t.Effect, context: Context) -> Iterator[tuple[str, str, t.Effect]]:
    match effect:
        case t.Transfer():
            yield "reversed", "reversed", replace(effect, giver=effect.taker, taker=effect.giver)
            yield "giver-only", "weakened", t.Update(effect.giver, "-=", effect.amount)
            yield "taker-only", "weakened", t.Update(effect.taker, "+=", effect.amount)
            yield "amount-plus-1", "number", replace(effect, amount=shifted(effect.amount, 1))
            yield "amount-minus-1", "number", replace(effect, amount=shifted(effect.amount, -1))
            if (other := _turned(effect.giver, context)) is not None:
                yield f"from-{other[0]}", "players", replace(effect, giver=other[1])
            if (other := _turned(effect.taker, context)) is not None:
                yield f"to-{other[0]}", "players", replace(effect, taker=other[1])
            for name, operator, changed in variants(effect.amount, context):
                yield name, operator, replace(effect, amount=changed)
        case t.Assign():
            if (other := _turned(effect.target, context)) is not None:
                yield other[0], "players", replace(effect, target=other[1])
            for name, operator, changed in variants(effect.value, context):
                yield name, operator, replace(effect, value=changed)
        case t.Update():
            if effect.op != "|=":
                sign: Literal["+=", "-="] = "-=" if effect.op == "+=" else "+="
                yield "plus-to-minus" if effect.op == "+=" else "minus-to-plus", "arithmetic", replace(effect, op=sign)
            yield "set-not-changed", "assigned", t.Assign(effect.target, effect.value)
            if isinstance(effect.target, t.OfPlayer) and (taken := TAKEN_FOR.get(effect.target.name, "")) in context.vocabulary.player:
                yield f"{effect.target.name}-taken-for-{taken}", "field", replace(effect, target=replace(effect.target, name=taken))
            if (other := _turned(effect.target, context)) is not None:
                yield other[0], "players", replace(effect, target=other[1])
            for name, operator, changed in variants(effect.value, context):
                yield name, operator, replace(effect, value=changed)
