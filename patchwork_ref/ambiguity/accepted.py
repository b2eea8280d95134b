"""An engine judged by its own readings: what its fingerprint comes to, and the cases under it.

What the engine is sent stays as it was: its readings were found on those set-ups, and one that follows a set-up in part
would answer otherwise on others. No fault is explained away: a game that no reading explains is judged with the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from patchwork_ref.ambiguity.finding import SAME, Fingerprint
from patchwork_ref.conformance.course import Course, course_of_fixture
from patchwork_ref.conformance.explain import Retold
from patchwork_ref.conformance.limits import DEFAULT_LIMITS, TimeLimits
from patchwork_ref.conformance.run import run
from patchwork_ref.conformance.suite import Case, cases
from patchwork_ref.conformance.targets import Target
from patchwork_ref.engine.engine import Engine
from patchwork_ref.fixtures import Fixture, unobservable
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.setup import Setup, customised, setup_message
from patchwork_ref.rulebook.model import Rulebook

ADDED = 24
"""So many games of other tiers are judged where all that no reading explains is among them."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """What an engine is judged by, beside the rules asked for. ``ruleset`` is the one that ``profile`` is, if it is one."""

    profile: dict[str, str]
    followed: dict[str, str] = field(default_factory=dict)  # the readings that are not those asked for
    open: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of these no game played tells which
    undecided: dict[str, str] = field(default_factory=dict)  # with the reason
    ruleset: str | None = None


def accepted(found: Fingerprint, rulebook: Rulebook, base: Machine) -> Accepted:
    """What a fingerprint taken on the set-ups of ``base`` comes to. Readings that no game shows are those asked for."""
    asked, silent = dict(base.readings), silent_ambiguities(rulebook)
    profile = {**asked, **{a: r for a, r in found.profile.items() if a not in silent}}
    open_ = {a: r for a, r in found.readings.items() if isinstance(r, tuple) and a not in silent and found.why.get(a) != SAME}
    undecided = {a: found.why.get(a, "") for a, r in found.readings.items() if r is None} if found.games else {}
    return _named(Accepted(profile, {}, open_, undecided), rulebook, base)


def _named(found: Accepted, rulebook: Rulebook, base: Machine) -> Accepted:
    """With what follows from its profile."""
    silent, asked = silent_ambiguities(rulebook), base.readings
    followed = {a: r for a, r in found.profile.items() if r != asked[a] and a not in silent}
    same = [name for name in rulebook.rulesets if all(r == found.profile[a] for a, r in rulebook.readings(name).items() if a not in silent)]
    ruleset = same[0] if same and followed else None
    profile = dict(rulebook.readings(ruleset)) if ruleset is not None else found.profile
    return replace(found, profile=profile, followed=followed, ruleset=ruleset)


def silent_ambiguities(rulebook: Rulebook) -> frozenset[str]:
    """Those of which no game shows any reading."""
    known = unobservable()
    return frozenset(a.name for a in rulebook.ambiguities.values() if all(f"{a.name}={r}" in known for r in a.readings if r != a.default))


def machine_for(found: Accepted, rulebook: Rulebook) -> Machine:
    return from_rulebook(rulebook, found.profile, found.ruleset)


def settled(found: Accepted, target: str | Target, name: str, rulebook: Rulebook, fixtures: Sequence[Fixture], base: Machine, limits: TimeLimits = DEFAULT_LIMITS) -> Accepted:
    """Decides what a fingerprint left open by the fixtures that are judged: where some fail, the open readings by which none
    does are taken. Without such the profile stays as it is: a fault is not explained away."""

    def failing(choice: Accepted, among: frozenset[str] | None = None) -> frozenset[str]:
        machine = machine_for(choice, rulebook)
        judged = accepted_cases([f for f in fixtures if among is None or f.id in among], rulebook, machine, base)
        return frozenset(f.case.fixture.id for f in run(target, name, judged, rulebook, machine, limits, explain=False).findings)

    best, left = found, failing(found) if found.open else frozenset()
    while left:
        for other in _others(best, rulebook, base):
            if len(failing(other, left)) < len(left) and len(fewer := failing(other)) < len(left):
                best, left = other, fewer
                break
        else:
            return found
    return best


def _others(found: Accepted, rulebook: Rulebook, base: Machine) -> Iterator[Accepted]:
    for ambiguity, readings in found.open.items():
        for reading in readings:
            if reading != found.profile[ambiguity]:
                still = {a: r for a, r in found.open.items() if a != ambiguity}
                yield _named(replace(found, profile={**found.profile, ambiguity: reading}, open=still), rulebook, base)


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


def with_unexplained(judged: Sequence[Case], fixtures: Sequence[Fixture], unexplained: Sequence[str], machine: Machine, base: Machine) -> tuple[Case, ...]:
    """The cases, and where none of them is a game that no reading explains some of those that are, of whatever tier, with the games that they
    are played beside."""
    if {case.fixture.id for case in judged} & set(unexplained):
        return tuple(judged)
    more = [f for f in fixtures if f.id in unexplained][:ADDED]
    there = {f.id for f in more} | {case.fixture.id for case in judged}
    return (*judged, *retold([*more, *(f for f in fixtures if f.id in {m.isolation for m in more} - there)], machine, base))


def retold(fixtures: Iterable[Fixture], machine: Machine, base: Machine) -> tuple[Case, ...]:
    """Fixtures judged by ``machine`` as far as they go, told of as by ``base``."""
    engine, told = Engine(machine), Engine(base)
    return tuple(_retold(Case(f, course_of_fixture(Engine(customised(machine, f.numbers)) if f.custom else engine, f), False), base, told) for f in fixtures)


def _retold(case: Case, base: Machine, engine: Engine) -> Case:
    course = case.course
    told = Engine(customised(base, case.fixture.numbers)) if case.fixture.custom else engine
    original = Course(course.name, told, course.setup, (), course.tells_token)
    return Case(case.fixture, Retold(course.name, course.engine, course.setup, course.tasks, course.tells_token, original), case.own)


def _numbers(machine: Machine) -> dict[str, object]:
    return {key: value for key, value in setup_message(machine, Setup(())).items() if key not in ("ruleset", "readings")}
