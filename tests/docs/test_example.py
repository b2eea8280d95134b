"""The page that answers a question about the rules as an example."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def fill(root: Path) -> ModuleType:
    """The script that runs a page's commands."""
    spec = importlib.util.spec_from_file_location("fill", root / "docs" / "fill.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_its_commands_print(fill: ModuleType, root: Path) -> None:
    """Every command of the page prints what stands under it, and every table and picture is what a command wrote."""
    page = root / "docs" / "example-ambiguity.md"
    assert fill.fill(page, check=True) == []
    commands = re.findall(r"^\$ patchwork-ref (\S+ \S+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert commands == [*(f"ambiguity {name}" for name in ("show", "table", "witness", "impact")), "prove --equivalent", *["prove --search"] * 2, *["rules holds/buy-pays"] * 2]


def test_a_page_that_lies_is_found_out(fill: ModuleType, tmp_path: Path) -> None:
    """Another text, file or picture than the commands give is told, and put right when it may be."""
    page = tmp_path / "page.md"
    command = "echo yes; echo one > one.md; echo '<svg/>' > one.svg"
    page.write_text(f"```console\n$ {command}\nno\n```\n<!-- one.md -->\ntwo\n<!-- end -->\n![a](images/one.svg)\n")
    assert [line.split("\n")[0] for line in fill.fill(page, check=True)] == [f"{command} prints", "one.md is", "images/one.svg is drawn otherwise"]
    assert "no\n" in page.read_text()
    assert len(fill.fill(page)) == 3 and fill.fill(page, check=True) == []
    assert "yes\n```" in page.read_text() and (tmp_path / "images" / "one.svg").read_text() == "<svg/>\n"


def test_what_the_page_says_in_words_is_in_its_figures(root: Path) -> None:
    """The sentences about the figures hold for the stored ones: who plays without regard to the question changes the winner in about a third of
    the games, everybody loses points, the start player's wins change by nothing that can be told from nothing unless both exploit the richer
    reading, and exploiting the poorer one parts no game."""
    pairs = json.loads((root / "fixtures" / "impact.json").read_text(encoding="utf-8"))
    (pair,) = [p for p in pairs["pairs"] if p["ambiguity"] == "purchase-order"]
    rows = {row["policy"]: row for row in pair["figures"]}
    for name in ("random", "greedy", "square", "exploit place-then-move"):
        row = rows[name]
        assert row["parted"] == row["scores"] == pairs["games"] and 0.26 < row["winner"] / pairs["games"] < 0.41
        assert row["start"][2] < 0 and row["other"][2] < 0  # the upper ends of the intervals
        assert (row["advantage"][1] < 0 < row["advantage"][2]) == (name != "exploit place-then-move")
    poor = rows["exploit move-then-place"]
    assert poor["open"] == pairs["games"] and poor["parted"] == 0
