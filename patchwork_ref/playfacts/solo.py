"""The solo game: what one player could reach if the rival stood wherever it helps. Nothing that is played can be better.

The player moves by purchases, each patch once and for buttons in hand, and by single steps that pay a button each; an
advance is so many steps. Income is paid as always. The circle, the rival and the shapes are left out; no more cells are
covered than the quilt has, and every special patch is had for nothing.

That still leaves too many orders of purchases to list. So a bound on what can follow is asked first: the same game in
which a patch may be bought ever again and the quilt has no edge, but each purchase of a patch costs its weight, and each
cell the cell weight, which are paid back once for each patch and each cell of the quilt. Whatever the weights are (none
below zero), no play in which each patch is bought once loses by that. Good weights make the bound nearly exact; they
come with the fact, and are not trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from patchwork_ref.machine.model import Machine
from patchwork_ref.playfacts.bounds import Numbers
from patchwork_ref.polyomino import cells_of

MOST_NODES = 2_000_000
"""Where weights are so bad that more states come up, nothing is said."""


def score_excluded(machine: Machine, number: int, bound: Mapping[str, Any]) -> bool:
    """Whether a final score above ``number`` is impossible. ``bound["weights"]`` has one for each patch by name (0 where it has
    none), one for ``cell``, and ``scale``: what a point is worth in them. Raises ValueError for one below zero."""
    return _excluded(Numbers(machine), number, tuple(sorted(bound["weights"].items())))


def buttons_excluded(machine: Machine, number: int, bound: Mapping[str, Any]) -> bool:
    """Whether both players can never hold more than ``number`` buttons together; ``bound["weights"]`` as for scores, without ``cell``.

    From where they hold most, both may step on to the end and only win buttons, so the ends of two solo games decide.
    A patch bought by one of them is paid back once; what is covered is worth nothing.
    """
    return _together_excluded(Numbers(machine), number, tuple(sorted(bound["weights"].items())))


@cache
def _together_excluded(numbers: Numbers, number: int, weights: tuple[tuple[str, int], ...]) -> bool:
    given = dict(weights)
    solo = _Scores(numbers, {**given, "cell": numbers.penalty * given["scale"]})
    other, goal = solo.bound(0, numbers.start, 0), solo.scale * (number + 1)
    for buttons, bought, value in solo.ends(0, sum(solo.weights) + other, goal):
        # The first player's end is settled; now the second one's, with the patches that are left.
        if any(buttons + second > number for second, _, _ in solo.ends(bought, value - other, goal)):
            return False
    return True


@cache
def _excluded(numbers: Numbers, number: int, weights: tuple[tuple[str, int], ...]) -> bool:
    return _Scores(numbers, dict(weights)).excluded(number)


class _Scores:
    def __init__(self, numbers: Numbers, weights: Mapping[str, int]) -> None:
        self.numbers = numbers
        self.scale, self.cell = int(weights["scale"]), int(weights.get("cell", 0))
        self.weights = [int(weights.get(name, 0)) for name in numbers.names]
        if min(self.scale - 1, self.cell, numbers.penalty * self.scale - self.cell, *self.weights) < 0:
            raise ValueError("a weight is below zero, or the cell's above what a cell is worth")
        worth = numbers.penalty * self.scale - self.cell
        self.patches = [(cost, time, income, worth * cells - weight) for (cells, cost, time, income), weight in zip(numbers.patches, self.weights, strict=True)]
        self.marks = set(numbers.incomes)
        self.passed = [[sum(old < mark <= new for mark in numbers.incomes) for new in range(numbers.last + 1)] for old in range(numbers.last + 1)]
        self.fixed = numbers.tile - numbers.penalty * numbers.cells
        self.paid_back = worth * len(numbers.specials) + self.cell * numbers.cells
        self.bound = cache(self._bound)

    def _bound(self, space: int, buttons: int, income: int) -> int:
        """The most that can follow in the game with weights, buttons at the end and worth of cells together."""
        last, bound = self.numbers.last, self.bound
        if space == last:
            return self.scale * buttons
        passed = self.passed[space]
        best = bound(space + 1, buttons + 1 + income * passed[space + 1], income)
        for cost, time, gain, worth in self.patches:
            if cost <= buttons:
                to, grown = min(space + time, last), income + gain
                best = max(best, bound(to, buttons - cost + grown * passed[to], grown) + worth)
        return best

    def excluded(self, number: int) -> bool:
        """Whether no play ends with a score above the number."""
        numbers, extra = self.numbers, len(self.numbers.specials)
        base, area = self.scale * self.fixed + self.paid_back + sum(self.weights), self._area
        ends = self.ends(0, base, self.scale * (number + 1))
        return all(buttons + self.fixed + numbers.penalty * min(numbers.cells, area(bought) + extra) <= number for buttons, bought, _ in ends)

    def ends(self, bought: int, value: int, goal: int) -> Iterator[tuple[int, int, int]]:
        """Follows every play, without the patches bought, whose bound reaches the goal together with ``value``: its buttons, all patches
        bought, and what it comes to. Of two with the same patches on the same space, only that with more buttons."""
        numbers, last = self.numbers, self.numbers.last
        room = self._area(bought) + numbers.cells  # on one quilt, beside what the other player has
        most: dict[tuple[int, int], int] = {}
        left = [(0, numbers.start, 0, bought, value)]
        while left:
            space, buttons, income, bought, value = left.pop()
            if most.get((space, bought), -1) >= buttons or value + self.bound(space, buttons, income) < goal:
                continue
            most[space, bought] = buttons
            if len(most) > MOST_NODES:
                raise ValueError("the weights are so bad that more plays come up than can be followed")
            if space == last:
                yield buttons, bought, value + self.scale * buttons
                continue
            left.append((space + 1, buttons + 1 + income * self.passed[space][space + 1], income, bought, value))
            for index, (cost, time, gain, worth) in enumerate(self.patches):
                if cost <= buttons and not bought >> index & 1 and self._area(bought) + numbers.patches[index][0] <= room:
                    to, grown = min(space + time, last), income + gain
                    # Bought once, a patch is not paid back any more: what it costs in the bound is what its weight says.
                    left.append((to, buttons - cost + grown * self.passed[space][to], grown, bought | 1 << index, value + worth))

    def _area(self, bought: int) -> int:
        return sum(self.numbers.patches[index][0] for index in cells_of(bought))
