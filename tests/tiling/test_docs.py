"""Is what docs/square.md shows true?"""

from __future__ import annotations

import json
import re
from pathlib import Path

from patchwork_ref.polyomino import Board
from patchwork_ref.tiling.answers import Impossible
from patchwork_ref.tiling.checker import verify
from patchwork_ref.tiling.question import Piece, ask
from patchwork_ref.tiling.search import search

PAGE = Path(__file__).parents[2] / "docs" / "square.md"


def test_example_holds() -> None:
    """The certificate printed in the page is accepted, is the one the search finds, and the flaws named there are refused."""
    text = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)[0]
    assert verify(text) == (True, "impossible")
    pieces = {"t": Piece(((0, 0), (0, 1), (0, 2))), "l": Piece(((0, 1), (1, 0), (1, 1)))}
    answer = search(ask(pieces, Board(3, 4), 3, "#..#...#####"))
    assert isinstance(answer, Impossible) and answer.certificate() == json.loads(text)
    assert "ends early" in verify(text.replace("6, 5, 1]", "6, 5]"))[1]
    assert "areas suffice" in verify(text.replace("[4,", "[-1,"))[1]
