"""Where solver and engine meet: what is refuted is replayed."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from patchwork_ref.errors import InputError
from patchwork_ref.fixtures.read import read_fixtures, shipped
from patchwork_ref.machine.model import Machine
from patchwork_ref.proving import broken_properties, described, kept_games, prove_properties
from patchwork_ref.reaching import Player, reach, replayed
from patchwork_ref.rulebook.model import Rulebook

from .altered import BREAKS, altered

BROKEN = {
    "revised": (), "original": (), "source-002": (), "source-003": (), "source-004": (), "source-000": ("holds/tile-never-missed",),
    "neutral-token-start=counter-clockwise": (), "two-one-patch=six-cells": (), "purchase-order=move-then-place": (), "special-spaces=original": (),
    "marker-trigger=strictly-past": (), "shared-space=bottom-moves": ("holds/turn-after",), "advance-near-end=not-clamped": ("holds/advance-pays",),
    "final-income=not-paid": ("holds/advance-pays", "holds/buy-pays"), "special-tile=absent": ("holds/tile-never-missed",),
    "special-tile=each-player": ("holds/tile-at-most-once",), "tile-value=buttons-at-once": ("holds/buy-pays", "holds/special-is-free"),
    "tile-check=purchases-only": ("holds/tile-never-missed",), "tile-check=end-of-turn": ("holds/tile-never-missed",), "tie=draw": ("holds/somebody-wins",),
    "tie=last-to-finish": (), "supply=finite": ("holds/advance-pays", "holds/buy-pays"), "unplaceable-patch=discarded": ("holds/patches-conserved",),
    "full-quilt-special=stays": ("holds/one-special-a-move", "holds/special-winner-ahead", "holds/special-waits-ahead", "holds/special-alone"), "turning=turns-only": (),
    "negative-score=floored": ("holds/score-parts",),
    "special-patch-timing=kept": ("holds/special-waits-ahead", "holds/special-at-once", "holds/special-alone", "holds/nothing-waits"),
    "short-offer=none": (), "purchase-steps=pay-token-place": (), "event-order=special-first": (),
}
"""For every ruleset and for each single reading, the properties that it breaks."""


def test_a_refuted_property_comes_with_a_game(machine_of: Callable[..., Machine]) -> None:
    """Letting the player below move on breaks the turn order, and a game of two actions shows it on the engine."""
    machine = machine_of(**{"shared-space": "bottom-moves"})
    (verdict,) = prove_properties(machine, ["holds/turn-after"], search=2.0)
    assert verdict.verdict == "refuted" and verdict.confirmed
    assert verdict.trace is not None and len(verdict.trace.actions) <= 3
    assert replayed(machine, verdict.trace, "holds/turn-after")


def test_a_game_that_violates_nothing_is_no_witness(machine_of: Callable[..., Machine]) -> None:
    """The same game under the other reading violates nothing, and no game is found for a property that holds."""
    machine, other = machine_of(), machine_of(**{"shared-space": "bottom-moves"})
    trace = reach(other, ["holds/turn-after"], 2.0)["holds/turn-after"]
    assert not replayed(machine, trace, "holds/turn-after")
    assert reach(machine, ["holds/turn-after"], 0.5) == {}


def test_the_buttons_at_once_of_a_square_are_found_by_play(machine_of: Callable[..., Machine]) -> None:
    """A filled square, which random play never makes, is reached by guided play."""
    machine = machine_of(**{"tile-check": "purchases-only"})
    traces = reach(machine, ["holds/tile-never-missed"], 20.0)
    assert replayed(machine, traces["holds/tile-never-missed"], "holds/tile-never-missed")


def test_every_broken_property_has_a_game(machine_of: Callable[..., Machine]) -> None:
    """For each ruleset and reading, each property that it breaks is violated by the last action of a kept game, and of no default game."""
    default = machine_of()
    shown = set()
    for entry, (name, trace) in zip(json.loads((shipped() / "theorems" / "breaks" / "games.json").read_text())["games"], kept_games(), strict=True):
        rules = entry["rules"]
        machine = machine_of(**dict([rules.split("=")])) if "=" in rules else machine_of(rules)
        assert trace.readings == ({} if "=" not in rules else dict([rules.split("=")]))
        assert replayed(machine, trace, name), (rules, name)
        assert not replayed(default, trace, name), (rules, name)
        shown.add((rules, name))
    assert shown == {(rules, name) for rules, broken in BROKEN.items() for name in broken}


def test_what_play_hardly_reaches_comes_with_a_game(machine_of: Callable[..., Machine]) -> None:
    """A special patch that stays behind a full quilt is won by the player behind, in a kept game that no search would find in time."""
    machine = machine_of(**{"full-quilt-special": "stays"})
    (verdict,) = prove_properties(machine, ["holds/special-winner-ahead"], search=0.2)
    assert verdict.verdict == "refuted" and verdict.trace is not None and replayed(machine, verdict.trace, "holds/special-winner-ahead")
    assert verdict.note == "violated by the last of 34 actions"


def test_what_is_not_reached_says_so(machine_of: Callable[..., Machine]) -> None:
    """A refutation without a game says that it has none, and shows the state where the induction fails."""
    machine = machine_of(**{"full-quilt-special": "stays"})
    (verdict,) = prove_properties(machine, ["holds/special-winner-ahead"], search=0)
    assert verdict.verdict == "refuted" and verdict.trace is None
    assert "no game was found" in verdict.note and verdict.counterexample is not None and verdict.counterexample.before is not None
    assert any("space" in line for line in described(machine, verdict.counterexample.before))


def test_an_unknown_property_is_refused_in_one_line(machine_of: Callable[..., Machine]) -> None:
    """A name that no property has is one line about it."""
    with pytest.raises(InputError, match="no property is called 'holds/nothing'"):
        prove_properties(machine_of(), ["holds/nothing"])


@pytest.mark.slow
def test_the_table_of_broken_properties(rulebook: Rulebook) -> None:
    """Every ruleset and every single reading breaks the properties listed, each confirmed by the engine, and no other."""
    table = broken_properties(rulebook, search=0)
    assert {name: tuple(v.property for v in found) for name, found in table.items()} == BROKEN
    assert [(name, v.property, v.verdict) for name, found in table.items() for v in found if v.verdict != "refuted" or not v.confirmed] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BREAKS))
def test_altered_rulebooks_are_caught_in_play(rulebook: Rulebook, name: str) -> None:
    """The property that an altered rulebook breaks is violated in a game that the engine replays."""
    changes, broken = BREAKS[name]
    machine = altered(rulebook, changes)
    if name == "special-never-lost":  # it takes a full quilt, which these players never make; a fixture has one
        (game,) = (f for f in read_fixtures() if f.id == "full-quilt/special-lost-by-an-advance")
        assert Player(machine, 0).violates(game.setup, game.actions, broken) is not None
        return
    traces = reach(machine, [broken], 25.0)
    assert broken in traces and replayed(machine, traces[broken], broken)
