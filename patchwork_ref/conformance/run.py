"""The main job: an engine against a suite. Every case ends in one verdict, whatever the engine does; the run goes on."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from patchwork_ref.conformance.blame import Blame, Spectrum, settled, suspects
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import Course, Do
from patchwork_ref.conformance.explain import Explanation, explanation
from patchwork_ref.conformance.isolation import judge_beside
from patchwork_ref.conformance.judge import Verdict, judge
from patchwork_ref.conformance.limits import DEFAULT_LIMITS, TimeLimits
from patchwork_ref.conformance.outcomes import CannotStart, Failure, outcome_name
from patchwork_ref.conformance.suite import Case
from patchwork_ref.conformance.supervisor import RESTARTS, Supervisor
from patchwork_ref.conformance.targets import Target
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.model import Rulebook

Result = Literal["conforms", "diverges", "adapter-failure", "inconclusive"]

PROCESS = ("crashed", "hung", "protocol-error", "cannot-start", "flaky")
EXIT: dict[Result, int] = {"conforms": 0, "diverges": 1, "adapter-failure": 3, "inconclusive": 4}


@dataclass(frozen=True, slots=True)
class Finding:
    """A failed case with the rule it is blamed on."""

    case: Case
    verdict: Verdict
    blame: Blame


@dataclass(slots=True)
class Report:
    """What came of a run."""

    engine: str
    identity: dict[str, Any] = field(default_factory=dict)
    verdicts: list[Verdict] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    explanation: Explanation | None = None
    failure: Failure | None = None  # why the engine could not be used any more
    planned: int = 0
    restarts: int = 0
    seconds: float = 0.0
    rules: Counter[str] = field(default_factory=Counter)
    codes: tuple[int, int] = (0, 0)  # reject codes as expected, and given at all

    @property
    def counts(self) -> dict[str, int]:
        """Cases by outcome; what was never run is inconclusive."""
        found = Counter(v.outcome for v in self.verdicts)
        if self.planned > len(self.verdicts):
            found["inconclusive"] += self.planned - len(self.verdicts)
        return dict(sorted(found.items()))

    @property
    def result(self) -> Result:
        if self.failure is not None or any(v.outcome in PROCESS for v in self.verdicts):
            return "adapter-failure"
        if self.findings:
            return "diverges"
        return "conforms" if any(v.outcome == "agreed" for v in self.verdicts) and len(self.verdicts) == self.planned else "inconclusive"

    @property
    def exit_code(self) -> int:
        return EXIT[self.result]


Listener = Callable[[str, Any], None]
"""Told as things happen: ("start", Report), ("case", (Case, Verdict, Blame or None)), ("end", Report)."""


def run(target: str | Target, name: str, cases: Sequence[Case], rulebook: Rulebook, machine: Machine, limits: TimeLimits = DEFAULT_LIMITS,
        restarts: int = RESTARTS, listener: Listener = lambda kind, value: None, explain: bool = True) -> Report:
    """Plays every case on the engine. Never raises for what the engine does; no process is left behind."""
    report, started = Report(name, planned=len(cases)), time.monotonic()
    spectrum = Spectrum()
    with Supervisor(target, limits, restarts) as supervisor:
        first = supervisor.ready()
        if isinstance(first, Connection):
            report.identity = _identity(first)
        listener("start", report)
        by_id = {case.fixture.id: case for case in cases}
        for case in cases:
            connection = supervisor.ready()
            if not isinstance(connection, Connection):
                if supervisor.exhausted or isinstance(connection, CannotStart):
                    report.failure = connection
                    break
                continue
            verdict = _one(connection, supervisor, case, by_id)
            report.verdicts.append(verdict)
            found = _note(report, verdict, case, rulebook, spectrum)
            listener("case", (case, verdict, found))
        if explain and report.findings and report.failure is None and not any(v.outcome in PROCESS for v in report.verdicts):
            report.explanation = explanation(supervisor, [f.case for f in report.findings], [c for c in cases if not c.fixture.custom], rulebook, machine)
        parted = supervisor.part() if report.failure is None else None
        if parted is not None and report.failure is None and not any(v.outcome in PROCESS for v in report.verdicts):
            report.failure = parted
        report.restarts = supervisor.restarts
    every = [suspects(f.verdict, f.case.course, rulebook, spectrum) for f in report.findings]
    report.findings = [Finding(f.case, f.verdict, b) for f, b in zip(report.findings, settled(every, spectrum), strict=True)]
    report.seconds = time.monotonic() - started
    listener("end", report)
    return report


def _one(connection: Connection, supervisor: Supervisor, case: Case, by_id: dict[str, Case]) -> Verdict:
    beside = by_id.get(case.fixture.isolation or "")
    verdict = judge(connection, case.course)
    if verdict.failure is not None:
        return _again(verdict, supervisor, case)
    if beside is not None and verdict.outcome == "agreed":
        other = judge_beside(connection, case.course, beside.course)
        return _again(other, supervisor, case) if other.failure is not None else other
    return verdict


def _again(verdict: Verdict, supervisor: Supervisor, case: Case) -> Verdict:
    """Runs a case that brought the engine down once more, fresh and one action at a time: the same again, or flaky."""
    connection = supervisor.fresh()
    if not isinstance(connection, Connection):
        return verdict
    second = judge(connection, case.course, stepwise=True)
    if second.outcome == verdict.outcome:
        return second
    text = f"{verdict.text}; a second run in a fresh process: {second.outcome}"
    return msgspec.structs.replace(verdict, outcome="flaky" if second.failure is None else verdict.outcome, text=text)


def _note(report: Report, verdict: Verdict, case: Case, rulebook: Rulebook, spectrum: Spectrum) -> Blame | None:
    """Keeps what the run needs to remember of a verdict."""
    given = [pair for pair in verdict.codes if pair[1] is not None]
    report.codes = (report.codes[0] + sum(a == b for a, b in given), report.codes[1] + len(given))
    if verdict.outcome in ("skipped", "not-applicable"):
        return None
    reached = len(case.course.actions) if not verdict.failed else max(verdict.action - 1, 0)
    spectrum.add(case.course, reached)
    for step in case.course.steps[:reached]:
        report.rules.update(f.rule for f in step.firings)
    if not verdict.failed:
        return None
    found = suspects(verdict, case.course, rulebook, spectrum)[0]
    report.findings.append(Finding(case, verdict, found))
    return found


def _identity(connection: Connection) -> dict[str, Any]:
    engine = connection.engine
    found: dict[str, Any] = {"capabilities": sorted(connection.capabilities)}
    if engine is not None:
        found |= {name: value for name in ("name", "version", "language", "url") if isinstance(value := getattr(engine, name, None), str)}
    return found


def cut_at(verdict: Verdict, course: Course) -> Course:
    """The case up to the first differing action."""
    return course.cut(verdict.action) if any(isinstance(t, Do) for t in course.tasks) else course


__all__ = ["EXIT", "Finding", "Listener", "Report", "Result", "cut_at", "outcome_name", "run"]
