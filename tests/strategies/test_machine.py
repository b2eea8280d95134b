"""Any engine in the state machine: sound ones pass, faulty ones are found, and a run that did nothing fails."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from patchwork_ref.mutation import mutant
from patchwork_ref.rulebook.rulebook import load_rulebook
from patchwork_ref.strategies import EngineAdapter, Exercise, HandlerAdapter, ObjectAdapter, default_engine, state_machine

from .conftest import plain_engine

FEW = settings(max_examples=12, stateful_step_count=14, deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True)
MANY = settings(FEW, max_examples=60, stateful_step_count=25, phases=[Phase.generate])
"""To find something; how it shrinks is asked in test_games."""


def handler(*faults: str) -> HandlerAdapter:
    return HandlerAdapter(plain_engine().Engine(list(faults)).handle)


def plain_object() -> ObjectAdapter:
    return ObjectAdapter(plain_engine().Game, plain_engine().Illegal)


@pytest.mark.parametrize("make", [lambda: EngineAdapter(default_engine().machine), plain_object, handler], ids=["ours", "object", "handler"])
def test_sound_engines_pass(make) -> None:
    """Our engine, a class in this process and an engine behind the protocol agree with the rules in interleaved games."""
    exercise = Exercise()
    run_state_machine_as_test(state_machine(make, exercise=exercise), settings=FEW)
    exercise.require(games=5, actions=40)
    assert exercise.actions["refused"] and exercise.actions["buy"]


@pytest.mark.parametrize("fault", ["token-stays", "mistyped-patch", "reject-changes-state", "rival-moves-on-shared-space"])
def test_faulty_engines_are_found(fault: str) -> None:
    """An engine with a fault in its rules, or one whose refusals change the state, fails."""
    with pytest.raises(AssertionError):
        run_state_machine_as_test(state_machine(lambda: handler(fault)), settings=MANY)


def test_a_mutant_is_found() -> None:
    """A mutant of the rulebook fails like any faulty engine."""
    machine = mutant(load_rulebook(), "turn/buy-pay~does-doubled").bare
    with pytest.raises(AssertionError):
        run_state_machine_as_test(state_machine(lambda: EngineAdapter(machine)), settings=MANY)


def test_a_run_without_actions_fails() -> None:
    """An exercise that was never used is no success."""
    with pytest.raises(AssertionError, match="0 actions"):
        Exercise().require(games=1)
