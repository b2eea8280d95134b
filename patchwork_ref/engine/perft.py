"""How many sequences of legal actions there are of a given length. The last action is counted without being taken."""

from __future__ import annotations

from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.state import State, Values
from patchwork_ref.polyomino import bits


def perft(engine: Engine, state: State, depth: int) -> int:
    """The number of sequences of exactly ``depth`` legal actions; 1 for depth 0."""
    return _perft(engine, state.values, depth)


def divide(engine: Engine, state: State, depth: int) -> list[tuple[Action, int]]:
    """The same by first action."""
    return [(action, perft(engine, engine.apply(state, action), depth - 1)) for action in engine.legal(state)] if depth > 0 else []


def _perft(engine: Engine, state: Values, depth: int) -> int:
    if depth == 0:
        return 1
    options = engine.backend.options(state)
    if depth == 1:
        return sum(option[3].bit_count() for option in options)
    run = engine.backend.run
    total = 0
    for form, patch, table, found in options:
        if table is None:
            total += _perft(engine, run(form, state, patch, None), depth - 1)
        else:
            masks = table.masks
            total += sum(_perft(engine, run(form, state, patch, masks[k]), depth - 1) for k in bits(found))
    return total
