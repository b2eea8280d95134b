"""One step played a little wrong: a rule left out, done twice, done when it should not be, done to the other player, or
under another reading. What an engine reports is compared with each, to say which rule it got wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as MappingABC
from dataclasses import dataclass, field, replace
from functools import cached_property

from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.walk import expressions, rebuilt, substituted, targets
from patchwork_ref.lang.walk import variables as free_variables
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import ActionForm, Constant, Machine, Step
from patchwork_ref.rulebook.edits import is_edit_list
from patchwork_ref.rulebook.model import Reading, Rulebook
from patchwork_ref.rulebook.tree import Mapping, Sequence, leaves, plain

OFTEN = 25
"""Steps after which it pays to compile a variation."""


@dataclass
class Variation:
    """A Machine with one thing changed: the rule concerned, what was done to it, and an engine that plays so."""

    rule: str
    how: str
    engine: Engine
    reading: str | None = None
    idle: bool = False  # whether it changes nothing where the rule takes no effect
    used: int = field(default=0, compare=False)

    @property
    def player(self) -> Engine:
        """The engine for one more step."""
        self.used += 1
        return self.compiled if self.used > OFTEN and not self.engine.machine.custom else self.engine

    @cached_property
    def compiled(self) -> Engine:
        """The same for whole games."""
        return self.engine if self.reading is not None else Engine(self.engine.machine)


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
                changed = replace(machine, actions=actions, digest=f"{machine.digest} {form.name} {index} {how}")
                found.append(Variation(step.name, how, Engine(changed, backend="interpreted"), idle=how in IDLE))
        _variations[key] = tuple(found)
    return _variations[key]


IDLE = ("left out", "done only for the first", "done only for the last", "done to the other player", "done twice")


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
        if step.each is not None:
            for sign, word in (("-", "early"), ("+", "late")):
                moved = t.Arithmetic("-" if sign == "-" else "+", t.Variable(step.each[0]), t.Integer(1))
                yield f"done one space {word}", (replace(step, when={name: substituted(node, {step.each[0]: moved}) for name, node in step.when.items()}),)
    yield "done twice", (step, step)


def amended(machine: Machine, form: ActionForm, index: int, extra: tuple[t.Effect, ...]) -> Engine:
    """The form with more effects right after one of its steps."""
    step = form.steps[index]
    added = replace(step, does=extra, when={}, each=None)
    varied = replace(form, steps=(*form.steps[: index + 1], added, *form.steps[index + 1 :]))
    return Engine(replace(machine, actions=tuple(varied if f.name == form.name else f for f in machine.actions)), backend="interpreted")


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


_readings: dict[tuple[int, str], tuple[Rulebook, tuple[Variation, ...]]] = {}
"""By rulebook and Machine; the rulebook is held, so that its identity is not given to another one."""


def reading_variations(rulebook: Rulebook, machine: Machine) -> tuple[Variation, ...]:
    """Each other reading of each ambiguity, alone, on top of the Machine's own choice."""
    key = (id(rulebook), machine.digest)
    if key not in _readings:
        _readings[key] = (rulebook, tuple(_other_readings(rulebook, machine)))
    return _readings[key][1]


def _other_readings(rulebook: Rulebook, machine: Machine) -> Iterator[Variation]:
    for ambiguity in rulebook.ambiguities.values():
        own = machine.readings.get(ambiguity.name)
        for reading in ambiguity.readings.values():
            if own is not None and own != reading.name:
                found = _reading_engine(rulebook, machine, ambiguity.name, reading.name)
                if found is not None:
                    yield Variation(touched(rulebook, reading if reading.changes.items else ambiguity.readings[own]),
                                    f"as in the reading {ambiguity.name}={reading.name}", found, f"{ambiguity.name}={reading.name}")


def _reading_engine(rulebook: Rulebook, machine: Machine, ambiguity: str, reading: str) -> Engine | None:
    """The engine of the Machine's choice with one reading exchanged; None when the combination is not a rulebook."""
    other = reading_machine(rulebook, {**machine.readings, ambiguity: reading})
    if other is None:
        return None
    if machine.custom:
        other = replace(other, constants={**machine.constants, **_changed_constants(rulebook, ambiguity, reading, other)}, patches=machine.patches,
                        digest=f"{other.digest}+{machine.digest}", custom=True)
        return Engine(other, backend="interpreted")  # for a few actions
    return Engine(other)


_machines: dict[tuple[int, tuple[tuple[str, str], ...]], tuple[Rulebook, Machine | None]] = {}


def reading_machine(rulebook: Rulebook, readings: MappingABC[str, str]) -> Machine | None:
    """The Machine of a complete choice of readings, built once; None when the choice is no rulebook."""
    key = (id(rulebook), tuple(sorted(readings.items())))
    if key not in _machines:
        try:
            _machines[key] = (rulebook, from_rulebook(rulebook, readings))
        except PatchworkRefError:
            _machines[key] = (rulebook, None)
    return _machines[key][1]


def _changed_constants(rulebook: Rulebook, ambiguity: str, reading: str, other: Machine) -> dict[str, Constant]:
    """The constants that are the reading itself, which a custom set-up's numbers do not hide unless they are sent."""
    paths = [str(key.value).split(".") for key, _ in rulebook.ambiguities[ambiguity].readings[reading].changes.items]
    return {p[1]: other.constants[p[1]] for p in paths if p[0] == "constants" and p[1] in other.constants and other.constants[p[1]].sends is None}


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
