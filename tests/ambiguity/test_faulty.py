"""Is a faulty engine called faulty, and not explained away by readings?"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from patchwork_ref.ambiguity import Fingerprint
from patchwork_ref.ambiguity.fingerprint import SAMPLE
from patchwork_ref.conformance.targets import Local
from tests.conformance.faulty.engines import FAULTS
from tests.conformance.faulty.more import MORE

Taken = Callable[..., Fingerprint]

READINGS = {
    "no-final-income": "final-income=not-paid", "unclamped-advance": "advance-near-end=not-clamped", "smallest-patch-first": "neutral-token-start=counter-clockwise",
    "rival-moves-on-shared-space": "shared-space=bottom-moves", "tie-is-draw": "tie=draw", "last-to-finish-wins-ties": "tie=last-to-finish",
    "tile-to-both": "special-tile=each-player", "no-tile": "special-tile=absent", "tile-for-purchases-alone": "tile-check=purchases-only", "no-flips": "turning=turns-only",
    "short-offer-hidden": "short-offer=none", "token-behind-the-six-cells": "two-one-patch=six-cells",
}
"""Planted faults that are a reading of the rulebook: what they do is what this reading says, so an engine with it plays another edition."""
TWO_AT_ONCE = "two special patches in one move, which no game on a ruleset's own time board has"
UNSEEN = {
    "shared-state": "two games at once go wrong, and a fingerprint plays one after the other",
    "counts-one-more": "counts of legal actions, which a fingerprint does not ask for",
    "perft-forgets-to-copy": "perft, which a fingerprint does not ask for",
    "of-two-special-patches-one-is-taken": TWO_AT_ONCE, "of-two-passed-one-is-lost": TWO_AT_ONCE, "all-waiting-patches-go-at-once": TWO_AT_ONCE,
}
"""Faults that no game of a fingerprint can show, with what they show in; ``check`` finds them."""
PLANTED = {**FAULTS, **MORE}
SINGLE = [name for name in PLANTED if name not in READINGS and name not in UNSEEN]
QUICK = {"token-stays": 250, "penalty-one": 250, "cell-eighty-one-is-on-the-board": SAMPLE, "lists-covered-cells": SAMPLE}
"""Those that are tried each time, with the actions of the suite that show them."""
PLAIN = ("no-flips", "token-behind-the-six-cells")


def test_the_exceptions_are_faults() -> None:
    """Every fault that is said to be a reading, or not to be seen, is a planted one, and none is both."""
    assert READINGS.keys() | UNSEEN.keys() <= PLANTED.keys() and not READINGS.keys() & UNSEEN.keys()


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in SINGLE])
def test_a_planted_fault_is_not_explained_away(taken: Taken, name: str) -> None:
    """Of each planted fault that is no reading, some game is left that no choice of readings explains; the exit code is 1."""
    found = taken(Local(name, PLANTED[name].make), games=0, sample=QUICK.get(name, SAMPLE))
    assert found.exit_code == 1 and found.unexplained and not found.exact


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in PLAIN else pytest.mark.slow) for n in READINGS])
def test_a_planted_fault_that_is_a_reading_is_named(taken: Taken, name: str) -> None:
    """A planted fault that does what a reading says is given this reading, and nothing is left unexplained."""
    ambiguity, reading = READINGS[name].split("=")
    found = taken(Local(name, PLANTED[name].make), games=0)
    assert found.exit_code == 0 and found.readings[ambiguity] == reading


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n == "counts-one-more" else pytest.mark.slow) for n in UNSEEN])
def test_what_a_fingerprint_cannot_see_is_no_reading(taken: Taken, name: str) -> None:
    """A planted fault that no game of a fingerprint shows gets the default rules, and is not taken for a reading."""
    found = taken(Local(name, PLANTED[name].make), games=0, sample=SAMPLE)
    assert found.exit_code == 0 and found.ruleset == "revised" and found.exact
