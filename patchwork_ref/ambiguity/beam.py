"""Schedules of a plan by beam search: at each number of actions the richest few of each kind are followed.

What a plan asks for is mostly money in time. So states are ranked by what its players would hold at the end if they bought
the rest of their plans at once: buttons, income at the payments ahead, less the prices of what is not bought yet, and a
button for each space that the plan leaves over for advances.
"""

from __future__ import annotations

import random
import time
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache

from patchwork_ref.ambiguity.bare import Move
from patchwork_ref.ambiguity.seek import Planned
from patchwork_ref.machine.state import Values

JITTER = 3.0
"""Buttons by which a rank is blurred, so that another search finds other schedules."""

Open = tuple[int, int, int, int, int]
"""Of the planned patches that nobody has bought: how many, their time, price and income, and the longest time of one."""


class Beam:
    """Follows a plan. Of the states with the tokens on the same spaces ``width`` are kept; when ``fine``, so many for each
    number of purchases made. The last planned purchase is made on a space before ``until`` (when not given, the last one)."""

    def __init__(self, planned: Planned, source: random.Random, width: int = 1, fine: bool = False, until: int | None = None) -> None:
        self.planned, self.source, self.width, self.fine = planned, source, width, fine
        track = planned.track
        self.space, self.buttons, self.income = ([track.places[name, who] for who in (0, 1)] for name in ("space", "buttons", "income"))
        marks, last = track.machine.constants["income_spaces"].value, track.machine.constants["last_space"].value
        assert isinstance(marks, tuple) and isinstance(last, int)
        self.until = until if until is not None else last
        self.ahead = [len(marks) - bisect_right(sorted(int(m) for m in marks), space) for space in range(last + 1)]
        self.plan = [{p: (spaces, cost, -less) for who, p in planned.masks if who == seat for spaces, cost, less in (planned.numbers[p],)} for seat in (0, 1)]
        self.open = cache(self._open)

    def found(self, most: int, end: float) -> Iterator[list[Move]]:
        """Schedules of at most so many actions that part the Machines, the shorter first; up to a moment of process time."""
        planned, track = self.planned, self.planned.track
        level: list[tuple[Values, list[Move]]] = [(track.put(track.start(first), circle=planned.offered), []) for first in (0, 1)]
        for _ in range(most):
            reached: dict[Values, list[Move]] = {}
            for state, moves in level:
                if time.process_time() > end:
                    return
                for form, patch, cells in planned.moves(state):
                    after, parts = planned.after(state, form, patch, cells)
                    if parts:
                        yield [*moves, (form, patch)]
                    elif after not in reached:
                        reached[after] = [*moves, (form, patch)]
            level = self._kept(reached)
            if not level:
                return

    def _kept(self, reached: dict[Values, list[Move]]) -> list[tuple[Values, list[Move]]]:
        ranked: dict[tuple[object, ...], list[tuple[float, Values]]] = {}
        for state in reached:
            open_ = self.open(state[self.planned.track.circle])
            rank = self._rank(state, open_)
            if rank is not None:
                kind = (state[self.space[0]], state[self.space[1]], *((open_[0][0], open_[1][0]) if self.fine else ()))
                ranked.setdefault(kind, []).append((rank + self.source.random() * JITTER, state))
        return [(state, reached[state]) for held in ranked.values() for _, state in sorted(held, key=lambda h: -h[0])[: self.width]]

    def _open(self, circle: tuple[int, ...]) -> tuple[Open, Open]:
        """What each player's plan has open."""
        found = []
        for plan in self.plan:
            number = spaces = cost = income = longest = 0
            for patch in circle:
                if patch in plan:
                    time_, price, gain = plan[patch]
                    number, spaces, cost, income, longest = number + 1, spaces + time_, cost + price, income + gain, max(longest, time_)
            found.append((number, spaces, cost, income, longest))
        return found[0], found[1]

    def _rank(self, state: Values, open_: tuple[Open, Open]) -> float | None:
        """None where the spaces left are too few for the plan."""
        found = 0.0
        for who in self.planned.planners:
            space: int = state[self.space[who]]  # type: ignore[assignment]
            number, spaces, cost, income, longest = open_[who]
            over, ahead = self.until - space - spaces, self.ahead[space]
            if number and over <= -longest:
                return None
            found += state[self.buttons[who]] + state[self.income[who]] * ahead - cost + income * max(ahead - 1, 0) + max(0, over)  # type: ignore[operator]
        return found
