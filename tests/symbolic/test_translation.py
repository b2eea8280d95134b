"""Does the translation to terms mean what the engine does?"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from patchwork_ref import Engine
from patchwork_ref.engine.properties import PropertyChecker
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import shuffled
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import mask_of
from patchwork_ref.symbolic.concrete import Concrete

READINGS = [{}, {"marker-trigger": "strictly-past", "purchase-order": "move-then-place"}, {"supply": "finite", "shared-space": "bottom-moves"},
            {"special-tile": "each-player", "tile-value": "buttons-at-once", "special-patch-timing": "kept"}]


def steps(machine: Machine, seed: int, number: int) -> Iterator[tuple[State, Action, State]]:
    """Some steps of random games."""
    engine, source = Engine(machine), random.Random(seed)
    state = engine.start(shuffled(machine, seed))
    for _ in range(number):
        if engine.is_over(state):
            seed += 1
            state = engine.start(shuffled(machine, seed))
        action = source.choice(engine.legal(state))
        after = engine.apply(state, action)
        yield state, action, after
        state = after


@pytest.mark.parametrize("readings", READINGS, ids=str)
def test_a_step_of_the_engine_is_a_step_of_the_translation(machine_of: Callable[..., Machine], readings: dict[str, str]) -> None:
    """Put to known states, the translation allows the engine's actions and gives every field the engine's value."""
    machine = machine_of(**readings)
    concrete = Concrete(machine)
    for before, action, after in steps(machine, 3, 45):
        legal, fields = concrete.step(before, action)
        assert legal, action
        expected = {key: mask_of(v) if isinstance(v, tuple) else v for key, v in zip(after.layout.names, after.values, strict=True)}
        assert fields == expected, action


def test_an_action_refused_by_a_guard_is_refused_by_the_translation(machine_of: Callable[..., Machine]) -> None:
    """Put to known states, the translation refuses what the engine's guards and offers refuse."""
    machine = machine_of()
    concrete, engine, refused = Concrete(machine), Engine(machine), 0
    for (before, _, _), (_, other, _) in zip(steps(machine, 3, 60), steps(machine, 4, 60), strict=True):
        refusal = engine.explain(before, other)
        if refusal is not None and refusal.code != "wrong-shape":
            refused += 1
            assert not concrete.step(before, other)[0], (other, refusal)
    assert refused > 20


def test_a_property_of_a_state_means_the_same_on_both_sides(machine_of: Callable[..., Machine]) -> None:
    """On states with one field spoiled, translation and checker agree about every property of a state."""
    machine = machine_of()
    concrete, checker, source, violated = Concrete(machine), PropertyChecker(machine), random.Random(5), set()
    for before, _, after in steps(machine, 6, 25):
        field, who = source.choice([key for key in after.layout.names if not isinstance(after.get(*key), tuple)])
        for state in (after, after.replaced(field, who, before.get(field, 1 - who if who is not None else None)), after.replaced("income", 0, 40)):
            found = set(checker.state(state)) | set(checker.finish(state))
            for declared in machine.properties.values():
                if declared.kind in ("always", "at_end"):
                    assert concrete.truth(declared.body, state) == (declared.name not in found), declared.name
            violated |= found
    assert len(violated) > 6


def test_a_property_of_a_step_means_the_same_on_both_sides(machine_of: Callable[..., Machine]) -> None:
    """On steps to a wrong state, translation and checker agree about every property of a step."""
    machine = machine_of()
    concrete, checker, violated = Concrete(machine), PropertyChecker(machine), set()
    forms = {form.name: (form.type, form.discards) for form in machine.actions}
    for (before, action, after), (_, _, other) in zip(steps(machine, 7, 30), steps(machine, 8, 30), strict=True):
        for state in (after, other, before):
            found = set(checker.step(before, action, state))
            for declared in machine.properties.values():
                of = [forms[name] for name in declared.actions]
                if declared.kind == "each_step" and (not of or (action.type, action.cells == ()) in of):
                    assert concrete.truth(declared.body, state, before, action) == (declared.name not in found), (declared.name, action)
            violated |= found
    assert len(violated) > 12
