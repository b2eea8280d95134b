"""Do the signs of the student notation mean what their definition says?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchwork_ref.engine.tables import table as placement_table
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.play import Action
from patchwork_ref.notation import NoGame
from patchwork_ref.notation.letters import Letters, letters_of
from patchwork_ref.polyomino import cells_of
from patchwork_ref.rulebook.rulebook import load_rulebook

MACHINE = from_rulebook(load_rulebook())
LETTERS = Letters(MACHINE)
SIDE = MACHINE.board.columns


def drawn(picture: tuple[str, ...], turn: str) -> list[str]:
    """The picture in an orientation, with texts alone: mirrored by reversing rows, turned by reading columns upwards."""
    rows = [row[::-1] for row in picture] if turn in "EFGH" else list(picture)
    for _ in range("ABCDEFGH".index(turn) % 4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
    return rows


def covered(rows: list[str], column: str, row: str) -> list[int] | None:
    """The cells of a drawing put there; None when it hangs over the edge."""
    top, left = "ABCDEFGHI".index(row), "ABCDEFGHI".index(column)
    if top + len(rows) > SIDE or left + len(rows[0]) > SIDE:
        return None
    return [SIDE * (top + r) + left + c for r, text in enumerate(rows) for c, sign in enumerate(text) if sign == "#"]


@pytest.mark.parametrize(("code", "cells"), [
    ("AAAA", [0, 9]), ("AAAB", [0, 1]), ("AIHA", [71, 80]), ("BBAA", [2, 10, 11]), ("BBAB", [1, 10, 11]), ("BBAC", [1, 2, 10]), ("BBAE", [1, 10, 11]),
    ("LAAA", [0, 1, 10, 19, 27, 28]), ("aCDF", [29, 38, 39, 40]), ("fAAA", [1, 2, 9, 10]), ("fAAE", [0, 1, 10, 11]), ("hEFA", [49]),
])
def test_worked_examples(code: str, cells: list[int]) -> None:
    """A placement covers the cells that one finds by turning the printed patch by hand."""
    assert list(LETTERS.actions[code].cells or ()) == cells


@given(st.sampled_from(sorted(LETTERS.patches)), st.sampled_from("ABCDEFGHI"), st.sampled_from("ABCDEFGHI"), st.sampled_from("ABCDEFGH"))
def test_definition(letter: str, column: str, row: str, turn: str) -> None:
    """Every placement is the picture mirrored, turned and put with its bounding box's corner on the named cell."""
    action = LETTERS.actions[letter + column + row + turn]
    cells = covered(drawn(LETTERS.patches[letter].picture, turn), column, row)
    assert action.patch == letter
    if cells is None:
        assert MACHINE.board.cells in (action.cells or ())
    else:
        assert list(action.cells or ()) == cells


def test_every_placement_has_a_first_sign() -> None:
    """Each of the rulebook's placements is written, reads back as itself, and with no earlier orientation letter."""
    total = 0
    for patch in MACHINE.regular:
        for mask in placement_table(patch.shape, MACHINE.board, True).masks:
            action = Action("buy", patch.name, cells_of(mask))
            code = LETTERS.code(action)
            assert LETTERS.actions[code] == action
            earlier = "ABCDEFGH"[: "ABCDEFGH".index(code[3])]
            boxes = [covered(drawn(patch.picture, turn), code[1], code[2]) for turn in earlier]
            assert list(action.cells or ()) not in boxes
            total += 1
    assert total == 7349


def test_special_patches() -> None:
    """A special patch is written with h, its cell and A, and in no other way."""
    for cell in range(MACHINE.board.cells):
        action = Action("special", None, (cell,))
        assert LETTERS.code(action) == "h" + "ABCDEFGHI"[cell % 9] + "ABCDEFGHI"[cell // 9] + "A"
        assert LETTERS.actions[LETTERS.code(action)] == action
    with pytest.raises(NoGame):
        LETTERS.action("hAAB")


@pytest.mark.parametrize("code", ["AAA", "?AAA", "AJAA", "AAJA", "AaAA", "AAAI", "AAAa", "iAAA", "AA A", "", "ﬀAAA"])
def test_no_signs(code: str) -> None:
    """What is no sign is refused in one line and never taken for another one."""
    with pytest.raises(NoGame) as refused:
        LETTERS.action(code)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("action", [
    Action("buy", "A", (0, 10)), Action("buy", "A", ()), Action("buy", "A", None), Action("buy", "h", (0,)), Action("buy", None, (0,)), Action("buy", "Ä", (0, 9)),
    Action("special", "A", (0, 9)), Action("special", None, (81,)), Action("special", None, (0, 1)), Action("jump"), Action("advance", "A", None),
])
def test_actions_without_a_sign(action: Action) -> None:
    """An action that the notation cannot say is refused, not written as a similar one."""
    with pytest.raises(NoGame):
        LETTERS.code(action)


def test_neutral_token() -> None:
    """The first patch on offer is the one clockwise of the smallest patch, also across the end of the text."""
    circle = tuple("BCDEFGHIJKLMNOPQRSTUVWXYZabcdefgA")
    assert LETTERS.first_on_offer(circle) == 0
    assert LETTERS.first_on_offer(("A", *circle[:-1])) == 1
    assert letters_of(MACHINE).anchor == "A"
