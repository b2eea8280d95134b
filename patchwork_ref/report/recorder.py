"""Writes a report while the run goes on: each line is on disk before the next case begins, so that a killed run is readable."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

from patchwork_ref.conformance.blame import Blame
from patchwork_ref.conformance.judge import Verdict
from patchwork_ref.conformance.outcomes import outcome_name
from patchwork_ref.conformance.run import Finding, Report
from patchwork_ref.conformance.suite import Case
from patchwork_ref.errors import InputError
from patchwork_ref.fixtures.exercised import all_rules
from patchwork_ref.report.baseline import Baseline
from patchwork_ref.report.case_lines import Teller
from patchwork_ref.report.lines import NAME, BlameLine, CaseLine, Header, Line, Summary, written
from patchwork_ref.report.record import Record
from patchwork_ref.report.shrunken import Games

if TYPE_CHECKING:
    from patchwork_ref.conformance.shrink import Shrunk

Look = Callable[[Record, CaseLine | None], None]
"""Told after every line: a progress bar, say. The case is None before the first and after the last."""


class Recorder:
    """A listener of ``conformance.run``; ``record`` holds what came so far. Use it in a ``with`` block: whatever ends
    the run early, the report gets a summary that says so, unless the process is killed outright."""

    def __init__(self, header: Header, teller: Teller, baseline: Baseline | None = None, folder: str | Path | None = None, look: Look = lambda record, case: None) -> None:
        self.record = Record(header)
        self.teller, self.baseline, self.look = teller, baseline or Baseline(), look
        self.folder = Path(folder) if folder is not None else None
        self.games: Games | None = None  # where shrunk games go
        self._file: BinaryIO | None = None
        self._begun = self._last = time.monotonic()
        if self.folder is not None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                self._file = (self.folder / NAME).open("wb")
            except OSError as error:
                raise InputError(f"{folder}: {error.strerror}; name a folder that can be written") from None

    def __call__(self, kind: str, value: Any) -> None:
        if kind == "start":
            self._start(value)
        elif kind == "case":
            self._case(*value)
        elif kind == "end":
            self._end(value)

    def _start(self, report: Report) -> None:
        self.record.header.engine.update(report.identity)
        self._write(self.record.header)
        self._last = time.monotonic()
        self.look(self.record, None)

    def _case(self, case: Case, verdict: Verdict, blame: Blame | None) -> None:
        now = time.monotonic()
        line = self.teller.case(case, verdict, blame, now - self._last)
        if known := self.baseline.known(line.fixture, line.outcome, line.failed):
            line = msgspec.structs.replace(line, known=known)
        self._last = now
        self.take(line)

    def take(self, line: Line) -> None:
        """Writes a line and adds it to the record."""
        self.record.take(line)
        self._write(line)
        if isinstance(line, CaseLine):
            self.look(self.record, line)

    def _end(self, report: Report) -> None:
        for finding in report.findings:
            self._settle(finding, report.shrunk.get(finding.case.fixture.id), _mutant(report, finding))
        known = all_rules(self.teller.machine)
        self.record.summary = Summary(
            "inconclusive", 0, self.record.counts, round(report.seconds, 3), restarts=report.restarts,
            failure={"outcome": outcome_name(report.failure), "reason": report.failure.reason} if report.failure is not None else None,
            explanation={"option": report.explanation.option, "asked": report.explanation.asked} if report.explanation is not None else None,
            rules={name: number for name, number in sorted(report.rules.items()) if name in known}, never=tuple(sorted(known - set(report.rules))),
            cause=_cause(report),
            reject_codes={"as_expected": report.codes[0], "given": report.codes[1]},
        )
        self._close()

    def _settle(self, finding: Finding, shrunk: Shrunk | None, mutant: str = "") -> None:
        """Tells the blame of a failure again where it has changed, or where the game was shrunk."""
        case = self.record.cases.get(finding.case.fixture.id)
        blamed = msgspec.structs.replace(self.teller.blamed(finding.case.fixture.id, finding.blame), mutant=mutant)
        if shrunk is not None and self.games is not None and (kept := self.games.kept(finding.case.fixture.id, finding.case.fixture.title, shrunk)) is not None:
            shorter = (shrunk.before, shrunk.actions) if shrunk.actions < shrunk.before else None
            blamed = msgspec.structs.replace(blamed, shrunk=shorter, game=kept[0], replay=kept[1], sight=self.teller.sight(shrunk.course, shrunk.verdict))
        if case is not None and case.failed and case.blame != blamed:
            self.take(BlameLine(case.fixture, blamed))

    def _close(self) -> None:
        """Writes the summary with the verdict that its own lines give."""
        summary = self.record.summary
        if summary is not None:
            self.record.summary = msgspec.structs.replace(summary, verdict=self.record.verdict, exit_code=self.record.exit_code)
            self._write(self.record.summary)
        if self._file is not None:
            self._file.close()
            self._file = None
        self.look(self.record, None)

    def _write(self, line: Line) -> None:
        if self._file is not None:
            self._file.write(written(line))
            self._file.flush()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if self._file is None and self.record.summary is not None:
            return
        with suppress(OSError):
            self.record.summary = Summary("inconclusive", 0, self.record.counts, round(time.monotonic() - self._begun, 3), interrupted=_why(error))
            self._close()


def _mutant(report: Report, finding: Finding) -> str:
    """The single mutant that explains a failure, if the run's diagnosis names one."""
    found = report.diagnosis
    return found.names[0] if found is not None and found.kind == "mutant" and finding.case.fixture.id in found.explains else ""


def _cause(report: Report) -> str:
    """The diagnosis in words. It looks at the shortest failures when there are many."""
    found = report.diagnosis
    if found is None:
        return ""
    return f"{found} looked at, the shortest of {len(report.findings)}" if found.failures < len(report.findings) else str(found)


def _why(error: BaseException | None) -> str:
    """A signal's name where it was one."""
    if type(error) is KeyboardInterrupt:
        return "SIGINT"
    return str(error) or type(error).__name__
