"""How much does it matter which reading holds? Games under both, by several policies, on all cores.

Every game depends on the run's seed, its policy and its number alone, so any number of processes gives the same figures.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from patchwork_ref.ambiguity.impact_figures import BLOCK, Figures, figures
from patchwork_ref.ambiguity.impact_game import Opening, Pair, Result
from patchwork_ref.ambiguity.impact_policies import exploiting
from patchwork_ref.ambiguity.profiles import Profiles
from patchwork_ref.diagnostics import Collector
from patchwork_ref.engine.policies import POLICIES, Policy
from patchwork_ref.errors import ChoiceError, InputError
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import from_tree
from patchwork_ref.rulebook.tree import Mapping as Tree

EXPLOIT, WITNESS = "exploit", "witness"
DEFAULT_POLICIES = ("random", "greedy", "square", EXPLOIT, WITNESS)
GAMES = 200
"""By each policy, when no other number is asked for."""

Progress = Callable[[int, int], None]
"""Told of the games done and of those in all."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Two readings of an ambiguity beside the others; ``opening`` is a game on which they part, where one is known."""

    ambiguity: str
    readings: tuple[str, str]
    opening: Opening | None = None


@dataclass(frozen=True, slots=True)
class Impact:
    """The figures of two readings, a policy each."""

    contest: Contest
    games: int
    seed: int
    figures: tuple[Figures, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class _Task:
    """A block of games of one policy on one contest."""

    contest: int
    policy: str
    first: int
    games: int


def known_policies() -> tuple[str, ...]:
    return (*POLICIES, EXPLOIT, WITNESS)


def rows_of(contest: Contest, policies: Iterable[str]) -> list[str]:
    """The policies of a contest one by one: exploiting is a policy for each of its readings, and without a game on which
    they part there is no going on from it. Raises InputError."""
    found: list[str] = []
    for name in policies:
        if name not in known_policies():
            raise InputError(f"no policy is called {name!r}; there are {', '.join(known_policies())}")
        found += [f"{EXPLOIT} {r}" for r in contest.readings] if name == EXPLOIT else [] if name == WITNESS and contest.opening is None else [name]
    return found


def measure(rulebook: Rulebook, base: Mapping[str, str], contests: Sequence[Contest], games: int = GAMES, seed: int = 0, policies: Sequence[str] = DEFAULT_POLICIES,
            progress: Progress | None = None, workers: int | None = None) -> list[Impact]:
    """The impact of each contest beside the base's other readings. ``workers`` are processes, one for each core when None.

    Raises InputError for a policy that is not known, ChoiceError for readings that cannot be put together.
    """
    rows = [rows_of(contest, policies) for contest in contests]
    tasks = [_Task(at, policy, first, min(BLOCK, games - first)) for at, names in enumerate(rows) for policy in names for first in range(0, games, BLOCK)]
    found: dict[tuple[int, str], list[Result]] = {}
    done, total = 0, sum(task.games for task in tasks)
    for task, results in zip(tasks, _played(rulebook, base, contests, seed, tasks, workers), strict=True):
        found.setdefault((task.contest, task.policy), []).extend(results)
        done += task.games
        if progress is not None:
            progress(done, total)
    return [
        Impact(contest, games, seed, tuple(figures(name, found[at, name], _given(contest, name)) for name in names))
        for at, (contest, names) in enumerate(zip(contests, rows, strict=True))]


def replayed(rulebook: Rulebook, base: Mapping[str, str], contest: Contest, policy: str, seed: int, first: int, games: int) -> list[Result]:
    """Some games of a run once more: those from number ``first`` on."""
    return _Player(Profiles(rulebook), base, [contest], seed).play(_Task(0, policy, first, games))


def _given(contest: Contest, policy: str) -> int:
    """How many actions all games begin with."""
    return len(contest.opening.actions) if policy == WITNESS and contest.opening is not None else 0


class _Player:
    """Plays blocks; each pair of engines is made once."""

    def __init__(self, profiles: Profiles, base: Mapping[str, str], contests: Sequence[Contest], seed: int) -> None:
        self.profiles, self.base, self.contests, self.seed = profiles, dict(base), contests, seed
        self.pairs: dict[int, Pair] = {}

    def play(self, task: _Task) -> list[Result]:
        pair, contest = self.pair(task.contest), self.contests[task.contest]
        choose = policy_of(task.policy, contest, pair)
        opening = contest.opening if task.policy == WITNESS else None
        return [pair.game(self.seed, task.policy, choose, number, opening) for number in range(task.first, task.first + task.games)]

    def pair(self, at: int) -> Pair:
        if at not in self.pairs:
            contest = self.contests[at]
            a, b = (self.profiles.engine({**self.base, contest.ambiguity: reading}) for reading in contest.readings)
            if a is None or b is None:
                raise ChoiceError(f"the readings of {contest.ambiguity} cannot be put together with the other readings")
            self.pairs[at] = Pair(a, b)
        return self.pairs[at]


def policy_of(name: str, contest: Contest, pair: Pair) -> Policy:
    """The policy of a row. Games that begin with a witness go on by another policy for each action: they begin alike, and
    would all go on alike."""
    kind, _, reading = name.partition(" ")
    if kind == EXPLOIT:
        one, other = pair.sides
        return exploiting(one, other) if reading == contest.readings[0] else exploiting(other, one)
    return POLICIES["mixed" if kind == WITNESS else kind]


def _played(rulebook: Rulebook, base: Mapping[str, str], contests: Sequence[Contest], seed: int, tasks: Sequence[_Task], workers: int | None) -> Iterator[list[Result]]:
    """The results of each task, in order."""
    count = min(workers if workers is not None else cores(), len(tasks))
    if count <= 1:
        player = _Player(Profiles(rulebook), base, contests, seed)
        yield from map(player.play, tasks)
        return
    job = (rulebook.tree, rulebook.source, dict(base), tuple(contests), seed)
    with ProcessPoolExecutor(count, initializer=_begin, initargs=job) as pool:
        try:
            yield from pool.map(_play, tasks)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


_at_work: _Player | None = None
"""In a worker process alone."""


def _begin(tree: Tree, source: str, base: Mapping[str, str], contests: Sequence[Contest], seed: int) -> None:
    global _at_work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted and ends the pool; a worker would print a traceback
    _at_work = _Player(Profiles(from_tree(tree, source, Collector())), base, contests, seed)


def _play(task: _Task) -> list[Result]:
    assert _at_work is not None
    return _at_work.play(task)


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
