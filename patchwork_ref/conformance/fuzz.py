"""Random games on an engine and on the reference side by side: mixed policies, near misses, lists of legal actions.

Each rule that an engine gets wrong is shrunk once, when it is first met; later games only count it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from patchwork_ref.conformance.blame import Blame, Spectrum, settled, suspects
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import Course
from patchwork_ref.conformance.drawing import Enough, drawn
from patchwork_ref.conformance.games import agreeing_part, failing_part
from patchwork_ref.conformance.judge import Verdict, judge
from patchwork_ref.conformance.limits import DEFAULT_LIMITS, TimeLimits
from patchwork_ref.conformance.outcomes import CannotStart, Failure
from patchwork_ref.conformance.recorded import steps_of
from patchwork_ref.conformance.run import EXIT, PROCESS, Result, identity_of
from patchwork_ref.conformance.shrink import Shrunk, shrink
from patchwork_ref.conformance.supervisor import Supervisor
from patchwork_ref.conformance.targets import Target
from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import InputError
from patchwork_ref.fixtures.exercised import Exercise, all_rules
from patchwork_ref.rulebook.model import Rulebook


@dataclass(slots=True)
class Counterexample:
    """What is wrong with one rule: the game in which it was first met, and a short one."""

    blame: Blame
    course: Course
    verdict: Verdict
    shrunk: Shrunk | None
    seen: int = 1

    @property
    def shortest(self) -> tuple[Course, Verdict]:
        return (self.shrunk.course, self.shrunk.verdict) if self.shrunk is not None else (failing_part(self.course, self.verdict), self.verdict)


@dataclass(slots=True)
class Fuzzed:
    """What came of it. ``skipped`` of the ``games`` the engine did not play; ``never`` are the rules that nothing exercised
    on which it agreed."""

    engine: str
    identity: dict[str, Any] = field(default_factory=dict)
    games: int = 0
    skipped: int = 0
    actions: int = 0
    seconds: float = 0.0
    exercised: Counter[str] = field(default_factory=Counter)
    never: tuple[str, ...] = ()
    found: dict[str, Counterexample] = field(default_factory=dict)  # by rule
    failure: Failure | None = None
    ended_early: bool = False

    @property
    def result(self) -> Result:
        if self.failure is not None or any(c.verdict.outcome in PROCESS for c in self.found.values()):
            return "adapter-failure"
        return "diverges" if self.found else "conforms" if self.actions and not self.ended_early else "inconclusive"

    @property
    def exit_code(self) -> int:
        return EXIT[self.result]


Listener = Callable[[Fuzzed], None]


def fuzz(target: str | Target, name: str, rulebook: Rulebook, engine: Engine, games: int | None, seconds: float | None, seed: int | str = 0, shrink_seconds: float = 10.0,
         known: Sequence[Course] = (), limits: TimeLimits = DEFAULT_LIMITS, listener: Listener = lambda found: None) -> Fuzzed:
    """Plays until so many games or seconds are over. ``shrink_seconds`` are for each rule; ``known`` are short games.

    Raises InputError when nothing says where to stop.
    """
    if games is None and seconds is None:
        raise InputError("say when to stop: give a number of games, or seconds")
    found, started = Fuzzed(name), time.monotonic()
    exercise, spectrum = Exercise(engine.machine), Spectrum()
    found.never = tuple(sorted(all_rules(engine.machine)))
    with Supervisor(target, limits) as supervisor:

        def connected() -> Connection | None:
            """The engine, started again as often as may be."""
            while not isinstance(connection := supervisor.ready(), Connection):
                if supervisor.exhausted or isinstance(connection, CannotStart):
                    found.failure = connection
                    return None
            return connection

        def see(number: int, drawn_case: Course) -> None:
            connection = connected() if seconds is None or time.monotonic() - started < seconds else None
            if connection is None:
                raise Enough
            case = replace(drawn_case, name=f"fuzz {seed} {number}")
            verdict = judge(connection, case)
            found.games += 1
            if verdict.outcome in ("skipped", "not-applicable"):
                found.skipped += 1
            else:
                _count(found, case, verdict, exercise)
                spectrum.add(case, len(case.actions) if not verdict.failed else max(verdict.action - 1, 0), not verdict.failed)
            if verdict.failed:
                _met(found, target, case, verdict, rulebook, spectrum, shrink_seconds, known, limits)
            found.seconds = time.monotonic() - started
            listener(found)

        first = connected()
        if first is not None:
            found.identity = identity_of(first)
            drawn(engine, first.capabilities, seed, games, see)
        if found.failure is None:
            parted = supervisor.part()
            if parted is not None and not any(c.verdict.outcome in PROCESS for c in found.found.values()):
                found.failure = parted
    found.seconds = time.monotonic() - started
    return found


def _met(found: Fuzzed, target: str | Target, case: Course, verdict: Verdict, rulebook: Rulebook, spectrum: Spectrum, seconds: float, known: Sequence[Course],
         limits: TimeLimits) -> None:
    """Files a failure under its rule; one that may be another sighting of a known one is counted there."""
    found_blames = suspects(verdict, case, rulebook, spectrum)
    blames = [*settled([found_blames], spectrum), *sorted(found_blames, key=lambda b: spectrum.passed[b.rule])]
    for blame in blames:
        if blame.rule in found.found and found.found[blame.rule].verdict.kind == verdict.kind:
            found.found[blame.rule].seen += 1
            return
    blame = blames[0]
    shrunk = shrink(target, case, verdict, blame, rulebook, seconds, known, limits) if seconds > 0 else None
    found.found.setdefault(blame.rule, Counterexample(blame, case, verdict, shrunk))


def _count(found: Fuzzed, case: Course, verdict: Verdict, exercise: Exercise) -> None:
    """Notes what was exercised before the first difference."""
    agreed = agreeing_part(case, verdict)
    found.actions += len(agreed.actions)
    over = agreed.over and verdict.kind != "score"
    level = over and agreed.score.totals[0] == agreed.score.totals[1]
    steps = steps_of(agreed)
    found.exercised.update({name for part in (steps, []) for name in exercise.rules(part, not case.tells_token, over, level)} if steps or not verdict.failed else {})
    found.never = tuple(sorted(all_rules(exercise.machine) - set(found.exercised)))
