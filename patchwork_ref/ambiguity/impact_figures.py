"""Figures of many games under two readings, with 95 % intervals.

Rates have Wilson intervals: they hold for 0 of N too. Means have normal intervals, from the deviation of the N games.
Differences are the second reading's less the first's, game by game; a draw is half a win.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from statistics import NormalDist, fmean, stdev
from typing import Any

from patchwork_ref.ambiguity.impact_game import Result

LEVEL = 0.95
_Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
DIGITS = 4
"""Decimals of stored figures."""
BLOCK = 50
"""Games that share a digest: a sample of blocks can be played again and compared exactly."""
DIGEST = 8
"""Its letters."""

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rate:
    """``count`` of ``games``, with its interval."""

    count: int
    games: int
    interval: Interval

    @property
    def share(self) -> float:
        return self.count / self.games


@dataclass(frozen=True, slots=True)
class Spread:
    """A number that each game gives one of: mean with its interval, and the 5th, 25th, 50th, 75th and 95th percentiles."""

    mean: float
    interval: Interval
    percentiles: tuple[float, float, float, float, float]

    @property
    def median(self) -> float:
        return self.percentiles[2]


@dataclass(frozen=True, slots=True)
class Figures:
    """What the games of one policy say of two readings. ``opening`` is the number of actions that all games begin with."""

    policy: str
    games: int
    open: Rate  # games in which a choice that parts the readings was seen to be legal, or taken
    parted: Rate
    scores: Rate  # games whose final scores differ
    winner: Rate
    at: float | None  # the median number of the action that parted them, of the games that part
    start: Spread  # difference of the start player's score
    other: Spread
    size: Spread  # of the larger of the two differences, without its sign
    wins: tuple[float, float]  # the start player's win rate under each reading
    advantage: Spread  # difference of that rate
    unfinished: int
    blocks: tuple[str, ...]
    opening: int = 0

    def to_json(self) -> dict[str, Any]:
        """Plain values, rounded."""
        found: dict[str, Any] = rounded(asdict(self))
        return found


def wilson(count: int, games: int) -> Interval:
    """Wilson's score interval for a rate of ``count`` in ``games``."""
    share, z2 = count / games, _Z * _Z
    middle, half = share + z2 / (2 * games), _Z * sqrt(share * (1 - share) / games + z2 / (4 * games * games))
    return max(0.0, (middle - half) / (1 + z2 / games)) if count else 0.0, min(1.0, (middle + half) / (1 + z2 / games)) if count < games else 1.0


def rate(count: int, games: int) -> Rate:
    return Rate(count, games, wilson(count, games))


def spread(numbers: Sequence[float]) -> Spread:
    """Of at least one number. A mean of equal numbers has an interval of no width: what it can hide is told by the rate of
    games that differ."""
    mean = fmean(numbers)
    half = _Z * stdev(numbers) / sqrt(len(numbers)) if len(numbers) > 1 else 0.0
    ordered = sorted(numbers)
    return Spread(mean, (mean - half, mean + half), (_at(ordered, 0.05), _at(ordered, 0.25), _at(ordered, 0.5), _at(ordered, 0.75), _at(ordered, 0.95)))


def figures(policy: str, results: Sequence[Result], opening: int = 0) -> Figures:
    """What at least one game says."""
    games = len(results)
    changes = [(r.scores[1][0] - r.scores[0][0], r.scores[1][1] - r.scores[0][1]) for r in results]
    parted = sorted(r.parted for r in results if r.parted is not None)
    wins = [(_won(r.winners[0]), _won(r.winners[1])) for r in results]
    return Figures(
        policy, games, rate(sum(r.open is not None for r in results), games), rate(len(parted), games), rate(sum(a != 0 or b != 0 for a, b in changes), games),
        rate(sum(r.winners[0] != r.winners[1] for r in results), games), _at(parted, 0.5) if parted else None,
        spread([a for a, _ in changes]), spread([b for _, b in changes]), spread([max(abs(a), abs(b)) for a, b in changes]),
        (fmean(a for a, _ in wins), fmean(b for _, b in wins)), spread([b - a for a, b in wins]), sum(not r.finished for r in results),
        tuple(digest(results[at:at + BLOCK]) for at in range(0, games, BLOCK)), opening)


def digest(results: Sequence[Result]) -> str:
    """Of every value of some games."""
    rows = [(r.parted, r.what, r.open, r.scores, r.winners, r.finished) for r in results]
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:DIGEST]


def _won(winner: int | None) -> float:
    return 0.5 if winner is None else float(winner == 0)


def _at(ordered: Sequence[float], share: float) -> float:
    """A percentile, between two numbers where it falls there."""
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def rounded(value: Any) -> Any:
    """Numbers with few decimals, sequences as lists."""
    if isinstance(value, float):
        return int(value) if value == int(value) else round(value, DIGITS)
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    return [rounded(inner) for inner in value] if isinstance(value, (list, tuple)) else value
