"""From a long failing game to a short one: cut at the first difference, made shorter and plainer, and checked afresh.

Four means, in turn and within a time box: beginnings of known games with a last step of the same traits; plans for ends that
no search comes upon; a search on the reference for a shorter way to such a step; and passes that leave out and simplify. Every candidate is a legal game
by the reference, on a set-up of the ruleset, and asked of the engine: it must fail in the same way, by the same rule.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from patchwork_ref.conformance.blame import Blame
from patchwork_ref.conformance.course import Course
from patchwork_ref.conformance.games import Game, game_of, weight
from patchwork_ref.conformance.judge import Verdict
from patchwork_ref.conformance.limits import DEFAULT_LIMITS, TimeLimits
from patchwork_ref.conformance.planned import Planner, finished, level_games, square_behind
from patchwork_ref.conformance.probing import Found, Probe, TimeUp
from patchwork_ref.conformance.rebuilt import Search, Target, stored
from patchwork_ref.conformance.reductions import made, wishes
from patchwork_ref.conformance.targets import Target as EngineTarget
from patchwork_ref.conformance.traits import state_traits
from patchwork_ref.engine.engine import Engine
from patchwork_ref.rulebook.model import Rulebook

WIDTHS = (30, 120, 500, 2000, 8000)
"""Of the search, one after another while there is time."""
KNOWN = 40
"""So many beginnings of known games are tried."""
PLANNED, MISSED = 0.4, 8
"""How much of the time planning may take, and after how many planned games that do not show the failure it is given up."""
SHRINKABLE = ("diverged", "rejected-legal", "accepted-illegal", "engine-error", "crashed", "hung", "protocol-error")


@dataclass(frozen=True)
class Shrunk:
    """The shortest game found, as a case with its verdict; ``before`` actions there were. ``confirmed`` tells that it
    failed in the same way in a fresh process; ``asked`` counts the games put to the engine."""

    course: Course
    verdict: Verdict
    blame: Blame
    before: int
    asked: int
    seconds: float
    confirmed: bool

    @property
    def actions(self) -> int:
        """Its length, refused actions included."""
        return game_of(self.course, self.verdict).length


def shrink(engine: str | EngineTarget, course: Course, verdict: Verdict, blame: Blame, rulebook: Rulebook, seconds: float = 10.0,
           known: Sequence[Course] = (), limits: TimeLimits = DEFAULT_LIMITS) -> Shrunk | None:
    """The failure of a case in a shorter game; None when it cannot be shown again or is none that can be shrunk.

    ``known`` are other cases of the same Machine, short ones for choice.
    """
    if verdict.outcome not in SHRINKABLE or verdict.kind == "isolation":
        return None
    started = time.monotonic()
    first = game_of(course, verdict)
    probe = Probe(engine, limits, course.engine, rulebook, verdict, blame, started + seconds)
    found = probe.confirmed(first)
    if found is None:
        return None
    work = _Work(probe, found)
    try:
        work.run(known)
    except TimeUp:
        pass
    finally:
        probe.close()
    for attempt in (work.best, found):
        final = probe.confirmed(attempt.game)
        if final is not None:
            return Shrunk(final.course, final.verdict, blame, len(course.actions), probe.asked, time.monotonic() - started, True)
    return Shrunk(found.course, found.verdict, blame, len(course.actions), probe.asked, time.monotonic() - started, False)


class _Work:
    """The best so far, and the ways to a better one."""

    def __init__(self, probe: Probe, found: Found) -> None:
        self.probe, self.engine, self.best = probe, found.course.engine, found
        self.exhausted = False
        self.failed: dict[tuple[str, ...], int] = {}

    def run(self, known: Sequence[Course]) -> None:
        self.replace(known)
        self.plan()
        for width in WIDTHS:
            while self.search(width):
                self.reduce(plainer=False)
            if width == WIDTHS[0]:
                self.reduce(plainer=False)
            if self.exhausted:
                break
        self.reduce(plainer=True)

    def better(self, game: Game) -> bool:
        """Asks about a game if it would be an improvement, and keeps it."""
        now = weight(self.engine, self.best.game)
        if weight(self.engine, game) >= now:
            return False
        found = self.probe(game)
        if found is None or weight(self.engine, found.game) >= now:
            return False
        self.best = found
        return True

    def reduce(self, plainer: bool) -> None:
        """Passes until none helps. After a success the passes go on where they were, as most of what did not help
        before does not help now."""
        at, idle = 0, 0
        while True:
            count, better = 0, False
            for count, wish in enumerate(wishes(self.engine, self.best.game, plainer), 1):
                if count <= at:
                    continue
                idle += 1
                self.probe.watch()
                game = made(self.engine, wish)
                if game is not None and self.better(game):
                    at, idle, better = count - 1, 0, True
                    break
                if idle > count + at:
                    break
            if better:
                continue
            if at == 0 or idle >= count:
                return
            at = 0

    def replace(self, known: Sequence[Course]) -> None:
        """The beginning of a known game that ends alike."""
        scored = self.probe.wanted.kind == "score"
        game = self.best.game
        if game.last is not None or (not scored and not game.actions):
            return
        traits = state_traits(self.engine, self.best.course.state(len(game.actions)).values) if scored else Target(self.engine, game).traits
        for other in stored(self.engine, traits, list(known), game.length, scored)[:KNOWN]:
            if self.better(other):
                return

    def plan(self) -> None:
        """Games to a filled square or to a level score, where the failure needs one."""
        now = time.monotonic()
        until = now + PLANNED * (self.probe.deadline - now)
        missed = 0
        for game in self._planned(until):
            missed = 0 if self.better(game) else missed + 1
            if missed >= MISSED:
                return

    def _planned(self, until: float) -> Iterator[Game]:
        engine, game, scored = self.engine, self.best.game, self.probe.wanted.kind == "score"
        if game.last is not None or not game.actions or game.setup.neutral_token is None:
            return
        totals = engine.score(self.best.course.state(len(game.actions))).totals if scored else (0, 1)
        side = square_behind(engine, self.probe.blame.rule)
        if totals[0] == totals[1]:
            yield from level_games(engine, lambda: self.best.game.length, until)
        elif side is not None:
            planner = Planner(engine, side, game.setup.circle, game.actions[-1].type == "special" and not scored)
            found = planner.games(lambda: self.best.game.length, until)
            yield from (finished(engine, other) for other in found) if scored else found

    def search(self, width: int) -> bool:
        """A shorter way to an end like this one; whether there was one."""
        self.exhausted = True
        return any(self._searched(width, plays) for plays in ((self.probe.blame.plays, None) if self.probe.blame.plays is not None else (None,)))

    def _searched(self, width: int, plays: Engine | None) -> bool:
        game = self.best.game
        if not game.length or game.setup.neutral_token is None:
            return False
        search = Search(self.engine, game, self.probe.wanted.kind == "score", self.failed, self.probe.blame.rule, plays)
        for other, shared in search.games(game.length, width, self.probe.searches_until):
            if self.better(other):
                self.exhausted = False
                return True
            search.missed(shared)
        self.exhausted &= search.complete
        return False
