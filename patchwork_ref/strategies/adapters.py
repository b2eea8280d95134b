"""Any engine behind a few methods: ours, an object of yours, or whatever speaks the protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from patchwork_ref.engine import Engine
from patchwork_ref.errors import IllegalAction
from patchwork_ref.machine.codec import action_to_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.observe import observed
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import setup_from_message
from patchwork_ref.machine.state import State


class Adapter(Protocol):
    """What the state machine asks of an engine. Several games are open at once, by name."""

    def new(self, game: str, setup: Mapping[str, Any]) -> None:
        """Open a game with the protocol's ``setup`` object."""

    def apply(self, game: str, action: Mapping[str, Any]) -> bool:
        """Carry out the protocol's action; False when it is refused, and then nothing has changed."""

    def state(self, game: str) -> Mapping[str, Any]:
        """The protocol's ``state``; fields that are missing are not looked at."""

    def score(self, game: str) -> tuple[tuple[int, int], int | None]:
        """Both scores and the winner of a finished game."""

    def end(self, game: str) -> None:
        """Close the game; its name may be used again."""


class EngineAdapter:
    """One of our Engines, for example a mutant's."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.games: dict[str, tuple[Engine, State]] = {}

    def new(self, game: str, setup: Mapping[str, Any]) -> None:
        machine, laid = setup_from_message(self.machine, setup)
        engine = Engine(machine)
        self.games[game] = engine, engine.start(laid)

    def apply(self, game: str, action: Mapping[str, Any]) -> bool:
        engine, state = self.games[game]
        cells = action.get("cells")
        try:
            self.games[game] = engine, engine.apply(state, Action(action["type"], action.get("patch"), None if cells is None else tuple(cells)))
        except IllegalAction:
            return False
        return True

    def state(self, game: str) -> Mapping[str, Any]:
        engine, state = self.games[game]
        return observed(engine.machine, state, engine.is_over(state))

    def score(self, game: str) -> tuple[tuple[int, int], int | None]:
        engine, state = self.games[game]
        score = engine.score(state)
        return score.totals, score.winner

    def end(self, game: str) -> None:
        del self.games[game]


class ObjectAdapter:
    """A class in this process: ``Game(setup)`` with ``apply(action)``, ``state()``, ``score()``; ``refusal`` is what
    ``apply`` raises for an illegal action."""

    def __init__(self, make: Callable[[Mapping[str, Any]], Any], refusal: type[Exception]) -> None:
        self.make, self.refusal = make, refusal
        self.games: dict[str, Any] = {}

    def new(self, game: str, setup: Mapping[str, Any]) -> None:
        self.games[game] = self.make(setup)

    def apply(self, game: str, action: Mapping[str, Any]) -> bool:
        try:
            self.games[game].apply(dict(action))
        except self.refusal:
            return False
        return True

    def state(self, game: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.games[game].state()
        return found

    def score(self, game: str) -> tuple[tuple[int, int], int | None]:
        scores, winner = self.games[game].score()
        return (scores[0], scores[1]), winner

    def end(self, game: str) -> None:
        del self.games[game]


class HandlerAdapter:
    """Whatever answers the protocol's requests: ``handle(request) -> reply``, over a pipe or not."""

    def __init__(self, handle: Callable[[dict[str, Any]], Mapping[str, Any]]) -> None:
        self.handle = handle
        self.asked = 0

    def ask(self, op: str, **fields: Any) -> Mapping[str, Any]:
        self.asked += 1
        reply = self.handle({"id": self.asked, "op": op, **fields})
        if reply.get("id") != self.asked or not isinstance(reply.get("ok"), bool):
            raise AssertionError(f"{op} was answered with {reply!r}")
        return reply

    def done(self, op: str, **fields: Any) -> Mapping[str, Any]:
        reply = self.ask(op, **fields)
        if not reply["ok"]:
            raise AssertionError(f"{op} was answered with {reply!r}")
        return reply

    def new(self, game: str, setup: Mapping[str, Any]) -> None:
        self.done("new", game=game, setup=dict(setup))

    def apply(self, game: str, action: Mapping[str, Any]) -> bool:
        reply = self.ask("apply", game=game, actions=[dict(action)])
        if not reply["ok"] and "reject" not in reply:
            raise AssertionError(f"apply was answered with {reply!r}")
        return bool(reply["ok"])

    def state(self, game: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.done("state", game=game)["state"]
        return found

    def score(self, game: str) -> tuple[tuple[int, int], int | None]:
        reply = self.done("score", game=game)
        return (reply["scores"][0], reply["scores"][1]), reply["winner"]

    def end(self, game: str) -> None:
        self.done("end", game=game)


def wire(action: Action) -> dict[str, Any]:
    """The action as the protocol writes it."""
    return action_to_json(action)
