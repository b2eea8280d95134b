"""Games of few actions in which a special patch is passed with a full quilt (``liquid`` finds the schedules)."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence

from patchwork_ref.ambiguity.bare import Move
from patchwork_ref.ambiguity.games import Game, parting
from patchwork_ref.ambiguity.laid import laid, token_patch
from patchwork_ref.ambiguity.liquid import Liquid, payments_ahead
from patchwork_ref.ambiguity.resewn import sewn_whole
from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.state import Values
from patchwork_ref.playfacts.bounds import Numbers

SEWING = 5.0
"""Seconds of search for one quilt."""
RIVAL = 0.2
"""What a button counts that the other player holds: enough to go on with."""


class FullQuilt(Liquid):
    """Schedules by the number of their actions, in which ``filler`` (a seat) fills the quilt and then parts the Machines by passing a special patch.

    Of the states with the tokens on the same spaces ``width`` are kept: those in which the filler has most cells filled and most
    buttons in hand and to come. The patch by which the rules find the token's place is left alone.
    """

    jitter = 1.0
    """Buttons by which a rank is blurred, so that another search finds other schedules."""

    def __init__(self, a: Engine, b: Engine, filler: int, source: random.Random, width: int) -> None:
        cells = range(a.machine.board.cells)
        super().__init__(a, b, {0: cells, 1: cells})
        self.filler, self.source, self.width = filler, source, width
        self.mark = next(i for i, p in enumerate(self.patches) if p.name == token_patch(a.machine))
        self.ahead = payments_ahead(Numbers(a.machine))

    def games(self) -> Iterator[Game]:
        """Games that part the Machines, the shorter first; where the token stands is left to the rules."""
        tried: dict[frozenset[str], tuple[dict[str, int], int] | None] = {}
        for moves, state in self.schedules():
            names = frozenset(self.bought(state, self.filler))
            if names not in tried:
                tried[names] = sewn_whole(self.a.machine, names, self.source, SEWING)
            sewn = tried[names]
            if sewn is not None:
                game = laid(self.a, moves, {(self.filler, name): mask for name, mask in sewn[0].items()}, 0, {self.filler: sewn[1]})
                if game is not None and parting(self.a, self.b, *game) is not None:
                    yield game

    def stage(self, state: Values, moves: Sequence[Move]) -> int:
        return len(moves)

    def kept(self, level: Collection[Values]) -> Iterable[Values]:
        def kind(state: Values) -> object:
            return self.track.get(state, "space", 0), self.track.get(state, "space", 1), self.turn(state)

        return self.best_of_each(level, kind, self.rank, self.width)

    def allowed(self, before: Values, after: Values) -> bool:
        return self.mark in self.left(after)

    def met(self, after: Values, other: Values) -> bool:
        return after != other

    def rank(self, state: Values) -> float:
        get = self.track.get
        money = [get(state, "buttons", who) + get(state, "income", who) * self.ahead[get(state, "space", who)] for who in (0, 1)]
        return self.filled(state, self.filler) + money[self.filler] + RIVAL * money[1 - self.filler] + self.source.gauss(0, self.jitter)
