"""How much time does checking add to what the engine itself uses? And how long does shrinking take?

    python benchmarks/conformance.py [--engine "python3 engines/python/engine.py"] [--times 5] [--shrink-seconds 10] [--only cost|shrink]

Cost: ``check`` as one types it, in a process of its own, tier by tier. The kernel says how much processor time that process
used from its start to its end (loading, rulebook, fixtures, judging, report) and how much the engine that it started did. Wall
time beside it. The median of some runs; both from the same runs, so that their ratio means something on a busy machine too.

Shrinking: planted faults, from a random game of forty or more actions to the shrunk one, with the shortest game known.
Stored games are not used: each game is made short by what the engine answers and what the reference knows.
"""

from __future__ import annotations

import argparse
import random
import shlex
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.pop(0)  # this folder, in which ``hypothesis`` is a benchmark

from patchwork_ref.conformance.blame import Spectrum, suspects
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import course
from patchwork_ref.conformance.judge import judge
from patchwork_ref.conformance.shrink import shrink
from patchwork_ref.conformance.targets import Command
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.policies import POLICIES, played
from patchwork_ref.fixtures.model import TIERS
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.setup import Setup, shuffled
from patchwork_ref.rulebook.rulebook import load_rulebook

ROOT = Path(__file__).parents[1]
ENGINE = shlex.join([sys.executable, str(ROOT / "engines" / "python" / "engine.py")])
PLANTED = (  # several are long in coming: give them time with --shrink-seconds
    "income-pays-once", "no-final-income", "unclamped-advance", "special-to-rival", "advance-earns-no-special", "purchase-pays-no-income", "no-flips", "mistyped-patch",
    "token-stays", "rival-moves-on-shared-space", "tile-needs-81", "tie-is-draw",
)
SHORTEST = {  # actions of the shortest game known; how each is known stands in tests/conformance/test_shrink.py
    "income-pays-once": 4, "no-final-income": 24, "unclamped-advance": 26, "special-to-rival": 9, "advance-earns-no-special": 9, "purchase-pays-no-income": 1, "no-flips": 1,
    "mistyped-patch": 1, "token-stays": 1, "rival-moves-on-shared-space": 2, "tile-needs-81": 20, "tie-is-draw": 29,
}


MEASURE = """
import resource, sys, time
started = time.perf_counter()
from patchwork_ref.cli.main import run
code = run(sys.argv[1:])
own, engine = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(code, own.ru_utime + own.ru_stime, engine.ru_utime + engine.ru_stime, file=sys.stderr)
"""


def cost(engine: str, tier: str) -> tuple[float, float, float]:
    """Seconds of one check: our process, the engine's, and the wall."""
    started = time.perf_counter()
    command = [sys.executable, "-c", MEASURE, "check", engine, "--tier", tier, "--quiet", "--format", "json"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    code, own, used = done.stderr.splitlines()[-1].split()
    assert code == "0", f"the engine does not conform: exit code {code}"
    return float(own), float(used), time.perf_counter() - started


def costs(engine: str, times: int) -> None:
    for tier in TIERS:
        runs = [cost(engine, tier) for _ in range(times)]
        own, used, wall = (median(run[at] for run in runs) for at in range(3))
        ratio = median(run[0] / run[1] for run in runs)
        print(f"{tier:6} harness {own:.2f} s, engine {used:.2f} s of processor time: {ratio:.2f} of the engine's; wall {wall:.2f} s")


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


def shrinking(seconds: float) -> None:
    rulebook = load_rulebook()
    for name in PLANTED:
        target = f"{ENGINE} --fault {name}"
        found = long_failure(target)
        if found is None:
            print(f"{name}: no random game shows it")
            continue
        case, verdict = found
        blame = suspects(verdict, case, rulebook, Spectrum())[0]
        shrunk = shrink(target, case, verdict, blame, rulebook, seconds)
        assert shrunk is not None
        print(f"{name}: {shrunk.before} actions, first difference at {verdict.action}, shrunk to {shrunk.actions} (shortest known {SHORTEST[name]}) "
              f"in {shrunk.seconds:.1f} s, {shrunk.asked} games asked")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=ENGINE)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--shrink-seconds", type=float, default=10.0)
    parser.add_argument("--only", choices=["cost", "shrink"])
    chosen = parser.parse_args()
    if chosen.only != "shrink":
        costs(chosen.engine, chosen.times)
    if chosen.only != "cost":
        shrinking(chosen.shrink_seconds)


if __name__ == "__main__":
    main()
