"""Finds the quilts of ``quilts.json``: ``python -m patchwork_ref.ambiguity.quilting`` (``make quilts``; some minutes).

That hardly any patches are left takes two quilts that are nearly full, all but two patches bought, in nearly all the time
there is. Where a new patch does not count for the income of its own move, the quilts of the records cannot be paid for. So
patches are exchanged between the players, and another one is left for the end, until a schedule is found.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from patchwork_ref.ambiguity.plans import LONGEST, OFFER, games
from patchwork_ref.ambiguity.profiles import Profiles
from patchwork_ref.ambiguity.resewn import QUILTS, Quilts, quilts_json, read_quilts, sewn_whole
from patchwork_ref.fixtures.read import shipped
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.rulebook import load_rulebook

BESIDE = {"purchase-order": ("move-then-place",), "marker-trigger": ("onto-or-past", "strictly-past"), "shared-space": ("top-moves", "bottom-moves"),
          "special-spaces": ("revised", "original"), "full-quilt-special": ("lost", "stays")}
"""The readings beside which the quilts of the records do not do."""
TURNS = {"turning": "turns-only"}
EXCHANGED = 6
"""Pairs of patches that change places, at most."""
PATIENCE = 25.0
"""Seconds for the schedules of one pair of quilts."""


def exchanged(machine: Machine, known: Quilts, source: random.Random) -> Quilts | None:
    """Other quilts of the same patches: some have changed places with those of the other player, and one with a long time is
    bought last. None where they do not fit or take more time than there is."""
    last = machine.constants["last_space"].value
    size = {p.name: len(p.shape) for p in machine.regular}
    times = {p.name: p.numbers["time"] for p in machine.regular}
    sides = [{name for who, name in known.plan if who == seat} for seat in (0, 1)]
    for _ in range(source.randrange(EXCHANGED)):
        one, other = source.choice(sorted(sides[0])), source.choice(sorted(sides[1]))
        if abs(size[one] - size[other]) <= 1:
            sides = [sides[0] - {one} | {other}, sides[1] - {other} | {one}]
    ranked = sorted(sides[0] | sides[1], key=lambda name: (-times[name], name))
    closing = ranked[min(source.randrange(len(ranked)), source.randrange(len(ranked)))]
    plan, holes = dict[tuple[int, str], int](), dict[int, int]()
    for who, names in enumerate(sides):
        over = 0 if closing in names else max(times[name] for name in names)
        if sum(size[name] for name in names) > machine.board.cells or sum(times[name] for name in names) - over >= last:  # type: ignore[operator]
            return None
        found = sewn_whole(machine, names, source)
        if found is None:
            return None
        holes[who] = found[1]
        plan |= {(who, name): mask for name, mask in found[0].items()}
    return Quilts(plan, holes, known.actions, frozenset((closing,)))


def found(profiles: Profiles, beside: Mapping[str, str], stock: Sequence[Quilts], source: random.Random, seconds: float) -> Quilts | None:
    """Quilts that a schedule follows beside these readings: of the stock, or exchanged."""
    base = profiles.rulebook.readings()
    engine, turning = profiles.engine({**base, **beside}), profiles.engine({**base, **beside, **TURNS})
    assert engine is not None and turning is not None
    end = time.process_time() + seconds

    def tried() -> Iterator[Quilts]:
        yield from stock
        while time.process_time() < end:
            other = exchanged(turning.machine, source.choice(stock), source)
            if other is not None:
                yield other

    for known in tried():
        if next(games(turning, (engine, engine), OFFER, known, True, time.process_time() + PATIENCE, source, most=LONGEST), None) is not None:
            return known
    return None


def main() -> None:
    """Writes the file beside the shipped fixtures; what is there and does is kept."""
    profiles, source = Profiles(load_rulebook()), random.Random(0)
    stock = [*read_quilts().get(OFFER, ()), *profiles.plans().of(OFFER, ())]
    kept: list[Quilts] = []
    for chosen in product(*BESIDE.values()):
        beside = dict(zip(BESIDE, chosen, strict=True))
        quilts = found(profiles, beside, [*kept, *stock], source, 20 * 60)
        sys.stderr.write(f"{', '.join(beside.values())}: {'found' if quilts is not None else 'not found'}\n")
        if quilts is not None and quilts not in kept:
            kept.append(quilts)
    Path(shipped() / QUILTS).write_text(json.dumps({OFFER: [quilts_json(quilts) for quilts in kept]}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
