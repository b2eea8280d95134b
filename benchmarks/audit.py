"""How many recorded games a second one core audits: `python benchmarks/audit.py [--games N] [--all-cores]`.

Plays complete games at random under the published rulebook, writes them in the student notation with winner and scores,
and audits the file on one core: judged by its own ruleset alone (the figure that is promised), and with every ruleset
beside it, where each game is replayed under all Machines that differ. Ends with status 1 below the promised figure.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from patchwork_ref.engine import Engine
from patchwork_ref.engine.policies import played, policy
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.play import Trace
from patchwork_ref.machine.setup import shuffled
from patchwork_ref.notation import AuditReport, Claims, Game, NoGame, audit_file
from patchwork_ref.notation.export import Exporter
from patchwork_ref.rulebook.rulebook import load_rulebook

PROMISED = 1500
"""Games a second on one core, for one ruleset."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000, help="games in the file; 500 different ones, again and again")
    parser.add_argument("--all-cores", action="store_true", help="also with a process for each core")
    options = parser.parse_args()
    rulebook = load_rulebook()
    readings = rulebook.readings()
    ruleset = from_rulebook(rulebook, readings).ruleset or ""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.csv"
        actions = write(path, options.games, ruleset)
        print(f"{options.games} complete games, {actions:.1f} actions each, {path.stat().st_size / 1e6:.1f} MB")
        speed = measured(f"{ruleset} alone, one core", lambda: audit_file(path, rulebook, readings, workers=1, rulesets=[ruleset]))
        measured("all rulesets, one core", lambda: audit_file(path, rulebook, readings, workers=1))
        if options.all_cores:
            measured("all rulesets, all cores", lambda: audit_file(path, rulebook, readings))
    print(f"largest memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 0 if speed >= PROMISED else 1


def write(path: Path, games: int, ruleset: str) -> float:
    """Writes the file; returns the actions of a game on average."""
    rulebook = load_rulebook()
    machine = from_rulebook(rulebook, None, ruleset)
    engine, exporter = Engine(machine), Exporter(rulebook, machine.readings, "student-csv")
    lines, actions = [], 0
    for seed in range(min(games, 500)):
        setup = shuffled(machine, seed, first_player=0)
        made, state, _ = played(engine, setup, policy("mixed" if seed % 2 else "random"), random.Random(seed))
        score = engine.score(state)
        trace = Trace(ruleset, machine.readings, setup, made, score.totals, score.winner)
        actions += len(made)
        try:
            lines.append(exporter.line(Game(1, trace, Claims(score.totals, score.winner, True))))
        except NoGame as error:
            raise SystemExit(f"seed {seed}: {error}") from None
    with path.open("w", encoding="utf-8") as file:
        for number in range(games):
            file.write(lines[number % len(lines)] + "\n")
    return actions / len(lines)


def processor_time() -> float:
    """Seconds of this process and of the workers that have ended."""
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def measured(what: str, run: Callable[[], AuditReport]) -> float:
    """Games a second of processor time: what a core can do, also on a busy machine."""
    start, spent = time.perf_counter(), processor_time()
    report = run()
    seconds, spent = time.perf_counter() - start, processor_time() - spent
    if not report.clean or report.legal != report.games:
        raise SystemExit(f"{what}: our own games are not clean: {report.to_json()}")
    print(f"{what:26} {report.games / seconds:7.0f} games/s by the clock ({seconds:.1f} s), {report.games / spent:7.0f} a second of processor time; "
          f"consistent with {', '.join(report.consistent_rulesets)}")
    return report.games / spent


if __name__ == "__main__":
    sys.exit(main())
