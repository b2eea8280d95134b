"""Does a patch still fit on a quilt, and where? Three independent ways with one result.

``by_table`` looks up, ``by_z3`` asks Z3 about turns and shifts of the picture, ``by_enumeration`` tries every
coordinate with plain sets. They share no placement list, so their agreement is evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from patchwork_ref.polyomino import Board, Shape, cells_of
from patchwork_ref.tiling import fits_plain, fits_table, fits_z3
from patchwork_ref.tiling.question import TilingInputError


@dataclass(frozen=True, slots=True)
class Fit:
    """All masks that the patch can cover, by ascending cell lists; none when it does not fit."""

    placements: tuple[int, ...]

    @property
    def fits(self) -> bool:
        return bool(self.placements)

    def cells(self) -> list[list[int]]:
        """The placements as cell lists."""
        return [list(cells_of(mask)) for mask in self.placements]


Method = Callable[[Shape, Board, int, bool], tuple[int, ...]]
METHODS: dict[str, Method] = {"table": fits_table.legal, "z3": fits_z3.legal, "enumeration": fits_plain.legal}


def fits(shape: Shape, board: Board, quilt: int, flips: bool = True, method: str = "table") -> Fit:
    """Where the shape can be placed on the board beside the filled cells of ``quilt``.

    Raises TilingInputError for an unknown method, a shape without cells, or filled cells off the board.
    """
    if method not in METHODS:
        raise TilingInputError(f"unknown method {method!r}; known are {', '.join(METHODS)}")
    if not shape:
        raise TilingInputError("the patch has no cell")
    if quilt < 0 or quilt & ~board.full:
        raise TilingInputError("the quilt has filled cells that are not on the board")
    return Fit(METHODS[method](shape, board, quilt, flips))
