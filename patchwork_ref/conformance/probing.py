"""Does a game still show the failure? Asks the engine, on a supervisor of its own, within a time box."""

from __future__ import annotations

import time
from dataclasses import dataclass

from msgspec import structs

from patchwork_ref.conformance.blame import Blame, Spectrum, suspects
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import Course
from patchwork_ref.conformance.games import Game, game_of
from patchwork_ref.conformance.judge import Verdict, judge
from patchwork_ref.conformance.limits import TimeLimits
from patchwork_ref.conformance.supervisor import Supervisor
from patchwork_ref.conformance.suspicion import explains
from patchwork_ref.conformance.targets import Target
from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.rulebook.model import Rulebook

HASTE = 0.75
"""Seconds for a call while hangs are shrunk: whoever is silent for so long is tried again with the whole limit at the end."""
KEPT = 0.25
MANY = 100_000
"""Restarts: while crashes are shrunk every hit costs one; the time box bounds them."""


class TimeUp(Exception):
    """The time box is used up."""


@dataclass(frozen=True)
class Found:
    """A game that shows the failure."""

    game: Game
    course: Course
    verdict: Verdict


class Probe:
    """Asks whether games show one failure: the same outcome and kind, blamed on the same rule."""

    def __init__(self, target: str | Target, limits: TimeLimits, engine: Engine, rulebook: Rulebook, verdict: Verdict, blame: Blame, deadline: float) -> None:
        hasty = verdict.outcome == "hung"
        self.limits = structs.replace(limits, **{name: min(HASTE, getattr(limits, name)) for name in ("new", "apply", "legal", "state", "score")}) if hasty else limits
        self.target, self.whole, self.engine, self.rulebook = target, limits, engine, rulebook
        self.wanted, self.blame, self.deadline = verdict, blame, deadline
        self.supervisor = Supervisor(target, self.limits, MANY)
        self.searches_until = deadline - KEPT * (deadline - time.monotonic())  # the rest is for making the game plainer
        self.asked = 0
        self._known: dict[Game, Found | None] = {}

    def __call__(self, game: Game) -> Found | None:
        """The game cut to what differs, if it shows the failure. Raises TimeUp."""
        if game not in self._known:
            self._known[game] = self._ask(game)
        return self._known[game]

    def confirmed(self, game: Game) -> Found | None:
        """The same in a fresh process with the whole time limits, a look after every action; not bound by the time box."""
        self.supervisor.close()
        with Supervisor(self.target, self.whole, 1) as supervisor:
            return self._judged(game, supervisor, "each")

    def close(self) -> None:
        self.supervisor.close()

    def watch(self) -> None:
        """Raises TimeUp when the time box is used up."""
        if time.monotonic() > self.deadline:
            raise TimeUp

    def _ask(self, game: Game) -> Found | None:
        self.watch()
        self.asked += 1
        return self._judged(game, self.supervisor, "each" if self.wanted.failure is not None or len(game.actions) < 3 else "end")

    def _judged(self, game: Game, supervisor: Supervisor, looks: str) -> Found | None:
        connection = supervisor.ready()
        if not isinstance(connection, Connection):
            return None
        try:
            course = game.course(self.engine)
            verdict = judge(connection, course, looks=looks)  # type: ignore[arg-type]
        except PatchworkRefError:  # the reference refuses what was put together
            return None
        if not self.same(verdict, course):
            return None
        shown = game_of(course, verdict)
        return Found(shown, shown.course(self.engine), verdict)

    def same(self, verdict: Verdict, course: Course) -> bool:
        """Whether a verdict is the failure that is looked for."""
        wanted = self.wanted
        if (verdict.outcome, verdict.kind) != (wanted.outcome, wanted.kind):
            return False
        if verdict.kind in ("process", "error"):
            return _trouble(verdict) == _trouble(wanted)
        if verdict.kind == "state" and verdict.action and self.blame.plays is not None and verdict.reported is not None \
                and explains(self.blame.plays, course.state(verdict.action - 1), course.actions[verdict.action - 1], verdict.reported):
            return True
        return any(b.rule == self.blame.rule for b in suspects(verdict, course, self.rulebook, Spectrum()))


def _trouble(verdict: Verdict) -> tuple[str, ...]:
    """What kind of crash: the last words of the engine without what changes from game to game."""
    failure = verdict.failure
    if failure is None:
        return (_words(verdict.text),)
    lines = [line for line in failure.evidence.stderr.splitlines() if line.strip()]
    return (type(failure).__name__, str(getattr(failure, "kind", "")), _words(lines[-1]) if lines else "", failure.evidence.op)


def _words(text: str) -> str:
    return " ".join(word for word in text.split()[:8] if word.isalpha() or word.endswith(":"))
