"""Finds what ``beside.json`` keeps: ``python -m patchwork_ref.ambiguity.quilting`` (``make beside``; some minutes).

That hardly any patches are left takes two quilts that are nearly full, all but two patches bought, in nearly all the time
there is. Where a new patch does not count for the income of its own move, the quilts of the records cannot be paid for. So
patches are exchanged between the players, and another one is left for the end, until a schedule is found.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from patchwork_ref.ambiguity.beside import FILE, Beside, read_beside, write_beside
from patchwork_ref.ambiguity.games import Game, parting
from patchwork_ref.ambiguity.plans import LONGEST, OFFER, games, next_apart
from patchwork_ref.ambiguity.profiles import Profiles
from patchwork_ref.ambiguity.resewn import Quilts, resewn, sewn_whole
from patchwork_ref.fixtures.read import shipped
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.rulebook import load_rulebook

BESIDE = {"purchase-order": ("place-then-move", "move-then-place"), "marker-trigger": ("onto-or-past", "strictly-past"), "shared-space": ("top-moves", "bottom-moves"),
          "special-spaces": ("revised", "original"), "full-quilt-special": ("lost", "stays"), "special-patch-timing": ("at-once", "kept"),
          "unplaceable-patch": ("illegal", "discarded")}
"""The readings that decide whether a schedule can be followed."""
POOR = {"final-income": "not-paid", "special-tile": "absent", "turning": "turns-only"}
"""Beside these there is least: what can be paid and laid here can be beside others."""
TILES = ("special-tile", "first-player", "each-player")
"""The readings that two filled squares show."""
EXCHANGED = 6
"""Pairs of patches that change places, at most."""
MINUTES = 10
"""Of search for one game."""
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


def found(profiles: Profiles, beside: Mapping[str, str], stock: Sequence[Quilts], source: random.Random, seconds: float) -> tuple[Game, Quilts] | None:
    """A game on which the readings of the offer part beside these, with its quilts: of the stock, or exchanged."""
    base = {**profiles.rulebook.readings(), **POOR, **beside}
    a, b = (profiles.engine({**base, OFFER: reading}) for reading in profiles.rulebook.ambiguities[OFFER].readings)
    assert a is not None and b is not None
    end = time.process_time() + seconds

    def tried() -> Iterator[Quilts]:
        yield from stock
        while time.process_time() < end:
            other = exchanged(a.machine, source.choice(stock), source)
            if other is not None:
                yield other

    for known in tried():
        for laid in games(a, (a, a), OFFER, known, True, time.process_time() + PATIENCE, source, most=LONGEST):
            game = (laid[0], laid[1] + next_apart(a, b, laid))
            if parting(a, b, *game) is not None:
                return game, known
    return None


def squares(profiles: Profiles, known: Sequence[Game], beside: Mapping[str, str]) -> Game | None:
    """A game on which it shows whether a second player may win a tile, where none of the known ones shows it beside these readings."""
    base = {**profiles.rulebook.readings(), **POOR, **beside, **dict([TILES[:2]])}
    a, b = profiles.engine(base), profiles.engine({**base, TILES[0]: TILES[2]})
    assert a is not None and b is not None
    if any(parting(a, b, *game) is not None for game in known):
        return None
    return profiles.sought(base, TILES[0], TILES[2], MINUTES * 60)


def main() -> None:
    """Writes the file beside the shipped fixtures; what is there and does is kept."""
    profiles, source, stored = Profiles(load_rulebook()), random.Random(0), read_beside()
    turning = profiles.engine({**profiles.rulebook.readings(), **POOR})
    assert turning is not None
    stock = [sewn for quilts in profiles.plans().of(OFFER, ()) if (sewn := resewn(turning.machine, quilts, source, PATIENCE)) is not None]
    kept, used, tiles = list(stored.games.get(OFFER, ())), list(stored.quilts.get(OFFER, ())), list(stored.games.get(TILES[0], ()))
    for chosen in product(*BESIDE.values()):
        beside = dict(zip(BESIDE, chosen, strict=True))
        game = squares(profiles, tiles, beside)
        tiles += [game] if game is not None else []
        base = {**profiles.rulebook.readings(), **POOR, **beside}
        a, b = (profiles.engine({**base, OFFER: reading}) for reading in profiles.rulebook.ambiguities[OFFER].readings)
        if a is not None and b is not None and any(parting(a, b, *game) is not None for game in kept):
            continue
        more = found(profiles, beside, [*used, *stock], source, MINUTES * 60)
        sys.stderr.write(f"{', '.join(beside.values())}: {'found' if more is not None else 'not found'}\n")
        if more is not None:
            kept.append(more[0])
            used += [more[1]] if more[1] not in used else []
    write_beside(Beside({OFFER: tuple(kept), TILES[0]: tuple(tiles)}, {OFFER: tuple(used)}), shipped() / FILE)


if __name__ == "__main__":
    main()
