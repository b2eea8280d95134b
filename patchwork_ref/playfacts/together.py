"""Two who share the patches and hold as many buttons together as they can, turn by turn on the time board.

An easier game than the real one, whatever the rulebook says of the things left out (``paying`` lists them): every patch is
on offer and has room, on a shared space either may go on, and a purchase may bring no income, as if the patch were discarded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

from patchwork_ref.machine.model import Machine
from patchwork_ref.playfacts.bounds import Numbers
from patchwork_ref.playfacts.paying import Paying, recognised
from patchwork_ref.playfacts.solo import MOST_NODES, Solo

Side = tuple[int, int, int, int]
"""A player's space, buttons, income, and the cells had while a special tile that pays at once is to be won; ``NONE`` when none is (any more)."""
Table = tuple[Side, Side, int, int]
"""Who moves, who waits, the patches bought, and what all weights come to without theirs."""
NONE = -1


def buttons_excluded(machine: Machine, number: int, bound: Mapping[str, Any]) -> bool:
    """Whether both players can never hold more than ``number`` buttons together; ``bound["weights"]`` as for scores, without ``cell``:
    one for all games, or a list with one for each number of special tiles that are won and pay at once, none first.
    ``bound["special_spaces"]`` lists the special spaces of several prints, for all of which it is asked.

    From where they hold most, both may go on to the end by advances and only win buttons, so the ends of games decide. How
    the Machine pays is read off its rules; a ValueError is raised when that is not known.
    """
    numbers, way, weights = Numbers(machine), recognised(machine), bound["weights"]
    each = weights if isinstance(weights, list) else [weights] * (way.tiles + 1)
    if len(each) != way.tiles + 1:
        raise ValueError(f"{len(each)} lists of weights for {way.tiles + 1} numbers of tiles")
    prints = [numbers.printed(spaces) for spaces in bound.get("special_spaces", [numbers.specials])]
    return all(together_excluded(known, way, number, tuple(sorted(given.items())), won) for known in prints for won, given in enumerate(each))


@cache
def together_excluded(numbers: Numbers, way: Paying, number: int, weights: tuple[tuple[str, int], ...], won: int) -> bool:
    """The same from the numbers, where so many tiles are won that pay at once. A line is followed as long as the solo bounds of both, together, exceed the number."""
    solo = together(numbers, way, weights)
    goal = solo.scale * (number + 1 - way.beyond)  # the bounds leave out what is paid beyond the last space
    winners = [pair for pair in product((NONE, 0), repeat=2) if pair.count(0) == won]  # who wins a tile that pays at once; 0 cells so far
    left: list[Table] = [((0, numbers.start, 0, one), (0, numbers.start, 0, two), 0, sum(solo.weights)) for one, two in winners]
    seen = set(left)
    while left:
        for table in _moves(solo, way, left.pop()):
            one, two, _, value = table
            if table in seen or value + _bound(solo, one) + _bound(solo, two) < goal:
                continue
            if one[0] == two[0] == numbers.last and one[1] + two[1] > number:
                return False
            seen.add(table)
            left.append(table)
        if len(seen) > MOST_NODES:
            raise ValueError("the weights are so bad that more plays come up than can be followed")
    return True


def _bound(solo: Solo, side: Side) -> int:
    space, buttons, income, cells = side
    if cells == NONE:
        return solo.bound(space, buttons, income)
    behind = solo.area - solo.needed[space]  # special patches that the bound counts, whoever has them
    return solo.bound_to_tile(space, buttons, income) + solo.square * (cells - behind)


def together(numbers: Numbers, way: Paying, weights: tuple[tuple[str, int], ...]) -> Solo:
    """The solo game of each; a cell is worth nothing."""
    given = dict(weights)
    return Solo(numbers, way, {**given, "cell": numbers.penalty * given["scale"]})


def _moves(solo: Solo, way: Paying, table: Table) -> Iterator[Table]:
    (space, buttons, income, cells), rival, bought, value = table
    last, there = solo.numbers.last, rival[0]
    if space == last:
        return
    early, late = solo.early[space], solo.late[space]
    to = min(there + 1, last)
    paid = to - space + (way.beyond and there == last) + income * (early[to] + late[to])
    found = [((to, buttons + paid, income, cells), bought, value, False)]
    for index, ((size, *_), (cost, time, gain, worth)) in enumerate(zip(solo.numbers.patches, solo.patches, strict=True)):
        if cost <= buttons and not bought >> index & 1:
            to, held, owned, left = min(space + time, last), buttons - cost, bought | 1 << index, value + worth
            found.append(((to, held + income * early[to] + (income + gain) * late[to], income + gain, cells if cells == NONE else cells + size), owned, left, True))
            found.append(((to, held + income * (early[to] + late[to]), income, cells), owned, left, False))  # as if it were discarded
    for mover, owned, left, sewn in found:
        if mover[3] != NONE:
            had = mover[3] + solo.won(way, space, mover[0], there, owned)
            # Cells enough for the square, whatever their shape.
            wins = had >= solo.area and (sewn or not way.bought)
            mover = (mover[0], mover[1] + solo.numbers.tile, mover[2], NONE) if wins else (*mover[:3], had)
        if mover[0] <= there and mover[0] < last:
            yield mover, rival, owned, left
        if mover[0] >= there:
            yield rival, mover, owned, left
