"""How does one engine go through the steps of `smoke`: what is sent, what comes, how does a step end?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

import msgspec
from msgspec import UNSET, Struct

from patchwork_ref.conformance import protocol, wire
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.hints import hint_for_failure, hint_for_refusal
from patchwork_ref.conformance.limits import TimeLimits
from patchwork_ref.conformance.outcomes import Failure, Message
from patchwork_ref.conformance.protocol import Advance, Refusal, Setup
from patchwork_ref.conformance.targets import Target

A = TypeVar("A", bound=protocol.Answer)


class Step(Struct, frozen=True):
    """One step. `reason` says what is wrong, or why it does not apply; a passed step may carry a `hint` as a remark."""

    number: int
    title: str
    status: Literal["passed", "failed", "not-applicable"]
    expected: str
    sent: tuple[Message, ...] = ()
    received: tuple[Message, ...] = ()
    reason: str = ""
    hint: str = ""
    failure: Failure | None = None


class Stopped(Exception):
    """A step ends early: raised by the questions, and always caught in `Visit.take`."""

    def __init__(self, reason: str, hint: str = "", failure: Failure | None = None, applies: bool = True) -> None:
        self.reason, self.hint, self.failure, self.applies = reason, hint, failure, applies


class Visit:
    """One engine on its way through the steps."""

    def __init__(self, engine: str | Target, setup: Setup, limits: TimeLimits) -> None:
        self.engine, self.setup, self.limits = engine, setup, limits
        self.open: Connection | None = None
        self.identity: protocol.HelloReply | None = None

    @property
    def connection(self) -> Connection:
        """The connection; the first step has made it."""
        assert self.open is not None
        return self.open

    def take(self, number: int, title: str, expected: str, question: Callable[[Visit], str | None]) -> Step:
        """Ask one question; every way it may end becomes a `Step`."""
        mark = self.open.message_count if self.open else 0
        status: Literal["passed", "failed", "not-applicable"] = "passed"
        reason, hint, failure = "", "", None
        try:
            hint = question(self) or ""
        except Stopped as stopped:
            status = "failed" if stopped.applies else "not-applicable"
            reason, hint, failure = stopped.reason, stopped.hint, stopped.failure
        messages = self.open.messages(mark) if self.open else ()
        sent = tuple(message for message in messages if message.direction == "sent")
        received = tuple(message for message in messages if message.direction == "received")
        return Step(number, title, status, expected, sent, received, reason, hint, failure)

    def need(self, reply: A | Refusal | Failure) -> A:
        """The reply as the answer that it must be, or the end of the step."""
        if isinstance(reply, Failure):
            raise Stopped(reply.reason, hint_for_failure(reply), reply)
        if isinstance(reply, Refusal):
            raise Stopped(f"the engine said no: {said(reply)}", hint_for_refusal(reply))
        return reply

    def need_capability(self, name: str) -> None:
        """End the step as not applicable where the engine lacks a capability."""
        if name not in self.connection.capabilities:
            raise Stopped(f"the engine does not declare the capability `{name}`", applies=False)

    def advance(self, game: str) -> None:
        """One advance, which is always legal where we use it."""
        self.need(self.connection.apply(game, [Advance()]))

    def observed(self, game: str) -> object:
        """All that the engine can observe of a game, to see that it stays as it is; None where that is nothing."""
        if "state" in self.connection.capabilities:
            return self.need(self.connection.state(game)).state
        if "legal" in self.connection.capabilities:
            return action_keys(self.need(self.connection.legal(game)))
        return None

    def tokens(self, game: str) -> tuple[object, object] | None:
        """What every advance changes: spaces and buttons; None where the engine does not report them."""
        if "state" not in self.connection.capabilities:
            return None
        players = self.need(self.connection.state(game)).state.players
        if players is UNSET:
            return None
        first, second = ((player.space, player.buttons) for player in players)
        return (first, second) if {*first, *second} != {UNSET} else None

    def close(self) -> None:
        """Leave nothing behind."""
        if self.open is not None:
            self.open.close()


def action_keys(reply: protocol.LegalReply) -> list[str]:
    """The actions as text, cells in order, sorted: equal cell sets are one action."""
    found = []
    for action in reply.actions:
        fields = msgspec.to_builtins(action)
        if "cells" in fields:
            fields["cells"] = sorted(fields["cells"])
        found.append(msgspec.json.encode(fields).decode())
    return sorted(found)


def said(reply: protocol.Reply) -> str:
    """The reply as the line it was, cut where it is long."""
    text = wire.encode(reply).decode().strip()
    return text if len(text) <= 200 else text[:197] + "..."
