"""Do the compiled engine, the interpreter and the plain oracle play one game?"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

import patchwork_ref as pr
from patchwork_ref.engine.policies import POLICIES
from patchwork_ref.machine.codec import action_from_json, action_to_json
from patchwork_ref.machine.lint import choices
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.model import Rulebook

MachineOf = Callable[..., Machine]
RULESETS = ["revised", "original", "source-000", "source-002", "source-003", "source-004"]


def _name(readings: dict[str, str]) -> str:
    return "+".join(f"{a}={r}" for a, r in readings.items()) or "default"


def _choices() -> Iterator[object]:
    rulebook = pr.load_rulebook()
    default = {a.name: a.default for a in rulebook.ambiguities.values()}
    seen = set()
    for readings in choices(rulebook):
        changed = {a: r for a, r in readings.items() if default[a] != r}
        if _name(changed) not in seen:
            seen.add(_name(changed))
            yield pytest.param(changed, id=_name(changed))


def _same_game(fast: pr.Engine, slow: pr.Engine, setup: pr.Setup, policy: str, seed: int, listing: bool) -> None:
    source, choose = random.Random(seed), POLICIES[policy]
    state = fast.start(setup)
    assert slow.start(setup) == state
    while options := fast.backend.options(state.values):
        if listing:
            assert slow.legal(state) == fast.legal(state)
        option, bit = choose(fast, state, options, source)
        action = fast.action(option, bit)
        step = fast.step(state, action)
        assert slow.step(state, action) == step and fast.apply(state, action) == step.state
        assert slow.is_over(step.state) == fast.is_over(step.state) and slow.score(step.state) == fast.score(step.state)
        state = step.state
    assert fast.is_over(state) and slow.legal(state) == ()


@pytest.mark.parametrize("readings", list(_choices()))
def test_interpreter_and_compiled_engine_agree_under_every_reading(machine_of: MachineOf, readings: dict[str, str]) -> None:
    """Under each reading and ruleset both back ends give equal states, firing records, scores and legal actions."""
    machine = machine_of(**readings)
    fast, slow = pr.Engine(machine), pr.Engine(machine, backend="interpreted")
    for seed, policy in enumerate(("random", "square")):
        _same_game(fast, slow, pr.shuffled(machine, seed), policy, seed, listing=False)
    setup = pr.shuffled(machine, "listing")
    state, source = fast.start(setup), random.Random(3)
    for number in range(60):
        legal = fast.legal(state)
        if number % 12 == 0:
            assert slow.legal(state) == legal and slow.count(state) == fast.count(state) == len(legal)
        if not legal:
            break
        state = fast.apply(state, source.choice(legal))


@pytest.mark.parametrize("readings", list(_choices()))
def test_refusals_agree_and_complete_the_legal_actions(machine_of: MachineOf, readings: dict[str, str]) -> None:
    """Both back ends refuse the same actions by the same rule, and refuse exactly what they do not list."""
    machine = machine_of(**readings)
    fast, slow = pr.Engine(machine), pr.Engine(machine, backend="interpreted")
    source, state = random.Random(5), fast.start(pr.shuffled(machine, 5))
    others = [pr.Action("advance"), pr.Action("special", None, (40,)), pr.Action("special", None, (81,)), pr.Action("special", None, (3, 3)), pr.Action("buy", "A", (0, 1)),
              pr.Action("buy", "zz", (0,)), pr.Action("buy", "A", ()), pr.Action("buy", "A", (0, 2)), pr.Action("jump"), pr.Action("buy"), pr.Action("special")]
    for number in range(200):
        legal = fast.legal(state)
        if not legal:
            break
        if number % 4 == 0:
            known = set(legal)
            sample = [pr.Action("buy", p.name, a.cells) for p in machine.regular[::5] for a in source.sample(legal, min(6, len(legal))) if a.cells is not None]
            for action in [*others, *sample, *source.sample(legal, min(5, len(legal)))]:
                refusal = fast.explain(state, action)
                assert refusal == slow.explain(state, action), action
                assert (refusal is None) == (action in known), action
                if refusal is not None:
                    with pytest.raises(pr.IllegalAction) as raised:
                        fast.apply(state, action)
                    assert (raised.value.rule, raised.value.code) == (refusal.rule, refusal.code)
        state = fast.apply(state, source.choice(legal))


def _against_oracle(oracle: ModuleType, machine: Machine, setup: pr.Setup, policy: str, seed: int, every: int) -> int:
    """Plays one game on both; legal actions compared as sets every so many actions, states after each."""
    engine, source, choose = pr.Engine(machine), random.Random(seed), POLICIES[policy]
    state, plain = engine.start(setup), oracle.Game(pr.setup_message(machine, setup))
    number = 0
    while True:
        over = engine.is_over(state)
        assert plain.state() == pr.observed(machine, state, over)
        if number % every == 0:
            assert {action_from_json(a) for a in plain.legal()} == set(engine.legal(state))
        options = engine.backend.options(state.values)
        if not options:
            break
        action = engine.action(*choose(engine, state, options, source))
        state = engine.apply(state, action)
        plain.apply(action_to_json(action))
        number += 1
    score = engine.score(state)
    assert plain.score() == ([*score.totals], score.winner) or plain.score() == (score.totals, score.winner)
    return number


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_plain_oracle_agrees_under_every_ruleset(machine_of: MachineOf, oracle: ModuleType, ruleset: str) -> None:
    """Random and greedy games give the oracle's states after every action, its legal actions, scores and winner."""
    machine = machine_of(ruleset)
    actions = sum(_against_oracle(oracle, machine, pr.shuffled(machine, f"{ruleset} {seed}"), policy, seed, 5)
                  for seed in range(10) for policy in ("random", "random", "greedy", "square", "mixed"))
    assert actions > 1000


@pytest.mark.parametrize("readings", list(_choices()))
def test_the_plain_oracle_agrees_under_every_reading(machine_of: MachineOf, oracle: ModuleType, readings: dict[str, str]) -> None:
    """Under each single reading the oracle, which was written without the rulebook's YAML, plays the same games."""
    machine = machine_of(**readings)
    for seed in range(3):
        for policy in ("random", "frugal", "square"):
            _against_oracle(oracle, machine, pr.shuffled(machine, seed), policy, seed, 9)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_thousands_of_games_against_the_oracle(machine_of: MachineOf, oracle: ModuleType, ruleset: str) -> None:
    """Over a thousand games a ruleset, legal actions compared after every action, show no difference."""
    machine = machine_of(ruleset)
    for seed in range(250):
        for policy in ("random", "random", "mixed", "greedy"):
            _against_oracle(oracle, machine, pr.shuffled(machine, f"long {ruleset} {seed}"), policy, seed, 1)


def test_the_oracle_agrees_under_random_combinations_of_readings(machine_of: MachineOf, oracle: ModuleType, rulebook: Rulebook) -> None:
    """Sixty random combinations of readings build, and the oracle plays the same games under each."""
    source = random.Random(11)
    for number in range(60):
        readings = {a.name: source.choice(list(a.readings)) for a in rulebook.ambiguities.values()}
        machine = pr.from_rulebook(rulebook, readings)
        _against_oracle(oracle, machine, pr.shuffled(machine, number), source.choice(["random", "frugal", "greedy", "mixed"]), number, 15)
