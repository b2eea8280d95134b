"""A game under two readings as plain text: laid out, played, and what comes of it side by side."""

from __future__ import annotations

from patchwork_ref.report.walk_parts import SPECIAL, Parts, aligned, lines_of, numbers_of, quilt_lines

MARK = "<>"
"""Stands between two lines that differ."""
WIDE = 100
"""Columns that patches may take beside one another."""


def walk_lines(parts: Parts) -> list[str]:
    """Everything that is needed to lay the game out on a table, play it, and see where the readings part."""
    return [*_laid_out(parts), *(["", "Play", *_played(parts)] if parts.rows else []), "", "What comes of it", *_beside(parts)]


def _laid_out(parts: Parts) -> list[str]:
    board = parts.machine.board
    lines = ["Lay out", f"  circle, clockwise: {' '.join(parts.circle)}", f"  {parts.token}; player {parts.walk.setup.first_player} moves first"]
    if parts.used:
        lines += ["  patches that come into play:", *_patches(parts)]
    return [*lines, f"  cells are numbered by rows from 0 at the top left to {board.cells - 1}; on the quilts a letter is a patch, {SPECIAL} a special patch"]


def _patches(parts: Parts) -> list[str]:
    """Each patch with its picture, as many beside one another as there is room for."""
    lines: list[str] = []
    blocks = [[f"{p.name}: {numbers_of(p)}", *(row.replace(".", " ") for row in p.picture)] for p in parts.used]
    width = max(len(line) for block in blocks for line in block) + 3
    many = max(1, WIDE // width)
    for first in range(0, len(blocks), many):
        group = blocks[first:first + many]
        for at in range(max(map(len, group))):
            lines.append("    " + "".join(f"{block[at] if at < len(block) else '':<{width}}" for block in group).rstrip())
    return lines


def _played(parts: Parts) -> list[str]:
    lines = lines_of(parts.rows)
    numbers, words = (max(len(getattr(line, name)) for line in lines) for name in ("label", "words"))
    return [f"  {line.label:>{numbers}}. {line.words:<{words}}   {line.standing}".rstrip() for line in lines]


def _beside(parts: Parts) -> list[str]:
    """The two sides, with a mark between lines that differ."""
    rows: list[tuple[str, str]] = [(parts.sides[0].reading, parts.sides[1].reading), ("-" * len(parts.sides[0].reading), "-" * len(parts.sides[1].reading))]
    rows += aligned(parts.sides[0].facts, parts.sides[1].facts)
    quilts = [[quilt_lines(side.pieces[who], parts.machine) for who in (0, 1)] for side in parts.sides]
    rows.append(("", ""))
    head = f"{'player 0':<{parts.machine.board.columns + 3}}player 1"
    rows += [(head, head), *((f"{a}   {b}", f"{c}   {d}") for a, b, c, d in zip(*quilts[0], *quilts[1], strict=True))]
    if any(side.why for side in parts.sides):
        rows += [("", ""), ("rules of the last action, in order", "rules of the last action, in order"), *aligned(parts.sides[0].why, parts.sides[1].why)]
    width = max(len(left) for left, _ in rows)
    titles = 2
    return [f"  {left:<{width}}  {MARK if at >= titles and left != right else '  '}  {right}".rstrip() for at, (left, right) in enumerate(rows)]
