"""A report as a value: read from its lines, whole or of a run that was killed. What is shown anywhere is worked out here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from patchwork_ref.conformance.run import EXIT, Result
from patchwork_ref.errors import InputError
from patchwork_ref.report.lines import FINE, NAME, PROCESS, Accepted, Blamed, BlameLine, CaseLine, Header, Known, Line, Suite, Summary, read_line
from patchwork_ref.rulebook.model import DEFAULT_RULESET

LARGEST = 512_000_000
"""Bytes of a report."""


@dataclass(slots=True)
class Record:
    """The header, the cases by fixture id in the order played, and the summary, which is missing while the run goes on."""

    header: Header
    cases: dict[str, CaseLine] = field(default_factory=dict)
    summary: Summary | None = None

    def take(self, line: Line) -> None:
        """Adds what a further line says."""
        if isinstance(line, CaseLine):
            self.cases[line.fixture] = line
        elif isinstance(line, BlameLine) and line.fixture in self.cases:
            self.cases[line.fixture] = msgspec.structs.replace(self.cases[line.fixture], blame=line.blame)
        elif isinstance(line, Summary):
            self.summary = line

    @property
    def planned(self) -> int:
        return len(self.header.suite.fixtures)

    @property
    def never_run(self) -> list[str]:
        """Fixtures that were to be played and have no line."""
        return [name for name in self.header.suite.fixtures if name not in self.cases]

    @property
    def counts(self) -> dict[str, int]:
        """Cases by outcome; those never run are inconclusive, and what the rules leave unspecified counts by itself."""
        found = Counter(outcome_word(c) for c in self.cases.values())
        if missing := len(self.never_run):
            found["inconclusive"] += missing
        return dict(sorted(found.items()))

    @property
    def failures(self) -> list[CaseLine]:
        """The failures that count: not those that a baseline knows."""
        return [c for c in self.cases.values() if c.failed and c.counts_against]

    @property
    def known(self) -> list[CaseLine]:
        """Failures that the baseline foretold."""
        return [c for c in self.cases.values() if c.known is not None and c.known.state == "known"]

    @property
    def stale(self) -> list[CaseLine]:
        """Known failures that do not fail any more."""
        return [c for c in self.cases.values() if c.known is not None and c.known.state == "stale"]

    @property
    def expired(self) -> list[CaseLine]:
        return [c for c in self.cases.values() if c.known is not None and c.known.state == "expired"]

    @property
    def unspecified(self) -> list[CaseLine]:
        """What an engine does otherwise where the rules leave it open."""
        return [c for c in self.cases.values() if c.level == "unspecified" and c.outcome not in FINE and not c.failed]

    @property
    def complete(self) -> bool:
        """Whether the run came to its end by itself."""
        return self.summary is not None and not self.summary.interrupted

    @property
    def verdict(self) -> Result:
        """What the run says. A killed or interrupted run is inconclusive; a process failure outweighs a divergence."""
        if self.summary is None or self.summary.interrupted:
            return "inconclusive"
        own = self.header.accepted
        if self.summary.failure is not None or (own is not None and own.failure) or any(c.outcome in PROCESS and c.counts_against for c in self.cases.values()):
            return "adapter-failure"
        if any(c.counts_against for c in self.cases.values()) or (own is not None and own.unexplained):
            return "diverges"
        return "conforms" if any(c.outcome == "agreed" for c in self.cases.values()) and not self.never_run else "inconclusive"

    @property
    def exit_code(self) -> int:
        return EXIT[self.verdict]

    @property
    def engine_name(self) -> str:
        engine = self.header.engine
        return " ".join(str(engine[key]) for key in ("name", "version") if key in engine) or str(engine.get("command", ""))

    @property
    def rules_words(self) -> str:
        """The ruleset, or the readings chosen by themselves, in words."""
        arguments = self.header.arguments
        chosen = ", ".join(arguments.get("readings") or ())
        return self.header.ruleset or (f"{arguments.get('ruleset') or DEFAULT_RULESET} with {chosen}" if chosen else "custom")

    def groups(self) -> list[tuple[str, list[CaseLine]]]:
        """The failures that count, by the rule blamed: the largest group first, in each the shortest game first."""
        found: dict[str, list[CaseLine]] = {}
        for case in sorted(self.failures, key=lambda c: (c.blame is None or not c.blame.game, c.level != "must", c.action, c.actions)):
            found.setdefault(case.rule, []).append(case)
        return sorted(found.items(), key=lambda group: -len(group[1]))


def outcome_word(case: CaseLine) -> str:
    """What a case is counted as."""
    return "unspecified" if case.level == "unspecified" and case.outcome not in FINE and not case.failed else case.outcome


def in_place(record: Record, cases: Iterable[CaseLine]) -> Record:
    """The same report with other cases in place."""
    return replace(record, cases={**record.cases, **{c.fixture: c for c in cases}})


def read_record(where: str | Path) -> Record:
    """The report in a file of lines, or in a folder that ``check --report`` wrote.

    A last line that was cut off is left out. The document that ``check --format json`` printed will do as well, with less
    in it. Raises InputError when the file is none of these.
    """
    path = Path(where)
    if path.is_dir():
        path = path / NAME
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path} is larger than {LARGEST} bytes")
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; name a folder written by 'check --report', or its {NAME}") from None
    record: Record | None = None
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            line = read_line(text)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            if record is not None and number == len(lines):
                break  # cut off: the run was killed while it was written
            raise InputError(f"{path}:{number}: no line of a report: {error}") from None
        if record is None:
            if line is None and (document := document_record(text)) is not None:
                return document
            if not isinstance(line, Header):
                raise InputError(f"{path}:{number}: a report begins with its header; name a folder written by 'check --report', or its {NAME}")
            record = Record(line)
        elif line is not None:
            record.take(line)
    if record is None:
        raise InputError(f"{path} is empty; name a folder written by 'check --report', or its {NAME}")
    return record


def document_record(text: bytes) -> Record | None:
    """The report in a document of ``check --format json``; None when the text is none."""
    try:
        found = msgspec.json.decode(text, type=_Document)
    except msgspec.MsgspecError:
        return None
    tier, digest = str(found.suite.get("tier", "")), str(found.suite.get("digest", ""))
    record = Record(Header(found.versions, found.engine, Suite(tier, digest, tuple(found.cases)), found.readings, {}, found.ruleset, accepted=found.accepted))
    failing = {failure.fixture: failure for failure in found.failures}
    known = {str(entry.get("fixture")): entry for entry in found.baseline.get("known", ()) if isinstance(entry, dict)}
    for name, outcome in found.cases.items():
        failure = failing.get(name)
        foretold = Known("known", str(known[name].get("reason", ""))) if name in known else None
        level = "must" if outcome in FINE or failure is not None or foretold is not None else "unspecified"
        told: dict[str, Any] = {"action": failure.action, "text": failure.text, "blame": Blamed(failure.rule) if failure.rule else None} if failure is not None else {}
        record.take(CaseLine(name, outcome, level, known=foretold, **told))
    missing = sum(found.counts.values()) - len(found.cases)
    record.take(Summary(found.verdict, 0, found.counts, 0.0, failure=found.failure, interrupted=found.interrupted or ("its end" if missing > 0 and found.failure is None else "")))
    return record


class _Failure(msgspec.Struct):
    fixture: str
    rule: str = ""
    action: int = 0
    text: str = ""


class _Document(msgspec.Struct):
    """What is read of a document of ``check``."""

    verdict: str
    counts: dict[str, int]
    failures: list[_Failure]
    cases: dict[str, str]
    suite: dict[str, Any]
    engine: dict[str, Any]
    readings: dict[str, str]
    versions: dict[str, Any]
    ruleset: str | None = None
    baseline: dict[str, Any] = {}
    failure: dict[str, Any] | None = None
    interrupted: str = ""
    accepted: Accepted | None = None
