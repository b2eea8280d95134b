"""The budget bound: the least cost (and the least time) of patches whose areas together reach the needed area.

It ignores where the patches would lie, so it is a lower bound: when it exceeds what is left, no filling exists. That
is what ``-2`` in a certificate means. Two consequences spare the search many children that would be closed by it.
"""

from __future__ import annotations

from patchwork_ref.tiling.question import Piece, Question

BEYOND = 10**9 + 1


class Prices:
    """The bound for one question, remembered for each collection of patches left."""

    def __init__(self, question: Question, kinds: tuple[Piece, ...], block: tuple[int, ...]) -> None:
        asked = ((question.buttons, [k.cost for k in kinds]), (question.spaces, [k.time for k in kinds]))
        self.limits = [(number, limit, prices) for number, (limit, prices) in enumerate(asked) if limit is not None]
        self.sizes = [kind.size for kind in kinds]
        self.block = block
        self.most = question.side**2 + max(self.sizes, default=0)
        self.known: dict[tuple[int, ...], list[list[int]]] = {}
        self.hopeless: dict[tuple[tuple[int, ...], int, tuple[int, int]], int] = {}

    def spare(self, counts: tuple[int, ...], goal: int, spent: tuple[int, int]) -> int:
        """How many cells more than ``goal`` could be bought with what is left; negative when not even those."""
        spare = self.most
        rows = self._rows(counts)
        for (number, limit, _), row in zip(self.limits, rows, strict=True):
            money = limit - spent[number]
            if money < 0 or (goal > 0 and row[goal] > money):
                return -1
            area = self.most
            while row[area] > money:
                area -= 1
            spare = min(spare, area - goal)
        return spare

    def too_dear(self, counts: tuple[int, ...], goal: int, spent: tuple[int, int]) -> int:
        """The bits of the patches that cannot be part of any purchase that reaches ``goal``."""
        key = (counts, goal, spent)
        found = self.hopeless.get(key)
        if found is None:
            found = 0
            rows = self._rows(counts)
            for (number, limit, prices), row in zip(self.limits, rows, strict=True):
                money = limit - spent[number]
                for group, size in enumerate(self.sizes):
                    if counts[group] and prices[group] + row[max(0, goal - size)] > money:
                        found |= self.block[group]
            self.hopeless[key] = found
        return found

    def _rows(self, counts: tuple[int, ...]) -> list[list[int]]:
        """For each budget, at index ``area``, the least price of patches left of that area or more."""
        rows = self.known.get(counts)
        if rows is None:
            rows = self.known[counts] = []
            for _, limit, prices in self.limits:
                row = [0] + [BEYOND] * self.most
                for group, count in enumerate(counts):
                    price, size = prices[group], self.sizes[group]
                    for _ in range(count if price <= limit else 0):
                        for area in range(self.most, 0, -1):
                            other = row[area - size if area > size else 0] + price
                            if other < row[area]:
                                row[area] = other
                rows.append(row)
        return rows
