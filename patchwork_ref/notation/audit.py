"""Auditing a file of recorded games in a stream, on all cores, and turning one notation into another."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from patchwork_ref.diagnostics import Collector
from patchwork_ref.notation.game import Unreadable
from patchwork_ref.notation.judge import Judge
from patchwork_ref.notation.lines import Chunk, chunks, opened
from patchwork_ref.notation.notations import NOTATIONS, Notation, notation_named, notation_to_read, recognised
from patchwork_ref.notation.verdict import AuditReport, Verdict, summed_up
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import from_tree
from patchwork_ref.rulebook.tree import Mapping as Tree

Progress = Callable[[int, int], None]
"""Told after each chunk: bytes of the file done, bytes in all (0 when that is not known)."""

WAITING = 3
"""Chunks handed out beyond each worker's own one: what bounds the memory."""


def audit_file(
    path: str | Path, rulebook: Rulebook, readings: Mapping[str, str], notation: str | None = None, progress: Progress | None = None,
    workers: int | None = None, rulesets: Sequence[str] | None = None,
) -> AuditReport:
    """The report on a file of recorded games; see ``audit_games`` for the arguments and errors."""
    run = Audit(path, rulebook, readings, notation, progress, workers, rulesets)
    with closing(run.verdicts()) as found:
        first = next(found, None)  # only then is the notation known
        return summed_up(chain([first] if first is not None else [], found), run.notation, run.judge.machine.ruleset, run.judge.rulesets)


def audit_games(
    path: str | Path, rulebook: Rulebook, readings: Mapping[str, str], notation: str | None = None, progress: Progress | None = None,
    workers: int | None = None, rulesets: Sequence[str] | None = None,
) -> Iterator[Verdict | Unreadable]:
    """One verdict for each line that is not blank, in the order of the file, as they are found.

    ``readings`` is a complete choice and decides what is legal. ``notation`` is recognised when None. ``workers`` are
    processes; None takes one for each core, and none at all for a file of a few chunks. ``rulesets`` are those to judge
    consistency by, all of the rulebook when None. Raises InputError for a file that cannot be read or a notation that
    is not known, RulebookError and ChoiceError; what stands in the file never raises.
    """
    return Audit(path, rulebook, readings, notation, progress, workers, rulesets).verdicts()


class Audit:
    """One run over one file. ``notation`` is the name given, or the one recognised once the first verdict is there."""

    def __init__(
        self, path: str | Path, rulebook: Rulebook, readings: Mapping[str, str], notation: str | None = None, progress: Progress | None = None,
        workers: int | None = None, rulesets: Sequence[str] | None = None,
    ) -> None:
        self.path, self.rulebook, self.readings, self.progress, self.workers = path, rulebook, dict(readings), progress, workers
        self.reading = notation_named(notation) if notation is not None else None
        self.notation = notation or ""
        self.judge = Judge(rulebook, readings, rulesets)

    def verdicts(self) -> Generator[Verdict | Unreadable, None, None]:
        with opened(self.path) as stream:
            total = _size(stream)
            held = chunks(stream)
            first = next(held, None)
            self._recognise(first)
            if first is None:
                return
            for chunk, found in self._spread(chain([first], held), total):
                yield from found
                if self.progress is not None:
                    self.progress(chunk.end, total)

    def _recognise(self, first: Chunk | None) -> None:
        if self.reading is None:
            self.notation = recognised(first.lines if first is not None else ())
            self.reading = notation_to_read(self.notation)
        self.judge.reader.check(self.reading)

    def _spread(self, held: Iterable[Chunk], total: int) -> Iterator[tuple[Chunk, Iterable[Verdict | Unreadable]]]:
        assert self.reading is not None
        workers = self.workers if self.workers is not None else cores()
        ahead: deque[Chunk] = deque()
        source = iter(held)
        if self.workers is None:  # starting processes is not worth it for a few chunks
            for chunk in source:
                ahead.append(chunk)
                if len(ahead) > 2 * workers:
                    break
            else:
                workers = 1
        source = chain(ahead, source)
        if workers <= 1:
            for chunk in source:
                yield chunk, self.judge.judged(chunk, self.reading)
            return
        job = _Job(self.rulebook.tree, self.rulebook.source, self.readings, self.judge.rulesets, self.reading.name)
        with ProcessPoolExecutor(workers, initializer=_begin, initargs=(job,)) as pool:
            waiting: deque[tuple[Chunk, Future[list[Verdict | Unreadable]]]] = deque()
            try:
                for chunk in source:
                    waiting.append((chunk, pool.submit(_judged, chunk)))
                    if len(waiting) > workers * (1 + WAITING):
                        done, future = waiting.popleft()
                        yield done, future.result()
                while waiting:
                    done, future = waiting.popleft()
                    yield done, future.result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class _Job:
    """What a worker is told; it reads the rulebook's tree again, as a Rulebook itself cannot be sent."""

    tree: Tree
    source: str
    readings: dict[str, str]
    rulesets: tuple[str, ...]
    notation: str


_at_work: tuple[Judge, Notation] | None = None
"""In a worker process alone."""


def _begin(job: _Job) -> None:
    global _at_work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted and ends the pool; a worker would print a traceback
    _at_work = Judge(from_tree(job.tree, job.source, Collector()), job.readings, job.rulesets), NOTATIONS[job.notation]


def _judged(chunk: Chunk) -> list[Verdict | Unreadable]:
    assert _at_work is not None
    judge, notation = _at_work
    return list(judge.judged(chunk, notation))


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _size(stream: BinaryIO) -> int:
    try:
        return os.fstat(stream.fileno()).st_size
    except OSError:
        return 0
