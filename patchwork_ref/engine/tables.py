"""Placement tables: for each row of the quilt and each pattern of it, which placements of a shape stay free.

Joining one entry for each row by AND gives the bit set of all placements disjoint from the quilt: bit k stands for
``masks[k]``. Tables are kept by geometry, not by rulebook, so that a changed rulebook pays only for changed shapes.
"""

from __future__ import annotations

from functools import cache, cached_property

from patchwork_ref.polyomino import Board, Shape, placements


class Table:
    """The placements of one shape on one board. Everything is worked out when first asked for."""

    def __init__(self, shape: Shape, board: Board, flips: bool) -> None:
        self.shape, self.board, self.flips = shape, board, flips

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """Every placement on the empty board."""
        return placements(self.shape, self.board, self.flips)

    @cached_property
    def all(self) -> int:
        """The bit set of every placement."""
        return (1 << len(self.masks)) - 1

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """For each row of the board ``2 ** columns`` bit sets, by the pattern of filled cells in that row."""
        return tuple(self._row(number) for number in range(self.board.rows))

    @cached_property
    def index(self) -> dict[int, int]:
        """From a mask to its bit."""
        return {mask: i for i, mask in enumerate(self.masks)}

    def _row(self, number: int) -> tuple[int, ...]:
        first, width = number * self.board.columns, self.board.columns
        taken = [0] * width
        for i, mask in enumerate(self.masks):
            cells = mask >> first & (1 << width) - 1
            while cells:
                low = cells & -cells
                taken[low.bit_length() - 1] |= 1 << i
                cells ^= low
        row = [self.all]
        for placements_there in taken:  # the patterns without this cell are there; now those with it
            row += [free & ~placements_there for free in row]
        return tuple(row)

    def free(self, quilt: int) -> int:
        """The bit set of placements disjoint from a quilt."""
        width = self.board.columns
        full, found = (1 << width) - 1, self.all
        for row in self.rows:
            found &= row[quilt & full]
            quilt >>= width
        return found


@cache
def table(shape: Shape, board: Board, flips: bool) -> Table:
    """The one table of this geometry."""
    return Table(shape, board, flips)
