"""Which rule does an engine get wrong? The first divergent rule of a verdict, with how sure that is.

At the first differing action the step is played with one rule varied at a time; the variation that gives just what the
engine reports names the rule. Where none does, the rules that write the differing fields are weighed by how often they
fired in actions on which the engine agreed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from patchwork_ref.conformance.compare import Difference, differences
from patchwork_ref.conformance.course import Course
from patchwork_ref.conformance.judge import Verdict
from patchwork_ref.conformance.variations import reading_variations, variations
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.used import refusers
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.lang.walk import targets
from patchwork_ref.machine.model import ActionForm, Definition, Machine, Start
from patchwork_ref.machine.observe import observed
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.state import State
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.source import Position

_OWN = {"pending_special": "pending"}
"""Fields whose name in the protocol is not the rulebook's."""


@dataclass(frozen=True, slots=True)
class Blame:
    """The rule, its place in the YAML, and in words what the engine seems to do."""

    rule: str
    position: Position | None = None
    how: str = ""
    reading: str | None = None


@dataclass(slots=True)
class Spectrum:
    """In how many agreeing actions each rule fired."""

    passed: Counter[str] = field(default_factory=Counter)

    def add(self, case: Course, upto: int) -> None:
        for step in case.steps[:upto]:
            self.passed.update({f.rule for f in step.firings})


def suspects(verdict: Verdict, case: Course, rulebook: Rulebook, spectrum: Spectrum) -> tuple[Blame, ...]:
    """The rules that a failed verdict may be blamed on, the likeliest first; at least one."""
    machine = case.engine.machine
    found = _step(verdict, case, rulebook, spectrum) if verdict.kind == "state" and verdict.action else [_blamed(verdict, case, rulebook, spectrum)]
    return tuple(Blame(rule, position_of(machine, rule), how, reading) for rule, how, reading in found)


def settled(all_suspects: Sequence[Sequence[Blame]], spectrum: Spectrum) -> list[Blame]:
    """One rule for each failure: where several would do, the one that would do for most failures, then the one that
    fired least in agreeing actions."""
    votes = Counter(rule for found in all_suspects for rule in {b.rule for b in found})
    return [min(found, key=lambda b: (-votes[b.rule], spectrum.passed[b.rule], found.index(b))) for found in all_suspects]


def position_of(machine: Machine, rule: str) -> Position | None:
    """Where a rule stands in the YAML."""
    if rule in machine.rules:
        return machine.rules[rule].pos
    return next((d.pos for d in machine.definitions.values() if d.rule == rule), None)


def _blamed(verdict: Verdict, case: Course, rulebook: Rulebook, spectrum: Spectrum) -> tuple[str, str, str | None]:
    machine = case.engine.machine
    if verdict.kind == "state" and verdict.action == 0:
        return _setup(verdict.differences, case), "set up otherwise", None
    if verdict.kind == "score":
        return _score(verdict, case, rulebook)
    if verdict.kind == "legal":
        return _legal(verdict, case), "", None
    if verdict.kind == "rejection" and verdict.outcome == "rejected-legal":
        return _rejected(verdict, case, rulebook)
    if verdict.kind in ("rejection", "reject-changes"):
        refused = next((r for t in case.tasks if (r := getattr(t, "action", None)) is not None and t.number == verdict.action - 1
                        and (e := case.engine.explain(case.state(t.number), r)) is not None and e.code == verdict.code_expected), None)
        refusal = case.engine.explain(case.state(verdict.action - 1), refused) if refused is not None else None
        how = "the state changes after a rejected action" if verdict.kind == "reject-changes" else "not enforced"
        return (refusal.rule if refusal is not None else "protocol/reject"), how, None
    if verdict.kind == "perft":
        return _domain(machine), "counts otherwise", None
    at = min(verdict.action, len(case.steps))
    fired = [f.rule for f in case.steps[at - 1].firings] if at else []
    return min(fired, key=lambda rule: spectrum.passed[rule], default="protocol/process"), "", None


def _setup(found: Iterable[Difference], case: Course) -> str:
    """The rule that starts the first differing field."""
    machine = case.engine.machine
    for difference in found:
        name = _OWN.get(difference.field, difference.field)
        if name == "circle" and not case.tells_token:
            for given in machine.givens.values():
                definition = machine.definitions.get(getattr(given.otherwise, "name", ""))
                if definition is not None and definition.rule is not None:
                    return definition.rule
        for rule in machine.rules.values():
            if isinstance(rule, Start) and (name in rule.starts or f"player.{name}" in rule.starts):
                return rule.name
    return "setup/state"


def _step(verdict: Verdict, case: Course, rulebook: Rulebook, spectrum: Spectrum) -> list[tuple[str, str, str | None]]:
    machine, before, step = case.engine.machine, case.state(verdict.action - 1), case.steps[verdict.action - 1]
    reported = verdict.reported or {}
    form = form_of(machine, step.action)
    found = [(v.rule, v.how, v.reading) for v in variations(machine, form) if explains(v.engine, before, step.action, reported)]
    found += [(v.rule, v.how, v.reading) for v in reading_variations(rulebook, machine) if explains(v.engine, before, step.action, reported)]
    if found:
        return found
    fields = [_OWN.get(d.field, d.field) for d in verdict.differences]
    if set(fields) <= {"finished", "turn"} and "finished" in fields:
        return [(machine.over.rule or "end/over", "", None)]
    writers = [(s.name, {target.name for effect in s.does for target in targets(effect)}) for s in form.steps]
    fired = {f.rule for f in step.firings}
    first = next((name for name in fields if any(name in written for _, written in writers)), None)
    able = [rule for rule, written in writers if first in written] or [rule for rule, _ in writers]
    likely = [rule for rule in able if rule in fired] or able
    return [(rule, "", None) for rule in sorted(likely, key=lambda rule: (spectrum.passed[rule], able.index(rule)))[:1]]


def explains(engine: Engine, before: State, action: Action, reported: Mapping[str, object]) -> bool:
    """Whether an engine's own step gives just what was reported."""
    try:
        after = engine.apply(before, action)
        return not differences(observed(engine.machine, after, engine.is_over(after)), reported)
    except (PatchworkRefError, KeyError, ValueError, TypeError, IndexError):
        return False


def form_of(machine: Machine, action: Action) -> ActionForm:
    """The form that an action belongs to."""
    forms = [f for f in machine.actions if f.type == action.type] or list(machine.actions)
    return next((f for f in forms if f.discards == (action.cells == () and action.type == f.type and action.patch is not None)), forms[0])


def _score(verdict: Verdict, case: Course, rulebook: Rulebook) -> tuple[str, str, str | None]:
    machine, state = case.engine.machine, case.state(len(case.actions))
    got = {(d.field, d.player): d.got for d in verdict.differences}
    expected = case.score
    totals = tuple(got.get(("score", who), expected.totals[who]) for who in (0, 1))
    winner = got.get(("winner", None), expected.winner)
    for variation in reading_variations(rulebook, machine):
        score = variation.engine.score(state)
        if (score.totals, score.winner) == (totals, winner):
            return variation.rule, variation.how, variation.reading
    off = [who for who in (0, 1) if totals[who] != expected.totals[who]]
    if not off:
        same = totals[0] == totals[1]
        tie = next((d.rule for d in machine.definitions.values() if d.name == "tie_winner"), None)
        return (tie if same and tie else machine.winner.rule or "end/winner"), "names another winner", None
    for name, part in machine.score.items():
        if all(abs(totals[who] - expected.totals[who]) == abs(expected.parts[who][name]) for who in off):
            return part.rule or name, "left out", None
    by_cells = [part for name, part in machine.score.items() if all(_divides(expected.parts[who][name], totals[who] - expected.totals[who]) for who in off)]
    return (_rule(by_cells[0]) if by_cells else _rule(machine.total)), "counted otherwise", None


def _divides(part: int, off: int) -> bool:
    """Whether a part is off by a simple fraction of itself: by half, as with a penalty of one for two."""
    return part != 0 and off != 0 and (2 * off) % part == 0


def _rule(definition: Definition) -> str:
    return definition.rule or definition.name


def _legal(verdict: Verdict, case: Course) -> str:
    """What is listed and refused names its refuser; what is missing, the rule that would keep it out."""
    state = case.state(verdict.action)
    for action in verdict.extra:
        refusal = case.engine.explain(state, action)
        if refusal is not None:
            return refusal.rule
    if not verdict.missing:
        return _domain(case.engine.machine)
    action = verdict.missing[0]
    form = form_of(case.engine.machine, action)
    legal = case.legal(verdict.action)
    whole = action.patch is not None and sum(a.patch == action.patch for a in legal) == sum(a.patch == action.patch for a in verdict.missing)
    names = [name for name, _ in refusers(form, case.engine.machine)]
    domains = [d.name for _, d in form.choices]
    if whole and domains:
        me = state.number("turn")
        number = case.engine.machine.number(action.patch or "")
        cost = case.engine.machine.patches[number].numbers["cost"] if number is not None else -1
        exact = [g.name for g in form.requires if g.refuse == "too-few-buttons"]
        return exact[0] if exact and cost == state.number("buttons", me) else domains[0]
    return domains[-1] if domains else names[-1]


def _rejected(verdict: Verdict, case: Course, rulebook: Rulebook) -> tuple[str, str, str | None]:
    machine, action = case.engine.machine, case.actions[verdict.action - 1]
    state = case.state(verdict.action - 1)
    form = form_of(machine, action)
    asked = refusers(form, machine)
    for name, code in asked:
        if code == verdict.code_got:
            return name, "asked for more than the rule does", None
    for _, domain in form.choices:
        if domain.outside == verdict.code_got:
            return domain.name, "asked for more than the rule does", None
    for variation in reading_variations(rulebook, machine):
        if variation.engine.explain(state, action) is not None:
            return variation.rule, variation.how, variation.reading
    return (form.choices[-1][1].name if form.choices else asked[-1][0]), "", None


def _domain(machine: Machine) -> str:
    """The rule that says where a patch may lie."""
    return next((d.name for form in machine.actions for name, d in form.choices if name == "cells"), machine.actions[0].name)
