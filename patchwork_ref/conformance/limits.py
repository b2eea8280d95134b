"""How long may an engine take for each class of call?"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, structs

CallClass = Literal["start", "new", "apply", "legal", "state", "score", "perft", "end"]


class TimeLimits(Struct, frozen=True):
    """Seconds for each class of call. `start` covers the process and its reply to hello, `end` also bye and exit."""

    start: float = 10.0
    new: float = 2.0
    apply: float = 5.0
    legal: float = 5.0
    state: float = 2.0
    score: float = 2.0
    perft: float = 30.0
    end: float = 2.0

    def scaled(self, factor: float) -> TimeLimits:
        """Every limit times `factor` (a slow machine, a debugger, a sanitizer)."""
        return TimeLimits(*(seconds * factor for seconds in structs.astuple(self)))

    def seconds(self, op: str) -> float:
        """The limit for an operation; one that the protocol does not know has that of `state`."""
        return float(getattr(self, CLASS_OF.get(op, "state")))


DEFAULT_LIMITS = TimeLimits()

CLASS_OF: dict[str, CallClass] = {
    "hello": "start",
    "new": "new",
    "apply": "apply",
    "legal": "legal",
    "state": "state",
    "score": "score",
    "perft": "perft",
    "end": "end",
    "bye": "end",
}
