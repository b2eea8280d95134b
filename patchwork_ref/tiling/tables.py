"""Placements as bits of big integers, so that one AND answers for thousands of placements.

Each shape gets a block of bits, one bit a placement in the order of certificates (ascending cell lists). Blocks are
whole bytes, so the tables of a question are joined from those of its shapes without being computed again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from patchwork_ref.polyomino import Board, Shape, bits, placements

NEVER = -1
"""The mask of a bit that pads a block; no such bit is ever available."""


@dataclass(frozen=True, slots=True)
class ShapeTable:
    """``masks[bit]`` covers cells; ``through[cell]`` are the bits that cover a cell, as ``width`` little-endian bytes."""

    masks: tuple[int, ...]
    through: tuple[bytes, ...]
    every: bytes
    width: int


@dataclass(frozen=True, slots=True)
class Table:
    """The blocks of several shapes one behind the other.

    ``group[bit]`` is the number of the shape a bit belongs to, ``block[shape]`` its bits and ``start[shape]`` the
    first of them.
    """

    masks: tuple[int, ...]
    group: tuple[int, ...]
    through: tuple[int, ...]
    block: tuple[int, ...]
    start: tuple[int, ...]
    every: int


@cache
def shape_table(shape: Shape, board: Board, flips: bool) -> ShapeTable:
    """The table of one shape on the empty board."""
    masks = placements(shape, board, flips)
    width = (len(masks) + 7) // 8
    through = [0] * board.cells
    for bit, mask in enumerate(masks):
        for cell in bits(mask):
            through[cell] |= 1 << bit
    padded = masks + (NEVER,) * (8 * width - len(masks))
    return ShapeTable(
        padded,
        tuple(covering.to_bytes(width, "little") for covering in through),
        ((1 << len(masks)) - 1).to_bytes(width, "little"),
        width,
    )


def table_of(shapes: tuple[Shape, ...], board: Board, flips: bool) -> Table:
    """The joined table of these shapes, in this order."""
    parts = [shape_table(shape, board, flips) for shape in shapes]
    masks: list[int] = []
    group: list[int] = []
    block: list[int] = []
    start: list[int] = []
    for number, part in enumerate(parts):
        start.append(len(masks))
        block.append(int.from_bytes(part.every, "little") << len(masks))
        group += [number] * (8 * part.width)
        masks += part.masks
    rows = zip(*(part.through for part in parts), strict=True) if parts else [()] * board.cells
    through = tuple(int.from_bytes(b"".join(row), "little") for row in rows)
    return Table(tuple(masks), tuple(group), through, tuple(block), tuple(start), sum(block))


def wasting_at_most(through: tuple[int, ...], outside: int, most: int) -> list[int]:
    """For each number below ``most``: the bits of the placements that cover at most so many cells of ``outside``.

    The cells are counted for all placements at once, in binary: ``digits[k]`` holds the 2^k digit of every count.
    """
    digits = [0] * most.bit_length()
    for cell in bits(outside):
        carry = through[cell]
        for place, digit in enumerate(digits):
            digits[place], carry = digit ^ carry, digit & carry
    found, reached = [], -1
    for number in range(most):
        equal = -1
        for place, digit in enumerate(digits):
            equal &= digit if number >> place & 1 else ~digit
        reached &= ~equal
        found.append(~reached)
    return found
