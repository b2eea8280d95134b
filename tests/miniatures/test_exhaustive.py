"""The miniature game searched to the end: every property on every state, every mutant killed or equivalent, exactly."""

from __future__ import annotations

import pytest

from patchwork_ref.engine import Engine
from patchwork_ref.engine.properties import PropertyChecker
from patchwork_ref.mutation import Mutant, mutants
from patchwork_ref.mutation.equivalence import proved_equivalent
from patchwork_ref.suite.exhaust import TooLarge, every_state, exhausted
from patchwork_ref.suite.witnesses import replayed, witness

from .miniature import SETUPS, book, engine

LARGEST = 60_000


def test_every_property_holds_on_every_state() -> None:
    """No reachable state, step or end of the miniature violates a declared property."""
    checker = PropertyChecker(engine().machine)
    states = ends = 0
    for state, following in every_state(engine(), SETUPS):
        assert checker.state(state) == ()
        for action, after in following:
            assert checker.step(state, action, after) == ()
        if engine().is_over(state):
            assert checker.finish(state) == () and not following
            ends += 1
        else:
            assert following
        states += 1
    assert states > 5000 and ends > 100


def test_both_back_ends_agree_on_every_state() -> None:
    """The generated engine and the interpreter give the same legal actions, results and verdicts everywhere."""
    slow = Engine(engine().machine, "interpreted")
    for number, (state, following) in enumerate(every_state(engine(), SETUPS[:1])):
        if number % 7 == 0:
            assert slow.count(state) == len(following) and slow.is_over(state) == engine().is_over(state)
            assert slow.score(state) == engine().score(state)
            for action, after in following[:3]:
                assert slow.apply(state, action) == after


def classified(mutant: Mutant) -> str:
    """Killed or equivalent, exactly; and the search that makes fixtures finds a game for each that can be killed."""
    changed = Engine(mutant.bare)
    try:
        found = exhausted(engine(), changed, SETUPS, LARGEST)
    except TooLarge:
        return "too large"
    proof = proved_equivalent(mutant.bare, engine().machine)
    if found is None:
        return "equivalent"
    assert proof is None, f"{mutant.name} is told apart by {found}, but {proof}"
    again = replayed(engine(), changed, found.setup, found.actions)
    assert again is not None and again.length == found.length, mutant.name
    made = witness(engine(), changed, games=400, setups=SETUPS)
    assert made is not None, f"no game is found for {mutant.name}, though {found} tells it apart"
    return "killed"


SOME = [m.name for m in mutants(book())][::17]


@pytest.mark.parametrize("name", SOME)
def test_a_mutant_is_classified_exactly(name: str) -> None:
    """A mutant of the miniature is told apart by some game or by none at all; the generator of fixtures finds one if there is one."""
    mutant = next(m for m in mutants(book()) if m.name == name)
    assert classified(mutant) in ("killed", "equivalent")


@pytest.mark.slow
def test_every_mutant_is_classified_exactly() -> None:
    """The same of every mutant of the miniature; most are killed, and none is left open."""
    verdicts = {m.name: classified(m) for m in mutants(book())}
    found = list(verdicts.values())
    assert found.count("killed") > 0.8 * len(found) and "too large" not in found, {n for n, v in verdicts.items() if v == "too large"}
