"""Is how a Machine pays read off its rules safely, and is the supply known to suffice where it does?"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from types import ModuleType

import patchwork_ref as pr
from patchwork_ref.ambiguity.parted import read_parted
from patchwork_ref.diagnostics import Collector
from patchwork_ref.engine import Engine
from patchwork_ref.engine.policies import POLICIES, played
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.fixtures.read import shipped
from patchwork_ref.machine.build import from_rulebook, machine_of_tree
from patchwork_ref.machine.codec import action_to_json, trace_from_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.setup import customised, shuffled
from patchwork_ref.mutation import mutants
from patchwork_ref.playfacts.bounds import Numbers
from patchwork_ref.playfacts.facts import machine_of as machine_for
from patchwork_ref.playfacts.paying import Paying, paying
from patchwork_ref.playfacts.supply import deals, fact_of_supply, supply_suffices
from patchwork_ref.playfacts.together import together
from patchwork_ref.playfacts.weights import good_weights
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.tiling.theorems import stored

FACTS = {
    "paid onto-or-past place-then-move": None, "paid onto-or-past move-then-place": "most-buttons-move-then-place", "paid strictly-past place-then-move": None,
    "paid strictly-past move-then-place": "most-buttons-strictly-past-move-then-place", "not-paid onto-or-past place-then-move": "most-buttons-not-paid",
    "not-paid onto-or-past move-then-place": "most-buttons-not-paid-move-then-place", "not-paid strictly-past place-then-move": "most-buttons-not-paid-strictly-past",
    "not-paid strictly-past move-then-place": "most-buttons-not-paid-strictly-past-move-then-place",
}
"""What proves that the supply suffices, by final-income, marker-trigger and purchase-order."""
AT_ONCE = {
    ("onto-or-past place-then-move", "each-player"): "most-buttons-not-paid-each-player-buttons-at-once",
    ("strictly-past place-then-move", "each-player"): "most-buttons-not-paid-strictly-past-each-player-buttons-at-once",
    ("onto-or-past place-then-move", "first-player"): "most-buttons-not-paid-buttons-at-once",
    ("strictly-past place-then-move", "first-player"): "most-buttons-not-paid-strictly-past-buttons-at-once",
    **{("onto-or-past move-then-place", tile): "most-buttons-not-paid-move-then-place-each-player-buttons-at-once" for tile in ("first-player", "each-player")},
    **{("strictly-past move-then-place", tile): "most-buttons-not-paid-strictly-past-move-then-place-each-player-buttons-at-once" for tile in ("first-player", "each-player")},
}
"""The same where the last space pays nothing and a special tile pays at once."""


def _profiles(rulebook: Rulebook, number: int, seed: int) -> list[dict[str, str]]:
    rng = random.Random(seed)
    return [{name: rng.choice(list(ambiguity.readings)) for name, ambiguity in rulebook.ambiguities.items()} for _ in range(number)]


def test_the_supply_suffices_in_six_of_eight_ways(rulebook: Rulebook) -> None:
    """By when income is paid it is known whether the supply suffices, and the ways in which it does not have a game in which it runs out."""
    games = {record.ruleset for record in read_parted() if record.ambiguity == "supply" and record.game is not None}
    for values in product(("paid", "not-paid"), ("onto-or-past", "strictly-past"), ("place-then-move", "move-then-place")):
        readings = dict(zip(("final-income", "marker-trigger", "purchase-order"), values, strict=True))
        assert supply_suffices(rulebook, rulebook.readings("revised", readings)) == FACTS[" ".join(values)]
        if FACTS[" ".join(values)] is None:
            assert any(all(rulebook.readings(ruleset)[name] == reading for name, reading in readings.items()) for ruleset in games)


def test_other_readings_do_not_matter_to_it(rulebook: Rulebook) -> None:
    """Beside a way of paying, readings about anything else leave the answer as it is, whatever they are together; so does an advance beyond the last space."""
    known = 0
    for profile in _profiles(rulebook, 60, 1):
        profile["tile-value"] = "points-at-end"
        try:
            found = supply_suffices(rulebook, profile)
        except PatchworkRefError:
            continue
        assert found == FACTS[" ".join(profile[name] for name in ("final-income", "marker-trigger", "purchase-order"))], profile
        known += found is not None
    assert known > 30


def test_a_tile_that_pays_at_once_needs_room(rulebook: Rulebook) -> None:
    """With tiles that pay at once the supply is known to suffice in fewer ways, as far as facts with room for them go; without a tile nothing changes."""
    for values in product(("paid", "not-paid"), ("onto-or-past", "strictly-past"), ("place-then-move", "move-then-place"), ("first-player", "absent", "each-player")):
        readings = dict(zip(("final-income", "marker-trigger", "purchase-order", "special-tile"), values, strict=True))
        known = FACTS[" ".join(values[:3])] if values[3] == "absent" else AT_ONCE.get((" ".join(values[1:3]), values[3])) if values[0] == "not-paid" else None
        assert supply_suffices(rulebook, rulebook.readings("revised", {**readings, "tile-value": "buttons-at-once"})) == known, values


def test_a_button_beyond_the_last_space_can_be_one_too_many(rulebook: Rulebook) -> None:
    """Where the bound is the number of all buttons, one more that is paid beyond the last space leaves it open whether they suffice; not so where only
    a purchase wins the tile, which bounds them one lower. And a fact about a tile holds for the prints that it names alone."""
    near = {"final-income": "not-paid", "marker-trigger": "strictly-past", "tile-value": "buttons-at-once"}
    for tile in ("first-player", "each-player"):
        readings = {**near, "special-tile": tile, "advance-near-end": "not-clamped"}
        assert supply_suffices(rulebook, rulebook.readings("revised", readings)) is None
        assert supply_suffices(rulebook, rulebook.readings("revised", {**readings, "advance-near-end": "clamped"})) is not None
        assert "purchases-only" in (supply_suffices(rulebook, rulebook.readings("original", {**readings, "tile-check": "purchases-only"})) or "")
    machine = from_rulebook(rulebook, rulebook.readings("revised", near))
    assert fact_of_supply(customised(machine, {"time_board": {"last": 53, "income": [5, 11, 17, 23, 29, 35, 41, 47, 53], "special": [20, 21, 32, 38, 44]}})) is None


def test_the_oracle_agrees(rulebook: Rulebook, oracle: ModuleType) -> None:
    """In the plain oracle each witness holds as many buttons as its fact says, and a supply that is counted changes it exactly where it is said to run out."""
    for fact in stored(shipped() / "theorems"):
        if str(fact["theorem"]).startswith("most-buttons"):
            trace, total = trace_from_json(fact["witness"]), from_rulebook(rulebook).constants["button_total"].value
            message = pr.setup_message(machine_for(fact, rulebook), trace.setup)
            endless, finite = (oracle.Game({**message, "readings": {**trace.readings, "supply": reading}}) for reading in ("endless", "finite"))
            most, apart = 0, False
            for action in map(action_to_json, trace.actions):
                endless.apply(action)
                most = max(most, sum(player["buttons"] for player in endless.state()["players"]))
                if not apart:
                    finite.apply(action)
                    apart = finite.state() != endless.state()
            assert isinstance(total, int) and most == fact["bounds"][0] and apart == (most > total) == ("never runs out" not in fact["statement"])


def test_weights_are_made_again(rulebook: Rulebook) -> None:
    """A few rounds of the search for weights bring the bound down, with and without a tile that pays at once, and all weights are as the searches take them."""
    numbers = Numbers(from_rulebook(rulebook, rulebook.readings("revised")))
    numbers.last, numbers.side = 29, 5  # a shorter game
    for way in (Paying(), Paying(final=False, tiles=1)):
        bounds = []
        for rounds in (1, 6):
            weights = good_weights(numbers, way, rounds)
            solo = together(numbers, way, tuple(weights.items()))
            each = [solo.bound(0, numbers.start, 0), solo.bound_to_tile(0, numbers.start, 0) if way.tiles else solo.bound(0, numbers.start, 0)]
            bounds.append((sum(solo.weights) + sum(each)) / solo.scale)
        assert bounds[1] < bounds[0] - 1


def test_how_a_machine_pays_is_read(rulebook: Rulebook) -> None:
    """Each reading about payments is told from the rules themselves, alone and in any mixture with all others."""
    assert paying(from_rulebook(rulebook, rulebook.readings("revised"))) == Paying()
    for profile in _profiles(rulebook, 40, 2):
        try:
            machine = from_rulebook(rulebook, profile)
        except PatchworkRefError:
            continue
        tiles = {"absent": 0, "first-player": 1, "each-player": 2}[profile["special-tile"]] if profile["tile-value"] == "buttons-at-once" else 0
        assert paying(machine) == Paying(
            final=profile["final-income"] == "paid", past=profile["marker-trigger"] == "strictly-past", late=profile["purchase-order"] == "move-then-place",
            tiles=tiles, beyond=profile["advance-near-end"] == "not-clamped", bought=tiles > 0 and profile["tile-check"] == "purchases-only",
        )


def _true_to(machine: Machine, way: Paying, seed: int) -> bool:
    """Whether a game at random moves, pays and buys as the way says, step by step."""
    engine, rng = Engine(machine), random.Random(seed)
    numbers = {patch.name: patch.numbers for patch in machine.patches}
    last, marks, tile = (machine.constants[name].value for name in ("last_space", "income_spaces", "tile_points"))
    assert isinstance(last, int) and isinstance(marks, tuple) and isinstance(tile, int)
    setup = shuffled(machine, seed)
    actions, _, _ = played(engine, setup, rng.choice(list(POLICIES.values())), rng)
    state, bought = engine.start(setup), set[str]()
    for action in actions:
        me, after = state.number("turn"), engine.apply(state, action)
        old, new, income, grown = state.number("space", me), after.number("space", me), state.number("income", me), after.number("income", me)
        paid = after.number("buttons", me) - state.number("buttons", me)
        if action.type == "buy":
            assert action.patch is not None
            paid += numbers[action.patch]["cost"]
            if action.patch in bought or numbers[action.patch]["cost"] > state.number("buttons", me) or new != min(old + numbers[action.patch]["time"], last):
                return False
            bought.add(action.patch)
            if grown != income + (numbers[action.patch]["income"] if action.cells else 0):
                return False
        elif grown != income or (action.type == "advance" and new != min(state.number("space", 1 - me) + 1, last)) or (action.type == "special" and new != old):
            return False
        elif action.type == "advance":
            paid -= state.number("space", 1 - me) + 1 - old if way.beyond else new - old
        for mark in marks:
            if mark == last:
                paid -= grown * (way.final and old < new == last)
            elif (old <= mark < new) if way.past else (old < mark <= new):
                paid -= income if way.late else grown
        if paid not in ((0, tile) if way.tiles else (0,)) or after.number("buttons", 1 - me) != state.number("buttons", 1 - me) or new < old:
            return False
        state = after
    return True


def test_who_is_recognised_pays_so(rulebook: Rulebook) -> None:
    """Games under mixed readings, and under one wrong rule that is not noticed, are paid in the way that is read off the rules."""
    machines = []
    for profile in _profiles(rulebook, 15, 3):
        try:
            machines.append(from_rulebook(rulebook, {**profile, "supply": "endless"}))
        except PatchworkRefError:
            continue
    wrong = random.Random(4).sample(mutants(rulebook), 60)
    for mutant in wrong:
        machine = machine_of_tree(mutant.tree, Collector(), rulebook.readings(), None)
        if machine is not None:
            machines.append(machine)
    known = [(machine, way) for machine in machines if (way := paying(machine)) is not None]
    assert 10 < len(known) < len(machines)
    for seed, (machine, way) in enumerate(known):
        assert _true_to(machine, way, seed), (machine.ruleset, way)


def test_rules_that_pay_otherwise_are_not_recognised(rulebook: Rulebook) -> None:
    """No mutant of a rule about payments, prices, tokens or the turn carries a fact."""
    for mutant in mutants(rulebook):
        if mutant.rule in ("turn/advance-pay", "turn/buy-pay", "turn/buy-token", "track/income", "track/move-token", "turn/paid", "setup/buttons"):
            machine = machine_of_tree(mutant.tree, Collector(), rulebook.readings(ruleset=None, chosen={}), None)
            assert machine is None or fact_of_supply(machine) is None, mutant.name


def test_other_numbers_carry_no_fact(rulebook: Rulebook) -> None:
    """A set-up with other numbers, on which the supply could run out sooner, is not among what the facts are about."""
    machine = from_rulebook(rulebook, rulebook.readings("revised", {"final-income": "not-paid"}))
    assert fact_of_supply(machine) == "most-buttons-not-paid"
    for message in ({"start_buttons": 6}, {"time_board": {"last": 60, "income": [5], "special": [7]}}, {"special_tile": {"side": 7, "points": 8}}):
        assert deals(customised(machine, message)) != deals(machine) and fact_of_supply(customised(machine, message)) is None


def test_the_facts_are_about_the_shipped_numbers(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """Each fact about the buttons held together says of which numbers it speaks, and these are the rulebook's."""
    facts = [fact for fact in stored(shipped() / "theorems") if str(fact["theorem"]).startswith("most-buttons")]
    assert {fact["bound"]["deals"] for fact in facts} == {deals(machine_of("revised"))}
