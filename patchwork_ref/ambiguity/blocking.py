"""How few patches on a quilt leave some other patch without a placement? Exact, by branching on a placement still open."""

from __future__ import annotations

from patchwork_ref.machine.model import Machine, Patch
from patchwork_ref.polyomino import placements


def fewest_blockers(machine: Machine) -> int:
    """The least number of patches after which one of the others fits nowhere; overlaps among the blockers are allowed, which
    can only make it smaller."""
    flips = bool(machine.constants["flips"].value)
    laid = {p.name: placements(p.shape, machine.board, flips) for p in machine.regular}
    targets = [_hits(machine, patch, laid) for patch in sorted(machine.regular, key=lambda p: len(laid[p.name]))]
    number = 1
    while not any(_covered(whole, sorted(hits, key=int.bit_count, reverse=True), number) for whole, hits in targets):
        number += 1
    return number


def _hits(machine: Machine, target: Patch, laid: dict[str, tuple[int, ...]]) -> tuple[int, list[int]]:
    """All placements of a patch as bits, and for each placement of the others (without those that do less) which it forbids."""
    spots = laid[target.name]
    by_cell = [sum(1 << i for i, spot in enumerate(spots) if spot >> cell & 1) for cell in range(machine.board.cells)]
    found = set()
    for name, masks in laid.items():
        if name != target.name:
            for mask in masks:
                hit = 0
                while mask:
                    low = mask & -mask
                    hit |= by_cell[low.bit_length() - 1]
                    mask ^= low
                found.add(hit)
    return (1 << len(spots)) - 1, list(found)


def _covered(open_: int, hits: list[int], number: int) -> bool:
    """Whether so many of ``hits`` (the largest first) forbid all that is open."""
    if not open_:
        return True
    if number == 0 or open_.bit_count() > number * hits[0].bit_count():
        return False
    gains = [(hit, (hit & open_).bit_count()) for hit in hits]
    most = max(gain for _, gain in gains)
    if number * most < open_.bit_count():
        return False
    if number == 1:
        return True
    branch = open_ & -open_
    return any(_covered(open_ & ~hit, hits, number - 1) for hit, gain in gains if hit & branch and (number - 1) * most + gain >= open_.bit_count())
