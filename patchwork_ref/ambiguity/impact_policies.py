"""A policy that makes the most of one reading against another, for any two readings: it looks one action ahead under both."""

from __future__ import annotations

import random

from patchwork_ref.ambiguity.impact_side import Move, Side, differ, move_of, spread
from patchwork_ref.engine.compile import Option
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.policies import Policy, greedy
from patchwork_ref.machine.state import State, Values

WEIGHED = 4
"""Placements of each patch that are weighed."""

Gain = tuple[int, int, int, int]
NOTHING: Gain = (0, 0, 0, 0)


def exploiting(favoured: Side, against: Side) -> Policy:
    """Prefers the action whose outcome under the favoured reading is better for the mover than under the other: first in
    who wins (where that ends the game), then in the lead of points, then in having the next move or special patches to
    place, then in being different at all, as is an action that the favoured reading alone allows. Among equals it plays
    as the greedy policy does. Under both readings it chooses alike: it acts as if the favoured one held."""

    def choose(engine: Engine, state: State, options: list[Option], source: random.Random) -> tuple[Option, int]:
        here = favoured if engine is favoured.engine else against
        weigh = _Weigh(here, favoured, against, state.values, options)
        best = greedy(engine, state, options, source)
        most = weigh.gain(move_of(*best))
        shift = source.getrandbits(16)
        for option in options:
            for bit in spread(option[3], WEIGHED, shift):
                found = weigh.gain(move_of(option, bit))
                if found > most:
                    best, most = (option, bit), found
        return best

    return choose


class _Weigh:
    """One state under both readings."""

    def __init__(self, here: Side, favoured: Side, against: Side, values: Values, options: list[Option]) -> None:
        self.here, self.favoured, self.against = here, favoured, against
        self.mine, self.theirs = favoured.from_other(here, values), against.from_other(here, values)
        self.allowed = options if here is favoured else favoured.options(self.mine)
        self.others = options if here is against else against.options(self.theirs)
        self.who = here.mover(values)

    def gain(self, move: Move) -> Gain:
        """How much better the mover fares by this move under the favoured reading, the weightiest first."""
        one, other = self.favoured.translated(self.here, move, self.allowed), self.against.translated(self.here, move, self.others)
        if one is None or other is None:
            return 0, 0, 0, (one is not None) - (other is not None)
        left, right = self.favoured.run(self.mine, one), self.against.run(self.theirs, other)
        if not differ(self.favoured, left, self.against, right):
            return NOTHING
        a, b = self.standing(self.favoured, left), self.standing(self.against, right)
        return a[0] - b[0], a[1] - b[1], a[2] - b[2], 1

    def standing(self, side: Side, values: Values) -> tuple[int, int, int]:
        """Won, lost or open; the lead of points; the next move and the special patches that wait."""
        totals = side.totals(values)
        lead = totals[self.who] - totals[1 - self.who]
        if not side.over(values):
            return 0, lead, (side.mover(values) == self.who) + side.waiting(values, self.who)
        winner = side.winner(values)
        return 0 if winner is None else 1 if winner == self.who else -1, lead, 0
