"""Where the weights of the facts about buttons come from: those with which the bound on two solo games is lowest.

The bound is convex in the weights, and falls when a patch that both games together buy too often is made dearer, and one
that neither buys cheaper. Steps become shorter when it falls no more. Nothing here is trusted: bad weights prove less.
"""

from __future__ import annotations

from patchwork_ref.playfacts.bounds import Numbers
from patchwork_ref.playfacts.paying import Paying
from patchwork_ref.playfacts.solo import payments

SCALE = 100
"""What a button is worth in the weights that are stored."""
RICH = 30
"""Who holds so many buttons can buy everything ever after: a coarser game, and good enough to find weights."""
INCOME = 34
"""No quilt of a good game has more."""
PATIENCE, SHORTER, KEPT, SHARE = 8, 1.6, 0.6, 0.04
"""Rounds without a better bound before steps are so many times shorter; how much of the last direction is kept; a first step, as a share of the bound."""
FIRST_SQUARE, SLOWER = 0.2, 0.1
"""What a cell of the square is worth at first, and how much shorter its steps are than those of weights: there are so many cells."""
_STEP, _TILE = -1, -2
"""A single step, and to win the special tile, among purchases."""


def good_weights(numbers: Numbers, way: Paying, rounds: int = 70) -> dict[str, int]:
    """Weights for ``buttons_excluded``, some ten seconds of work; a minute where special tiles pay at once."""
    solo, count = _Coarse(numbers, way), len(numbers.patches)
    weights, square, moving = [0.0] * count, FIRST_SQUARE * bool(way.tiles), [0.0] * (count + 1)
    best, lowest, length, waited = ([*weights], square), float("inf"), 1.0, 0
    for _ in range(rounds):
        games = [(times, *solo.best(weights, square, tile)) for times, tile in ((way.tiles, True), (2 - way.tiles, False)) if times]
        bound = sum(weights) + sum(times * value for times, value, _, _ in games)
        waited += 1
        if bound < lowest:
            lowest, best, waited = bound, ([*weights], square), 0
        elif waited >= PATIENCE:
            weights, square, moving, length, waited = [*best[0]], best[1], [0.0] * (count + 1), length / SHORTER, 0
        used = [sum(times * bought[index] for times, _, bought, _ in games) - 1 for index in range(count)]
        wanting = [float(new) if weight > 0 or new > 0 else 0.0 for new, weight in zip(used, weights, strict=True)] + [SLOWER * -sum(times * spare for times, _, _, spare in games)]
        moving = [KEPT * old + new for old, new in zip(moving, wanting, strict=True)]
        step = length * SHARE * lowest / (sum(new * new for new in moving) or 1.0)
        weights = [max(0.0, weight + step * new) for weight, new in zip(weights, moving[:-1], strict=True)]
        square = max(0.0, square + SLOWER * step * moving[-1])
    found = {name: round(SCALE * weight) for name, weight in zip((*numbers.names, "square"), (*best[0], best[1]), strict=True)}
    return {**{name: weight for name, weight in found.items() if weight}, "scale": SCALE}


class _Coarse:
    """The solo game in which each patch can be bought ever again for its weight, by tables over space, income and buttons: one for a
    player who wins no special tile (any more), one for a player who is yet to win one."""

    def __init__(self, numbers: Numbers, way: Paying) -> None:
        self.numbers = numbers
        self.early, self.late = payments(numbers, way)
        self.needed = [numbers.side**2 - sum(mark <= space for mark in numbers.specials) for space in range(numbers.last + 1)]

    def best(self, weights: list[float], square: float, tile: bool) -> tuple[float, list[int], int]:
        """The most buttons at the end less the weights, how often each patch is bought for it, and how many cells are to spare at the tile."""
        last, start = self.numbers.last, self.numbers.start
        more = [[[[0.0] * (RICH + 1) for _ in range(INCOME + 1)] for _ in range(last + 1)] for _ in range(1 + tile)]  # on top of the buttons in hand
        choice = [[[[_STEP] * (RICH + 1) for _ in range(INCOME + 1)] for _ in range(last + 1)] for _ in range(1 + tile)]
        for space in range(last, -1, -1):
            for income in range(INCOME + 1):
                for waits in range(1 + tile):
                    self._row(space, income, waits, weights, square, more, choice[waits][space][income])
        used, spare, waits, space, income, held = [0] * len(self.numbers.patches), 0, int(tile), 0, 0, min(start, RICH)
        while space < last or waits:
            index = choice[waits][space][income][held]
            if index == _TILE:
                spare, waits, held = spare - self.needed[space], 0, min(RICH, held + self.numbers.tile)
                continue
            if index >= 0:
                used[index] += 1
                spare += self.numbers.patches[index][0] * waits
            space, income, paid = self._move(space, income, index)
            held = RICH if held == RICH else min(RICH, held + paid)
        return start + more[tile][0][0][min(start, RICH)], used, spare

    def _move(self, space: int, income: int, index: int) -> tuple[int, int, int]:
        """Where a purchase or a single step leads: space, income, and buttons won or lost."""
        early, late = self.early[space], self.late[space]
        if index == _STEP:
            return space + 1, income, 1 + income * (early[space + 1] + late[space + 1])
        _, cost, time, gain = self.numbers.patches[index]
        to = min(space + time, self.numbers.last)
        return to, income + gain, income * early[to] + (income + gain) * late[to] - cost

    def _row(self, space: int, income: int, waits: int, weights: list[float], square: float, more: list[list[list[list[float]]]], choice: list[int]) -> None:
        row = [0.0 if not waits else -float("inf")] * (RICH + 1)
        if space < self.numbers.last:
            _, _, paid = self._move(space, income, _STEP)
            ahead = more[waits][space + 1][income]
            row = [paid + ahead[min(RICH, held + paid)] for held in range(RICH + 1)]
        if waits:
            value, won = self.numbers.tile - square * self.needed[space], self.numbers.tile
            for held in range(RICH + 1):
                found = value + more[0][space][income][min(RICH, held + won)]
                if found > row[held]:
                    row[held], choice[held] = found, _TILE
        for index, (size, cost, _, gain) in enumerate(self.numbers.patches if space < self.numbers.last else ()):
            if income + gain > INCOME or not (gain or waits):
                continue
            to, grown, paid = self._move(space, income, index)
            ahead, value = more[waits][to][grown], paid - weights[index] + square * size * waits
            if value + ahead[RICH] <= row[cost]:
                continue
            for held in range(cost, RICH + 1):
                found = value + ahead[RICH if held == RICH else min(RICH, held + paid)]
                if found > row[held]:
                    row[held], choice[held] = found, index
        more[waits][space][income] = row
