"""Do the searches of the solo game say what playing every line of a small one says?"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from patchwork_ref.machine.model import Machine
from patchwork_ref.playfacts import solo
from patchwork_ref.playfacts.bounds import Numbers
from patchwork_ref.playfacts.early import _Early


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


def test_the_search_finds_the_best_solo_game(machine_of: object) -> None:
    """On small boards nothing above the best score of all lines is possible, and that score is, whatever the weights; the same for two who share the patches."""
    rng, machine = Random(8), machine_of()  # type: ignore[operator]
    for _ in range(60):
        numbers = _small(machine, rng)
        lines = set(_plays(numbers, 0, numbers.start, 0, frozenset()))
        area = {bought: sum(numbers.patches[index][0] for index in bought) for _, bought in lines}
        fitting = [(buttons, bought) for buttons, bought in lines if area[bought] <= numbers.cells]
        best = max(b + numbers.tile - numbers.penalty * max(0, numbers.cells - area[s] - len(numbers.specials)) for b, s in fitting)
        together = max(b + other for b, s in fitting for other, t in fitting if not s & t)
        for _ in range(3):
            scale = rng.choice((1, 7))
            weights = (*((name, rng.randint(0, 3 * scale)) for name in "abcd"), ("cell", rng.randint(0, numbers.penalty * scale)), ("scale", scale))
            assert solo._excluded(numbers, best, weights) and not solo._excluded(numbers, best - 1, weights)
            assert solo._together_excluded(numbers, together, weights) and not solo._together_excluded(numbers, together - 1, weights)


def test_every_early_set_is_listed(machine_of: object) -> None:
    """The sets of patches with cells enough in so many actions hold those of every random beginning by the same moves."""
    rng, machine = Random(4), machine_of()  # type: ignore[operator]
    reached = 0
    for _ in range(400):
        numbers = _small(machine, rng)
        numbers.side, numbers.specials = 3, []
        actions = rng.randint(3, 6)
        listed: set[frozenset[str]] = set()
        for placings in range(1, actions + 1):
            for first in (True, False):
                _Early(numbers, listed).follow(placings, actions - placings, first)
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
                if turn == 0:
                    bought.add(index)
                    income[0] += gain
            buttons[turn] += income[turn] * sum(old < mark <= tokens[turn] for mark in numbers.incomes)
            if sum(numbers.patches[i][0] for i in bought) >= numbers.side**2:
                reached += 1
                assert any(found <= {numbers.names[i] for i in bought} for found in listed), (numbers.patches, bought)
                break
            if tokens[turn] > tokens[1 - turn]:
                turn = 1 - turn
            if min(tokens) == numbers.last:
                break
    assert reached > 40
