"""Short games on which two Machines part: schedules on the time board, and plans of quilts for what depends on shapes.

A plan gives cells for some patches of a player. That player buys nothing else, the rival anything; schedules for the plan
count money and planned quilts, are found by ``beam``, and become games when they are laid.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from patchwork_ref.ambiguity.bare import Move, Penniless, Track
from patchwork_ref.ambiguity.laid import Game, circle_of, laid, token_patch
from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.state import Values

RIVALS = 2
"""Patches of each time that a rival without a plan may buy, the cheapest."""

Plan = Mapping[tuple[int, str], int]
"""Cells (a mask) by player and patch."""


class Planned:
    """The time board with the quilts of a plan. Rivals without a plan buy patches that cover no cell. With ``listed`` the Machines also
    part by the actions that they list, and every patch may be on offer: it may be that it is listed although nobody buys it."""

    def __init__(self, a: Machine, b: Machine, plan: Plan, holes: Mapping[int, int] | None = None, anywhere: bool = False, listed: bool = False) -> None:
        self.track, self.holes = Track(a, b), dict(holes or {})
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
        self.numbers = {i: (p.numbers["time"], p.numbers["cost"], -p.numbers["income"]) for i, p in enumerate(a.patches)}
        by_time: dict[int, list[int]] = {}
        for i in sorted(range(len(a.patches)), key=lambda i: self.numbers[i]):
            if a.patches[i].regular and i not in self.taken and i != self.mark and len(by_time.setdefault(self.numbers[i][0], [])) < RIVALS:
                by_time[self.numbers[i][0]].append(i)
        few = {*self.taken, *(i for found in by_time.values() for i in found)}
        self.offered = tuple(i for i, p in enumerate(a.patches) if p.regular and (listed or i in few))
        self.listed = listed

    def after(self, state: Values, form: int, patch: int | None, cells: int) -> tuple[Values, bool]:
        """The state behind a move, and whether the Machines part there."""
        track = self.track
        left = track.one.run(form, state, patch, cells)
        after = (*left[: track.circle], tuple(sorted(left[track.circle])), *left[track.circle + 1 :])  # type: ignore[arg-type]
        right = track.other.run(form, state, patch, cells)
        if left != right or track.over(left) != track.other.over(right):
            return after, True
        return after, self.listed and [o[:2] for o in track.one.options(left)] != [o[:2] for o in track.other.options(right)]

    def moves(self, state: Values) -> Iterator[tuple[int, int | None, int]]:
        """A form's number, the patch's number of a purchase, and the cells (a mask)."""
        track, turn = self.track, state[self.track.turn]
        best: dict[int, list[int]] = {}
        for form, patch, table, free in track.one.options(state):
            if table is None:
                if patch is None:  # whether nothing fits, so that a patch may be discarded, is not seen without quilts
                    yield form, None, 0
            elif patch is None:
                quilt = track.get(state, "quilt", turn)  # type: ignore[arg-type]
                outside = [m for m in table.masks if not m & (quilt | self.kept[turn])]  # type: ignore[index]
                wanted = [m for m in outside if m & self.holes.get(turn, 0)]  # type: ignore[arg-type]
                if turn not in self.planners:
                    yield form, None, 0
                elif wanted or outside:
                    yield form, None, (wanted or outside)[-1]
            elif turn in self.planners:
                mask = self.masks.get((turn, patch))
                if mask is not None and not self._too_early(state, patch):
                    yield form, patch, mask
            elif patch not in self.taken and patch != self.mark:
                time, cost, less = self.numbers[patch]
                held = best.setdefault(time, [])
                if not any(self.numbers[p][1] <= cost and self.numbers[p][2] <= less for p in held):
                    held.append(patch)
                    yield form, patch, 0

    def _too_early(self, state: Values, patch: int) -> bool:
        """Whether a patch is the one by which the token's place is found, and more are left than are on offer."""
        left = len(state[self.track.circle])  # type: ignore[arg-type]
        begun = not self.mark_first or left < len(self.offered)
        return patch == self.mark and begun and left > self.offer

    def game(self, schedule: Sequence[Move], engine: Engine | None = None) -> Game | None:
        """The schedule laid out for an engine (the first Machine's own when none is given), the planned patches on their cells."""
        names = self.track.machine.patches
        plan = {(who, names[p].name): mask for (who, p), mask in self.masks.items()}
        for first in (0, 1):
            found = laid(engine or self.track.plain, schedule, plan, first, self.holes, self.anywhere)
            if found is not None:
                return found
        return None


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
