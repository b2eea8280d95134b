"""What is asked: a quilt, the patches that may still be placed, and perhaps two budgets.

All values come from the caller; this room knows no rule and no number of the game. A question is immutable and has
been checked when it exists: every mistake of the asker ends in one TilingInputError whose text is one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from patchwork_ref.errors import InputError
from patchwork_ref.polyomino import Board, PictureError, Shape, board_from_text, rows_of, squares, text_of

SPECIAL = "special"


class TilingInputError(InputError, ValueError):
    """The question itself is wrong; the message says in one line what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A patch: its shape, what it costs in buttons and in spaces, and the income it brings."""

    shape: Shape
    cost: int = 0
    time: int = 0
    income: int = 0

    @property
    def size(self) -> int:
        return len(self.shape)


@dataclass(frozen=True, slots=True)
class Question:
    """Can a filled ``side`` x ``side`` square come to lie on this quilt?

    ``quilt`` is the mask of the filled cells. Each of ``pieces`` (in this order, which certificates follow) may be
    placed once, turned, and flipped when ``flips``; ``specials`` single cells may be filled besides. ``buttons`` and
    ``spaces`` bound the summed cost and the summed time of the pieces placed; None means no bound.
    """

    board: Board
    quilt: int
    side: int
    pieces: tuple[tuple[str, Piece], ...]
    specials: int = 0
    flips: bool = True
    buttons: int | None = None
    spaces: int | None = None

    def __post_init__(self) -> None:
        _check(self)

    @property
    def windows(self) -> tuple[int, ...]:
        """The masks of the squares that count, row by row of their top left corner."""
        return squares(self.board, self.side)

    @property
    def budgeted(self) -> bool:
        return self.buttons is not None or self.spaces is not None

    def corner(self, window: int) -> dict[str, int]:
        """Row and column of the top left cell of the window with this number."""
        row, column = divmod(window, self.board.columns - self.side + 1)
        return {"row": row, "column": column}

    def document(self) -> dict[str, Any]:
        """The ``question`` object of a certificate (docs/square.md)."""
        shown: dict[str, Any] = {
            "rows": self.board.rows,
            "columns": self.board.columns,
            "side": self.side,
            "quilt": text_of(self.quilt, self.board),
            "patches": {name: picture(piece.shape) for name, piece in self.pieces},
            "specials": self.specials,
        }
        if not self.flips:
            shown["flips"] = False
        if self.budgeted:
            bounds = {"buttons": self.buttons, "spaces": self.spaces}
            shown["budget"] = {name: bound for name, bound in bounds.items() if bound is not None}
            shown["cost"] = {name: piece.cost for name, piece in self.pieces}
            shown["time"] = {name: piece.time for name, piece in self.pieces}
        return shown


def picture(shape: Shape) -> list[str]:
    """The rows of ``#`` and ``.`` that draw the shape."""
    box = Board(max(r for r, _ in shape) + 1, max(c for _, c in shape) + 1)
    return rows_of(sum(1 << r * box.columns + c for r, c in shape), box)


def chosen(library: Mapping[str, Piece], patches: Iterable[str] | None) -> tuple[tuple[str, Piece], ...]:
    """The named patches in the order of the library; all of them for None.

    Raises TilingInputError for an unknown name and for a name given twice.
    """
    if patches is None:
        return tuple(library.items())
    wanted: set[str] = set()
    for name in patches:
        if name not in library:
            raise TilingInputError(f"unknown patch {name!r}; known are {','.join(library)}")
        if name in wanted:
            raise TilingInputError(f"patch {name!r} is named twice; each patch can be used once")
        wanted.add(name)
    return tuple((name, piece) for name, piece in library.items() if name in wanted)


def ask(
    library: Mapping[str, Piece],
    board: Board,
    side: int,
    quilt: str,
    patches: Iterable[str] | None = None,
    specials: int = 0,
    *,
    flips: bool = True,
    buttons: int | None = None,
    spaces: int | None = None,
    owned: Iterable[str] | None = None,
) -> Question:
    """A question from texts, as a user gives them.

    ``owned`` names the patches that lie on the quilt already, when the asker knows: they cannot be asked for again,
    and the filled cells cannot be fewer than theirs. Raises TilingInputError.
    """
    pieces = chosen(library, patches)
    try:
        mask = board_from_text(quilt, board)
    except PictureError as error:
        raise TilingInputError(str(error)) from None
    if owned is not None:
        lying = chosen(library, owned)
        if twice := dict(lying).keys() & dict(pieces).keys():
            raise TilingInputError(f"patch {min(twice)!r} lies on the quilt and is also asked for; a patch exists once")
        if (covered := mask.bit_count()) < (needed := sum(piece.size for _, piece in lying)):
            raise TilingInputError(f"the quilt has {covered} filled cells, but the patches on it have {needed}")
    return Question(board, mask, side, pieces, specials, flips, buttons, spaces)


def _check(q: Question) -> None:
    if q.board.rows < 1 or q.board.columns < 1:
        raise TilingInputError(f"a board needs rows and columns, not {q.board.rows} x {q.board.columns}")
    if not 1 <= q.side <= min(q.board.rows, q.board.columns):
        raise TilingInputError(f"a square of side {q.side} does not lie on {q.board.rows} x {q.board.columns} cells")
    if q.quilt & ~q.board.full or q.quilt < 0:
        raise TilingInputError("the quilt has filled cells that are not on the board")
    for what, number in (("special patches", q.specials), ("buttons", q.buttons), ("spaces", q.spaces)):
        if number is not None and number < 0:
            raise TilingInputError(f"{what} cannot be negative: {number}")
    names = [name for name, _ in q.pieces]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise TilingInputError(f"patch {twice!r} is named twice; each patch can be used once")
    for name, piece in q.pieces:
        if name == SPECIAL:
            raise TilingInputError(f"no patch may be called {SPECIAL!r}: certificates call the 1x1 patches so")
        if not piece.shape:
            raise TilingInputError(f"patch {name!r} has no cell")
        if piece.cost < 0 or piece.time < 0:
            raise TilingInputError(f"patch {name!r} has a negative cost or time")
