"""Rare events, each with a way to make it happen: what uniform play hardly ever meets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from patchwork_ref.engine import Engine
from patchwork_ref.engine.compile import Option
from patchwork_ref.engine.policies import POLICIES, Policy
from patchwork_ref.lang.types import Type
from patchwork_ref.machine.model import Machine, Patch
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup, customised
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import bits, placements, squares
from patchwork_ref.strategies.common import constant, flips_of

ATTEMPTS = 80
"""Games that are tried for one example before it is given up."""


@dataclass(frozen=True, slots=True)
class Table:
    """A set-up, the engine (perhaps with custom numbers) and a way to play."""

    engine: Engine
    setup: Setup
    choose: Policy


@dataclass(frozen=True, slots=True)
class Goal:
    """``tables`` lays out games in which it may happen; ``reached`` tells from the states whether it did."""

    says: str
    tables: Callable[[Engine, random.Random], Iterator[Table]]
    reached: Callable[[Engine, Sequence[State]], bool]


def spaces(machine: Machine, word: str) -> tuple[int, ...]:
    """The marks of the kind whose place in the set-up message has this word."""
    for found in machine.constants.values():
        if found.type == Type.SPACES and found.sends is not None and found.sends.endswith(word) and isinstance(found.value, tuple):
            return tuple(int(s) for s in found.value)
    return ()


def renumbered(machine: Machine, numbers: Mapping[str, Any]) -> Machine:
    """The Machine with constants replaced by their place in the set-up message (``time_board.last``)."""
    message: dict[str, Any] = {}
    for path, value in numbers.items():
        owner, dot, name = path.rpartition(".")
        if dot:
            message.setdefault(owner, {})[name] = value
        else:
            message[name] = value
    return customised(machine, message)


def _shuffled(engine: Engine, source: random.Random) -> Setup:
    names = [p.name for p in engine.machine.regular]
    source.shuffle(names)
    return Setup(tuple(names), source.choice((None, 0)), source.randrange(2))


# Two income spaces in one move


def _crossed(engine: Engine, before: State, after: State) -> int:
    """The most income spaces that a player has reached or passed from one state to the next."""
    marks = spaces(engine.machine, "income")
    return max(sum(before.number("space", who) < m <= after.number("space", who) for m in marks) for who in (0, 1))


def _leap(engine: Engine, state: State, options: list[Option], source: random.Random) -> tuple[Option, int]:
    """Crosses two if it can; else goes so far that the other player, one space further on, does; else as chance has it."""
    marks, me = spaces(engine.machine, "income"), state.number("turn")
    behind = state.number("space", 1 - me)
    good: list[tuple[Option, int]] = []
    for option in options:
        bit = (option[3] & -option[3]).bit_length() - 1
        after = _after(engine, state, option, bit)
        if _crossed(engine, state, after) > 1:
            return option, bit
        if after.get("turn") != me and sum(behind < m <= after.number("space", me) + 1 for m in marks) > 1:
            good.append((option, bit))
    if good:
        return source.choice(good)
    option = source.choice(options)
    return option, (option[3] & -option[3]).bit_length() - 1


def _after(engine: Engine, state: State, option: Option, bit: int) -> State:
    return State(engine.backend.run(option[0], state.values, option[1], option[2].masks[bit] if option[2] is not None else None), engine.layout)


def _leaps(engine: Engine, source: random.Random) -> Iterator[Table]:
    while True:
        yield Table(engine, _shuffled(engine, source), _leap)


def _leapt(engine: Engine, states: Sequence[State]) -> bool:
    return any(_crossed(engine, a, b) > 1 for a, b in pairwise(states))


# The special tile


def _squares(engine: Engine, source: random.Random) -> Iterator[Table]:
    """Cheap patches that fill a square of the asked size first in the circle; the first player waits until each can be paid."""
    machine = engine.machine
    windows = squares(machine.board, constant(machine, "tile_side", 1))
    while windows:
        window = windows[source.randrange(len(windows))]
        plan = filling(machine, source, window)
        if plan is None:
            continue
        planned = sorted((p for p, _ in plan), key=lambda p: p.numbers["cost"] - 3 * p.numbers["income"])
        rest = [p for p in machine.regular if p not in planned]
        source.shuffle(rest)
        yield Table(engine, Setup(tuple(p.name for p in (*planned, *rest)), 0, 0), _sewing({p.name: m for p, m in plan}))


def _tile(engine: Engine, states: Sequence[State]) -> bool:
    return any(bool(states[-1].get("special_tile", who)) for who in (0, 1))


# Fewer patches than are on offer


def _few(engine: Engine, source: random.Random) -> Iterator[Table]:
    offer = constant(engine.machine, "offer_size", 1)
    cheap = sorted(engine.machine.regular, key=lambda p: p.numbers["cost"])[: 4 * offer]
    while True:
        names = [p.name for p in source.sample(cheap, offer + source.randrange(3))]
        yield Table(engine, Setup(tuple(names), 0, source.randrange(2)), POLICIES["frugal"])


def _short(engine: Engine, states: Sequence[State]) -> bool:
    offer = constant(engine.machine, "offer_size", 1)
    return any(len(s.circle()) < offer for s in states[:-1])


# A full quilt


def filling(machine: Machine, source: random.Random, window: int | None = None, nodes: int = 20_000) -> list[tuple[Patch, int]] | None:
    """Different patches that fill a set of cells (the whole quilt board) exactly, with their places; None when this
    attempt found none. Those that take little time for their cells come first."""
    board, flips = machine.board, flips_of(machine)
    whole = board.full if window is None else window
    table: dict[int, list[tuple[Patch, int]]] = {}
    for patch in machine.regular:
        for mask in placements(patch.shape, board, flips):
            if not mask & ~whole:
                table.setdefault((mask & -mask).bit_length() - 1, []).append((patch, mask))
    for found in table.values():
        found.sort(key=lambda f: (f[0].numbers["time"] + f[0].numbers["cost"] / 2) / len(f[0].shape) + source.random())
    left = [nodes]

    def search(open_cells: int, used: tuple[tuple[Patch, int], ...]) -> tuple[tuple[Patch, int], ...] | None:
        if not open_cells:
            return used
        left[0] -= 1
        if left[0] < 0:
            return None
        names = {p.name for p, _ in used}
        for patch, mask in table.get((open_cells & -open_cells).bit_length() - 1, ()):
            if not mask & ~open_cells and patch.name not in names and (deeper := search(open_cells ^ mask, (*used, (patch, mask)))) is not None:
                return deeper
        return None

    result = search(whole, ())
    return list(result) if result is not None else None


def _full_tables(engine: Engine, source: random.Random) -> Iterator[Table]:
    """The planned patches first in the circle, buttons enough for all, and a special patch waiting behind the last of them."""
    last = constant(engine.machine, "last_space", 1)
    while True:
        plan = filling(engine.machine, source)
        if plan is None:
            yield from ()
            continue
        need = sum(p.numbers["time"] for p, _ in plan)
        if need > last - 3:
            continue
        machine = renumbered(engine.machine, {"start_buttons": sum(p.numbers["cost"] for p, _ in plan), "time_board.special": [need + 2]})
        planned = [p.name for p, _ in plan]
        rest = [p.name for p in engine.machine.regular if p.name not in planned]
        yield Table(Engine(machine), Setup((*planned, *rest), 0, 0), _sewing({p.name: m for p, m in plan}))


def _sewing(plan: Mapping[str, int]) -> Policy:
    wanted = sum(plan.values())

    def choose(engine: Engine, state: State, options: list[Option], source: random.Random) -> tuple[Option, int]:
        if state.get("turn") == 0:
            for option in options:
                if option[1] is not None and option[2] is not None:
                    mask = plan.get(engine.machine.patches[option[1]].name)
                    bit = option[2].index.get(mask) if mask is not None else None
                    if bit is not None and option[3] >> bit & 1:
                        return option, bit
        special = next((o for o in options if o[1] is None and o[2] is not None), None)
        if special is not None and special[2] is not None:
            apart = [bit for bit in bits(special[3]) if not special[2].masks[bit] & wanted]
            return special, apart[0] if apart else next(bits(special[3]))
        return POLICIES["advance"](engine, state, options, source)

    return choose


def _filled(engine: Engine, states: Sequence[State]) -> bool:
    return any(s.get("quilt", who) == engine.machine.board.full for s in states for who in (0, 1))


# A tie


def _any(engine: Engine, source: random.Random) -> Iterator[Table]:
    while True:
        yield Table(engine, _shuffled(engine, source), POLICIES["random"])


def _level(engine: Engine, states: Sequence[State]) -> bool:
    totals = engine.backend.totals(states[-1].values)
    return engine.is_over(states[-1]) and totals[0] == totals[1]


GOALS: Mapping[str, Goal] = {
    "two-income-spaces": Goal("a move reaches or passes two income spaces", _leaps, _leapt),
    "special-tile": Goal("a player wins the special tile", _squares, _tile),
    "short-circle": Goal("fewer patches are left than are on offer", _few, _short),
    "full-quilt": Goal("a quilt is filled to the last cell (custom set-up)", _full_tables, _filled),
    "tie": Goal("both final scores are equal", _any, _level),
}
"""What ``games(reaching=...)`` can make happen."""


def attempt(table: Table, source: random.Random, longest: int) -> tuple[list[Action], list[State]]:
    """One game on a table: its actions and its states."""
    engine, state = table.engine, table.engine.start(table.setup)
    actions: list[Action] = []
    states = [state]
    for _ in range(longest):
        options = engine.backend.options(state.values)
        if not options:
            break
        option, bit = table.choose(engine, state, options, source)
        actions.append(engine.action(option, bit))
        state = _after(engine, state, option, bit)
        states.append(state)
    return actions, states
