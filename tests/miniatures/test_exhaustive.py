"""The miniature games searched to the end: every property on every state, every mutant killed or equivalent, exactly."""

from __future__ import annotations

from collections import Counter

import pytest

from patchwork_ref.engine import Engine
from patchwork_ref.engine.properties import PropertyChecker
from patchwork_ref.mutation import Mutant
from patchwork_ref.mutation.equivalence import proved_equivalent
from patchwork_ref.suite.exhaust import TooLarge, every_state, exhausted
from patchwork_ref.suite.witnesses import replayed, witness

from .miniature import MINIATURES, Miniature

LARGEST = 60_000
EACH = pytest.mark.parametrize("game", MINIATURES.values(), ids=MINIATURES)


@EACH
def test_every_property_holds_on_every_state(game: Miniature) -> None:
    """No reachable state, step or end of a miniature violates a declared property."""
    engine = game.engine
    checker = PropertyChecker(engine.machine)
    states = ends = level = 0
    for state, following in every_state(engine, game.setups):
        assert checker.state(state) == ()
        for action, after in following:
            assert checker.step(state, action, after) == ()
        if engine.is_over(state):
            assert checker.finish(state) == () and not following
            totals = engine.score(state).totals
            ends, level = ends + 1, level + (totals[0] == totals[1])
        else:
            assert following
        states += 1
    assert states > 3000 and ends > 500 and level > 5


def test_every_step_takes_effect_somewhere() -> None:
    """Each step of each action fires on some state of some miniature: what holds there was asked of every rule."""
    fired: Counter[str] = Counter()
    for game in MINIATURES.values():
        for number, (state, following) in enumerate(every_state(game.engine, game.setups)):
            for action, _ in following[number % 3 :: 3]:
                fired.update({firing.rule for firing in game.engine.step(state, action).firings})
    steps = {step.name for game in MINIATURES.values() for form in game.engine.machine.actions for step in form.steps}
    assert set(fired) == steps


@EACH
def test_both_back_ends_agree_on_every_state(game: Miniature) -> None:
    """The generated engine and the interpreter give the same legal actions, results and verdicts everywhere."""
    engine = game.engine
    slow = Engine(engine.machine, "interpreted")
    for number, (state, following) in enumerate(every_state(engine, game.setups[:1])):
        if number % 7 == 0:
            assert slow.count(state) == len(following) and slow.is_over(state) == engine.is_over(state)
            assert slow.score(state) == engine.score(state)
            for action, after in following[:3]:
                assert slow.apply(state, action) == after


def classified(game: Miniature, mutant: Mutant) -> str:
    """Killed or equivalent, exactly; and the search that makes fixtures finds a game for each that can be killed."""
    engine, changed = game.engine, Engine(mutant.bare)
    try:
        found = exhausted(engine, changed, game.setups, LARGEST)
    except TooLarge:
        return "too large"
    proof = proved_equivalent(mutant.bare, engine.machine)
    if found is None:
        return "equivalent"
    assert proof is None, f"{mutant.name} is told apart by {found}, but {proof}"
    again = replayed(engine, changed, found.setup, found.actions)
    assert again is not None and again.length == found.length, mutant.name
    made = witness(engine, changed, games=400, setups=game.setups)
    assert made is not None, f"no game is found for {mutant.name}, though {found} tells it apart"
    return "killed"


@EACH
@pytest.mark.parametrize("part", range(4))
def test_a_mutant_is_classified_exactly(game: Miniature, part: int) -> None:
    """Mutants of a miniature are told apart by some game or by none at all; the generator of fixtures finds one if there is one."""
    for mutant in game.mutants[part * 34 :: 4 * 34]:
        assert classified(game, mutant) in ("killed", "equivalent")


@pytest.mark.slow
@pytest.mark.timeout(3600)
@EACH
def test_every_mutant_is_classified_exactly(game: Miniature) -> None:
    """The same of every mutant of a miniature; most are killed, none is left open, and few rules are changed in vain."""
    verdicts = {m.name: classified(game, m) for m in game.mutants}
    found = Counter(verdicts.values())
    print(dict(found), [name for name, verdict in verdicts.items() if verdict == "equivalent"])
    assert found["killed"] > 0.8 * len(verdicts) and not found["too large"], {n for n, v in verdicts.items() if v == "too large"}
    rules = {step.name for form in game.engine.machine.actions for step in form.steps}
    assert len(rules - {m.rule for m in game.mutants if verdicts[m.name] == "killed"}) <= 1
