"""Every declared property can fail: for each there is a mutant that breaks it, and a game as short as the shortest known one."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, find, settings

from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.strategies import Game, games
from patchwork_ref.suite.breaches import Breach, kept, violated
from tests.mutation.breaking import BOOK, BREAKS, own, searched, seated, stored

QUIET = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True, max_examples=300)
DECLARED = list(from_rulebook(BOOK).properties)


@cache
def breaches() -> dict[str, Breach]:
    return stored()


def test_no_property_is_left_without_a_mutant() -> None:
    """Each declared property has a mutant that breaks it and a stored game; nothing else has."""
    assert set(BREAKS) == set(DECLARED) == set(breaches())


@pytest.mark.parametrize("declared", DECLARED)
def test_a_short_game_breaks_a_property(declared: str) -> None:
    """The stored game of the mutant breaks the property with its last action, and not before."""
    breach = breaches()[declared]
    engine, checker = seated(breach)
    assert declared in violated(engine, checker, breach.setup, breach.actions)
    for played in range(len(breach.actions)):
        assert declared not in violated(engine, checker, breach.setup, breach.actions[:played])


@pytest.mark.parametrize("declared", DECLARED)
def test_the_rulebook_keeps_its_properties_in_these_games(declared: str) -> None:
    """The same set-up and actions, up to the first that the rules refuse, break nothing under the rules as they are."""
    assert not kept(own(), breaches()[declared])


@pytest.mark.slow
@pytest.mark.parametrize("declared", DECLARED)
def test_a_failure_shrinks_to_the_shortest_game(declared: str) -> None:
    """Random games find the property broken, and what they find shrinks to as few actions as a breadth-first search needs."""
    breach = searched(declared)
    assert breach == breaches()[declared]
    engine, checker = seated(breach)

    def broken(game: Game) -> bool:
        states = game.states
        found = set(checker.start(states[0]))
        for before, action, after in zip(states, game.actions, states[1:], strict=False):
            found |= {*checker.step(before, action, after), *checker.state(after)}
        return declared in found or (engine.is_over(game.state) and declared in checker.finish(game.state))

    found = find(games(engine, setup=breach.setup, policies=("random", "frugal", "jumper", "advance"), longest=80), broken, settings=QUIET)
    assert len(found.actions) == len(breach.actions), (str(found), breach)
