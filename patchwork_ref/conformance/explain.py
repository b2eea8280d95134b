"""Is it another reading? Asks the engine itself: the failed cases again, judged by each other reading and ruleset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import Course, Do, Legal, Perft, Refuse, course_of_steps
from patchwork_ref.conformance.judge import judge
from patchwork_ref.conformance.suite import Case
from patchwork_ref.conformance.supervisor import Supervisor
from patchwork_ref.conformance.variations import reading_machine
from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.codec import action_to_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.setup import customised
from patchwork_ref.rulebook.model import Rulebook

MOST = 24
"""So many cases are asked again, failed ones first."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A choice of rules under which the engine agrees on all that was asked again."""

    option: str  # as one would type it
    asked: int
    failed: int


def explanation(supervisor: Supervisor, failed: Sequence[Case], every: Sequence[Case], rulebook: Rulebook, machine: Machine) -> Explanation | None:
    """The first ruleset or single reading that explains every failure, if there is one."""
    plain = [case for case in failed if not case.fixture.custom] or list(failed)  # each custom set-up needs a Machine of its own
    spread = plain[:: max(1, len(plain) // MOST)][:MOST]
    ids = {case.fixture.id for case in failed}
    passed = [case for case in every if case.fixture.id not in ids][:MOST]
    for option, readings in alternatives(rulebook, machine):
        other = reading_machine(rulebook, readings)
        if other is not None and _agrees(supervisor, [*spread, *passed], other):
            return Explanation(option, len(spread) + len(passed), len(failed))
    return None


def alternatives(rulebook: Rulebook, machine: Machine) -> list[tuple[str, Mapping[str, str]]]:
    """Every other ruleset and every other single reading, as the option to type: those first that change least, and of
    equals the ruleset."""
    found: list[tuple[str, Mapping[str, str]]] = []
    for name in rulebook.rulesets:
        readings = rulebook.readings(name)
        if dict(readings) != dict(machine.readings):
            found.append((f"--ruleset {name}", readings))
    for ambiguity in rulebook.ambiguities.values():
        for reading in ambiguity.readings:
            if machine.readings[ambiguity.name] != reading:
                found.append((f"--reading {ambiguity.name}={reading}", {**machine.readings, ambiguity.name: reading}))
    return sorted(found, key=lambda entry: sum(entry[1].get(name) != own for name, own in machine.readings.items()))


def _agrees(supervisor: Supervisor, cases: Sequence[Case], machine: Machine) -> bool:
    engine = Engine(machine)
    for case in cases:
        connection = supervisor.ready()
        if not isinstance(connection, Connection):
            return False
        verdict = judge(connection, judged_by(case, engine, machine))
        if verdict.failed:
            return False
    return True


def judged_by(case: Case, engine: Engine, machine: Machine) -> Course:
    """The same actions and questions under other rules. The set-up told to the engine stays the same: an engine that
    ignores readings and numbers is asked just what it was asked before."""
    course = case.course
    if course.engine.machine.custom:
        engine = Engine(customised(machine, case.fixture.numbers))
    steps = []
    for task in course.tasks:
        match task:
            case Do():
                steps.append({"action": action_to_json(task.action)})
            case Refuse():
                steps.append({"refuse": action_to_json(task.action)})
            case Legal():
                steps.append({"legal": {}})
            case Perft():
                steps.append({"perft": {"depth": task.depth}})
    other = course_of_steps(course.name, engine, course.setup, steps, course.tells_token)
    return Retold(other.name, other.engine, other.setup, other.tasks, other.tells_token, course.told_by)


@dataclass(frozen=True)
class Retold(Course):
    """A case whose expectations follow other rules than the set-up that is sent."""

    original: Course | None = None

    @property
    def told_by(self) -> Course:
        return self.original if self.original is not None else self
