"""Short games to ends that no step-by-step search comes upon: a filled square, and a level score.

A square is planned backwards: patches that fill it exactly, and then the quickest order in which one player can pay for
them while the other one makes time. Level scores are looked for among short games at random.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from patchwork_ref.conformance.games import Game
from patchwork_ref.engine.compile import Option
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.fold import expanded
from patchwork_ref.engine.tables import table as table_of
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.walk import nodes, targets
from patchwork_ref.machine.model import Step
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import State, Values
from patchwork_ref.polyomino import cells_of, squares

WIDTH = 60
"""Moments of each length that are kept while an order is looked for."""
TILINGS, NODES = 12, 4000
"""Plans that are made for each round, and the effort for one."""
PATIENCE = 6.0
"""Seconds without a game after which none is looked for any more."""
OTHERS = 5
"""Patches that the other player may take, those with most time."""


def square_behind(engine: Engine, rule: str) -> int | None:
    """The side of the square that must be filled before a rule does anything: a step that waits for it, or a part of the
    score that reads what such a step writes. None for all others."""
    machine = engine.machine
    side = fills_square(engine, rule)
    if side is not None or rule in machine.rules:
        return side
    read = {node.name for d in machine.definitions.values() if d.rule == rule for node in nodes(d.body) if isinstance(node, t.OfPlayer)}
    for name, step in machine.rules.items():
        if isinstance(step, Step) and read & {target.name for effect in step.does for target in targets(effect)} and (side := fills_square(engine, name)) is not None:
            return side
    return None


def fills_square(engine: Engine, rule: str) -> int | None:
    """The side of the square that a step of this name waits for; None when it waits for none."""
    found = engine.machine.rules.get(rule)
    for condition in found.when.values() if isinstance(found, Step) else ():
        for node in nodes(expanded(condition, engine.machine)):
            if isinstance(node, t.Call) and node.primitive == "filled_square":
                side = expanded(node.args[1], engine.machine)
                return side.value if isinstance(side, t.Integer) else None
    return None


Piece = tuple[int | None, int]
"""A patch's number (None for a special patch) and its cells as a mask."""


@dataclass(slots=True)
class _Node:
    values: Values
    waiting: frozenset[Piece]
    left: tuple[int, ...]
    parent: _Node | None = None
    action: Action | None = None

    def actions(self) -> tuple[Action, ...]:
        found, node = [], self
        while node.parent is not None and node.action is not None:
            found.append(node.action)
            node = node.parent
        return tuple(reversed(found))


class Planner:
    """Games in which player 0 fills a square."""

    def __init__(self, engine: Engine, side: int, circle: tuple[str, ...], by_special: bool, seed: int = 0) -> None:
        self.engine, self.machine, self.circle = engine, engine.machine, circle
        self.window, self.by_special = squares(engine.machine.board, side)[0], by_special
        self.source = random.Random(seed)
        self.forms = {form.type: number for number, form in enumerate(self.machine.actions) if not form.discards}
        self.places = engine.layout.places
        self.costs, self.times, self.income = ([p.numbers[key] for p in self.machine.patches] for key in ("cost", "time", "income"))
        self.flips = bool(self.machine.constants["flips"].value) if "flips" in self.machine.constants else True
        self.last = next((c.value for name, c in self.machine.constants.items() if name == "last_space" and isinstance(c.value, int)), 0)

    def games(self, shorter_than: Callable[[], int], deadline: float) -> Iterator[Game]:
        """Each shorter than is asked for then, until the time is up or none came for a while."""
        latest = time.monotonic()
        while time.monotonic() < min(deadline, latest + PATIENCE):
            plans = [plan for plan in (self._plan() for _ in range(TILINGS)) if plan is not None]
            for plan in sorted(plans, key=lambda plan: (len(plan), sum(self.costs[p] + self.times[p] for p, _ in plan if p is not None)))[: TILINGS // 3]:
                actions = self._scheduled(plan, shorter_than() - 1, deadline)
                if actions is not None:
                    latest = time.monotonic()
                    bought = [a.patch for a in actions if a.patch is not None]
                    yield Game(Setup(tuple(dict.fromkeys([*bought, *self.circle])), 0, 0), actions)

    def _plan(self) -> frozenset[Piece] | None:
        """Different patches that fill the square; one cell of it is left for a special patch where that must come last."""
        from patchwork_ref.strategies.goals import filling

        corner = 1 << self.source.choice(cells_of(self.window)) if self.by_special else 0
        found = filling(self.machine, self.source, self.window & ~corner, NODES)
        if found is None:
            return None
        numbers = {p.name: number for number, p in enumerate(self.machine.patches)}
        return frozenset([*((numbers[p.name], mask) for p, mask in found), *([(None, corner)] if corner else [])])

    def _scheduled(self, plan: frozenset[Piece], most: int, deadline: float) -> tuple[Action, ...] | None:
        start = self.engine.start(Setup(self.circle, 0, 0))
        own = {p for p, _ in plan}
        level = [_Node(start.values, plan, tuple(p for p in start.circle() if p not in own))]
        for depth in range(most):
            following: dict[object, _Node] = {}
            for node in level:
                if time.monotonic() > deadline:
                    return None
                for after in self._moves(node):
                    if not after.waiting:
                        return after.actions()
                    key = (after.waiting, *(v for at, v in enumerate(after.values) if at != self.places["circle", None]))
                    following.setdefault(key, after)
            level = sorted((n for n in following.values() if len(n.waiting) <= most - depth - 1), key=self._far)[:WIDTH]
            if not level:
                return None
        return None

    def _far(self, node: _Node) -> float:
        """How much is still to be done: a piece is an action, and so are some buttons that are not there yet."""
        state = State(node.values, self.engine.layout)
        buttons, income, space, rivals = (state.number(name, who) for name, who in (("buttons", 0), ("income", 0), ("space", 0), ("space", 1)))
        prices = sum(self.costs[p] for p, _ in node.waiting if p is not None)
        times = sum(self.times[p] for p, _ in node.waiting if p is not None)
        lacking = max(0, prices - buttons - 2 * income - max(0, rivals - space))
        return len(node.waiting) + lacking / 5 + max(0, times + space - self.last + 4)

    def _moves(self, node: _Node) -> Iterator[_Node]:
        values = node.values
        me = values[self.places["turn", None]]
        if me == 0:
            for piece in node.waiting:
                if piece[0] is None and len(node.waiting) > 1:
                    continue  # it is to be the last
                yield from self._tried(node, *piece, node.waiting - {piece})
        else:
            busy = sorted(node.left, key=lambda p: (self.costs[p] - self.times[p], p))[:OTHERS]
            quilt = values[self.places["quilt", 1]]
            assert isinstance(quilt, int)
            for patch in busy:
                free = table_of(self.machine.patches[patch].shape, self.machine.board, self.flips)
                bits = free.free(quilt)
                if bits:
                    yield from self._tried(node, patch, free.masks[(bits & -bits).bit_length() - 1], node.waiting)
            empty = ~quilt & (quilt + 1)
            yield from self._tried(node, None, empty, node.waiting)
        yield from self._tried(node, None, 0, node.waiting)

    def _tried(self, node: _Node, patch: int | None, cells: int, waiting: frozenset[Piece]) -> Iterator[_Node]:
        """An action if it is legal: a patch, a special patch (cells alone) or an advance (neither)."""
        kind = "buy" if patch is not None else "special" if cells else "advance"
        number = self.forms.get(kind)
        if number is None:
            return
        circle = tuple(dict.fromkeys([*([patch] if patch is not None else []), *[p for p, _ in waiting if p is not None][:3], *node.left[:3]]))
        at = self.places["circle", None]
        values = (*node.values[:at], circle, *node.values[at + 1 :])
        backend = self.engine.backend
        if backend.check(number, values, patch, cells or None) is not None:
            return
        after = backend.run(number, values, patch, cells or None)
        left = node.left if patch is None else tuple([p for p in node.left if p != patch])
        name = self.machine.patches[patch].name if patch is not None else None
        yield _Node(after, waiting, left, node, Action(kind, name, cells_of(cells) if cells else None))


def level_games(engine: Engine, shorter_than: Callable[[], int], deadline: float, seed: int = 0) -> Iterator[Game]:
    """Games that end level, each shorter than is asked for then: players who go far in few actions, on tables at random."""
    source, machine, backend = random.Random(seed), engine.machine, engine.backend
    names = [p.name for p in machine.regular]
    latest = time.monotonic()
    while time.monotonic() < min(deadline, latest + PATIENCE):
        source.shuffle(names)
        setup = Setup(tuple(names), 0, 0)
        values = engine.start(setup).values
        taken: list[tuple[Option, int]] = []
        while len(taken) < shorter_than() - 1 and (options := backend.options(values)):
            option = source.choices(options, [distance**2 + 0.5 for distance in _distances(engine, values, options)])[0]
            bit = (option[3] & -option[3]).bit_length() - 1
            taken.append((option, bit))
            values = backend.run(option[0], values, option[1], option[2].masks[bit] if option[2] is not None else None)
        if backend.over(values):
            totals = backend.totals(values)
            if totals[0] == totals[1]:
                latest = time.monotonic()
                yield Game(setup, tuple(engine.action(option, bit) for option, bit in taken))


def finished(engine: Engine, game: Game) -> Game:
    """The game played on to its end in few actions: always as far as it goes."""
    state, actions = engine.start(game.setup), list(game.actions)
    for action in actions:
        state = engine.apply(state, action)
    while options := engine.backend.options(state.values):
        _, option = max(zip(_distances(engine, state.values, options), options, strict=True), key=lambda pair: pair[0])
        actions.append(engine.action(option, (option[3] & -option[3]).bit_length() - 1))
        state = engine.apply(state, actions[-1])
    return Game(game.setup, tuple(actions))


def _distances(engine: Engine, values: Values, options: Sequence[Option]) -> list[int]:
    """How far each option goes on the time board."""
    state = State(values, engine.layout)
    me = state.number("turn")
    gap = state.number("space", 1 - me) - state.number("space", me) + 1
    return [engine.machine.patches[o[1]].numbers["time"] if o[1] is not None else gap if o[2] is None else 0 for o in options]
