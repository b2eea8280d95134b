"""The shortest game in which a mutant breaks a declared property, searched breadth first from tables of choice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from patchwork_ref.engine import Engine
from patchwork_ref.engine.properties import PropertyChecker
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup, customised, setup_message
from patchwork_ref.machine.state import State
from patchwork_ref.mutation.playing import renumbered
from patchwork_ref.polyomino import FILLED, bits
from patchwork_ref.suite.witnesses import chosen_setups

DEPTH = 5
"""Actions; what no shorter game breaks is given up."""


@dataclass(frozen=True, slots=True)
class Breach:
    """After ``actions`` from ``setup`` (with ``numbers`` of a custom set-up) the property does not hold."""

    declared: str
    setup: Setup
    actions: tuple[Action, ...]
    numbers: Mapping[str, Any] = field(default_factory=dict)


def shortest_breach(own: Machine, changed: Machine, declared: str, depth: int = DEPTH) -> Breach | None:
    """The first of the shortest games on ``tables`` in which the mutant breaks the property and the rulebook, as far as it
    allows the same actions, does not; None when no game up to ``depth`` actions is one. Of each patch the first placement
    alone is tried."""
    level: list[tuple[_Table, State, tuple[Action, ...]]] = []
    for table in tables(own, changed):
        for setup in table.setups:
            state = table.engine.start(setup)
            if declared in table.checker.start(state):
                return Breach(declared, setup, (), table.numbers)
            level.append((table.laid(setup), state, ()))
    for _ in range(depth):
        following = []
        for table, state, actions in level:
            for action, after in table.following(state):
                if declared in table.violated(state, action, after):
                    found = Breach(declared, table.setups[0], (*actions, action), table.numbers)
                    if declared not in kept(own, found):
                        return found
                following.append((table, after, (*actions, action)))
        level = following
    return None


def violated(engine: Engine, checker: PropertyChecker, setup: Setup, actions: Sequence[Action]) -> frozenset[str]:
    """What a game violates after its last action, first states included. Raises IllegalAction."""
    states = [engine.start(setup)]
    for action in actions:
        states.append(engine.apply(states[-1], action))
    found = {*checker.start(states[0])} if not actions else {*checker.step(states[-2], actions[-1], states[-1]), *checker.state(states[-1])}
    return frozenset(found | ({*checker.finish(states[-1])} if engine.is_over(states[-1]) else set()))


def kept(own: Machine, breach: Breach) -> frozenset[str]:
    """What the game violates under the rulebook itself, up to the first action that it refuses."""
    machine = customised(own, breach.numbers)
    engine = Engine(machine)
    state, played = engine.start(breach.setup), 0
    while played < len(breach.actions) and engine.explain(state, breach.actions[played]) is None:
        state, played = engine.apply(state, breach.actions[played]), played + 1
    return violated(engine, PropertyChecker(machine), breach.setup, breach.actions[:played])


@dataclass(frozen=True, slots=True)
class _Table:
    engine: Engine
    checker: PropertyChecker
    setups: tuple[Setup, ...]
    numbers: Mapping[str, Any]

    def laid(self, setup: Setup) -> _Table:
        return _Table(self.engine, self.checker, (setup,), self.numbers)

    def following(self, state: State) -> Iterator[tuple[Action, State]]:
        for form, patch, places, found in self.engine.backend.options(state.values):
            bit = next(bits(found)) if places is not None else 0
            after = self.engine.backend.run(form, state.values, patch, places.masks[bit] if places is not None else None)
            yield self.engine.action((form, patch, places, found), bit), State(after, self.engine.layout)

    def violated(self, before: State, action: Action, after: State) -> set[str]:
        found = {*self.checker.step(before, action, after), *self.checker.state(after)}
        return found | ({*self.checker.finish(after)} if self.engine.is_over(after) else set())


def tables(own: Machine, changed: Machine) -> Iterator[_Table]:
    """The mutant under the rulebook's own numbers, and under others in which what is rare happens at once."""
    for numbers in ({}, *chosen_numbers(own)):
        try:
            machine = renumbered(changed, own, numbers)
            engine = Engine(machine)
            yield _Table(engine, PropertyChecker(machine), tuple(chosen_setups(engine)), numbers)
        except PatchworkRefError:  # numbers that the mutant cannot take
            continue


def chosen_numbers(machine: Machine) -> Iterator[dict[str, Any]]:
    """Time boards of one, two and eight spaces full of marks; a square of one cell; a patch that fills the quilt board; and
    the combinations of these, those with fewer changes first."""
    own: Mapping[str, Any] = setup_message(machine, Setup(()))
    boards = [{"time_board": {"last": last, "income": list(range(1, last + 1)), "special": list(range(1, min(last, 4)))}} for last in (1, 2, 8)]
    squares = [{"special_tile": {**own["special_tile"], "side": 1}}] if "special_tile" in own else []
    names = [p.name for p in machine.regular][:3]
    whole = {"shape": [FILLED * machine.board.columns] * machine.board.rows, "cost": 0, "time": 1, "income": 1}
    filling = {"patches": {name: whole if name == names[0] else own["patches"][name] for name in names}}
    found: list[dict[str, Any]] = []
    for parts in product(({}, *boards), ({}, *squares), ({}, filling)):
        merged: dict[str, Any] = {}
        for part in parts:
            merged |= part
        found.append(merged)
    yield from sorted((numbers for numbers in found if numbers), key=len)
