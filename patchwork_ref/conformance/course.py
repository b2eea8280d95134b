"""What must happen: a fixture's actions under one Machine, with the state and the fired rules after each.

Expectations come from the reference, so a game recorded under one choice of readings can be judged under another: it
then ends at the first action that those rules refuse, and that refusal is what is expected there.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.perft import perft
from patchwork_ref.engine.policies import LONGEST, advance
from patchwork_ref.engine.tables import Table
from patchwork_ref.fixtures import model as fixtures
from patchwork_ref.fixtures.model import Fixture
from patchwork_ref.machine.observe import observed
from patchwork_ref.machine.play import Action, Refusal, Score, Step
from patchwork_ref.machine.setup import Setup, setup_message
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import bits, cells_of


@dataclass(frozen=True, slots=True)
class Do:
    """A legal action. ``number`` counts the legal actions of the game from 1."""

    number: int
    action: Action


@dataclass(frozen=True, slots=True)
class Refuse:
    """An action that must be rejected after ``number`` legal ones."""

    number: int
    action: Action


@dataclass(frozen=True, slots=True)
class Legal:
    """The legal actions after ``number`` actions must be exactly the reference's."""

    number: int


@dataclass(frozen=True, slots=True)
class Perft:
    number: int
    depth: int


Task = Do | Refuse | Legal | Perft


Key = tuple[str, str | None, tuple[int, ...] | None]
"""An action as plain values: type, patch, ascending cells."""


@cache
def _places(table: Table) -> tuple[tuple[int, ...], ...]:
    return tuple(cells_of(mask) for mask in table.masks)


@dataclass(frozen=True)
class Course:
    """One case for an engine: a set-up and tasks in order. Everything expected is worked out when asked for."""

    name: str
    engine: Engine
    setup: Setup
    tasks: tuple[Task, ...]
    tells_token: bool = True

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        return tuple(task.action for task in self.tasks if isinstance(task, Do))

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The first state, and that after each legal action."""
        found = [self.engine.start(self.setup)]
        for action in self.actions:
            found.append(self.engine.apply(found[-1], action))
        return tuple(found)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every legal action with its state and the rules that fired: what is asked for only where something differs."""
        return tuple(self.engine.step(state, action) for state, action in zip(self.states, self.actions, strict=False))

    @property
    def start(self) -> State:
        return self.states[0]

    def state(self, number: int) -> State:
        """After so many actions."""
        return self.states[number]

    def seen(self, number: int) -> dict[str, Any]:
        """The protocol's state after so many actions."""
        state = self.state(number)
        return observed(self.engine.machine, state, self.engine.is_over(state))

    def refusal(self, task: Refuse) -> Refusal | None:
        return self.engine.explain(self.state(task.number), task.action)

    def legal(self, number: int) -> frozenset[Action]:
        return frozenset(self.engine.legal(self.state(number)))

    def listed(self, number: int) -> frozenset[Key]:
        """The same as plain values, without making an Action of each."""
        found: list[Key] = []
        for option in self.engine.backend.options(self.state(number).values):
            form, patch, table, held = option
            entry = self.engine.machine.actions[form]
            name = self.engine.machine.patches[patch].name if patch is not None else None
            if table is None:
                found.append((entry.type, name, () if entry.discards else None))
            elif held == table.all:
                found += [(entry.type, name, place) for place in _places(table)]
            else:
                places = _places(table)
                found += [(entry.type, name, places[bit]) for bit in bits(held)]
        return frozenset(found)

    def nodes(self, task: Perft) -> int:
        return perft(self.engine, self.state(task.number), task.depth)

    @property
    def over(self) -> bool:
        """Whether the game is over after all actions."""
        return self.engine.is_over(self.state(len(self.actions)))

    @property
    def score(self) -> Score:
        return self.engine.score(self.state(len(self.actions)))

    @property
    def told_by(self) -> Course:
        """The case whose set-up is sent to the engine: this one."""
        return self

    @property
    def placed(self) -> Setup:
        """The set-up with the token's place, where that is told."""
        setup = self.setup
        if self.tells_token and setup.neutral_token is None:
            return Setup(setup.circle, self.engine.neutral_token(setup), setup.first_player)
        return setup

    @property
    def message(self) -> dict[str, Any]:
        """The protocol's ``setup`` for this case."""
        return setup_message(self.told_by.engine.machine, self.told_by.placed)

    def ended(self) -> Course:
        """The same case played on to the end of the game with as few choices as there are: for engines of which only
        the score can be seen."""
        state, tasks, done = self.state(len(self.actions)), list(self.tasks), len(self.actions)
        source = random.Random(0)
        while done < LONGEST and (options := self.engine.backend.options(state.values)):
            action = self.engine.action(*advance(self.engine, state, options, source))
            state, done = self.engine.apply(state, action), done + 1
            tasks.append(Do(done, action))
        return replace(self, tasks=tuple(tasks))

    def cut(self, number: int) -> Course:
        """The same case with only its first actions, and the tasks that stand among or right after them."""
        kept = tuple(t for t in self.tasks if t.number < number or (isinstance(t, Do) and t.number == number))
        return replace(self, tasks=kept)


def course(name: str, engine: Engine, setup: Setup, actions: Sequence[Action], tells_token: bool = True) -> Course:
    """A plain game as a case; it ends with the first action that the engine's rules refuse, if there is one."""
    return _judged(name, engine, setup, [("do", a) for a in actions], tells_token)


def course_of_steps(name: str, engine: Engine, setup: Setup, steps: Sequence[dict[str, Any]], tells_token: bool = True) -> Course:
    """A fixture's steps as a case, judged by this engine's rules."""
    from patchwork_ref.machine.codec import action_from_json

    read: list[tuple[str, Any]] = []
    for step in steps:
        if "action" in step:
            read.append(("do", action_from_json(step["action"])))
        elif "refuse" in step:
            read.append(("refuse", action_from_json(step["refuse"])))
        elif "legal" in step:
            read.append(("legal", None))
        elif "perft" in step:
            read.append(("perft", int(step["perft"]["depth"])))
    return _judged(name, engine, setup, read, tells_token)


def course_of_fixture(engine: Engine, fixture: Fixture) -> Course:
    """A fixture as a case, judged by this engine's rules."""
    read: list[tuple[str, Any]] = []
    for step in fixture.steps:
        match step:
            case fixtures.Play():
                read.append(("do", step.action))
            case fixtures.Refuse():
                read.append(("refuse", step.action))
            case fixtures.Legal():
                read.append(("legal", None))
            case fixtures.Perft():
                read.append(("perft", step.depth))
    return _judged(fixture.id, engine, fixture.setup, read, fixture.setup.neutral_token is not None)


def _judged(name: str, engine: Engine, setup: Setup, read: Sequence[tuple[str, Any]], tells_token: bool) -> Course:
    states = [engine.start(setup)]
    tasks: list[Task] = []
    for kind, value in read:
        number = len(states) - 1
        if kind == "do":
            after = engine.attempt(states[-1], value)
            if after is None:
                tasks.append(Refuse(number, value))
                break
            states.append(after)
            tasks.append(Do(number + 1, value))
        elif kind == "refuse":
            if engine.explain(states[-1], value) is not None:
                tasks.append(Refuse(number, value))
        else:
            tasks.append(Legal(number) if kind == "legal" else Perft(number, value))
    found = Course(name, engine, setup, tuple(tasks), tells_token)
    found.__dict__["states"] = tuple(states)  # as ``states`` would work them out again
    return found
