"""Do the shortest games known part their readings as they say, and is what is said of shorter ones worked out again?"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from patchwork_ref.ambiguity import Laboratory, Profiles
from patchwork_ref.ambiguity.assemble import pairs_of
from patchwork_ref.ambiguity.bounds import QUESTIONS, bound, on_the_track, short_offer, two_squares
from patchwork_ref.ambiguity.games import Game
from patchwork_ref.ambiguity.never import never_parts
from patchwork_ref.ambiguity.parted import HOW, Parted, action_from, action_text, checked, observed_at, read_parted, write_parted
from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import InputError
from patchwork_ref.fixtures import Fixture
from patchwork_ref.machine.play import Action
from patchwork_ref.playfacts.bounds import least_if_lost
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.symbolic.equivalence import equivalent
from patchwork_ref.symbolic.results import Proven

from .conftest import ROOT

RECORDS = read_parted(ROOT / "fixtures")
QUICK = ("revised", "source-000")
RULESETS = sorted({r.ruleset for r in RECORDS})


def sides(profiles: Profiles, record: Parted) -> tuple[Engine, Engine]:
    base = profiles.rulebook.readings(record.ruleset)
    a, b = (profiles.engine({**base, record.ambiguity: r}) for r in record.readings)
    assert a is not None and b is not None
    return a, b


def played_to_the_end(engine: Engine, game: Game) -> int:
    """After how many actions the game is over, gone on with by advances."""
    setup, actions = game
    state, number = engine.start(setup), 0
    for action in actions:
        state, number = engine.apply(state, action), number + 1
    while not engine.is_over(state):
        state, number = engine.apply(state, next(a for a in engine.legal(state) if a.type != "buy")), number + 1
    return number


def test_every_pair_has_a_record_in_every_ruleset(rulebook: Rulebook) -> None:
    """Each pair of readings has, within each ruleset, a game or a proof that there is none; none is left without a bound."""
    assert [(r.ambiguity, r.readings, r.ruleset) for r in RECORDS] == [(a, pair, ruleset) for a, pair in pairs_of(rulebook) for ruleset in rulebook.rulesets]
    assert all(r.how in HOW and (r.how == "proved" or r.least is not None) for r in RECORDS)
    assert [r for r in RECORDS if r.observer == "open"] == []


def test_the_file_is_as_its_schema_says(tmp_path: Path) -> None:
    """The stored table fits its schema, and is written again byte for byte."""
    text = (ROOT / "fixtures" / "parting.json").read_text(encoding="utf-8")
    jsonschema.validate(json.loads(text), json.loads((ROOT / "fixtures" / "parting.schema.json").read_text(encoding="utf-8")))
    write_parted(RECORDS, tmp_path / "parting.json")
    assert (tmp_path / "parting.json").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("ruleset", [pytest.param(r, marks=() if r in QUICK else pytest.mark.slow) for r in RULESETS])
def test_each_game_parts_its_readings_by_replay(profiles: Profiles, ruleset: str) -> None:
    """Replayed under both readings, on a set-up of the ruleset, each game parts after the stated action and not before, in what is stated."""
    wrong = {(r.ambiguity, r.readings): found for r in RECORDS if r.ruleset == ruleset and (found := checked(r, *sides(profiles, r)))}
    assert wrong == {}


def test_a_wrong_record_is_found(profiles: Profiles) -> None:
    """A record with another length, a bound above its game, a told token or no game and no proof is refused."""
    record = next(r for r in RECORDS if r.ambiguity == "shared-space")
    engines = sides(profiles, record)
    assert checked(record, *engines) == "" and record.game is not None and record.length is not None
    setup, actions = record.game
    for other in (
        replace(record, length=record.length + 1), replace(record, least=record.length + 1), replace(record, observer="winner"), replace(record, game=None, length=None),
        replace(record, game=(replace(setup, neutral_token=0), actions)), replace(record, how="hoped"),
    ):
        assert checked(other, *engines)


SAMPLE = [("purchase-order", "source-000"), ("marker-trigger", "source-000"), ("marker-trigger", "revised"), ("shared-space", "source-002")]


@pytest.mark.parametrize(("ambiguity", "ruleset"), SAMPLE)
def test_small_bounds_are_worked_out_again(profiles: Profiles, ambiguity: str, ruleset: str) -> None:
    """The bound of a short game is found again by exhaustion, and is the game's length: it is the shortest."""
    (record,) = [r for r in RECORDS if (r.ambiguity, r.ruleset) == (ambiguity, ruleset)]
    a, b = sides(profiles, record)
    found = bound(ambiguity, record.readings, a.machine, b.machine)
    assert (found.least, found.how) == (record.least, "exhausted") == (record.length, record.how)


def test_counted_bounds_are_worked_out_again(profiles: Profiles) -> None:
    """The bounds that are counted from the Machine's numbers are those stored."""
    for ambiguity, readings, counted in (("short-offer", None, short_offer), ("special-tile", ("first-player", "each-player"), two_squares)):
        for record in RECORDS:
            if record.ambiguity == ambiguity and record.readings == (readings or record.readings):
                a, b = sides(profiles, record)
                assert counted(a.machine, b.machine).least == record.least


def test_a_lost_special_patch_makes_no_game_shorter(profiles: Profiles) -> None:
    """A quilt so full that a special patch is lost takes as many actions as the shortest game, to the end and until a token arrives, and no more than a known one."""
    for ruleset in RULESETS:
        engine = profiles.engine(profiles.rulebook.readings(ruleset))
        assert engine is not None
        least = {r.ambiguity: r.least for r in RECORDS if r.ruleset == ruleset}
        assert least["tie"] == least["negative-score"] == least["advance-near-end"] == least_if_lost(engine.machine)
        assert least["final-income"] == least_if_lost(engine.machine, arriving=True)
        for record in RECORDS:
            if record.ruleset == ruleset and record.ambiguity == "full-quilt-special" and record.game is not None:
                assert played_to_the_end(engine, record.game) >= least_if_lost(engine.machine)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_all_bounds_are_worked_out_again(profiles: Profiles, ruleset: str) -> None:
    """Every bound is at least what is stored; those that do not depend on the two readings are worked out once."""
    done: dict[object, int] = {}
    for record in (r for r in RECORDS if r.ruleset == ruleset and r.game is not None):
        a, b = sides(profiles, record)
        question = QUESTIONS.get((record.ambiguity, record.readings), QUESTIONS.get((record.ambiguity, None)))
        key = question if question is not None and question is not on_the_track else (record.ambiguity, record.readings)
        if key not in done:
            done[key] = bound(record.ambiguity, record.readings, a.machine, b.machine).least
        assert record.least is not None and done[key] >= record.least, record


@pytest.mark.parametrize("ruleset", [pytest.param(r, marks=() if r == "source-000" else pytest.mark.slow) for r in RULESETS])
def test_what_no_game_shows_is_proved(profiles: Profiles, ruleset: str) -> None:
    """Pairs without a game are proved to be one game for all states; without a special tile those about it are among them."""
    silent = [r for r in RECORDS if r.ruleset == ruleset and r.how == "proved" and r.ambiguity != "supply"]
    assert {r.ambiguity for r in silent} >= {"purchase-steps", "event-order"} | ({"tile-value", "tile-check"} if ruleset == "source-000" else set())
    assert all(isinstance(equivalent(*(e.machine for e in sides(profiles, r))), Proven) for r in silent)


def test_a_fact_of_play_shows_that_no_game_parts(profiles: Profiles) -> None:
    """Where the buttons in the box always suffice, the record names the fact that says so; where they do not, and between readings of anything else, no fact does."""
    found = {r.ruleset: r for r in RECORDS if r.ambiguity == "supply"}
    for ruleset, record in found.items():
        fact = never_parts(*(e.machine for e in sides(profiles, record)))
        assert (fact is not None) == (record.how == "proved") == (ruleset == "source-000")
        assert fact is None or f"fact {fact}:" in record.says
    machine, other = (profiles.engine({**profiles.rulebook.readings("source-000"), **changed}) for changed in ({}, {"supply": "finite", "tie": "draw"}))
    assert machine is not None and other is not None and never_parts(machine.machine, other.machine) is None


def test_the_observer_is_named(profiles: Profiles) -> None:
    """Games part by the state, the legal actions, the scores, or the winner alone; a game that does not tell gives nothing."""
    assert {r.observer for r in RECORDS if r.game is not None} == {"state", "legal", "score", "winner"}
    record = next(r for r in RECORDS if r.observer == "winner")
    a, b = sides(profiles, record)
    assert record.game is not None and observed_at(a, a, record.game) is None
    assert observed_at(a, b, (record.game[0], record.game[1][:-1])) is None


def test_the_laboratory_shows_the_shortest_game(rulebook: Rulebook, fixtures: tuple[Fixture, ...]) -> None:
    """A pair's walk is as long as its record says, in the ruleset asked for, and what is known of shorter games is said."""
    for ruleset, ambiguity in (("revised", "tie"), ("source-000", "special-patch-timing"), ("revised", "turning")):
        for pair in Laboratory(rulebook, fixtures, ruleset).pairs(ambiguity):
            record = next(r for r in RECORDS if (r.ambiguity, r.readings, r.ruleset) == (ambiguity, pair.readings, ruleset))
            assert pair.walk is not None and len(pair.walk.actions) == record.length
            assert pair.reason == record.words


def test_actions_are_written_and_read(profiles: Profiles) -> None:
    """An action comes back from its text; one that is discarded has no cells."""
    for action in (Action("advance"), Action("buy", "G", (1, 2)), Action("buy", "G", ()), Action("special", None, (7,))):
        assert action_from(action_text(action)) == action


def test_a_broken_table_is_one_line(tmp_path: Path) -> None:
    """A table that is none is refused in one line that names the file; a folder without one has no records."""
    assert read_parted(tmp_path) == ()
    (tmp_path / "parting.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"parting\.json") as caught:
        read_parted(tmp_path)
    assert "\n" not in str(caught.value)
