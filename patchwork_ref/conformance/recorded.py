"""A case as a fixture: what every conforming engine answers, in the format of the shipped ones, for any reader of these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from patchwork_ref.conformance.course import Course, Do, Legal, Perft, Refuse
from patchwork_ref.fixtures import model as fixtures
from patchwork_ref.fixtures.judge import Judge
from patchwork_ref.fixtures.record import Recorder
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.setup import Setup, setup_message
from patchwork_ref.rulebook.model import DEFAULT_RULESET, Rulebook


def fixture_of(case: Course, rulebook: Rulebook, name: str, title: str, origin: str) -> fixtures.Fixture:
    """The case with the answers of its own Machine. Its tier is the lowest, so that a check of any tier plays it."""
    machine, message = case.engine.machine, case.message
    ruleset = machine.ruleset or DEFAULT_RULESET
    standing = rulebook.readings(ruleset if ruleset in rulebook.rulesets else None)
    readings = {ambiguity: reading for ambiguity, reading in machine.readings.items() if standing.get(ambiguity) != reading}
    recorder = Recorder(case.engine, case.setup)
    for task in case.tasks:
        match task:
            case Do() | Refuse():
                recorder.attempt(task.action)
            case Legal():
                recorder.legal()
            case Perft():
                recorder.perft(task.depth)
    judge = Judge(rulebook)
    blank = fixtures.Fixture(
        id=name, kind="trace", title=title, level="reading" if readings else "must", ruleset=ruleset, readings=readings, base=fixtures.base_name(ruleset, readings),
        setup=Setup(case.setup.circle, message.get("neutral_token"), case.setup.first_player),
        numbers=_numbers(message, judge.machine(ruleset, readings)) if machine.custom else {}, start={}, steps=(), rules=(), origin=origin, tier="quick",
    )
    return judge.completed(blank, recorder)


def _numbers(message: Mapping[str, Any], plain: Machine) -> dict[str, Any]:
    """What a custom set-up changes."""
    own = setup_message(plain, Setup(()))
    return {key: value for key, value in message.items() if key not in ("ruleset", "readings", "circle", "neutral_token", "first_player") and own.get(key) != value}


def steps_of(case: Course) -> list[fixtures.Step]:
    """What a case asks, for telling which rules it exercises: expectations are left out."""
    steps: list[fixtures.Step] = []
    for task in case.tasks:
        match task:
            case Do(number, action):
                steps.append(fixtures.Play(action, {}, tuple(f.rule for f in case.steps[number - 1].firings)))
            case Refuse(_, action):
                refusal = case.refusal(task)
                steps += [fixtures.Refuse(action, refusal.code, refusal.rule)] if refusal is not None else []
            case Legal():
                steps.append(fixtures.Legal(0, ""))
            case Perft():
                steps.append(fixtures.Perft(task.depth, 0))
    return steps
