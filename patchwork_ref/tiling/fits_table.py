"""Fitting by look-up: for each strip of the quilt (a row, on boards of usual width) and each pattern of its cells, the
bitset of the placements that leave that pattern alone. The AND over the strips is the bitset of legal placements."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from patchwork_ref.polyomino import Board, Shape, bits
from patchwork_ref.tiling.tables import shape_table

WIDEST = 12
"""Strips longer than this would need too large a table; a wider board is cut into strips of this many cells."""


@dataclass(frozen=True, slots=True)
class RowTables:
    """``tables[k][pattern]``: the placements legal as far as the k-th strip of ``strip`` cells is concerned."""

    strip: int
    tables: tuple[tuple[int, ...], ...]
    masks: tuple[int, ...]

    def legal_bits(self, quilt: int) -> int:
        """The bitset over ``masks`` of the placements that are disjoint from the quilt."""
        low = (1 << self.strip) - 1
        legal = -1
        for table in self.tables:
            legal &= table[quilt & low]
            quilt >>= self.strip
        return legal


@cache
def row_tables(shape: Shape, board: Board, flips: bool) -> RowTables:
    """The tables of one shape; some thousand entries, built once."""
    known = shape_table(shape, board, flips)
    through = [int.from_bytes(covering, "little") for covering in known.through]
    every = int.from_bytes(known.every, "little")
    strip = min(board.columns, WIDEST)
    tables = []
    for first in range(0, board.cells, strip):
        cells = range(first, min(first + strip, board.cells))
        table = [every] * (1 << len(cells))
        for pattern in range(1, len(table)):
            low = pattern & -pattern
            table[pattern] = table[pattern ^ low] & ~through[cells[low.bit_length() - 1]]
        tables.append(tuple(table))
    return RowTables(strip, tuple(tables), known.masks)


def legal(shape: Shape, board: Board, quilt: int, flips: bool) -> tuple[int, ...]:
    """The legal masks, by ascending cell lists."""
    known = row_tables(shape, board, flips)
    return tuple(known.masks[bit] for bit in bits(known.legal_bits(quilt)))
