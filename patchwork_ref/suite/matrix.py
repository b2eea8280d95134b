"""The kill matrix: every mutant against every fixture, on several cores.

A mutant is tried by its name under the readings of each fixture. Where the changed rule reads otherwise there, so that
no mutant of that name exists, it is not tried with that fixture.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from patchwork_ref.engine import Engine
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.mutation.equivalence import proved_equivalent
from patchwork_ref.mutation.model import Mutant
from patchwork_ref.mutation.mutants import find_mutant, mutants
from patchwork_ref.mutation.playing import renumbered
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.suite.cases import Case, Group
from patchwork_ref.suite.trial import Kill, first_difference

Verdict = Literal["killed", "survived", "equivalent", "not-applicable", "timed-out"]

SECONDS = 60.0
"""For one mutant; one that takes longer and was not killed has timed out."""
ENOUGH = 4
"""So many fixtures of the default rules that kill a mutant, and those with other readings or numbers are left out."""


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one mutant. ``kills`` maps a fixture's place in ``Matrix.fixtures`` to the number of actions after
    which it noticed; ``tried`` is how many fixtures it played; ``reason`` says why it is equivalent."""

    mutant: str
    verdict: Verdict
    kills: Mapping[int, int] = field(default_factory=dict)
    tried: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows by mutant, columns by fixture. ``seconds`` is how long it took."""

    rulebook: str
    fixtures: tuple[str, ...]
    rows: tuple[Row, ...]
    seconds: float = 0.0

    def of(self, verdict: Verdict) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.verdict == verdict)

    @property
    def rate(self) -> float:
        """Killed of those that are not equivalent. Nothing tried is 0, never 1."""
        wanted = len(self.rows) - len(self.of("equivalent"))
        return len(self.of("killed")) / wanted if wanted else 0.0


def measure(
    rulebook: Rulebook, cases: Sequence[Case], names: Iterable[str] | None = None, arguments: Mapping[str, str] | None = None,
    processes: int | None = None, thorough: bool = False, each: Callable[[Row], None] | None = None,
) -> Matrix:
    """Every mutant (or those named) of the default ruleset against the cases.

    ``arguments`` are the argued equivalents; one that a fixture kills all the same is killed. ``thorough`` tries the
    fixtures with other readings and numbers even when enough others have noticed. ``each`` is told every row.
    """
    begun = time.monotonic()
    wanted = [m.name for m in mutants(rulebook)] if names is None else list(names)
    job = _Job(rulebook, tuple(cases), dict(arguments or {}), thorough)
    rows = {}
    for row in _rows(job, wanted, processes if processes is not None else os.cpu_count() or 1):
        rows[row.mutant] = row
        if each is not None:
            each(row)
    return Matrix(rulebook.digest, tuple(case.name for case in cases), tuple(rows[name] for name in wanted), time.monotonic() - begun)


def sampled(rulebook: Rulebook, share: int, seed: int = 0) -> tuple[str, ...]:
    """Names of one mutant in ``share``, at random but repeatably, with every operator among them."""
    groups: dict[str, list[str]] = defaultdict(list)
    for mutant in mutants(rulebook):
        groups[mutant.operator].append(mutant.name)
    source = random.Random(seed)
    return tuple(name for names in groups.values() for name in sorted(source.sample(names, max(1, len(names) // share))))


@dataclass(frozen=True, slots=True)
class _Job:
    rulebook: Rulebook
    cases: tuple[Case, ...]
    arguments: Mapping[str, str]
    thorough: bool

    def groups(self) -> list[tuple[Group, list[tuple[int, Case]]]]:
        """Cases by Machine; those of the default rules first."""
        found: dict[Group, list[tuple[int, Case]]] = {}
        for index, case in enumerate(self.cases):
            found.setdefault(case.group, []).append((index, case))
        default = tuple(sorted(self.rulebook.readings().items()))
        return sorted(found.items(), key=lambda item: (item[0][0] != default, bool(item[1][0][1].numbers), -len(item[1])))


_job: _Job | None = None


def _rows(job: _Job, names: Sequence[str], processes: int) -> Iterable[Row]:
    global _job
    _job = job
    if processes < 2 or len(names) < 8 or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(_tried, names)
        return
    with multiprocessing.get_context("fork").Pool(processes, initializer=_worker) as pool:
        yield from pool.imap_unordered(_tried, names, chunksize=4)


def _worker() -> None:
    """A worker ends without a word when it is told to; what an interrupted command says, the parent says."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _tried(name: str) -> Row:
    assert _job is not None
    job, begun = _job, time.monotonic()
    kills: dict[int, int] = {}
    tried = 0
    late = False
    default = tuple(sorted(job.rulebook.readings().items()))
    for (readings, _), cases in job.groups():
        special = readings != default or bool(cases[0][1].numbers)
        if special and len(kills) >= ENOUGH and not job.thorough:
            continue
        engine = mutant_engine(job.rulebook, name, cases[0][1])
        if engine is None:
            continue
        for index, case in cases:
            if time.monotonic() - begun > SECONDS:
                late = True
                break
            tried += 1
            kill = first_difference(engine, case) if isinstance(engine, Engine) else Kill(0, "setup")
            if kill is not None:
                kills[index] = kill.actions
    return _judged(name, kills, tried, late, job)


def _proof(name: str, job: _Job) -> str | None:
    found = find_mutant(job.rulebook, name, job.rulebook.readings())
    return proof_of(found, job.rulebook) if found is not None else None


def _judged(name: str, kills: dict[int, int], tried: int, late: bool, job: _Job) -> Row:
    if kills:
        return Row(name, "killed", kills, tried)
    if not tried and not late:
        return Row(name, "not-applicable")
    if proof := _proof(name, job):
        return Row(name, "equivalent", {}, tried, proof)
    if name in job.arguments:
        return Row(name, "equivalent", {}, tried, f"argued: {job.arguments[name]}")
    return Row(name, "timed-out" if late else "survived", {}, tried)


def proof_of(mutant: Mutant, rulebook: Rulebook) -> str | None:
    """The proof that a mutant plays like the rulebook, where the simple one works."""
    try:
        return proved_equivalent(mutant.bare, from_rulebook(rulebook, mutant.readings))
    except Exception:  # a program that cannot even be written is not the same
        return None


def mutant_engine(rulebook: Rulebook, name: str, case: Case) -> Engine | Exception | None:
    """The mutant of this name set up for a case; None when there is none under its readings, the error when it cannot start."""
    mutant = find_mutant(rulebook, name, case.readings)
    if mutant is None:
        return None
    try:
        return Engine(renumbered(mutant.bare, _plain(rulebook, case), case.numbers) if case.numbers else mutant.bare)
    except Exception as error:  # numbers that the mutant cannot take, or a program that does not even compile
        return error


def _plain(rulebook: Rulebook, case: Case) -> Machine:
    """The unchanged Machine under a case's readings, without its custom numbers."""
    key = (rulebook.digest, case.group[0])
    if key not in _kept:
        _kept[key] = from_rulebook(rulebook, case.readings)
    return _kept[key]


_kept: dict[tuple[str, tuple[tuple[str, str], ...]], Machine] = {}
