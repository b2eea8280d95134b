"""Does brute force agree? Lay patches in every way with sets of cells, and look whether a square is filled."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from itertools import product
from random import Random

from patchwork_ref.polyomino import Board, Shape
from patchwork_ref.tiling.answers import Unknown
from patchwork_ref.tiling.checker import verify
from patchwork_ref.tiling.question import Piece, Question
from patchwork_ref.tiling.search import search

Cells = frozenset[tuple[int, int]]


def ways(shape: tuple[tuple[int, int], ...], rows: int, columns: int) -> set[Cells]:
    """Every set of cells that the shape covers on the empty board, turned and flipped."""
    found = set()
    for swap, down, right in product((False, True), (1, -1), (1, -1)):
        form = [(down * c, right * r) if swap else (down * r, right * c) for r, c in shape]
        for y, x in product(range(-5, rows + 5), range(-5, columns + 5)):
            laid = frozenset((r + y, c + x) for r, c in form)
            if all(0 <= r < rows and 0 <= c < columns for r, c in laid):
                found.add(laid)
    return found


def possible(
    rows: int, columns: int, side: int, filled: Cells, patches: list[tuple[set[Cells], int, int]], specials: int,
    buttons: int = 10**6, spaces: int = 10**6,
) -> bool:
    """Whether some choice of patches, each laid once or not at all, leaves a square with at most ``specials`` holes."""
    if patches:
        (lays, cost, time), rest = patches[0], patches[1:]
        if possible(rows, columns, side, filled, rest, specials, buttons, spaces):
            return True
        if cost > buttons or time > spaces:
            return False
        return any(
            possible(rows, columns, side, filled | laid, rest, specials, buttons - cost, spaces - time)
            for laid in lays
            if not laid & filled
        )
    return any(
        sum((top + r, left + c) not in filled for r, c in product(range(side), repeat=2)) <= specials
        for top, left in product(range(rows - side + 1), range(columns - side + 1))
    )


@cache
def laid(shape: Shape, size: int) -> set[Cells]:
    return ways(shape, size, size)


def test_brute_force_agrees(minis: dict[str, Piece]) -> None:
    """On 2,000 random questions of 4x4 and 5x5 cells, with and without budgets, brute force gives the same verdict and the checker accepts the certificate."""
    rng = Random(1)
    seen: Counter[tuple[str, bool]] = Counter()
    for _ in range(2000):
        size, side = rng.choice(((4, 3), (4, 2), (5, 3), (5, 4), (4, 3)))
        density = rng.choice((0.2, 0.4, 0.55, 0.7))
        quilt = sum(1 << cell for cell in range(size * size) if rng.random() < density)
        names = rng.sample(list(minis), rng.randint(0, 3 if size == 4 else 2))
        bounded = rng.random() < 0.4
        buttons = rng.randint(0, 6) if bounded else None
        spaces = rng.choice((None, rng.randint(0, 7))) if bounded else None
        question = Question(Board(size, size), quilt, side, tuple((n, minis[n]) for n in names), rng.choice((0, 0, 1, 2)), True, buttons, spaces)
        answer = search(question)
        filled = frozenset(divmod(cell, size) for cell in range(size * size) if quilt >> cell & 1)
        patches = [(laid(minis[n].shape, size), minis[n].cost, minis[n].time) for n in names]
        bounds = [10**6 if bound is None else bound for bound in (buttons, spaces)]
        assert (answer.verdict == "possible") == possible(size, size, side, filled, patches, question.specials, *bounds), question
        assert not isinstance(answer, Unknown)
        assert verify(json.dumps(answer.certificate())) == (True, answer.verdict)
        seen[answer.verdict, bounded] += 1
    assert min(seen[verdict, bounded] for verdict in ("possible", "impossible") for bounded in (False, True)) > 120
