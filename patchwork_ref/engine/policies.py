"""Ways to play, for whole games: each picks one of the options that a back end lists. All are repeatable by seed.

Uniform play hardly ever fills a square or crosses two income spaces in a move; the others reach what it does not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from patchwork_ref.engine.compile import Option
from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import InputError
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import bits, squares

LONGEST = 2000
"""Actions after which a game is given up; a changed rulebook can be endless."""

Policy = Callable[[Engine, State, list[Option], random.Random], tuple[Option, int]]
"""Picks an option and the bit of one of its placements (0 where it has none)."""


def nth_bit(mask: int, number: int) -> int:
    """The position of the set bit number ``number``, counted from 0."""
    low = 0
    width = mask.bit_length()
    while width > 1:
        half = width // 2
        lower = mask & ((1 << half) - 1)
        held = lower.bit_count()
        if number < held:
            mask, width = lower, half
        else:
            number, mask, low, width = number - held, mask >> half, low + half, width - half
    return low


def uniform(engine: Engine, state: State, options: list[Option], source: random.Random) -> tuple[Option, int]:
    """Every legal action is as likely as every other."""
    number = source.randrange(sum(option[3].bit_count() for option in options))
    for option in options:
        held = option[3].bit_count()
        if number < held:
            return option, nth_bit(option[3], number)
        number -= held
    raise AssertionError


def advance(engine: Engine, state: State, options: list[Option], source: random.Random) -> tuple[Option, int]:
    """Never buys: advances, and puts special patches on the first empty cell."""
    plain = [o for o in options if o[1] is None]
    return _lowest((plain or options)[0])


def greedy(engine: Engine, state: State, options: list[Option], source: random.Random) -> tuple[Option, int]:
    """Buys the patch that covers most cells, snug against what is there; advances when it can buy none."""
    return _buy(engine, state, options, source, lambda o: len(engine.machine.patches[o[1] or 0].shape))


def hoarder(engine: Engine, state: State, options: list[Option], source: random.Random) -> tuple[Option, int]:
    """Saves buttons, and buys only for income."""
    return _buy(engine, state, options, source, lambda o: 10 * _number(engine, o, "income") - _number(engine, o, "cost") - 12)


def frugal(engine: Engine, state: State, options: list[Option], source: random.Random) -> tuple[Option, int]:
    """Buys what costs least, and so buys often."""
    return _buy(engine, state, options, source, lambda o: 40 - _number(engine, o, "cost") - _number(engine, o, "time"))


def jumper(engine: Engine, state: State, options: list[Option], source: random.Random) -> tuple[Option, int]:
    """Takes the patch with the most time, so that moves cross much and leads grow."""
    return _buy(engine, state, options, source, lambda o: _number(engine, o, "time") + 1)


def square(engine: Engine, state: State, options: list[Option], source: random.Random) -> tuple[Option, int]:
    """Races to fill the square of the special tile in one corner."""
    side = engine.machine.constants["tile_side"].value if "tile_side" in engine.machine.constants else 1
    windows = squares(engine.machine.board, int(side) if isinstance(side, int) else 1)
    window = windows[0] if windows else engine.machine.board.full
    touched = _touched(engine, state)
    best: tuple[float, Option, int] | None = None
    for option in options:
        if option[2] is None:
            if best is None:
                best = (0.0, option, 0)
            continue
        for bit in _sample(option[3], 120, source):
            mask = option[2].masks[bit]
            inside, outside = (mask & window).bit_count(), (mask & ~window).bit_count()
            value = inside - 1.5 * outside + 0.02 * _contact(touched, mask)
            if option[1] is not None:
                value -= 0.05 * _number(engine, option, "cost") + 0.1 * _number(engine, option, "time")
            if best is None or value > best[0]:
                best = (value, option, bit)
    assert best is not None
    return best[1], best[2]


def mixed(engine: Engine, state: State, options: list[Option], source: random.Random) -> tuple[Option, int]:
    """Another policy for each action."""
    return source.choice([uniform, advance, greedy, hoarder, frugal, jumper, square])(engine, state, options, source)


POLICIES: Mapping[str, Policy] = {
    "random": uniform, "advance": advance, "greedy": greedy, "hoarder": hoarder, "frugal": frugal, "jumper": jumper, "square": square, "mixed": mixed,
}


def policy(name: str) -> Policy:
    """The policy with this name. Raises InputError."""
    if name not in POLICIES:
        raise InputError(f"no policy is called {name!r}; there are {', '.join(POLICIES)}")
    return POLICIES[name]


def played(engine: Engine, setup: Setup, choose: Policy, source: random.Random, longest: int = LONGEST) -> tuple[tuple[Action, ...], State, str]:
    """A whole game: its actions, the last state, and the outcome ``finished``, ``stuck`` or ``action limit``."""
    state = engine.start(setup)
    actions: list[Action] = []
    for _ in range(longest):
        options = engine.backend.options(state.values)
        if not options:
            return tuple(actions), state, "finished" if engine.is_over(state) else "stuck"
        option, bit = choose(engine, state, options, source)
        actions.append(engine.action(option, bit))
        mask = option[2].masks[bit] if option[2] is not None else None
        state = State(engine.backend.run(option[0], state.values, option[1], mask), state.layout)
    return tuple(actions), state, "finished" if engine.is_over(state) else "action limit"


def _buy(engine: Engine, state: State, options: list[Option], source: random.Random, worth: Callable[[Option], float]) -> tuple[Option, int]:
    """The purchase worth most if that is above 0; else what needs no patch."""
    buys = [o for o in options if o[1] is not None]
    best = max(buys, key=worth, default=None)
    if best is None or (worth(best) <= 0 and len(buys) < len(options)):
        return _snug(engine, state, next(o for o in options if o[1] is None), source)
    return _snug(engine, state, best, source)


def _snug(engine: Engine, state: State, option: Option, source: random.Random) -> tuple[Option, int]:
    """The placement with the most contact, of a sample."""
    if option[2] is None:
        return option, 0
    masks, (up, down, left, right) = option[2].masks, _touched(engine, state)
    return option, max(_sample(option[3], 60, source), key=lambda bit: (
        ((mask := masks[bit]) & up).bit_count() + (mask & down).bit_count() + (mask & left).bit_count() + (mask & right).bit_count()))


def _contact(touched: tuple[int, int, int, int], mask: int) -> int:
    """How many sides of the cells touch the border or covered cells."""
    return sum((mask & side).bit_count() for side in touched)


def _touched(engine: Engine, state: State) -> tuple[int, int, int, int]:
    """For each of the four sides the cells that have the border or a covered cell there, on the quilt of the player to move."""
    board, quilt = engine.machine.board, state.number("quilt", state.number("turn"))
    row, column = (1 << board.columns) - 1, sum(1 << r * board.columns for r in range(board.rows))
    return quilt << board.columns | row, quilt >> board.columns | row << board.columns * (board.rows - 1), quilt << 1 | column, quilt >> 1 | column << board.columns - 1


def _sample(found: int, size: int, source: random.Random) -> list[int]:
    """Up to ``size`` of the set bits."""
    all_bits = list(bits(found))
    return all_bits if len(all_bits) <= size else sorted(source.sample(all_bits, size))


def _lowest(option: Option) -> tuple[Option, int]:
    return option, (option[3] & -option[3]).bit_length() - 1


def _number(engine: Engine, option: Option, name: str) -> int:
    return engine.machine.patches[option[1]].numbers[name] if option[1] is not None else 0
