"""Does a game go the same beside another? Catches state that an engine shares between games."""

from __future__ import annotations

import msgspec

from patchwork_ref.conformance import protocol
from patchwork_ref.conformance.compare import differences, reported
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import Course
from patchwork_ref.conformance.judge import Verdict, judge, wire_action
from patchwork_ref.conformance.supervisor import Supervisor
from patchwork_ref.conformance.wire import setup_from


def judge_alone(supervisor: Supervisor, verdict: Verdict, case: Course) -> Verdict | None:
    """A failed case in a fresh process: the verdict on what other games left behind, if it goes well there."""
    connection = supervisor.fresh()
    if not isinstance(connection, Connection) or verdict.kind == "isolation" or judge(connection, case).outcome != "agreed":
        return None
    return msgspec.structs.replace(verdict, kind="isolation", text=f"{verdict.text}, but not in a fresh process")


def judge_beside(connection: Connection, case: Course, other: Course) -> Verdict:
    """The case again while another game is open: the other's first half before it, the second half after it.

    A difference in either game is the case's; its kind is ``isolation``.
    """
    beside = f"{other.name} beside {case.name}"
    setup = setup_from(other.message)
    assert isinstance(setup, protocol.Setup)
    half = len(other.actions) // 2
    opened = connection.new(beside, setup)
    if not isinstance(opened, protocol.DoneReply):
        return judge(connection, case)  # what is wrong with that set-up shows in its own case
    connection.apply(beside, [wire_action(a) for a in other.actions[:half]])
    verdict = judge(connection, case, f"{case.name} beside {other.name}")
    if verdict.failed and verdict.failure is None and judge(connection, case).failed:
        return verdict  # not for the other game's sake
    if verdict.failed:
        return msgspec.structs.replace(verdict, kind="isolation" if verdict.failure is None else verdict.kind, text=f"{verdict.text}, but only while another game is open")
    connection.apply(beside, [wire_action(a) for a in other.actions[half:]])
    if "state" in connection.capabilities:
        reply = connection.state(beside)
        if isinstance(reply, protocol.StateReply):
            found = differences(other.seen(len(other.actions)), reply.state)
            if found and not judge(connection, other).failed:
                return Verdict(case.name, "diverged", len(case.actions), "isolation", f"the game {other.name} went wrong while {case.name} was played beside it",
                               found, reported=reported(reply.state))
    connection.end(beside)
    return verdict
