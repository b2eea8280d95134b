"""Are the asker's mistakes refused in one line?"""

from __future__ import annotations

from typing import Any

import pytest

from patchwork_ref.polyomino import Board
from patchwork_ref.tiling.question import Piece, Question, TilingInputError, ask
from patchwork_ref.tiling.square import square

EMPTY = "." * 81


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"quilt": "." * 80}, "has 81 characters"),
        ({"quilt": "." * 80 + "x"}, "character 81"),
        ({"patches": ["A", "ZZ"]}, "unknown patch 'ZZ'"),
        ({"patches": ["A", "B", "A"]}, "'A' is named twice"),
        ({"buttons": -1}, "buttons cannot be negative"),
        ({"spaces": -7}, "spaces cannot be negative"),
        ({"specials": -1}, "special patches cannot be negative"),
        ({"patches": ["A"], "owned": ["A"]}, "'A' lies on the quilt"),
        ({"patches": ["A"], "owned": ["V"]}, "0 filled cells, but the patches on it have 8"),
        ({"side": 10}, "side 10"),
        ({"side": 0}, "side 0"),
    ],
)
def test_bad_question(library: dict[str, Piece], board: Board, change: dict[str, Any], says: str) -> None:
    """A wrong board, patch, budget, side or a state that contradicts itself is refused in one line that names it."""
    asked: dict[str, Any] = {"library": library, "board": board, "side": 7, "quilt": EMPTY} | change
    with pytest.raises(TilingInputError, match=says) as caught:
        ask(**asked)
    assert "\n" not in str(caught.value)


def test_bad_values(board: Board) -> None:
    """A question made of values is checked as well: filled cells off the board, names twice, pieces without cells."""
    piece = Piece(((0, 0),))
    for quilt, pieces in (
        (1 << 81, ()), (-1, ()), (0, (("A", piece), ("A", piece))), (0, (("special", piece),)), (0, (("A", Piece(())),)), (0, (("A", Piece(((0, 0),), -1)),)),
    ):
        with pytest.raises(TilingInputError):
            Question(board, quilt, 7, pieces)


def test_bad_routes(board: Board) -> None:
    """An unknown route, and none, are refused."""
    for routes in (["tree", "oracle"], []):
        with pytest.raises(TilingInputError, match="known are tree, z3"):
            square(Question(board, 0, 7, ()), routes)


def test_order_of_the_library(library: dict[str, Piece], board: Board) -> None:
    """Patches stand in the library's order however the asker names them."""
    assert [name for name, _ in ask(library, board, 7, EMPTY, ["b", "A", "Z"]).pieces] == ["A", "Z", "b"]
