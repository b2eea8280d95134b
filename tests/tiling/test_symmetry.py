"""Are proofs that are mirrored instead of searched as good as the others?"""

from __future__ import annotations

import json
from random import Random

import pytest

from patchwork_ref.polyomino import Board
from patchwork_ref.tiling import search as searching
from patchwork_ref.tiling.answers import Impossible
from patchwork_ref.tiling.checker import verify
from patchwork_ref.tiling.question import Piece, Question
from patchwork_ref.tiling.search import Limits, search
from patchwork_ref.tiling.symmetry import image, symmetries


def test_symmetries_keep_the_quilt() -> None:
    """The empty square board has seven symmetries besides itself, three of them turns; a quilt keeps those that leave it as it is."""
    board = Board(5, 5)
    assert (len(symmetries(board, 0, True)), len(symmetries(board, 0, False)), len(symmetries(Board(4, 5), 0, True))) == (7, 3, 3)
    for quilt, number in ((1 << 12, 7), (1, 1), (0b11, 0)):
        assert len(symmetries(board, quilt, True)) == number
        assert all(image(quilt, moved) == quilt for moved in symmetries(board, quilt, True))


def test_mirrored_proofs_hold(minis: dict[str, Piece], monkeypatch: pytest.MonkeyPatch) -> None:
    """On symmetric quilts the answer is the one that a search without mirrors gives, with fewer nodes, and every certificate is accepted."""
    rng, nodes, impossible = Random(5), [0, 0], 0
    for number in range(300):
        board, half = Board(5, 5), [cell for cell in range(25) if rng.random() < 0.15]
        quilt = 0
        for moved in [tuple(range(25)), *rng.sample(symmetries(board, 0, True), 1)]:
            quilt |= sum(1 << moved[cell] for cell in half if not quilt >> moved[cell] & 1)
        pieces = tuple((name, minis[name]) for name in rng.sample(list(minis), rng.choice((3, 4, 5))))
        budget = rng.choice((None, None, 6))
        question = Question(board, quilt, rng.choice((3, 4)), pieces, rng.choice((0, 0, 1)), rng.random() < 0.7, budget)
        answers = []
        for without in (False, True):
            with monkeypatch.context() as patched:
                if without:
                    patched.setattr(searching, "mirrors", lambda *_: [])
                answers.append(search(question, Limits(seconds=60)))
            nodes[without] += answers[-1].nodes
            assert verify(json.dumps(answers[-1].certificate())) == (True, answers[-1].verdict), number  # type: ignore[union-attr]
        assert answers[0].verdict == answers[1].verdict
        impossible += isinstance(answers[0], Impossible)
    assert impossible > 60 and nodes[0] < 0.9 * nodes[1]
