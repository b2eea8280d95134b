"""Do the stored theorems hold, and does the verifier refuse what proves less?"""

from __future__ import annotations

import ast
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from patchwork_ref.polyomino import Board, shape_from_picture
from patchwork_ref.tiling import theorems
from patchwork_ref.tiling.answers import Possible
from patchwork_ref.tiling.discover import _laid_first
from patchwork_ref.tiling.question import Piece, Question
from patchwork_ref.tiling.search import Limits, search
from patchwork_ref.tiling.theorems import packed, packed_all, stored, unpacked, unpacked_all, verify_theorem

FOLDER = Path(__file__).parents[2] / "fixtures" / "theorems"
QUICK = ("least-patches-for-a-7x7", "least-time-for-a-7x7", "largest-income-on-one-quilt")


@pytest.fixture(scope="module")
def all_stored() -> dict[str, dict[str, Any]]:
    return {entry["theorem"]: entry for entry in stored(FOLDER) if entry.get("kind") != "play"}  # those of play have tests of their own


@pytest.mark.parametrize("name", QUICK)
def test_stored_theorem_holds(all_stored: dict[str, dict[str, Any]], library: dict[str, Piece], board: Board, name: str) -> None:
    """Each stored theorem is proved by the evidence in its file."""
    found = verify_theorem(all_stored[name], library, board)
    assert found.holds, found.says


@pytest.mark.slow
@pytest.mark.timeout(1200)  # minutes of work, where others use the box too
def test_every_stored_theorem_holds(all_stored: dict[str, dict[str, Any]], library: dict[str, Piece], board: Board) -> None:
    """All stored theorems hold, those with long certificates too, and the known values are among them."""
    for entry in all_stored.values():
        found = verify_theorem(entry, library, board)
        assert found.holds, found
    assert all_stored["least-patches-for-a-7x7"]["bounds"] == [8, 8]
    assert all_stored["least-time-for-a-7x7"]["bounds"] == [16, 16]
    assert all_stored["least-buttons-for-a-7x7"]["bounds"] == [12, 12]
    assert all_stored["least-patches-for-the-whole-quilt"]["bounds"] == [14, 14]


def test_verifier_knows_no_solver() -> None:
    """The verifier imports no search and no Z3: only the checker, pictures and the standard library."""
    tree = ast.parse(Path(theorems.__file__).read_text(encoding="utf-8"))
    ours = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and str(node.module).startswith("patchwork_ref")}
    assert ours == {"patchwork_ref.polyomino", "patchwork_ref.tiling.checker", "patchwork_ref.tiling.question"}


def test_stronger_claims_are_refused(all_stored: dict[str, dict[str, Any]], library: dict[str, Piece], board: Board) -> None:
    """A theorem whose bound is tightened by one, either way, is refused, and so is one about other patches."""
    for name in QUICK:
        for low, high in ((1, 1), (-1, -1), (1, 0), (0, -1)):
            entry = deepcopy(all_stored[name])
            entry["bounds"] = [entry["bounds"][0] + low, entry["bounds"][1] + high]
            if name == "largest-income-on-one-quilt" and (low, high) == (1, 0):
                continue  # the same claim as (1, 1) for the witness; covered there
            assert not verify_theorem(entry, library, board).holds, (name, low, high)
    cheaper = {name: Piece(piece.shape, 0, 0, 9) for name, piece in library.items()}
    assert not any(verify_theorem(all_stored[name], cheaper, board).holds for name in QUICK[1:2] + QUICK[3:])


def test_certificates_for_each_way_to_lay_a_first_patch() -> None:
    """A board that an H and two squares cannot fill, by a certificate for each way to lay the first of them: with any left out or spoiled it is refused."""
    small = Board(5, 5)
    drawn = {"h": ["#.#", "###", "#.#"], **{name: ["###"] * 3 for name in "xy"}, **{name: ["#####"] for name in "opqrs"}}
    box = {name: Piece(shape_from_picture(picture), 0, 0, 0) for name, picture in drawn.items()}
    refutation = _laid_first(box, small, 3, Limits())
    assert refutation is not None
    witness = search(Question(small, 0, 5, tuple(box.items())))
    assert isinstance(witness, Possible)
    theorem = {"theorem": "small", "side": 5, "measure": "patches", "sense": "least", "bounds": [4, 5], "witness": witness.certificate(), "refutation": refutation}
    found = verify_theorem(theorem, box, small)
    assert found.holds, found
    certificates = unpacked_all(refutation["certificates"])
    assert len(certificates) > 2
    for number in range(len(certificates)):
        for spoiled in (certificates[:number] + certificates[number + 1:], [{**c, "windows": []} if c is certificates[number] else c for c in certificates]):
            assert not verify_theorem({**theorem, "refutation": {**refutation, "certificates": packed_all(spoiled)}}, box, small).holds
    assert not verify_theorem({**theorem, "refutation": {**refutation, "first": "o"}}, box, small).holds


def test_malformed_theorems_are_refused(all_stored: dict[str, dict[str, Any]], library: dict[str, Piece], board: Board) -> None:
    """A theorem without one of its parts is refused with a reason and no traceback."""
    for name in QUICK:
        for part in ("witness", "bounds", "measure", "sense", "side"):
            entry = {key: value for key, value in all_stored[name].items() if key != part}
            assert not verify_theorem(entry, library, board).holds
    assert not verify_theorem({}, library, board).holds


def test_packing_is_undone() -> None:
    """Unpacking a packed certificate gives the certificate, and an unpacked one stays as it is."""
    certificate = {"format": 1, "windows": [{"row": 0, "column": 0, "tree": [40, -1, -1]}]}
    assert unpacked(packed(certificate)) == certificate == unpacked(certificate)
