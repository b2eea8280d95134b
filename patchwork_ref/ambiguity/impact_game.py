"""One game under two readings: the same set-up, the same policy, and the same choices for as long as the two agree.

Choice number n of a game draws from a stream of its own, seeded by the run's seed, the policy, the game's number and n.
While what an observer sees is the same on both sides, the choice is made once and taken on both. Where one side allows
what the other does not, it is made on the side that allows more; if the other allows it too, both take it, else the
other side chooses for itself from the same stream, and the games part there. After the parting each side goes on alone,
its choice number n still drawing from stream number n.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from patchwork_ref.ambiguity.impact_side import Move, Side, move_of, parting_choice, same_options
from patchwork_ref.engine.compile import Option
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.policies import LONGEST, Policy
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup, shuffled
from patchwork_ref.machine.state import State, Values


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a game under two readings. Players are told by who began: index 0 is the start player.

    ``parted`` is the number of the action after which an observer could tell the sides apart (0 for the set-up, None for
    never), by ``what``: state, choice or score. ``open`` is the number of the first action, up to the parting, at which
    some legal action that was looked at would have parted them (None: none was seen). ``scores`` and ``winners`` (0, 1 or
    None for nobody) are those of the two sides; ``finished`` is whether both games came to their end.
    """

    parted: int | None
    what: str
    open: int | None
    scores: tuple[tuple[int, int], tuple[int, int]]
    winners: tuple[int | None, int | None]
    finished: bool


@dataclass(frozen=True, slots=True)
class Opening:
    """A set-up and the first actions, which every game of a run takes; the last one may be legal on one side alone."""

    setup: Setup
    actions: tuple[Action, ...]


class Pair:
    """Two rules to be played side by side."""

    def __init__(self, a: Engine, b: Engine) -> None:
        self.sides = (Side(a), Side(b))

    def game(self, seed: int | str, name: str, choose: Policy, number: int, opening: Opening | None = None) -> Result:
        """Game ``number`` of a run. Its set-up depends on seed and number alone, so that every policy and every pair of
        readings plays the same ones; ``name`` is the policy's."""
        setup = opening.setup if opening is not None else shuffled(self.sides[0].engine.machine, f"impact {seed} {number}")
        return _Game(self.sides, choose, f"{seed} {name} {number}").played(setup, opening.actions if opening is not None else ())


class _Game:
    def __init__(self, sides: tuple[Side, Side], choose: Policy, stream: str) -> None:
        self.sides, self.choose, self.stream = sides, choose, int.from_bytes(random.Random(stream).randbytes(8), "big")
        self.source = random.Random()
        self.number = 0
        self.parted: int | None = None
        self.what = ""
        self.open: int | None = None

    def played(self, setup: Setup, given: Sequence[Action] = ()) -> Result:
        one, other = self.sides
        left, right = one.engine.start(setup).values, other.engine.start(setup).values
        if one.seen(left) != other.seen(right):
            self.part("state")
        left, right = self.opened(left, right, given)
        while self.parted is None and self.number < LONGEST:
            mine, theirs = one.options(left), other.options(right)
            if not mine or not theirs:
                break
            self.number += 1
            left, right = self.together(left, mine, right, theirs)
        agreed = self.number
        left, right = self.alone(one, left, agreed), self.alone(other, right, agreed)
        ends = [(side.totals(values), side.winner(values), side.over(values)) for side, values in ((one, left), (other, right))]
        if self.parted is None and ends[0] != ends[1]:
            self.part("score")
        first = setup.first_player
        scores = [(totals[first], totals[1 - first]) for totals, _, _ in ends]
        winners = [None if winner is None else int(winner != first) for _, winner, _ in ends]
        return Result(self.parted, self.what, self.open, (scores[0], scores[1]), (winners[0], winners[1]), ends[0][2] and ends[1][2])

    def part(self, what: str) -> None:
        self.parted, self.what = self.number, what
        if self.open is None:
            self.open = self.number

    def opened(self, left: Values, right: Values, given: Sequence[Action]) -> tuple[Values, Values]:
        """The given actions, each on the sides where it is legal."""
        one, other = self.sides
        for action in given:
            self.number += 1
            took = one.engine.explain(State(left, one.layout), action) is None, other.engine.explain(State(right, other.layout), action) is None
            left = one.engine.apply(State(left, one.layout), action).values if took[0] else left
            right = other.engine.apply(State(right, other.layout), action).values if took[1] else right
            if self.parted is None and (took[0] != took[1] or one.seen(left) != other.seen(right)):
                self.part("state" if took[0] == took[1] else "choice")
        return left, right

    def together(self, left: Values, mine: list[Option], right: Values, theirs: list[Option]) -> tuple[Values, Values]:
        """One choice on both sides."""
        one, other = self.sides
        alike = same_options(one, mine, other, theirs)
        if self.open is None and (not alike or parting_choice(one, left, mine, other, right)):
            self.open = self.number
        move, same = self.moves(left, mine, right, theirs, alike)
        left, right = one.run(left, move), other.run(right, same)
        if one.named(move) != other.named(same):
            self.part("choice")
        elif left != right and one.seen(left) != other.seen(right):
            self.part("state")
        return left, right

    def moves(self, left: Values, mine: list[Option], right: Values, theirs: list[Option], alike: bool) -> tuple[Move, Move]:
        """What each side takes: the same where that is legal on both."""
        one, other = self.sides
        if not alike and _count(theirs) > _count(mine):
            move = self.chosen(other, right, theirs, self.number)
            return one.translated(other, move, mine) or self.chosen(one, left, mine, self.number), move
        move = self.chosen(one, left, mine, self.number)
        return move, other.translated(one, move, theirs) or self.chosen(other, right, theirs, self.number)

    def alone(self, side: Side, values: Values, number: int) -> Values:
        """One side played on to its end."""
        while number < LONGEST and (options := side.options(values)):
            number += 1
            values = side.run(values, self.chosen(side, values, options, number))
        return values

    def chosen(self, side: Side, values: Values, options: list[Option], number: int) -> Move:
        self.source.seed(self.stream + number)
        return move_of(*self.choose(side.engine, State(values, side.layout), options, self.source))


def _count(options: list[Option]) -> int:
    return sum(option[3].bit_count() for option in options)
