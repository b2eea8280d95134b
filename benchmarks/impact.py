"""How many games a second `ambiguity impact` plays under two readings: `python benchmarks/impact.py [--games N] [ID ...]`.

Plays the default policies on one core in this process, and tells for each pair of readings the games a second, each
of them played under both readings, and the seconds that the default number of games would take on two cores. Ends with status
1 when an ambiguity would take longer than promised.
"""

from __future__ import annotations

import argparse
import sys
import time

from patchwork_ref.ambiguity import Laboratory
from patchwork_ref.ambiguity.impact import DEFAULT_POLICIES, GAMES, measure, rows_of
from patchwork_ref.ambiguity.impact_store import contest_of
from patchwork_ref.fixtures import read_fixtures
from patchwork_ref.rulebook.rulebook import load_rulebook

PROMISED = 20
"""Seconds for one ambiguity with the default number of games, on two cores."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=25, help="games by each policy")
    parser.add_argument("names", nargs="*", metavar="ID", help="ambiguities; a frequent one, a rare one and one with three pairs when none is named")
    options = parser.parse_args()
    laboratory = Laboratory(load_rulebook(), read_fixtures())
    slow = False
    for name in options.names or ["purchase-order", "supply", "tile-check"]:
        contests = [contest_of(pair) for pair in laboratory.pairs(name)]
        measure(laboratory.rulebook, laboratory.base, contests, 1, 1, workers=1)  # placement tables and generated code
        start = time.process_time()
        measure(laboratory.rulebook, laboratory.base, contests, options.games, 0, workers=1)
        seconds = time.process_time() - start
        games = options.games * sum(len(rows_of(contest, DEFAULT_POLICIES)) for contest in contests)
        whole = seconds / options.games * GAMES / 2
        slow |= whole > PROMISED
        print(f"{name:<20} {len(contests)} pairs: {games / seconds:5.0f} games a second and core, {whole:4.1f} s for {GAMES} games by each policy on two cores")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
