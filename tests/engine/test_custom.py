"""Do set-ups with other numbers share the generated text, and still play by their own numbers?"""

from __future__ import annotations

import random

import pytest

from patchwork_ref.engine import Engine
from patchwork_ref.engine.policies import POLICIES, played
from patchwork_ref.fixtures import machine_for, read_fixtures
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.setup import Setup, customised
from patchwork_ref.rulebook.rulebook import load_rulebook

RULEBOOK = load_rulebook()
CUSTOM = [f for f in read_fixtures() if f.custom]


def test_custom_set_ups_share_one_text() -> None:
    """What is generated for one set-up of a Machine serves all; another Machine has its own."""
    plain, other = from_rulebook(RULEBOOK), from_rulebook(RULEBOOK, RULEBOOK.readings(None, ["tie=draw"]))
    first, second, third = (Engine(customised(m, {"start_buttons": n, "blank_penalty": n})) for m, n in ((plain, 7), (plain, 9), (other, 7)))
    assert first.backend.source is second.backend.source  # type: ignore[attr-defined]
    assert first.backend.source != third.backend.source  # type: ignore[attr-defined]
    assert [e.start(Setup(("A", "B"), 0)).number("buttons", 0) for e in (first, second)] == [7, 9]


@pytest.mark.parametrize("fixture", CUSTOM[::2], ids=lambda f: f.id)
def test_both_back_ends_play_a_custom_set_up_alike(fixture) -> None:
    """States, legal actions, firings, refusals and scores of a whole game are the same by the shared text and by the nodes."""
    machine = machine_for(fixture, RULEBOOK)
    fast, plain = Engine(machine), Engine(machine, backend="interpreted")
    actions, _, _ = played(fast, fixture.setup, POLICIES["mixed"], random.Random(fixture.id))
    state = fast.start(fixture.setup)
    assert state == plain.start(fixture.setup)
    for number, action in enumerate(actions[:25]):
        if number % 6 == 0:
            assert fast.backend.options(state.values) == plain.backend.options(state.values)
        wrong = actions[-1]
        assert fast.explain(state, wrong) == plain.explain(state, wrong)
        step = fast.step(state, action)
        assert step == plain.step(state, action)
        state = step.state
        assert fast.is_over(state) == plain.is_over(state) and fast.score(state) == plain.score(state)
