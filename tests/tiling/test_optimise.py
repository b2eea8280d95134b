"""Is the least price least?"""

from __future__ import annotations

import json
from itertools import combinations
from random import Random

import pytest

from patchwork_ref.polyomino import Board
from patchwork_ref.tiling.answers import Impossible
from patchwork_ref.tiling.checker import verify
from patchwork_ref.tiling.income import with_income
from patchwork_ref.tiling.optimise import GOALS, affordable, optimum, prices, within
from patchwork_ref.tiling.question import Piece, Question, TilingInputError
from patchwork_ref.tiling.samples import midgame
from patchwork_ref.tiling.search import Limits, search


def test_optimum_is_the_cheapest_subset(minis: dict[str, Piece]) -> None:
    """On small boards the optimum is the least price over all subsets of patches that fill a square, and it is certified."""
    rng = Random(2)
    reached = 0
    for _ in range(60):
        quilt = sum(1 << cell for cell in range(16) if rng.random() < 0.35)
        question = Question(Board(4, 4), quilt, 3, tuple((n, minis[n]) for n in rng.sample(list(minis), 4)), rng.randint(0, 1))
        goal = rng.choice(GOALS)
        filling = [
            sum(prices(part, goal))
            for size in range(5)
            for some in combinations(question.pieces, size)
            if search(part := Question(question.board, quilt, 3, some, question.specials)).verdict == "possible"
        ]
        best = optimum(question, goal)
        assert best.upper == (min(filling) if filling else None)
        if filling:
            reached += 1
            assert best.proved and best.witness is not None and verify(json.dumps(best.witness.certificate())) == (True, "possible")
            assert best.lower == 0 or best.refutations
        for refuted in best.refutations:
            assert verify(json.dumps(refuted.certificate())) == (True, "impossible")
    assert reached > 15


def test_by_sets_and_by_budget_agree(library: dict[str, Piece], board: Board) -> None:
    """Where the search with a budget is cut short, packing each affordable set finds the same optimum."""
    question = midgame(library, board, 7, Random(3), 10)
    whole = optimum(question, "patches")
    pieces, price = [piece.size for _, piece in question.pieces], prices(question, "patches")
    assert whole.upper is not None
    sets = affordable(pieces, price, whole.upper - 1, min((w & ~question.quilt).bit_count() for w in question.windows), most=10**6)
    assert sets is not None
    for one in sets[:40]:
        part = Question(board, question.quilt, 7, tuple(question.pieces[i] for i in sorted(one)), question.specials)
        assert isinstance(search(part, Limits(certificate=10**7)), Impossible)


def test_affordable_sets_are_all(minis: dict[str, Piece]) -> None:
    """The affordable sets are the maximal ones among all subsets cheap and large enough; too many are refused."""
    sizes, costs = [p.size for p in minis.values()], [p.cost for p in minis.values()]
    for price in range(0, 16, 3):
        for area in range(0, 20, 4):
            every = [
                frozenset(some)
                for size in range(len(sizes) + 1)
                for some in combinations(range(len(sizes)), size)
                if sum(costs[i] for i in some) <= price and sum(sizes[i] for i in some) >= area
            ]
            found = affordable(sizes, costs, price, area)
            assert found is not None and set(found) == {one for one in every if not any(one < other for other in every)}
    assert affordable(sizes, costs, 20, 0, most=3) is None


def test_goals(library: dict[str, Piece], board: Board) -> None:
    """An unknown goal, and a question with a budget, are refused."""
    question = Question(board, 0, 7, tuple(library.items()))
    for wrong, goal in ((question, "beauty"), (within(question, "time", 3), "time")):
        with pytest.raises(TilingInputError):
            optimum(wrong, goal)


def test_income_only_widens(library: dict[str, Piece], board: Board) -> None:
    """Counting income never turns possible into impossible, no cost is negative, and both budgets are asked for."""
    for seed in range(12):
        rng = Random(seed)
        plain = midgame(library, board, 7, rng, 12)
        bounded = Question(board, plain.quilt, 7, plain.pieces, plain.specials, True, rng.randint(0, 12), rng.randint(0, 20))
        wide = with_income(bounded, rng.randint(0, 6), rng.randint(0, 5))
        assert min(piece.cost for _, piece in wide.pieces) >= 0
        narrow, wider = search(bounded, Limits(seconds=2)), search(wide, Limits(seconds=2))
        assert not (narrow.verdict == "possible" and wider.verdict == "impossible")
    with pytest.raises(TilingInputError, match="both"):
        with_income(plain, 0, 0)
