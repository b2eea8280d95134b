"""Short games that tell a mutant from the rulebook: searched, shrunk, and written as cases for the fixtures.

Two engines play the same actions. A witness ends at the first action after which they can be told apart by what the
protocol shows, or with an action that one of them plays and the other refuses.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from patchwork_ref.engine import Engine
from patchwork_ref.engine.policies import POLICIES
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup, customised, setup_message
from patchwork_ref.mutation.playing import renumbered
from patchwork_ref.polyomino import bits
from patchwork_ref.suite.exhaust import TooLarge, exhausted
from patchwork_ref.suite.pair import Pair, Witness, paired

LONGEST = 300
"""Actions in a game that is searched; a changed rulebook can be endless."""
GAMES = 60
"""Games that are searched before the search is given up."""
SMALL = 16
"""Cells of a quilt board up to which a game is searched to its end when nothing else has found a difference."""
BREADTH_DEPTH, BREADTH_STATES = 3, 1500
"""How deep and how wide the first search goes from each of the chosen circles."""


def witness(own: Engine, changed: Engine, seed: int = 0, games: int = GAMES, longest: int = LONGEST, setups: Sequence[Setup] | None = None) -> Witness | None:
    """A short game that tells ``changed`` from ``own``; None when none was found."""
    start = list(setups) if setups is not None else list(chosen_setups(own))
    found = breadth_first(own, changed, start)
    if found is not None:
        return found
    for number, setup in enumerate(_many(own, start, games)):
        source = random.Random(f"witness {seed} {number}")
        attempt = _game(own, changed, setup, source, longest, [*POLICIES.values()][number % len(POLICIES)])
        if attempt is not None:
            return shrunk(own, changed, attempt)
    if own.machine.board.cells <= SMALL:
        try:
            return exhausted(own, changed, start)
        except TooLarge:
            return None
    return None


def propose(own: Engine, changed: Engine | Exception | None, seed: int = 0, games: int = GAMES) -> Witness | None:
    """A new fixture for a mutant that survives the suite: its witness, or None.

    Ordinary set-ups are searched first, then custom ones in which rare things are common. A mutant that cannot even be
    set up has the empty game for a witness.
    """
    if changed is None:
        return None
    if isinstance(changed, Exception):
        return Witness(next(chosen_setups(own)), (), "setup")
    if (found := witness(own, changed, seed, games)) is not None:
        return found
    for numbers in custom_numbers(own.machine):
        try:
            plain, other = Engine(customised(own.machine, numbers)), Engine(renumbered(changed.machine, own.machine, numbers))
        except PatchworkRefError:
            continue
        if (found := witness(plain, other, seed, games // 3)) is not None:
            return replace(found, numbers=numbers)
    return None


def custom_numbers(machine: Machine) -> Iterator[dict[str, Any]]:
    """Set-ups in which rare things are common: many buttons, a small square, a short time board full of marks, few patches."""
    own: Mapping[str, Any] = setup_message(machine, Setup(()))
    sends = {c.sends for c in machine.constants.values()}
    rich = {"start_buttons": 16 * own["start_buttons"]} if "start_buttons" in sends else {}
    square = {"special_tile": {"side": 2}} if "special_tile.side" in sends else {}
    board: dict[str, Any] = {}
    if {"time_board.last", "time_board.income", "time_board.special"} <= sends:
        last = own["time_board"]["last"] // 4
        board = {"time_board": {"last": last, "income": [2, 3, last - 1, last], "special": [1, 2, last - 1]}}
    names = list(own["patches"])
    few = {"patches": {name: own["patches"][name] for name in names[: len(names) // 5]}}
    for numbers in (few, square, board, square | board, rich, rich | board, rich | square | board, rich | square | board | few):
        if numbers:
            yield numbers


def chosen_setups(own: Engine) -> Iterator[Setup]:
    """Circles on which much happens soon: in the rulebook's order, and by each number printed on the patches, both ways."""
    patches = list(own.machine.regular)
    orders: list[Callable[[Any], Any]] = [lambda p: 0, *(_by(n, sign) for n in sorted(patches[0].numbers) for sign in (1, -1)), lambda p: -len(p.shape)]
    for first, key in enumerate(orders):
        yield Setup(tuple(p.name for p in sorted(patches, key=key)), 0, first % 2)
    yield Setup(tuple(p.name for p in patches), None, 0)


def _by(number: str, sign: int) -> Callable[[Any], int]:
    return lambda patch: sign * patch.numbers[number]


def _many(own: Engine, start: Sequence[Setup], games: int) -> Iterator[Setup]:
    names = [p.name for p in own.machine.regular]
    for number in range(games):
        if number < len(start):
            yield start[number]
        else:
            source = random.Random(f"circle {number}")
            source.shuffle(names)
            yield Setup(tuple(names), 0 if number % 4 else None, number % 2)


def breadth_first(own: Engine, changed: Engine, setups: Sequence[Setup]) -> Witness | None:
    """Breadth first from every chosen circle together, one placement for each patch: the shortest games come first."""
    level: list[tuple[Pair, tuple[Action, ...]]] = []
    for setup in setups:
        pair = paired(own, changed, setup)
        if pair is None:
            return Witness(setup, (), "setup")
        level.append((pair, ()))
    for depth in range(BREADTH_DEPTH + 1):
        for pair, actions in level:
            if (kind := pair.apart()) is not None:
                return Witness(pair.setup, actions, kind)
        following: list[tuple[Pair, tuple[Action, ...]]] = []
        for pair, actions in level:
            try:
                mine, theirs = pair.lists()
                if (other := pair.differing(mine, theirs)) is not None:
                    return Witness(pair.setup, actions, "accepted-illegal" if other[1] else "rejected-legal", other[0], other[1])
            except Exception:  # a mutant that breaks here is told apart by a later action, if at all
                continue
            if depth < BREADTH_DEPTH and len(following) < BREADTH_STATES:
                for option in mine:
                    action = own.action(option, next(bits(option[3])) if option[2] is not None else 0)
                    next_pair = pair.copy()
                    if next_pair.take(action):
                        following.append((next_pair, (*actions, action)))
        level = following
    return None


def _game(own: Engine, changed: Engine, setup: Setup, source: random.Random, longest: int, policy: Any) -> Witness | None:
    """One game under a policy, up to the first difference."""
    pair = paired(own, changed, setup)
    if pair is None:
        return Witness(setup, (), "setup")
    actions: list[Action] = []
    for _ in range(longest):
        if (kind := pair.apart()) is not None:
            return Witness(setup, tuple(actions), kind)
        mine, theirs = pair.lists()
        if (other := pair.differing(mine, theirs)) is not None:
            return Witness(setup, tuple(actions), "accepted-illegal" if other[1] else "rejected-legal", other[0], other[1])
        if not mine:
            return None
        option, bit = policy(own, pair.a, mine, source)
        action = own.action(option, bit)
        if not pair.take(action):
            return None
        actions.append(action)
    return None


def replayed(own: Engine, changed: Engine, setup: Setup, actions: Sequence[Action], list_after: bool = True) -> Witness | None:
    """The witness in a game, if it holds one: cut at the first difference."""
    pair = paired(own, changed, setup)
    if pair is None:
        return Witness(setup, (), "setup")
    for done in range(len(actions) + 1):
        if (kind := pair.apart()) is not None:
            return Witness(setup, tuple(actions[:done]), kind)
        if list_after:
            mine, theirs = pair.lists()
            if (other := pair.differing(mine, theirs)) is not None:
                return Witness(setup, tuple(actions[:done]), "accepted-illegal" if other[1] else "rejected-legal", other[0], other[1])
        if done < len(actions) and not pair.take(actions[done]):
            return None
    return None


def shrunk(own: Engine, changed: Engine, found: Witness, rounds: int = 6) -> Witness:
    """The same difference or another in a shorter game: actions left out, purchases made advances, placements moved up."""
    best = found
    for _ in range(rounds):
        before = best
        for attempt in _shorter(own, best):
            smaller = replayed(own, changed, best.setup, attempt)
            if smaller is not None and (smaller.length, _weight(smaller)) < (best.length, _weight(best)):
                best = smaller
                break
        if best is before:
            return best
    return best if rounds <= 0 else shrunk(own, changed, best, 0) if best is found else shrunk(own, changed, best, rounds - 1)


def _weight(found: Witness) -> int:
    return sum(sum(a.cells or ()) + (100 if a.patch is not None else 0) for a in found.actions)


def _shorter(own: Engine, found: Witness) -> Iterator[tuple[Action, ...]]:
    """Candidates, the boldest first."""
    actions = found.actions
    for size in (len(actions) // 2, len(actions) // 4, 4, 3, 2, 1):
        if size > 0:
            for at in range(0, len(actions), max(1, size)):
                yield (*actions[:at], *actions[at + size :])
    for at, action in enumerate(actions):
        if action.type != actions[0].type or action.patch is not None:
            bare = next((f for f in own.machine.actions if not f.choices), None)
            if bare is not None and action.type != bare.type:
                yield (*actions[:at], Action(bare.type), *actions[at + 1 :])
    yield from _moved_up(own, found)


def _moved_up(own: Engine, found: Witness) -> Iterator[tuple[Action, ...]]:
    """Each placement in the first free place, the other actions as they are."""
    try:
        state = own.start(found.setup)
        for at, action in enumerate(found.actions):
            if action.cells:
                for option in own.backend.options(state.values):
                    first = own.action(option, next(bits(option[3]))) if option[2] is not None else None
                    if first is not None and first.patch == action.patch and first.type == action.type and first != action:
                        yield (*found.actions[:at], first, *found.actions[at + 1 :])
            state = own.apply(state, action)
    except PatchworkRefError:
        return
