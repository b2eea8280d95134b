"""Laws that need no oracle, and three implementations against each other, over every ruleset and reading."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchwork_ref.engine import Engine
from patchwork_ref.engine.properties import PropertyChecker
from patchwork_ref.engine.replay import replay
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.codec import action_to_json, dumps, trace_to_json
from patchwork_ref.machine.observe import observed
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup, setup_message
from patchwork_ref.rulebook.rulebook import load_rulebook
from patchwork_ref.strategies import Game, default_engine, games, setups

from .conftest import GAMES, plain_engine

BOOK = load_rulebook()
RULESETS = tuple(BOOK.rulesets)
READINGS = [(a.name, r) for a in BOOK.ambiguities.values() for r in a.readings if r != a.default]
MIX = ("random", "random", "frugal", "jumper", "advance")


def engine_for(ruleset: str | None = None, *readings: str) -> Engine:
    return Engine(from_rulebook(BOOK, BOOK.readings(ruleset, readings)))


def seen(engine: Engine, setup: Setup, actions: tuple[Action, ...]) -> list[dict]:
    """Everything that can be observed along a game."""
    result = replay(engine, setup, actions)
    assert result.refusal is None, result.refusal
    states = [result.start, *(step.state for step in result.steps)]
    return [observed(engine.machine, s, engine.is_over(s)) | {"legal": engine.count(s)} for s in states] + [{"scores": result.score.totals, "winner": result.score.winner}]


def mirrored(cell: int, symmetry: int, size: int) -> int:
    """One of the eight symmetries of the quilt board, applied to a cell."""
    row, column = divmod(cell, size)
    if symmetry & 4:
        row, column = column, row
    if symmetry & 2:
        row = size - 1 - row
    if symmetry & 1:
        column = size - 1 - column
    return size * row + column


@given(games(policies=MIX), st.integers(1, 7))
@settings(GAMES, max_examples=40)
def test_the_eight_symmetries_of_the_quilt_change_nothing_else(game: Game, symmetry: int) -> None:
    """A game with every placement turned or flipped is legal, and all but the pictures of the quilts is the same."""
    size = game.engine.machine.board.columns
    turned = tuple(replace(a, cells=tuple(sorted(mirrored(c, symmetry, size) for c in a.cells))) if a.cells else a for a in game.actions)
    first, second = seen(game.engine, game.setup, game.actions), seen(game.engine, game.setup, turned)
    for one, other in zip(first, second, strict=True):
        for a, b in zip(one.get("players", ()), other.get("players", ()), strict=True):
            before, after = a.pop("quilt"), b.pop("quilt")
            assert all(before[c] == after[mirrored(c, symmetry, size)] for c in range(size * size))
        assert one == other


@given(games(policies=MIX))
@settings(GAMES, max_examples=40)
def test_swapping_the_players_swaps_everything(game: Game) -> None:
    """The same actions with the other player first give the same game with the players exchanged."""
    first = seen(game.engine, game.setup, game.actions)
    second = seen(game.engine, replace(game.setup, first_player=1 - game.setup.first_player), game.actions)
    for one, other in zip(first, second, strict=True):
        swapped = dict(other)
        for name, value in other.items():
            if name in ("players", "scores"):
                swapped[name] = type(value)(reversed(value))
            elif name in ("turn", "winner") and value is not None:
                swapped[name] = 1 - value
        assert one == swapped


@given(games(policies=MIX), st.randoms(use_true_random=False))
@settings(GAMES, max_examples=20)
def test_the_names_of_patches_mean_nothing(game: Game, source) -> None:
    """A set-up whose patches have other names gives the same game under those names."""
    setup = replace(game.setup, neutral_token=game.engine.neutral_token(game.setup))
    message = setup_message(game.engine.machine, setup)
    names = dict(zip(sorted(message["patches"]), [f"patch-{i}" for i in range(len(message["patches"]))], strict=True))  # type: ignore[arg-type]
    renamed = {**message, "patches": {names[n]: p for n, p in message["patches"].items()}, "circle": [names[n] for n in message["circle"]]}  # type: ignore[attr-defined,union-attr]
    from patchwork_ref.machine.setup import setup_from_message

    machine, laid = setup_from_message(game.engine.machine, renamed)
    other = Engine(machine)
    actions = tuple(replace(a, patch=names[a.patch]) if a.patch is not None else a for a in game.actions)
    first, second = seen(game.engine, setup, game.actions), seen(other, laid, actions)
    for one, two in zip(first, second, strict=True):
        if "circle" in one:
            one["circle"] = [names[n] for n in one["circle"]]
        assert one == two


@given(games(policies=MIX), st.integers(1, 32))
@settings(GAMES, max_examples=40)
def test_turning_the_circle_with_the_token_changes_nothing(game: Game, by: int) -> None:
    """A circle written down from another patch on, with the token at the same place, gives the same game."""
    circle = game.setup.circle
    token = game.engine.neutral_token(game.setup)
    turned = Setup((*circle[by:], *circle[:by]), (token - by) % len(circle), game.setup.first_player)
    assert seen(game.engine, game.setup, game.actions) == seen(game.engine, turned, game.actions)


def test_a_fresh_process_plays_the_same() -> None:
    """Games replayed in another process have the same states, scores and winner: nothing depends on what came before."""
    found: list[tuple[str, str]] = []

    @settings(GAMES, max_examples=8)
    @given(games(whole=True))
    def gather(game: Game) -> None:
        result = replay(game.engine, game.setup, game.actions)
        found.append((dumps(trace_to_json(game.trace)), repr([result.state.values, result.score.totals, result.score.winner])))

    gather()
    program = (
        "import json, sys\nfrom patchwork_ref.strategies import default_engine\nfrom patchwork_ref.engine.replay import replay\n"
        "from patchwork_ref.machine.codec import trace_from_json\n"
        "for line in sys.stdin:\n    t = trace_from_json(json.loads(line))\n    r = replay(default_engine(), t.setup, t.actions)\n"
        "    print(repr([r.state.values, r.score.totals, r.score.winner]))\n"
    )
    lines = "\n".join(text for text, _ in found)
    done = subprocess.run([sys.executable, "-c", program], input=lines, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.splitlines() == [expected for _, expected in found]


def against_the_oracle(engine: Engine, game: Game) -> None:
    """One game, action by action, on the plain engine: state, and the set of legal actions now and then."""
    setup = game.setup
    message = setup_message(engine.machine, setup)
    oracle = plain_engine().Game(json.loads(dumps(message)))
    for number, (state, action) in enumerate(zip(game.states, (*game.actions, None), strict=True)):
        assert oracle.state() == observed(engine.machine, state, engine.is_over(state))
        if number % 5 == 0:
            mine = sorted(dumps(action_to_json(a)) for a in engine.legal(state))
            assert mine == sorted(map(dumps, oracle.legal()))
        if action is not None:
            oracle.apply(action_to_json(action))
    if engine.is_over(game.state):
        score = engine.score(game.state)
        assert oracle.score() == (list(score.totals), score.winner)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_interpreter_compiled_engine_and_oracle_agree_on_every_ruleset(ruleset: str) -> None:
    """Random games give the same states, legal actions and scores in the generated engine, the interpreter and the plain one."""
    engine = engine_for(ruleset)
    slow = Engine(engine.machine, "interpreted")

    @settings(GAMES, max_examples=12)
    @given(games(engine, policies=MIX))
    def run(game: Game) -> None:
        against_the_oracle(engine, game)
        state = slow.start(game.setup)
        for number, (action, after) in enumerate(zip(game.actions, game.states[1:], strict=True)):
            if number % 9 == 0:
                assert slow.count(state) == engine.count(state)
            state = slow.apply(state, action)
            assert state == after

    run()


@pytest.mark.parametrize(("ambiguity", "reading"), READINGS, ids=lambda value: value)
def test_engine_and_oracle_agree_on_every_reading(ambiguity: str, reading: str) -> None:
    """Under every single reading random games give the same states, legal actions and scores in both."""
    engine = engine_for(None, f"{ambiguity}={reading}")

    @settings(GAMES, max_examples=6)
    @given(games(engine, policies=MIX))
    def run(game: Game) -> None:
        against_the_oracle(engine, game)

    run()


@pytest.mark.parametrize("goal", ["two-income-spaces", "special-tile", "short-circle", "tie", "full-quilt"])
def test_engine_and_oracle_agree_when_something_rare_happens(goal: str) -> None:
    """Games in which something rare happens are the same in both."""

    @settings(GAMES, max_examples=3)
    @given(games(reaching=goal))
    def run(game: Game) -> None:
        against_the_oracle(game.engine, game)

    run()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_declared_property_holds_on_random_games(ruleset: str) -> None:
    """No state, step or end of a random game violates what the rulebook declares, under any ruleset."""
    engine = engine_for(ruleset)
    checker = PropertyChecker(engine.machine)
    steps = 0

    @settings(GAMES, max_examples=25)
    @given(games(engine, policies=MIX))
    def run(game: Game) -> None:
        nonlocal steps
        states = game.states
        assert checker.start(states[0]) == ()
        for before, action, after in zip(states, game.actions, states[1:], strict=False):
            assert checker.step(before, action, after) == () and checker.state(after) == ()
            steps += 1
        if engine.is_over(game.state):
            assert checker.finish(game.state) == ()

    run()
    assert steps > 300  # a property that was never asked holds for nothing


@given(setups(token="rules"))
@settings(GAMES, max_examples=40)
def test_the_rules_find_the_token_as_the_oracle_does(setup: Setup) -> None:
    """Without a token in the set-up both engines start with the same patches on offer."""
    engine = default_engine()
    message = json.loads(dumps(setup_message(engine.machine, setup)))
    assert plain_engine().Game(message).state() == observed(engine.machine, engine.start(setup), False)
