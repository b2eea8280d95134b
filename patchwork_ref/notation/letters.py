"""The signs of the student notation, drawn from a Machine: which action a sign stands for, and which sign an action has.

A placement is the patch's letter, the column and the row of the top left corner of the turned patch's bounding box, and
a letter for the orientation: the first four for the picture turned clockwise 0 to 3 times, the next four for the
picture mirrored left to right and then turned. ``h``, column, row, ``A`` is a special patch; a dot is an advance.
"""

from __future__ import annotations

from string import ascii_uppercase

from patchwork_ref.errors import InputError
from patchwork_ref.machine.model import ActionForm, Machine, Patch
from patchwork_ref.machine.play import Action
from patchwork_ref.notation.game import NoGame, shown
from patchwork_ref.polyomino import Shape, flipped, turned

ADVANCE, SPECIAL = ".", "h"
ORIENTATIONS = "ABCDEFGH"
SIGNS = 4
"""Of a placement."""


class Letters:
    """Signs to actions and back for one Machine. Actions are made once and shared. Raises InputError where the rulebook's
    patches have no letters of their own."""

    def __init__(self, machine: Machine) -> None:
        self.board = machine.board
        self.columns, self.rows = ascii_uppercase[: machine.board.columns], ascii_uppercase[: machine.board.rows]
        self.patches = {patch.name: patch for patch in machine.regular}
        strange = [name for name in self.patches if len(name) != 1 or not name.isalnum() or name == SPECIAL]
        if strange or not self.patches:
            named = f"patch {strange[0]!r}" if strange else "a rulebook without patches"
            raise InputError(f"the student notation cannot name {named}: it needs one letter or digit for each patch, and {SPECIAL!r} for the special one")
        self.advance = Action(_type(machine))
        self.buy, self.special = _type(machine, "patch", "cells"), _type(machine, "cells")
        self.shapes = {name: _turns(patch) for name, patch in self.patches.items()}
        self.shapes[SPECIAL] = next((_turns(p)[:1] for p in machine.patches if not p.regular), [])
        self.anchor = min(machine.regular, key=lambda patch: len(patch.shape)).name
        self.actions = _Reading(self)
        self._codes: dict[str, dict[tuple[int, ...], str]] = {}

    def first_on_offer(self, circle: tuple[str, ...]) -> int:
        """The place in the circle of the patch just behind the smallest one, where the notation puts the neutral token."""
        return (circle.index(self.anchor) + 1) % len(circle)

    def circle(self, text: str) -> tuple[str, ...]:
        """The patches in the order of the text, each once. Raises NoGame."""
        if len(text) != len(self.patches):
            raise NoGame(f"the circle {shown(text)} has {len(text)} signs; it names each of the {len(self.patches)} patches once")
        if strange := [sign for sign in text if sign not in self.patches]:
            raise NoGame(f"the circle holds {strange[0]!r}, which is no patch")
        if len(set(text)) != len(text):
            twice = next(sign for at, sign in enumerate(text) if sign in text[:at])
            raise NoGame(f"the circle names {twice!r} twice")
        return tuple(text)

    def action(self, code: str) -> Action:
        """The action that a sign stands for; one that hangs over the board's edge gets a cell that is on no board.

        Raises NoGame when the code is none.
        """
        if code == ADVANCE:
            return self.advance
        if len(code) != SIGNS:
            raise NoGame(f"{shown(code)} is cut short; a placement has {SIGNS} signs")
        letter, column, row, turn = tuple(code)
        shapes = self.shapes.get(letter)
        if not shapes:
            raise NoGame(f"{code!r} names patch {letter!r}, which there is not")
        if column not in self.columns or row not in self.rows:
            raise NoGame(f"{code!r} names no cell of the board: columns are A to {self.columns[-1]}, rows A to {self.rows[-1]}")
        if turn not in ORIENTATIONS[: len(shapes)]:
            raise NoGame(f"{code!r} ends with {turn!r}; the orientations of this patch are A{f' to {ORIENTATIONS[-1]}' if len(shapes) > 1 else ' alone'}")
        cells = self._cells(shapes[ORIENTATIONS.index(turn)], self.rows.index(row), self.columns.index(column))
        return Action(self.special, None, cells) if letter == SPECIAL else Action(self.buy, letter, cells)

    def code(self, action: Action) -> str:
        """The sign of an action, with the first orientation letter that gives its cells. Raises NoGame when it has none."""
        if action == self.advance:
            return ADVANCE
        letter = SPECIAL if action.type == self.special and action.patch is None else action.patch or ""
        if action.type not in (self.buy, self.special) or letter not in self.shapes or (letter == SPECIAL) != (action.type == self.special):
            raise NoGame(f"the student notation has no sign for {shown(str(action), 60)}")
        if letter not in self._codes:
            self._codes[letter] = self._written(letter)
        found = self._codes[letter].get(action.cells or ())
        if found is None:
            raise NoGame(f"the student notation cannot write {shown(str(action), 60)}: these cells are no placement of the patch")
        return found

    def _written(self, letter: str) -> dict[tuple[int, ...], str]:
        found: dict[tuple[int, ...], str] = {}
        for turn, shape in zip(ORIENTATIONS, self.shapes[letter], strict=False):
            for r, row in enumerate(self.rows):
                for c, column in enumerate(self.columns):
                    found.setdefault(self._cells(shape, r, c), f"{letter}{column}{row}{turn}")
        return {cells: code for cells, code in found.items() if cells[-1] < self.board.cells}

    def _cells(self, shape: Shape, top: int, left: int) -> tuple[int, ...]:
        """Ascending; everything beyond the edge becomes the one number after the last cell."""
        inside = [self.board.columns * (top + r) + left + c for r, c in shape if top + r < self.board.rows and left + c < self.board.columns]
        return (*sorted(inside), self.board.cells) if len(inside) < len(shape) else tuple(sorted(inside))


class _Reading(dict[str, Action]):
    """Each sign read once."""

    def __init__(self, letters: Letters) -> None:
        self.letters = letters

    def __missing__(self, code: str) -> Action:
        self[code] = found = self.letters.action(code)
        return found


_kept: dict[str, Letters] = {}


def letters_of(machine: Machine) -> Letters:
    """The letters of a Machine, made once in a process."""
    if machine.digest not in _kept:
        if len(_kept) > 32:  # custom set-ups by the thousand must not pile up
            _kept.clear()
        _kept[machine.digest] = Letters(machine)
    return _kept[machine.digest]


def _turns(patch: Patch) -> list[Shape]:
    """The shape in the order of the orientation letters."""
    found = []
    for shape in (patch.shape, flipped(patch.shape)):
        for _ in range(len(ORIENTATIONS) // 2):
            found.append(shape)
            shape = turned(shape)
    return found


def _type(machine: Machine, *choices: str) -> str:
    """The type of the first action with just these choices; a rulebook without one has no such sign."""
    def fits(form: ActionForm) -> bool:
        return not form.discards and tuple(name for name, _ in form.choices) == choices

    return next((form.type for form in machine.actions if fits(form)), "")
