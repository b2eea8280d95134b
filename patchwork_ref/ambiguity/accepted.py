"""An engine's cases under its own readings, on the set-ups that it was asked on before.

What the engine is sent stays as it was: its readings were found on those set-ups, and one that follows a set-up in part
would answer otherwise on others.
"""

from __future__ import annotations

from collections.abc import Sequence

from patchwork_ref.conformance.course import Course
from patchwork_ref.conformance.explain import Retold
from patchwork_ref.conformance.suite import Case, cases
from patchwork_ref.engine.engine import Engine
from patchwork_ref.fixtures import Fixture
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.setup import Setup, customised, setup_message
from patchwork_ref.rulebook.model import Rulebook


def accepted_cases(fixtures: Sequence[Fixture], rulebook: Rulebook, machine: Machine, base: Machine) -> tuple[Case, ...]:
    """Fixtures judged by ``machine``, told of as by ``base``; those of the base rules are judged too, as far as they go.

    Custom set-ups are left out where the two differ in numbers that a set-up tells: whose are played cannot be known.
    """
    readings = dict(machine.readings)
    own = [f for f in fixtures if dict(rulebook.readings(f.ruleset, f.readings)) == readings]
    ids = {f.id for f in own}
    found = {case.fixture.id: case for case in (*cases(own, rulebook, machine), *cases([f for f in fixtures if f.id not in ids], rulebook, machine))}
    engine, same = Engine(base), _numbers(machine) == _numbers(base)
    return tuple(_retold(found[f.id], base, engine) for f in fixtures if f.id in found and (same or not f.custom))


def _retold(case: Case, base: Machine, engine: Engine) -> Case:
    course = case.course
    told = Engine(customised(base, case.fixture.numbers)) if case.fixture.custom else engine
    original = Course(course.name, told, course.setup, (), course.tells_token)
    return Case(case.fixture, Retold(course.name, course.engine, course.setup, course.tasks, course.tells_token, original), case.own)


def _numbers(machine: Machine) -> dict[str, object]:
    return {key: value for key, value in setup_message(machine, Setup(())).items() if key not in ("ruleset", "readings")}
