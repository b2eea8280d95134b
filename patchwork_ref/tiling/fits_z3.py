"""Fitting asked of Z3: a choice of turn and a shift of the turned picture such that it misses the filled cells.

The statement is made of the picture's cells; no list of placements goes in. Z3 names one covered mask after the other
until it proves that there is no other.
"""

from __future__ import annotations

import z3

from patchwork_ref.polyomino import Board, Shape, cells_of


def legal(shape: Shape, board: Board, quilt: int, flips: bool) -> tuple[int, ...]:
    """The legal masks, by ascending cell lists."""
    width = max(board.cells, 8)
    context = z3.Context()
    solver = z3.SolverFor("QF_BV", ctx=context)
    turn, down, right, covered = (z3.BitVec(name, width, context) for name in ("turn", "down", "right", "covered"))
    cases = []
    for number, cells in enumerate(_turned(shape, flips)):
        height, breadth = 1 + max(r for r, _ in cells), 1 + max(c for _, c in cells)
        if height > board.rows or breadth > board.columns:
            continue
        picture = sum(1 << (r * board.columns + c) for r, c in cells)
        cases.append(
            z3.And(
                turn == number,
                z3.ULE(down, board.rows - height),
                z3.ULE(right, board.columns - breadth),
                covered == z3.BitVecVal(picture, width, context) << (down * board.columns + right),
            )
        )
    if not cases:
        return ()
    solver.add(z3.Or(cases), covered & z3.BitVecVal(quilt, width, context) == 0)
    found: list[int] = []
    while solver.check() == z3.sat:
        mask = solver.model().eval(covered).as_long()
        found.append(mask)
        solver.add(covered != mask)
    return tuple(sorted(found, key=cells_of))


def _turned(shape: Shape, flips: bool) -> list[list[tuple[int, int]]]:
    """The picture's cells after each turn (and flip), moved back to the top left corner."""
    forms = []
    for a, b, c, d in ((1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)):
        for mirror in (1, -1) if flips else (1,):
            moved = [(a * y + b * x * mirror, c * y + d * x * mirror) for y, x in shape]
            top, left = min(y for y, _ in moved), min(x for _, x in moved)
            forms.append([(y - top, x - left) for y, x in moved])
    return forms
