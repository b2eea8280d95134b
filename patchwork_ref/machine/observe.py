"""What can be seen of a state: the protocol's ``state`` object."""

from __future__ import annotations

from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import cells_of, text_of


def observed(machine: Machine, state: State, over: bool) -> dict[str, object]:
    """Every field of the protocol's ``state``; ``turn`` is null when the game is over."""
    turn = state.get("turn")
    return {
        "turn": None if over else turn,
        "pending_special": 0 if over else state.number("pending", state.number("turn")),
        "finished": over,
        "players": [
            {
                "buttons": state.number("buttons", who),
                "space": state.number("space", who),
                "income": state.number("income", who),
                "quilt": text_of(state.number("quilt", who), machine.board),
                "special_tile": bool(state.get("special_tile", who)),
            }
            for who in (0, 1)
        ],
        "circle": [machine.patches[i].name for i in state.circle()],
        "special_spaces": list(cells_of(state.number("special_spaces"))),
    }
