"""The special tile early: every way to come by enough cells in so few actions, and a certificate for each set of patches that does.

What is followed is easier than the game. The winner buys patches at will, each once and for buttons in hand; the rival
moves as far as any patch or an advance would, without money; a special patch may be had by whoever has passed one. The
tokens move, and the winner is paid, as in the game. So every beginning of a game is among them; and where the patches
have cells enough, a certificate says that they fill no square.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import accumulate
from typing import Any

from patchwork_ref.fixtures.read import shipped
from patchwork_ref.machine.model import Machine
from patchwork_ref.playfacts.bounds import Numbers
from patchwork_ref.playfacts.paying import Paying, recognised
from patchwork_ref.playfacts.solo import payments
from patchwork_ref.polyomino import Shape
from patchwork_ref.tiling.question import picture
from patchwork_ref.tiling.theorems import proved, unpacked_all

FACT = "fewest-actions-to-the-special-tile.json"


def tile_excluded(machine: Machine, number: int, bound: Mapping[str, Any]) -> bool:
    """Whether the square cannot be filled with fewer than ``number`` actions. ``bound["certificates"]`` are impossible ones, and
    the patches of one of them must hold each set of patches that could be had in time. Raises ValueError for one that proves nothing."""
    side, shapes = Numbers(machine).side, {patch.name: patch.shape for patch in machine.regular}
    refuted = [_patches(certificate, machine, shapes, side) for certificate in unpacked_all(bound["certificates"])]
    return all(any(one <= done for done in refuted) for one in sets_in_time(machine, number - 1))


@cache
def _fact() -> Mapping[str, Any]:
    """The stored fact about the first action with which the special tile can be won."""
    found: Mapping[str, Any] = json.loads((shipped() / "theorems" / FACT).read_text(encoding="utf-8"))
    return found


def earliest_tile(machine: Machine) -> int:
    """With which action the square can be filled at the earliest, as far as the certificates of the stored fact show it under the rules
    of this Machine; 0 where they do not. ``theorems verify`` checks the certificates, and they are checked here."""
    number = int(_fact()["bounds"][0])
    try:
        return number if tile_excluded(machine, number, _fact()["bound"]) else 0
    except ValueError:
        return 0


def _patches(certificate: Mapping[str, Any], machine: Machine, shapes: Mapping[str, Shape], side: int) -> frozenset[str]:
    """The patches of which the certificate proves that they fill no square, with the special patches that it grants none."""
    asked = proved(certificate, "impossible")
    board = machine.board
    if [asked["rows"], asked["columns"], asked["side"], asked["quilt"], asked["specials"]] != [board.rows, board.columns, side, "." * board.cells, 0] or "budget" in asked:
        raise ValueError("a certificate is about another question")
    if any(name not in shapes or picture(shapes[name]) != drawn for name, drawn in asked["patches"].items()) or asked.get("flips", True) is not True:
        raise ValueError("a certificate is about other patches")
    return frozenset(asked["patches"])


def sets_in_time(machine: Machine, actions: int) -> frozenset[frozenset[str]]:
    """The sets of patches with which a player can have as many cells as the square within so many actions of both.

    Raises ValueError when special patches would be among them, for certificates here speak of patches alone, and when a purchase
    may be more than what is followed: a patch that is discarded.
    """
    if any(form.discards for form in machine.actions):
        raise ValueError("where patches are discarded nothing is said")
    return _sets(Numbers(machine), recognised(machine), actions)


@cache
def _sets(numbers: Numbers, way: Paying, actions: int) -> frozenset[frozenset[str]]:
    found: set[frozenset[str]] = set()
    for placings in range(1, actions + 1):
        for first in (True, False):
            _Early(numbers, way, found).follow(placings, actions - placings, first)
    return frozenset(found)


def _turns(mover: int, other: int) -> tuple[bool, ...]:
    """Whether the other player may be on turn after a move to a space: on a shared one either, whatever the rules say."""
    return (mover > other,) if mover != other else (False, True)


class _Early:
    def __init__(self, numbers: Numbers, way: Paying, found: set[frozenset[str]]) -> None:
        self.numbers, self.found = numbers, found
        self.before, self.after = payments(numbers, way)
        self.largest = sorted(range(len(numbers.patches)), key=lambda index: -numbers.patches[index][0])
        sizes = [numbers.patches[index][0] for index in self.largest] + [1] * len(numbers.specials)
        self.together = [0, *accumulate(sizes)]  # the most cells of so many placings
        self.seen: set[tuple[int, ...]] = set()

    def follow(self, placings: int, others: int, first: bool) -> None:
        """``placings`` and ``others`` are how many of the winner's placings, and of all other actions, are left."""
        numbers = self.numbers
        area = numbers.side**2
        left = [(0, 0, first, numbers.start, 0, 0, 0, placings, others)]
        while left:
            state = left.pop()
            winner, rival, turn, buttons, income, bought, cells, placings, others = state
            if cells >= area:
                if sum(numbers.patches[index][0] for index in self._taken(bought)) < area:
                    raise ValueError("a special patch could help to fill the square so early")
                self.found.add(frozenset(numbers.names[index] for index in self._taken(bought)))
                continue
            if state in self.seen or cells + self._most(bought, placings) < area:
                continue
            self.seen.add(state)
            if placings and any(mark <= max(winner, rival) for mark in numbers.specials):
                left.append((winner, rival, turn, buttons, income, bought, cells + 1, placings - 1, others))
            if not turn:
                if others:
                    left += [(winner, to, turn, buttons, income, bought, cells, placings, others - 1) for to in self._rival(winner, rival) for turn in _turns(to, winner)]
                continue
            if others:
                to = min(rival + 1, numbers.last)
                paid = buttons + to - winner + self._pays(winner, to, income, income)
                left += [(to, rival, not turn, paid, income, bought, cells, placings, others - 1) for turn in _turns(to, rival)]
            for index, (size, cost, time, gain) in enumerate(numbers.patches):
                if placings and cost <= buttons and not bought >> index & 1 and cells + size + self._together(placings - 1) >= area:
                    to = min(winner + time, numbers.last)
                    paid = buttons - cost + self._pays(winner, to, income, income + gain)
                    left += [(to, rival, not turn, paid, income + gain, bought | 1 << index, cells + size, placings - 1, others) for turn in _turns(to, rival)]

    def _rival(self, winner: int, rival: int) -> set[int]:
        """Where the rival can move: as far as some patch, or as an advance."""
        numbers = self.numbers
        return {min(to, numbers.last) for to in (winner + 1, *(rival + time for time in range(1, numbers.longest + 1)))}

    def _pays(self, old: int, new: int, income: int, grown: int) -> int:
        return income * self.before[old][new] + grown * self.after[old][new]

    def _together(self, placings: int) -> int:
        return self.together[min(placings, len(self.together) - 1)]

    def _most(self, bought: int, placings: int) -> int:
        """The cells of so many of the largest patches that are not bought, and of special patches when there are no more."""
        total = 0
        for index in self.largest:
            if placings and not bought >> index & 1:
                total += self.numbers.patches[index][0]
                placings -= 1
        return total + min(placings, len(self.numbers.specials))

    def _taken(self, bought: int) -> Iterator[int]:
        return (index for index in range(len(self.numbers.patches)) if bought >> index & 1)
