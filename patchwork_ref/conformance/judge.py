"""Does an engine follow a case? One verdict value, whatever it does.

Long games are sent in batches with a look at the state after each; when a look differs, the batch is played again in a
new game, one action at a time, to find the first action after which the engine differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

from msgspec import UNSET, Struct, structs

from patchwork_ref.conformance import protocol
from patchwork_ref.conformance.compare import Difference, differences, reported
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import Course, Do, Key, Legal, Perft, Refuse, Task
from patchwork_ref.conformance.outcomes import CannotStart, Crashed, Failure, Hung, ProtocolError, outcome_name
from patchwork_ref.conformance.wire import setup_from
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import setup_message

Outcome = Literal[
    "agreed", "diverged", "rejected-legal", "accepted-illegal", "engine-error", "crashed", "hung", "protocol-error", "cannot-start", "flaky",
    "skipped", "not-applicable", "inconclusive",
]

STEPWISE = 14
"""Games up to so many actions are looked at after each; longer ones after every ``BATCH``."""
BATCH = 8
LAST = 3
"""The last actions of a long game are looked at one by one: a fixture usually decides there."""

Looks = Literal["usual", "each", "end"]
"""At which states a case is looked at: as ``STEPWISE`` says, after each action, or only before and after the last one."""


class Verdict(Struct, frozen=True):
    """What came of one case.

    ``action`` is the number of the first action that differs, counted from 1; 0 for the set-up. ``kind`` says what
    differed there: state, rejection, legal, count, score, perft, question, or process.
    """

    case: str
    outcome: Outcome
    action: int = 0
    kind: str = ""
    text: str = ""
    differences: tuple[Difference, ...] = ()
    code_expected: str | None = None
    code_got: str | None = None
    refused: Action | None = None  # the action that should have been refused, or whose refusal changed something
    extra: tuple[Action, ...] = ()
    missing: tuple[Action, ...] = ()
    reported: dict[str, Any] | None = None  # the engine's state, where it differs
    failure: Failure | None = None
    codes: tuple[tuple[str, str | None], ...] = ()  # reject codes (expected, given), scored apart
    observed: bool = True  # whether the engine shows its states

    @property
    def failed(self) -> bool:
        return self.outcome not in ("agreed", "skipped", "not-applicable", "inconclusive")


class _Stop(Exception):
    """Ends a case with its verdict."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields
        super().__init__()


def judge(connection: Connection, case: Course, game: str | None = None, looks: Looks = "usual") -> Verdict:
    """Plays one case on a live connection. The game is ended afterwards, so that its name is free again."""
    return _Player(connection, case, game or case.name, looks).verdict()


class _Player:
    def __init__(self, connection: Connection, case: Course, game: str, looks: Looks = "usual") -> None:
        self.connection, self.case, self.game = connection, case, game
        played = len(case.actions)
        if looks == "end":
            self.batches = frozenset({played - 1, played})
        elif looks == "each" or played <= STEPWISE:
            self.batches = frozenset(range(1, played + 1))
        else:
            self.batches = frozenset({*range(1, played + 1, BATCH), *range(played - LAST, played + 1), *_transient(case)})
        self.observes = "state" in connection.capabilities
        self.waiting: list[Do] = []
        self.done = 0
        self.codes: list[tuple[str, str | None]] = []

    def verdict(self) -> Verdict:
        try:
            if not self.case.tells_token and "finds-token" not in self.connection.capabilities:
                raise _Stop(outcome="not-applicable", text="the engine does not find the token's place")
            needed = {Perft: "perft", Legal: "legal"}
            lacking = [word for kind, word in needed.items() if word not in self.connection.capabilities and any(isinstance(t, kind) for t in self.case.tasks)]
            if lacking and all(not isinstance(t, (Do, Refuse)) for t in self.case.tasks):
                raise _Stop(outcome="not-applicable", text=f"the engine lacks the capability {lacking[0]}")
            self.open()
            self.look()
            for task in self.case.tasks:
                self.take(task)
            self.flush()
            self.finish()
            return Verdict(self.case.name, "agreed", codes=tuple(self.codes), observed=self.observes)
        except _Stop as stop:
            return Verdict(self.case.name, **stop.fields, codes=tuple(self.codes), observed=self.observes)
        finally:
            if self.connection.failure is None and not self.connection.closed:
                self.connection.end(self.game)

    def open(self) -> None:
        reply = self.connection.new(self.game, told(self.case))
        if isinstance(reply, protocol.DoneReply):
            return
        self.refused(reply, 0, "new")

    def take(self, task: Task) -> None:
        if isinstance(task, Do):
            self.waiting.append(task)
            if task.number in self.batches:
                self.flush()
            return
        self.flush()
        if isinstance(task, Refuse):
            self.refuse(task)
        elif isinstance(task, Legal):
            self.legal(task)
        else:
            self.perft(task)

    def flush(self) -> None:
        """Sends the waiting actions and looks at the state."""
        batch, self.waiting = self.waiting, []
        if not batch:
            return
        reply = self.connection.apply(self.game, [wire_action(task.action) for task in batch])
        if isinstance(reply, protocol.Rejected):
            number = batch[0].number + reply.applied
            self.localised(batch, number)
            code = reply.reject.code
            raise _Stop(outcome="rejected-legal", action=number, kind="rejection", text=f"rejects the legal action {self.case.actions[number - 1]}",
                        code_got=code if isinstance(code, str) else None)
        if not isinstance(reply, protocol.ApplyReply):
            if isinstance(reply, protocol.EngineError):
                self.localised(batch, batch[-1].number + 1)
            self.refused(reply, batch[0].number, "apply", last=batch[-1].number)
        self.done = batch[-1].number
        self.look(batch)

    def look(self, batch: Sequence[Do] = ()) -> None:
        """Compares the state; a difference after a batch is narrowed down to one action."""
        if not self.observes:
            return
        reply = self.connection.state(self.game)
        if not isinstance(reply, protocol.StateReply):
            self.refused(reply, self.done, "state")
            return
        found = differences(self.case.seen(self.done), reply.state)
        if found:
            self.localised(batch, self.done + 1)
            raise _Stop(outcome="diverged", action=self.done, kind="state", text="the state differs", differences=found, reported=reported(reply.state))

    def localised(self, batch: Sequence[Do], before: int) -> None:
        """Plays up to the batch again and then one action at a time; raises with the first that differs, if any does
        before action ``before``."""
        if len(batch) < 2:
            return
        again = _Player(self.connection, self.case.cut(before - 1), f"{self.game} again", "each")
        verdict = again.verdict()
        if verdict.failed:
            raise _Stop(outcome=verdict.outcome, action=verdict.action, kind=verdict.kind, text=verdict.text, differences=verdict.differences,
                        code_got=verdict.code_got, reported=verdict.reported, failure=verdict.failure)

    def refuse(self, task: Refuse) -> None:
        """The action must be rejected, and nothing must have changed."""
        expected = self.case.refusal(task)
        assert expected is not None
        reply = self.connection.apply(self.game, [wire_action(task.action)])
        if isinstance(reply, protocol.ApplyReply):
            raise _Stop(outcome="accepted-illegal", action=task.number + 1, kind="rejection", text=f"accepts the illegal action {task.action}", code_expected=expected.code,
                        refused=task.action)
        if not isinstance(reply, protocol.Rejected):
            self.refused(reply, task.number + 1, "apply")
            return
        code = reply.reject.code
        self.codes.append((expected.code, code if isinstance(code, str) else None))
        if not self.observes:
            self.lists_as_before(task, expected.code)
            return
        after = self.connection.state(self.game)
        if not isinstance(after, protocol.StateReply):
            self.refused(after, task.number + 1, "state")
            return
        found = differences(self.case.seen(task.number), after.state)
        if found:
            raise _Stop(outcome="diverged", action=task.number + 1, kind="reject-changes", text=f"the state changed after the rejected action {task.action}",
                        differences=found, code_expected=expected.code, refused=task.action)

    def lists_as_before(self, task: Refuse, code: str) -> None:
        """After a rejection, for an engine that cannot show its state but can list."""
        if "legal" not in self.connection.capabilities:
            return
        reply = self.connection.legal(self.game)
        if isinstance(reply, protocol.LegalReply) and frozenset(keys_of(reply.actions)) != self.case.listed(task.number):
            raise _Stop(outcome="diverged", action=task.number + 1, kind="reject-changes", code_expected=code, refused=task.action,
                        text=f"the legal actions differ after the rejected action {task.action}")

    def legal(self, task: Legal) -> None:
        if "legal" not in self.connection.capabilities:
            return
        reply = self.connection.legal(self.game)
        if not isinstance(reply, protocol.LegalReply):
            self.refused(reply, task.number, "legal")
            return
        keys = keys_of(reply.actions)
        if len(same := frozenset(keys)) == len(keys) and same == self.case.listed(task.number):
            self.unchanged(task.number, "legal")
            self.count(task, len(keys))
            return
        listed = [Action(*key) for key in keys]
        expected, got = self.case.legal(task.number), frozenset(listed)
        missing, extra = sorted(expected - got, key=lambda a: a.key), sorted(got - expected, key=lambda a: a.key)
        twice = sorted((a for a, times in Counter(listed).items() if times > 1), key=lambda a: a.key)
        if missing or extra or twice:
            what = ", ".join(f"{len(items)} {word}" for items, word in ((missing, "missing"), (extra, "not legal"), (twice, "listed twice")) if items)
            raise _Stop(outcome="diverged", action=task.number, kind="legal", text=f"the legal actions differ: {what} of {len(expected)}",
                        missing=tuple(missing), extra=tuple(extra or twice))

    def count(self, task: Legal, number: int) -> None:
        """The other form of the same question."""
        reply = self.connection.legal_count(self.game)
        if isinstance(reply, protocol.Unsupported):
            return
        if not isinstance(reply, protocol.LegalCountReply):
            self.refused(reply, task.number, "legal")
            return
        if reply.count != number:
            raise _Stop(outcome="diverged", action=task.number, kind="count", text=f"lists {number} legal actions, as there are, and counts {reply.count}",
                        differences=(Difference("legal count", None, number, reply.count),))

    def unchanged(self, number: int, op: str) -> None:
        """A question must not change the game."""
        if not self.observes:
            return
        reply = self.connection.state(self.game)
        if not isinstance(reply, protocol.StateReply):
            self.refused(reply, number, "state")
            return
        found = differences(self.case.seen(number), reply.state)
        if found:
            raise _Stop(outcome="diverged", action=number, kind="question", text=f"the state changed when {op} was asked", differences=found, reported=reported(reply.state))

    def perft(self, task: Perft) -> None:
        if "perft" not in self.connection.capabilities:
            return
        reply = self.connection.perft(self.game, task.depth)
        if not isinstance(reply, protocol.PerftReply):
            self.refused(reply, task.number, "perft")
            return
        expected = self.case.nodes(task)
        if reply.nodes != expected:
            raise _Stop(outcome="diverged", action=task.number, kind="perft", text=f"perft({task.depth})",
                        differences=(Difference(f"perft({task.depth})", None, expected, reply.nodes),))
        self.unchanged(task.number, "perft")

    def finish(self) -> None:
        """Scores and winner of a game that is over."""
        if not self.case.over:
            return
        reply = self.connection.score(self.game)
        number = len(self.case.actions)
        if not isinstance(reply, protocol.ScoreReply):
            self.refused(reply, number, "score")
            return
        score = self.case.score
        expected: dict[str, Any] = {"score": None, "winner": score.winner}
        found = [Difference("score", who, score.totals[who], reply.scores[who]) for who in (0, 1) if score.totals[who] != reply.scores[who]]
        if reply.winner != expected["winner"]:
            found.append(Difference("winner", None, score.winner, reply.winner))
        if found:
            raise _Stop(outcome="diverged", action=number, kind="score", text="the final score differs", differences=tuple(found))

    def refused(self, reply: Any, number: int, op: str, last: int | None = None) -> None:
        """Whatever came instead of an answer ends the case."""
        if isinstance(reply, protocol.Skipped):
            raise _Stop(outcome="skipped", action=number, text=reply.skipped.reason)
        if isinstance(reply, protocol.EngineError):
            raise _Stop(outcome="engine-error", action=number, kind="error", text=f"{op}: the engine reports an error: {reply.error.message[:200]}")
        if isinstance(reply, protocol.Unsupported):
            optional = op in ("state", "legal", "perft")
            raise _Stop(outcome="engine-error", action=number, kind="error", text=f"{op} is unsupported{', though the engine lists the capability' if optional else ''}")
        if isinstance(reply, protocol.Rejected):
            raise _Stop(outcome="engine-error", action=number, kind="error", text=f"{op} is answered with a rejection")
        assert isinstance(reply, (Crashed, Hung, ProtocolError, CannotStart)), reply
        raise _Stop(outcome=outcome_name(reply), action=last if last is not None else number, kind="process", text=reply.reason, failure=reply)


def _transient(case: Course) -> list[int]:
    """The moments of a turn that is not over: what differs there may be as it should be again after the next action."""
    states = [case.state(number) for number in range(1, len(case.actions) + 1)]
    return [number for number, state in enumerate(states, 1) if state.number("pending", state.number("turn"))]


_tables: dict[tuple[str, str | None], protocol.Setup] = {}
"""A set-up for each Machine: those of its cases differ in the circle, the token and the first player."""


def told(case: Course) -> protocol.Setup:
    """The set-up of a case as the protocol's message."""
    machine, setup = case.told_by.engine.machine, case.told_by.placed
    key = (machine.digest, machine.ruleset)
    if key not in _tables:
        if len(_tables) > 200:
            _tables.clear()
        made = setup_from(setup_message(machine, setup))
        assert isinstance(made, protocol.Setup), made
        _tables[key] = made
    token = UNSET if setup.neutral_token is None else setup.neutral_token
    return structs.replace(_tables[key], circle=setup.circle, neutral_token=token, first_player=setup.first_player)


def wire_action(action: Action) -> protocol.Action:
    """An action as the protocol's message."""
    if action.type == "advance":
        return protocol.Advance()
    cells = tuple(action.cells or ())
    return protocol.Special(cells) if action.type == "special" else protocol.Buy(action.patch or "", cells)


def keys_of(actions: Sequence[protocol.Action]) -> list[Key]:
    """Messages as the plain values of actions; an engine may list cells in any order. There are hundreds in a list."""
    found: list[Key] = []
    for action in actions:
        if isinstance(action, protocol.Buy):
            found.append(("buy", action.patch, _ascending(action.cells)))
        else:
            found.append(("special", None, _ascending(action.cells)) if isinstance(action, protocol.Special) else ("advance", None, None))
    return found


@lru_cache(maxsize=50_000)
def _ascending(cells: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(cells))
