"""Our own engine as an engine of the protocol: what ``serve`` puts on the standard streams, and mutants in-process.

It follows the ``readings`` of each set-up as far as it knows them, unless it was told to play one choice whatever a
set-up says: then it is an engine with readings of its own, as most are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from patchwork_ref import __version__
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.perft import perft
from patchwork_ref.errors import IllegalAction, InputError, PatchworkRefError, SetupError
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.codec import action_from_json, action_to_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.observe import observed
from patchwork_ref.machine.setup import Setup, setup_from_message, setup_message
from patchwork_ref.machine.state import State
from patchwork_ref.rulebook.model import Rulebook

VERSION = 1
CAPABILITIES = ("state", "legal", "perft", "finds-token")
DEEPEST = 6
"""Of perft; deeper ones would not end."""

Seat = Callable[[Mapping[str, Any]], tuple[Machine, Setup]]
"""Sits down at a table: the Machine and the Setup that a set-up message makes. Raises SetupError."""


def follows(rulebook: Rulebook) -> Seat:
    """Plays by the readings and the numbers of each set-up. A reading that the rulebook does not know is a SetupError."""
    kept: dict[tuple[tuple[str, str], ...], Machine] = {}

    def seat(message: Mapping[str, Any]) -> tuple[Machine, Setup]:
        given = message.get("readings")
        known = {a: r for a, r in given.items() if a in rulebook.ambiguities} if isinstance(given, Mapping) else {}
        for ambiguity, reading in known.items():
            if reading not in rulebook.ambiguities[ambiguity].readings:
                raise SetupError(f"{ambiguity} has no reading {reading!r} here")
        default = {a.name: a.default for a in rulebook.ambiguities.values()}
        key = tuple(sorted({**default, **known}.items()))
        if key not in kept:
            kept[key] = from_rulebook(rulebook, dict(key))
        return setup_from_message(kept[key], message)

    return seat


def always(machine: Machine, prints: Sequence[Machine] = ()) -> Seat:
    """Plays one Machine, whatever readings a set-up names, as an engine with fixed tables does.

    Numbers that are those of one of the ``prints`` are taken for what lies on every table, and the Machine keeps its
    own; other numbers are followed.
    """
    from patchwork_ref.mutation.playing import unmasked  # loads every kind of mutant, which no other engine needs

    def seat(message: Mapping[str, Any]) -> tuple[Machine, Setup]:
        own = [unmasked(message, plain, machine) for plain in prints]
        return setup_from_message(machine, min(own, key=lambda found: len(str(found)), default=dict(message)))

    return seat


def prints(rulebook: Rulebook) -> tuple[Machine, ...]:
    """The Machines of the rulesets, one for each set of numbers that a set-up message may carry as a matter of course."""
    found: dict[str, Machine] = {}
    for name in rulebook.rulesets:
        machine = from_rulebook(rulebook, rulebook.readings(name))
        message = setup_message(machine, Setup(()))
        found.setdefault(repr({key: value for key, value in message.items() if key not in ("ruleset", "readings")}), machine)
    return tuple(found.values())


class ReferenceEngine:
    """Answers requests of the protocol; never raises."""

    def __init__(self, seat: Seat, name: str = "patchwork-ref") -> None:
        self.seat, self.name = seat, name
        self.games: dict[str, tuple[Engine, State]] = {}
        self.ended = False

    def handle(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to one request, with the request's id."""
        answer: Mapping[str, Any]
        op = request.get("op")
        method = getattr(self, f"_{op}", None) if isinstance(op, str) and op in _OPS else None
        try:
            answer = {"ok": False, "unsupported": True} if method is None else {"ok": True, **method(request)}
        except _Answer as refused:
            answer = {"ok": False, **refused.fields}
        except PatchworkRefError as error:
            answer = {"ok": False, "error": {"message": str(error)}}
        return {"id": request.get("id"), **answer}

    def _hello(self, request: Mapping[str, Any]) -> dict[str, Any]:
        spoken = request.get("protocol")
        if not isinstance(spoken, list) or VERSION not in spoken:
            raise InputError(f"this engine speaks protocol {VERSION}, not {spoken}")
        return {"protocol": VERSION, "engine": {"name": self.name, "version": __version__, "language": "Python"}, "capabilities": list(CAPABILITIES)}

    def _new(self, request: Mapping[str, Any]) -> dict[str, Any]:
        name, setup = request.get("game"), request.get("setup")
        if not isinstance(name, str) or not isinstance(setup, Mapping):
            raise InputError("new needs a game and a setup")
        if name in self.games:
            raise InputError(f"a game {name!r} is open already")
        try:
            machine, laid = self.seat(setup)
        except SetupError as error:
            raise _Answer(skipped={"reason": str(error)}) from None
        engine = Engine(machine)
        self.games[name] = (engine, engine.start(laid))
        return {}

    def _apply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        engine, state = self._game(request)
        actions = request.get("actions")
        if not isinstance(actions, list):
            raise InputError("apply needs a list of actions")
        applied = 0
        for given in actions:
            try:
                action = action_from_json(given)
            except InputError:
                raise _Answer(reject={"code": "unknown"}, applied=applied) from None
            try:
                state = engine.apply(state, action)
            except IllegalAction as illegal:
                raise _Answer(reject={"code": illegal.code}, applied=applied) from None
            applied += 1
            self.games[str(request["game"])] = (engine, state)
        return {"applied": applied}

    def _state(self, request: Mapping[str, Any]) -> dict[str, Any]:
        engine, state = self._game(request)
        return {"state": observed(engine.machine, state, engine.is_over(state))}

    def _legal(self, request: Mapping[str, Any]) -> dict[str, Any]:
        engine, state = self._game(request)
        if request.get("form") == "count":
            return {"count": engine.count(state)}
        return {"actions": [action_to_json(action) for action in engine.legal(state)]}

    def _score(self, request: Mapping[str, Any]) -> dict[str, Any]:
        engine, state = self._game(request)
        if not engine.is_over(state):
            raise InputError("the game is not over")
        score = engine.score(state)
        return {"scores": list(score.totals), "winner": score.winner}

    def _perft(self, request: Mapping[str, Any]) -> dict[str, Any]:
        engine, state = self._game(request)
        depth = request.get("depth")
        if not isinstance(depth, int) or isinstance(depth, bool) or not 0 <= depth <= DEEPEST:
            raise InputError(f"perft needs a depth from 0 to {DEEPEST}")
        return {"nodes": perft(engine, state, depth)}

    def _end(self, request: Mapping[str, Any]) -> dict[str, Any]:
        self._game(request)
        del self.games[str(request["game"])]
        return {}

    def _bye(self, request: Mapping[str, Any]) -> dict[str, Any]:
        self.ended = True
        return {}

    def _game(self, request: Mapping[str, Any]) -> tuple[Engine, State]:
        found = self.games.get(str(request.get("game")))
        if found is None:
            raise InputError(f"no game {request.get('game')!r} is open")
        return found


_OPS = frozenset({"hello", "new", "apply", "state", "legal", "score", "perft", "end", "bye"})


class _Answer(Exception):
    """A reply that is no success; its fields."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields
        super().__init__()
