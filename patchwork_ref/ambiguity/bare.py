"""The game without quilts and with every patch on offer: an easier game, so that what takes n actions here takes no fewer there.

It is played by the rulebook's own Machine, with an offer as large as the circle and purchases that cover no cell. A real
game is a game of this kind too: a circle may bring the patches in any order, and quilts only forbid. Two things are not
seen here, because no quilt ever fills: a square that is filled, and a special patch lost on a full quilt. A question about
these says how many patches of which player they take at least (``needs``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.setup import Setup, customised
from patchwork_ref.machine.state import Values

NEVER = 10**6
"""More than any number of actions."""
RICH = 10**4
"""Buttons that pay for everything."""

Move = tuple[int, int | None]
"""A form's number, and the patch's number of a purchase."""
Needs = tuple[int, int]
"""How many purchases each player has yet to make."""


class Track:
    """Two Machines, or one, on the time board alone."""

    def __init__(self, a: Machine, b: Machine | None = None, specials: bool = True) -> None:
        wide = {"on_offer": len(a.regular)}
        self.machine = a
        self.engines = [Engine(customised(machine, wide)) for machine in (a, b if b is not None else a)]
        self.plain = Engine(a)
        self.one, self.other = (engine.backend for engine in self.engines)
        self.places = self.engines[0].layout.places
        self.buys = {i for i, form in enumerate(a.actions) if form.type == "buy" and not form.discards}
        self.placing = {i for i, form in enumerate(a.actions) if form.type == "special"}
        self.specials = specials  # whether there are special patches to be won
        self.circle, self.turn, self.over = self.places["circle", None], self.places["turn", None], self.one.over

    def start(self, first_player: int = 0) -> Values:
        ids = tuple(p.name for p in self.machine.regular)
        state = self.engines[0].start(Setup(ids, 0, first_player)).values
        state = self.put(state, circle=tuple(sorted(state[self.circle])))  # type: ignore[arg-type]
        return state if self.specials else self.put(state, special_spaces=0)

    def put(self, state: Values, **fields: object) -> Values:
        changed = list(state)
        for name, value in fields.items():
            changed[self.places[name, None]] = value  # type: ignore[call-overload]
        return tuple(changed)

    def get(self, state: Values, field: str, who: int | None = None) -> int:
        return state[self.places[field, who]]  # type: ignore[return-value]

    def moves(self, state: Values) -> Iterator[Move]:
        """Every kind of action, a purchase by its patch."""
        for form, patch, _, _ in self.one.options(state):
            yield form, patch

    def after(self, state: Values, move: Move) -> Values:
        """The state behind a move of the first Machine."""
        form, patch = move
        found = self.one.run(form, state, patch, 0)
        return (*found[: self.circle], tuple(sorted(found[self.circle])), *found[self.circle + 1 :]) if form in self.buys else found  # type: ignore[arg-type]


Goal = Callable[[Track, Values, Move, Values], bool]
"""Whether a move (from the state, the state behind it) is what is looked for, all needs being met."""


def parting(track: Track, before: Values, move: Move, after: Values) -> bool:
    """The two Machines come to other states, to an end or not, or list other actions."""
    form, patch = move
    left, right = track.one.run(form, before, patch, 0), track.other.run(form, before, patch, 0)
    return left != right or track.one.over(left) != track.other.over(right) or [o[:2] for o in track.one.options(left)] != [o[:2] for o in track.other.options(right)]


def ending(track: Track, before: Values, move: Move, after: Values) -> bool:
    """The game is over."""
    return track.over(after)


class Penniless:
    """Distances in the game where everything can be paid for, every quilt has income, and only the patches of the longest
    times are counted: never more than the distance in the game with money."""

    def __init__(self, track: Track, goal: Goal = parting, counted: int = 3) -> None:
        self.track, self.goal = track, goal
        patches = track.machine.patches
        self.time = {i: p.numbers["time"] for i, p in enumerate(patches) if p.regular}
        times = sorted(set(self.time.values()))
        self.scarce = times[len(times) - counted :]
        self.bearer = {t: next(i for i in self.time if self.time[i] == t) for t in times}
        self.kept: dict[tuple[object, ...], int] = {}
        hidden = ("owned", "supply", "specials", "quilt", "circle")
        self.known = [at for (name, _), at in track.places.items() if name not in hidden]
        self.rich = {track.places["buttons", who]: RICH for who in (0, 1)} | {track.places["income", who]: 1 for who in (0, 1)} | {track.places["supply", None]: RICH}

    def least(self, needs: Needs = (0, 0)) -> int:
        """The least number of actions from the start, whoever begins."""
        return min(self.distance(self.track.start(first), needs) for first in (0, 1))

    def distance(self, state: Values, needs: Needs = (0, 0)) -> int:
        """The least number of further actions, the goal's among them; at least ``NEVER`` when there is no way."""
        held = Counter(self.time[i] for i in state[self.track.circle])  # type: ignore[union-attr]
        return self._from(self._plain(state), tuple(held[t] for t in self.scarce), needs)

    def _plain(self, state: Values) -> Values:
        changed = list(state)
        for at, value in self.rich.items():
            changed[at] = value
        return tuple(changed)

    def _from(self, state: Values, left: tuple[int, ...], needs: Needs) -> int:
        key = (*(state[at] for at in self.known), left, needs)
        if key in self.kept:
            return self.kept[key]
        track = self.track
        state = track.put(state, circle=tuple(i for t, i in self.bearer.items() if t not in self.scarce or left[self.scarce.index(t)]))
        best, turn = NEVER, state[track.turn]
        for form, patch in track.moves(state):
            reached, rest, open_ = track.after(state, (form, patch)), left, needs
            if form in track.buys:
                open_ = (max(0, needs[0] - (turn == 0)), max(0, needs[1] - (turn == 1)))
                if (t := self.time[patch]) in self.scarce:  # type: ignore[index]
                    at = self.scarce.index(t)
                    rest = (*left[:at], left[at] - 1, *left[at + 1 :])
            if open_ == (0, 0) and self.goal(track, state, (form, patch), reached):
                best = 1
                break
            best = min(best, 1 + self._from(self._plain(reached), rest, open_))
        self.kept[key] = best
        return best
