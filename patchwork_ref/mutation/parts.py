"""Changes of what lies in the box: constants, marks on the time board, patches, the quilt board."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from patchwork_ref.mutation.model import Candidate, replaced
from patchwork_ref.mutation.rules import Raw, entries, numbered
from patchwork_ref.polyomino import EMPTY, FILLED, PictureError, flipped, orientations, shape_from_picture
from patchwork_ref.rulebook.tree import Mapping, Scalar, Sequence, from_plain, plain

NUMBERS = ("cost", "time", "income")


def constant_candidates(tree: Mapping) -> Iterator[Candidate]:
    """Every constant one more and one less, every mark one on, one back and gone, every patch named another one."""
    for name, entry in entries(tree, "constants"):
        yield from numbered(f"constant/{name.replace('_', '-')}", _constant(tree, ("constants", name, "is"), entry))


def _constant(tree: Mapping, path: tuple[str, ...], entry: Mapping) -> Iterator[Raw]:
    node = entry.get("is")
    if isinstance(node, Sequence):
        yield from _marks(tree, path, [int(str(plain(item))) for item in node.items])
    elif isinstance(node, Scalar) and plain(entry.get("type") or Scalar("")) == "patch":
        others = [name for section in ("special_patches", "patches") for name, _ in entries(tree, section) if name != node.value]
        for other in others[:2]:
            yield f"is-{other}", "patch", f"it is the patch {other}", replaced(tree, path, Scalar(other))
    elif isinstance(node, Scalar) and isinstance(node.value, bool):
        yield "negated", "negated", f"it is {str(not node.value).lower()}", replaced(tree, path, Scalar(not node.value))
    elif isinstance(node, Scalar):
        for word, by in (("plus", 1), ("minus", -1)):
            value = node.value + by if isinstance(node.value, int) else f"({node.value}) {'+' if by > 0 else '-'} 1"
            yield f"{word}-1", "number", f"{node.value} becomes {value}", replaced(tree, path, Scalar(value))


def _marks(tree: Mapping, path: tuple[str, ...], marks: list[int]) -> Iterator[Raw]:
    for mark in marks:
        rest = [m for m in marks if m != mark]
        yield f"without-{mark}", "mark", f"space {mark} is not marked", replaced(tree, path, from_plain(rest))
        for moved in (mark - 1, mark + 1):
            if moved not in marks and moved >= 0:
                yield f"{mark}-to-{moved}", "mark", f"the mark of space {mark} stands on {moved}", replaced(tree, path, from_plain(sorted([*rest, moved])))
    for word, by in (("early", -1), ("late", 1)):
        yield f"one-{word}", "mark", f"every mark stands one space {word}", replaced(tree, path, from_plain([m + by for m in marks]))


def patch_candidates(tree: Mapping) -> Iterator[Candidate]:
    """Each patch without its buttons; of each one number off by one and, for every other one, its shape changed: which, its
    own id decides."""
    for name, entry in entries(tree, "patches"):
        yield from numbered(f"patch/{name}", _patch(tree, ("patches", name), name, entry))
    for name, entry in entries(tree, "special_patches"):
        yield from numbered(f"patch/{name}", (raw for raw in _shapes(tree, ("special_patches", name), entry) if raw[0] == "one-cell-more"))


def _patch(tree: Mapping, path: tuple[str, ...], name: str, entry: Mapping) -> Iterator[Raw]:
    lot = zlib.crc32(name.encode())
    number = NUMBERS[lot % len(NUMBERS)]
    value = int(str(plain(entry.get(number) or Scalar(0))))
    by = -1 if value > 0 and lot // 3 % 2 else 1
    yield f"{number}-{'plus' if by > 0 else 'minus'}-1", "patch", f"its {number} is {value + by} instead of {value}", replaced(tree, (*path, number), Scalar(value + by))
    if plain(entry.get("income") or Scalar(0)) != 0:
        yield "without-income", "patch", "no buttons are printed on it", replaced(tree, (*path, "income"), Scalar(0))
    if lot // 6 % 3 == 0:
        yield from _exchanged(tree, path, entry)
    shapes = list(_shapes(tree, path, entry))
    if shapes and lot // 18 % 2 == 0:
        yield shapes[lot // 36 % len(shapes)]


def _exchanged(tree: Mapping, path: tuple[str, ...], entry: Mapping) -> Iterator[Raw]:
    cost, time = entry.get("cost"), entry.get("time")
    if cost is not None and time is not None and cost != time:
        new = entry.with_("cost", time).with_("time", cost)
        yield "cost-and-time-exchanged", "patch", "its cost and its time are exchanged", replaced(tree, path, new)


def _shapes(tree: Mapping, path: tuple[str, ...], entry: Mapping) -> Iterator[Raw]:
    """One cell more, fewer, or elsewhere; connected, and no turn or flip of the shape as printed."""
    rows = plain(entry.get("picture") or Sequence())
    assert isinstance(rows, list)
    old = shape_from_picture([str(r) for r in rows])
    cells = set(old)
    around = sorted({(r + a, c + b) for r, c in cells for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))} - cells)
    changes = [
        ("one-cell-more", "it has a cell more", (cells | {near} for near in around)),
        ("one-cell-fewer", "it has a cell fewer", (cells - {cell} for cell in sorted(cells, reverse=True))),
        ("one-cell-moved", "one of its cells is elsewhere", ((cells - {cell}) | {near} for cell in sorted(cells) for near in around)),
    ]
    for name, says, tries in changes:
        for attempt in tries:
            picture = _drawn(attempt)
            if picture is not None and not {shape_from_picture(picture), flipped(shape_from_picture(picture))} & set(orientations(old, True)):
                yield name, "patch", says, replaced(tree, (*path, "picture"), from_plain(picture))
                break


def _drawn(cells: set[tuple[int, int]]) -> list[str] | None:
    """The picture of the cells, None when they are no shape."""
    if not cells:
        return None
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    height, width = max(r for r, _ in cells) - top + 1, max(c for _, c in cells) - left + 1
    picture = ["".join(FILLED if (top + r, left + c) in cells else EMPTY for c in range(width)) for r in range(height)]
    try:
        shape_from_picture(picture)
    except PictureError:
        return None
    return picture


def board_candidates(tree: Mapping) -> Iterator[Candidate]:
    """A quilt board with a row or column more or fewer."""
    board = tree.get("quilt_board")
    for side in ("rows", "columns"):
        node = board.get(side) if isinstance(board, Mapping) else None
        if isinstance(node, Scalar) and isinstance(node.value, int):
            for word, by in (("plus", 1), ("minus", -1)):
                says = f"the quilt board has {node.value + by} {side}"
                yield from numbered(f"board/{side}", iter([(f"{word}-1", "number", says, replaced(tree, ("quilt_board", side), Scalar(node.value + by)))]))
