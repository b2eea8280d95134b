"""Symmetric quilts: a position of the square that mirrors a closed one needs no search, its proof is the mirrored proof.

A certificate knows nothing of symmetry, so the tree is written again for the image: the same branches with the cells
moved, and the children in the order of the moved placements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from operator import itemgetter

from patchwork_ref.polyomino import Board, bits
from patchwork_ref.tiling.tables import Table
from patchwork_ref.tiling.tree import Node

Moved = tuple[int, ...]
"""For each cell the cell where a symmetry of the board puts it."""


def symmetries(board: Board, quilt: int, flips: bool) -> list[Moved]:
    """The turns of the board (and the reflections, where patches may be flipped) that leave the quilt as it is, without the one that moves nothing."""
    found = []
    for across, down, right in product((False, True), repeat=3):
        if (across and board.rows != board.columns) or (not flips and across ^ down ^ right):
            continue
        moved = []
        for cell in range(board.cells):
            row, column = divmod(cell, board.columns)
            row, column = (column, row) if across else (row, column)
            row, column = board.rows - 1 - row if down else row, board.columns - 1 - column if right else column
            moved.append(row * board.columns + column)
        if moved != list(range(board.cells)) and image(quilt, moved) == quilt:
            found.append(tuple(moved))
    return found


def image(mask: int, moved: Sequence[int]) -> int:
    """Where the cells of a mask come to lie."""
    return sum(1 << moved[cell] for cell in bits(mask))


class Mirror:
    """Moves proof trees of one question by one symmetry. ``clash`` gives the bits of all placements that share a cell with one."""

    def __init__(self, table: Table, moved: Moved, bit: Mapping[tuple[int, int], int], clash: Callable[[int], int]) -> None:
        self.table, self.moved, self.bit, self.clash = table, moved, bit, clash
        self.known: dict[Node, Node] = {}  # equal states share a node, so each is moved once
        self.placed: dict[int, int] = {}

    def placement(self, bit: int) -> int:
        """The bit of the placement that this one becomes."""
        found = self.placed.get(bit)
        if found is None:
            found = self.placed[bit] = self.bit[self.table.group[bit], image(self.table.masks[bit], self.moved)]
        return found

    def tree(self, node: Node, available: int, counts: tuple[int, ...]) -> Node:
        """The image of a node, given the placements that are free there and how many patches of each class are left."""
        if node.mark < 0:
            return node
        found = self.known.get(node)
        if found is None:
            single = node.special and self.tree(node.special, available & ~self.table.through[node.mark], counts)
            through = available & self.table.through[node.mark]
            children = tuple((group, self._children(group, nodes, available, through, counts)) for group, nodes in node.children)
            found = self.known[node] = Node(self.moved[node.mark], children, single, node.size)
        return found

    def _children(self, group: int, nodes: tuple[Node, ...], available: int, through: int, counts: tuple[int, ...]) -> tuple[Node, ...]:
        if all(child is nodes[0] for child in nodes) and nodes[0].mark < 0:
            return nodes
        block = self.table.block[group]
        fewer = (*counts[:group], counts[group] - 1, *counts[group + 1 :])
        if not fewer[group]:
            available &= ~block
        placed = [
            (self.placement(bit), self.tree(child, available & ~self.clash(bit), fewer) if child.mark >= 0 else child)
            for bit, child in zip(bits(through & block), nodes, strict=True)
        ]
        placed.sort(key=itemgetter(0))
        return tuple(child for _, child in placed)


def mirrors(table: Table, board: Board, quilt: int, flips: bool, clash: Callable[[int], int]) -> list[Mirror]:
    """One for each symmetry of the quilt; most quilts have none."""
    found = symmetries(board, quilt, flips)
    bit = {entry: number for number, entry in enumerate(zip(table.group, table.masks, strict=True))} if found else {}
    return [Mirror(table, moved, bit, clash) for moved in found]
