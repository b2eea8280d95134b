"""Our own engine as an engine of the protocol: what ``serve`` puts on the standard streams, and mutants in-process.

It follows the ``readings`` of each set-up as far as it knows them, unless it was told to play one choice whatever a
set-up says: then it is an engine with readings of its own, as most are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from patchwork_ref import __version__
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.perft import perft
from patchwork_ref.errors import IllegalAction, InputError, PatchworkRefError, SetupError
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.codec import action_from_json, action_to_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.observe import observed
from patchwork_ref.machine.setup import setup_from_message
from patchwork_ref.machine.state import State
from patchwork_ref.rulebook.model import Rulebook

VERSION = 1
CAPABILITIES = ("state", "legal", "perft", "finds-token")
DEEPEST = 6
"""Of perft; deeper ones would not end."""

MachineFor = Callable[[Mapping[str, str]], Machine]


def follows(rulebook: Rulebook) -> MachineFor:
    """Machines by the readings of the set-up. A reading that the rulebook does not know raises SetupError."""
    kept: dict[tuple[tuple[str, str], ...], Machine] = {}

    def machine_for(readings: Mapping[str, str]) -> Machine:
        known = {a: r for a, r in readings.items() if a in rulebook.ambiguities}
        for ambiguity, reading in known.items():
            if reading not in rulebook.ambiguities[ambiguity].readings:
                raise SetupError(f"{ambiguity} has no reading {reading!r} here")
        default = {a.name: a.default for a in rulebook.ambiguities.values()}
        key = tuple(sorted({**default, **known}.items()))
        if key not in kept:
            kept[key] = from_rulebook(rulebook, dict(key))
        return kept[key]

    return machine_for


def always(machine: Machine) -> MachineFor:
    """One Machine, whatever the set-up's readings are."""
    return lambda readings: machine


class ReferenceEngine:
    """Answers requests of the protocol; never raises."""

    def __init__(self, machine_for: MachineFor, name: str = "patchwork-ref") -> None:
        self.machine_for, self.name = machine_for, name
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
        readings = setup.get("readings", {})
        try:
            base = self.machine_for(readings if isinstance(readings, Mapping) else {})
        except SetupError as error:
            raise _Answer(skipped={"reason": str(error)}) from None
        machine, laid = setup_from_message(base, setup)
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
