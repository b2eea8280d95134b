"""Is the reading that an engine follows found by play, and what no reading explains called a fault?"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

import pytest

import patchwork_ref as pr
from patchwork_ref.ambiguity import Fingerprint, Profiles
from patchwork_ref.ambiguity.fingerprint import SAME, SILENT
from patchwork_ref.conformance.targets import Command
from patchwork_ref.fixtures import unobservable
from patchwork_ref.rulebook.model import Rulebook

from .conftest import ROOT

Taken = Callable[..., Fingerprint]

BOOK = pr.load_rulebook()
SINGLE = [f"{a.name}={r}" for a in BOOK.ambiguities.values() for r in a.readings if r != a.default]
SAMPLE = (1, 30)
"""Of a hundred combinations those that are tried each time (in 30 a final score needs two readings at once); the others are slow together."""
GAMES = 40
"""Games at random where no stored one tells; a search for one has half a second for each of them."""
QUICK = ("neutral-token-start=counter-clockwise", "tie=draw", "special-tile=each-player", "negative-score=floored")
PLAIN = (sys.executable, str(ROOT / "engines" / "python" / "engine.py"))


def allows(found: str | tuple[str, ...] | None, reading: str) -> bool:
    return found == reading or (isinstance(found, tuple) and reading in found)


def other(found: Fingerprint) -> dict[str, str]:
    """The decided readings that are not the default's."""
    return {a: r for a, r in found.readings.items() if isinstance(r, str) and r != BOOK.ambiguities[a].default}


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in SINGLE])
def test_an_engine_of_a_single_reading_is_told(taken: Taken, name: str) -> None:
    """An engine with one reading of its own shows just this one beside the default, and one that no game shows is left open."""
    ambiguity, reading = name.split("=")
    found = taken(readings={ambiguity: reading})
    assert found.exit_code == 0 and not found.unexplained
    if name in unobservable():
        assert found.readings[ambiguity] == tuple(BOOK.ambiguities[ambiguity].readings) and other(found) == {}
    else:
        assert other(found) == {ambiguity: reading}
    assert all(allows(r, BOOK.ambiguities[a].default) for a, r in found.readings.items() if a != ambiguity)


def test_readings_that_leave_each_other_alone_are_told(taken: Taken) -> None:
    """An engine with three readings of its own is given just these."""
    chosen = {"shared-space": "bottom-moves", "turning": "turns-only", "negative-score": "floored"}
    assert other(taken(readings=chosen)) == chosen


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=() if seed in SAMPLE else pytest.mark.slow) for seed in range(100)])
def test_combinations_of_readings_are_told(taken: Taken, rulebook: Rulebook, profiles: Profiles, seed: int) -> None:
    """An engine with a random reading of every ambiguity is given these, nothing is unexplained, and readings are left open only where a proof says that no game
    tells them apart."""
    source = random.Random(seed)
    chosen = {a.name: source.choice(list(a.readings)) for a in rulebook.ambiguities.values()}
    found = taken(readings=chosen, games=GAMES)
    assert found.exit_code == 0
    assert {a: (found.readings[a], r) for a, r in chosen.items() if not allows(found.readings[a], r)} == {}
    assert {a: found.why[a] for a, r in found.readings.items() if not isinstance(r, str) and found.why[a] not in (SAME, SILENT)} == {}


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_the_sample_engines_play_the_revised_rules(taken: Taken, language: str, request: pytest.FixtureRequest) -> None:
    """Both sample engines are the ruleset revised, with nothing unexplained."""
    argv = PLAIN if language == "python" else (request.getfixturevalue("node"), str(ROOT / "engines" / "javascript" / "engine.mjs"))
    found = taken(Command(argv))
    assert (found.exit_code, found.ruleset, found.exact, other(found)) == (0, "revised", True, {})


@pytest.mark.parametrize(("fault", "rule"), [
    ("token-stays", "turn/buy-token"), ("penalty-one", "end/score-blanks"), ("mistyped-patch", "turn/buy-afford"),
    pytest.param("marks-one-early", "track/income", marks=pytest.mark.slow),
])
def test_a_fault_is_no_reading(taken: Taken, fault: str, rule: str) -> None:
    """A faulty engine has games that no reading explains, blamed on the rule that it breaks, and gets exit code 1."""
    found = taken(Command((*PLAIN, "--fault", fault)))
    assert found.exit_code == 1 and not found.exact and other(found) == {}
    assert rule in {u.rule for u in found.unexplained}


def test_a_fault_that_is_a_reading_is_taken_for_it(taken: Taken) -> None:
    """An engine whose one deviation is another reading conforms under that reading."""
    found = taken(Command((*PLAIN, "--fault", "rival-moves-on-shared-space")))
    assert found.exit_code == 0 and other(found) == {"shared-space": "bottom-moves"}


def test_what_an_engine_cannot_show_is_undecided(taken: Taken) -> None:
    """An engine that does not find the token's place leaves the ambiguities about it undecided, with the reason."""
    found = taken(able=("state", "legal", "perft"))
    assert found.readings["neutral-token-start"] is None and found.readings["two-one-patch"] is None
    assert "finds-token" in found.why["two-one-patch"] and found.readings["tie"] == "first-to-finish"


def test_scores_alone_tell_readings(taken: Taken) -> None:
    """Of an engine that shows neither states nor legal actions, the final scores and refusals still tell the reading."""
    found = taken(readings={"tie": "draw"}, able=(), games=0)
    assert found.readings["tie"] == "draw" and not found.unexplained


def test_an_engine_that_cannot_start_is_a_process_failure(taken: Taken) -> None:
    """An engine that ends at once decides nothing and gets exit code 3."""
    found = taken(Command((sys.executable, "-c", "")))
    assert found.exit_code == 3 and found.games == 0


def test_profiles_with_equal_rules_share_an_engine(profiles: Profiles, rulebook: Rulebook) -> None:
    """A profile is built once, however often it is asked for."""
    assert profiles.engine(rulebook.readings()) is profiles.engine(dict(rulebook.readings()))
