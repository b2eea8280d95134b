"""Random questions for tests and benchmarks: quilts as play leaves them, and quilts where the areas are tight."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from patchwork_ref.polyomino import Board, bits, placements
from patchwork_ref.tiling.question import Piece, Question

ON_OFFER = 3


def midgame(
    library: Mapping[str, Piece], board: Board, side: int, rng: Random, plies: int, flips: bool = True
) -> Question:
    """One player's quilt after so many purchases of both, in turn, from the first three of a shuffled circle.

    Placements are uniform among those that fit. The patches that neither took are left, with 0 to 2 special patches.
    """
    circle = list(library)
    rng.shuffle(circle)
    quilts = [0, 0]
    for ply in range(min(plies, len(circle))):
        offered = circle[:ON_OFFER]
        rng.shuffle(offered)
        for name in offered:
            free = [mask for mask in placements(library[name].shape, board, flips) if not mask & quilts[ply % 2]]
            if free:
                quilts[ply % 2] |= rng.choice(free)
                circle.remove(name)
                break
    left = tuple((name, piece) for name, piece in library.items() if name in circle)
    return Question(board, quilts[0], side, left, rng.choice((0, 0, 0, 1, 2)), flips)


def neat_quilt(library: Mapping[str, Piece], board: Board, rng: Random, patches: int) -> tuple[int, list[str]]:
    """A quilt of so many patches laid with a short outline, and the names of the patches that are left."""
    names = list(library)
    rng.shuffle(names)
    quilt = 0
    for name in names[:patches]:
        free = [mask for mask in placements(library[name].shape, board, True) if not mask & quilt]
        if free:
            quilt |= min(rng.sample(free, min(len(free), 80)), key=lambda mask: outline(quilt | mask, board))
    return quilt, names[patches:]


def outline(mask: int, board: Board) -> int:
    """The number of free cells beside each filled cell, summed."""
    total = 0
    for cell in bits(mask):
        row, column = divmod(cell, board.columns)
        near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        total += sum(
            1
            for r, c in near
            if 0 <= r < board.rows and 0 <= c < board.columns and not mask >> (r * board.columns + c) & 1
        )
    return total


def tight(library: Mapping[str, Piece], board: Board, side: int, rng: Random, excess: int) -> Question:
    """A neat quilt and patches whose areas together are the smallest hole plus ``excess``."""
    while True:
        quilt, names = neat_quilt(library, board, rng, rng.randint(0, 5))
        probe = Question(board, quilt, side, ())
        hole = min((window & ~quilt).bit_count() for window in probe.windows)
        for _ in range(200):
            rng.shuffle(names)
            area, taken = 0, []
            for name in names:
                if area >= hole:
                    break
                taken.append(name)
                area += library[name].size
            if area == hole + excess and hole >= 2 * side:
                pieces = tuple((name, piece) for name, piece in library.items() if name in taken)
                return Question(board, quilt, side, pieces)
