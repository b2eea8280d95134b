"""From fixtures to cases: those of a tier, judged by one Machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from patchwork_ref.conformance.course import Course, course_of_fixture
from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import InputError
from patchwork_ref.fixtures.model import TIERS, Fixture
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.setup import customised
from patchwork_ref.rulebook.model import Rulebook


@dataclass(frozen=True, slots=True)
class Case:
    """A fixture as a case. ``own`` tells whether it was recorded under the rules that it is judged by."""

    fixture: Fixture
    course: Course
    own: bool


def chosen(fixtures: Sequence[Fixture], tier: str) -> tuple[Fixture, ...]:
    """The fixtures of a tier and of those below it."""
    if tier not in TIERS:
        raise InputError(f"no tier is called {tier!r}; there are {', '.join(TIERS)}")
    upto = TIERS[: TIERS.index(tier) + 1] if tier in TIERS else TIERS
    return tuple(f for f in fixtures if f.tier in upto)


def cases(fixtures: Iterable[Fixture], rulebook: Rulebook, machine: Machine) -> list[Case]:
    """Fixtures of the Machine's own readings as recorded; those of single other readings judged by the Machine's.

    Those of the default rules are judged by the Machine's whatever it is, made-up set-ups aside: what another reading does
    with a special patch on the last space, say, no source settles. Games recorded under yet another ruleset are
    left out: they add nothing that the Machine's own games lack.
    """
    listed = [(fixture, dict(rulebook.readings(fixture.ruleset, fixture.readings)) == dict(machine.readings)) for fixture in fixtures]
    default = dict(rulebook.readings())
    has_own = any(own for _, own in listed)
    found, engine = [], Engine(machine)
    for fixture, own in listed:
        foreign = dict(rulebook.readings(fixture.ruleset)) != default
        if not own and fixture.level != "reading" and (fixture.custom or (foreign and not fixture.readings and has_own)):
            continue
        base = Engine(customised(machine, fixture.numbers)) if fixture.custom else engine
        found.append(Case(fixture, course_of_fixture(base, fixture), own))
    return found
