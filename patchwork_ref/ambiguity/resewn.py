"""The patches of a known quilt laid anew, for rules under which some of them may not lie as they do.

What is known may be flipped, where patches are only turned. First the whole quilt is looked at in the mirror; then
its patches are sewn anew: into a square, where they filled one, over the whole board, where they left hardly a cell, and
else anywhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from patchwork_ref.machine.model import Machine
from patchwork_ref.polyomino import Board, bits, placements, squares
from patchwork_ref.tiling.answers import Possible
from patchwork_ref.tiling.question import SPECIAL, Piece, Question
from patchwork_ref.tiling.search import Limits, search

SECONDS = 1.0
"""Of search for one quilt."""


@dataclass(frozen=True)
class Quilts:
    """What was sewn where in a game: cells (masks) by player and patch, and the cells of special patches by player."""

    plan: dict[tuple[int, str], int]
    holes: dict[int, int]
    actions: int


def resewn(machine: Machine, known: Quilts, source: random.Random, seconds: float = SECONDS) -> Quilts | None:
    """Quilts of the same patches for the same players, all of them placements under this Machine; None when none were found
    in so many seconds for each."""
    laid = {p.name: placements(p.shape, machine.board, bool(machine.constants["flips"].value)) for p in machine.regular}
    plan, holes = dict[tuple[int, str], int](), dict(known.holes)
    for who in sorted({who for who, _ in known.plan}):
        own = {name: mask for (seat, name), mask in known.plan.items() if seat == who}
        found = _as_it_is(machine.board, laid, own, known.holes.get(who, 0)) or _sewn(machine, own, known.holes.get(who, 0), source, seconds)
        found = found or _anywhere(laid, own, source)
        if found is None:
            return None
        holes[who] = found.pop(SPECIAL, 0)
        plan |= {(who, name): mask for name, mask in found.items()}
    return Quilts(plan, holes, known.actions)


def _as_it_is(board: Board, laid: dict[str, tuple[int, ...]], own: dict[str, int], holes: int) -> dict[str, int] | None:
    """The quilt itself, or its mirror image."""
    for picture in ({**own, SPECIAL: holes}, {name: _mirrored(mask, board) for name, mask in {**own, SPECIAL: holes}.items()}):
        if all(mask in laid[name] for name, mask in picture.items() if name != SPECIAL):
            return picture
    return None


def _mirrored(mask: int, board: Board) -> int:
    return sum(1 << cell - cell % board.columns + board.columns - 1 - cell % board.columns for cell in bits(mask))


def _sewn(machine: Machine, own: dict[str, int], holes: int, source: random.Random, seconds: float) -> dict[str, int] | None:
    """A square, or the whole board, filled with the same patches; None for a quilt that fills neither."""
    board, side = machine.board, machine.constants["tile_side"].value
    assert isinstance(side, int)
    union = reduce(or_, own.values(), holes)
    square = next((s for s in squares(board, side) if not s & ~union), None)
    if square is None or board.rows != board.columns:
        return None
    whole = board.cells - union.bit_count() < side
    specials = board.cells - sum(mask.bit_count() for mask in own.values()) if whole else (holes & square).bit_count()
    found = filled(machine, own, board.rows if whole else side, specials, source, seconds)
    return {**found[0], SPECIAL: found[1]} if found is not None else None


def sewn_whole(machine: Machine, names: Iterable[str], source: random.Random, seconds: float = SECONDS) -> tuple[dict[str, int], int] | None:
    """All of these patches on one board, and the cells that they leave; None when they were not sewn in so many seconds."""
    sizes = {p.name: len(p.shape) for p in machine.regular}
    chosen = list(names)
    return filled(machine, chosen, machine.board.rows, machine.board.cells - sum(sizes[name] for name in chosen), source, seconds)


def filled(machine: Machine, names: Iterable[str], side: int, specials: int, source: random.Random, seconds: float) -> tuple[dict[str, int], int] | None:
    """A square filled with these patches and so many special ones: cells by patch, and those of special patches together."""
    chosen, numbers = sorted(names), {p.name: p for p in machine.regular}
    source.shuffle(chosen)
    pieces = tuple((n, Piece(numbers[n].shape, numbers[n].numbers["cost"], numbers[n].numbers["time"], numbers[n].numbers["income"])) for n in chosen)
    answer = search(Question(machine.board, 0, side, pieces, specials, bool(machine.constants["flips"].value)), Limits(seconds=seconds))
    if not isinstance(answer, Possible):
        return None
    found = {placed.patch: placed.mask for placed in answer.placements if placed.patch != SPECIAL}
    return found, sum(placed.mask for placed in answer.placements if placed.patch == SPECIAL)


def _anywhere(laid: dict[str, tuple[int, ...]], own: dict[str, int], source: random.Random) -> dict[str, int] | None:
    """The larger first, each where it touches neither the others nor anything more than it must."""
    taken, found = 0, dict[str, int]()
    for name in sorted(own, key=lambda n: -own[n].bit_count()):
        free = [mask for mask in laid[name] if not mask & taken]
        if not free:
            return None
        found[name] = min(free, key=lambda mask: (mask.bit_length(), source.random()))
        taken |= found[name]
    return found
