"""How fast is the engine that is made from the rulebook?

Compared in one run, on the same random set-ups with the same choices: a loop written by hand over the same row tables,
the compiled engine's fast path, the same with firing records, and the interpreter. Read the ratios. Also the start of
the command line against ``python -c pass``.

    python benchmarks/engine.py [games]
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import patchwork_ref as pr
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.playout import Playouts
from patchwork_ref.engine.policies import nth_bit
from patchwork_ref.engine.tables import table
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.setup import Setup
from patchwork_ref.polyomino import squares

ROUNDS = 5


def by_hand(machine: Machine) -> Callable[[Setup, random.Random], int]:
    """The default rules as one function with everything in local variables; what the compiled engine is measured by."""
    patches = {p.name: i for i, p in enumerate(machine.patches)}
    cost, time_, income = ([p.numbers[n] for p in machine.patches] for n in ("cost", "time", "income"))
    tables = [table(p.shape, machine.board, True) for p in machine.patches]
    rows, masks = [t.rows for t in tables], [t.masks for t in tables]
    single = patches["special"]
    windows = squares(machine.board, 7)
    marks = (5, 11, 17, 23, 29, 35, 41, 47)

    def legal(patch: int, quilt: int) -> int:
        r = rows[patch]
        return (r[0][quilt & 511] & r[1][quilt >> 9 & 511] & r[2][quilt >> 18 & 511] & r[3][quilt >> 27 & 511] & r[4][quilt >> 36 & 511]
                & r[5][quilt >> 45 & 511] & r[6][quilt >> 54 & 511] & r[7][quilt >> 63 & 511] & r[8][quilt >> 72 & 511])

    def game(setup: Setup, source: random.Random) -> int:
        circle = [patches[p] for p in setup.circle]
        at = circle.index(patches["A"]) + 1
        circle = circle[at:] + circle[:at]
        me, actions = setup.first_player, 0
        buttons, space, quilt, earned = [5, 5], [0, 0], [0, 0], [0, 0]
        specials, tile, pending = [26, 32, 38, 44, 50], None, 0
        randrange = source.randrange
        while pending or space[0] < 53 or space[1] < 53:
            actions += 1
            mine = quilt[me]
            if pending:
                free = legal(single, mine)
                quilt[me] = mine = mine | masks[single][nth_bit(free, randrange(free.bit_count()))]
                pending -= 1
                if tile is None and mine.bit_count() >= 49 and any(mine & w == w for w in windows):
                    tile = me
                if pending and mine.bit_count() == 81:
                    pending = 0
            else:
                total, offer = 1, []
                for patch in circle[:3]:
                    if cost[patch] <= buttons[me]:
                        free = legal(patch, mine)
                        if free:
                            count = free.bit_count()
                            total += count
                            offer.append((patch, free, count))
                pick = randrange(total)
                before = space[me]
                if pick == 0:
                    after = min(space[1 - me] + 1, 53)
                    buttons[me] += after - before
                else:
                    pick -= 1
                    for patch, free, count in offer:
                        if pick < count:
                            break
                        pick -= count
                    i = circle.index(patch)
                    circle = circle[i + 1 :] + circle[:i]
                    buttons[me] -= cost[patch]
                    quilt[me] = mine = mine | masks[patch][nth_bit(free, pick)]
                    earned[me] += income[patch]
                    if tile is None and mine.bit_count() >= 49 and any(mine & w == w for w in windows):
                        tile = me
                    after = min(before + time_[patch], 53)
                space[me] = after
                for mark in marks:
                    if before < mark <= after:
                        buttons[me] += earned[me]
                for mark in specials:
                    if before < mark <= after:
                        specials = [s for s in specials if s != mark]
                        pending += 1
                if pending and mine.bit_count() == 81:
                    pending = 0
                if before < 53 == after:
                    buttons[me] += earned[me]
            if not pending and space[me] > space[1 - me]:
                me = 1 - me
        return actions

    return game


def timed(play: Callable[[Setup, random.Random], int], setups: list[Setup]) -> tuple[float, int]:
    """Seconds, and actions played."""
    source, start = random.Random(1), time.perf_counter()
    actions = sum(play(setup, source) for setup in setups)
    return time.perf_counter() - start, actions


def ways(engine: Engine) -> dict[str, Callable[[Setup, random.Random], int]]:
    playouts, slow = Playouts(engine), Engine(engine.machine, backend="interpreted")

    def fast(setup: Setup, source: random.Random) -> int:
        return playouts.game(playouts.start(setup), source)[1]

    def recorded(setup: Setup, source: random.Random) -> int:
        backend, state, number = engine.backend, engine.start(setup).values, 0
        while options := backend.options(state):
            pick = source.randrange(sum(o[3].bit_count() for o in options))
            for form, patch, found, held in options:
                if pick < held.bit_count():
                    break
                pick -= held.bit_count()
            state = backend.record(form, state, patch, found.masks[nth_bit(held, pick)] if found is not None else None)[0]
            number += 1
        return number

    def interpreted(setup: Setup, source: random.Random) -> int:
        """The step alone is interpreted; listing every placement that way would measure only the listing."""
        backend, state, number = engine.backend, engine.start(setup).values, 0
        while options := backend.options(state):
            pick = source.randrange(sum(o[3].bit_count() for o in options))
            for form, patch, found, held in options:
                if pick < held.bit_count():
                    break
                pick -= held.bit_count()
            state = slow.backend.run(form, state, patch, found.masks[nth_bit(held, pick)] if found is not None else None)
            number += 1
        return number

    return {"by hand": by_hand(engine.machine), "compiled, fast path": fast, "compiled, with records": recorded, "interpreted steps": interpreted}


def startup() -> list[tuple[str, float]]:
    """Median seconds of whole processes."""
    found = []
    for name, command in (("python -c pass", [sys.executable, "-c", "pass"]), ("patchwork-ref --help", [sys.executable, "-m", "patchwork_ref", "--help"])):
        times = []
        for _ in range(9):
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times.append(time.perf_counter() - start)
        found.append((name, statistics.median(times)))
    return found


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    engine = Engine(pr.from_rulebook(pr.load_rulebook()))
    setups = [pr.shuffled(engine.machine, seed) for seed in range(games)]
    players = ways(engine)
    for play in players.values():
        timed(play, setups[:20])  # builds the tables
    rates: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(ROUNDS):
        for name, play in players.items():
            some = setups if name != "interpreted steps" else setups[: max(10, games // 10)]
            seconds, _ = timed(play, some)
            rates[name].append(len(some) / seconds)
    base = statistics.median(rates["by hand"])
    print(f"{'engine':<26}{'games/s':>10}{'time, by hand = 1':>20}")
    for name, found in rates.items():
        rate = statistics.median(found)
        print(f"{name:<26}{rate:>10,.0f}{base / rate:>20.2f}")
    print()
    (_, plain), (_, ours) = startup()
    print(f"patchwork-ref --help takes {ours / plain:.1f} times as long as python -c pass ({ours * 1000:.0f} ms, {plain * 1000:.0f} ms)")


if __name__ == "__main__":
    main()
