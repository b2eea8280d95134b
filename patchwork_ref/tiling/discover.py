"""Finds the extremal facts that ``theorems`` checks. This is the only place where they meet the solver."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from patchwork_ref.polyomino import Board, placements
from patchwork_ref.tiling.answers import Impossible, Possible
from patchwork_ref.tiling.optimise import optimum
from patchwork_ref.tiling.question import Piece, Question
from patchwork_ref.tiling.search import Limits, search
from patchwork_ref.tiling.theorems import affordable_sets, most_value, moved, packed, packed_all

PATIENT = Limits(seconds=3600, nodes=1_500_000, certificate=10**7, brief=True)
LONG = 2000
"""Trees with more numbers than this are stored packed."""
WORDS = {"patches": "patches", "time": "spaces of time", "buttons": "buttons of cost"}


def least(library: Mapping[str, Piece], board: Board, side: int, goal: str, limits: Limits = PATIENT) -> dict[str, Any]:
    """The least number of patches, time or buttons with which the empty board comes to hold a filled square."""
    found = optimum(Question(board, 0, side, tuple(library.items())), goal, limits)
    if found.witness is None or found.upper is None:
        raise ValueError(found.note)
    certificates = [refuted.certificate() for refuted in found.refutations]
    long = sum(len(tree) for refuted in found.refutations for tree in refuted.trees) > LONG
    settled = found.lower == found.upper
    number = str(found.upper) if settled else f"at least {found.lower} and at most {found.upper}"
    return {
        "theorem": f"least-{goal}-for-a-{side}x{side}",
        "statement": f"The least that patches filling a {side}x{side} square on an empty quilt, without special patches, can need is {number} {WORDS[goal]}.",
        "side": side,
        "measure": goal,
        "sense": "least",
        "bounds": [found.lower, found.upper],
        "witness": _only_used(found.witness),
        "refutation": {"by": "sets" if found.by_sets else "budget", "certificates": [packed(c) if long else c for c in certificates]},
    }


def whole_board(library: Mapping[str, Piece], board: Board, rng: Random, limits: Limits, tries: int = 60) -> dict[str, Any]:
    """The whole board filled with few patches: the best packing found in so many tries, and the proof that one patch fewer does not do, if it is found."""
    sizes = [piece.size for piece in library.values()]
    lower = next(n for n in range(1, len(sizes) + 1) if sum(sorted(sizes)[-n:]) >= board.cells)
    for number in range(lower, len(sizes) + 1):
        for _ in range(tries):
            names = _exactly(library, board.cells, number, rng)
            if not names:
                break
            pieces = tuple((name, piece) for name, piece in library.items() if name in names)
            answer = search(Question(board, 0, board.rows, pieces), limits)
            if isinstance(answer, Possible):
                refutation = _laid_first(library, board, number - 1, limits) if number > lower else {"by": "areas"}
                low = number if refutation else lower
                said = str(number) if low == number else f"{lower} to {number} (open)"
                return {
                    "theorem": "least-patches-for-the-whole-quilt",
                    "statement": f"The least number of patches that fill the whole quilt, without special patches, is {said}.",
                    "side": board.rows,
                    "measure": "patches",
                    "sense": "least",
                    "bounds": [low, number],
                    "witness": _only_used(answer),
                    "refutation": refutation or {"by": "areas"},
                }
    raise ValueError("no packing was found")


def _laid_first(library: Mapping[str, Piece], board: Board, number: int, limits: Limits) -> dict[str, Any] | None:
    """That no so many patches fill the board: for each set of the right size, and each way to lay its largest patch, a certificate; None when there are too many."""
    names, sizes = list(library), [piece.size for piece in library.values()]
    first = max(names, key=lambda name: library[name].size)
    ways = {min(moved(mask, board)) for mask in placements(library[first].shape, board, True)}
    certificates = []
    for one in affordable_sets(sizes, [1] * len(sizes), number, board.cells):
        chosen = [names[index] for index in one]
        if sum(sizes[index] for index in one) != board.cells:
            continue
        if first not in chosen:
            return None
        for way in sorted(ways):
            answer = search(Question(board, way, board.rows, tuple((name, library[name]) for name in chosen if name != first)), limits)
            if not isinstance(answer, Impossible):
                return None
            certificates.append(answer.certificate())
    return {"by": "first", "first": first, "certificates": packed_all(certificates)}


def largest_income(library: Mapping[str, Piece], board: Board, limits: Limits) -> dict[str, Any]:
    """The largest income of patches that lie on one quilt together."""
    pieces = list(library.values())
    best = most_value(pieces, [piece.income for piece in pieces], board.cells)
    total, cells = sum(piece.income for piece in pieces), sum(piece.size for piece in pieces)
    # The patches left out are those that free enough cells for little income: affordable sets of the complement.
    left_out = affordable_sets([p.size for p in pieces], [p.income for p in pieces], total - best, cells - board.cells)
    for out in left_out:
        used = tuple(entry for index, entry in enumerate(library.items()) if index not in out)
        free = board.cells - sum(piece.size for _, piece in used)
        answer = search(Question(board, 0, board.rows, used, free), limits)
        if isinstance(answer, Possible) and sum(name.patch != "special" for name in answer.placements) == len(used):
            return {
                "theorem": "largest-income-on-one-quilt",
                "statement": f"The patches on one quilt bring an income of at most {best} buttons, and that is reached.",
                "side": board.rows,
                "measure": "income",
                "sense": "most",
                "bounds": [best, best],
                "witness": answer.certificate(),
                "refutation": {"by": "areas"},
            }
    raise ValueError(f"no packing with income {best} was found")


def _only_used(answer: Possible) -> dict[str, Any]:
    """The witness as a question about the patches that it uses, without budgets."""
    used = {placed.patch for placed in answer.placements}
    pieces = tuple((name, piece) for name, piece in answer.question.pieces if name in used)
    plain = replace(answer.question, pieces=pieces, buttons=None, spaces=None)
    return Possible(plain, answer.placements, answer.window).certificate()


def _exactly(library: Mapping[str, Piece], cells: int, number: int, rng: Random) -> set[str]:
    """Random patches of this number that have exactly so many cells; none when hardly any do."""
    names = list(library)
    for _ in range(200_000):
        some = rng.sample(names, number)
        if sum(library[name].size for name in some) == cells:
            return set(some)
    return set()
