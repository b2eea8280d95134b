"""One recorded game, whatever notation it was written in, and one line that is none."""

from __future__ import annotations

from dataclasses import dataclass

from patchwork_ref.errors import InputError
from patchwork_ref.machine.play import Trace

Scores = tuple[int | None, int | None]
LONGEST_REASON = 160


class NoGame(InputError):
    """A text that is no game of the notation; the message is one line that says why."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What a record says of the end. Players are those of the trace; None in ``scores`` is a score that is not given.

    ``winner`` means something only with ``decided``: None is then a draw.
    """

    scores: Scores = (None, None)
    winner: int | None = None
    decided: bool = False

    def met_by(self, over: bool, totals: tuple[int, int], winner: int | None) -> bool:
        """Whether a position agrees. Scores are those of the position, finished or not; a winner there is only at the end."""
        first, second = self.scores
        agree = (first is None or first == totals[0]) and (second is None or second == totals[1])
        return agree and (not self.decided or not over or winner == self.winner)


NOTHING_CLAIMED = Claims()


@dataclass(frozen=True, slots=True)
class Game:
    """A recorded game or its beginning, read from the physical line ``line`` (counted from 1).

    ``own_token`` is true where the notation, not the table, tells the neutral token's place: rules that put the token
    elsewhere may then have been played with their own.
    """

    line: int
    trace: Trace
    claims: Claims = NOTHING_CLAIMED
    own_token: bool = False


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is not a game, and why, in one line."""

    line: int
    reason: str


def one_line(text: str) -> str:
    """A reason without line ends and signs that a terminal would obey, and not too long."""
    plain = "".join(sign if sign.isprintable() else "?" for sign in text[: 2 * LONGEST_REASON])
    return plain if len(plain) <= LONGEST_REASON else plain[: LONGEST_REASON - 3] + "..."


def shown(text: str, most: int = 20) -> str:
    """A piece of a line, quoted for a message."""
    return repr(text if len(text) <= most else text[:most] + "...")
