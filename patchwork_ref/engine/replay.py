"""Playing a trace again: every step with its state and the rules that fired, up to the first illegal action."""

from __future__ import annotations

from dataclasses import dataclass

from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import IllegalAction
from patchwork_ref.machine.play import Action, Refusal, Score, Step
from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import State


@dataclass(frozen=True, slots=True)
class Replayed:
    """``steps`` of the actions that were legal; ``refusal`` of the first that was not (action number from 1)."""

    start: State
    steps: tuple[Step, ...]
    refused_at: int | None
    refusal: Refusal | None
    over: bool
    score: Score

    @property
    def state(self) -> State:
        """The last state reached."""
        return self.steps[-1].state if self.steps else self.start


def replay(engine: Engine, setup: Setup, actions: tuple[Action, ...]) -> Replayed:
    """Raises SetupError when the set-up cannot be started; an illegal action is a result."""
    start = state = engine.start(setup)
    steps: list[Step] = []
    refusal = None
    for action in actions:
        try:
            step = engine.step(state, action)
        except IllegalAction as illegal:
            refusal = Refusal(illegal.rule, illegal.code, illegal.detail)
            break
        steps.append(step)
        state = step.state
    return Replayed(start, tuple(steps), len(steps) + 1 if refusal else None, refusal, engine.is_over(state), engine.score(state))
