"""Bounds on what play can reach, counted from the numbers of a Machine.

Each is the optimum of an easier game, which allows everything that the published rules allow and more: so nothing that
is played can be better. What is left out is said at each. They take for granted how the published rules move tokens
(a token stops on the last space, an advance ends just after the rival's token, who is behind moves, who arrives on the
rival's space stays on move), and that a special patch is lost only when a quilt is full.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import cache

from patchwork_ref.machine.model import Machine
from patchwork_ref.playfacts.paying import paying

NEVER = 10**6
"""More than any number of actions."""


class Numbers:
    """What the bounds need of a Machine. Equal ones give the same bounds, so that long searches are made once."""

    def __init__(self, machine: Machine) -> None:
        self.last, self.side = self.number(machine, "last_space"), self.number(machine, "tile_side")
        self.start, self.penalty = self.number(machine, "start_buttons"), self.number(machine, "blank_penalty")
        self.tile = self.number(machine, "tile_points")
        self.cells = machine.board.cells
        self.incomes, self.specials = self.spaces(machine, "income_spaces"), self.spaces(machine, "special_spaces_printed")
        self.patches = [(len(p.shape), p.numbers["cost"], p.numbers["time"], p.numbers["income"]) for p in machine.regular]
        self.longest = max(time for _, _, time, _ in self.patches)
        self.names = [p.name for p in machine.regular]

    def printed(self, specials: Iterable[int]) -> Numbers:
        """The same with other special spaces, as another print has them."""
        found = copy(self)
        found.specials = sorted(specials)
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numbers) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(repr(vars(self)))

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

    Patches of the three longest times can each be bought once. A special patch is lost only on a full quilt (``least_if_lost``).
    """
    numbers = Numbers(machine)
    found = _moves(numbers, sorted({time for _, _, time, _ in numbers.patches})[-3:], most=False) + len(numbers.specials)
    return min(found, least_if_lost(machine))


def least_if_lost(machine: Machine, arriving: bool = False) -> int:
    """Fewest actions of a game in which a special patch is lost on a full quilt, to its end, or until a token arrives on the last space.

    The loser of the first one that is lost has bought all cells but those of the others before it, which are sewn on, an
    action each: at least so many patches as have these cells and come in time. From the space that the purchase which passes
    it leads to, the loser has to go on, and the rival all the way. Whoever moves is not ahead, and no move is longer than an
    advance past a rival who leads by the longest patch; so when one arrives, the other one is no further behind than that.
    """
    numbers, way = Numbers(machine), paying(machine)
    late = way is None or way.past  # a token may stand on a special patch before it passes it
    found = NEVER
    for taken, mark in enumerate(numbers.specials):
        needed = max(fewest_patches(numbers, numbers.cells - taken), fewest_in_time(numbers, numbers.cells - taken, mark + late)) + taken
        onward = numbers.last - (mark - 1 + late + numbers.longest)
        behind = numbers.longest + 1
        ways = [(0, 0)] if not arriving else [(0, behind), (behind, 0)]  # how far the loser and the rival may be from the last space
        found = min(found, *(needed + max(0, -(-(onward - short) // behind)) + _fewest_moves(numbers, numbers.last - other) for short, other in ways))
    return found


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
    "lowest score": lowest_score,
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


def _fewest_moves(numbers: Numbers, spaces: int) -> int:
    """Of one player over so many spaces. A move longer than the longest patch is an advance past a rival who leads by as much as that
    patch takes. Such a lead comes only from buying one on a shared space, and is gone after the advance: so there is one for each."""
    held = sum(time == numbers.longest for _, _, time, _ in numbers.patches)
    missing = spaces - held * (numbers.longest + 1)
    return held + -(-missing // numbers.longest) if missing > 0 else -(-spaces // (numbers.longest + 1))


def fewest_patches(numbers: Numbers, cells: int) -> int:
    """How many of the largest patches have so many cells."""
    for number, size in enumerate(sorted((size for size, *_ in numbers.patches), reverse=True), 1):
        cells -= size
        if cells <= 0:
            return number
    return NEVER


def fewest_in_time(numbers: Numbers, cells: int, mark: int) -> int:
    """How many patches have so many cells, if all but the last one are bought before the space."""
    least = [[0] + [NEVER] * cells] + [[NEVER] * (cells + 1) for _ in numbers.patches]
    for size, _, time, _ in numbers.patches:
        for number in range(len(numbers.patches), 0, -1):
            for area in range(cells, 0, -1):
                least[number][area] = min(least[number][area], least[number - 1][max(0, area - size)] + time)
    return next((number for number in range(len(numbers.patches) + 1) if least[number][cells] - numbers.longest < mark), NEVER)
