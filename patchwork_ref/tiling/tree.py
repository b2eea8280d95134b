"""The proof tree of a window while it is searched: nodes shared between equal states, written out flat at the end.

Patches that are alike (same shape, and same price where there are budgets) form one class. A node holds the children
of a class once, whichever of its patches is taken; ``flat`` writes them for each patch left, as the format wants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

AREA, BUDGET = -1, -2


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """``mark`` is a cell or AREA or BUDGET; ``size`` the length of the list that ``flat`` makes of the node."""

    mark: int
    children: tuple[tuple[int, tuple[Node, ...]], ...] = ()
    special: Node | None = None
    size: int = 1


BY_AREA, BY_BUDGET = Node(AREA), Node(BUDGET)


def branch(cell: int, children: dict[int, list[Node]], counts: Sequence[int], special: Node | None) -> Node:
    """The node that branches on a cell, given the children of each class and how many of the class are left."""
    size = 1 + (special.size if special else 0)
    for group, nodes in children.items():
        size += counts[group] * sum(node.size for node in nodes)
    return Node(cell, tuple((group, tuple(nodes)) for group, nodes in sorted(children.items())), special, size)


def flat(node: Node, left: Sequence[int]) -> list[int]:
    """The node in preorder; ``left`` gives the classes of the patches left, in the order of the question."""
    marks: list[int] = []

    def walk(node: Node, left: tuple[int, ...]) -> None:
        marks.append(node.mark)
        groups = dict(node.children)
        if groups:
            for place, group in enumerate(left):
                if group in groups:
                    rest = left[:place] + left[place + 1 :]
                    for child in groups[group]:
                        if child.size == 1:
                            marks.append(child.mark)
                        else:
                            walk(child, rest)
        if node.special:
            walk(node.special, left)

    walk(node, tuple(left))
    return marks
