"""Invariants that nobody declared: what a rule waits for that never takes effect may be so in every state.

A rulebook without a special tile has states in which somebody holds it, until it is proved that nobody ever does. The
other conditions of such a rule are tried for that; like all invariants they count only when their induction holds.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.walk import nodes
from patchwork_ref.machine.model import Machine, Property


def guessed(machine: Machine) -> Machine:
    """The same machine, with the conditions of steps that never take effect declared as invariants where they speak of the state alone."""
    idle = [step for form in machine.actions for step in form.steps if t.Truth(False) in step.when.values()]
    conditions = {condition: step for step in idle for condition in step.when.values() if _of_the_state(condition)}
    held = [p.body for p in machine.properties.values()]
    found = {
        f"guess/{step.name} {number}": Property(name=f"guess/{step.name} {number}", says="", cite=(), kind="always", why="", body=condition)
        for number, (condition, step) in enumerate(conditions.items()) if condition not in held
    }
    return replace(machine, properties=MappingProxyType({**machine.properties, **found})) if found else machine


def _of_the_state(condition: t.Expr) -> bool:
    inside = list(nodes(condition))
    bound = {node.var for node in inside if isinstance(node, t.Quantified)}
    speaks = any(isinstance(node, (t.Shared, t.OfPlayer)) for node in inside)
    return speaks and not any(isinstance(node, (t.Before, t.Use)) or (isinstance(node, t.Variable) and node.name not in bound) for node in inside)
