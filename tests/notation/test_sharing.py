"""Is a shared replay the same as a replay under each Machine by itself?"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action, Trace
from patchwork_ref.notation import Claims, Game
from patchwork_ref.notation.judge import Panel
from patchwork_ref.notation.player import Player
from patchwork_ref.notation.sharing import likeness, replay_beside
from patchwork_ref.rulebook.rulebook import load_rulebook

RULEBOOK = load_rulebook()
SINGLE = [f"{a.name}={r}" for a in RULEBOOK.ambiguities.values() for r in a.readings if r != a.default]


@cache
def reading(choice: str, ruleset: str = "revised") -> Machine:
    return from_rulebook(RULEBOOK, RULEBOOK.readings(ruleset, [choice] if choice else []))


def varied(trace: Trace, source: random.Random) -> Game:
    """The game as it is, cut, or damaged; with what it claims, something else, or nothing."""
    actions = trace.actions[: source.randrange(len(trace.actions) + 1)] if source.random() < 0.5 else trace.actions
    if actions and source.random() < 0.5:
        at = source.randrange(len(actions))
        odd = source.choice([Action("advance"), Action("jump"), Action("special", None, (at,)), Action("buy", "Q", ()), source.choice(trace.actions)])
        actions = (*actions[:at], odd, *actions[at + source.randrange(2) :])
    claims = source.choice([Claims(), Claims(trace.scores or (None, None), trace.winner, True), Claims((3, None))])
    return Game(1, replace(trace, actions=actions), claims, own_token=source.random() < 0.3)


@pytest.mark.parametrize("ruleset", ["revised", "source-000"])
def test_verdicts_are_the_same(table: Any, ruleset: str) -> None:
    """With every reading beside the leader, each game's verdict is the one of plain replays under each."""
    machines = {choice: reading(choice) for choice in ["", *SINGLE]} | {name: table.machine(name) for name in RULEBOOK.rulesets}
    shared, plain = Panel(table.machine(ruleset), machines), Panel(table.machine(ruleset), machines, share=False)
    source = random.Random(ruleset)
    for trace in (*table.games(ruleset, 5), *table.games("revised", 3, "square")):
        for _ in range(12):
            game = varied(trace, source)
            assert shared.verdict(game) == plain.verdict(game)


@pytest.mark.parametrize("choice", ["turning=turns-only", "short-offer=none", "special-patch-timing=kept"])
def test_a_stricter_leader(table: Any, choice: str) -> None:
    """A move that the leader alone refuses is played on by the others, and the leader's own replay stays as it was."""
    machines = {"": reading(""), choice: reading(choice)}
    shared, plain = Panel(reading(choice), machines), Panel(reading(choice), machines, share=False)
    refused = 0
    for trace in table.games("revised", 12):
        game = Game(1, trace)
        verdict = shared.verdict(game)
        assert verdict == plain.verdict(game)
        assert "" in verdict.consistent
        refused += not verdict.legal
    assert refused or choice != "turning=turns-only"


def test_the_leader_is_left_alone(table: Any) -> None:
    """Playing on beyond the leader's refusal adds nothing to the leader's own replay."""
    leader, player = Player(reading("turning=turns-only")), Player(reading(""))
    alike = likeness(leader, player)
    assert alike is not None
    for trace in table.games("revised", 6):
        moves = [leader.moves[action] for action in trace.actions]
        start = leader.start(trace.setup.circle, None, trace.setup.first_player)
        led = leader.replay([start], moves)
        before = list(led.states)
        assert len(replay_beside(player, start, moves, led, alike).states) == len(moves) + 1
        assert led.states == before


@pytest.mark.parametrize("choice", SINGLE)
def test_replays_are_the_same(table: Any, choice: str) -> None:
    """A replay beside another Machine's has the states and the refusal of a replay alone."""
    leader, player = Player(table.machine("revised")), Player(reading(choice))
    alike = likeness(leader, player)
    if alike is None:
        assert leader.layout != player.layout or leader.moves.key != player.moves.key
        return
    source = random.Random(choice)
    for trace in (*table.games("revised", 4), *table.games("revised", 2, "square")):
        game = varied(trace, source)
        setup = game.trace.setup
        moves = [player.moves[action] for action in game.trace.actions]
        led = leader.replay([leader.start(setup.circle, setup.neutral_token, setup.first_player)], moves)
        before = list(led.states)
        start = player.start(setup.circle, setup.neutral_token, setup.first_player)
        beside, alone = replay_beside(player, start, moves, led, alike), player.replay([start], moves)
        assert (beside.states, beside.refused, beside.rule) == (alone.states, alone.refused, alone.rule)
        assert led.states == before


def test_what_is_shared() -> None:
    """Readings of scoring share whole replays, readings of one rule all but what it touches, and equal rulesets everything."""
    leader = Player(reading(""))
    for choice in ("tie=draw", "negative-score=floored"):
        alike = likeness(leader, Player(reading(choice)))
        assert alike is not None and alike.whole
    turning = likeness(leader, Player(reading("turning=turns-only")))
    assert turning is not None and not turning.whole and all(all(pair) for pair in turning.run)
    strict = likeness(leader, Player(reading("marker-trigger=strictly-past")))
    assert strict is not None and all(all(pair) for pair in strict.check) and not all(all(pair) for pair in strict.run)
    assert likeness(leader, Player(reading("unplaceable-patch=discarded"))) is None
    panel = Panel(reading(""), {name: from_rulebook(RULEBOOK, None, name) for name in RULEBOOK.rulesets})
    assert panel.led == ("revised",) and ("source-002", "source-003", "source-004") in [other.rulesets for other in panel.beside]


def test_shared_moves_are_not_run_again(table: Any) -> None:
    """Where the Machines agree on every function, the second one replays nothing at all."""
    leader, player = Player(reading("")), Player(reading("tie=draw"))
    alike = likeness(leader, player)
    assert alike is not None
    trace = table.games("revised", 1)[0]
    moves = [leader.moves[action] for action in trace.actions]
    start = leader.start(trace.setup.circle, None, trace.setup.first_player)
    led = leader.replay([start], moves)
    assert replay_beside(player, start, moves, led, alike) is led
