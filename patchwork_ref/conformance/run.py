"""The main job: an engine against a suite. Every case ends in one verdict, whatever the engine does; the run goes on."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from patchwork_ref.conformance.blame import ISOLATION, Blame, Spectrum, settled, suspects
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import Course
from patchwork_ref.conformance.explain import Explanation, explanation
from patchwork_ref.conformance.isolation import judge_alone, judge_beside
from patchwork_ref.conformance.judge import Verdict, judge
from patchwork_ref.conformance.limits import DEFAULT_LIMITS, TimeLimits
from patchwork_ref.conformance.outcomes import CannotStart, Failure, outcome_name
from patchwork_ref.conformance.suite import Case
from patchwork_ref.conformance.supervisor import RESTARTS, Supervisor
from patchwork_ref.conformance.targets import Target
from patchwork_ref.conformance.wording import reworded
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.model import Rulebook

if TYPE_CHECKING:
    from patchwork_ref.conformance.shrink import Shrunk
    from patchwork_ref.suite import Diagnosis

Result = Literal["conforms", "diverges", "adapter-failure", "inconclusive"]

PROCESS = ("crashed", "hung", "protocol-error", "cannot-start", "flaky")
EXIT: dict[Result, int] = {"conforms": 0, "diverges": 1, "adapter-failure": 3, "inconclusive": 4}


@dataclass(frozen=True, slots=True)
class Finding:
    """A failed case with the rule it is blamed on."""

    case: Case
    verdict: Verdict
    blame: Blame
    suspects: tuple[Blame, ...] = ()


def _plainness(finding: Finding) -> tuple[bool, bool, int, bool, int]:
    fixture = finding.case.fixture
    return fixture.custom, fixture.level != "must", finding.verdict.action, fixture.isolation is not None, len(finding.case.course.actions)


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
    rules: Counter[str] = field(default_factory=Counter)  # in how many of the cases played each was exercised
    codes: tuple[int, int] = (0, 0)  # reject codes as expected, and given at all
    diagnosis: Diagnosis | None = None
    shrunk: dict[str, Shrunk] = field(default_factory=dict)  # by the id of the fixture that was shrunk, one of each rule

    @property
    def groups(self) -> list[list[Finding]]:
        """The findings by rule, the largest group first; in each the shortest failure first: on the ruleset's own set-up,
        and of the rules themselves, where there is one."""
        found: dict[str, list[Finding]] = {}
        for finding in sorted(self.findings, key=_plainness):
            found.setdefault(finding.blame.rule, []).append(finding)
        return sorted(found.values(), key=len, reverse=True)

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
        restarts: int = RESTARTS, listener: Listener = lambda kind, value: None, explain: bool = True, shrink_seconds: float = 0.0,
        enough: int | None = None) -> Report:
    """Plays every case on the engine. Never raises for what the engine does; no process is left behind.

    Of each rule that failures are blamed on, one failure is shrunk, in ``shrink_seconds`` all together. After
    ``enough`` failures the other cases are not played.
    """
    report, started = Report(name, planned=len(cases)), time.monotonic()
    spectrum = Spectrum()
    with Supervisor(target, limits, restarts) as supervisor:
        first = supervisor.ready()
        if isinstance(first, Connection):
            report.identity = identity_of(first)
            if not first.capabilities & {"state", "legal"}:
                cases = [replace(case, course=case.course.ended()) for case in cases]
        listener("start", report)
        by_id = {case.fixture.id: case for case in cases}
        for case in cases:
            connection = supervisor.ready()
            if not isinstance(connection, Connection):
                if supervisor.exhausted or isinstance(connection, CannotStart):
                    report.failure = connection
                    break
                continue
            verdict = judged(connection, supervisor, case, by_id)
            report.verdicts.append(verdict)
            found = _note(report, verdict, case, rulebook, spectrum)
            listener("case", (case, verdict, found))
            if enough is not None and len(report.findings) >= enough:
                break
        if report.findings and report.failure is None and not any(v.outcome in PROCESS for v in report.verdicts):
            tell_apart(report, supervisor)
        if explain and report.findings and report.failure is None and not any(v.outcome in PROCESS for v in report.verdicts):
            report.explanation = explanation(supervisor, [f.case for f in report.findings], [c for c in cases if not c.fixture.custom], rulebook, machine)
        parted = supervisor.part() if report.failure is None else None
        if parted is not None and report.failure is None and not any(v.outcome in PROCESS for v in report.verdicts):
            report.failure = parted
        report.restarts = supervisor.restarts
    reading = report.explanation.option.partition("--reading ")[2] if report.explanation is not None else ""
    blamed = settled([f.suspects for f in report.findings], spectrum, reading or None)
    report.findings = [replace(f, blame=b) for f, b in zip(report.findings, blamed, strict=True)]
    if explain:
        _reword(report, [c for c in cases if c.own and not c.fixture.custom], rulebook, machine)
    if explain and report.findings and report.explanation is None and dict(machine.readings) == dict(rulebook.readings()):
        from patchwork_ref.conformance.diagnosing import diagnosed  # the mutants are not quick to load

        report.diagnosis = diagnosed(report.verdicts, rulebook)
    if shrink_seconds > 0 and report.findings:
        _shrink(report, target, [case.course for case in cases if not case.fixture.custom], rulebook, limits, shrink_seconds)
    report.seconds = time.monotonic() - started
    listener("end", report)
    return report


def _reword(report: Report, cases: Sequence[Case], rulebook: Rulebook, machine: Machine) -> None:
    """Says of the first failure of each group what the engine seems to do, in the light of what went well."""
    fine = {v.case for v in report.verdicts if v.outcome == "agreed"}
    for group in report.groups[:SAID]:
        first = group[0]
        at = first.verdict.action - 1
        actions = first.case.course.actions
        action = actions[at] if first.verdict.kind == "state" and 0 <= at < len(actions) else None
        games = [c.course for c in cases if c.fixture.id in fine and first.blame.rule in c.fixture.rules]
        said = reworded(first.blame, first.suspects, action, games, rulebook, machine)
        report.findings = [replace(f, blame=said) if f is first else f for f in report.findings]


SAID = 10
"""So many groups are told whole."""


def _shrink(report: Report, target: str | Target, known: Sequence[Course], rulebook: Rulebook, limits: TimeLimits, seconds: float) -> None:
    """The shortest failure of each group, the largest groups first; what one does not need is left to the others."""
    from patchwork_ref.conformance.shrink import SHRINKABLE, shrink  # not quick to load either

    groups = [found for group in report.groups if (found := [f for f in group if f.verdict.outcome in SHRINKABLE and f.verdict.kind != "isolation"])]
    until = time.monotonic() + seconds
    for number, group in enumerate(groups):
        share = (until - time.monotonic()) / (len(groups) - number)
        if share <= 0:
            return
        shortest = group[0]
        shrunk = shrink(target, shortest.case.course, shortest.verdict, shortest.blame, rulebook, share, known, limits)
        if shrunk is not None:
            report.shrunk[shortest.case.fixture.id] = shrunk


def tell_apart(report: Report, supervisor: Supervisor) -> None:
    """Blames failures that do not show in a fresh process on what the games before them left behind.

    A few are played again; only when one of them agrees, the others are. When all of these agree, so would the rest."""
    groups = report.groups
    some = [group[0] for group in groups[:AGAIN]] + [group[-1] for group in groups[:AGAIN] if len(group) > 1]
    found = {f.case.fixture.id: judge_alone(supervisor, f.verdict, f.case.course) for f in some}
    if all(verdict is None for verdict in found.values()):
        return
    others = [f for f in report.findings if f.case.fixture.id not in found][:AT_MOST]
    found |= {f.case.fixture.id: judge_alone(supervisor, f.verdict, f.case.course) for f in others}
    if all(verdict is not None for verdict in found.values()):
        found |= {f.case.fixture.id: msgspec.structs.replace(f.verdict, kind="isolation") for f in report.findings if f.case.fixture.id not in found}
    changed = {name: verdict for name, verdict in found.items() if verdict is not None}
    report.verdicts = [changed.get(v.case, v) for v in report.verdicts]
    left = Blame(ISOLATION, how="left behind by another game")
    report.findings = [replace(f, verdict=changed[v], blame=left, suspects=(left,)) if (v := f.case.fixture.id) in changed else f for f in report.findings]


AGAIN, AT_MOST = 2, 60
"""Of so many groups the first and the last failure are played again, and then so many others."""


def judged(connection: Connection, supervisor: Supervisor, case: Case, by_id: Mapping[str, Case]) -> Verdict:
    """One case on the supervisor's live connection: once more fresh when it brings the engine down, and beside another
    where the fixture asks for that."""
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
    second = judge(connection, case.course, looks="each")
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
    spectrum.add(case.course, reached, not verdict.failed)
    report.rules.update(case.fixture.rules)
    if not verdict.failed or (case.fixture.level == "unspecified" and verdict.failure is None):
        return None
    found = suspects(verdict, case.course, rulebook, spectrum)
    report.findings.append(Finding(case, verdict, found[0], found))
    return found[0]


def identity_of(connection: Connection) -> dict[str, Any]:
    """Who the engine says it is, and what it can do."""
    engine = connection.engine
    found: dict[str, Any] = {"capabilities": sorted(connection.capabilities)}
    if engine is not None:
        found |= {name: value for name in ("name", "version", "language", "url") if isinstance(value := getattr(engine, name, None), str)}
    return found


__all__ = ["EXIT", "Finding", "Listener", "Report", "Result", "identity_of", "judged", "outcome_name", "run"]
