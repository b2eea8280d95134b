"""The real patches, read from the rulebook's components, and small boards with small pieces."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from patchwork_ref.polyomino import Board, shape_from_picture
from patchwork_ref.tiling.question import Piece

COMPONENTS = Path(__file__).parents[2] / "spec" / "patchwork" / "1-components.yaml"


@pytest.fixture(scope="session")
def library() -> dict[str, Piece]:
    """Patch id -> piece, in the order of the rulebook."""
    drawn = yaml.safe_load(COMPONENTS.read_text(encoding="utf-8"))["patches"]
    return {
        name: Piece(shape_from_picture(entry["picture"]), entry["cost"], entry["time"], entry["income"])
        for name, entry in drawn.items()
    }


@pytest.fixture(scope="session")
def board() -> Board:
    return Board(9, 9)


@pytest.fixture(scope="session")
def minis() -> dict[str, Piece]:
    """Small pieces for boards of 4x4 and 5x5; two of one shape with different prices."""
    drawn = {
        "i": (["##"], 2, 1),
        "j": (["##"], 1, 3),
        "l": ([".#", "##"], 1, 3),
        "t": (["###"], 2, 2),
        "s": ([".##", "##."], 3, 2),
        "o": (["##", "##"], 4, 3),
        "f": (["###", "#.."], 2, 4),
    }
    return {name: Piece(shape_from_picture(picture), cost, time) for name, (picture, cost, time) in drawn.items()}
