"""What generated code calls, and the meaning of primitives where Python has no word of its own for them."""

from __future__ import annotations

from collections.abc import Callable

from patchwork_ref.polyomino import Board, bits, squares


def holds(mask: int, item: int) -> bool:
    """Whether a set kept as bits holds an item; a negative item is in no set."""
    return item >= 0 and bool(mask >> item & 1)


def with_item(mask: int, item: int) -> int:
    return mask | 1 << item if item >= 0 else mask


def without_item(mask: int, item: int) -> int:
    return mask & ~(1 << item) if item >= 0 else mask


def other(player: int | None) -> int | None:
    return None if player is None else 1 - player


def one(first: bool, second: bool) -> int | None:
    """The player for whom alone it holds."""
    return None if bool(first) == bool(second) else 0 if first else 1


def first(number: int, circle: tuple[int, ...]) -> tuple[int, ...]:
    return circle[: max(number, 0)]


def place(patch: int, circle: tuple[int, ...]) -> int:
    """How many stand before it; all of them when it is not in the list."""
    return circle.index(patch) if patch in circle else len(circle)


def turned(circle: tuple[int, ...], number: int) -> tuple[int, ...]:
    if not circle:
        return circle
    number %= len(circle)
    return circle[number:] + circle[:number]


def without(circle: tuple[int, ...], patch: int) -> tuple[int, ...]:
    if patch not in circle:
        return circle
    at = circle.index(patch)
    return circle[:at] + circle[at + 1 :]


def window(mask: int, low: int, high: int) -> int:
    """The items above ``low`` and not above ``high``."""
    low = max(low, -1)
    return mask & ((2 << high) - (1 << low + 1)) if low < high else 0


def square_test(board: Board) -> Callable[[int, int], bool]:
    """``test(region, side)``: whether some square with this side is filled."""

    def test(region: int, side: int) -> bool:
        if side <= 0:
            return True
        if region.bit_count() < side * side:
            return False
        return any(region & square == square for square in squares(board, side))

    return test


NAMES = {
    "_holds": holds, "_with": with_item, "_less": without_item, "_other": other, "_one": one, "_first": first,
    "_place": place, "_turned": turned, "_without": without, "_window": window, "_bits": bits,
}
"""Under these names generated code sees them."""
