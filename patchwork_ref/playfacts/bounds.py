"""Bounds on what play can reach, counted from the numbers of a Machine.

Each is the optimum of an easier game, which allows everything that the published rules allow and more: so nothing that
is played can be better. What is left out is said at each. They take for granted how the published rules move tokens
(a token stops on the last space, an advance ends just after the rival's token, who is behind moves, who arrives on the
rival's space stays on move), and that a special patch is lost only when a quilt is full.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import Literal

from patchwork_ref.machine.model import Machine

NEVER = 10**6
"""More than any number of actions."""


class Numbers:
    """What the bounds need of a Machine."""

    def __init__(self, machine: Machine) -> None:
        self.last, self.side = self.number(machine, "last_space"), self.number(machine, "tile_side")
        self.start, self.penalty = self.number(machine, "start_buttons"), self.number(machine, "blank_penalty")
        self.tile = self.number(machine, "tile_points")
        self.cells = machine.board.cells
        self.incomes, self.specials = self.spaces(machine, "income_spaces"), self.spaces(machine, "special_spaces_printed")
        self.patches = [(len(p.shape), p.numbers["cost"], p.numbers["time"], p.numbers["income"]) for p in machine.regular]
        self.longest = max(time for _, _, time, _ in self.patches)

    @staticmethod
    def number(machine: Machine, name: str) -> int:
        value = machine.constants[name].value
        if not isinstance(value, int):
            raise ValueError(f"{name} is no integer")
        return int(value)

    @staticmethod
    def spaces(machine: Machine, name: str) -> list[int]:
        value = machine.constants[name].value
        if not isinstance(value, tuple):
            raise ValueError(f"{name} is no set of spaces")
        return sorted(int(space) for space in value if not isinstance(space, str))

    def pays(self, space: int) -> int:
        """How many income spaces lie ahead."""
        return len(self.incomes) - bisect_right(self.incomes, space)


def special_patches(machine: Machine) -> int:
    """As many as there are."""
    return len(Numbers(machine).specials)


def most_actions(machine: Machine) -> int:
    """Most moves of two tokens to the last space, and one action for each special patch.

    Money, quilts and the circle are left out. Patches of the three shortest times can each be bought once, others ever again.
    """
    numbers = Numbers(machine)
    return _moves(numbers, sorted({time for _, _, time, _ in numbers.patches})[:3], most=True) + len(numbers.specials)


def least_actions(machine: Machine) -> int:
    """Fewest moves of two tokens to the last space, and one action for each special patch that cannot have been lost.

    Patches of the three longest times can each be bought once. A special patch is lost only on a full quilt. If some are
    lost, the first of them lies so early that time and money before it must have sufficed for all cells but those of
    the others; and the moves are counted again with so many purchases of one player.
    """
    numbers = Numbers(machine)
    found = _moves(numbers, sorted({time for _, _, time, _ in numbers.patches})[-3:], most=False) + len(numbers.specials)
    for taken, mark in enumerate(numbers.specials):
        cells = numbers.cells - taken
        if _most(numbers, "cells", mark - 1 + numbers.longest, _money(numbers, mark)) >= cells:
            found = min(found, _moves_with_purchases(numbers, _fewest_patches(numbers, cells)) + taken)
    return found


def buttons_together(machine: Machine) -> int:
    """All starting buttons, one for each space of both, and at every payment the income of all patches."""
    numbers = Numbers(machine)
    return 2 * (numbers.start + numbers.last) + len(numbers.incomes) * sum(income for *_, income in numbers.patches)


def lowest_score(machine: Machine) -> int:
    """Space by space the least that moving on can bring: an advance one button a space, a patch its cells and its income
    at all payments ahead, less its price. A patch may be bought ever again, for money that nobody holds."""
    numbers = Numbers(machine)
    least = [0] * (numbers.last + 1)
    for space in range(numbers.last - 1, -1, -1):
        bought = (numbers.penalty * cells - cost + income * numbers.pays(space) + least[min(space + time, numbers.last)] for cells, cost, time, income in numbers.patches)
        least[space] = min(least[space + 1] + 1, *bought)
    return numbers.start + least[0] - numbers.penalty * numbers.cells


BOUNDS: Mapping[str, Callable[[Machine], int]] = {
    "special patches": special_patches, "most actions": most_actions, "least actions": least_actions,
    "buttons together": buttons_together, "lowest score": lowest_score,
}
"""By the name that a fact uses."""


def _moves(numbers: Numbers, scarce: list[int], most: bool) -> int:
    """Most or fewest moves of both tokens to the last space; patches with a scarce time are counted."""
    times = sorted({time for _, _, time, _ in numbers.patches})
    held = Counter(time for _, _, time, _ in numbers.patches)
    choose, last = (max if most else min), numbers.last

    @cache
    def from_here(mover: int, rival: int, left: tuple[int, ...]) -> int:
        def to(space: int, left: tuple[int, ...]) -> int:
            space = min(space, last)
            if space == rival == last:
                return 1
            return 1 + (from_here(space, rival, left) if space <= rival and space < last else from_here(rival, space, left))

        found = to(rival + 1, left)
        for time in times:
            if time not in scarce:
                found = choose(found, to(mover + time, left))
            elif left[at := scarce.index(time)]:
                found = choose(found, to(mover + time, (*left[:at], left[at] - 1, *left[at + 1 :])))
        return found

    return from_here(0, 0, tuple(held[time] for time in scarce))


def _moves_with_purchases(numbers: Numbers, purchases: int) -> int:
    """Fewest moves when one player (0 here) makes at least so many purchases; either may begin."""
    last = numbers.last

    @cache
    def from_here(mover: int, rival: int, who: int, missing: int) -> int:
        def to(space: int, missing: int) -> int:
            space = min(space, last)
            if space == rival == last:
                return 1 if not missing else NEVER
            return 1 + (from_here(space, rival, who, missing) if space <= rival and space < last else from_here(rival, space, 1 - who, missing))

        bought = max(0, missing - 1) if who == 0 else missing
        return min(to(rival + 1, missing), *(to(mover + time, bought) for time in range(1, numbers.longest + 1)))

    return min(from_here(0, 0, who, purchases) for who in (0, 1))


def _fewest_patches(numbers: Numbers, cells: int) -> int:
    """How many of the largest patches have so many cells."""
    for number, size in enumerate(sorted((size for size, *_ in numbers.patches), reverse=True), 1):
        cells -= size
        if cells <= 0:
            return number
    return NEVER


def _money(numbers: Numbers, mark: int) -> int:
    """No less than all buttons that a player can have had before the space: at each payment the most income that time
    and money could have bought until then, whatever was bought for the others. The last move counts with its whole time."""
    total = 0
    for income in (space for space in numbers.incomes if space < mark):
        total += _most(numbers, "income", income - 1 + numbers.longest, numbers.start + income - 1 + total)
    return numbers.start + mark - 1 + total


def _most(numbers: Numbers, what: Literal["cells", "income"], time: int, money: int) -> int:
    """The most cells or income of patches within a sum of times and a sum of prices."""
    money = min(money, sum(cost for _, cost, _, _ in numbers.patches))
    best = [[0] * (money + 1) for _ in range(time + 1)]
    for cells, cost, takes, income in numbers.patches:
        value = cells if what == "cells" else income
        for spent in range(time, takes - 1, -1):
            for paid in range(money, cost - 1, -1):
                best[spent][paid] = max(best[spent][paid], best[spent - takes][paid - cost] + value)
    return best[time][money]
