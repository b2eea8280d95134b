"""Games that reach a violated property: random and guided play with the engine, then shortened.

A refuted induction step is a state that may never occur. A game that reaches one, replayed by the engine, settles it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection, Iterator

from patchwork_ref.engine import Engine
from patchwork_ref.engine.compile import Option
from patchwork_ref.engine.properties import PropertyChecker
from patchwork_ref.errors import IllegalAction
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action, Trace
from patchwork_ref.machine.setup import Setup, shuffled
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import Board, bits

Policy = Callable[["Player", State, list[Option]], tuple[Option, int]]
LONGEST_GAME = 1_000
"""Actions; a changed rulebook can be endless."""
SAMPLE = 80
"""Placements that a policy looks at in one option."""


class Player:
    """Plays games of one machine and watches its properties."""

    def __init__(self, machine: Machine, seed: int) -> None:
        self.machine, self.engine, self.checker = machine, Engine(machine), PropertyChecker(machine)
        self.random = random.Random(seed)
        self.contact = _Contact(machine.board)

    def game(self, setup: Setup, policies: tuple[Policy, Policy]) -> Iterator[tuple[str, tuple[Action, ...]]]:
        """One game; each violated property with the actions so far, as it is found."""
        state = self.engine.start(setup)
        actions: list[Action] = []
        yield from ((name, ()) for name in self.checker.start(state))
        while not self.engine.is_over(state) and len(actions) < LONGEST_GAME:
            options = self.engine.backend.options(state.values)
            if not options:
                return
            option, index = policies[state.number("turn")](self, state, options)
            action = self.engine.action(option, index)
            after = self.engine.apply(state, action)
            actions.append(action)
            for name in (*self.checker.step(state, action, after), *self.checker.state(after)):
                yield name, tuple(actions)
            state = after
        if self.engine.is_over(state):
            yield from ((name, tuple(actions)) for name in self.checker.finish(state))

    def violates(self, setup: Setup, actions: Collection[Action], name: str) -> tuple[Action, ...] | None:
        """The actions up to where the property is first violated, leaving out those that are illegal; None if it never is."""
        state = self.engine.start(setup)
        if name in self.checker.start(state):
            return ()
        kept: list[Action] = []
        for action in actions:
            try:
                after = self.engine.apply(state, action)
            except IllegalAction:
                continue
            kept.append(action)
            if name in self.checker.step(state, action, after) or name in self.checker.state(after):
                return tuple(kept)
            state = after
        return tuple(kept) if self.engine.is_over(state) and name in self.checker.finish(state) else None


def uniform(player: Player, state: State, options: list[Option]) -> tuple[Option, int]:
    """Any kind of action, any placement."""
    option = player.random.choice(options)
    return option, player.random.choice(list(bits(option[3]))) if option[3] != 1 else 0


def advancer(player: Player, state: State, options: list[Option]) -> tuple[Option, int]:
    """What needs no patch of the circle, when it can be had."""
    plain = [o for o in options if player.machine.actions[o[0]].name != "buy" and o[1] is None]
    return uniform(player, state, plain or options)


def buyer(player: Player, state: State, options: list[Option]) -> tuple[Option, int]:
    """Buys whenever it can, and sews where there is most contact."""
    buys = [o for o in options if o[1] is not None]
    return _packed(player, state, player.random.choice(buys or options))


def earner(player: Player, state: State, options: list[Option]) -> tuple[Option, int]:
    """Buys what pays most for the time that is left."""
    last = player.machine.constants["last_space"].value
    left = int(last) - state.number("space", state.number("turn")) if isinstance(last, int) else 0

    def worth(option: Option) -> float:
        if option[1] is None:
            return 0.0
        numbers = player.machine.patches[option[1]].numbers
        return numbers["income"] * left / 6 - 0.8 * numbers["cost"] - numbers["time"]

    return _packed(player, state, max(options, key=worth))


def filler(player: Player, state: State, options: list[Option]) -> tuple[Option, int]:
    """Buys the most cells for the least time and sews tightly: makes full squares."""
    def cells(option: Option) -> float:
        if option[1] is None:
            return 0.5
        patch = player.machine.patches[option[1]]
        return len(patch.shape) - patch.numbers["time"] * 0.7 + player.random.random()

    return _packed(player, state, max(options, key=cells))


def _packed(player: Player, state: State, option: Option) -> tuple[Option, int]:
    """The placement with most contact to what is sewn on and to the border, near a corner."""
    _, _, table, free = option
    if table is None:
        return option, 0
    quilt, choices = state.number("quilt", state.number("turn")), list(bits(free))
    if len(choices) > SAMPLE:
        choices = player.random.sample(choices, SAMPLE)
    return option, max(choices, key=lambda k: player.contact.score(table.masks[k], quilt))


class _Contact:
    """How much of a placement's outline touches filled cells or the border."""

    def __init__(self, board: Board) -> None:
        self.columns = board.columns
        self.left = sum(1 << row * board.columns for row in range(board.rows))
        self.right = self.left << board.columns - 1
        self.top = (1 << board.columns) - 1
        self.bottom = self.top << board.columns * (board.rows - 1)
        self.near = [r + c for r in range(board.rows) for c in range(board.columns)]

    def score(self, mask: int, quilt: int) -> float:
        touching = (mask << self.columns & quilt).bit_count() + (mask >> self.columns & quilt).bit_count()
        touching += ((mask & ~self.right) << 1 & quilt).bit_count() + ((mask & ~self.left) >> 1 & quilt).bit_count()
        border = (mask & self.left).bit_count() + (mask & self.top).bit_count()
        far = (mask & self.right).bit_count() + (mask & self.bottom).bit_count()
        return touching + border - 0.5 * far - 0.12 * sum(self.near[cell] for cell in bits(mask)) / mask.bit_count()


MIXES: tuple[tuple[Policy, Policy], ...] = (
    (uniform, uniform), (earner, earner), (filler, filler), (advancer, advancer), (buyer, buyer), (earner, earner), (filler, advancer), (uniform, buyer),
)
"""Who plays whom, in turn: ordinary games, rich ones, full quilts, no purchases, many purchases."""


def reach(machine: Machine, names: Collection[str], seconds: float = 5.0, seed: int = 0) -> dict[str, Trace]:
    """For each property that play violates within the time, the shortest game found, shortened and replayed.

    A property that is missing was not reached, which proves nothing.
    """
    player, wanted, found = Player(machine, seed), set(names), dict[str, tuple[Setup, tuple[Action, ...]]]()
    end, number, extra = time.perf_counter() + seconds, 0, 0
    while time.perf_counter() < end and wanted and extra < len(MIXES):
        setup = shuffled(machine, f"{seed} {number}")
        for name, actions in player.game(setup, MIXES[number % len(MIXES)]):
            if name in wanted and (name not in found or len(actions) < len(found[name][1])):
                found[name] = (setup, actions)
        number += 1
        extra += set(found) == wanted
    traces = {}
    for name, (setup, actions) in found.items():
        kept = shortened(player, setup, actions, name)
        traces[name] = Trace(machine.ruleset, dict(machine.readings), setup, kept, seed=seed)
    return traces


def shortened(player: Player, setup: Setup, actions: tuple[Action, ...], name: str) -> tuple[Action, ...]:
    """Fewer actions that still violate the property: single actions and runs are left out as long as that works."""
    best = player.violates(setup, actions, name) or actions
    size = max(len(best) // 2, 1)
    while size:
        start = 0
        while start < len(best):
            shorter = player.violates(setup, best[:start] + best[start + size:], name)
            if shorter is not None and len(shorter) < len(best):
                best = shorter
            else:
                start += size
        size //= 2
    return best


def replayed(machine: Machine, trace: Trace, name: str) -> bool:
    """Whether the engine, playing a trace, comes to violate the property at its last action."""
    found = Player(machine, 0).violates(trace.setup, trace.actions, name)
    return found is not None and len(found) == len(trace.actions)

