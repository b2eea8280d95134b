"""How does one conversation with one engine go, from hello to bye?

A `Connection` is one life of an engine. Requests go one at a time; each gets its answer, a refusal, or a `Failure`.
After a failure the engine is already gone (its process group ended) and every further request returns that failure.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Protocol, TypeVar

from patchwork_ref.conformance import protocol, wire
from patchwork_ref.conformance.inprocess import InProcessTransport
from patchwork_ref.conformance.limits import DEFAULT_LIMITS, TimeLimits
from patchwork_ref.conformance.outcomes import (
    CannotStart,
    Crashed,
    Direction,
    Evidence,
    Failure,
    Message,
    ProtocolError,
    with_evidence,
)
from patchwork_ref.conformance.process import ProcessTransport
from patchwork_ref.conformance.protocol import Action, EngineIdentity, Refusal, Setup
from patchwork_ref.conformance.targets import Command, Target, parse_target

A = TypeVar("A", bound=protocol.Answer)

KEPT_MESSAGES = 20
KEPT_TEXT = 2000
_SECOND_REPLY = 0.2  # seconds in which the reply we asked for may follow a line we did not ask for


class Transport(Protocol):
    """What a connection needs of a process, or of an object that plays one."""

    def exchange(self, line: bytes, seconds: float) -> bytes | Failure: ...
    def peek(self, seconds: float) -> bytes | None: ...
    def farewell(self, seconds: float) -> Failure | None: ...
    def stderr_tail(self) -> str: ...
    def kill(self) -> None: ...


class Connection:
    """One life of one engine. Open it with `open`; use it in a `with` block, which leaves nothing behind."""

    def __init__(self, transport: Transport, limits: TimeLimits) -> None:
        self.limits = limits
        self.engine: EngineIdentity | None = None
        self.capabilities: frozenset[str] = frozenset()
        self.failure: Failure | None = None
        self.closed = False
        self._transport = transport
        self._asked = 0
        self._log: deque[tuple[Direction, bytes, int]] = deque(maxlen=KEPT_MESSAGES)
        self._logged = 0

    @classmethod
    def start(cls, engine: str | Target, limits: TimeLimits = DEFAULT_LIMITS) -> Connection | Failure:
        """Start the engine and say nothing yet; `smoke` looks at this step by itself."""
        target = parse_target(engine) if isinstance(engine, str) else engine
        if isinstance(target, CannotStart):
            return target
        transport: Transport | Failure
        if isinstance(target, Command):
            transport = ProcessTransport.spawn(target.argv)
        else:
            transport = InProcessTransport.start(target, limits.start)
        return transport if isinstance(transport, Failure) else cls(transport, limits)

    @classmethod
    def open(cls, engine: str | Target, limits: TimeLimits = DEFAULT_LIMITS) -> Connection | Failure:
        """Start the engine and agree on the protocol."""
        connection = cls.start(engine, limits)
        if not isinstance(connection, Connection):
            return connection
        reply = connection.hello()
        if isinstance(reply, protocol.HelloReply):
            return connection
        if isinstance(reply, Failure):
            return reply
        said = wire.encode(reply).decode().strip()
        return connection.fail(CannotStart("refused-hello", f"hello was answered with {said[:KEPT_TEXT]}"), "hello")

    # --- the operations --------------------------------------------------------------------------------------------

    def hello(self, versions: Sequence[int] = (protocol.VERSION,)) -> protocol.HelloReply | Refusal | Failure:
        """Agree on a version; learn who it is and what it can do. A death here means that it cannot start."""
        was_alive = self.failure is None
        reply = self.ask(protocol.HelloRequest(self._next(), tuple(versions)), protocol.HelloReply)
        if isinstance(reply, Crashed) and was_alive:
            self.failure = CannotStart("died-at-hello", f"at hello {reply.reason}", reply.evidence)
            return self.failure
        if isinstance(reply, protocol.HelloReply):
            if reply.protocol not in versions:
                reason = f"hello chose protocol {reply.protocol}, offered were {list(versions)}"
                return self.fail(ProtocolError("wrong-version", reason), "hello")
            self.engine, self.capabilities = reply.engine, frozenset(reply.capabilities)
        return reply

    def new(self, game: str, setup: Setup) -> protocol.DoneReply | Refusal | Failure:
        """Open a game."""
        return self.ask(protocol.NewRequest(self._next(), game, setup), protocol.DoneReply)

    def apply(self, game: str, actions: Sequence[Action]) -> protocol.ApplyReply | Refusal | Failure:
        """Apply actions in order; a `Rejected` says how many came before the illegal one."""
        reply = self.ask(protocol.ApplyRequest(self._next(), game, tuple(actions)), protocol.ApplyReply)
        sent = len(actions)
        if isinstance(reply, protocol.ApplyReply) and reply.applied != sent:
            return self._invalid(f"`ok` is true for {sent} actions, but `applied` is {reply.applied}", "apply")
        if isinstance(reply, protocol.Rejected) and reply.applied >= sent:
            return self._invalid(f"one of {sent} actions is rejected, but `applied` is {reply.applied}", "apply")
        return reply

    def state(self, game: str) -> protocol.StateReply | Refusal | Failure:
        """What the engine observes of the game."""
        return self.ask(protocol.StateRequest(self._next(), game), protocol.StateReply)

    def legal(self, game: str) -> protocol.LegalReply | Refusal | Failure:
        """The legal actions, in the engine's order."""
        return self.ask(protocol.LegalRequest(self._next(), game), protocol.LegalReply)

    def legal_count(self, game: str) -> protocol.LegalCountReply | Refusal | Failure:
        """How many legal actions there are."""
        return self.ask(protocol.LegalRequest(self._next(), game, "count"), protocol.LegalCountReply)

    def score(self, game: str) -> protocol.ScoreReply | Refusal | Failure:
        """The result of a game that is over."""
        return self.ask(protocol.ScoreRequest(self._next(), game), protocol.ScoreReply)

    def perft(self, game: str, depth: int) -> protocol.PerftReply | Refusal | Failure:
        """How many sequences of `depth` actions there are."""
        return self.ask(protocol.PerftRequest(self._next(), game, depth), protocol.PerftReply)

    def end(self, game: str) -> protocol.DoneReply | Refusal | Failure:
        """Forget the game."""
        return self.ask(protocol.EndRequest(self._next(), game), protocol.DoneReply)

    def bye(self) -> Refusal | Failure | None:
        """Part in peace: a reply, then exit with status 0 and nothing more. None when all of it went well."""
        was_alive = self.failure is None
        reply = self.ask(protocol.ByeRequest(self._next()), protocol.DoneReply)
        if isinstance(reply, Crashed) and reply.status == 0 and was_alive:
            reason = "the process exited with status 0, but did not reply to bye"
            self.failure = ProtocolError("bye-unanswered", reason, reply.evidence)
            return self.failure
        if not isinstance(reply, protocol.DoneReply):
            return reply
        failure = self._guarded_farewell()
        if failure is not None:
            return self.fail(failure, "bye")
        self.close()
        return None

    def raw(self, payload: Mapping[str, object], expected: type[A]) -> A | Refusal | Failure:
        """Send an object as it is, under the next id: for questions about the protocol itself."""
        return self._exchange({**payload, "id": self._next()}, str(payload["op"]), self._asked, expected)

    def ask(self, request: protocol.Request, expected: type[A]) -> A | Refusal | Failure:
        """Send a request and read its reply."""
        return self._exchange(request, str(request.__struct_config__.tag), request.id, expected)

    # --- ends ------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Leave without a word: end the process and all it started. Idempotent."""
        self.closed = True
        self._transport.kill()

    def fail(self, failure: Failure, op: str) -> Failure:
        """Record what went wrong with its evidence, and end the engine."""
        if self.failure is None:
            evidence = Evidence(op, self._asked, self.messages(), self._transport.stderr_tail())
            self.failure = with_evidence(failure, evidence)
            self.close()
        return self.failure

    def messages(self, since: int = 0) -> tuple[Message, ...]:
        """The last messages, oldest first; `since` a former `message_count` gives those after it."""
        wanted = min(self._logged - since, len(self._log))
        kept = list(self._log)[len(self._log) - wanted :] if wanted > 0 else []
        return tuple(Message(way, line.decode(errors="replace").rstrip("\n"), size) for way, line, size in kept)

    @property
    def message_count(self) -> int:
        """How many messages have gone either way."""
        return self._logged

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # --- one exchange ----------------------------------------------------------------------------------------------

    def _next(self) -> int:
        self._asked += 1
        return self._asked

    def _exchange(
        self, message: protocol.Request | Mapping[str, object], op: str, request_id: int, expected: type[A]
    ) -> A | Refusal | Failure:
        if self.failure is not None:
            return self.failure
        if self.closed:
            raise ValueError("the connection is closed")
        line = wire.encode(message)
        if len(line) > protocol.LINE_LIMIT:
            raise ValueError(f"a request of {len(line)} bytes; a line has at most {protocol.LINE_LIMIT}")
        self._note("sent", line)
        try:
            received = self._transport.exchange(line, self.limits.seconds(op))
        except BaseException:
            self.close()  # interrupted: whoever interrupts us must not leave the engine behind
            raise
        if not isinstance(received, bytes):
            return self.fail(received, op)
        self._note("received", received)
        reply = wire.decode_reply(received, request_id, expected, rejectable=op == "apply")
        if isinstance(reply, wire.Malformed):
            return self.fail(self._judge(reply, request_id), op)
        return reply

    def _judge(self, fault: wire.Malformed, request_id: int) -> ProtocolError:
        """Tell a reply with a wrong id from a line too many: behind the latter comes the reply we asked for."""
        if fault.kind == "wrong-id":
            following = self._transport.peek(_SECOND_REPLY)
            if following is not None:
                self._note("received", following)
                if wire.reply_id(following) == request_id:
                    reason = f"a line that nobody asked for came before the reply to request {request_id}"
                    return ProtocolError("extra-output", reason)
        return ProtocolError(fault.kind, fault.reason)

    def _guarded_farewell(self) -> Failure | None:
        try:
            return self._transport.farewell(self.limits.end)
        except BaseException:
            self.close()
            raise

    def _invalid(self, reason: str, op: str) -> Failure:
        return self.fail(ProtocolError("invalid-message", reason), op)

    def _note(self, way: Direction, line: bytes) -> None:
        self._log.append((way, line[:KEPT_TEXT], len(line)))
        self._logged += 1


