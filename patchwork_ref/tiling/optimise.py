"""The least price at which a filled square can still be had from a quilt, with a witness and a proof.

The price is the number of patches, their time, or their cost. "Not for less" is proved by certificates: one of the
question with the budget one lower, or, where that search is too long, one for each of the few collections of patches
that are cheap enough and large enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from patchwork_ref.tiling.answers import Impossible, Possible
from patchwork_ref.tiling.question import Piece, Question, TilingInputError
from patchwork_ref.tiling.search import DEFAULT_LIMITS, Limits, search

GOALS = ("patches", "time", "buttons")
MOST_SETS = 400


@dataclass(frozen=True, slots=True)
class Optimum:
    """``lower <= least price <= upper``; equal when the optimum is proved.

    ``witness`` reaches ``upper`` (None when nothing was found: then ``upper`` is None too). ``refutations`` prove that
    ``lower - 1`` does not suffice: one certificate with a budget, or, when ``by_sets``, one for each collection of
    patches that matters.
    """

    goal: str
    lower: int
    upper: int | None
    witness: Possible | None
    refutations: tuple[Impossible, ...]
    by_sets: bool
    note: str = ""

    @property
    def proved(self) -> bool:
        return self.lower == self.upper


def optimum(question: Question, goal: str, limits: Limits = DEFAULT_LIMITS) -> Optimum:
    """The least price of ``goal`` (patches, time or buttons); ``limits`` hold for each single search.

    Raises TilingInputError for an unknown goal, and for a question that has budgets already.
    """
    if goal not in GOALS:
        raise TilingInputError(f"unknown goal {goal!r}; known are {', '.join(GOALS)}")
    if question.budgeted:
        raise TilingInputError("the optimiser seeks a budget; ask it without buttons and spaces")
    free = search(question, limits)
    if isinstance(free, Impossible):
        return Optimum(goal, 0, None, None, (free,), False, "no price suffices: the square cannot be filled at all")
    lower, note = _area_bound(question, goal), ""
    refutations, by_sets = _refuted(question, goal, lower - 1, limits)
    for price in range(lower, sum(prices(question, goal)) + 1):
        answer = search(within(question, goal, price), limits)
        if isinstance(answer, Possible):
            return Optimum(goal, lower, price, answer, refutations, by_sets, note)
        if note:
            continue
        found = ((answer,), False) if isinstance(answer, Impossible) else _by_sets(question, goal, price, limits)
        if isinstance(found, Possible):
            return Optimum(goal, lower, price, found, refutations, by_sets)
        if found is None:
            note = f"whether {price} suffices is open"
        else:
            lower, (refutations, by_sets) = price + 1, found
    return Optimum(goal, lower, None, None, refutations, by_sets, note or "no filling was found")


def prices(question: Question, goal: str) -> list[int]:
    """The price of each piece under the goal."""
    return [{"patches": 1, "time": piece.time, "buttons": piece.cost}[goal] for _, piece in question.pieces]


def within(question: Question, goal: str, price: int) -> Question:
    """The question with a budget: for patches, each counts as one space."""
    if goal == "buttons":
        return replace(question, buttons=price)
    if goal == "time":
        return replace(question, spaces=price)
    counted = tuple((name, Piece(piece.shape, piece.cost, 1, piece.income)) for name, piece in question.pieces)
    return replace(question, pieces=counted, spaces=price)


def affordable(sizes: Sequence[int], costs: Sequence[int], price: int, area: int, most: int = MOST_SETS) -> list[frozenset[int]] | None:
    """The index sets whose cost is at most ``price`` and whose size at least ``area``, of which no other of them is a
    superset; None when there are more than ``most`` sets."""
    order = sorted(range(len(sizes)), key=lambda i: (-costs[i], sizes[i]))

    @cache
    def reach(place: int, money: int) -> int:
        if place == len(order):
            return 0
        size, cost = sizes[order[place]], costs[order[place]]
        without = reach(place + 1, money)
        return max(without, size + reach(place + 1, money - cost)) if cost <= money else without

    found: list[frozenset[int]] = []

    def choose(place: int, money: int, missing: int, taken: tuple[int, ...]) -> bool:
        if reach(place, money) < missing:
            return True
        if place == len(order):
            found.append(frozenset(taken))
            return len(found) <= most
        index = order[place]
        if costs[index] <= money and not choose(place + 1, money - costs[index], missing - sizes[index], (*taken, index)):
            return False
        return choose(place + 1, money, missing, taken)

    if not choose(0, price, area, ()):
        return None
    return [one for one in found if not any(one < other for other in found)]


def smallest_hole(question: Question) -> int:
    """How many cells patches must fill at least, whichever square it is."""
    return min((window & ~question.quilt).bit_count() for window in question.windows) - question.specials


def _area_bound(question: Question, goal: str) -> int:
    """The least price of patches as large as the smallest hole."""
    hole = max(0, smallest_hole(question))
    least = [0] + [10**9] * hole
    for (_, piece), price in zip(question.pieces, prices(question, goal), strict=True):
        for area in range(hole, 0, -1):
            least[area] = min(least[area], least[max(0, area - piece.size)] + price)
    return least[hole]


def _refuted(question: Question, goal: str, price: int, limits: Limits) -> tuple[tuple[Impossible, ...], bool]:
    if price < 0:
        return (), False
    answer = search(within(question, goal, price), limits)
    return ((answer,) if isinstance(answer, Impossible) else ()), False


def _by_sets(question: Question, goal: str, price: int, limits: Limits) -> tuple[tuple[Impossible, ...], bool] | Possible | None:
    """Packs every collection of patches that is cheap and large enough."""
    sizes = [piece.size for _, piece in question.pieces]
    sets = affordable(sizes, prices(question, goal), price, smallest_hole(question))
    if sets is None:
        return None
    refuted: list[Impossible] = []
    for one in sets:
        answer = search(replace(question, pieces=tuple(question.pieces[i] for i in sorted(one))), limits)
        if isinstance(answer, Possible):
            return Possible(within(question, goal, price), answer.placements, answer.window, answer.nodes)
        if not isinstance(answer, Impossible):
            return None
        refuted.append(answer)
    return tuple(refuted), True
