"""Rulesets that part on nothing in a game share its replay.

The argument. A compiled Machine plays by functions of (state, patch, cells): one check and one run for each form of
action and each player. Their text, with the tables that they read (placements, costs, sizes: fixed by board and
patches), says all that they do; nothing else is read or kept. So if two Machines

    have equal patches, board and forms, and states of one layout,      (``likeness`` gives None otherwise)
    stand in equal states before a move,
    and have the same text for the check and the run that the move asks for,

then they refuse it by the same rule or go on to equal states. Where only the text of the run differs, it is run and
the results are compared: equal states, and they go on together; otherwise the second Machine goes on alone from its own.
By induction over the moves ``replay_beside`` gives what ``Player.replay`` gives, and tests compare the two.
What is said of the end (over, totals, winner) is never shared: each Machine is asked about the common last state.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from patchwork_ref.machine.state import Values
from patchwork_ref.notation.player import Move, Player, Replay

_FUNCTION = re.compile(r"^def (check|run)_(\d+)_([01])\(.*?(?=^def |^[A-Z]+ = |\Z)", re.MULTILINE | re.DOTALL)
Same = tuple[tuple[bool, bool], ...]
"""By form and player."""


@dataclass(frozen=True)
class Likeness:
    """For two Machines, which checks and runs have the same text."""

    check: Same
    run: Same

    @cached_property
    def whole(self) -> bool:
        """Whether the course of a game cannot differ once it starts the same."""
        return all(all(pair) for same in (self.check, self.run) for pair in same)


def likeness(a: Player, b: Player) -> Likeness | None:
    """None when states or moves of the two cannot be compared."""
    if a.layout != b.layout or a.moves.key != b.moves.key:
        return None
    first, second = _functions(a), _functions(b)
    forms = range(len(a.machine.actions))
    if a.rules != b.rules:  # the numbers that checks return would name other rules
        first = {key: text if key[0] == "run" else "" for key, text in first.items()}

    def same(kind: str) -> Same:
        return tuple((first[kind, form, 0] == second[kind, form, 0], first[kind, form, 1] == second[kind, form, 1]) for form in forms)

    return Likeness(same("check"), same("run"))


def _functions(player: Player) -> dict[tuple[str, int, int], str]:
    return {(m[1], int(m[2]), int(m[3])): m[0] for m in _FUNCTION.finditer(player.backend.source)}


def replay_beside(player: Player, start: Values, moves: Sequence[Move], led: Replay, alike: Likeness) -> Replay:
    """The replay from ``start``, sharing what is equal with ``led``: the same moves replayed under another Machine."""
    states = led.states
    if start != states[0]:
        return player.replay([start], moves)
    if alike.whole:
        return led
    checks, runs, turn = player.backend.checks, player.backend.runs, player.backend.turn
    for at in range(len(states) - 1):
        form, patch, cells = moves[at]
        state = states[at]
        me = state[turn]
        assert isinstance(me, int)
        if not alike.check[form][me] and (failed := checks[form][me](state, patch, cells)) is not None:
            return Replay(states[: at + 1], at, player.rules[form][failed])
        if not alike.run[form][me]:
            after = runs[form][me](state, patch, cells)
            if after != states[at + 1]:
                return player.replay([*states[: at + 1], after], moves)
    if led.refused is None:
        return led
    form = moves[led.refused][0]
    me = states[-1][turn]
    assert isinstance(me, int)
    return led if form < 0 or alike.check[form][me] else player.replay(list(states), moves)
