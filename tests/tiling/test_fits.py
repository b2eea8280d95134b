"""Does every way of placing a patch give the same placements?"""

from __future__ import annotations

from random import Random

import pytest

from patchwork_ref.polyomino import Board, board_from_text, cells_of
from patchwork_ref.tiling.fits import fits
from patchwork_ref.tiling.question import Piece, TilingInputError


def test_empty_board_counts(library: dict[str, Piece], board: Board) -> None:
    """On the empty board the 33 patches have 7,349 placements, by table as by enumeration, patch by patch."""
    table = {name: fits(piece.shape, board, 0) for name, piece in library.items()}
    assert table == {name: fits(piece.shape, board, 0, method="enumeration") for name, piece in library.items()}
    assert sum(len(found.placements) for found in table.values()) == 7349


def test_empty_board_without_flips(library: dict[str, Piece], board: Board) -> None:
    """Without flips, too, table and enumeration agree, and only patches with a handedness lose placements."""
    fewer = set()
    for name, piece in library.items():
        found = fits(piece.shape, board, 0, flips=False)
        assert found == fits(piece.shape, board, 0, flips=False, method="enumeration")
        if len(found.placements) < len(fits(piece.shape, board, 0).placements):
            fewer.add(name)
    assert "S" in fewer and "V" not in fewer and len(fewer) > 8


def test_thousands_of_boards(library: dict[str, Piece], board: Board) -> None:
    """On random quilts of every density, table and enumeration find the same placements."""
    rng = Random(5)
    names = list(library)
    on_empty = {name: fits(library[name].shape, board, 0, method="enumeration").placements for name in names}
    agreed = some = none = 0
    for _ in range(2000):
        density = rng.random() ** 2 * 0.9
        quilt = sum(1 << cell for cell in range(81) if rng.random() < density)
        name = rng.choice(names)
        shape = library[name].shape
        expected = tuple(mask for mask in on_empty[name] if not mask & quilt)
        assert agreed % 20 or expected == fits(shape, board, quilt, method="enumeration").placements
        found = fits(shape, board, quilt)
        assert found.placements == expected
        agreed, some, none = agreed + 1, some + found.fits, none + (not found.fits)
    assert agreed == 2000 and some > 300 and none > 300


def test_small_boards_exhaustively(minis: dict[str, Piece]) -> None:
    """On all 512 quilts of 3x3 cells, and on all of 2x4, table and enumeration agree, with flips and without."""
    for small, names in ((Board(3, 3), "lf"), (Board(2, 4), "ts")):
        for piece in (minis[name] for name in names):
            for quilt in range(small.full + 1):
                for flips in (True, False):
                    assert fits(piece.shape, small, quilt, flips) == fits(piece.shape, small, quilt, flips, "enumeration")


def test_z3_agrees(library: dict[str, Piece], board: Board) -> None:
    """Z3, told only the picture and the filled cells, lists the same placements as the table."""
    rng = Random(6)
    for name, piece in list(library.items())[::3]:
        quilt = sum(1 << cell for cell in range(81) if rng.random() < rng.choice((0.2, 0.35, 0.5)))
        flips = rng.random() < 0.7
        assert fits(piece.shape, board, quilt, flips, "z3") == fits(piece.shape, board, quilt, flips), name


@pytest.mark.slow
@pytest.mark.timeout(1200)  # minutes of work, where others use the box too
def test_z3_agrees_on_hundreds(library: dict[str, Piece], board: Board) -> None:
    """As above, every patch on the empty board and on five quilts."""
    rng = Random(7)
    for piece in library.values():
        assert fits(piece.shape, board, 0, True, "z3") == fits(piece.shape, board, 0)
        for _ in range(5):
            quilt = sum(1 << cell for cell in range(81) if rng.random() < rng.choice((0.2, 0.35, 0.5)))
            assert fits(piece.shape, board, quilt, True, "z3") == fits(piece.shape, board, quilt)


def test_z3_agrees_on_small_boards(minis: dict[str, Piece]) -> None:
    """On 2x3 cells Z3 agrees with the enumeration on every quilt, also when the piece is larger than the board."""
    small = Board(2, 3)
    for name in ("l", "f"):
        for quilt in range(0, small.full + 1, 3):
            assert fits(minis[name].shape, small, quilt, True, "z3") == fits(minis[name].shape, small, quilt, True, "enumeration")
    assert not fits(minis["t"].shape, Board(2, 2), 0, True, "z3").fits


def test_wide_board() -> None:
    """A board wider than a strip of the table is cut into strips, and nothing else changes."""
    wide = Board(3, 17)
    rng = Random(8)
    shape = ((0, 0), (0, 1), (1, 0))
    for _ in range(50):
        quilt = sum(1 << cell for cell in range(51) if rng.random() < 0.4)
        assert fits(shape, wide, quilt) == fits(shape, wide, quilt, method="enumeration")


def test_order_is_by_cell_lists(library: dict[str, Piece], board: Board) -> None:
    """Placements come by ascending cell lists, the order that certificates count on."""
    cells = fits(library["G"].shape, board, board_from_text("." * 81, board)).cells()
    assert cells == sorted(cells) and len(cells) == 70
    assert [list(cells_of(mask)) for mask in fits(library["G"].shape, board, 0).placements] == cells


@pytest.mark.parametrize(("quilt", "method", "says"), [(1 << 81, "table", "not on the board"), (0, "magic", "unknown method")])
def test_bad_input(library: dict[str, Piece], board: Board, quilt: int, method: str, says: str) -> None:
    """A quilt off the board and an unknown method are refused in one line."""
    with pytest.raises(TilingInputError, match=says):
        fits(library["A"].shape, board, quilt, method=method)
