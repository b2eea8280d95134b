"""Games in which buttons or patches run out, beside readings under which they hardly ever do (``liquid`` finds the schedules)."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import inf

from patchwork_ref.ambiguity.games import Game, next_apart, parting
from patchwork_ref.ambiguity.laid import circle_of, laid, token_patch
from patchwork_ref.ambiguity.liquid import Liquid, payments_ahead
from patchwork_ref.ambiguity.resewn import filled, sewn_whole
from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.state import Values
from patchwork_ref.playfacts.bounds import Numbers
from patchwork_ref.playfacts.paying import recognised
from patchwork_ref.playfacts.together import together
from patchwork_ref.polyomino import bits, squares

SEWING = 5.0
"""Seconds of search for one quilt."""


class NoButtons(Liquid):
    """The two hold more than all buttons together, one of them (``winner``, a seat) with a special tile that pays at once for a purchase.

    Ranked by the bound on buttons; the better the ``weights`` for it, the better is the rank. ``a`` pays in full, ``b`` what there is.
    """

    width = 1000
    """States that are kept for each sum of spaces."""

    def __init__(self, a: Engine, b: Engine, winner: int, weights: Mapping[str, int]) -> None:
        self.numbers = Numbers(a.machine)
        inside = list(bits(squares(a.machine.board, self.numbers.side)[0]))
        outside = [cell for cell in range(a.machine.board.cells) if cell not in inside]
        super().__init__(a, b, {winner: inside + outside, 1 - winner: outside + inside})
        self.winner, self.area = winner, len(inside)
        self.solo = together(self.numbers, recognised(a.machine), tuple(sorted(weights.items())))
        known = dict(zip(self.numbers.names, self.solo.weights, strict=True))
        self.weights = [known.get(p.name, 0) for p in self.patches]

    def games(self, source: random.Random) -> Iterator[Game]:
        """Games that part the Machines, their set-ups telling where the token stands."""
        tried: dict[frozenset[str], tuple[dict[str, int], int] | None] = {}
        for moves, _ in self.schedules():
            won = next((state for state in self.replayed(moves) if self.track.get(state, "special_tile", self.winner)), None)
            if won is None:
                continue
            names = frozenset(self.bought(won, self.winner))
            if names not in tried:
                special = self.area - sum(len(p.shape) for p in self.patches if p.name in names)
                tried[names] = filled(self.a.machine, names, self.numbers.side, special, source, SEWING)
            sewn = tried[names]
            if sewn is not None:
                game = laid(self.a, moves, {(self.winner, name): mask for name, mask in sewn[0].items()}, 0, {self.winner: sewn[1]}, True)
                if game is not None and parting(self.a, self.b, *game) is not None:
                    yield game

    def kept(self, level: Collection[Values]) -> Iterable[Values]:
        return sorted(level, key=self.rank, reverse=True)[: self.width]

    def allowed(self, before: Values, after: Values) -> bool:
        """The square is filled to the cell: none of its patches sticks out."""
        get, who = self.track.get, self.winner
        filling = get(after, "special_tile", who) and not get(before, "special_tile", who)
        return not filling or self.filled(after, who) == self.area

    def met(self, after: Values, other: Values) -> bool:
        return after != other

    def rank(self, state: Values) -> int:
        """The bound on the buttons at the end."""
        solo, get = self.solo, self.track.get
        found = sum(self.weights[i] for i in self.left(state))
        for who in (0, 1):
            space, buttons, income = (get(state, name, who) for name in ("space", "buttons", "income"))
            if who == self.winner and not get(state, "special_tile", who):
                won = self.area - solo.needed[space]  # special patches that the bound takes for won
                found += solo.bound_to_tile(space, buttons, income) + solo.square * (self.filled(state, who) - won)
            else:
                found += solo.bound(space, buttons, income)
        return found


class NoPatches(Liquid):
    """Fewer patches are left than belong on offer, and the player to move could buy one of them.

    That takes two full quilts, all but the largest patch on them, in nearly all the time there is. So what counts among states
    with the tokens on the same spaces and as many spaces walked is money: buttons, income at the payments ahead, less what is
    still to be paid. ``a`` has what is left on offer, ``b`` has not. So many states of each kind are kept (``width``). With
    ``anywhere`` the set-ups tell where the token stands.
    """

    jitter = 1.0
    """Buttons by which a rank is blurred, so that another search finds other schedules."""

    def __init__(self, a: Engine, b: Engine, source: random.Random, width: int = 10, anywhere: bool = True) -> None:
        cells = range(a.machine.board.cells)
        super().__init__(a, a, {0: cells, 1: cells})
        self.none, self.source, self.width, self.anywhere = b, source, width, anywhere
        self.numbers = Numbers(a.machine)
        self.offer = int(a.machine.constants["offer_size"].value)  # type: ignore[arg-type]
        self.price, self.time, self.income = ([int(p.numbers.get(name, 0)) for p in self.patches] for name in ("cost", "time", "income"))
        self.mark = next(i for i, p in enumerate(self.patches) if p.name == token_patch(a.machine))
        self.mark_first = a.start(circle_of(a.machine, ())).circle()[0] == self.mark
        self.ahead = payments_ahead(self.numbers)

    def games(self, end: float = inf) -> Iterator[Game]:
        """Games that part the two; up to a moment of process time."""
        tried: dict[frozenset[str], tuple[dict[str, int], int] | None] = {}
        for moves, state in self.schedules(end):
            turn = self.turn(state)
            for closing in self._closing(state):
                plan, holes = dict[tuple[int, str], int](), dict[int, int]()
                for who in (0, 1):
                    names = frozenset(self.bought(state, who) | ({self.patches[closing].name} if who == turn else set()))
                    if names not in tried:
                        tried[names] = sewn_whole(self.a.machine, names, self.source, SEWING)
                    sewn = tried[names]
                    if sewn is None:
                        break
                    plan |= {(who, name): mask for name, mask in sewn[0].items()}
                    holes[who] = sewn[1]
                found = laid(self.a, moves, plan, 0, holes, self.anywhere) if len(holes) == 2 else None
                if found is not None:
                    game = found[0], found[1] + next_apart(self.a, self.none, found)
                    if parting(self.a, self.none, *game) is not None:
                        yield game

    def kept(self, level: Collection[Values]) -> Iterable[Values]:
        def kind(state: Values) -> object:
            return self.track.get(state, "space", 0), self.turn(state), sum(self.time[i] for i in self.left(state))

        return self.best_of_each(level, kind, self.rank, self.width)

    def places(self, forms: Collection[int]) -> bool:
        """Only when nothing else can be done: a special patch takes a cell."""
        return bool(forms) and self.track.placing.issuperset(forms)

    def allowed(self, before: Values, after: Values) -> bool:
        """Cells and time are left for all but the patches that may stay, the largest and the longest."""
        left, numbers = self.left(after), self.numbers
        filled = sum(self.filled(after, who) for who in (0, 1))
        sizes, times = sorted(self.size[i] for i in left), sorted(self.time[i] for i in left)
        stay = self.offer - 1  # those that are on offer at the end; of them one is bought, and needs cells, but no time
        cells = filled + sum(sizes[: len(sizes) - stay + 1]) <= 2 * numbers.cells
        time = sum(times[: len(times) - stay]) <= 2 * numbers.last - self.walked(after) + numbers.longest
        return len(left) >= stay and cells and time and (self.anywhere or self._in_turn(self.left(before), left))

    def _in_turn(self, held: tuple[int, ...], left: tuple[int, ...]) -> bool:
        """The patch by which the rules find the token's place is bought last, or first where it comes first."""
        bought = self.mark in held and self.mark not in left
        return not bought or len(held) <= self.offer or (self.mark_first and len(held) == len(self.numbers.names))

    def met(self, after: Values, other: Values) -> bool:
        return len(self.left(after)) < self.offer and bool(self._closing(after))

    def _closing(self, state: Values) -> list[int]:
        """The patches that the player to move could pay for and has cells for."""
        turn = self.turn(state)
        free = self.numbers.cells - self.filled(state, turn) - self.track.get(state, "pending", turn)
        held = self.track.get(state, "buttons", turn)
        return [i for i in self.left(state) if self.price[i] <= held and self.size[i] <= free]

    def rank(self, state: Values) -> float:
        get = self.track.get
        found, open_ = self.source.gauss(0, self.jitter), 0.0
        for who in (0, 1):
            ahead = self.ahead[get(state, "space", who)]
            found += get(state, "buttons", who) + get(state, "income", who) * ahead
            open_ += ahead / 4  # what is bought half way on, by either, pays as often in the mean
        return found - sum(self.price[i] - self.income[i] * open_ for i in self.left(state))
