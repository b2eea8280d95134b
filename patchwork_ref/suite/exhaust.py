"""Small games searched to the end: every state that two engines can reach together. What is not told apart then is equivalent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchwork_ref.engine import Engine
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import State, Values
from patchwork_ref.suite.pair import Pair, Witness

LARGEST = 200_000
"""Pairs of states after which a search is given up."""


class TooLarge(Exception):
    """The game has more states than are searched."""


def every_state(engine: Engine, setups: Sequence[Setup], largest: int = LARGEST) -> Iterator[tuple[State, tuple[tuple[Action, State], ...]]]:
    """Every reachable state once, with what each legal action leads to. Raises TooLarge."""
    waiting = [engine.start(setup) for setup in setups]
    seen: set[Values] = {state.values for state in waiting}
    while waiting:
        state = waiting.pop()
        following = []
        for action in engine.legal(state):
            after = engine.apply(state, action)
            following.append((action, after))
            if after.values not in seen:
                seen.add(after.values)
                waiting.append(after)
        if len(seen) > largest:
            raise TooLarge(f"more than {largest} states")
        yield state, tuple(following)


def exhausted(own: Engine, changed: Engine, setups: Sequence[Setup], largest: int = LARGEST) -> Witness | None:
    """The shortest game on these set-ups that tells the two apart; None when there is none: they are equivalent there.

    What a mutant does wrong inside (it crashes) is a difference. Raises TooLarge.
    """
    level: list[tuple[Pair, tuple[Action, ...]]] = []
    for setup in setups:
        try:
            level.append((Pair(own, changed, setup), ()))
        except PatchworkRefError:
            return Witness(setup, (), "setup")
    seen: set[tuple[Values, Values]] = {(pair.a.values, pair.b.values) for pair, _ in level}
    while level:
        following = []
        for pair, actions in level:
            try:
                if (kind := pair.apart()) is not None:
                    return Witness(pair.setup, actions, kind)
                mine, theirs = pair.lists()
                if (other := pair.differing(mine, theirs)) is not None:
                    return Witness(pair.setup, actions, "accepted-illegal" if other[1] else "rejected-legal", other[0], other[1])
                for option in mine:
                    for action in own.actions(option):
                        further = pair.copy()
                        if further.take(action) and (key := (further.a.values, further.b.values)) not in seen:
                            seen.add(key)
                            following.append((further, (*actions, action)))
            except (ArithmeticError, LookupError, TypeError, ValueError):
                return Witness(pair.setup, actions, "state")
            if len(seen) > largest:
                raise TooLarge(f"more than {largest} pairs of states")
        level = following
    return None
