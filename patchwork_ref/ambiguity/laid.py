"""A schedule (moves without cells) becomes a game: the circle brings its patches in order, and each finds a place on its quilt.

The 2-1 patch stands last in the circle as laid out, so that the rules put the neutral token before the schedule's first
patch, or before the 2-1 patch itself; either way every patch is on offer when its turn comes, as long as the schedule
buys each patch in the order of the circle and leaves the 2-1 patch alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from patchwork_ref.ambiguity.bare import Move
from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup
from patchwork_ref.polyomino import bits, cells_of

Game = tuple[Setup, tuple[Action, ...]]


def token_patch(machine: Machine) -> str:
    """The patch by which the neutral token's place is found."""
    value = machine.constants["two_one_patch"].value
    assert isinstance(value, str)
    return value


def circle_of(machine: Machine, bought: Sequence[str], first_player: int = 0) -> Setup:
    """These patches first, in this order; the 2-1 patch last, where it is on offer only when hardly any others are left."""
    mark = token_patch(machine)
    first = [name for name in bought if name != mark]
    return Setup((*first, *(p.name for p in machine.regular if p.name not in first and p.name != mark), mark), None, first_player)


def told_of(machine: Machine, bought: Sequence[str], first_player: int = 0) -> Setup:
    """All of these first, in this order, with the token before them whatever the rules say about its place."""
    return Setup((*bought, *(p.name for p in machine.regular if p.name not in bought)), 0, first_player)


def laid(engine: Engine, schedule: Sequence[Move], plan: Mapping[tuple[int, str], int] | None = None, first_player: int = 0,
         holes: Mapping[int, int] | None = None, anywhere: bool = False) -> Game | None:
    """The game, or None when it is illegal or a patch finds no place where it was looked for.

    ``plan`` gives cells (a mask) by player and patch; other patches go where they touch most of what lies there, special
    patches to the last free cell that no plan keeps, of ``holes`` first (masks by player). With ``anywhere`` the set-up tells
    where the token stands, and the 2-1 patch is a patch like others.
    """
    machine = engine.machine
    bought = [machine.patches[p].name for _, p in schedule if p is not None and machine.patches[p].regular]
    setup = circle_of(machine, bought, first_player) if not anywhere else told_of(machine, bought, first_player)
    state, actions = engine.start(setup), list[Action]()
    kept = [0, 0]
    for (who, _), mask in (plan or {}).items():
        kept[who] |= mask
    for form, patch in schedule:
        option = next((o for o in engine.backend.options(state.values) if o[0] == form and (patch is None or o[1] == patch)), None)
        if option is None:
            return None
        turn, table = state.number("turn"), option[2]
        if table is None:
            action = engine.action(option, 0)
        else:
            quilt, free = state.number("quilt", turn), list(bits(option[3]))
            name = machine.patches[patch].name if patch is not None else ""
            wanted = (plan or {}).get((turn, name))
            if machine.actions[form].type == "special":
                outside = [k for k in free if not table.masks[k] & kept[turn]]
                spots = [k for k in outside if table.masks[k] & (holes or {}).get(turn, 0)] or outside or free
                action = engine.action(option, spots[-1])
            elif wanted is not None:
                if not any(table.masks[k] == wanted for k in free):
                    return None
                action = Action("buy", name, cells_of(wanted))
            else:
                spots = [k for k in free if not table.masks[k] & kept[turn]] or free
                action = engine.action(option, max(spots, key=lambda k: (_touching(table.masks[k], quilt, machine.board.columns, machine.board.cells), -table.masks[k])))
        state = engine.apply(state, action)
        actions.append(action)
    return setup, tuple(actions)


def _touching(mask: int, quilt: int, columns: int, cells: int) -> int:
    """How many sides of the cells lie against filled cells or the border."""
    left = sum(1 << cell for cell in range(0, cells, columns))
    right = left << columns - 1
    found = (mask << columns & quilt).bit_count() + (mask >> columns & quilt).bit_count()
    found += ((mask & ~right) << 1 & quilt).bit_count() + ((mask & ~left) >> 1 & quilt).bit_count()
    return found + (mask & left).bit_count() + (mask & right).bit_count() + (mask & ((1 << columns) - 1)).bit_count() + (mask >> cells - columns).bit_count()
