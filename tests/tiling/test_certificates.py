"""Does the checker refuse whatever proves nothing, and does it stand alone?"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchwork_ref.polyomino import Board
from patchwork_ref.tiling import checker
from patchwork_ref.tiling.answers import Impossible, Possible
from patchwork_ref.tiling.checker import verify
from patchwork_ref.tiling.question import Piece, Question, ask
from patchwork_ref.tiling.samples import tight
from patchwork_ref.tiling.search import Limits, search

SOURCE = Path(checker.__file__)


@pytest.fixture(scope="module")
def impossible(library: dict[str, Piece], board: Board) -> list[dict[str, Any]]:
    """Certificates of some length, without budgets and with."""
    plain: list[dict[str, Any]] = []
    bounded: list[dict[str, Any]] = []
    for seed in range(300):
        question = tight(library, board, 7, Random(seed), 2 if seed % 2 else seed % 3)
        if seed % 2:
            cost = sum(piece.cost for _, piece in question.pieces)
            question = Question(board, question.quilt, 7, question.pieces, 0, True, cost - 1, None)
        answer = search(question, Limits(nodes=512))
        if isinstance(answer, Impossible) and 30 < sum(map(len, answer.trees)) < 900:
            if not seed % 2:
                plain.append(answer.certificate())
            elif any(-2 in tree for tree in answer.trees):
                bounded.append(answer.certificate())
        if len(plain) > 3 and len(bounded) > 3:
            break
    return plain[:4] + bounded[:4]


def refused(document: Any) -> bool:
    return not verify(json.dumps(document))[0]


def test_checker_stands_alone() -> None:
    """The checker is one file of fewer than 80 lines that imports nothing but the standard library."""
    text = SOURCE.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 80
    imported = {alias.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
    assert imported == {"json", "sys", "pathlib", "typing"}


def test_runs_as_a_script(tmp_path: Path, impossible: list[dict[str, Any]]) -> None:
    """``python checker.py FILE`` ends with 0 and the verdict, or with 1 and one line that begins with ``refused``."""
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(impossible[0]))
    bad.write_bytes(b"\xff\xfe[")
    for path, code, says in ((good, 0, "impossible"), (bad, 1, "refused"), (tmp_path / "none", 1, "refused")):
        done = subprocess.run([sys.executable, "-I", str(SOURCE), str(path)], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == code and (done.stdout + done.stderr).startswith(says)
        assert "Traceback" not in done.stderr


def test_truncated_trees_are_refused(impossible: list[dict[str, Any]]) -> None:
    """A tree that lacks its last numbers is refused, however many are missing, and so is a missing window."""
    for document in impossible:
        for window, entry in enumerate(document["windows"]):
            if window and len(entry["tree"]) < 3:
                continue
            for kept in {0, len(entry["tree"]) // 2, len(entry["tree"]) - 1}:
                shorter = deepcopy(document)
                shorter["windows"][window]["tree"] = entry["tree"][:kept]
                assert refused(shorter)
        for window in (0, 4, 8):
            fewer = deepcopy(document)
            del fewer["windows"][window]
            assert refused(fewer)


def test_reordered_certificates_are_refused(impossible: list[dict[str, Any]]) -> None:
    """Windows in another order are refused, and a tree is refused under the patches in an order that changes its children."""
    changed = 0
    for document in impossible:
        swapped = deepcopy(document)
        swapped["windows"][0], swapped["windows"][-1] = swapped["windows"][-1], swapped["windows"][0]
        assert refused(swapped)
        turned = deepcopy(document)
        turned["question"]["patches"] = dict(reversed(document["question"]["patches"].items()))
        changed += refused(turned)  # a tree whose branches all close at once reads the same in any order
        longer = deepcopy(document)
        longer["windows"][0]["tree"].append(-1)
        assert refused(longer)
    assert changed > len(impossible) // 2


def test_edited_trees_are_refused_or_prove_the_same(impossible: list[dict[str, Any]]) -> None:
    """After a change of one number the checker refuses, or the tree is again a proof: of the same verdict, which stays true."""
    # A change can by chance give another proof (a branch on another dead cell). The checker follows it to its end, so it
    # is accepted rightly; it must be rare, and never turn the verdict.
    rng = Random(4)
    accepted = tried = 0
    for document in impossible:
        places = [(w, i) for w, entry in enumerate(document["windows"]) for i in range(len(entry["tree"]))]
        for window, index in rng.sample(places, 20):
            edited = deepcopy(document)
            tree = edited["windows"][window]["tree"]
            tree[index] = rng.choice([mark for mark in range(-4, 83) if mark != tree[index]])
            sound, said = verify(json.dumps(edited))
            tried += 1
            accepted += sound
            assert not sound or said == "impossible"
    assert tried == 160 and accepted < tried // 10


def test_swapped_numbers_in_a_tree(impossible: list[dict[str, Any]]) -> None:
    """Exchanging two different neighbours of a tree is refused, but for the rare exchange that gives another proof."""
    rng = Random(5)
    accepted = tried = 0
    for document in impossible:
        for _ in range(30):
            edited = deepcopy(document)
            tree = max(edited["windows"], key=lambda entry: len(entry["tree"]) * rng.random())["tree"]
            at = rng.randrange(len(tree))
            if at + 1 < len(tree) and tree[at] != tree[at + 1]:
                tree[at], tree[at + 1] = tree[at + 1], tree[at]
                tried += 1
                accepted += verify(json.dumps(edited))[0]
    assert tried > 50 and accepted <= tried // 10


def test_no_certificate_for_the_possible(library: dict[str, Piece], board: Board) -> None:
    """No random tree persuades the checker that a possible question is impossible."""
    rng = Random(6)
    possible = ask({"o": Piece(((0, 0), (0, 1), (1, 0), (1, 1)))}, Board(3, 3), 2, "........." )
    assert isinstance(search(possible), Possible)
    corners = [(r, c) for r in range(2) for c in range(2)]
    for _ in range(3000):
        windows = [{"row": r, "column": c, "tree": [rng.choice((0, 1, 3, 4, 5, -1, -1, -2)) for _ in range(rng.randint(1, 5))]} for r, c in corners]
        assert refused({"format": 1, "question": possible.document(), "verdict": "impossible", "windows": windows})


def test_bad_placements_are_refused(library: dict[str, Piece], board: Board) -> None:
    """A possible certificate is refused when a placement is doubled, shifted, left out, of another shape, or too dear."""
    answer = search(Question(board, 0, 7, tuple(library.items()), 2, True, 60, 60))
    assert isinstance(answer, Possible)
    good = answer.certificate()
    assert verify(json.dumps(good)) == (True, "possible")

    def change(path: list[str | int], value: Any) -> dict[str, Any]:
        edited = deepcopy(good)
        inner: Any = edited
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        return edited

    first = good["placements"][0]
    assert refused(change(["placements"], [*good["placements"], first]))
    assert refused(change(["placements"], good["placements"][1:]))
    assert refused(change(["placements", 0, "cells"], [c + 1 for c in first["cells"]]))
    assert refused(change(["placements", 0, "cells"], first["cells"][:-1]))
    assert refused(change(["placements", 0, "cells"], [*first["cells"][:-1], 80.0]))
    assert refused(change(["placements", 0, "patch"], "nobody"))
    assert refused(change(["placements"], [*good["placements"], *({"patch": "special", "cells": [c]} for c in (80, 79, 78))]))
    assert refused(change(["question", "budget", "buttons"], 0))
    assert refused(change(["window"], {"row": (good["window"]["row"] + 1) % 3, "column": 0}))
    assert refused(change(["verdict"], "unknown"))
    assert refused(change(["format"], 2)) and refused(change(["format"], True))
    for name in ("rows", "side", "quilt", "patches", "specials"):
        assert refused(change(["question", name], None))


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{}", "7", '"x"', "NaN", "[" * 200_000, "1" * 10_000, '{"format": 1, "verdict": "impossible", "question": []}',
     '{"format": 1, "verdict": "possible", "question": {"rows": 1e9, "columns": 9}}',
     '{"format": 1, "verdict": "possible", "question": {"rows": 1000000000, "columns": 9}}', "\ud800"],
)
def test_odd_text_is_refused(text: str) -> None:
    """Text that is no certificate at all, huge or odd, is refused with a reason of one line."""
    sound, said = verify(text)
    assert not sound and said and "\n" not in said and len(said) <= 200


def test_overlaps_and_bare_bounds_are_refused() -> None:
    """A placement on filled cells or on another is refused though the square ends up filled, and so is a -1 where the areas are just equal."""
    pieces = {"o": Piece(((0, 0), (0, 1), (1, 0), (1, 1))), "i": Piece(((0, 0), (0, 1)))}
    for quilt, cells in (("#...", [0, 1, 2, 3]), ("....", [0, 1, 2, 3])):
        document: dict[str, Any] = {
            "format": 1, "question": ask(pieces, Board(2, 2), 2, quilt).document(), "verdict": "possible",
            "placements": [{"patch": "o", "cells": cells}], "window": {"row": 0, "column": 0},
        }
        assert verify(json.dumps(document))[0] == (quilt == "....")
        document["placements"].append({"patch": "i", "cells": [0, 1]})
        assert refused(document)
    alone = ask({"o": pieces["o"]}, Board(2, 2), 2, "....").document()
    assert refused({"format": 1, "question": alone, "verdict": "impossible", "windows": [{"row": 0, "column": 0, "tree": [-1]}]})


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_junk_anywhere_is_no_traceback(data: st.DataObject) -> None:
    """Whatever stands in any one place of a certificate, the checker answers and never raises."""
    shown = search(ask({"l": Piece(((0, 0), (0, 1), (1, 0)), 1, 1)}, Board(3, 3), 3, "#.." + "." * 6, specials=1, buttons=3)).certificate()  # type: ignore[union-attr]
    paths: list[list[Any]] = []

    def visit(value: Any, path: list[Any]) -> None:
        if path:
            paths.append(path)
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
            visit(inner, [*path, key])

    visit(shown, [])
    path = data.draw(st.sampled_from(paths))
    inner: Any = shown
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = data.draw(JUNK)
    sound, said = verify(json.dumps(shown))
    assert not sound or said in ("possible", "impossible")
