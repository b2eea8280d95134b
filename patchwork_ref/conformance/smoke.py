"""Is the adapter sound, before anybody judges the engine behind it?

Numbered steps, one question each, in the order in which an adapter is written; the first failure is the last step.
Nothing is printed: each step is a value that says what was sent, what was expected and what came.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from patchwork_ref.conformance.limits import DEFAULT_LIMITS, TimeLimits
from patchwork_ref.conformance.protocol import EngineIdentity, Setup
from patchwork_ref.conformance.questions import STEPS
from patchwork_ref.conformance.targets import Target
from patchwork_ref.conformance.visit import Step, Visit


class SmokeResult(Struct, frozen=True):
    """All steps that were taken, and who answered hello."""

    steps: tuple[Step, ...]
    engine: EngineIdentity | None = None
    capabilities: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """No step failed, and the last one was reached."""
        return len(self.steps) == len(STEPS) and all(step.status != "failed" for step in self.steps)


def smoke(engine: str | Target, setup: Setup, limits: TimeLimits = DEFAULT_LIMITS) -> SmokeResult:
    """Take all steps, up to the first that fails."""
    visit = Visit(engine, setup, limits)
    steps = tuple(_steps(visit))
    found = visit.identity
    return SmokeResult(steps, found.engine, tuple(found.capabilities)) if found else SmokeResult(steps)


def smoke_steps(engine: str | Target, setup: Setup, limits: TimeLimits = DEFAULT_LIMITS) -> Iterator[Step]:
    """The same steps one by one as they are taken."""
    return _steps(Visit(engine, setup, limits))


def _steps(visit: Visit) -> Iterator[Step]:
    try:
        for number, (title, expected, question) in enumerate(STEPS, 1):
            step = visit.take(number, title, expected, question)
            yield step
            if step.status == "failed":
                return
    finally:
        visit.close()
