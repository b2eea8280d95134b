"""Annotations for pull requests: one for each group of failures, and one for each line of the baseline that is no longer true."""

from __future__ import annotations

from typing import Any

from patchwork_ref.report.check import difference_text, known_text, one_line, some
from patchwork_ref.report.lines import CaseLine
from patchwork_ref.report.record import Record

MOST = 10
"""GitHub shows so many errors of one step."""


def notes(record: Record) -> list[dict[str, Any]]:
    """In a form that belongs to no service: ``level``, ``title``, ``message``, the fixtures meant, and perhaps ``file`` and ``line``.

    Only what stands in a file of the engine's own repository has one, which is an entry of its baseline. Which of its files a
    failure comes from nobody knows here, and the rulebook is none of them: a failure names the rule's place in its message.
    """
    found = [_group(rule, cases) for rule, cases in record.groups()]
    baseline = record.header.suite.baseline
    for case in [*record.stale, *record.expired]:
        found.append(_annotation("error", baseline, case.known.line if case.known else 0, f"baseline: {case.fixture}", known_text(case), [case.fixture]))
    if unknown := list(record.header.suite.unknown):
        found.append(_annotation("warning", baseline, 0, "baseline: unknown fixtures", f"no fixture of the suite: {some(unknown)}", unknown))
    if record.verdict in ("adapter-failure", "inconclusive") and not record.groups():
        reason = record.summary.failure["reason"] if record.summary is not None and record.summary.failure is not None else "the run did not reach its end"
        found.append(_annotation("error", "", 0, f"conformance: {record.verdict}", str(reason), []))
    return found


def _group(rule: str, cases: list[CaseLine]) -> dict[str, Any]:
    first = cases[0]
    place = first.blame.position if first.blame is not None else ""
    says = [f"{first.blame.says} ({place.rsplit('/', 1)[-1]})"] if first.blame is not None and place else []
    lines = [*says, f"{first.fixture}: {first.outcome}: {one_line(first.text)}", *map(difference_text, first.differences[:4])]
    if len(cases) > 1:
        lines.append(f"and {len(cases) - 1} more: {some(c.fixture for c in cases[1:])}")
    if first.blame is not None and first.blame.replay:
        lines.append(f"Replay: {first.blame.replay}")
    return _annotation("error", "", 0, f"rule {rule}" if rule else first.outcome, "\n".join(lines), [c.fixture for c in cases])


def _annotation(level: str, file: str, line: int, title: str, message: str, fixtures: list[str]) -> dict[str, Any]:
    return {"level": level, **({"file": file} if file else {}), **({"line": line} if line else {}), "title": title, "message": message, "fixtures": fixtures}


def annotations_json(record: Record) -> dict[str, Any]:
    """The file ``annotations.json``."""
    return {"versions": record.header.versions, "annotations": notes(record)}


def github_lines(record: Record) -> list[str]:
    """The same as workflow commands of GitHub Actions, as many as it shows."""
    return [_command(found) for found in notes(record)[:MOST]]


def _command(found: dict[str, Any]) -> str:
    settings = ",".join(f"{name}={_escaped(str(found[name]), ':,')}" for name in ("file", "line", "title") if name in found)
    return f"::{found['level']} {settings}::{_escaped(found['message'])}"


def _escaped(text: str, more: str = "") -> str:
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text
