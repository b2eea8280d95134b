"""Do the stored facts of play hold, and does the verifier refuse what proves less?"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from patchwork_ref.cli.main import run
from patchwork_ref.engine import Engine
from patchwork_ref.engine.policies import POLICIES, played
from patchwork_ref.fixtures.read import shipped
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.setup import shuffled
from patchwork_ref.playfacts.early import earliest_tile, sets_in_time, tile_excluded
from patchwork_ref.playfacts.facts import MEASURES, is_play, verify_play
from patchwork_ref.playfacts.facts import machine_of as machine_for
from patchwork_ref.playfacts.solo import score_excluded
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.symbolic.induction import prove
from patchwork_ref.symbolic.results import Proven
from patchwork_ref.tiling.theorems import stored, unpacked_all

Facts = dict[str, dict[str, Any]]
SETTLED = {"largest-lead": 6, "most-income-spaces-in-a-move": 2, "most-special-patches-of-one-player": 5, "longest-game": 63, "worst-final-score": -106, "best-final-score": 85,
           "fewest-actions-to-the-special-tile": 12, "shortest-game": 26, "most-buttons-held-together": 176, "most-buttons-move-then-place": 158, "most-buttons-strictly-past": 179,
           "most-buttons-strictly-past-move-then-place": 161, "most-buttons-not-paid": 155, "most-buttons-not-paid-move-then-place": 142,
           "most-buttons-not-paid-strictly-past": 158, "most-buttons-not-paid-strictly-past-move-then-place": 144}


@pytest.fixture(scope="module")
def facts() -> Facts:
    return {fact["theorem"]: fact for fact in stored(shipped() / "theorems") if is_play(fact)}


@pytest.fixture(scope="module")
def machine(rulebook: Rulebook) -> Machine:
    return from_rulebook(rulebook, rulebook.readings("revised"), "revised")


def test_every_stored_fact_holds(facts: Facts, rulebook: Rulebook) -> None:
    """Each fact of play is shown by its witness and its bound, all measures have one, and the settled ones have known values."""
    for fact in facts.values():
        found = verify_play(fact, machine_for(fact, rulebook))
        assert found.holds, found
    assert {fact["measure"] for fact in facts.values()} == set(MEASURES)
    assert {name: fact["bounds"][0] for name, fact in facts.items() if fact["bounds"][0] == fact["bounds"][1]} == SETTLED


def test_properties_leaned_on_are_proven(facts: Facts, machine: Machine) -> None:
    """Each property that gives a bound is proven for the machine of the facts."""
    names = [fact["bound"]["property"] for fact in facts.values() if "property" in fact["bound"]]
    assert len(names) == 2 and all(isinstance(result, Proven) for result in prove(machine, names).values())


def test_stronger_claims_are_refused(facts: Facts, rulebook: Rulebook) -> None:
    """A fact with either bound moved inwards or outwards past its evidence is refused; where its bounds differ, the evidence may go further than the unattained one."""
    for name, fact in facts.items():
        attained, other = (0, 1) if fact["sense"] == "most" else (1, 0)
        inwards = -1 if fact["sense"] == "most" else 1
        settled = fact["bounds"][0] == fact["bounds"][1]
        for place, by in ((attained, 1), (attained, -1), *([(other, inwards)] if settled else [])):
            changed = deepcopy(fact)
            changed["bounds"][place] += by
            assert not verify_play(changed, machine_for(fact, rulebook)).holds, (name, place, by)


def test_weights_are_not_trusted(facts: Facts, machine: Machine) -> None:
    """Other weights that guide a search make it longer or say less, and never exclude what is played; those below zero are refused."""
    fact = facts["best-final-score"]
    weights, number = fact["bound"]["weights"], fact["bounds"][1]
    assert not score_excluded(machine, number - 1, {"weights": weights}) and not score_excluded(machine, number - 1, {"weights": {**weights, "b": 150}})
    assert score_excluded(machine, number, {"weights": {**weights, "b": 215}})
    spoiled = deepcopy(fact)
    spoiled["bound"]["weights"]["b"] = -1
    assert "weight is below zero" in verify_play(spoiled, machine).says


def test_certificates_for_the_tile(facts: Facts, machine: Machine, machine_of: Callable[..., Machine]) -> None:
    """That no set of patches wins the tile earlier needs a certificate for each set that is large enough and had in time, about these patches, in every way of paying."""
    bound = facts["fewest-actions-to-the-special-tile"]["bound"]
    certificates = unpacked_all(bound["certificates"])
    past = machine_of("source-002")
    assert sets_in_time(machine, 10) == set() and {frozenset(c["question"]["patches"]) for c in certificates} == sets_in_time(machine, 11) | sets_in_time(past, 11)
    assert earliest_tile(machine) == earliest_tile(past) == 12 and earliest_tile(machine_of(**{"unplaceable-patch": "discarded"})) == 0
    assert not tile_excluded(past, 12, {"certificates": certificates[:-1]})
    assert not tile_excluded(machine, 12, {"certificates": certificates[1:]})
    drawn = {**certificates[0]["question"], "quilt": "#" + "." * (machine.board.cells - 1)}
    for spoiled in ({**certificates[0], "windows": []}, {**certificates[0], "question": drawn}):
        with pytest.raises(ValueError, match="certificate"):
            tile_excluded(machine, 12, {"certificates": [*certificates[1:], spoiled]})


def test_spoiled_witnesses_are_refused(facts: Facts, machine: Machine) -> None:
    """A witness with an action left out, an illegal one, another token place or other rules is refused with a reason."""
    fact = facts["longest-game"]
    changes: list[Callable[[dict[str, Any]], object]] = [
        lambda w: w["actions"].pop(), lambda w: w["actions"].insert(0, {"type": "special", "cells": [0]}), lambda w: w["setup"].update(neutral_token=3),
        lambda w: w.update(ruleset="original"), lambda w: w.update(readings={"tie": "draw"}), lambda w: w["setup"]["circle"].pop(0), lambda w: w.update(actions=7),
    ]
    for change in changes:
        spoiled = deepcopy(fact)
        change(spoiled["witness"])
        found = verify_play(spoiled, machine)
        assert not found.holds and found.says
    for part in ("witness", "bounds", "bound", "measure", "sense", "ruleset"):
        assert not verify_play({key: value for key, value in fact.items() if key != part}, machine).holds


def test_other_rules_are_seen(facts: Facts, machine: Machine, machine_of: Callable[..., Machine]) -> None:
    """A property in other words, and a machine of another ruleset, do not carry a fact."""
    fact = deepcopy(facts["largest-lead"])
    fact["bound"]["body"] = fact["bound"]["body"].replace("6", "7")
    assert verify_play(fact, machine).says.startswith("holds/lead says something else here")
    found = verify_play(facts["largest-lead"], machine_of("original"))
    assert not found.holds and found.says == "the fact is about the ruleset revised"


def test_no_game_passes_a_bound(facts: Facts, machine: Machine) -> None:
    """Games of every policy stay within all bounds that speak of whole games."""
    engine = Engine(machine)
    for seed, choose in enumerate(POLICIES.values()):
        actions, state, outcome = played(engine, shuffled(machine, seed), choose, random.Random(seed))
        totals = engine.score(state).totals
        assert outcome == "finished"
        assert facts["shortest-game"]["bounds"][0] <= len(actions) <= facts["longest-game"]["bounds"][1]
        assert facts["worst-final-score"]["bounds"][0] <= min(totals) and max(totals) <= facts["best-final-score"]["bounds"][1]


def test_the_command_shows_and_verifies_facts_of_play(capfd: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    """``theorems`` lists facts of play with their bounds; ``theorems verify`` replays them, and ends with 1 when one fails."""
    for path in sorted((shipped() / "theorems").glob("*.json")):
        fact = json.loads(path.read_text(encoding="utf-8"))
        if is_play(fact):
            (tmp_path / path.name).write_text(json.dumps(fact), encoding="utf-8")
    assert run(["theorems", "verify", "--folder", str(tmp_path), "--format", "json"]) == 0
    assert all(fact["holds"] and fact["kind"] == "play" for fact in json.loads(capfd.readouterr().out))
    fact = json.loads((tmp_path / "largest-lead.json").read_text())
    (tmp_path / "largest-lead.json").write_text(json.dumps({**fact, "bounds": [7, 7]}))
    assert run(["theorems", "verify", "--folder", str(tmp_path), "--ruleset", "original"]) == 1
    assert "FAILS: the witness has 6, the statement says 7" in capfd.readouterr().out
