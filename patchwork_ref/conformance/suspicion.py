"""Rules that a differing state may be blamed on: the step played with one rule varied, until it gives what was reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from patchwork_ref.conformance.compare import Difference, Where, differences, flat
from patchwork_ref.conformance.course import Course
from patchwork_ref.conformance.judge import Verdict
from patchwork_ref.conformance.variations import amended, reading_variations, variations
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.fold import expanded
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.walk import children, expressions, targets
from patchwork_ref.machine.model import ActionForm, Machine, Start, Step
from patchwork_ref.machine.observe import observed
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.state import State
from patchwork_ref.rulebook.model import Rulebook

OWN = {"pending_special": "pending"}
"""Fields whose name in the protocol is not the rulebook's."""
PLAIN = ("buttons", "space", "income", "special_tile")
"""Fields that the protocol shows as the rulebook keeps them."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A rule, what seems to be done with it, the reading that this is (if it is one), and an engine that plays so."""

    rule: str
    how: str = ""
    reading: str | None = None
    plays: Engine | None = field(default=None, compare=False, repr=False)
    vague: bool = False  # one of several amounts that would do
    simple: bool = False  # it would show wherever the rule counts for something


def of_setup(found: Iterable[Difference], case: Course) -> list[Guess]:
    """The rules that start the first differing field."""
    machine, how = case.engine.machine, "set up otherwise"
    for difference in found:
        name = OWN.get(difference.field, difference.field)
        guesses: list[Guess] = []
        if name == "circle" and not case.tells_token:
            for given in machine.givens.values():
                definition = machine.definitions.get(getattr(given.otherwise, "name", ""))
                if definition is not None and definition.rule is not None:
                    guesses.append(Guess(definition.rule, how))
        guesses += [Guess(rule.name, how) for rule in machine.rules.values() if isinstance(rule, Start) and (name in rule.starts or f"player.{name}" in rule.starts)]
        if guesses:
            return guesses
    return [Guess("setup/state", how)]


def of_step(verdict: Verdict, case: Course, rulebook: Rulebook, passed: Mapping[str, int]) -> list[Guess]:
    """What explains the state after an action: variations of its rules, other readings, other amounts; else the rules
    that write what differs."""
    machine, before, step = case.engine.machine, case.state(verdict.action - 1), case.steps[verdict.action - 1]
    got = verdict.reported or {}
    form = form_of(machine, step.action)
    apart = {d.where: d.got for d in verdict.differences}
    fired = {f.rule for f in step.firings}
    found = [Guess(v.rule, v.how, v.reading, v.engine) for v in (*variations(machine, form), *reading_variations(rulebook, machine))
             if (v.rule in fired or not v.idle) and explains(v.player, before, step.action, got, apart)]
    if len({g.rule for g in found}) > 1:
        found = [g for g in found if g.plays is None or agreed(g.plays, case, verdict.action - 1)] or found
    fields = [OWN.get(d.field, d.field) for d in verdict.differences]
    if not found and set(fields) <= {"finished", "turn", "pending"} and "finished" in fields:
        return [Guess(machine.over.rule or machine.over.name, "ends otherwise")]
    for ran in (fired, fired | {s.name for s in form.steps if _always(s)}):
        found += [Guess(rule, "changes by another amount", None, engine, True) for rule, engine in _amended(verdict, case, form, ran)
                  if explains(engine, before, step.action, got, apart)]
        if found:
            return found
    return [Guess(_weighed(machine, form, set(fields), fired, passed))]


def agreed(engine: Engine, case: Course, upto: int) -> bool:
    """Whether an engine plays the actions before the failing one as they were played; none of them failed."""
    return all(explains(engine, case.state(at), case.actions[at], case.seen(at + 1)) for at in range(upto))


def _weighed(machine: Machine, form: ActionForm, fields: set[str], fired: set[str], passed: Mapping[str, int]) -> str:
    """Of the rules that write what differs: one that ran, that writes most of it, and that only writes it wrong because of
    what it read when no earlier one explains that; among equals the one that took effect least often where all was well."""
    written = {s.name: {target.name for effect in s.does for target in targets(effect)} & fields for s in form.steps}
    able = [s for s in form.steps if written[s.name]] or _akin(machine, form, fields) or list(form.steps)
    ran = [s for s in able if s.name in fired or _always(s)] or able
    causes = [s for at, s in enumerate(ran) if not any(written[e.name] & _read(machine, s) and not written[s.name] <= written[e.name] for e in ran[:at])]
    return min(causes, key=lambda s: (-len(written[s.name]), passed.get(s.name, 0), form.steps.index(s))).name


def _akin(machine: Machine, form: ActionForm, fields: set[str]) -> list[Step]:
    """Where no step of a form writes what differs: those that are most like one of another form that does."""
    def writes(step: Step) -> set[str]:
        return {target.name for effect in step.does for target in targets(effect)}

    others = [writes(s) for other in machine.actions for s in other.steps if writes(s) & fields]
    shared = {s.name: max((len(writes(s) & names) for names in others), default=0) for s in form.steps}
    most = max(shared.values(), default=0)
    return [s for s in form.steps if shared[s.name] == most] if most else []


def _always(step: Step) -> bool:
    """Whether it runs in every action of its form: it may have run without changing anything."""
    return not step.when and step.each is None


def _read(machine: Machine, step: Step) -> set[str]:
    """The fields that a step reads as they are when it runs."""
    asked = [*step.when.values(), *([step.each[1]] if step.each is not None else []), *(e for effect in step.does for e in expressions(effect))]
    found, waiting = set(), [expanded(node, machine) for node in asked]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (t.Shared, t.OfPlayer)):
            found.add(node.name)
        if not isinstance(node, t.Before):
            waiting += children(node)
    return found


def _amended(verdict: Verdict, case: Course, form: ActionForm, fired: set[str]) -> Iterable[tuple[str, Engine]]:
    """Each rule that took effect, followed by what makes up for one differing number that it writes."""
    machine = case.engine.machine
    expected, got = flat(case.seen(verdict.action)), flat(verdict.reported or {})
    mover = case.state(verdict.action - 1).number("turn")
    off: dict[Where, int] = {}
    for where, value in got.items():
        wanted = expected.get(where)
        if where[1] is not None and type(value) is int and type(wanted) is int and value != wanted:
            off[where] = value - wanted
    for index, step in enumerate(form.steps):
        if step.name not in fired:
            continue
        extra: list[t.Effect] = []
        for target in dict.fromkeys(target for effect in step.does for target in targets(effect) if isinstance(target, t.OfPlayer)):
            who = mover if target.player == t.Variable("me") else 1 - mover
            if (target.name, who) in off:
                extra.append(t.Update(target, "+=", t.Integer(off[target.name, who])))
        if extra:
            yield step.name, amended(machine, form, index, tuple(extra))


def explains(engine: Engine, before: State, action: Action, reported: Mapping[str, object], apart: Mapping[Where, object] = MappingProxyType({})) -> bool:
    """Whether an engine's own step gives just what was reported; ``apart`` are the reported fields that are unlike the
    reference's, which are looked at first."""
    from patchwork_ref.suite.cases import resolved  # not needed, and not quick to load, while an engine conforms

    try:
        choice = resolved(engine, before, action)
        if choice is None:
            return False
        after = State(engine.backend.run(choice[0], before.values, choice[1], choice[2]), engine.layout)
        if any(name in PLAIN and after.get(name, player) != value for (name, player), value in apart.items()):
            return False
        return not differences(observed(engine.machine, after, engine.is_over(after)), reported)
    except (PatchworkRefError, KeyError, ValueError, TypeError, IndexError):
        return False


def form_of(machine: Machine, action: Action) -> ActionForm:
    """The form that an action belongs to."""
    forms = [f for f in machine.actions if f.type == action.type] or list(machine.actions)
    return next((f for f in forms if f.discards == (action.cells == () and action.type == f.type and action.patch is not None)), forms[0])
