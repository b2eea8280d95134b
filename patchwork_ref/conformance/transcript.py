"""A case as the raw lines that an engine is sent, to be piped into it by hand."""

from __future__ import annotations

from patchwork_ref.conformance import protocol, wire
from patchwork_ref.conformance.course import Course, Do, Legal, Perft, Refuse
from patchwork_ref.conformance.judge import wire_action
from patchwork_ref.conformance.wire import setup_from


def raw_lines(case: Course, capabilities: frozenset[str] = frozenset({"state"})) -> bytes:
    """From hello to bye, with a look at the state after every action if the engine shows it."""
    name = "counterexample"
    setup = setup_from(case.message)
    assert isinstance(setup, protocol.Setup), setup
    looks = "state" in capabilities
    requests: list[protocol.Request] = []

    def number() -> int:
        return len(requests) + 1

    def look() -> None:
        if looks:
            requests.append(protocol.StateRequest(number(), name))

    requests.append(protocol.HelloRequest(number(), (protocol.VERSION,)))
    requests.append(protocol.NewRequest(number(), name, setup))
    look()
    for task in case.tasks:
        match task:
            case Do() | Refuse():
                requests.append(protocol.ApplyRequest(number(), name, (wire_action(task.action),)))
                look()
            case Legal():
                requests.append(protocol.LegalRequest(number(), name))
            case Perft():
                requests.append(protocol.PerftRequest(number(), name, task.depth))
    if case.over:
        requests.append(protocol.ScoreRequest(number(), name))
    requests.append(protocol.EndRequest(number(), name))
    requests.append(protocol.ByeRequest(number()))
    return b"".join(wire.encode(request) for request in requests)
