"""One step played a little wrong: a rule left out, done twice, done when it should not be, done to the other player, or
under another reading. What an engine reports is compared with each, to say which rule it got wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.walk import expressions, rebuilt, targets
from patchwork_ref.lang.walk import variables as free_variables
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import ActionForm, Machine, Step
from patchwork_ref.rulebook.edits import is_edit_list
from patchwork_ref.rulebook.model import Reading, Rulebook
from patchwork_ref.rulebook.tree import Mapping, Sequence, leaves, plain


@dataclass(frozen=True)
class Variation:
    """A Machine with one thing changed: the rule concerned, what was done to it, and an engine that plays so."""

    rule: str
    how: str
    engine: Engine
    reading: str | None = None


_variations: dict[tuple[str, str], tuple[Variation, ...]] = {}


def variations(machine: Machine, form: ActionForm) -> tuple[Variation, ...]:
    """Every variation of the steps of one action form of a Machine, in the order of the steps."""
    key = (machine.digest, form.name)
    if key not in _variations:
        found = []
        for index, step in enumerate(form.steps):
            for how, steps in _changed(step):
                varied = replace(form, steps=(*form.steps[:index], *steps, *form.steps[index + 1 :]))
                actions = tuple(varied if f.name == form.name else f for f in machine.actions)
                found.append(Variation(step.name, how, Engine(replace(machine, actions=actions), backend="interpreted")))
        _variations[key] = tuple(found)
    return _variations[key]


def _changed(step: Step) -> Iterator[tuple[str, tuple[Step, ...]]]:
    yield "left out", ()
    if step.each is not None:
        var, domain = step.each
        for word in ("min", "max"):
            yield f"done only for the {'first' if word == 'min' else 'last'}", (replace(step, when={**step.when, "only": _extreme(word, var, domain, step)}),)
    if any(isinstance(target, t.OfPlayer) for effect in step.does for target in targets(effect)):
        yield "done to the other player", (replace(step, does=tuple(_swapped(effect) for effect in step.does)),)
    if step.when:
        yield "done when it should not be", (replace(step, when={}) if step.each is None else replace(step, when={}, each=None, does=_without_element(step)),)
    yield "done twice", (step, step)


def _extreme(word: str, var: str, domain: t.Expr, step: Step) -> t.Expr:
    """Holds for the smallest or largest element that meets the step's conditions."""
    other = "another"
    conditions = [_renamed(node, var, other) for node in step.when.values()]
    relation: t.Comparison = "<=" if word == "min" else ">="
    where = t.Logic("and", tuple(conditions)) if len(conditions) > 1 else conditions[0] if conditions else None
    return t.Quantified("all", other, domain, where, t.Compare(t.Variable(var), ((relation, t.Variable(other)),)))


def _renamed(node: t.Expr, old: str, new: str) -> t.Expr:
    if node == t.Variable(old):
        return t.Variable(new)
    return rebuilt(node, lambda child: _renamed(child, old, new))


def _without_element(step: Step) -> tuple[t.Effect, ...]:
    """The effects that do not speak of the element, for doing them once out of turn."""
    assert step.each is not None
    var = step.each[0]
    return tuple(e for e in step.does if all(var not in free_variables(x) for x in expressions(e)))


def _swapped(effect: t.Effect) -> t.Effect:
    """The effect with the other player's fields as targets."""
    def other(target: t.Target) -> t.Target:
        return replace(target, player=t.Call("other", (target.player,))) if isinstance(target, t.OfPlayer) else target

    if isinstance(effect, t.Transfer):
        return replace(effect, giver=other(effect.giver), taker=other(effect.taker))
    return replace(effect, target=other(effect.target))


def reading_variations(rulebook: Rulebook, machine: Machine) -> Iterator[Variation]:
    """Each other reading of each ambiguity, alone, on top of the Machine's own choice."""
    for ambiguity in rulebook.ambiguities.values():
        for reading in ambiguity.readings.values():
            if machine.readings.get(ambiguity.name) != reading.name:
                found = reading_engine(rulebook, machine, ambiguity.name, reading.name)
                if found is not None:
                    yield Variation(touched(rulebook, reading if reading.changes.items else ambiguity.readings[machine.readings[ambiguity.name]]),
                                    f"as in the reading {ambiguity.name}={reading.name}", found, f"{ambiguity.name}={reading.name}")


_engines: dict[tuple[str, tuple[tuple[str, str], ...], str], Engine | None] = {}


def reading_engine(rulebook: Rulebook, machine: Machine, ambiguity: str, reading: str) -> Engine | None:
    """The engine of the Machine's choice with one reading exchanged; None when the combination is not a rulebook."""
    readings = {**machine.readings, ambiguity: reading}
    key = (rulebook.digest, tuple(sorted(readings.items())), machine.digest if machine.custom else "")
    if key not in _engines:
        try:
            other = from_rulebook(rulebook, readings)
            if machine.custom:
                other = replace(other, constants=machine.constants, patches=machine.patches, digest=f"{other.digest}+{machine.digest}", custom=True)
            _engines[key] = Engine(other)
        except PatchworkRefError:
            _engines[key] = None
    return _engines[key]


def touched(rulebook: Rulebook, reading: Reading) -> str:
    """The rule that a reading changes first, by its permanent name."""
    for path, value in ((str(k.value), v) for k, v in reading.changes.items):
        section, name = path.split(".")[:2]
        if section == "rules":
            return name
        entry = rulebook.tree.get(section)
        node = entry.get(name) if isinstance(entry, Mapping) else None
        if section == "definitions" and isinstance(node, Mapping):
            rule = node.get("rule")
            return str(plain(rule)) if rule is not None else name
        if section == "actions" and is_edit_list(value) and isinstance(value, Sequence):
            first = value.items[0]
            assert isinstance(first, Mapping)
            return str(plain(first.items[0][1]))
        if section == "constants":
            return _user(rulebook, name)
    return reading.ambiguity


def _user(rulebook: Rulebook, constant: str) -> str:
    """The first rule or definition with a rule's name whose text names a constant."""
    for section in ("rules", "definitions"):
        entry = rulebook.tree.get(section)
        for key, node in entry.items if isinstance(entry, Mapping) else ():
            if any(re.search(rf"\b{constant}\b", str(leaf.value)) for path, leaf in leaves(node) if path[0] not in ("says", "cite")):
                rule = node.get("rule") if isinstance(node, Mapping) else None
                return str(plain(rule)) if rule is not None else str(key.value)
    return f"constants/{constant}"
