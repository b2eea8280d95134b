"""Do the searches of the solo game say what playing every line of a small one says?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from patchwork_ref.machine.model import Machine
from patchwork_ref.playfacts import solo
from patchwork_ref.playfacts.bounds import Numbers
from patchwork_ref.playfacts.early import _Early
from patchwork_ref.playfacts.paying import Paying
from patchwork_ref.playfacts.together import together_excluded


def _small(machine: Machine, rng: Random) -> Numbers:
    """A time board of a dozen spaces and a handful of patches."""
    numbers = Numbers(machine)
    numbers.last, numbers.start, numbers.tile, numbers.penalty = rng.randint(7, 10), rng.randint(0, 4), rng.randint(0, 3), rng.randint(0, 2)
    numbers.cells, numbers.incomes, numbers.specials = rng.randint(6, 14), sorted(rng.sample(range(1, numbers.last + 1), 3)), [5][: rng.randint(0, 1)]
    numbers.patches = [(rng.randint(1, 5), rng.randint(0, 4), rng.randint(1, 4), rng.randint(0, 2)) for _ in range(4)]
    numbers.longest, numbers.names = max(time for _, _, time, _ in numbers.patches), list("abcd")
    return numbers


def _plays(numbers: Numbers, space: int, buttons: int, income: int, bought: frozenset[int]) -> Iterator[tuple[int, frozenset[int]]]:
    """The end of every line: buttons and the patches bought."""
    if space == numbers.last:
        yield buttons, bought
        return
    moves = [(space + 1, 1, income, bought)]
    for index, (_, cost, time, gain) in enumerate(numbers.patches):
        if cost <= buttons and index not in bought:
            moves.append((min(space + time, numbers.last), -cost, income + gain, bought | {index}))
    for to, paid, grown, owned in moves:
        yield from _plays(numbers, to, buttons + paid + grown * sum(space < mark <= to for mark in numbers.incomes), grown, owned)


Side = tuple[int, int, int, frozenset[int], int, bool]
"""Space, buttons, income, patches bought, cells sewn on, and whether the player holds a special tile."""


def _games(numbers: Numbers, way: Paying, mover: Side, rival: Side, bottom: bool, discards: bool, stays: bool, specials: frozenset[int]) -> Iterator[int]:
    """The buttons of both at the end of every game on the time board alone, played by the rules that ``way`` is short for; ``specials`` are the
    special patches that nobody has passed, or that a full quilt has left there."""
    last = numbers.last
    space, buttons, income, bought, cells, tile = mover
    if space == rival[0] == last:
        yield buttons + rival[1]
        return
    moves = [(None, rival[0] + 1 - space, 0, 0)]
    moves += [(index, time, gain, size) for index, (size, cost, time, gain) in enumerate(numbers.patches)
              if cost <= buttons and index not in bought | rival[3] and (cells + size <= numbers.cells or discards)]
    moves += [(index, time, 0, 0) for index, time, _, _ in moves if index is not None and discards]
    moves = [move for move in moves if cells + move[3] <= numbers.cells]
    for index, distance, gain, size in moves:
        to = min(space + distance, last)
        held = buttons - numbers.patches[index][1] if index is not None else buttons + (distance if way.beyond else to - space)
        for mark in numbers.incomes:
            if mark == last:
                held += (income + gain) * (way.final and to == last)
            elif (space <= mark < to) if way.past else (space < mark <= to):
                held += income + (0 if way.late else gain)
        sewn, left = cells + size, set(specials)
        for mark in sorted(specials):
            if space <= mark < to if way.past else space < mark <= to:
                left -= {mark} if sewn < numbers.cells or not stays else set()
                sewn += sewn < numbers.cells
        won = not tile and way.tiles > rival[5] and sewn >= numbers.side**2 and (size > 0 or not way.bought)
        moved = (to, held + numbers.tile * won, income + gain, bought | ({index} if index is not None else set()), sewn, tile or won)
        further = (rival, moved) if to > rival[0] or (bottom and to == rival[0]) else (moved, rival)
        yield from _games(numbers, way, *further, bottom, discards, stays, frozenset(left))


def test_no_game_brings_more_than_the_search_says(machine_of: object) -> None:
    """On small boards no game of two holds more buttons together than the search says, whatever the way of paying, the turns and the weights; some game holds as many."""
    rng, machine = Random(5), machine_of()  # type: ignore[operator]
    attained = 0
    for trial in range(80):
        numbers = _small(machine, rng)
        numbers.last = rng.randint(5, 7)
        numbers.incomes = sorted({*rng.sample(range(1, numbers.last + 1), 2), *([numbers.last] if rng.random() < 0.7 else [])})
        numbers.patches = numbers.patches[:3]
        numbers.names = list("abc")
        way = Paying(final=bool(trial & 1), past=bool(trial & 2), late=bool(trial & 4), beyond=bool(trial & 8), tiles=(0, 1, 2, 1, 2)[trial // 16], bought=trial >= 48)
        numbers.side, numbers.tile = rng.randint(1, 2), rng.randint(1, 4)
        start: Side = (0, numbers.start, 0, frozenset(), 0, False)
        numbers.specials = sorted(rng.sample(range(1, numbers.last), 2))
        ways = product((False, True), repeat=3)
        ends = [max(_games(numbers, way, start, start, *chosen, frozenset(numbers.specials))) for chosen in ways]
        for _ in range(2):
            scale = rng.choice((1, 7))
            weights = [(*((name, rng.randint(0, 3 * scale)) for name in "abc"), ("scale", scale), ("square", rng.randint(0, scale))) for _ in range(way.tiles + 1)]
            most = next(number for number in range(200) if all(together_excluded(numbers, way, number, given, won) for won, given in enumerate(weights)))
            assert max(ends) <= most
            attained += max(ends) == most
    assert attained > 120


def test_the_search_finds_the_best_solo_game(machine_of: object) -> None:
    """On small boards nothing above the best score of all lines is possible, and that score is, whatever the weights."""
    rng, machine = Random(8), machine_of()  # type: ignore[operator]
    for _ in range(60):
        numbers = _small(machine, rng)
        lines = set(_plays(numbers, 0, numbers.start, 0, frozenset()))
        area = {bought: sum(numbers.patches[index][0] for index in bought) for _, bought in lines}
        fitting = [(buttons, bought) for buttons, bought in lines if area[bought] <= numbers.cells]
        best = max(b + numbers.tile - numbers.penalty * max(0, numbers.cells - area[s] - len(numbers.specials)) for b, s in fitting)
        for _ in range(3):
            scale = rng.choice((1, 7))
            weights = (*((name, rng.randint(0, 3 * scale)) for name in "abcd"), ("cell", rng.randint(0, numbers.penalty * scale)), ("scale", scale))
            assert solo._excluded(numbers, Paying(), best, weights) and not solo._excluded(numbers, Paying(), best - 1, weights)


def _crossed(numbers: Numbers, way: Paying, old: int, new: int) -> int:
    """How many button spaces before the last one a move resolves."""
    return sum((old <= mark < new) if way.past else (old < mark <= new) for mark in numbers.incomes if mark < numbers.last)


def test_every_early_set_is_listed(machine_of: object) -> None:
    """The sets of patches with cells enough in so many actions hold those of every random beginning by the same moves, however it is paid and whoever moves on a shared space."""
    rng, machine = Random(4), machine_of()  # type: ignore[operator]
    reached = 0
    for _ in range(400):
        numbers = _small(machine, rng)
        numbers.side, numbers.specials = 3, []
        actions = rng.randint(3, 6)
        listed: set[frozenset[str]] = set()
        way, bottom = Paying(final=rng.random() < 0.5, past=rng.random() < 0.5, late=rng.random() < 0.5), rng.random() < 0.5
        for placings in range(1, actions + 1):
            for first in (True, False):
                _Early(numbers, way, listed).follow(placings, actions - placings, first)
        tokens, buttons, income, bought, turn = [0, 0], [numbers.start, 9], [0, 0], set[int](), rng.randint(0, 1)
        for _ in range(actions):
            choices = [index for index, (_, cost, _, _) in enumerate(numbers.patches) if cost <= buttons[turn] and index not in bought]
            old, index = tokens[turn], rng.choice(choices) if choices and rng.random() < 0.9 else None
            if index is None:
                tokens[turn] = min(tokens[1 - turn] + 1, numbers.last)
                buttons[turn] += tokens[turn] - old
            else:
                _, cost, time, gain = numbers.patches[index]
                tokens[turn] = min(old + time, numbers.last)
                buttons[turn] -= cost
                buttons[turn] += (0 if way.late else gain) * _crossed(numbers, way, old, tokens[turn])
                if turn == 0:
                    bought.add(index)
            gained = 0 if index is None else numbers.patches[index][3]
            buttons[turn] += income[turn] * _crossed(numbers, way, old, tokens[turn])
            income[turn] += gained
            buttons[turn] += income[turn] * (way.final and numbers.last in numbers.incomes and old < numbers.last == tokens[turn])
            if sum(numbers.patches[i][0] for i in bought) >= numbers.side**2:
                reached += 1
                assert any(found <= {numbers.names[i] for i in bought} for found in listed), (numbers.patches, bought)
                break
            if tokens[turn] > tokens[1 - turn] or (bottom and tokens[turn] == tokens[1 - turn]):
                turn = 1 - turn
            if min(tokens) == numbers.last:
                break
    assert reached > 40
