"""Methods for "can a filled square still be had" on ordinary and on area-tight states, side by side in one run.

    python benchmarks/solvers.py [--states 60] [--tight 20] [--seconds 10]

Reads the patches and the board from the rulebook's components. Every method is asked the same questions; the ratios
are to the tree search. A verdict that differs from another method's ends the run with exit code 1.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import yaml

from patchwork_ref.polyomino import Board, shape_from_picture
from patchwork_ref.tiling import z3_route
from patchwork_ref.tiling.answers import Impossible
from patchwork_ref.tiling.checker import verify
from patchwork_ref.tiling.fits import METHODS, fits
from patchwork_ref.tiling.question import Piece, Question
from patchwork_ref.tiling.samples import midgame, tight
from patchwork_ref.tiling.search import Limits, search

COMPONENTS = Path(__file__).parents[1] / "spec" / "patchwork" / "1-components.yaml"


def load() -> tuple[dict[str, Piece], Board]:
    """The patches in the rulebook's order, and the quilt board."""
    drawn = yaml.safe_load(COMPONENTS.read_text(encoding="utf-8"))
    library = {
        name: Piece(shape_from_picture(entry["picture"]), entry["cost"], entry["time"], entry["income"])
        for name, entry in drawn["patches"].items()
    }
    return library, Board(drawn["quilt_board"]["rows"], drawn["quilt_board"]["columns"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=60)
    parser.add_argument("--tight", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    library, board = load()
    side = 7
    fitting(library, board)
    ordinary = [midgame(library, board, side, rng, rng.randint(6, 22)) for rng in map(Random, range(options.states))]
    close = [tight(library, board, side, Random(seed), seed % 3) for seed in range(options.tight)]
    search(Question(board, 0, side, tuple(library.items())))  # the tables are built once in a process, and not timed
    agreed = compare("ordinary mid-game states", ordinary, options.seconds)
    agreed &= compare("area-tight states (patches = smallest hole + 0 to 2 cells)", close, options.seconds)
    return 0 if agreed else 1


def fitting(library: dict[str, Piece], board: Board) -> None:
    """The three ways of asking whether a patch fits, on the same quilts."""
    rng = Random(0)
    cases = [(piece.shape, sum(1 << c for c in range(board.cells) if rng.random() < 0.4)) for piece in list(library.values())[::4]]
    print("does a patch fit: all placements on a quilt, milliseconds (median)")
    for method in METHODS:
        fits_by = partial(fits, board=board, flips=True, method=method)
        if method == "table":
            for shape, quilt in cases:
                fits_by(shape, quilt=quilt)
        print(f"  {method:12} {1000 * statistics.median(timed(partial(fits_by, shape, quilt=quilt)) for shape, quilt in cases):10.4f}")


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def compare(title: str, questions: list[Question], seconds: float) -> bool:
    """Prints one table; whether no two methods that finished contradict each other."""
    limits = Limits(seconds=seconds)
    methods: dict[str, Callable[[Question], str]] = {
        "tree search with certificate": lambda q: search(q, limits).verdict,
        "tree search, brief certificate": lambda q: search(q, Limits(seconds=seconds, brief=True)).verdict,
        "Z3, QF_FD, DIMACS text per window": lambda q: z3_route.decide(q, seconds).verdict,
    }
    print(f"\n{title}: {len(questions)}")
    print(f"  {'method':36}{'decided':>8}{'median ms':>11}{'p95 ms':>9}{'possible':>10}{'imposs.':>9}{'ratio':>8}")
    verdicts: list[set[str]] = [set() for _ in questions]
    base = 0.0
    for name, method in methods.items():
        times: dict[str, list[float]] = {"possible": [], "impossible": [], "unknown": []}
        for question, said in zip(questions, verdicts, strict=True):
            start = time.perf_counter()
            verdict = method(question)
            times[verdict].append(1000 * (time.perf_counter() - start))
            if verdict != "unknown":
                said.add(verdict)
        every = sorted(took for values in times.values() for took in values)
        median = statistics.median(every)
        base = base or median
        of = {verdict: f"{statistics.median(values):.2f}" if values else "-" for verdict, values in times.items()}
        decided = len(every) - len(times["unknown"])
        p95 = every[int(0.95 * (len(every) - 1))]
        print(f"  {name:36}{decided:>8}{median:>11.2f}{p95:>9.1f}{of['possible']:>10}{of['impossible']:>9}{median / base:>8.1f}")
    certificates(questions, limits)
    if any(len(said) > 1 for said in verdicts):
        print("  CONTRADICTION between methods")
        return False
    return True


def certificates(questions: list[Question], limits: Limits) -> None:
    """The lengths of the trees, and what the checker needs for them."""
    numbers, checks = [], []
    for question in questions:
        answer = search(question, limits)
        if isinstance(answer, Impossible):
            text = json.dumps(answer.certificate())
            start = time.perf_counter()
            if verify(text) != (True, "impossible"):
                raise SystemExit("the checker refuses a certificate")
            checks.append(1000 * (time.perf_counter() - start))
            numbers.append(sum(map(len, answer.trees)))
    if numbers:
        print(f"  certificates: {len(numbers)}, numbers in the trees: median {statistics.median(numbers):g}, most {max(numbers)}; "
              f"checked in ms: median {statistics.median(checks):.1f}, most {max(checks):.0f}")


if __name__ == "__main__":
    sys.exit(main())
