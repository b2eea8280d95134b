"""In which ways can an engine's process fail us, and what do we keep as evidence?

What the engine under test does wrong is one of these values, never an exception of ours. Each carries a one-line
`reason`, the last messages in both directions and the tail of what the engine wrote to standard error.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, structs

Direction = Literal["sent", "received"]

ProtocolFault = Literal[
    "garbage",            # a line that is not a JSON object
    "byte-order-mark",    # the output starts with a byte-order mark
    "not-utf-8",
    "line-too-long",      # more than LINE_LIMIT bytes; the rest is cut off
    "unfinished-line",    # bytes without a line end, then silence or exit
    "wrong-id",           # a reply to something we did not ask
    "invalid-message",    # JSON, but not the message it should be: a field missing or of the wrong type
    "wrong-version",      # hello chose a version that was not offered
    "extra-output",       # lines beyond the one reply
    "closed-output",      # standard output closed while the process lives on
    "bye-unanswered",     # exit with status 0, but without a reply to bye
    "output-after-bye",
    "no-exit-after-bye",
]  # fmt: skip

StartFault = Literal[
    "bad-command",        # the ENGINE text cannot be read: quotes, or nothing in it
    "not-found",
    "not-executable",
    "died-at-hello",
    "refused-hello",      # a well-formed reply with ok: false
]  # fmt: skip


class Message(Struct, frozen=True):
    """One line that went either way; `text` is cut, `size` is its full length in bytes."""

    direction: Direction
    text: str
    size: int


class Evidence(Struct, frozen=True):
    """What was going on: the operation and id of the request in flight, the last messages, the tail of stderr."""

    op: str = ""
    request: int = 0
    messages: tuple[Message, ...] = ()
    stderr: str = ""


class Crashed(Struct, frozen=True, tag="crashed", tag_field="outcome"):
    """The process ended by itself: exactly one of `status` and `signal` is known (both None in-process)."""

    reason: str
    status: int | None = None
    signal: str | None = None
    evidence: Evidence = Evidence()


class Hung(Struct, frozen=True, tag="hung", tag_field="outcome"):
    """No reply within `seconds`. `buffered`: the reply came out once we closed the engine's input."""

    reason: str
    seconds: float
    buffered: bool = False
    evidence: Evidence = Evidence()


class ProtocolError(Struct, frozen=True, tag="protocol-error", tag_field="outcome"):
    """The engine spoke, but not the protocol."""

    kind: ProtocolFault
    reason: str
    evidence: Evidence = Evidence()


class CannotStart(Struct, frozen=True, tag="cannot-start", tag_field="outcome"):
    """No engine to talk to."""

    kind: StartFault
    reason: str
    evidence: Evidence = Evidence()


Failure = Crashed | Hung | ProtocolError | CannotStart
"""Every way in which a connection ends badly; `outcome_name` gives its permanent name."""


def outcome_name(failure: Failure) -> str:
    """The permanent name of a failure: `crashed`, `hung`, `protocol-error` or `cannot-start`."""
    return str(failure.__struct_config__.tag)


def with_evidence(failure: Failure, evidence: Evidence) -> Failure:
    """The same failure with evidence in place."""
    return structs.replace(failure, evidence=evidence)
