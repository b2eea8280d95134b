"""Is a second engine, written by hand, told its readings as the reference is?

The sample engine in Python shares no line with the rulebook. Whatever a set-up says it is told readings of its own here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import pytest

import patchwork_ref as pr
from patchwork_ref.ambiguity import Fingerprint
from patchwork_ref.conformance.targets import Local
from patchwork_ref.fixtures import unobservable
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.setup import Setup, setup_message
from patchwork_ref.rulebook.model import Rulebook

from .headstrong import Headstrong, plain

Taken = Callable[..., Fingerprint]

BOOK = pr.load_rulebook()
SINGLE = [f"{a.name}={r}" for a in BOOK.ambiguities.values() for r in a.readings if r != a.default]
QUICK = ("tile-check=end-of-turn", "two-one-patch=six-cells")
SEEDS = range(12)
SAMPLED = (3, 4)
"""Of the combinations of three those that are tried each time; the others are slow together, and those of all are."""


def oracle(rulebook: Rulebook, chosen: Mapping[str, str]) -> Local:
    """The sample engine with these readings, and the special patches where they lie under them."""
    machine = from_rulebook(rulebook, rulebook.readings(None, dict(chosen)))
    board = setup_message(machine, Setup(()))["time_board"]
    return Local("oracle", lambda: Headstrong(plain(), machine.readings, board["special"]))


def allows(found: str | tuple[str, ...] | None, reading: str) -> bool:
    return found == reading or (isinstance(found, tuple) and reading in found)


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in SINGLE])
def test_a_second_engine_of_a_single_reading_is_told(taken: Taken, rulebook: Rulebook, name: str) -> None:
    """The hand-written engine with one reading of its own shows just this one beside the default, nothing is unexplained, and one that no game shows is left open."""
    ambiguity, reading = name.split("=")
    found = taken(oracle(rulebook, {ambiguity: reading}))
    assert found.exit_code == 0 and [(u.fixture, u.rule, u.text) for u in found.unexplained] == []
    others = {a: r for a, r in found.readings.items() if isinstance(r, str) and r != rulebook.ambiguities[a].default}
    assert others == ({} if name in unobservable() else {ambiguity: reading})
    assert allows(found.readings[ambiguity], reading)
    assert all(allows(r, rulebook.ambiguities[a].default) for a, r in found.readings.items() if a != ambiguity)


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=() if seed in SAMPLED else pytest.mark.slow) for seed in SEEDS])
def test_three_readings_of_a_second_engine_are_told(taken: Taken, rulebook: Rulebook, seed: int) -> None:
    """The hand-written engine with three readings of its own is given a profile that allows each reading that it has, and nothing is unexplained."""
    told(taken, rulebook, dict(name.split("=") for name in random.Random(f"few {seed}").sample(SINGLE, 3)), 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_combinations_of_a_second_engine_are_told(taken: Taken, rulebook: Rulebook, seed: int) -> None:
    """The hand-written engine with a random reading of every ambiguity is given a profile that allows each of them, and nothing is unexplained."""
    source = random.Random(f"oracle {seed}")
    told(taken, rulebook, {a.name: source.choice(list(a.readings)) for a in rulebook.ambiguities.values()}, 12)


def told(taken: Taken, rulebook: Rulebook, chosen: Mapping[str, str], games: int) -> None:
    found = taken(oracle(rulebook, chosen), games=games)
    assert found.exit_code == 0 and [(u.fixture, u.rule, u.text) for u in found.unexplained] == []
    assert {a: (found.readings[a], r) for a, r in rulebook.readings(None, dict(chosen)).items() if not allows(found.readings[a], r)} == {}
    assert any(isinstance(found.readings[a], str) for a in chosen)
