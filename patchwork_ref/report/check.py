"""A conformance report as terminal text and as the JSON document of ``check``."""

from __future__ import annotations

from typing import Any

from patchwork_ref.conformance.run import Finding, Report
from patchwork_ref.machine.model import Machine
from patchwork_ref.polyomino import mask_of
from patchwork_ref.report.games import draw

SHOWN = 5
"""So many groups of failures are shown whole; the others in a line."""


def check_json(report: Report, machine: Machine, suite: dict[str, Any], replays: dict[str, str]) -> dict[str, Any]:
    """The document of ``check --format json``."""
    document: dict[str, Any] = {
        "verdict": report.result,
        "counts": report.counts,
        "failures": [finding_json(f, replays.get(f.case.fixture.id, "")) for f in report.findings],
        "ruleset": machine.ruleset,
        "readings": dict(machine.readings),
        "suite": suite,
        "engine": {"command": report.engine, **report.identity},
        "restarts": report.restarts,
        "seconds": round(report.seconds, 3),
        "reject_codes": {"as_expected": report.codes[0], "given": report.codes[1]},
        "rules": dict(sorted(report.rules.items())),
    }
    if report.explanation is not None:
        document["explanation"] = {"option": report.explanation.option, "asked": report.explanation.asked}
    if report.failure is not None:
        document["failure"] = {"outcome": type(report.failure).__name__.lower(), "reason": report.failure.reason}
    return document


def finding_json(finding: Finding, replay: str) -> dict[str, Any]:
    """One failure."""
    verdict, blamed = finding.verdict, finding.blame
    found: dict[str, Any] = {
        "fixture": finding.case.fixture.id, "outcome": verdict.outcome, "rule": blamed.rule, "action": verdict.action, "kind": verdict.kind,
        "level": finding.case.fixture.level, "text": verdict.text, "replay": replay,
        "differences": [{"field": d.field, "player": d.player, "expected": d.expected, "got": d.got} for d in verdict.differences],
    }
    if blamed.position is not None:
        found["position"] = f"{blamed.position.file}:{blamed.position.line}"
    if blamed.how:
        found["how"] = blamed.how
    if blamed.reading is not None:
        found["reading"] = blamed.reading
    return found


def check_text(report: Report, machine: Machine, suite: dict[str, Any], replays: dict[str, str]) -> str:
    """What a person reads: the verdict last, the first failure of each group whole."""
    name = " ".join(str(report.identity[key]) for key in ("name", "version") if key in report.identity) or report.engine
    lines = [f"{name}    ruleset {machine.ruleset or 'custom'}    tier {suite.get('tier')}, {report.planned} cases", ""]
    if report.explanation is not None:
        lines += [f"Every failure is explained by another reading: check it with {report.explanation.option}", ""]
    groups: dict[str, list[Finding]] = {}
    for finding in sorted(report.findings, key=lambda f: (f.verdict.action, len(f.case.course.actions))):
        groups.setdefault(finding.blame.rule, []).append(finding)
    ordered = sorted(groups.values(), key=len, reverse=True)
    for group in ordered[:SHOWN]:
        lines += [*finding_text(group[0], machine, replays), *([f"  and {len(group) - 1} more: {_some(group[1:])}"] if len(group) > 1 else []), ""]
    lines += [f"FAIL {group[0].blame.rule}: {_some(group)}" for group in ordered[SHOWN:]]
    if report.failure is not None:
        lines += [f"The engine's process failed: {report.failure.reason}", *evidence(report.failure), ""]
    lines.append(summary(report))
    return "\n".join(lines)


def finding_text(finding: Finding, machine: Machine, replays: dict[str, str]) -> list[str]:
    """One failure with its rule, what differs, and the command that plays it again."""
    verdict, course, blamed = finding.verdict, finding.case.course, finding.blame
    where = f" ({blamed.position.file.rsplit('/', 1)[-1]}:{blamed.position.line})" if blamed.position is not None else ""
    lines = [f"FAIL {finding.case.fixture.id}   {finding.case.fixture.level}   rule {blamed.rule}{where}", f"  {finding.case.fixture.title}"]
    rule = machine.rules.get(blamed.rule)
    said = rule.says if rule is not None else next((d.says for d in machine.definitions.values() if d.rule == blamed.rule), "")
    if said:
        lines.append(f"  The rule: {said}")
    by_action = verdict.kind in ("state", "rejection", "process") and verdict.outcome != "accepted-illegal"
    action = course.actions[verdict.action - 1] if by_action and 0 < verdict.action <= len(course.actions) else None
    mover = course.state(max(verdict.action - 1, 0)).number("turn") if action is not None else 0
    at = f"at action {verdict.action} of {len(course.actions)}" if verdict.action else "at the set-up"
    lines.append(f"  {verdict.outcome} {at}{f' (player {mover}: {action})' if action is not None else ''}: {verdict.text}")
    lines += [f"    {difference}" for difference in verdict.differences[:8]]
    lines += [f"    missing: {a}" for a in verdict.missing[:3]] + [f"    not legal: {a}" for a in verdict.extra[:3]]
    if verdict.code_expected is not None:
        lines.append(f"    expected the rejection {verdict.code_expected}")
    if blamed.how:
        lines.append(f"  It looks like {blamed.rule} {blamed.how}." if not blamed.how.startswith("as in") else f"  It plays {blamed.how}.")
    if action is not None and action.cells:
        me = course.state(verdict.action - 1).number("turn")
        board = draw(machine.board, course.state(verdict.action).number("quilt", me), mask_of(action.cells))
        lines += [f"  player {me}'s quilt, the last placement as @:", *(f"    {row}" for row in board)]
    if verdict.failure is not None:
        lines += [f"  {line}" for line in evidence(verdict.failure)]
    if finding.case.fixture.id in replays:
        lines.append(f"  Replay:  {replays[finding.case.fixture.id]}")
    return lines


def evidence(failure: Any) -> list[str]:
    """The last messages and the tail of standard error."""
    found = failure.evidence
    lines = [f"  {'->' if m.direction == 'sent' else '<-'} {m.text[:160]}" for m in found.messages[-4:]]
    tail = [line for line in found.stderr.splitlines() if line.strip()][-6:]
    return [*lines, *(f"  stderr: {line[:200]}" for line in tail)]


def summary(report: Report) -> str:
    """The last line: verdict and counts."""
    counts = ", ".join(f"{number} {outcome}" for outcome, number in report.counts.items()) or "nothing was run"
    words = {"conforms": "CONFORMS", "diverges": "DIVERGES", "adapter-failure": "THE ENGINE'S PROCESS FAILED", "inconclusive": "INCONCLUSIVE"}[report.result]
    rules = f"; {len(report.rules)} rules exercised" if report.rules else ""
    return f"{words}: {counts}{rules}; {report.seconds:.1f} s"


def _some(group: list[Finding]) -> str:
    ids = [f.case.fixture.id for f in group]
    return ", ".join(ids[:6]) + (f" and {len(ids) - 6} more" if len(ids) > 6 else "")



