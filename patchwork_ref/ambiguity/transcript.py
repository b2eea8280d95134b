"""What an engine answers in one game, kept so that any number of readings can be held against it without playing again.

The actions of a fixture are sent as they stand, whoever would refuse them: an engine with other readings than the
fixture's is expected to answer otherwise, and that is what is to be learnt.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from patchwork_ref.conformance import protocol
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import Course, Do, Key, course_of_steps
from patchwork_ref.conformance.judge import keys_of, wire_action
from patchwork_ref.conformance.outcomes import CannotStart, Crashed, Failure, Hung, ProtocolError
from patchwork_ref.conformance.wire import setup_from
from patchwork_ref.engine.engine import Engine
from patchwork_ref.fixtures.model import Fixture, Legal, Play, Refuse, step_to_json
from patchwork_ref.machine.play import Action

FINDS_TOKEN = "finds-token"


@dataclass(frozen=True, slots=True)
class Event:
    """One answer. ``start`` and ``act`` carry the state behind them, where the engine shows it; ``trouble`` is an answer
    that no rules explain."""

    kind: Literal["start", "act", "legal", "score", "trouble"]
    action: Action | None = None
    accepted: bool = True
    state: protocol.GameState | None = None
    listed: frozenset[Key] | None = None
    twice: bool = False  # whether the list names an action more than once
    miscounted: bool = False  # whether the engine counts otherwise than it lists, whatever the readings
    scores: tuple[int, int] | None = None  # None where the engine says that the game is not over
    winner: int | None = None
    text: str = ""


@dataclass(frozen=True, eq=False)
class Transcript:
    """A fixture as one engine answered it. Compared by identity: it is played once.

    ``unplayed`` is why there was no game: the engine skipped the set-up, or lacks a capability.
    """

    fixture: Fixture
    events: tuple[Event, ...] = ()
    unplayed: str = ""
    failure: Failure | None = None

    @property
    def played(self) -> Fixture:
        """The fixture as it was played: what was to be refused and was accepted is an action of the game."""
        acts = iter([e.accepted for e in self.events if e.kind == "act"])
        steps = [(step, isinstance(step, (Play, Refuse)) and next(acts, False)) for step in self.fixture.steps]
        return replace(self.fixture, steps=tuple(Play(step.action, {}, ()) if isinstance(step, Refuse) and accepted else step for step, accepted in steps))


def told(fixture: Fixture, base: Engine) -> Course:
    """The set-up that is sent: that of the base rules, whichever readings the fixture is for."""
    return Course(fixture.id, base, fixture.setup, (), fixture.setup.neutral_token is not None)


def record(connection: Connection, fixture: Fixture, base: Engine, own: Engine) -> Transcript:
    """Plays a fixture's actions and asks its questions. ``own`` is the Engine of the fixture's readings: by it the game is
    played to its end for engines of which only the score can be seen."""
    case = told(fixture, base)
    if not case.tells_token and FINDS_TOKEN not in connection.capabilities:
        return Transcript(fixture, unplayed=f"the engine lacks the capability {FINDS_TOKEN}")
    setup = setup_from(case.message)
    assert isinstance(setup, protocol.Setup), setup
    reply = connection.new(fixture.id, setup)
    if isinstance(reply, protocol.Skipped):
        return Transcript(fixture, unplayed=f"the engine skips the set-up: {reply.skipped.reason}")
    if not isinstance(reply, protocol.DoneReply):
        return _ended(fixture, [_trouble("new", reply)], reply)
    player = _Player(connection, fixture, own)
    events, last = player.play()
    if connection.failure is None and not connection.closed:
        connection.end(fixture.id)
    return _ended(fixture, events, last)


class _Player:
    """One game that is open on the engine."""

    def __init__(self, connection: Connection, fixture: Fixture, own: Engine) -> None:
        self.connection, self.fixture, self.own = connection, fixture, own
        self.game = fixture.id
        self.observes, self.lists = "state" in connection.capabilities, "legal" in connection.capabilities
        self.last: object = None

    def play(self) -> tuple[list[Event], object]:
        """The events, and the last reply where it was no answer."""
        events: list[Event] = []
        for event in self._events():
            events.append(event)
            if event.kind == "trouble":
                break
        return events, self.last

    def _events(self) -> Iterator[Event]:
        event = yield from self._seen(Event("start"))
        for asked in self._questions():
            if asked is None:
                if self.lists:
                    yield self._legal()
                continue
            action, must = asked
            reply = self.connection.apply(self.game, [wire_action(action)])
            if isinstance(reply, protocol.Rejected):
                accepted = False
            elif isinstance(reply, protocol.ApplyReply):
                accepted = True
            else:
                yield self._none("apply", reply)
                return
            event = yield from self._seen(Event("act", action, accepted))
            if must and not accepted:
                break
        if self.lists and not self.observes:
            yield self._legal()
        finished = event.state.finished if event is not None and event.state is not None else None
        if finished is not False:
            yield self._score()

    def _questions(self) -> Iterator[tuple[Action, bool] | None]:
        """Actions with whether the game goes on from them; None where the legal actions are to be listed."""
        for step in self.fixture.steps:
            if isinstance(step, (Play, Refuse)):
                yield step.action, isinstance(step, Play)
            elif isinstance(step, Legal):
                yield None
        if not self.observes:
            steps = [step_to_json(step) for step in self.fixture.steps]
            whole = course_of_steps(self.fixture.id, self.own, self.fixture.setup, steps, self.fixture.setup.neutral_token is not None)
            for task in whole.ended().tasks[len(whole.tasks):]:
                if isinstance(task, Do):
                    yield task.action, True

    def _seen(self, event: Event) -> Generator[Event, None, Event | None]:
        """The event with the state behind it."""
        if self.observes:
            reply = self.connection.state(self.game)
            if not isinstance(reply, protocol.StateReply):
                yield self._none("state", reply)
                return None
            event = Event(event.kind, event.action, event.accepted, reply.state)
        yield event
        return event

    def _legal(self) -> Event:
        reply = self.connection.legal(self.game)
        if not isinstance(reply, protocol.LegalReply):
            return self._none("legal", reply)
        listed, number = frozenset(keys_of(reply.actions)), self.connection.legal_count(self.game)
        if isinstance(number, (Crashed, Hung, ProtocolError, CannotStart)):
            return self._none("legal", number)
        wrong = not isinstance(number, (protocol.LegalCountReply, protocol.Unsupported)) or (isinstance(number, protocol.LegalCountReply) and number.count != len(reply.actions))
        return Event("legal", listed=listed, twice=len(listed) < len(reply.actions), miscounted=wrong)

    def _score(self) -> Event:
        reply = self.connection.score(self.game)
        if isinstance(reply, protocol.ScoreReply):
            first, second = reply.scores
            return Event("score", scores=(first, second), winner=reply.winner)
        if isinstance(reply, (Crashed, Hung, ProtocolError, CannotStart)):
            return self._none("score", reply)
        return Event("score", text=_words("score", reply))

    def _none(self, op: str, reply: object) -> Event:
        self.last = reply
        return _trouble(op, reply)


def _trouble(op: str, reply: object) -> Event:
    return Event("trouble", text=_words(op, reply))


def _words(op: str, reply: object) -> str:
    if isinstance(reply, protocol.EngineError):
        return f"{op}: the engine reports an error: {reply.error.message[:200]}"
    if isinstance(reply, (Crashed, Hung, ProtocolError, CannotStart)):
        return f"{op}: {reply.reason}"
    return f"{op} is answered with {type(reply).__name__}"


def _ended(fixture: Fixture, events: list[Event], last: object) -> Transcript:
    failure = last if isinstance(last, (Crashed, Hung, ProtocolError, CannotStart)) else None
    return Transcript(fixture, tuple(events), failure=failure)
