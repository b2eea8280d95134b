"""Fitting by trying everything with sets of coordinates: slow, and meant to be obviously right."""

from __future__ import annotations

from patchwork_ref.polyomino import Board, Shape


def legal(shape: Shape, board: Board, quilt: int, flips: bool) -> tuple[int, ...]:
    """The legal masks, by ascending cell lists."""
    filled = {(r, c) for r in range(board.rows) for c in range(board.columns) if quilt >> (r * board.columns + c) & 1}
    found: set[tuple[tuple[int, int], ...]] = set()
    reach = max(max(cell) for cell in shape)
    for mirrored in (False, True) if flips else (False,):
        cells = [(r, -c) if mirrored else (r, c) for r, c in shape]
        for _ in range(4):
            cells = [(c, -r) for r, c in cells]
            for down in range(-reach, board.rows + reach):
                for right in range(-reach, board.columns + reach):
                    laid = {(r + down, c + right) for r, c in cells}
                    on_board = all(0 <= r < board.rows and 0 <= c < board.columns for r, c in laid)
                    if on_board and not laid & filled:
                        found.add(tuple(sorted(laid)))
    return tuple(sum(1 << (r * board.columns + c) for r, c in laid) for laid in sorted(found))
