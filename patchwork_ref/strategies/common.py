"""What the strategies share: the engine that is meant when none is given, and numbers of a Machine by name."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from hypothesis import strategies as st

from patchwork_ref.engine import Engine
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.rulebook import load_rulebook

Rules = Engine | Machine | str | None
"""Whose rules: an Engine, a Machine, the name of a ruleset of the shipped rulebook, or None for its default."""

CHOICE, TABLE = 3, 60
"""Bytes of one choice in a game, and of a set-up."""
BYTES = st.binary(min_size=80 * CHOICE + TABLE, max_size=80 * CHOICE + TABLE)
"""As many choices as hardly any game has actions, then a set-up. Every draw of bytes that a game is made of is this one, and as
a rule there is one alone: Hypothesis tries what one draw gave in the place of another of its kind, and takes the simplest
value where it does not fit, so that half of the games would be of the simplest kind or have been there already."""


@lru_cache(maxsize=16)
def default_engine(ruleset: str | None = None) -> Engine:
    """An Engine for a ruleset of the shipped rulebook, made once. Raises ChoiceError for an unknown name."""
    return Engine(from_rulebook(load_rulebook(), ruleset=ruleset))


def engine_of(rules: Rules) -> Engine:
    """The Engine that is meant."""
    if isinstance(rules, Engine):
        return rules
    return Engine(rules) if isinstance(rules, Machine) else default_engine(rules)


def machine_of(rules: Rules) -> Machine:
    return rules if isinstance(rules, Machine) else engine_of(rules).machine


def constant(machine: Machine, name: str, otherwise: int) -> int:
    """An integer constant of the rulebook, or ``otherwise`` where a rulebook has none of this name."""
    found = machine.constants.get(name)
    return found.value if found is not None and isinstance(found.value, int) else otherwise


def flips_of(machine: Machine) -> bool:
    found = machine.constants.get("flips")
    return bool(found.value) if found is not None else True


class Source(Protocol):
    """Where choices come from: ``random.Random``, or bytes that Hypothesis drew."""

    def randrange(self, stop: int) -> int: ...


class ByteSource:
    """Choices out of bytes, two for each; 0 is the first, and so is everything after the last byte.

    One draw of Hypothesis gives a whole game: a draw for each action costs more than the action.
    """

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def randrange(self, stop: int) -> int:
        value = int.from_bytes(self.data[self.at : self.at + 2], "big")
        self.at += 2
        return value * stop >> 16
