"""Invariants that nobody declared: what a rule waits for that never takes effect may be so in every state.

A rulebook without a special tile has states in which somebody holds it, until it is proved that nobody ever does. The
other conditions of such a rule are tried for that. And where a rule looks for the same after every action, nobody is ever
found for whom it is overdue: each player may win a tile, so nobody has a filled square and no tile. Like all invariants
these count only when their induction holds.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from types import MappingProxyType

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.walk import nodes, substituted
from patchwork_ref.machine.model import Machine, Property

PLAYER = "p"
"""The name of a player in what is guessed."""


def guessed(machine: Machine) -> Machine:
    """The same machine, with the conditions of steps that never take effect declared as invariants where they speak of the state alone."""
    idle = [step for form in machine.actions for step in form.steps if t.Truth(False) in step.when.values()]
    conditions = {condition: step for step in idle for condition in step.when.values() if _of_the_state(condition, machine)}
    held = [p.body for p in machine.properties.values()]
    bodies = [(step.name, condition) for condition, step in conditions.items()]
    bodies += [(name, body) for name, body in _overdue(machine).items() if name not in {step.name for step in idle}]
    found = {
        f"guess/{name} {number}": Property(name=f"guess/{name} {number}", says="", cite=(), kind="always", why="", body=body)
        for number, (name, body) in enumerate(bodies) if body not in held
    }
    return replace(machine, properties=MappingProxyType({**machine.properties, **found})) if found else machine


def _overdue(machine: Machine) -> dict[str, t.Expr]:
    """By the name of a step: for no player all of its conditions hold, where they ask for nothing but the state and the player."""
    found: dict[str, t.Expr] = {}
    for step in (step for form in machine.actions for step in form.steps if step.when and step.each is None):
        asked = [condition for condition in step.when.values() if not isinstance(condition, t.Truth)]
        told = [substituted(condition, {"me": t.Variable(PLAYER)}) for condition in asked]
        if asked and all(_of_the_state(condition, machine, {PLAYER}) for condition in told):
            found[step.name] = t.Quantified("all", PLAYER, t.Players(), None, t.Not(t.Logic("and", tuple(told)) if len(told) > 1 else told[0]))
    return found


def _of_the_state(condition: t.Expr, machine: Machine, free: Collection[str] = ()) -> bool:
    """Whether it speaks of the state, and of nothing else but constants and ``free`` variables."""
    inside = list(nodes(condition))
    bound = {*free, *(node.var for node in inside if isinstance(node, t.Quantified))}
    used = {node.name for node in inside if isinstance(node, t.Use)}
    named = {node.name for node in inside if isinstance(node, t.Variable)}
    speaks = any(isinstance(node, (t.Shared, t.OfPlayer)) for node in inside)
    return speaks and used <= set(machine.constants) and named <= bound and not any(isinstance(node, t.Before) for node in inside)
