"""Do ``ambiguity``, ``fingerprint`` and ``check --accept-readings`` keep their fields, texts and exit codes?"""

from __future__ import annotations

import json
from itertools import combinations

import pytest

import patchwork_ref as pr
from patchwork_ref.ambiguity import Laboratory
from patchwork_ref.cli.main import run
from patchwork_ref.fixtures import Fixture
from patchwork_ref.rulebook.model import Rulebook

BOOK = pr.load_rulebook()


def called(capfd: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = run(list(args))
    return code, *capfd.readouterr()


def test_every_pair_of_readings_has_a_witness_or_a_reason(rulebook: Rulebook, fixtures: tuple[Fixture, ...]) -> None:
    """Each pair of readings of each ambiguity has a stored game on which they part, or a reason why no game can."""
    laboratory = Laboratory(rulebook, fixtures)
    for name, ambiguity in rulebook.ambiguities.items():
        pairs = laboratory.pairs(name)
        assert {frozenset(p.readings) for p in pairs} == {frozenset(two) for two in combinations(ambiguity.readings, 2)}
        assert all(p.walk.observed and (p.fixture or p.reason) if p.walk is not None else p.silent and p.reason for p in pairs), name


def test_a_witness_is_found_beside_other_readings(rulebook: Rulebook, fixtures: tuple[Fixture, ...]) -> None:
    """Beside the readings of another ruleset, where the stored games break off, a game on which the scores part is found."""
    pair = Laboratory(rulebook, fixtures, "source-000").pair("negative-score", "allowed", "floored")
    assert pair.walk is not None and pair.walk.shown is not None and pair.walk.shown.what == "score"


def test_readings_that_no_game_shows_are_proved_equivalent(capfd: pytest.CaptureFixture[str]) -> None:
    """The two orders of event-order are proved to be one game, and the witness says so instead of a game."""
    code, out, _ = called(capfd, "ambiguity", "witness", "event-order", "--format", "json")
    (entry,) = json.loads(out)
    assert code == 0 and entry["equivalent"] is True and entry["actions"] == [] and entry["observed"] is None


def test_a_witness_is_a_walk_through(capfd: pytest.CaptureFixture[str]) -> None:
    """The text of a witness gives the circle, each action, and the two outcomes beside each other."""
    code, out, _ = called(capfd, "ambiguity", "witness", "purchase-order")
    assert code == 0 and "circle, clockwise:" in out and "1. player 0: buy" in out
    heads = [line.split() for line in out.splitlines() if "place-then-move " in line and "or" not in line.split()]
    assert ["place-then-move", "move-then-place"] in heads and "buttons 2," in out and "buttons 0," in out


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_list_and_show_say_what_is_open(capfd: pytest.CaptureFixture[str], form: str) -> None:
    """The list names every ambiguity; show gives the question, every reading, its sources and its witness."""
    code, out, _ = called(capfd, "ambiguity", "list", "--format", form)
    assert code == 0 and all(name in out for name in BOOK.ambiguities)
    code, out, _ = called(capfd, "ambiguity", "show", "tie", "--format", form)
    assert code == 0 and all(word in out for word in (*BOOK.ambiguities["tie"].readings, "survey row 12", "after 26 actions"))


def test_list_and_show_as_json(capfd: pytest.CaptureFixture[str]) -> None:
    """The JSON of list has an entry for each ambiguity; that of show has the witnesses of each pair beside the rulebook's words."""
    _, out, _ = called(capfd, "ambiguity", "list", "--format", "json")
    assert [entry["ambiguity"] for entry in json.loads(out)] == list(BOOK.ambiguities)
    _, out, _ = called(capfd, "ambiguity", "show", "tie", "--format", "json")
    found = json.loads(out)
    assert found["default"] == "first-to-finish" and len(found["witnesses"]) == 3 and found["readings"]["draw"]["supported_by"]


def test_an_unknown_ambiguity_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    """A name that no ambiguity has gives one line with a near one, and exit code 2."""
    code, out, err = called(capfd, "ambiguity", "witness", "ties")
    assert code == 2 and out == "" and err.count("\n") == 1 and "tie" in err


def test_fingerprint_as_json(capfd: pytest.CaptureFixture[str]) -> None:
    """The reference follows the set-up's readings, and so is the default; the document has the agreed fields."""
    code, out, _ = called(capfd, "fingerprint", "reference", "--format", "json")
    found = json.loads(out)
    assert code == 0 and found["ruleset"] == "revised" and found["unexplained"] == []
    assert found["readings"]["tie"] == "first-to-finish" and found["readings"]["event-order"] == ["income-first", "special-first"]


def test_check_accepts_readings(capfd: pytest.CaptureFixture[str]) -> None:
    """An engine that plays another reading conforms under the reading that it is found to follow."""
    code, out, _ = called(capfd, "check", "mutant:reading/tie~draw", "--quiet", "--tier", "quick", "--shrink-seconds", "0", "--accept-readings")
    assert code == 0 and "conforms, reading tie as draw" in out
