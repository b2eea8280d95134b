"""How far a long run is: a bar on a terminal, a line now and then elsewhere. Always on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, TextIO

from patchwork_ref.report.lines import CaseLine
from patchwork_ref.report.record import Record

if TYPE_CHECKING:
    from rich.progress import Progress

PAUSE = 10.0
"""Seconds between two plain lines; a run that takes less prints none."""

Look = Callable[[Record, CaseLine | None], None]


def progress(quiet: bool = False, stream: TextIO | None = None) -> AbstractContextManager[Look]:
    """A context whose value is told of every case."""
    out = stream if stream is not None else sys.stderr
    if quiet:
        return nullcontext(lambda record, case: None)
    return _Bar(out) if out.isatty() else nullcontext(_Plain(out))


class _Plain:
    """For logs: how many are done, how many failed."""

    def __init__(self, out: TextIO) -> None:
        self.out, self.last, self.failed = out, time.monotonic(), 0

    def __call__(self, record: Record, case: CaseLine | None) -> None:
        self.failed += case is not None and case.counts_against
        now = time.monotonic()
        if case is not None and now - self.last >= PAUSE:
            self.last = now
            print(f"{len(record.cases)} of {record.planned} cases, {self.failed} failed", file=self.out, flush=True)


class _Bar:
    """For people: a bar that is gone when the run ends, however it ends."""

    def __init__(self, out: TextIO) -> None:
        self.out, self.failed = out, 0
        self.shown: Progress | None = None

    def __enter__(self) -> Look:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
        self.shown = Progress(*columns, console=Console(file=self.out), transient=True)
        self.shown.start()
        self.task = self.shown.add_task("starting the engine", total=None)
        return self.look

    def look(self, record: Record, case: CaseLine | None) -> None:
        if self.shown is None:
            return
        self.failed += case is not None and case.counts_against
        if self.failed and len(record.cases) == record.planned and record.summary is None:
            words = f"[red]{self.failed} failed[/], looking for the rule and the shortest game"
        else:
            words = f"[red]{self.failed} failed[/]" if self.failed else case.file.removesuffix(".jsonl") if case is not None else ""
        self.shown.update(self.task, total=record.planned, completed=len(record.cases), description=words)

    def __exit__(self, *error: object) -> None:
        if self.shown is not None:
            self.shown.stop()
