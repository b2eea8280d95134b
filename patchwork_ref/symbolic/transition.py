"""Actions as successor states: guards to a truth, steps to new fields, loops unrolled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import Type
from patchwork_ref.machine.model import ActionForm, Machine, Step
from patchwork_ref.symbolic.measures import Unsupported
from patchwork_ref.symbolic.terms import Chosen, Circle, Marks, Placing, Seat, Terms, Truth, Value, World, conj, disj, first_world, neg, same
from patchwork_ref.symbolic.translate import Translator

_KINDS = {"patch": Type.PATCH, "cells": Type.REGION}


@dataclass(slots=True)
class Move:
    """One action of one player from a state of variables: when it is legal, and the world that it leads to.

    ``names`` are ``me`` and the choices; ``domains`` the placements that ``cells`` must be one of. ``legal`` asks of
    cells only their number, which every placement meets: enough for what holds after every action.
    """

    legal: Truth
    world: World
    names: Mapping[str, Value]
    domains: tuple[Placing, ...]


def form_named(machine: Machine, name: str | None) -> ActionForm:
    return next(form for form in machine.actions if form.name == name)


def legality(translator: Translator, form: ActionForm, me: int, start: World, chosen: Mapping[str, Value] | None = None) -> tuple[Truth, dict[str, Value], tuple[Placing, ...]]:
    """When an action is legal, the names in its scope, and the placements that ``cells`` must be one of.

    Choices that are not given become variables.
    """
    terms = translator.terms
    names: dict[str, Value] = {"me": Seat(me)}
    legal: list[Truth] = []
    domains = []
    for name, domain in form.choices:
        collection = translator.value(domain.collection, start, names)
        value = chosen[name] if chosen is not None and name in chosen else terms.variable(name, _KINDS[name])
        names[name] = value
        if isinstance(collection, Placing):
            legal.append(translator.sized(collection, value))
            domains.append(collection)
        else:
            legal.append(translator.holds(collection, value))
    legal += [translator.value(guard.condition, start, names) for guard in form.requires]
    return conj(*legal), names, tuple(domains)


def move(translator: Translator, form: ActionForm, me: int, start: World) -> Move:
    """The move of a player from a state of variables."""
    legal, names, domains = legality(translator, form, me, start)
    world = World(translator.terms, dict(start.now), start.now)
    inner = dict(names)
    for name, node in form.values:
        inner[name] = translator.value(node, world, inner)
    for step in form.steps:
        run(translator, step, world, inner)
    return Move(legal, world, names, domains)


def some_legal(translator: Translator, form: ActionForm, me: int, start: World) -> Truth:
    """Whether some choice makes the action legal: exact, by trying every patch and every placement."""
    options: list[dict[str, Value]] = [{}]
    for name, domain in form.choices:
        grown = []
        for option in options:
            collection = translator.value(domain.collection, start, {"me": Seat(me), **option})
            grown += [{**option, name: element} for element, held in translator.elements(collection) if held is not False]
        options = grown
    return disj(*(legality(translator, form, me, start, option)[0] for option in options))


def run(translator: Translator, step: Step, world: World, names: Mapping[str, Value]) -> None:
    """One step: once, or for each element of what the collection holds when the step begins."""
    if step.each is None:
        _once(translator, step, world, names, True)
        return
    var, domain = step.each
    collection = translator.value(domain, world, names)
    if isinstance(collection, Circle):
        raise Unsupported(f"{step.name} goes over a list in its order")
    for element, inside in list(translator.elements(collection)):
        if inside is not False:
            _once(translator, step, world, {**names, var: element}, inside)


def _once(translator: Translator, step: Step, world: World, names: Mapping[str, Value], condition: Truth) -> None:
    holds = conj(condition, *(translator.value(node, world, names) for node in step.when.values()))
    if holds is False:
        return
    for effect in step.does:
        _effect(translator, effect, world, names, holds)


def _effect(translator: Translator, effect: t.Effect, world: World, names: Mapping[str, Value], holds: Truth) -> None:
    match effect:
        case t.Assign():
            _set(translator, effect.target, translator.value(effect.value, world, names), world, names, holds)
        case t.Update():
            old = translator.value(effect.target, world, names)
            value = translator.value(effect.value, world, names)
            _set(translator, effect.target, _updated(translator.terms, effect.op, old, value), world, names, holds)
        case t.Transfer():
            amount = translator.value(effect.amount, world, names)
            _set(translator, effect.giver, translator.value(effect.giver, world, names) - amount, world, names, holds)
            _set(translator, effect.taker, translator.value(effect.taker, world, names) + amount, world, names, holds)
        case _:
            assert_never(effect)


def _updated(terms: Terms, op: str, old: Value, value: Value) -> Value:
    match old, value:
        case Marks(), _:
            if op == "+=":
                raise Unsupported("putting a space into a set")
            return Marks({mark: conj(held, neg(same(value, mark))) for mark, held in old.holds.items()})
        case Circle(), Chosen():
            if old.first is not None:
                raise Unsupported("a change of the first patches of a list")
            return Circle(terms.without(old.order, value.bits), terms.sets.minus(old.members, value.bits))
        case _, Chosen():
            return terms.sets.union(old, value.bits) if op == "+=" else terms.sets.minus(old, value.bits)
    if op == "|=":
        return terms.sets.union(old, value)
    return old + value if op == "+=" else old - value


def _set(translator: Translator, target: t.Target, value: Value, world: World, names: Mapping[str, Value], holds: Truth) -> None:
    player = translator.value(target.player, world, names) if isinstance(target, t.OfPlayer) else None
    world.set(target.name, player, value, holds)


def setup(translator: Translator) -> World:
    """The world at set-up, for every circle, token and first player."""
    terms, machine = translator.terms, translator.machine
    for given in machine.givens.values():
        translator.table[given.name] = terms.variable(f"table {given.name}", given.type)
    empty = World(terms, {}, {})
    for rule in machine.starts:
        for path, node in rule.starts.items():
            owner, _, name = path.rpartition(".")
            for who in (0, 1) if owner else (None,):
                empty.now[name, who] = translator.value(node, empty, {})
    return World(terms, empty.now, empty.now)


def any_state(terms: Terms, me: int | None, name: str = "") -> World:
    """A state of variables."""
    return first_world(terms, name, me)
