"""Fixtures made ready for replay: the reference's values after every action, worked out once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from patchwork_ref.engine import Engine
from patchwork_ref.engine.compile import Option
from patchwork_ref.fixtures.judge import Judge
from patchwork_ref.fixtures.model import Fixture, Legal, Perft, Play, Refuse
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import State, Values
from patchwork_ref.rulebook.model import Rulebook

Choice = tuple[int, int | None, int | None]
"""An action as a back end takes it: form, patch, cells."""

Group = tuple[tuple[tuple[str, str], ...], str]
"""Readings and the numbers of a custom set-up (JSON): cases of one group are played by one Machine."""


@dataclass(frozen=True, slots=True)
class Played:
    action: Action
    choice: Choice
    after: Values
    over: bool


@dataclass(frozen=True, slots=True)
class Refused:
    action: Action
    choice: Choice | None  # None when it names what no rulebook has
    rule: str = ""  # that refuses it


@dataclass(frozen=True, slots=True)
class Listed:
    count: int
    digest: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    depth: int
    nodes: int


Task = Played | Refused | Listed | Counted


@dataclass(frozen=True)
class Case:
    """One fixture with the reference's answers. ``engine`` is the reference under the fixture's readings and numbers."""

    name: str
    group: Group
    readings: Mapping[str, str]
    numbers: Mapping[str, Any] = field(compare=False)
    engine: Engine = field(compare=False, repr=False)
    setup: Setup
    start: Values
    over: bool
    tasks: tuple[Task, ...]
    end: tuple[tuple[int, int], int | None] | None
    rules: tuple[str, ...] = ()
    required: bool = True  # of every engine: level must, the default ruleset, no custom set-up

    @property
    def length(self) -> int:
        """How many actions are played."""
        return sum(isinstance(task, Played) for task in self.tasks)

    @property
    def cost(self) -> int:
        """Roughly how much an engine has to do: actions, attempts and lists."""
        return 1 + sum(4 if isinstance(task, Listed) else 40 if isinstance(task, Counted) else 1 for task in self.tasks)


def cases_of(fixtures: Iterable[Fixture], rulebook: Rulebook) -> tuple[Case, ...]:
    """The fixtures as this rulebook plays them. Raises ChoiceError, RulebookError, SetupError."""
    judge = Judge(rulebook)
    engines: dict[Group, Engine] = {}
    found = []
    for fixture in fixtures:
        readings = dict(rulebook.readings(fixture.ruleset, fixture.readings))
        group = (tuple(sorted(readings.items())), json.dumps(fixture.numbers and dict(fixture.numbers), sort_keys=True, default=dict))
        if group not in engines:
            engines[group] = judge.engine(fixture.ruleset, fixture.readings, fixture.numbers)
        found.append(case_of(fixture, group, readings, engines[group]))
    return tuple(found)


def case_of(fixture: Fixture, group: Group, readings: Mapping[str, str], engine: Engine) -> Case:
    start = state = engine.start(fixture.setup)
    tasks: list[Task] = []
    for step in fixture.steps:
        match step:
            case Play():
                choice = resolved(engine, state, step.action)
                assert choice is not None
                state = State(engine.backend.run(choice[0], state.values, choice[1], choice[2]), engine.layout)
                tasks.append(Played(step.action, choice, state.values, engine.is_over(state)))
            case Refuse():
                tasks.append(Refused(step.action, resolved(engine, state, step.action), step.rule))
            case Legal():
                tasks.append(Listed(step.count, step.digest, tuple(engine.backend.options(state.values))))
            case Perft():
                tasks.append(Counted(step.depth, step.nodes))
    end = (engine.backend.totals(state.values), engine.backend.winner(state.values)) if engine.is_over(state) else None
    required = fixture.level == "must" and not fixture.readings and not fixture.custom and fixture.ruleset == "revised"
    return Case(fixture.id, group, readings, fixture.numbers, engine, fixture.setup, start.values, engine.is_over(start), tuple(tasks), end, fixture.rules, required)


def resolved(engine: Engine, state: State, action: Action) -> Choice | None:
    """The action as numbers; None when a part of it is nothing that this engine's rulebook has."""
    forms = [i for i, f in enumerate(engine.machine.actions) if f.type == action.type]
    if not forms:
        return None
    bare = [i for i in forms if engine.machine.actions[i].discards]
    form = bare[0] if bare and action.cells == () else next((i for i in forms if i not in bare), forms[0])
    patch: int | None = None
    cells: int | None = None
    for name, _ in engine.machine.actions[form].choices:
        if name == "patch":
            patch = engine.machine.number(action.patch or "")
            if patch is None:
                return None
        else:
            given = action.cells or ()
            if len(set(given)) != len(given) or any(not 0 <= c < engine.machine.board.cells for c in given):
                return None
            cells = sum(1 << c for c in given)
    return form, patch, cells
