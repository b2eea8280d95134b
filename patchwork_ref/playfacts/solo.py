"""The solo game: what one player could reach if the rival stood wherever it helps. Nothing that is played can be better.

The player moves by purchases, each patch once and for buttons in hand, and by single steps that pay a button each; an
advance is so many steps. Income is paid as always. The circle, the rival and the shapes are left out; no more cells are
covered than the quilt has, and every special patch is had for nothing.

That still leaves too many orders of purchases to list. So a bound on what can follow is asked first: the same game in
which a patch may be bought ever again and the quilt has no edge, but each purchase of a patch costs its weight, and each
cell the cell weight, which are paid back once for each patch and each cell of the quilt. Whatever the weights are (none
below zero), no play in which each patch is bought once loses by that. Good weights make the bound nearly exact; they
come with the fact, and are not trusted.

A special tile that pays at once is held against the cells that its square needs in the same way, by a weight for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from patchwork_ref.machine.model import Machine
from patchwork_ref.playfacts.bounds import Numbers
from patchwork_ref.playfacts.paying import Paying, recognised
from patchwork_ref.polyomino import cells_of

MOST_NODES = 2_000_000
"""Where weights are so bad that more states come up, nothing is said."""


def score_excluded(machine: Machine, number: int, bound: Mapping[str, Any]) -> bool:
    """Whether a final score above ``number`` is impossible. ``bound["weights"]`` has one for each patch by name (0 where it has
    none), one for ``cell``, and ``scale``: what a point is worth in them. Raises ValueError for one below zero."""
    way = recognised(machine)
    if way.tiles or way.beyond:
        raise ValueError("buttons that the tile pays at once, or the last space beyond itself, are not counted here")
    return _excluded(Numbers(machine), way, number, tuple(sorted(bound["weights"].items())))


@cache
def _excluded(numbers: Numbers, way: Paying, number: int, weights: tuple[tuple[str, int], ...]) -> bool:
    return Solo(numbers, way, dict(weights)).excluded(number)


def payments(numbers: Numbers, way: Paying) -> tuple[list[list[int]], list[list[int]]]:
    """How often a move from one space to another pays the income of before, and how often that with a new patch."""
    spaces = range(numbers.last + 1)
    marks = [mark for mark in numbers.incomes if mark < numbers.last]
    final = way.final and numbers.last in numbers.incomes
    passed = [[sum(old <= mark < new if way.past else old < mark <= new for mark in marks) for new in spaces] for old in spaces]
    arriving = [[int(final and old < new == numbers.last) for new in spaces] for old in spaces]
    if way.late:
        return passed, arriving
    return [[0] * len(spaces) for _ in spaces], [[a + b for a, b in zip(one, other, strict=True)] for one, other in zip(passed, arriving, strict=True)]


class Solo:
    """One player's game with weights: the most that can follow, and the plays that could bring so much."""

    def __init__(self, numbers: Numbers, way: Paying, weights: Mapping[str, int]) -> None:
        self.numbers = numbers
        self.scale, self.cell, self.square = int(weights["scale"]), int(weights.get("cell", 0)), int(weights.get("square", 0))
        self.weights = [int(weights.get(name, 0)) for name in numbers.names]
        if min(self.scale - 1, self.cell, self.square, numbers.penalty * self.scale - self.cell, *self.weights) < 0:
            raise ValueError("a weight is below zero, or the cell's above what a cell is worth")
        worth = numbers.penalty * self.scale - self.cell
        self.patches = [(cost, time, income, worth * cells - weight) for (cells, cost, time, income), weight in zip(numbers.patches, self.weights, strict=True)]
        # In the bound one that brings neither income nor worth is left out: single steps over its spaces bring more.
        self.useful = [patch for patch in self.patches if patch[2] > 0 or patch[3] > 0]
        self.early, self.late = payments(numbers, way)
        self.fixed = numbers.tile - numbers.penalty * numbers.cells
        self.paid_back = worth * len(numbers.specials) + self.cell * numbers.cells
        self.area = numbers.side**2
        self.needed = [self.area - sum(mark <= space for mark in numbers.specials) for space in range(numbers.last + 1)]
        self.bound, self.bound_to_tile = cache(self._bound), cache(self._bound_to_tile)

    def _bound(self, space: int, buttons: int, income: int) -> int:
        """The most that can follow in the game with weights, buttons at the end and worth of cells together."""
        last, bound = self.numbers.last, self.bound
        if space == last:
            return self.scale * buttons
        early, late = self.early[space], self.late[space]
        best = bound(space + 1, buttons + 1 + income * (early[space + 1] + late[space + 1]), income)
        for cost, time, gain, worth in self.useful:
            if cost <= buttons:
                to, grown = min(space + time, last), income + gain
                best = max(best, bound(to, buttons - cost + income * early[to] + grown * late[to], grown) + worth)
        return best

    def _bound_to_tile(self, space: int, buttons: int, income: int) -> int:
        """The same for a player who is yet to win a special tile that pays at once. Each cell bought until then is worth ``square``, which is
        taken back for the cells that the square needs: those that it has without the special patches on the way so far."""
        last, bound = self.numbers.last, self.bound_to_tile
        best = self.bound(space, buttons + self.numbers.tile, income) - self.square * self.needed[space]
        if space == last:
            return best
        early, late = self.early[space], self.late[space]
        best = max(best, bound(space + 1, buttons + 1 + income * (early[space + 1] + late[space + 1]), income))
        for (size, *_), (cost, time, gain, worth) in zip(self.numbers.patches, self.patches, strict=True):
            if cost <= buttons and (gain or worth + self.square * size > 0):
                to, grown = min(space + time, last), income + gain
                best = max(best, bound(to, buttons - cost + income * early[to] + grown * late[to], grown) + worth + self.square * size)
        return best

    def won(self, way: Paying, old: int, new: int, rival: int, bought: int) -> int:
        """How many special patches a move from one space to another wins: those that the rival, who stands on ``rival``, has not won before; all on
        the way where the rival's quilt could be full, and have left some to be won."""
        numbers = self.numbers
        marks = [mark for mark in numbers.specials if (old <= mark < new if way.past else old < mark <= new)]
        full = self._area(bought) + len(numbers.specials) >= numbers.cells
        return sum(full or mark > rival or (way.past and mark == rival) for mark in marks)

    def excluded(self, number: int) -> bool:
        """Whether no play ends with a score above the number."""
        numbers, extra = self.numbers, len(self.numbers.specials)
        base, area = self.scale * self.fixed + self.paid_back + sum(self.weights), self._area
        ends = self.ends(base, self.scale * (number + 1))
        return all(buttons + self.fixed + numbers.penalty * min(numbers.cells, area(bought) + extra) <= number for buttons, bought in ends)

    def ends(self, value: int, goal: int) -> Iterator[tuple[int, int]]:
        """Follows every play whose bound reaches the goal together with ``value``: its buttons and the patches bought. Of two with
        the same patches on the same space, only that with more buttons."""
        numbers, last = self.numbers, self.numbers.last
        most: dict[tuple[int, int], int] = {}
        left = [(0, numbers.start, 0, 0, value)]
        while left:
            space, buttons, income, bought, value = left.pop()
            if most.get((space, bought), -1) >= buttons or value + self.bound(space, buttons, income) < goal:
                continue
            most[space, bought] = buttons
            if len(most) > MOST_NODES:
                raise ValueError("the weights are so bad that more plays come up than can be followed")
            if space == last:
                yield buttons, bought
                continue
            early, late = self.early[space], self.late[space]
            left.append((space + 1, buttons + 1 + income * (early[space + 1] + late[space + 1]), income, bought, value))
            for index, (cost, time, gain, worth) in enumerate(self.patches):
                if cost <= buttons and not bought >> index & 1 and self._area(bought) + numbers.patches[index][0] <= numbers.cells:
                    to, grown = min(space + time, last), income + gain
                    # Bought once, a patch is not paid back any more: what it costs in the bound is what its weight says.
                    left.append((to, buttons - cost + income * early[to] + grown * late[to], grown, bought | 1 << index, value + worth))

    def _area(self, bought: int) -> int:
        return sum(self.numbers.patches[index][0] for index in cells_of(bought))
