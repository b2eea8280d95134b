"""Is a witness told and drawn as it was played?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from patchwork_ref.ambiguity import Laboratory, Pair
from patchwork_ref.cli.main import run
from patchwork_ref.fixtures import Fixture
from patchwork_ref.report.ambiguities import parts_of_pair, witness_svg
from patchwork_ref.report.walk_parts import SPECIAL, Parts, Row, aligned, lines_of
from patchwork_ref.report.walk_text import MARK, walk_lines
from patchwork_ref.rulebook.model import Rulebook

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def laboratory(rulebook: Rulebook, fixtures: tuple[Fixture, ...]) -> Laboratory:
    return Laboratory(rulebook, fixtures)


@pytest.fixture(scope="module")
def played(laboratory: Laboratory) -> list[Pair]:
    """Every pair that has a game."""
    return [p for name in laboratory.rulebook.ambiguities for p in laboratory.pairs(name) if p.walk is not None]


@pytest.fixture(scope="module")
def taken(laboratory: Laboratory, played: list[Pair]) -> list[Parts]:
    return [parts_of_pair(laboratory, pair) for pair in played]


def quilts(parts: Parts) -> Iterator[tuple[str, dict[int, str]]]:
    for side in parts.sides:
        for who in (0, 1):
            yield side.state["players"][who]["quilt"], side.pieces[who]


def told(lines: Iterable[str]) -> list[int]:
    """The numbers of the actions that lines tell of, runs written out."""
    found: list[int] = []
    for line in lines:
        first, _, last = line.strip().partition(".")[0].partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def test_quilts_are_drawn_as_they_are(taken: list[Parts]) -> None:
    """On every quilt of every witness a piece lies on each covered cell and on no other, whole patches of those that come into play and special patches."""
    for parts in taken:
        sizes = {p.name: len(p.shape) for p in parts.used}
        for quilt, pieces in quilts(parts):
            assert {at for at, sign in enumerate(quilt) if sign == "#"} == set(pieces)
            for name in set(pieces.values()) - {SPECIAL}:
                assert list(pieces.values()).count(name) == sizes[name]


def test_the_text_tells_the_whole_game(taken: list[Parts]) -> None:
    """Every witness's text has the circle, each action with its player, both readings, and a mark between two lines if and only if they differ."""
    for parts in taken:
        lines = walk_lines(parts)
        text = "\n".join(lines)
        assert " ".join(parts.circle) in text
        game = [line for line in lines if re.match(r" *\d+(-\d+)?\. ", line)]
        assert told(game) == [row.number for row in parts.rows] and bool(game) == bool(parts.rows)
        assert all(f"{row.number}. player {row.mover}: {row.action}" in text for row in parts.rows if row.action != "advance" or row is parts.rows[-1])
        assert all(f"{patch.name}: cost" in text for patch in parts.used)
        differ = sum(a != b for a, b in aligned(parts.sides[0].facts, parts.sides[1].facts))
        assert differ or parts.sides[0].state != parts.sides[1].state or parts.walk.listed
        assert text.count(f" {MARK}") >= differ


def test_only_what_differs_is_marked(laboratory: Laboratory) -> None:
    """The witness of the order of a purchase marks the buttons and the rules that stand elsewhere, and nothing else."""
    lines = walk_lines(parts_of_pair(laboratory, laboratory.pair("purchase-order", "place-then-move", "move-then-place")))
    marked = [line for line in lines if MARK in line]
    assert [("buttons" in line or "track/" in line) for line in marked] == [True] * 4
    assert any("track/income: player 0 buttons 0 → 2" in line and line.rstrip().endswith(MARK) for line in marked)


def test_advances_in_turn_are_one_line() -> None:
    """Four advances or more, each by the other player, become one line with what lies before both; fewer, one player's two, and the last action stand alone."""
    movers = [0, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    rows = [Row(n, who, "advance" if n != 5 else "special on 3", (f"now {n}", "")) for n, who in enumerate(movers, 1)]
    found = lines_of(rows)
    assert [line.label for line in found] == ["1-4", "5", "6-9", "10"]
    assert found[0].standing == "player 0: now 3; player 1: now 4" and found[2].words.endswith("player 0 first") and found[3].standing == ""
    assert [line.label for line in lines_of(rows[:4])] == ["1", "2", "3", "4"]


def test_lists_are_aligned() -> None:
    """Equal lines stand beside one another, in order, and nothing is lost."""
    left, right = ["a", "b", "c", "d"], ["a", "c", "b2", "d", "e"]
    pairs = aligned(left, right)
    assert [a for a, _ in pairs if a] == left and [b for _, b in pairs if b] == right
    assert {("a", "a"), ("c", "c"), ("d", "d"), ("b", ""), ("", "b2"), ("", "e")} == set(pairs)
    assert aligned(["a", "x"], ["a", "z"])[1] == ("x", "z") and aligned(["x", "y", "a"], ["z", "a"]) == [("x", ""), ("y", ""), ("", "z"), ("a", "a")]


def test_every_witness_is_drawn(laboratory: Laboratory, played: list[Pair]) -> None:
    """Each picture is well formed and no wider than its page, has the whole circle, both readings and every action."""
    for pair in played:
        root = ElementTree.fromstring(witness_svg(laboratory, pair))
        texts = [t.text or "" for t in root.iter(f"{SVG}text")]
        parts = parts_of_pair(laboratory, pair)
        assert set(pair.readings) <= set(texts) and set(parts.circle) <= set(texts)
        assert told(t for t in texts if re.match(r"\d+(-\d+)?\. ", t)) == [row.number for row in parts.rows]
        width, height = (float(root.get(name, "0")) for name in ("width", "height"))
        assert all(float(r.get("x", "0")) >= 0 and float(r.get("x", "0")) + float(r.get("width", "0")) <= width for r in root.iter(f"{SVG}rect"))
        assert all(float(t.get("y", "0")) < height for t in root.iter(f"{SVG}text"))


def test_pictures_of_more_pairs_have_numbers(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One pair is drawn into the file named, more into numbered ones; a folder that is not there is one line."""
    assert run(["ambiguity", "witness", "tie", "--plot", str(tmp_path / "tie.svg")]) == 0
    assert run(["ambiguity", "witness", "supply", "--plot", str(tmp_path / "supply.svg")]) == 0
    assert {file.name for file in tmp_path.iterdir()} == {"tie-1.svg", "tie-2.svg", "tie-3.svg", "supply.svg"}
    capfd.readouterr()
    assert run(["ambiguity", "witness", "supply", "--plot", str(tmp_path / "nowhere" / "supply.svg")]) == 2
    assert capfd.readouterr().err.count("\n") == 1
