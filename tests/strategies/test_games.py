"""Are games whole, varied and small where they fail, and do rare events happen when asked for?"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from patchwork_ref.engine.policies import POLICIES
from patchwork_ref.errors import InputError
from patchwork_ref.machine.setup import Setup
from patchwork_ref.strategies import GOALS, Exercise, Game, default_engine, games
from patchwork_ref.strategies.games import frequencies

from .conftest import GAMES


def gathered(strategy: st.SearchStrategy[Game], number: int) -> list[Game]:
    found: list[Game] = []

    @settings(GAMES, max_examples=number, phases=[Phase.generate])
    @given(strategy)
    def run(game: Game) -> None:
        found.append(game)

    run()
    return found


def test_games_are_played_to_the_end() -> None:
    """At least eight games in ten are finished, with 30 actions or more on average; none is stuck."""
    found = gathered(games(), 150)
    outcomes = Counter(game.outcome for game in found)
    assert outcomes["finished"] >= 0.8 * len(found) and not outcomes["stuck"] and not outcomes["action limit"]
    assert sum(len(game.actions) for game in found) / len(found) >= 30


def test_hardly_any_game_comes_twice() -> None:
    """Of 400 games nine in ten are like no other, and hardly any is without a purchase: examples are worth their time."""
    found = gathered(games(whole=True), 400)
    assert len({(game.setup, game.actions) for game in found}) >= 0.9 * len(found)
    assert sum(all(action.patch is None for action in game.actions) for game in found) <= 0.1 * len(found)


def test_whole_games_are_all_finished() -> None:
    """With ``whole`` every game is finished."""
    assert {game.outcome for game in gathered(games(whole=True, policies=("random", "advance", "hoarder")), 40)} == {"finished"}


@pytest.mark.parametrize("goal", GOALS)
def test_rare_events_happen_on_purpose(goal: str) -> None:
    """A game that is to reach something rare reaches it, every time."""
    found = gathered(games(reaching=goal), 3)
    assert found and frequencies(found, [goal])[goal] == 1.0


def test_rare_events_are_rare_otherwise() -> None:
    """Under uniform play fewer than one game in ten crosses two income spaces, and hardly any fills a square, empties the
    circle or fills a quilt: the figures that ``reaching`` is there for."""
    rare = frequencies(gathered(games(whole=True), 150))
    assert rare["two-income-spaces"] < 0.1 and rare["tie"] < 0.1
    assert max(rare["special-tile"], rare["short-circle"], rare["full-quilt"]) < 0.05


def test_a_failure_shrinks_to_the_shortest_game() -> None:
    """'A patch of five cells is bought' shrinks to one action where such a patch is on offer."""
    table = Setup(tuple("QABCDEFGH"), 0, 0)
    five = find(games(setup=table), lambda game: any(a.patch is not None and len(a.cells or ()) >= 5 for a in game.actions), settings=settings(GAMES, max_examples=300))
    assert len(five.actions) == 1 and five.actions[0].type == "buy"


@pytest.mark.slow
def test_a_failure_of_both_players_shrinks_too() -> None:
    """'Both players own a patch' shrinks to at most three actions, whatever the circle."""
    both = find(games(), lambda game: all(game.state.number("owned", who) for who in (0, 1)), settings=settings(GAMES, max_examples=500))
    assert len(both.actions) <= 3


@given(games(policies=tuple(POLICIES)))
@settings(GAMES, max_examples=15)
def test_every_action_of_a_game_is_legal(game: Game) -> None:
    """The actions lead through the states, one by one."""
    for before, action, after in zip(game.states, game.actions, game.states[1:], strict=False):
        assert game.engine.apply(before, action) == after


def test_a_run_that_exercised_nothing_fails() -> None:
    """Exercise counts games, actions, rules and rare events, and refuses a run without them."""
    empty, full = Exercise(), Exercise()
    with pytest.raises(AssertionError, match="0 games and 0 actions"):
        empty.require()

    @settings(GAMES, max_examples=20)
    @given(games())
    def run(game: Game) -> None:
        full.see(game, rules=True)

    run()
    full.require(games=20, actions=300, rules=["turn/buy-place", "track/income", "track/special"])
    with pytest.raises(AssertionError, match="never: rule no/such"):
        full.require(rules=["no/such"])


def test_unknown_names_are_refused_in_one_line() -> None:
    """An unknown policy or goal, or no policy at all, raises InputError."""
    for wrong in ({"policies": ("nope",)}, {"policies": ()}, {"reaching": "nope"}):
        with pytest.raises(InputError):
            games(default_engine(), **wrong)  # type: ignore[arg-type]
