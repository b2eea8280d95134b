"""Pure geometry on boards of any size: pictures, orientations, placements, squares.

A cell of a board with C columns is the number ``C * row + column``; a set of cells is a *mask*, an integer whose
bit ``cell`` is set. A shape is a sorted tuple of ``(row, column)`` pairs whose smallest row and column are 0.
Nothing here knows a rule or a patch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

FILLED, EMPTY = "#", "."
_SIGNS = str.maketrans("01", EMPTY + FILLED)

Shape = tuple[tuple[int, int], ...]


class PictureError(ValueError):
    """A text that should draw a shape or a board does not; the message says why in one line."""


@dataclass(frozen=True, slots=True)
class Board:
    """A rectangle of ``rows`` x ``columns`` cells, numbered row by row from 0 at the top left."""

    rows: int
    columns: int

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    @property
    def full(self) -> int:
        """The mask of every cell."""
        return (1 << self.cells) - 1


def shape_from_picture(picture: Sequence[str]) -> Shape:
    """The shape drawn by rows of ``#`` and ``.``.

    Raises PictureError when rows differ in length, hold other characters, have an empty border, or when the filled
    cells are none or not connected by their sides.
    """
    if not picture or not picture[0]:
        raise PictureError("the picture is empty")
    width = len(picture[0])
    for number, row in enumerate(picture, 1):
        if len(row) != width:
            raise PictureError(f"row {number} has {len(row)} characters, the first has {width}")
        if strange := set(row) - {FILLED, EMPTY}:
            raise PictureError(f"row {number} holds {sorted(strange)[0]!r}; only '#' and '.' draw a picture")
    filled = tuple((r, c) for r, row in enumerate(picture) for c, sign in enumerate(row) if sign == FILLED)
    if not filled:
        raise PictureError("the picture has no filled cell")
    if normalised(filled) != filled or max(r for r, _ in filled) != len(picture) - 1 \
            or max(c for _, c in filled) != width - 1:
        raise PictureError("the picture has an empty row or column at its border")
    if not is_connected(filled):
        raise PictureError("the filled cells are not connected")
    return filled


def normalised(cells: Iterable[tuple[int, int]]) -> Shape:
    """The same cells moved to the top left and sorted."""
    listed = sorted(cells)
    top, left = min(r for r, _ in listed), min(c for _, c in listed)
    return tuple((r - top, c - left) for r, c in listed)


def is_connected(shape: Shape) -> bool:
    """Whether every cell can be reached from every other through shared sides."""
    left = set(shape)
    edge = [left.pop()] if left else []
    while edge:
        r, c = edge.pop()
        for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if near in left:
                left.remove(near)
                edge.append(near)
    return not left


def turned(shape: Shape) -> Shape:
    """A quarter turn clockwise."""
    return normalised((c, -r) for r, c in shape)


def flipped(shape: Shape) -> Shape:
    """Mirrored left to right."""
    return normalised((r, -c) for r, c in shape)


@cache
def orientations(shape: Shape, flips: bool) -> tuple[Shape, ...]:
    """The distinct shapes reached by quarter turns, and by flips too when ``flips``; sorted."""
    found = set()
    for start in (shape, flipped(shape)) if flips else (shape,):
        for _ in range(4):
            found.add(start)
            start = turned(start)
    return tuple(sorted(found))


@cache
def placements(shape: Shape, board: Board, flips: bool) -> tuple[int, ...]:
    """Every mask that the shape covers on the empty board, each once, by ascending cell lists."""
    found = set()
    for form in orientations(shape, flips):
        height, width = max(r for r, _ in form) + 1, max(c for _, c in form) + 1
        for top in range(board.rows - height + 1):
            for left in range(board.columns - width + 1):
                found.add(mask_of((top + r) * board.columns + left + c for r, c in form))
    return tuple(sorted(found, key=cells_of))


@cache
def squares(board: Board, side: int) -> tuple[int, ...]:
    """The masks of all side x side squares on the board, row by row of their top left corner."""
    return tuple(
        mask_of((top + r) * board.columns + left + c for r in range(side) for c in range(side))
        for top in range(board.rows - side + 1)
        for left in range(board.columns - side + 1)
    )


def mask_of(cells: Iterable[int]) -> int:
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def bits(mask: int) -> Iterator[int]:
    """The set bits, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def cells_of(mask: int) -> tuple[int, ...]:
    return tuple(bits(mask))


def board_from_text(text: str, board: Board) -> int:
    """The mask drawn by ``board.cells`` characters of ``#`` and ``.``; rows may be separated by ``/`` or line ends."""
    drawn = "".join(text.split()).replace("/", "")
    if len(drawn) != board.cells:
        raise PictureError(f"a board has {board.cells} characters of '#' and '.', this text has {len(drawn)}")
    if strange := set(drawn) - {FILLED, EMPTY}:
        at = next(i for i, sign in enumerate(drawn) if sign in strange)
        raise PictureError(f"character {at + 1} of the board is {drawn[at]!r}; only '#' and '.' draw a board")
    return mask_of(i for i, sign in enumerate(drawn) if sign == FILLED)


def text_of(mask: int, board: Board) -> str:
    """``board.cells`` characters of ``#`` and ``.``, row by row, without separators."""
    return f"{mask & board.full:0{board.cells}b}"[::-1].translate(_SIGNS)


def rows_of(mask: int, board: Board) -> list[str]:
    """The board as ``rows`` texts of ``columns`` characters."""
    text = text_of(mask, board)
    return [text[start : start + board.columns] for start in range(0, board.cells, board.columns)]
