"""What reads what: guards by the choice that they wait for, and the fields that no rule reads."""

from __future__ import annotations

from collections.abc import Iterable

from patchwork_ref.engine.fold import conjuncts, simplified
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.walk import expressions, nodes, variables
from patchwork_ref.machine.model import ActionForm, Guard, Machine
from patchwork_ref.machine.state import Layout


def stage_of(guard: Guard, form: ActionForm, machine: Machine) -> int:
    """After how many choices a guard can be asked."""
    free = variables(simplified(guard.condition, machine))
    return max((i for i, (name, _) in enumerate(form.choices, 1) if name in free), default=0)


def refusers(form: ActionForm, machine: Machine) -> list[tuple[str, str]]:
    """(rule, reject code) of everything that may refuse the action, in the order in which it is asked."""
    found = []
    for stage in range(len(form.choices) + 1):
        if stage:
            domain = form.choices[stage - 1][1]
            found.append((domain.name, domain.refuse))
        found += [(g.name, g.refuse) for g in form.requires if stage_of(g, form, machine) == stage]
    return found


def stages(form: ActionForm, machine: Machine, whole: bool = False) -> list[list[t.Expr]]:
    """For each number of choices made, the conditions to ask; taken apart unless ``whole``."""
    found: list[list[t.Expr]] = [[] for _ in range(len(form.choices) + 1)]
    for guard in form.requires:
        condition = simplified(guard.condition, machine)
        found[stage_of(guard, form, machine)] += [condition] if whole else conjuncts(condition)
    return found


def lean_layout(machine: Machine) -> Layout:
    """The layout without the fields that only their own updates and the properties read."""
    read = {"turn"}
    for node in _read(machine):
        for inner in nodes(simplified(node, machine)):
            if isinstance(inner, (t.Shared, t.OfPlayer)):
                read.add(inner.name)
    return Layout(tuple(f.name for f in machine.shared if f.name in read), tuple(f.name for f in machine.player if f.name in read))


def _read(machine: Machine) -> Iterable[t.Expr]:
    """Every expression on which the course or the end of a game depends. That an update reads its own target does not
    count: a field that nothing else reads never matters."""
    yield machine.over.body
    yield machine.winner.body
    yield machine.total.body
    for form in machine.actions:
        yield from (domain.collection for _, domain in form.choices)
        yield from (guard.condition for guard in form.requires)
        yield from (value for _, value in form.values)
        for step in form.steps:
            yield from step.when.values()
            if step.each is not None:
                yield step.each[1]
            for effect in step.does:
                yield from expressions(effect)
