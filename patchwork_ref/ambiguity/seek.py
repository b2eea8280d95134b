"""Short games on which two Machines part: schedules on the time board, and plans of quilts for what depends on shapes.

A plan gives cells for some patches of a player. That player buys nothing else, the rival anything; schedules for the plan
are searched depth first, money and planned quilts counted, and become games when they are laid.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from patchwork_ref.ambiguity.bare import Goal, Move, Needs, Penniless, Track
from patchwork_ref.ambiguity.laid import Game, circle_of, laid, token_patch
from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.state import Values
from patchwork_ref.tiling.answers import Possible
from patchwork_ref.tiling.question import SPECIAL, Piece, Question
from patchwork_ref.tiling.search import Limits, search

RIVALS = 2
"""Patches of each time that a rival without a plan may buy, the cheapest."""

WORTH = 5
"""Buttons that a button printed on a patch is taken to be worth in a game at random."""

Plan = Mapping[tuple[int, str], int]
"""Cells (a mask) by player and patch."""


class Guide(Protocol):
    """Says that no fewer actions lead on."""

    def distance(self, state: Values, needs: Needs = ...) -> int: ...


class Counting:
    """The plainest guide: every purchase that is needed is an action."""

    def distance(self, state: Values, needs: Needs = (0, 0)) -> int:
        return sum(needs)


class Planned:
    """The time board with the quilts of a plan. Rivals without a plan buy patches that cover no cell."""

    def __init__(self, a: Machine, b: Machine, plan: Plan, guide: Guide, holes: Mapping[int, int] | None = None, goal: Goal | None = None,
                 anywhere: bool = False, closing: frozenset[str] = frozenset()) -> None:
        self.track, self.goal = Track(a, b), goal
        self.guide, self.holes = guide, dict(holes or {})
        names = {p.name: i for i, p in enumerate(a.patches)}
        self.masks = {(who, names[name]): mask for (who, name), mask in plan.items()}
        self.planners = {who for who, _ in plan}
        self.taken = {names[name] for _, name in plan}
        self.kept = dict.fromkeys((0, 1), 0)
        for (who, _), mask in self.masks.items():
            self.kept[who] |= mask
        self.offer = int(a.constants["offer_size"].value)  # type: ignore[arg-type]
        self.anywhere = anywhere  # whether the neutral token may stand anywhere, so that the 2-1 patch is one like others
        self.mark = names[token_patch(a)] if not anywhere else None
        laid_out = circle_of(a, ())
        self.mark_first = self.track.plain.start(laid_out).circle()[0] == self.mark  # on offer before the first purchase, and then last
        self.needed: Needs = (sum(who == 0 for who, _ in plan), sum(who == 1 for who, _ in plan))
        self.numbers = {i: (p.numbers["time"], p.numbers["cost"], -p.numbers["income"]) for i, p in enumerate(a.patches)}
        track = self.track
        by_time: dict[int, list[int]] = {}
        for i in sorted(range(len(a.patches)), key=lambda i: self.numbers[i]):
            if a.patches[i].regular and i not in self.taken and i != self.mark and len(by_time.setdefault(self.numbers[i][0], [])) < RIVALS:
                by_time[self.numbers[i][0]].append(i)
        self.offered = tuple(sorted({*self.taken, *(i for found in by_time.values() for i in found)}))
        self.closing = {names[name] for name in closing}  # planned patches that are bought when hardly any others are left
        self.regular = tuple(i for i, p in enumerate(a.patches) if p.regular)
        self.discards = False  # whether planned patches may be discarded, where they find no place any more
        self.lists = True  # whether the actions that the two list are compared too
        self.source = random.Random(0)
        self.purses = [track.places["buttons", who] for who in (0, 1)]
        self.seen: dict[tuple[object, ...], list[tuple[int, int, int]]] = {}
        self.nodes = 0

    def shorter(self, most: int, source: random.Random, budget: int = 3000) -> list[Move] | None:
        """A schedule of at most so many actions that parts the Machines; None when none is found within so many states."""
        self.source = source
        self.seen.clear()
        self.nodes = budget
        for first in (0, 1):
            start = self.track.put(self.track.start(first), circle=self.offered)
            if self.guide.distance(start, self.needed) <= most and (found := self._from(start, most, self.needed, [])) is not None:
                return found
        return None

    def _from(self, state: Values, depth: int, needs: Needs, moves: list[Move]) -> list[Move] | None:
        if self.nodes <= 0 or self._beaten(state, depth):
            return None
        self.nodes -= 1
        turn = state[self.track.turn]
        moves_now = list(self.moves(state))
        self.source.shuffle(moves_now)
        for form, patch, cells in sorted(moves_now, key=lambda m: (turn, m[1]) not in self.masks):
            left, parts = self.after(state, form, patch, cells)
            if parts:
                return [*moves, (form, patch)]
            if depth > 1:
                open_ = needs
                if patch is not None and (turn, patch) in self.masks:
                    open_ = (needs[0] - (turn == 0), needs[1] - (turn == 1))
                if self.guide.distance(left, open_) < depth:
                    found = self._from(left, depth - 1, open_, [*moves, (form, patch)])
                    if found is not None:
                        return found
        return None

    def rollout(self, most: int, source: random.Random, keen: float) -> list[Move] | None:
        """One game at random of at most so many actions, up to where the Machines part; purchases come first so often as ``keen`` says."""
        state, moves = self.track.put(self.track.start(source.randrange(2)), circle=self.offered), list[Move]()
        while len(moves) < most and (now := list(self.moves(state))):
            bought = [m for m in now if (state[self.track.turn], m[1]) in self.masks]
            form, patch, cells = source.choice(bought if bought and source.random() < keen else now)
            if patch is not None and bought:  # of two, the one that pays more
                other = source.choice(bought)
                form, patch, cells = max((form, patch, cells), other, key=lambda m: -self.numbers[m[1]][2] * WORTH - self.numbers[m[1]][1])  # type: ignore[index]
            state, parts = self.after(state, form, patch, cells)
            moves.append((form, patch))
            if parts:
                return moves
        return None

    def after(self, state: Values, form: int, patch: int | None, cells: int) -> tuple[Values, bool]:
        track = self.track
        left = track.one.run(form, state, patch, cells)
        after = (*left[: track.circle], tuple(sorted(left[track.circle])), *left[track.circle + 1 :])  # type: ignore[arg-type]
        if self.goal is not None:
            return after, self.goal(track, state, (form, patch), after)
        right = track.other.run(form, state, patch, cells)
        if left != right or track.over(left) != track.other.over(right):
            return after, True
        return after, self.lists and [o[:2] for o in track.one.options(left)] != [o[:2] for o in track.other.options(right)]

    def moves(self, state: Values) -> Iterator[tuple[int, int | None, int]]:
        track, turn = self.track, state[self.track.turn]
        best: dict[int, list[int]] = {}
        for form, patch, table, free in track.one.options(state):
            if table is None and patch is not None:  # a purchase that is discarded: whether nothing fits is not seen without quilts
                if self.discards and (turn, patch) in self.masks and not self._too_early(state, patch):
                    yield form, patch, 0
            elif table is None:
                yield form, None, 0
            elif patch is None:
                quilt = track.get(state, "quilt", turn)  # type: ignore[arg-type]
                outside = [m for m in table.masks if not m & (quilt | self.kept[turn])]  # type: ignore[index]
                wanted = [m for m in outside if m & self.holes.get(turn, 0)]  # type: ignore[arg-type]
                if turn not in self.planners:
                    yield form, None, 0
                elif wanted or outside:
                    yield form, None, (wanted or outside)[-1]
                elif self.discards:
                    yield form, None, [m for m in table.masks if not m & quilt][-1]
            elif turn in self.planners:
                mask = self.masks.get((turn, patch))
                blocked = self.discards and mask is not None and mask & track.get(state, "quilt", turn)
                if mask is not None and not blocked and not self._too_early(state, patch):
                    yield form, patch, mask
            elif patch not in self.taken and patch != self.mark:
                time, cost, less = self.numbers[patch]
                held = best.setdefault(time, [])
                if not any(self.numbers[p][1] <= cost and self.numbers[p][2] <= less for p in held):
                    held.append(patch)
                    yield form, patch, 0

    def _too_early(self, state: Values, patch: int) -> bool:
        """Whether a patch is kept for the end, or is the one by which the token's place is found, and more are left than are on offer."""
        left = len(state[self.track.circle])  # type: ignore[arg-type]
        begun = not self.mark_first or left < len(self.offered)
        return ((patch == self.mark and begun) or patch in self.closing) and left > self.offer

    def _beaten(self, state: Values, depth: int) -> bool:
        purses = self.purses
        key = tuple(value for at, value in enumerate(state) if at not in purses and at != self.track.places["supply", None])
        one, other = state[purses[0]], state[purses[1]]
        held = self.seen.setdefault(key, [])
        if any(a >= one and b >= other and d >= depth for a, b, d in held):  # type: ignore[operator]
            return True
        held.append((one, other, depth))  # type: ignore[arg-type]
        return False

    def game(self, schedule: Sequence[Move], engine: Engine | None = None) -> Game | None:
        """The schedule laid out for an engine (the first Machine's own when none is given), the planned patches on their cells."""
        names = self.track.machine.patches
        plan = {(who, names[p].name): mask for (who, p), mask in self.masks.items()}
        for first in (0, 1):
            found = laid(engine or self.track.plain, schedule, plan, first, self.holes, self.anywhere)
            if found is not None:
                return found
        return None


def packings(machine: Machine, side: int, number: int, specials: int, source: random.Random, weights: Mapping[str, float], tries: int = 10**6) -> Iterator[dict[str, int]]:
    """Fillings of a square by so many patches chosen at random, and single cells; each with ``special`` for the cells left to them."""
    pieces = {p.name: Piece(p.shape, p.numbers["cost"], p.numbers["time"], p.numbers["income"]) for p in machine.regular if p.name != token_patch(machine)}
    area = side * side - specials
    for _ in range(tries):
        ranked = sorted(pieces, key=lambda n: source.random() ** (1 / weights.get(n, 1.0)), reverse=True)[:number]
        if not area <= sum(pieces[n].size for n in ranked):
            continue
        answer = search(Question(machine.board, 0, side, tuple((n, pieces[n]) for n in ranked), specials), Limits(seconds=0.5))
        if isinstance(answer, Possible):
            found = {placed.patch: placed.mask for placed in answer.placements if placed.patch != SPECIAL}
            found[SPECIAL] = sum(placed.mask for placed in answer.placements if placed.patch == SPECIAL)
            yield found


def schedules(track: Track, guide: Penniless, depth: int, source: random.Random, budget: int) -> Iterator[list[Move]]:
    """Schedules of exactly so many actions that reach the guide's goal, money counted, in random order; the 2-1 patch, whose
    place in the circle the rules need, is left alone. Ends after so many states."""
    mark = next(i for i, p in enumerate(track.machine.patches) if p.name == token_patch(track.machine))
    left = [budget]

    def deeper(state: Values, depth: int, moves: list[Move]) -> Iterator[list[Move]]:
        left[0] -= 1
        options = [move for move in track.moves(state) if move[1] != mark]
        source.shuffle(options)
        for move in options:
            if left[0] <= 0:
                return
            after = track.after(state, move)
            if guide.goal(track, state, move, after):
                if depth == 1:
                    yield [*moves, move]
            elif depth > 1 and guide.distance(after) < depth:
                yield from deeper(after, depth - 1, [*moves, move])

    yield from deeper(track.start(), depth, [])
