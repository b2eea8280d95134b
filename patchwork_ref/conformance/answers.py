"""Rules that a wrong answer may be blamed on: a rejection, a list of actions, a score."""

from __future__ import annotations

from collections.abc import Iterator

from patchwork_ref.conformance.course import Course
from patchwork_ref.conformance.judge import Verdict
from patchwork_ref.conformance.suspicion import Guess, form_of
from patchwork_ref.conformance.variations import Variation, reading_variations, variations
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.used import refusers
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.walk import nodes
from patchwork_ref.machine.model import Definition, Machine
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.state import State
from patchwork_ref.rulebook.model import Rulebook

STRICTER = "asked for more than the rule does"


def of_score(verdict: Verdict, case: Course, rulebook: Rulebook) -> list[Guess]:
    """A reading; a part left out or counted otherwise; and for an engine whose states nobody saw, any rule on the way."""
    machine, expected = case.engine.machine, case.score
    got = {(d.field, d.player): d.got for d in verdict.differences}
    totals = tuple(got.get(("score", who), expected.totals[who]) for who in (0, 1))
    winner = got.get(("winner", None), expected.winner)
    if not verdict.observed:
        found = [Guess(v.rule, v.how, v.reading, v.engine) for v in _whole_game(case, rulebook) if _played(v, case) == (totals, winner)]
        if found:
            return found
    state = case.state(len(case.actions))
    read = [Guess(v.rule, v.how, v.reading, v.engine) for v in reading_variations(rulebook, machine)
            if (score := v.engine.score(state)).totals == totals and score.winner == winner]
    off = [who for who in (0, 1) if totals[who] != expected.totals[who]]
    if not off:
        level = totals[0] == totals[1]
        tie = next((d.rule for d in machine.definitions.values() if d.name == "tie_winner"), None)
        return [*read, Guess((tie if level and tie else machine.winner.rule or machine.winner.name), "names another winner")]
    return [*read, *_miscounted(case, [totals[who] - expected.totals[who] for who in (0, 1)])]


def _miscounted(case: Course, off: list[int]) -> list[Guess]:
    """Parts of the score that may be what is off: left out, of another worth, or counted otherwise."""
    machine, parts = case.engine.machine, case.score.parts
    wrong = [who for who in (0, 1) if off[who]]
    found: list[Guess] = []
    for name, part in machine.score.items():
        held = [parts[who][name] for who in (0, 1)]
        if all(held[who] and abs(off[who]) == abs(held[who]) for who in wrong) and not any(held[who] for who in (0, 1) if who not in wrong):
            found.append(Guess(_rule(part), "left out", simple=True))
        elif all(held[who] and (2 * off[who]) % held[who] == 0 and abs(off[who]) < abs(held[who]) for who in wrong):
            found.append(Guess(_rule(part), "counted otherwise", simple=True))
        elif all(held[who] for who in wrong) and not any(held[who] for who in (0, 1) if who not in wrong):
            found.append(Guess(_rule(part), "of another worth", simple=True))
    found.sort(key=lambda g: g.how == "of another worth")  # which would do for any difference, where the others say how large it is
    counted = [part for name, part in machine.score.items() if (unit := _unit(machine, part)) > 1 and all(off[who] % unit == 0 for who in wrong)]
    found += [Guess(_rule(part), "counted otherwise", vague=True) for part in counted if _rule(part) not in {g.rule for g in found}]
    return found or [Guess(_rule(machine.total), "counted otherwise")]


def _unit(machine: Machine, part: Definition) -> int:
    """What one thing that a part counts is worth: the factor in it that is a constant."""
    body = part.body
    factors = [body.left, body.right] if isinstance(body, t.Arithmetic) and body.op == "*" else []
    values = [machine.constants[f.name].value for f in factors if isinstance(f, t.Use) and f.name in machine.constants]
    return next((abs(value) for value in values if type(value) is int), 1)


def _whole_game(case: Course, rulebook: Rulebook) -> Iterator[Variation]:
    """Other readings, and variations of the rules that fired in a game."""
    machine = case.engine.machine
    yield from reading_variations(rulebook, machine)
    forms = {form_of(machine, action).name: form_of(machine, action) for action in case.actions}
    fired = {f.rule for step in case.steps for f in step.firings}
    for form in forms.values():
        yield from (v for v in variations(machine, form) if v.rule in fired)


def _played(variation: Variation, case: Course) -> tuple[tuple[int, int], int | None] | None:
    """The score that a variation gives to a whole game."""
    engine = variation.compiled
    try:
        state = engine.start(case.setup)
        for action in case.actions:
            state = engine.apply(state, action)
        if not engine.is_over(state):
            return None
        score = engine.score(state)
    except (PatchworkRefError, KeyError, ValueError, TypeError, IndexError):
        return None
    return score.totals, score.winner


def _rule(definition: Definition) -> str:
    return definition.rule or definition.name


def of_legal(verdict: Verdict, case: Course, rulebook: Rulebook) -> list[Guess]:
    """Readings that list the same; what is listed and refused names its refuser; what is missing, the rule that would
    keep it out."""
    machine, state, expected = case.engine.machine, case.state(verdict.action), case.legal(verdict.action)
    got = (expected - set(verdict.missing)) | set(verdict.extra)
    read = [Guess(v.rule, v.how, v.reading, v.engine) for v in reading_variations(rulebook, machine) if frozenset(_legal(v.engine, state)) == got]
    return [*read, _listed(verdict, case)]


def _listed(verdict: Verdict, case: Course) -> Guess:
    machine, state, expected = case.engine.machine, case.state(verdict.action), case.legal(verdict.action)
    for action in verdict.extra:
        refusal = case.engine.explain(state, action)
        if refusal is not None:
            return Guess(refusal.rule, "not enforced")
    if not verdict.missing:
        return Guess(domain_of(machine), "lists actions twice")
    kinds = {(a.type, a.patch) for a in verdict.missing}
    whole = {kind for kind in kinds if all((a.type, a.patch) != kind or a in verdict.missing for a in expected)}
    for action in verdict.missing:
        if (action.type, action.patch) in whole:
            return _absent(machine, state, action)
    return Guess(domain_of(machine, verdict.missing[0]), "lists too few")


def _absent(machine: Machine, state: State, action: Action) -> Guess:
    """Why an engine may think that a kind of action is not there at all."""
    form = form_of(machine, action)
    number = machine.number(action.patch or "")
    if number is None:
        names = [name for name, _ in refusers(form, machine)]
        return Guess(names[-1] if not form.choices else names[0], STRICTER)
    if machine.patches[number].numbers["cost"] == state.number("buttons", state.number("turn")):
        exact = [g.name for g in form.requires if g.refuse == "too-few-buttons"]
        if exact:
            return Guess(exact[0], STRICTER)
    return Guess(offer_of(machine), "offers fewer")


def _legal(engine: Engine, state: State) -> tuple[Action, ...]:
    try:
        return engine.legal(state)
    except (PatchworkRefError, KeyError, ValueError, TypeError, IndexError):
        return ()


def of_rejection(verdict: Verdict, case: Course, rulebook: Rulebook) -> list[Guess]:
    """A reading that refuses the action too; the rule with the code that was given; else what comes near a limit."""
    machine, action = case.engine.machine, case.actions[verdict.action - 1]
    state, code = case.state(verdict.action - 1), verdict.code_got
    read = [Guess(v.rule, v.how, v.reading, v.engine) for v in reading_variations(rulebook, machine)
            if (refusal := v.engine.explain(state, action)) is not None and (code is None or refusal.code == code)]
    return [*read, *_stricter(case, state, action, code)]


def _stricter(case: Course, state: State, action: Action, code: str | None) -> list[Guess]:
    machine, form = case.engine.machine, form_of(case.engine.machine, action)
    if code == "not-on-offer":
        return [Guess(offer_of(machine), "offers fewer")]
    for name, own in refusers(form, machine):
        if own == code:
            return [Guess(name, STRICTER)]
    for _, domain in form.choices:
        if domain.outside == code:
            return [Guess(domain.name, STRICTER)]
    number = machine.number(action.patch or "")
    if number is not None:
        if machine.patches[number].numbers["cost"] == state.number("buttons", state.number("turn")):
            return [Guess(g.name, STRICTER) for g in form.requires if g.refuse == "too-few-buttons"]
        if number in state.circle()[1:] and len(state.circle()) < len(case.setup.circle):
            return [Guess(domain_of(machine, action), STRICTER), Guess(offer_of(machine), "offers fewer")]
    return [Guess(domain_of(machine, action) if form.choices else refusers(form, machine)[-1][0], STRICTER)]


def of_perft(verdict: Verdict, case: Course) -> list[Guess]:
    """Counts alone say little: a rule that decides at this moment whether there is anything to choose, else the domain."""
    machine, state = case.engine.machine, case.state(verdict.action)
    if case.engine.is_over(state):
        after = [guard.name for form in machine.actions for guard in form.requires if guard.refuse == "finished"]
        return [Guess(name, "not enforced") for name in dict.fromkeys(after)] or [Guess(machine.over.rule or machine.over.name, "ends otherwise")]
    if state.number("pending", state.number("turn")):
        first = [guard.name for form in machine.actions for guard in form.requires if guard.refuse == "special-pending"]
        if first:
            return [Guess(first[0], "counts otherwise"), Guess(domain_of(machine), "counts otherwise")]
    return [Guess(domain_of(machine), "counts otherwise"), Guess(offer_of(machine), "counts otherwise")]


def domain_of(machine: Machine, action: Action | None = None) -> str:
    """The rule that says where a patch may lie."""
    forms = [form_of(machine, action)] if action is not None else list(machine.actions)
    return next((d.name for form in forms for name, d in form.choices if name == "cells"), machine.actions[0].name)


def offer_of(machine: Machine) -> str:
    """The rule that says which patches are on offer."""
    for form in machine.actions:
        for name, domain in form.choices:
            if name == "patch":
                used = [n.name for n in nodes(domain.collection) if isinstance(n, t.Use)]
                rules = [machine.definitions[u].rule for u in used if u in machine.definitions]
                return next((rule for rule in rules if rule is not None), domain.name)
    return machine.actions[0].name
