"""The tree search: fills the windows by branching on the cell with the fewest placements, and keeps the proof.

Whatever closes a branch here can be said in a certificate: no placement covers a cell, the areas do not suffice, or
(with budgets) the patches left cannot reach the needed area for the money left. A placement that wastes more cells
outside the window than the areas can spare is a child closed by its areas, and is never followed.
"""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass

from patchwork_ref.polyomino import bits
from patchwork_ref.tiling.answers import Answer, Impossible, Placement, Possible, Unknown
from patchwork_ref.tiling.prices import Prices
from patchwork_ref.tiling.question import SPECIAL, Piece, Question
from patchwork_ref.tiling.symmetry import Mirror, image, mirrors
from patchwork_ref.tiling.tables import table_of, wasting_at_most
from patchwork_ref.tiling.tree import BY_AREA, BY_BUDGET, Node, branch, flat

SPECIAL_BIT = -1
FIRST_PATIENCE, GROWTH = 60, 6
NODES_BETWEEN_CLOCKS = 64
CLOSED_ONES = 4
"""How many children that are closed at once weigh as much as an open one, when a brief certificate is wanted."""
TIGHT = 4
"""How many patches may be left over at the start for the waste to be worth counting."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long to search (seconds), how many nodes to open, and how long the trees of an answer may be together.

    ``brief`` chooses the cells for a shorter certificate where the areas are tight, at the price of some time.
    """

    seconds: float = 10.0
    nodes: int = 5_000_000
    certificate: int = 3_000_000
    brief: bool = False


DEFAULT_LIMITS = Limits()


class _Stopped(Exception):
    """The patience for one window, or for the whole question, is used up."""


def search(question: Question, limits: Limits = DEFAULT_LIMITS) -> Answer:
    """Decides the question within the limits.

    Windows are tried in rounds with growing patience, those with the smallest hole first, so a hard impossible window
    does not keep an easy possible one waiting; what a round has closed stays closed, and so do its mirror images.
    """
    collecting = gc.isenabled()
    gc.disable()  # nodes never form cycles, and looking for cycles among a million of them takes a third of the time
    try:
        return _searched(question, limits)
    finally:
        if collecting:
            gc.enable()


def _searched(question: Question, limits: Limits) -> Answer:
    hunt = _Hunt(question, limits)
    order = sorted(range(len(question.windows)), key=lambda w: (question.windows[w] & ~question.quilt).bit_count())
    place = {window: number for number, window in enumerate(question.windows)}
    closed: dict[int, Node] = {}
    mirrored: dict[int, tuple[int, Mirror]] = {}  # window -> the closed one of which it is the image
    patience = FIRST_PATIENCE
    while len(closed) + len(mirrored) < len(order):
        for window in order:
            if window in closed or window in mirrored:
                continue
            try:
                found = hunt.window(question.windows[window], patience)
            except _Stopped:
                if hunt.why:
                    return Unknown(question, hunt.why, len(closed) + len(mirrored), hunt.nodes)
                continue
            if found is None:
                return Possible(question, hunt.placements(), window, hunt.nodes)
            closed[window] = found
            for mirror in hunt.mirrors:
                other = place[image(question.windows[window], mirror.moved)]
                if other not in closed:
                    mirrored.setdefault(other, (window, mirror))
        patience *= GROWTH
    if (total := sum(closed[mirrored.get(window, (window,))[0]].size for window in range(len(order)))) > limits.certificate:
        reason = f"the search closed every window, but the certificate would have {total} numbers, more than {limits.certificate}"
        return Unknown(question, reason, len(order), hunt.nodes)
    for window, (source, mirror) in mirrored.items():
        closed[window] = mirror.tree(closed[source], hunt.available, hunt.counts)
    trees = tuple(tuple(flat(closed[window], hunt.group_of)) for window in range(len(order)))
    return Impossible(question, trees, hunt.nodes)


class _Hunt:
    """The tables of one question, and the nodes closed so far."""

    def __init__(self, question: Question, limits: Limits) -> None:
        self.question = question
        self.limits = limits
        self.deadline = time.monotonic() + limits.seconds
        self.nodes = 0
        self.stop = 0
        self.why = ""
        self.path: list[tuple[int, int]] = []
        self.window_mask = 0
        self.thrifty: list[int] = []
        self.memo: dict[tuple[int, tuple[int, ...], int], Node] = {}
        kinds: dict[Piece, int] = {}
        kept = [self._kind(piece) for _, piece in question.pieces]
        for kind in kept:
            kinds.setdefault(kind, len(kinds))
        self.group_of = [kinds[kind] for kind in kept]
        self.kinds = tuple(kinds)
        self.counts = tuple(self.group_of.count(group) for group in range(len(kinds)))
        self.sizes = tuple(kind.size for kind in kinds)
        self.table = table = table_of(tuple(kind.shape for kind in kinds), question.board, question.flips)
        self.masks, self.group, self.through, self.block = table.masks, table.group, table.through, table.block
        self.clashes: dict[int, int] = {}
        blocked = 0
        for cell in bits(question.quilt):
            blocked |= self.through[cell]
        self.available = table.every & ~blocked
        self.prices = Prices(question, self.kinds, self.block) if question.budgeted else None
        self.mirrors = mirrors(table, question.board, question.quilt, question.flips, self._clash)

    def _kind(self, piece: Piece) -> Piece:
        """The piece without what does not matter to this question; equal kinds are interchangeable."""
        if self.question.budgeted:
            return Piece(piece.shape, piece.cost, piece.time)
        return Piece(piece.shape)

    def window(self, window: int, patience: int) -> Node | None:
        """The proof that the window cannot be filled, or None with the placements in ``path``."""
        if window != self.window_mask:
            self.window_mask, self.memo = window, {}
        self.path = []
        self.stop = self.nodes + patience
        hole = window & ~self.question.quilt
        area = sum(size * count for size, count in zip(self.sizes, self.counts, strict=True))
        most = max(self.sizes, default=0)
        tight = self.prices or area + self.question.specials - hole.bit_count() < TIGHT * most
        self.thrifty = wasting_at_most(self.through, ~hole & self.question.board.full, most) if tight else []
        spent = (0, 0)
        return self._fill(hole, self.question.quilt, self.available, self.counts, area, self.question.specials, spent)

    def _tick(self) -> None:
        self.nodes += 1
        if self.nodes >= self.stop:
            raise _Stopped
        if not self.nodes % NODES_BETWEEN_CLOCKS:
            if self.nodes >= self.limits.nodes:
                self.why = f"stopped after {self.nodes} nodes"
            elif time.monotonic() >= self.deadline:
                self.why = f"stopped after {self.limits.seconds:g} s and {self.nodes} nodes"
            if self.why:
                raise _Stopped

    def _fill(
        self, hole: int, taken: int, available: int, counts: tuple[int, ...], area: int, specials: int,
        spent: tuple[int, int],
    ) -> Node | None:
        goal = hole.bit_count() - specials
        spare = thrift = area - goal
        if self.prices:
            thrift = min(spare, self.prices.spare(counts, goal, spent))
            if thrift < 0 and (spare >= 0 or not hole):
                return BY_BUDGET
        if not hole:
            return None
        if spare < 0:
            return BY_AREA
        key = (taken, counts, specials)
        if key in self.memo:
            return self.memo[key]
        self._tick()
        live = available & self.thrifty[thrift] if thrift < len(self.thrifty) else available
        if self.prices:
            live &= ~self.prices.too_dear(counts, goal, spent)
        cell = self._cheapest(hole, live, available) if self.limits.brief else self._scarcest(hole, live)
        options = available & self.through[cell]
        children = self._closed(options, hole, spare)
        order: list[tuple[int, int]] = []
        followed = live & options
        while followed:
            low = followed & -followed
            followed ^= low
            bit = low.bit_length() - 1
            order.append((-(self.masks[bit] & hole).bit_count(), bit))
        order.sort()
        still = [mirror for mirror in self.mirrors if self._keeps(mirror, cell)] if taken == self.question.quilt else []
        given: dict[int, tuple[Mirror, Node, int, tuple[int, ...]]] = {}  # children of the root that mirror a closed one
        for _, bit in order:
            group = self.group[bit]
            mask = self.masks[bit]
            place = (options & self.block[group] & ((1 << bit) - 1)).bit_count()
            fewer = (*counts[:group], counts[group] - 1, *counts[group + 1 :])
            rest = available & ~self._clash(bit) if fewer[group] else available & ~(self._clash(bit) | self.block[group])
            if bit in given:
                mirror, closed, free, left = given[bit]
                children[group][place] = mirror.tree(closed, free, left)
                continue
            paid = (spent[0] + self.kinds[group].cost, spent[1] + self.kinds[group].time) if self.prices else spent
            child = self._fill(hole & ~mask, taken | mask, rest, fewer, area - self.sizes[group], specials, paid)
            if child is None:
                self.path.append((group, mask))
                return None
            children[group][place] = child
            for mirror in still:
                given.setdefault(mirror.placement(bit), (mirror, child, rest, fewer))
        single = None
        if specials:
            covered = 1 << cell
            rest = available & ~self.through[cell]
            single = self._fill(hole & ~covered, taken | covered, rest, counts, area, specials - 1, spent)
            if single is None:
                self.path.append((SPECIAL_BIT, covered))
                return None
        node = self.memo[key] = branch(cell, children, counts, single)
        return node

    def _keeps(self, mirror: Mirror, cell: int) -> bool:
        return mirror.moved[cell] == cell and image(self.window_mask, mirror.moved) == self.window_mask

    def _closed(self, options: int, hole: int, spare: int) -> dict[int, list[Node]]:
        """The children of a node, by class, as they are when none is followed."""
        children: dict[int, list[Node]] = {}
        for group, block in enumerate(self.block):
            part = options & block
            if part and not self.prices:
                children[group] = [BY_AREA] * part.bit_count()
            elif part:
                size = self.sizes[group]
                children[group] = [BY_AREA if size - (self.masks[bit] & hole).bit_count() > spare else BY_BUDGET for bit in bits(part)]
        return children

    def _clash(self, bit: int) -> int:
        """The bits of all placements that share a cell with this one."""
        found = self.clashes.get(bit)
        if found is None:
            found = 0
            for cell in bits(self.masks[bit]):
                found |= self.through[cell]
            self.clashes[bit] = found
        return found

    def _scarcest(self, hole: int, live: int) -> int:
        """The needed cell that the fewest of these placements cover."""
        through = self.through
        best, fewest = 0, 1 << 60
        while hole:
            low = hole & -hole
            hole ^= low
            cell = low.bit_length() - 1
            number = (live & through[cell]).bit_count()
            if number < fewest:
                if number == 0:
                    return cell
                best, fewest = cell, number
        return best

    def _cheapest(self, hole: int, live: int, available: int) -> int:
        """The needed cell with the fewest children that count, where one closed at once counts little."""
        through = self.through
        return min(
            bits(hole),
            key=lambda cell: CLOSED_ONES * (live & through[cell]).bit_count() + (available & through[cell]).bit_count(),
        )

    def placements(self) -> tuple[Placement, ...]:
        """The placements of the window just found possible, in the order in which the search laid them."""
        names: dict[int, list[str]] = {}
        for (name, _), group in zip(self.question.pieces, self.group_of, strict=True):
            names.setdefault(group, []).append(name)
        return tuple(
            Placement(SPECIAL if group == SPECIAL_BIT else names[group].pop(0), mask)
            for group, mask in reversed(self.path)
        )
