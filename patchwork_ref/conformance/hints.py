"""What is the likely mistake behind a failure, and what should the implementer try?"""

from __future__ import annotations

from typing import assert_never

from patchwork_ref.conformance.outcomes import CannotStart, Crashed, Failure, Hung, ProtocolError
from patchwork_ref.conformance.protocol import EngineError, Refusal, Rejected, Skipped, Unsupported

_PROTOCOL = {
    "garbage": "something prints on standard output; it is for replies alone, logs go to standard error",
    "byte-order-mark": "write UTF-8 without a byte-order mark (in .NET: new UTF8Encoding(false))",
    "not-utf-8": "write UTF-8, whatever the locale says",
    "line-too-long": "a line has at most 1 MiB: is a line end missing, or does something print without end?",
    "unfinished-line": "end every reply with a line feed, and flush",
    "wrong-id": "copy the `id` of the request, an integer, into its reply, and reply to one request after the other",
    "invalid-message": "compare with docs/schemas/{op}.reply.json; a field that is not known is left out, not null",
    "wrong-version": "choose one of the versions that the request offers",
    "extra-output": "exactly one line for each request: is a reply printed twice?",
    "closed-output": "keep standard output open until bye",
    "bye-unanswered": "reply to bye and flush before exiting",
    "output-after-bye": "nothing follows the reply to bye, a farewell on standard output neither",
    "no-exit-after-bye": "exit after the reply to bye: is a thread or a timer still running?",
}
_START = {
    "bad-command": "write the command line in quotes, for example 'python3 engine.py'",
    "not-found": "give the path, for example ./engine, or the interpreter first, for example 'node engine.mjs'",
    "not-executable": "make it executable (chmod +x) and check its first line, or name the interpreter first",
    "died-at-hello": "run the command by hand and type a hello: it must wait for lines on standard input",
    "refused-hello": "hello is always answered with `ok`: true and one of the versions offered",
}


def hint_for_failure(failure: Failure) -> str:
    """One hint for a failure; where standard error ends in something telling, that comes first."""
    said = _last_line(failure.evidence.stderr)
    match failure:
        case Crashed() | CannotStart(kind="died-at-hello") if said:
            return f"standard error ends with: {said}"
        case Crashed():
            return "standard error is empty; run the lines that were sent through the engine by hand"
        case Hung(buffered=True):
            return "the reply is held back in a buffer: flush standard output after every line"
        case Hung():
            if said:
                return f"no reply; standard error ends with: {said}"
            return "flush standard output after every line; read one line at a time and do not wait for the end of input"
        case ProtocolError():
            return _PROTOCOL[failure.kind].format(op=failure.evidence.op or "<op>")
        case CannotStart():
            return _START[failure.kind]
        case _:
            assert_never(failure)


def hint_for_refusal(refusal: Refusal) -> str:
    """One hint where a plain answer was expected and the engine said no."""
    match refusal:
        case Rejected():
            return "this action is legal in any game: does `new` start from the set-up that it is given?"
        case Skipped():
            return "the ordinary set-up must be playable; `skipped` is for what the engine knows it lacks"
        case EngineError(error=fault):
            return f"the engine reports a fault of its own: {_cut(fault.message) or 'no message'}"
        case Unsupported():
            return "hello, new, apply, score, end and bye are the minimum; the rest is declared in `capabilities`"
        case _:
            assert_never(refusal)


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return _cut(lines[-1]) if lines else ""


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 200 else text[:197] + "..."
