"""Replaying recorded games on the raw values of the compiled back end, without a State or a Step on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from patchwork_ref.engine.compile import compiled
from patchwork_ref.engine.used import lean_layout, refusers
from patchwork_ref.errors import SetupError
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.state import Values
from patchwork_ref.polyomino import mask_of

Move = tuple[int, int | None, int | None]
"""A form's number (-1: no form has this type), a patch's number (-1: there is no such patch) or None, and a mask of cells
(0, which no placement is, for what is no set of cells of the board) or None."""

UNKNOWN_TYPE = "protocol/action-type"
MOST_KEPT = 100_000


@dataclass(frozen=True, slots=True)
class Replay:
    """``states[i]`` is the one before move i, the last one the position at the end or before the refused move.

    ``refused`` is that move's number from 0 with the rule that refuses it; None when every move is legal.
    """

    states: list[Values]
    refused: int | None = None
    rule: str | None = None


class Player:
    """One Machine, ready to replay. Its back end leaves out the fields that no rule reads."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.layout = lean_layout(machine)
        self.backend = compiled(machine, self.layout)
        self.moves = Moves(machine)
        self.rules = [[rule for rule, _ in refusers(form, machine)] for form in machine.actions]

    def start(self, circle: tuple[str, ...], neutral_token: int | None, first_player: int) -> Values:
        """The first values. Raises SetupError when the circle is none of this Machine."""
        numbers = self.moves.numbers
        try:
            laid = tuple(numbers[patch] for patch in circle)
        except KeyError as error:
            raise SetupError(f"the circle names {error.args[0]!r}, which is no patch of this rulebook") from None
        if not laid or len(set(laid)) != len(laid) or not all(self.machine.patches[n].regular for n in laid):
            raise SetupError("the circle is empty, names a patch twice, or holds a special patch")
        if neutral_token is not None and not 0 <= neutral_token < len(laid):
            raise SetupError(f"neutral_token is {neutral_token}; the circle has {len(laid)} patches")
        given = {"circle": laid, "neutral_token": neutral_token, "first_player": first_player}
        return self.backend.start(*(given.get(name) for name in self.machine.givens))

    def replay(self, states: list[Values], moves: Sequence[Move]) -> Replay:
        """Goes on from the last of ``states`` with the moves that are left, adding to the list, as far as they are legal."""
        checks, runs, turn = self.backend.checks, self.backend.runs, self.backend.turn
        state = states[-1]
        at = len(states) - 1
        for form, patch, cells in moves[at:]:
            if form < 0:
                return Replay(states, at, UNKNOWN_TYPE)
            me = state[turn]
            failed = checks[form][me](state, patch, cells)
            if failed is not None:
                return Replay(states, at, self.rules[form][failed])
            state = runs[form][me](state, patch, cells)
            states.append(state)
            at += 1
        return Replay(states)

    def end(self, state: Values) -> tuple[bool, tuple[int, int], int | None]:
        """Whether it is over, both totals, and the winner."""
        return self.backend.over(state), self.backend.totals(state), self.backend.winner(state)


class Moves(dict[Action, Move]):
    """From actions to moves of one Machine, each worked out once. Which form an action belongs to is as in ``Engine``."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.numbers = {patch.name: number for number, patch in enumerate(machine.patches)}
        self.key = (machine.board, tuple((p.name, p.shape, tuple(sorted(p.numbers.items()))) for p in machine.patches),
                    tuple((f.type, f.discards, tuple(name for name, _ in f.choices)) for f in machine.actions))

    def __missing__(self, action: Action) -> Move:
        if len(self) >= MOST_KEPT:
            self.clear()
        self[action] = found = self._worked_out(action)
        return found

    def _worked_out(self, action: Action) -> Move:
        forms = [i for i, form in enumerate(self.machine.actions) if form.type == action.type]
        if not forms:
            return -1, None, None
        bare = [i for i in forms if self.machine.actions[i].discards]
        form = bare[0] if bare and action.cells == () else next((i for i in forms if i not in bare), forms[0])
        choices = [name for name, _ in self.machine.actions[form].choices]
        return form, self.numbers.get(action.patch or "", -1) if "patch" in choices else None, self._mask(action.cells or ()) if "cells" in choices else None

    def _mask(self, cells: tuple[int, ...]) -> int:
        proper = len(set(cells)) == len(cells) and all(0 <= cell < self.machine.board.cells for cell in cells)
        return mask_of(cells) if proper else 0
