"""Is a faulty engine called faulty, and not explained away by readings?"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from patchwork_ref.ambiguity import Fingerprint
from patchwork_ref.ambiguity.fingerprint import SAMPLE
from patchwork_ref.conformance.targets import Local
from tests.conformance.faulty.engines import FAULTS

Taken = Callable[..., Fingerprint]

READINGS = {
    "no-final-income": "final-income=not-paid", "unclamped-advance": "advance-near-end=not-clamped", "smallest-patch-first": "neutral-token-start=counter-clockwise",
    "rival-moves-on-shared-space": "shared-space=bottom-moves", "tie-is-draw": "tie=draw", "last-to-finish-wins-ties": "tie=last-to-finish",
    "tile-to-both": "special-tile=each-player", "no-tile": "special-tile=absent", "tile-for-purchases-alone": "tile-check=purchases-only", "no-flips": "turning=turns-only",
    "short-offer-hidden": "short-offer=none",
}
"""Planted faults that are a reading of the rulebook: what they do is what this reading says, so an engine with it plays another edition."""
BETWEEN = {
    "shared-state": "two games at once go wrong, and a fingerprint plays one after the other",
}
"""Faults that no single game can show, with the reason."""
SINGLE = [name for name in FAULTS if name not in READINGS and name not in BETWEEN]
QUICK = ("token-stays", "penalty-one")


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in SINGLE])
def test_a_planted_fault_is_not_explained_away(taken: Taken, name: str) -> None:
    """Of each planted fault that is no reading, some game is left that no choice of readings explains; the exit code is 1."""
    found = taken(Local(name, FAULTS[name].make), games=0, sample=250 if name in QUICK else SAMPLE)
    assert found.exit_code == 1 and found.unexplained and not found.exact


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n == "no-flips" else pytest.mark.slow) for n in READINGS])
def test_a_planted_fault_that_is_a_reading_is_named(taken: Taken, name: str) -> None:
    """A planted fault that does what a reading says is given this reading, and nothing is left unexplained."""
    ambiguity, reading = READINGS[name].split("=")
    found = taken(Local(name, FAULTS[name].make), games=0)
    assert found.exit_code == 0 and found.readings[ambiguity] == reading
