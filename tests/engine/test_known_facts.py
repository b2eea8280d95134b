"""Does the engine give what is known of the real game, whichever back end plays?"""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType

import pytest

import patchwork_ref as pr
from patchwork_ref.engine.playout import Playouts
from patchwork_ref.machine.model import Machine
from patchwork_ref.polyomino import orientations, placements

MachineOf = Callable[..., Machine]


def test_the_patches_add_up(machine_of: MachineOf) -> None:
    """The 33 patches have 166 cells, cost 133, time 107 and income 38, with 144 orientations and 7,349 placements."""
    machine = machine_of()
    patches = machine.regular
    assert len(patches) == 33 and sum(len(p.shape) for p in patches) == 166
    assert [sum(p.numbers[n] for p in patches) for n in ("cost", "time", "income")] == [133, 107, 38]
    assert sum(len(orientations(p.shape, True)) for p in patches) == 144
    assert sum(len(placements(p.shape, machine.board, True)) for p in patches) == 7349


@pytest.mark.parametrize("ruleset", ["revised", "original"])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("backend", ["compiled", "interpreted"])
def test_two_players_who_always_advance(machine_of: MachineOf, ruleset: str, first: int, backend: str) -> None:
    """Always advancing gives 58 buttons each in 59 actions, five of them special patches of the second player, who wins -94 to -104."""
    engine = pr.Engine(machine_of(ruleset), backend=backend)
    actions, state, outcome = pr.played(engine, pr.Setup(tuple(p.name for p in engine.machine.regular), None, first), pr.policy("advance"), random.Random(0))
    score = engine.score(state)
    assert (outcome, len(actions), sum(a.type == "special" for a in actions)) == ("finished", 59, 5)
    assert [state.number("buttons", who) for who in (0, 1)] == [58, 58]
    assert (score.totals[first], score.totals[1 - first], score.winner) == (-104, -94, 1 - first)
    assert state.number("specials", 1 - first) == 5 and state.get("first_finisher") == first


def test_perft_of_the_circle_in_letter_order(machine_of: MachineOf) -> None:
    """With the circle A..Z a..g and the original special spaces, perft(1) is 639 and perft(2) is 454,193."""
    engine = pr.Engine(machine_of("original"))
    start = engine.start(pr.Setup(tuple(p.name for p in engine.machine.regular)))
    assert [pr.perft(engine, start, depth) for depth in (0, 1, 2)] == [1, 639, 454193]
    parts = pr.divide(engine, start, 2)
    assert len(parts) == 639 and sum(n for _, n in parts) == 454193


def test_perft_of_the_slow_engines(machine_of: MachineOf, oracle: ModuleType) -> None:
    """The interpreter and the plain oracle count the same 639 first actions."""
    machine = machine_of("original")
    setup = pr.Setup(tuple(p.name for p in machine.regular))
    slow = pr.Engine(machine, backend="interpreted")
    assert pr.perft(slow, slow.start(setup), 1) == 639
    assert oracle.Game(pr.setup_message(machine, setup)).perft(1) == 639


def test_two_income_spaces_in_one_move_pay_twice(machine_of: MachineOf) -> None:
    """An advance by seven from space 4 crosses the marks on 5 and 11, and each pays the quilt's income."""
    engine = pr.Engine(machine_of())
    state = engine.start(pr.shuffled(engine.machine, 1, 0))
    for field, value in (("space", 4), ("income", 3)):
        state = state.replaced(field, 0, value)
    state = state.replaced("space", 1, 10)
    step = engine.step(state, pr.Action("advance"))
    assert step.state.number("space", 0) == 11
    assert step.state.number("buttons", 0) - state.number("buttons", 0) == 7 + 2 * 3
    assert [f.rule for f in step.firings] == ["track/move-token", "turn/advance-pay", "track/income", "turn/next"]


def _most_pending(machine: Machine, games: int) -> int:
    playouts = Playouts(pr.Engine(machine))
    places = playouts.backend.layout.places
    zero, one = places["pending", 0], places["pending", 1]
    most, source = 0, random.Random(1)
    for seed in range(games):
        for state in playouts.states(pr.shuffled(machine, seed), source):
            most = max(most, int(state[zero]), int(state[one]))  # type: ignore[arg-type]
    return most


@pytest.mark.parametrize("ruleset", ["revised", "original"])
def test_no_move_wins_two_special_patches(machine_of: MachineOf, ruleset: str) -> None:
    """In a thousand random games nobody ever has two special patches waiting."""
    assert _most_pending(machine_of(ruleset), 1000) == 1


@pytest.mark.slow
def test_no_move_wins_two_special_patches_in_a_hundred_thousand_games(machine_of: MachineOf) -> None:
    """In 100,000 random games nobody ever has two special patches waiting."""
    assert _most_pending(machine_of(), 100_000) == 1


def test_the_largest_choice(machine_of: MachineOf) -> None:
    """Three patches with 448 placements each and the advance make 1,345 legal actions, listed each once."""
    engine = pr.Engine(machine_of())
    circle = ("F", "S", "a", *(p.name for p in engine.machine.regular if p.name not in ("F", "S", "a")))
    state = engine.start(pr.Setup(circle, 0))
    legal = engine.legal(state)
    assert len(legal) == len(set(legal)) == engine.count(state) == 1345
