"""Does the checker see violated properties, and only those?"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from patchwork_ref import Engine
from patchwork_ref.engine.properties import PropertyChecker
from patchwork_ref.errors import InputError
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import shuffled
from patchwork_ref.machine.state import State
from patchwork_ref.reaching import Player, buyer, filler, uniform
from patchwork_ref.rulebook.model import Rulebook


@pytest.mark.parametrize("ruleset", ["revised", "original", "source-002"])
def test_no_game_violates_a_property(machine_of: Callable[..., Machine], ruleset: str) -> None:
    """Games of every kind of player violate none of the declared properties."""
    player = Player(machine_of(ruleset), 1)
    for seed, policies in enumerate([(uniform, uniform), (buyer, uniform), (filler, filler), (filler, buyer), (uniform, uniform)]):
        assert list(player.game(shuffled(player.machine, seed), policies)) == []


def games(machine: Machine, number: int) -> list[tuple[State, Action, State]]:
    """The steps of some random games."""
    engine, found = Engine(machine), []
    source = Player(machine, 2)
    for seed in range(number):
        state = engine.start(shuffled(machine, seed))
        while not engine.is_over(state):
            option, index = uniform(source, state, engine.backend.options(state.values))
            action = engine.action(option, index)
            after = engine.apply(state, action)
            found.append((state, action, after))
            state = after
    return found


def test_a_spoiled_field_is_seen(machine_of: Callable[..., Machine]) -> None:
    """One field changed in a state of a game violates the property that speaks of it."""
    machine = machine_of()
    checker, (_, _, state) = PropertyChecker(machine), games(machine, 1)[20]
    assert checker.state(state) == ()
    assert "holds/buttons-conserved" in checker.state(state.replaced("buttons", 0, state.number("buttons", 0) + 1))
    assert "holds/income-of-patches" in checker.state(state.replaced("income", 1, 99))
    assert "holds/cells-of-patches" in checker.state(state.replaced("quilt", 0, state.number("quilt", 0) ^ 1))
    assert "holds/tokens-on-board" in checker.state(state.replaced("space", 1, 54))
    assert "holds/tile-needs-square" in checker.state(state.replaced("special_tile", 0, True))


def test_a_wrong_step_is_seen(machine_of: Callable[..., Machine]) -> None:
    """A step to a state that the action does not lead to violates what is declared of steps."""
    machine = machine_of()
    checker = PropertyChecker(machine)
    before, action, after = next(s for s in games(machine, 1) if s[1].type == "advance" and s[0].number("space", s[0].number("turn")) > 3)
    me = before.number("turn")
    assert checker.step(before, action, after) == ()
    assert "holds/advance-pays" in checker.step(before, action, after.replaced("buttons", me, before.number("buttons", me)))
    assert "holds/rival-untouched" in checker.step(before, action, after.replaced("buttons", 1 - me, 0 if before.number("buttons", 1 - me) else 1))
    assert {"holds/game-ends", "holds/advance-length"} <= set(checker.step(before, action, before))


def test_a_stuck_state_is_seen(machine_of: Callable[..., Machine]) -> None:
    """A state before the end in which nothing is legal violates the property that a game never stops in the middle."""
    machine = machine_of()
    checker, (_, _, state) = PropertyChecker(machine), games(machine, 1)[10]
    me = state.number("turn")
    full = state.replaced("pending", me, 1).replaced("quilt", me, machine.board.full)
    assert "holds/never-stuck" in checker.state(full)


def test_a_wrong_end_is_seen(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """A last state that no game ends in violates what is declared of the end."""
    machine = machine_of()
    checker, (_, _, last) = PropertyChecker(machine), games(machine, 1)[-1]
    assert checker.finish(last) == ()
    assert "holds/both-finished" in checker.finish(last.replaced("space", 0, 52))


def test_an_action_that_is_none_is_refused(machine_of: Callable[..., Machine]) -> None:
    """An action of no known type is one line about it."""
    machine = machine_of()
    before, _, after = games(machine, 1)[0]
    with pytest.raises(InputError, match="no action is of type 'pass'"):
        PropertyChecker(machine).step(before, Action("pass"), after)


def test_the_checker_is_fast_enough(machine_of: Callable[..., Machine]) -> None:
    """At least 2,000 steps a second are checked, states included."""
    machine = machine_of()
    checker, taken = PropertyChecker(machine), games(machine, 8)
    start = time.process_time()
    for before, action, after in taken:
        assert checker.step(before, action, after) == () and checker.state(after) == ()
    assert len(taken) / (time.process_time() - start) > 2_000


def test_properties_are_no_part_of_what_the_engine_is_made_of(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """A reading that changes only properties leaves the Machine's digest alone; the properties are those of the reading."""
    from patchwork_ref.diagnostics import Collector
    from patchwork_ref.machine.build import machine_of_tree

    readings = rulebook.readings("revised")
    bare = machine_of_tree(rulebook.resolved(readings).without("properties"), Collector(), readings, None)
    assert bare is not None and bare.digest == machine_of().digest and bare.properties == {}
    assert "holds/supply-never-negative" in machine_of(supply="finite").properties
