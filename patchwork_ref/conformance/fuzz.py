"""Random games on an engine and on the reference side by side: mixed policies, near misses, lists of legal actions.

Each rule that an engine gets wrong is shrunk once, when it is first met; later games only count it.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from patchwork_ref.conformance.blame import Blame, Spectrum, suspects
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import Course, Do, Legal, Refuse, Task
from patchwork_ref.conformance.judge import Verdict, judge
from patchwork_ref.conformance.limits import DEFAULT_LIMITS, TimeLimits
from patchwork_ref.conformance.outcomes import CannotStart, Failure
from patchwork_ref.conformance.run import EXIT, PROCESS, Result, identity_of
from patchwork_ref.conformance.shrink import Shrunk, shrink
from patchwork_ref.conformance.supervisor import Supervisor
from patchwork_ref.conformance.targets import Target
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.policies import LONGEST, POLICIES
from patchwork_ref.errors import InputError
from patchwork_ref.fixtures import model as fixtures
from patchwork_ref.fixtures.exercised import Exercise, all_rules
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup, shuffled
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import bits
from patchwork_ref.rulebook.model import Rulebook

STRETCH = 12
"""Actions for which a policy is kept, at most."""
LISTS, MISSES = 0.04, 0.25
"""How often the legal actions are asked for, and a near miss is tried."""
TOLD = 0.75
"""How often an engine that finds the token's place is told it all the same."""


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
        return (self.shrunk.course, self.shrunk.verdict) if self.shrunk is not None else (self.course, self.verdict)


@dataclass(slots=True)
class Fuzzed:
    """What came of it. ``never`` are the rules that no agreeing action exercised."""

    engine: str
    identity: dict[str, Any] = field(default_factory=dict)
    games: int = 0
    actions: int = 0
    seconds: float = 0.0
    exercised: Counter[str] = field(default_factory=Counter)
    never: tuple[str, ...] = ()
    found: dict[str, Counterexample] = field(default_factory=dict)  # by rule
    failure: Failure | None = None

    @property
    def result(self) -> Result:
        if self.failure is not None or any(c.verdict.outcome in PROCESS for c in self.found.values()):
            return "adapter-failure"
        return "diverges" if self.found else "conforms" if self.games else "inconclusive"

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
    with Supervisor(target, limits) as supervisor:
        while (games is None or found.games < games) and (seconds is None or time.monotonic() - started < seconds):
            connection = supervisor.ready()
            if not isinstance(connection, Connection):
                if supervisor.exhausted or isinstance(connection, CannotStart):
                    found.failure = connection
                    break
                continue
            found.identity = found.identity or identity_of(connection)
            case = game(engine, f"{seed} {found.games}", connection.capabilities)
            verdict = judge(connection, case)
            found.games += 1
            if verdict.outcome in ("skipped", "not-applicable"):
                continue
            _count(found, case, verdict, exercise)
            spectrum.add(case, len(case.actions) if not verdict.failed else max(verdict.action - 1, 0))
            if verdict.failed:
                _met(found, target, case, verdict, rulebook, spectrum, shrink_seconds, known, limits)
            listener(found)
        if found.failure is None:
            supervisor.part()
    found.never = tuple(sorted(all_rules(engine.machine) - set(found.exercised)))
    found.seconds = time.monotonic() - started
    return found


def _met(found: Fuzzed, target: str | Target, case: Course, verdict: Verdict, rulebook: Rulebook, spectrum: Spectrum, seconds: float, known: Sequence[Course],
         limits: TimeLimits) -> None:
    """Files a failure under its rule; one that may be another sighting of a known one is counted there."""
    blames = sorted(suspects(verdict, case, rulebook, spectrum), key=lambda b: spectrum.passed[b.rule])
    for blame in blames:
        if blame.rule in found.found and found.found[blame.rule].verdict.kind == verdict.kind:
            found.found[blame.rule].seen += 1
            return
    blame = blames[0]
    shrunk = shrink(target, case, verdict, blame, rulebook, seconds, known, limits) if seconds > 0 else None
    found.found.setdefault(blame.rule, Counterexample(blame, case, verdict, shrunk))


def game(engine: Engine, seed: str, capabilities: frozenset[str]) -> Course:
    """A whole game with questions on the way, the same for the same seed."""
    source = random.Random(f"fuzz {seed}")
    setup = shuffled(engine.machine, f"fuzz {seed}")
    if "finds-token" not in capabilities or source.random() < TOLD:
        setup = Setup(setup.circle, engine.neutral_token(setup), setup.first_player)
    tasks: list[Task] = []
    state, number, left = engine.start(setup), 0, 0
    choose = POLICIES["random"]
    while number < LONGEST and (options := engine.backend.options(state.values)):
        if not left:
            choose, left = source.choice([*POLICIES.values()]), source.randint(1, STRETCH)
        left -= 1
        if "legal" in capabilities and source.random() < LISTS:
            tasks.append(Legal(number))
        if source.random() < MISSES and (missed := near_miss(engine, state, source)) is not None:
            tasks.append(Refuse(number, missed))
        option, bit = choose(engine, state, options, source)
        action = engine.action(option, bit)
        state, number = engine.apply(state, action), number + 1
        tasks.append(Do(number, action))
    return Course(f"fuzz {seed}", engine, setup, tuple(tasks), setup.neutral_token is not None)


def near_miss(engine: Engine, state: State, source: random.Random) -> Action | None:
    """An action that is almost legal; None when the one thought of is legal."""
    action = source.choice([*_misses(engine, state, source)])
    return action if engine.explain(state, action) is not None else None


def _misses(engine: Engine, state: State, source: random.Random) -> Iterator[Action]:
    machine, board = engine.machine, engine.machine.board
    circle = [machine.patches[i].name for i in state.circle()]
    for form in machine.actions:
        names = [name for name, _ in form.choices]
        if not names:
            yield Action(form.type)
        elif "patch" not in names:
            yield Action(form.type, None, (source.randrange(board.cells),))
            yield Action(form.type, None, (board.cells,))
        elif "cells" in names and circle:
            for patch in (*source.sample(circle, min(2, len(circle))), *circle[:4]):
                mask = source.choice([*placements_of(engine, patch)])
                cells = tuple(bits(mask))
                yield Action(form.type, patch, cells)
                yield Action(form.type, patch, tuple(c + 1 for c in cells))
                yield Action(form.type, patch, cells[:-1])
                yield Action(form.type, patch, (*cells, cells[-1]))
                yield Action(form.type, patch, tuple(sorted(c ^ 1 if i == 0 else c for i, c in enumerate(cells) if c ^ 1 not in cells or i)))
            gone = [p.name for p in machine.regular if p.name not in circle]
            if gone:
                patch = source.choice(gone)
                yield Action(form.type, patch, tuple(bits(placements_of(engine, patch)[0])))


def placements_of(engine: Engine, patch: str) -> tuple[int, ...]:
    """Every placement of a patch on an empty board, flipped ones too whatever the rules say."""
    from patchwork_ref.polyomino import placements

    number = engine.machine.number(patch)
    return placements(engine.machine.patches[number or 0].shape, engine.machine.board, True)


def _count(found: Fuzzed, case: Course, verdict: Verdict, exercise: Exercise) -> None:
    """Notes what was exercised up to the first difference."""
    reached = len(case.actions) if not verdict.failed else max(verdict.action - 1, 0)
    found.actions += reached
    steps: list[fixtures.Step] = []
    for task in case.tasks:
        if task.number > reached:
            break
        match task:
            case Do(number, action):
                steps.append(fixtures.Play(action, {}, tuple(f.rule for f in case.steps[number - 1].firings)))
            case Refuse(_, action):
                refusal = case.refusal(task)
                steps += [fixtures.Refuse(action, refusal.code, refusal.rule)] if refusal is not None else []
            case Legal():
                steps.append(fixtures.Legal(0, ""))
    over = reached == len(case.actions) and case.over
    level = over and case.score.totals[0] == case.score.totals[1]
    found.exercised.update(exercise.rules(steps, not case.tells_token, over, level))
    found.exercised.update(exercise.rules([], not case.tells_token, False, False))
