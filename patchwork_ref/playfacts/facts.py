"""The witness of a fact of play is a game that the engine replays; the other bound is counted, or proved by ``prove``.

A fact is a JSON object with ``kind`` "play": ``statement``, ``ruleset`` and, where they differ from it, ``readings``, ``measure`` (a key
of ``MEASURES``), ``sense`` (least or most), ``bounds``, a ``witness`` (a trace) that attains one bound, and ``bound``, which says where the other comes from:
``property`` (a declared property, its body quoted), ``counted`` (a function of ``patchwork_ref.playfacts.bounds``), or
``excluded`` (a search of ``EXCLUDED`` that finds nothing better, with the ``weights`` or ``certificates`` that it uses), and an ``argument`` in words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from patchwork_ref.engine import Engine
from patchwork_ref.engine.replay import Replayed, replay
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.show import show
from patchwork_ref.lang.walk import nodes
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.codec import trace_from_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Trace
from patchwork_ref.machine.state import State
from patchwork_ref.playfacts.bounds import BOUNDS
from patchwork_ref.playfacts.early import tile_excluded
from patchwork_ref.playfacts.solo import score_excluded
from patchwork_ref.playfacts.supply import deals, ways
from patchwork_ref.playfacts.together import buttons_excluded
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.tiling.theorems import TheoremCheck

KIND = "play"


@dataclass(frozen=True)
class Played:
    """A replayed witness, as the measures look at it."""

    machine: Machine
    trace: Trace
    replayed: Replayed

    @cached_property
    def states(self) -> list[State]:
        return [self.replayed.start, *(step.state for step in self.replayed.steps)]

    def spaces(self, name: str) -> tuple[int, ...]:
        """The constant's spaces, in ascending order."""
        value = self.machine.constants[name].value
        _need(isinstance(value, tuple), f"{name} is no set of spaces")
        return tuple(int(space) for space in value)  # type: ignore[union-attr]

    def whole(self) -> None:
        _need(self.replayed.over, "the witness is no finished game")


def _lead(played: Played) -> int:
    return max(abs(state.number("space", 0) - state.number("space", 1)) for state in played.states)


def _incomes(played: Played) -> int:
    marks = played.spaces("income_spaces")
    moves = [(a.number("space", who), b.number("space", who)) for a, b in zip(played.states, played.states[1:], strict=False) for who in (0, 1)]
    return max((sum(old < mark <= new for mark in marks) for old, new in moves), default=0)


def _specials(played: Played) -> int:
    return max(played.states[-1].number("specials", who) for who in (0, 1))


def _actions(played: Played) -> int:
    played.whole()
    return len(played.replayed.steps)


def _to_the_tile(played: Played) -> int:
    claimed = [number for number, state in enumerate(played.states) if any(state.get("special_tile", who) for who in (0, 1))]
    _need(bool(claimed), "nobody wins the special tile")
    return claimed[0]


def _buttons(played: Played) -> int:
    return max(state.number("buttons", 0) + state.number("buttons", 1) for state in played.states)


def _highest(played: Played) -> int:
    played.whole()
    return max(played.replayed.score.totals)


def _lowest(played: Played) -> int:
    played.whole()
    return min(played.replayed.score.totals)


MEASURES: Mapping[str, Callable[[Played], int]] = {
    "lead": _lead, "income spaces in a move": _incomes, "special patches of a player": _specials, "actions of a game": _actions,
    "actions to the special tile": _to_the_tile, "buttons held together": _buttons, "highest score": _highest, "lowest score": _lowest,
}
"""What is measured on a replayed game, by the name that a fact uses."""


EXCLUDED: Mapping[str, Callable[[Machine, int, Mapping[str, Any]], bool]] = {
    "final score": score_excluded, "buttons together": buttons_excluded, "the tile in time": tile_excluded,
}
"""Searches that say whether anything better than a number is impossible, by the name that a fact uses."""


class _Flaw(Exception):
    """The evidence does not prove the statement."""


def is_play(fact: Mapping[str, Any]) -> bool:
    """Whether a stored fact is one of play, for this room, and not one of tiling."""
    return fact.get("kind") == KIND


def machine_of(fact: Mapping[str, Any], rulebook: Rulebook) -> Machine:
    """The Machine that a fact is about: that of its ``ruleset``, with its ``readings`` where it names some. Raises ChoiceError."""
    ruleset = str(fact.get("ruleset"))
    return from_rulebook(rulebook, rulebook.readings(ruleset, fact.get("readings", {})), ruleset)


def verify_play(fact: Mapping[str, Any], machine: Machine) -> TheoremCheck:
    """Replays the witness with the engine, measures it, and recounts or looks up the other bound; never raises.

    The Machine is that of ``machine_of``. A bound by ``property`` rests on the proof that ``prove`` gives of that property; here it is only made sure that the
    machine declares it in the words quoted, and that it speaks of the number.
    """
    name = str(fact.get("theorem", "?"))
    try:
        return TheoremCheck(name, True, _verified(fact, machine))
    except _Flaw as flaw:
        return TheoremCheck(name, False, str(flaw))
    except Exception as error:
        return TheoremCheck(name, False, f"the file is malformed: {type(error).__name__}: {error}")


def _verified(fact: Mapping[str, Any], machine: Machine) -> str:
    low, high = (int(bound) for bound in fact["bounds"])
    _need(low <= high and fact["sense"] in ("least", "most"), "the bounds or the sense are no such thing")
    attained, other = (low, high) if fact["sense"] == "most" else (high, low)
    trace = trace_from_json(fact["witness"], "the witness")
    _need(fact["ruleset"] == machine.ruleset, f"the fact is about the ruleset {fact['ruleset']}")
    readings = fact.get("readings", {})
    _need(all(machine.readings.get(ambiguity) == reading for ambiguity, reading in readings.items()), "the fact is about other readings")
    _need(trace.ruleset == machine.ruleset and not trace.numbers and trace.readings == readings, "the witness is played by other rules")
    _need(set(trace.setup.circle) == {p.name for p in machine.regular} and trace.setup.neutral_token is None, "the witness does not begin as the rules say")
    replayed = replay(Engine(machine), trace.setup, trace.actions)
    _need(replayed.refusal is None, f"action {replayed.refused_at} of the witness is illegal")
    value = MEASURES[fact["measure"]](Played(machine, trace, replayed))
    _need(value == attained, f"the witness has {value}, the statement says {attained}")
    said = _bounded(fact["bound"], fact["sense"], other, machine)
    return f"a game of {len(trace.actions)} action{'s' * (len(trace.actions) != 1)} has {value}; {'more' if fact['sense'] == 'most' else 'less'} than {other} excluded by {said}"


def _bounded(bound: Mapping[str, Any], sense: str, number: int, machine: Machine) -> str:
    """What excludes a better value than ``number``."""
    if "property" in bound:
        name = bound["property"]
        declared = machine.properties.get(name)
        _need(declared is not None, f"no property is called {name}")
        assert declared is not None
        _need(show(declared.body) == bound["body"], f"{name} says something else here: {show(declared.body)}")
        _need(number in [node.value for node in nodes(declared.body) if isinstance(node, t.Integer)], f"{name} does not speak of {number}")
        return f"{name}, which prove proves"
    if "excluded" in bound:
        if "deals" in bound:
            _need(bound["deals"] == deals(machine) and bound["paying"] == ways(machine), "what it says of the numbers and of how is paid is not the machine's")
        _need(EXCLUDED[bound["excluded"]](machine, number, bound), f"better than {number} is not excluded")
        return f"exhaustion ({bound['excluded']})"
    counted = BOUNDS[bound["counted"]](machine)
    _need(counted <= number if sense == "most" else counted >= number, f"by count {counted} is not excluded")
    return f"count ({bound['counted']})"


def _need(holds: bool, reason: str) -> None:
    if not holds:
        raise _Flaw(reason)
