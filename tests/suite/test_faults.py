"""Is the right mutant named for engines with known faults?"""

from __future__ import annotations

from functools import cache

import pytest

from patchwork_ref.conformance.run import Report
from tests.conformance.faulty.engines import FAULTS
from tests.conformance.test_blame import World

EXPECTED: dict[str, set[str]] = {
    # Row by row of the survey of engines in the field
    "income-pays-once": {"track/income~once"},
    "no-final-income": {"reading/final-income~not-paid"},
    "unclamped-advance": {"reading/advance-near-end~not-clamped"},
    "token-leaves-the-board": {"track/move-token~second-beyond-the-end"},
    "purchase-pays-no-income": {"action/buy~without-all-income"},
    "advance-earns-no-special": {"action/advance~without-track/special"},
    "special-to-rival": {"track/special~to-the-rival-at-once"},
    "special-may-wait": {"turn/special-first~dropped"},
    "smallest-patch-first": {"reading/neutral-token-start~counter-clockwise"},
    "circle-starts-anywhere": {"setup/circle~starts-circle-turned-dropped"},
    "token-stays": {"turn/buy-token~skipped-stay"},
    "rival-moves-on-shared-space": {"reading/shared-space~bottom-moves"},
    "who-is-ahead-moves": {"turn/next~the-one-ahead"},
    "tie-is-draw": {"reading/tie~draw"},
    "last-to-finish-wins-ties": {"reading/tie~last-to-finish"},
    "only-an-advance-finishes-first": {"track/finish~only-by-an-advance"},
    "tile-needs-81": {"tile/claim~whole-board"},
    "tile-to-both": {"reading/special-tile~each-player"},
    "no-tile": {"reading/special-tile~absent"},
    "tile-for-any-cells": {"tile/claim~when-filled-area-for-square"},
    "tile-lost-again": {"tile/claim~does-recomputed"},
    "tile-pays-at-once": {"tile/claim~pays-at-once-too"},
    "tile-for-purchases-alone": {"reading/tile-check~purchases-only"},
    "tile-worth-nothing": {"end/score-tile~always-else"},
    "no-flips": {"reading/turning~turns-only"},
    "short-offer-hidden": {"reading/short-offer~none"},
    "last-patches-twice-on-offer": {"turn/offer~last-hidden"},
    "marks-one-early": {"track/crossed~every-mark-early", "track/crossed~mark-minus-1"},  # apart on the last space alone
    "mistyped-patch": {"patch/B~cost-of-its-twin"},
    "patch-without-income": {"patch/E~without-income"},
    "patch-of-another-shape": {"patch/F~square"},
    "income-times-buttons": {"track/income~times-buttons"},
    "buy-and-discard": {"action/buy~or-discard"},
    "penalty-one": {"constant/blank-penalty~minus-1"},
    "no-penalty": {"end/score~minus-left-only"},
    "removed-by-index": {"turn/buy-token~first-removed"},
    # Our own
    "advance-pays-nothing": {"turn/advance-pay~does-dropped"},
    "advance-onto-the-rival": {"action/advance~onto-the-other"},
    "first-patch-for-nothing": {"turn/buy-pay~first-for-nothing"},
    "must-keep-a-button": {"turn/buy-afford~ge-to-gt"},
    "buys-on-credit": {"turn/buy-afford~ge-off-by-one"},
    "four-on-offer": {"turn/offer~first-one-more", "constant/offer-size~plus-1"},
    "special-on-a-covered-cell": {"turn/special-no-overlap~dropped"},
    "special-for-nothing": {"turn/special-pending~dropped"},
    "acts-after-the-end": {"action/advance~without-turn/not-over"},
    "ends-with-the-first": {"end/over~all-to-any"},
    "starts-with-six": {"constant/start-buttons~plus-1"},
    "special-stays-on-the-board": {"track/special~does-1-dropped"},
    "special-only-when-hit": {"track/special~only-when-hit"},
    "income-of-the-rival": {"track/income~does-me-income-of-the-other"},
    "final-income-twice": {"track/final-income~does-doubled"},
    "quilt-of-the-rival": {"turn/buy-place~does-1-me-quilt-of-the-other"},
    "fewer-points-win": {"definition/leader~gt-to-le"},
    "buttons-do-not-count": {"end/score~plus-right-only"},
}
"""The fault and the mutants that are its like: thought out from what the fault does, never from what the diagnosis said."""

BEYOND = {
    "reject-changes-state": "a refused action changes the state: rules say what actions do, and this is none",
    "shared-state": "games disturb each other: a rulebook knows one game",
    "legal-list-remembers": "an answer depends on what was asked before: a rulebook knows no questions",
    "placements-listed-twice": "a set of placements cannot hold one twice",
    "cells-counted-once": "a cell named twice is a malformed message, which the rules never see",
    "falls-with-a-full-quilt": "the program ends; a rulebook has no crashes",
    "player-zero-begins": "rules cannot name one of the players",
    "only-the-first-player-pays": "rules cannot name one of the players",
    "special-placed-by-itself": "rules cannot name the first free cell",
    "tile-in-the-corner-alone": "rules cannot name one square of the quilt board",
    "round-the-edge": "rules cannot say where a patch fits; the geometry is a primitive",
    "overlap-of-one-cell": "rules ask whether regions overlap, not by how much",
    "special-not-taken-away": "rules cannot tell odd from even",
}
"""Faults that no change of a rulebook expresses, and why."""


@cache
def world() -> World:
    return World()


def named(report: Report) -> set[str]:
    """What a check says that the engine behaves like: a reading, or a mutant with those that explain as much."""
    if report.explanation is not None:
        kind, _, what = report.explanation.option.removeprefix("--").partition(" ")
        return {f"{kind}/{what.replace('=', '~')}"}
    found = report.diagnosis
    return {*found.names, *found.alternatives} if found is not None and found.kind == "mutant" else set()


def test_every_fault_is_expected_to_be_named_or_cannot_be() -> None:
    """Each planted fault has a mutant that is its like, or a reason why it has none; at least thirty come from the survey."""
    assert set(EXPECTED) | set(BEYOND) == set(FAULTS) and not set(EXPECTED) & set(BEYOND)
    assert len([name for name in EXPECTED if FAULTS[name].row]) >= 30


@pytest.mark.parametrize("fault", ["patch-without-income", "no-tile"])
def test_a_fault_is_named(fault: str) -> None:
    """A check at the gate tier names the mutant that a faulty engine is like."""
    assert named(world().check(FAULTS[fault].make)) & EXPECTED[fault]


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_nine_faults_in_ten_are_named() -> None:
    """Of the faults that a changed rule can express, whole checks at the gate tier name the right mutant for at least 90 %,
    and for at least 90 % of those of the survey."""
    right = {fault: bool(named(world().check(FAULTS[fault].make)) & EXPECTED[fault]) for fault in EXPECTED}
    survey = [fault for fault in EXPECTED if FAULTS[fault].row]
    share, of_survey = sum(right.values()) / len(right), sum(right[fault] for fault in survey) / len(survey)
    print(f"{share:.0%} of {len(right)} faults, {of_survey:.0%} of the {len(survey)} of the survey; of all {len(FAULTS)} planted {sum(right.values()) / len(FAULTS):.0%}")
    assert share >= 0.9 and of_survey >= 0.9, [fault for fault, found in right.items() if not found]
