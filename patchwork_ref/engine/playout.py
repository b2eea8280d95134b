"""The fast path: whole games on raw values, no records, no objects, and only the fields that some rule reads."""

from __future__ import annotations

import random
from collections.abc import Iterator

from patchwork_ref.engine.compile import Compiled, compiled
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.policies import LONGEST, nth_bit
from patchwork_ref.engine.used import lean_layout
from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import Values


class Playouts:
    """Uniform random games of one Machine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.backend: Compiled = compiled(engine.machine, lean_layout(engine.machine))

    def start(self, setup: Setup) -> Values:
        """The lean first state."""
        full = self.engine.start(setup)
        return tuple(full.get(name, who) for name, who in self.backend.layout.names)

    def states(self, setup: Setup, source: random.Random) -> Iterator[Values]:
        """Every state of a game, the first one included."""
        state, options, runs, turn = self.start(setup), self.backend.options, self.backend.runs, self.backend.turn
        yield state
        for _ in range(LONGEST):
            found = options(state)
            if not found:
                return
            state = _stepped(state, found, runs, turn, source)
            yield state

    def game(self, state: Values, source: random.Random) -> tuple[Values, int]:
        """A game from a state to its end: the last state and the number of actions."""
        options, runs, turn = self.backend.options, self.backend.runs, self.backend.turn
        randrange = source.randrange
        for number in range(LONGEST):
            found = options(state)
            if not found:
                return state, number
            total = 0
            for option in found:
                total += option[3].bit_count()
            pick = randrange(total)
            for option in found:
                size = option[3].bit_count()
                if pick < size:
                    break
                pick -= size
            form, patch, table, held = option
            cells = table.masks[nth_bit(held, pick)] if table is not None else None
            state = runs[form][state[turn]](state, patch, cells)
        return state, LONGEST


def _stepped(state: Values, found: list, runs: tuple, turn: int, source: random.Random) -> Values:  # type: ignore[type-arg]
    pick = source.randrange(sum(option[3].bit_count() for option in found))
    for form, patch, table, held in found:
        size = held.bit_count()
        if pick < size:
            after: Values = runs[form][state[turn]](state, patch, table.masks[nth_bit(held, pick)] if table is not None else None)
            return after
        pick -= size
    raise AssertionError
