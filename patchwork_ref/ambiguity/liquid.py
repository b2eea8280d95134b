"""Schedules of games in which nearly everything is bought or won: a beam over the time board with liquid quilts.

Who buys what is left open, and where it lies too: a patch fills as many cells as it has, whatever its shape, the first that
are empty in an order that is given. All else (turns, payments, special patches, the square, a full quilt) is played by the
rulebook's own Machines, with every patch on offer. States are followed by the sum of the tokens' spaces, or by actions, the
best of each; what is best, and what is looked for, says the question. Whether the quilts can be sewn is asked of what is found.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import inf
from time import process_time

from patchwork_ref.ambiguity.bare import Move, Track
from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.state import Values
from patchwork_ref.playfacts.bounds import Numbers
from patchwork_ref.polyomino import bits, mask_of


def payments_ahead(numbers: Numbers) -> list[int]:
    """By space, how many payments of income are ahead that can still buy something: all but that on the last space."""
    marks = [mark for mark in numbers.incomes if mark < numbers.last]
    return [len(marks) - bisect_right(marks, space) for space in range(numbers.last + 1)]


class Liquid(ABC):
    """Two Machines (one may do for both), and the order in which each player's cells are filled. Seat 0 begins."""

    def __init__(self, a: Engine, b: Engine, order: Mapping[int, Sequence[int]]) -> None:
        self.a, self.b, self.order = a, b, order
        self.track = Track(a.machine, b.machine)
        self.patches = a.machine.patches
        self.size = [len(p.shape) for p in self.patches]

    @abstractmethod
    def kept(self, level: Collection[Values]) -> Iterable[Values]:
        """Those states to be followed of all at one stage."""

    @abstractmethod
    def allowed(self, before: Values, after: Values) -> bool:
        """Whether what is looked for may still come of a move."""

    @abstractmethod
    def met(self, after: Values, other: Values) -> bool:
        """Whether it has come: the states of the two Machines behind the same move."""

    def stage(self, state: Values, moves: Sequence[Move]) -> int:
        """What states are compared by, and grows with each move; here, the sum of the tokens' spaces."""
        return self.walked(state)

    def places(self, forms: Collection[int]) -> bool:
        """Whether a special patch is placed now, as one of these forms of action; here, as soon as can be."""
        return not self.track.placing.isdisjoint(forms)

    def schedules(self, end: float = inf) -> Iterator[tuple[list[Move], Values]]:
        """Schedules that come to what is looked for, each with the state behind it; up to a moment of process time."""
        levels: dict[int, dict[Values, list[Move]]] = {0: {self.track.start(): []}}
        while levels:
            level = levels.pop(min(levels))
            for state in self.kept(level):
                if process_time() > end:
                    return
                placing, settled, options = self._settled(state)
                for form, patch in options:
                    found = self._after(settled, form, patch)
                    if found is None or not self.allowed(settled, found[0]):
                        continue
                    after, other = found
                    moves = [*level[state], *placing, (form, patch)]
                    if self.met(after, other):
                        yield moves, after
                    levels.setdefault(self.stage(after, moves), {}).setdefault(after, moves)

    def _settled(self, state: Values) -> tuple[list[Move], Values, list[Move]]:
        """The special patches of the player to move placed: how, the state behind it, and what can be done there."""
        placing: list[Move] = []
        while True:
            options = self._options(state)
            if not self.places({form for form, _ in options}):
                return placing, state, [move for move in options if move[0] not in self.track.placing]
            form = next(form for form, _ in options if form in self.track.placing)
            found = self._after(state, form, None)
            if found is None:
                return placing, state, []
            state = found[0]
            placing.append((form, None))

    def _options(self, state: Values) -> list[Move]:
        """What can be done if all fits: in quilts that are liquid only the number of cells counts."""
        changed = list(state)
        for who in (0, 1):
            changed[self.track.places["quilt", who]] = 0
        return [(form, patch) for form, patch in self.track.moves(tuple(changed)) if not self.a.machine.actions[form].discards]

    def _after(self, state: Values, form: int, patch: int | None) -> tuple[Values, Values] | None:
        """The two states behind a move; None where too few cells are empty."""
        number = 1 if form in self.track.placing else self.size[patch] if patch is not None else 0
        turn = self.turn(state)
        quilt = self.track.get(state, "quilt", turn)
        free = [cell for cell in self.order[turn] if not quilt >> cell & 1][:number]
        if len(free) < number:
            return None
        left = self.track.one.run(form, state, patch, mask_of(free))
        right = self.track.other.run(form, state, patch, mask_of(free)) if self.a is not self.b else left
        return self._sorted(left), self._sorted(right)

    def _sorted(self, state: Values) -> Values:
        """The order of the circle does not matter while all is on offer."""
        at = self.track.circle
        return (*state[:at], tuple(sorted(self.left(state))), *state[at + 1 :])

    def best_of_each(self, level: Collection[Values], kind: Callable[[Values], object], rank: Callable[[Values], float], width: int) -> list[Values]:
        """So many states of each kind, those that rank highest."""
        kinds: dict[object, list[tuple[float, Values]]] = {}
        for state in level:
            kinds.setdefault(kind(state), []).append((rank(state), state))
        return [state for held in kinds.values() for _, state in sorted(held, key=lambda h: -h[0])[:width]]

    def left(self, state: Values) -> tuple[int, ...]:
        """The patches that nobody has bought."""
        return state[self.track.circle]  # type: ignore[return-value]

    def turn(self, state: Values) -> int:
        return state[self.track.turn]  # type: ignore[return-value]

    def walked(self, state: Values) -> int:
        """The sum of the tokens' spaces."""
        return sum(self.track.get(state, "space", who) for who in (0, 1))

    def filled(self, state: Values, who: int) -> int:
        """How many cells of a quilt are."""
        return self.track.get(state, "quilt", who).bit_count()

    def bought(self, state: Values, who: int) -> set[str]:
        return {self.patches[i].name for i in bits(self.track.get(state, "owned", who))}

    def replayed(self, moves: Sequence[Move]) -> Iterator[Values]:
        """The states of a schedule, one behind each move."""
        state = self.track.start()
        for form, patch in moves:
            found = self._after(state, form, patch)
            assert found is not None
            state = found[0]
            yield state
