"""Do ``ambiguity impact`` and ``ambiguity table`` keep their fields, texts and exit codes?"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from patchwork_ref.ambiguity import Fingerprint, Unexplained
from patchwork_ref.cli.main import run
from patchwork_ref.report.fingerprints import fingerprint_markdown

from .conftest import ROOT

FEW = ("--games", "8", "--policy", "random", "--policy", "witness", "--workers", "1")
Result = tuple[int, str, str]


@pytest.fixture
def called(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)

    def call(*args: str) -> Result:
        code = run(["ambiguity", *args])
        return code, *capfd.readouterr()

    return call


def test_impact_as_json(called: Callable[..., Result]) -> None:
    """The document has an entry for each pair of readings, with seed, games and each policy's counts and intervals."""
    code, out, err = called("impact", "tie", *FEW, "--seed", "4", "--format", "json")
    found = json.loads(out)
    assert code == 0 and err == "" and [e["readings"] for e in found] == [["first-to-finish", "draw"], ["first-to-finish", "last-to-finish"], ["draw", "last-to-finish"]]
    for entry in found:
        assert (entry["ambiguity"], entry["games"], entry["seed"]) == ("tie", 8, 4)
        random, witness = entry["policies"]
        assert (random["policy"], witness["policy"]) == ("random", "witness") and witness["parted"]["count"] == 8
        low, high = random["winner"]["interval"]
        assert 0 <= low <= random["winner"]["count"] / 8 <= high <= 1 and len(random["start"]["percentiles"]) == 5 and len(random["wins"]) == 2


@pytest.mark.parametrize(("form", "mark"), [("text", "By how much the score under move-then-place"), ("markdown", "### purchase-order: place-then-move or move-then-place")])
def test_impact_says_how_it_was_measured(called: Callable[..., Result], form: str, mark: str) -> None:
    """Text and Markdown give the three tables, the number of games, the seed, the kinds of interval and how the games are paired."""
    code, out, _ = called("impact", "purchase-order", *FEW, "--format", form)
    assert "So few games make the intervals of means too narrow" in out
    assert code == 0 and mark in out and "8 games by each policy, seed 0" in out and "Wilson" in out and "(seed, policy, game, n)" in out
    assert all(words in out for words in ("games part", "start player: mean", "How often the start player wins", "after the witness"))


def test_impact_of_another_ruleset(called: Callable[..., Result]) -> None:
    """The other readings are those of the ruleset named, and the text says so."""
    code, out, _ = called("impact", "purchase-order", *FEW, "--ruleset", "original")
    other = called("impact", "purchase-order", *FEW)[1]
    assert code == 0 and "beside the readings of original" in out and out.replace("original", "revised") != other


def test_what_no_game_tells_apart_says_why(called: Callable[..., Result]) -> None:
    """Readings that are one game have an impact of 0 of N with its bound, and the reason."""
    code, out, _ = called("impact", "event-order", *FEW)
    assert code == 0 and "No game of 8 parts" in out and "0 of 8, at most 32.4 %" in out and "buttons nor quilt" in out


def test_impact_draws(called: Callable[..., Result], tmp_path: Path) -> None:
    """--plot writes a well-formed SVG; a folder that is not there is one line."""
    assert called("impact", "tie", *FEW, "--plot", "tie.svg")[0] == 0
    assert ElementTree.parse(tmp_path / "tie.svg").getroot().tag.endswith("svg")
    code, out, err = called("impact", "tie", *FEW, "--plot", "nowhere/tie.svg")
    assert code == 2 and out == "" and err.count("\n") == 1 and "nowhere" in err


def test_impact_stores(called: Callable[..., Result], tmp_path: Path) -> None:
    """--store plays every ambiguity and writes a line a pair."""
    code, out, _ = called("impact", "--store", "all.json", "--games", "1", "--policy", "advance", "--workers", "1")
    found = json.loads((tmp_path / "all.json").read_text())
    assert code == 0 and "27 pairs" in out and len(found["pairs"]) == 27 and (found["games"], found["seed"]) == (1, 0)


@pytest.mark.parametrize(("args", "word"), [
    (("ties",), "tie"), (("tie", "--policy", "cautious"), "exploit"), ((), "--store"), (("tie", "--games", "0"), "games"), (("tie", "--store", "x.json"), "--store"),
    (("tie", "--stored", "--games", "3"), "--stored"), (("tie", "--stored", "--ruleset", "source-000"), "leave out --stored"),
])
def test_wrong_words_are_one_line(called: Callable[..., Result], args: tuple[str, ...], word: str) -> None:
    """An unknown ambiguity or policy, neither name nor --store, both, no games, and stored figures of other games are usage errors that name the way out."""
    code, out, err = called("impact", *args)
    assert code == 2 and out == "" and word in err and "Traceback" not in err


def test_stored_figures_are_told_without_playing(called: Callable[..., Result]) -> None:
    """--stored tells the figures of the file beside the fixtures, with its number of games."""
    code, out, _ = called("impact", "tie", "--stored", "--format", "json")
    found = json.loads(out)
    stored = json.loads((ROOT / "fixtures" / "impact.json").read_text())
    own = [pair for pair in stored["pairs"] if pair["ambiguity"] == "tie"]
    assert code == 0 and [e["games"] for e in found] == [stored["games"]] * 3
    assert [[p["winner"]["count"] for p in e["policies"]] for e in found] == [[row["winner"] for row in pair["figures"]] for pair in own]


def test_fingerprint_as_markdown(capfd: pytest.CaptureFixture[str]) -> None:
    """The Markdown of a fingerprint has a row for each ambiguity, other readings than the default's in bold, and names the ruleset."""
    found = Fingerprint("mine", {"tie": "draw", "supply": ("endless", "finite"), "turning": None}, {"turning": "a | b"}, ruleset="original",
                        unexplained=[Unexplained("x/y", 3, "track/income", "only once")], games=2)
    out = fingerprint_markdown(found, {"tie": "first-to-finish"})
    assert "| `tie` | **draw** |  |" in out and "| `supply` | endless or finite |" in out and "| `turning` | undecided | a \\| b |" in out
    assert "nearest ruleset is original" in out and "| `x/y` | 3 | `track/income` | only once |" in out
    assert run(["fingerprint", "python:nowhere:Engine", "--format", "markdown"]) in (2, 3)


def test_list_and_show_tell_the_impact(called: Callable[..., Result]) -> None:
    """The list has a line of impact for each ambiguity and how it was measured; show has it for each pair beside the proofs."""
    out = called("list")[1]
    assert out.count("by any policy") + out.count("games part in up to") == 21 and "games by each policy, seed 0" in out
    shown = called("show", "tie")[1]
    assert all(words in shown for words in ("impact:", "proofs:", "not one game: the witness shows it", "games by each policy"))
    found = json.loads(called("show", "purchase-order", "--format", "json")[1])
    assert found["impact"][0]["readings"] == ["place-then-move", "move-then-place"] and found["impact"][0]["policies"][0]["policy"] == "random"
    assert "is not stored under these rules" in called("show", "tie", "--ruleset", "source-000")[1]
