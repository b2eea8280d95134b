"""How fast are random games? ``python benchmarks/hypothesis.py [--quick]`` prints a table of Markdown.

Measured: games per second of the default strategy, of a draw for each action, and of the state machine (which compares
and checks properties as well: switched off here), each with the number of actions; the shortest counterexample that each
finds to one false claim; and one `mutate` run's time against the number of mutants and fixtures.
"""

from __future__ import annotations

import contextlib
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

sys.path = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).parent]  # this file has the library's name


from hypothesis import HealthCheck, Phase, find, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test  # noqa: E402

from patchwork_ref.fixtures import read_fixtures, shipped  # noqa: E402
from patchwork_ref.machine.setup import Setup, shuffled  # noqa: E402
from patchwork_ref.rulebook.rulebook import load_rulebook  # noqa: E402
from patchwork_ref.strategies import default_engine, games  # noqa: E402
from patchwork_ref.strategies.machine import play_one  # noqa: E402
from patchwork_ref.suite import cases_of, measure, sampled  # noqa: E402

ENGINE = default_engine()
QUIET = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True)
TABLE = Setup(("Q", *(p.name for p in ENGINE.machine.regular if p.name != "Q")), 0, 0)


def one_strategy(number: int) -> tuple[int, int]:
    played = [0, 0]

    @settings(QUIET, max_examples=number, phases=[Phase.generate])
    @given(games(whole=True))
    def run(game: object) -> None:
        played[0] += 1
        played[1] += len(game.actions)  # type: ignore[attr-defined]

    run()
    return played[0], played[1]


def one_draw_for_each_action(number: int) -> tuple[int, int]:
    played = [0, 0]

    @settings(QUIET, max_examples=number, phases=[Phase.generate])
    @given(st.randoms(use_true_random=False), st.integers(0, 1000))
    def run(source: object, seed: int) -> None:
        state = ENGINE.start(shuffled(ENGINE.machine, seed))
        while not ENGINE.is_over(state):
            _, state = play_one(ENGINE, state, source)
            played[1] += 1
        played[0] += 1

    run()
    return played[0], played[1]


class Bare(RuleBasedStateMachine):
    """One game a run, one action a step: nothing is compared."""

    played = (0, 0)
    shortest: int | None = None

    def __init__(self) -> None:
        super().__init__()
        self.state = ENGINE.start(TABLE)
        self.actions = 0

    @rule(source=st.randoms(use_true_random=False))
    def act(self, source: object) -> None:
        if not ENGINE.is_over(self.state):
            action, self.state = play_one(ENGINE, self.state, source)
            self.actions += 1
            if self.claim and action.patch is not None and len(action.cells or ()) >= 5:
                type(self).shortest = self.actions
                raise AssertionError

    claim = False

    def teardown(self) -> None:
        if ENGINE.is_over(self.state):
            games_played, actions = Bare.played
            Bare.played = games_played + 1, actions + self.actions


def state_machine(number: int) -> tuple[int, int]:
    Bare.played = (0, 0)
    run_state_machine_as_test(Bare, settings=settings(QUIET, max_examples=number, stateful_step_count=80, phases=[Phase.generate]))
    return Bare.played


def timed(name: str, run: Callable[[int], tuple[int, int]], number: int) -> tuple[str, float, float]:
    run(5)
    begun = time.perf_counter()
    games_played, actions = run(number)
    seconds = time.perf_counter() - begun
    return name, games_played / seconds, actions / max(games_played, 1)


def shortest_by_strategy() -> int:
    found = find(games(setup=TABLE), lambda game: any(a.patch is not None and len(a.cells or ()) >= 5 for a in game.actions), settings=settings(QUIET, max_examples=400))
    return len(found.actions)


class Claiming(Bare):
    claim = True


def shortest_by_machine() -> int | None:
    with contextlib.suppress(AssertionError):
        run_state_machine_as_test(Claiming, settings=settings(QUIET, max_examples=100, stateful_step_count=40))
    return Claiming.shortest


def main() -> None:
    warnings.simplefilter("ignore")
    number = 60 if "--quick" in sys.argv else 400
    print("| games from | games/s | actions a game | shortest counterexample |\n|---|---|---|---|")
    rows = [timed("`games()`", one_strategy, number), timed("one draw for each action", one_draw_for_each_action, number)]
    rows.append(timed("state machine", state_machine, max(number // 4, 10)))
    shortest = (shortest_by_strategy(), "", shortest_by_machine())
    for (name, rate, actions), least in zip(rows, shortest, strict=True):
        print(f"| {name} | {rate:.0f} | {actions:.0f} | {least} |")
    print(f"\n`games()` is {rows[0][1] / rows[2][1]:.1f} times as fast as the state machine.\n")
    book = load_rulebook()
    cases = [case for case in cases_of(read_fixtures(shipped()), book) if case.required]
    print("| mutants | fixtures | seconds | killed |\n|---|---|---|---|")
    for share, part in ((40, 4), (40, 1), (20, 4), (20, 1)) if number > 100 else ((60, 4),):
        names = sampled(book, share)
        matrix = measure(book, cases[::part], names)
        print(f"| {len(names)} | {len(cases[::part])} | {matrix.seconds:.1f} | {len(matrix.of('killed'))} |")


if __name__ == "__main__":
    main()
