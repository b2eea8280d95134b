"""How much time does checking add to what the engine itself uses? And how long does shrinking take?

    python benchmarks/conformance.py [--engine "python3 engines/python/engine.py"] [--tier full]

The engine alone: the very lines that a check sends, replayed through pipes with each reply read and thrown away. The
check: the same engine under ``conformance.run``. Both in one run on one machine, so that their ratio means something;
what the harness adds is the difference. Then ten planted faults: from a random game of forty or more actions to the
shrunk one, with the shortest game known.
"""

from __future__ import annotations

import argparse
import random
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from patchwork_ref.conformance.blame import Spectrum, suspects
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import course
from patchwork_ref.conformance.judge import judge
from patchwork_ref.conformance.run import run
from patchwork_ref.conformance.shrink import shrink
from patchwork_ref.conformance.suite import cases, chosen
from patchwork_ref.conformance.targets import Command
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.policies import POLICIES, played
from patchwork_ref.fixtures.read import read_fixtures
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.setup import Setup, shuffled
from patchwork_ref.rulebook.rulebook import load_rulebook

ROOT = Path(__file__).parents[1]
ENGINE = shlex.join([sys.executable, str(ROOT / "engines" / "python" / "engine.py")])
PLANTED = (
    "income-pays-once", "no-final-income", "unclamped-advance", "special-to-rival", "advance-earns-no-special", "purchase-pays-no-income", "no-flips", "mistyped-patch",
    "token-stays", "rival-moves-on-shared-space",
)
SHORTEST = {  # actions of the shortest game known; how each is known stands in tests/conformance/test_shrink.py
    "income-pays-once": 4, "no-final-income": 24, "unclamped-advance": 26, "special-to-rival": 9, "advance-earns-no-special": 9, "purchase-pays-no-income": 1, "no-flips": 1,
    "mistyped-patch": 1, "token-stays": 1, "rival-moves-on-shared-space": 2,
}


def recorded(target: str, tier: str) -> tuple[list[bytes], float, int]:
    """The lines that a check sends, its time, and the number of its cases."""
    rulebook = load_rulebook()
    machine = from_rulebook(rulebook)
    every = cases(chosen(read_fixtures(), tier), rulebook, machine)
    sent: list[bytes] = []
    note = Connection._note

    def noting(self: Connection, way: Any, line: bytes) -> None:
        if way == "sent":
            sent.append(line)
        note(self, way, line)

    started = time.perf_counter()
    run(target, target, every, rulebook, machine)
    first = time.perf_counter() - started
    Connection._note = noting  # type: ignore[method-assign]
    run(target, target, every, rulebook, machine)
    Connection._note = note  # type: ignore[method-assign]
    return sent, first, len(every)


def alone(target: str, lines: list[bytes]) -> float:
    """The engine's own time for these lines, its start included."""
    started = time.perf_counter()
    with subprocess.Popen(shlex.split(target), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        for line in lines:
            process.stdin.write(line)
            process.stdin.flush()
            process.stdout.readline()
    return time.perf_counter() - started


def long_failure(target: str) -> Any:
    """A random game of forty or more actions that fails late enough to be worth shrinking."""
    engine = Engine(from_rulebook(load_rulebook()))
    names = [*POLICIES]
    with Connection.open(Command(tuple(shlex.split(target)))) as connection:  # type: ignore[union-attr]
        best = None
        for seed in range(400):
            setup = shuffled(engine.machine, seed)
            told = Setup(setup.circle, engine.neutral_token(setup), setup.first_player)
            actions, _, _ = played(engine, told, POLICIES[names[seed % len(names)]], random.Random(seed))
            if len(actions) >= 40:
                case = course(f"random {seed}", engine, told, actions)
                verdict = judge(connection, case)
                if verdict.failed and (best is None or verdict.action > best[1].action):
                    best = (case, verdict)
                if best is not None and (best[1].action >= 10 or seed > 60):
                    return best
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", default=ENGINE)
    parser.add_argument("--tier", default="full")
    parser.add_argument("--shrink-seconds", type=float, default=10.0)
    chosen_options = parser.parse_args()
    lines, checked, number = recorded(chosen_options.engine, chosen_options.tier)
    by_itself = min(alone(chosen_options.engine, lines) for _ in range(2))
    print(f"tier {chosen_options.tier}: {number} cases, {len(lines)} requests")
    print(f"engine alone {by_itself:.2f} s, check {checked:.2f} s, harness adds {checked - by_itself:.2f} s = {(checked - by_itself) / by_itself:.2f} of the engine's time")
    rulebook = load_rulebook()
    for name in PLANTED:
        target = f"{ENGINE} --fault {name}"
        found = long_failure(target)
        if found is None:
            print(f"{name}: no random game shows it")
            continue
        case, verdict = found
        blame = suspects(verdict, case, rulebook, Spectrum())[0]
        shrunk = shrink(target, case, verdict, blame, rulebook, chosen_options.shrink_seconds)
        assert shrunk is not None
        print(f"{name}: {shrunk.before} actions, first difference at {verdict.action}, shrunk to {shrunk.actions} (shortest known {SHORTEST[name]}) "
              f"in {shrunk.seconds:.1f} s, {shrunk.asked} games asked")


if __name__ == "__main__":
    main()
