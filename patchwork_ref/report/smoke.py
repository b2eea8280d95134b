"""The smoke steps as text and JSON."""

from __future__ import annotations

from typing import Any

from patchwork_ref.conformance.smoke import SmokeResult

_MARK = {"passed": "ok  ", "failed": "FAIL", "not-applicable": "n/a "}


def smoke_exit(result: SmokeResult) -> int:
    """0 when every step passed, 3 when the process failed, else 1."""
    if result.passed:
        return 0
    return 3 if result.steps and result.steps[-1].failure is not None else 1


def smoke_json(result: SmokeResult, engine: str) -> dict[str, Any]:
    """The document of ``smoke --format json``."""
    return {
        "passed": result.passed, "engine": engine, "capabilities": list(result.capabilities),
        "steps": [
            {"number": s.number, "title": s.title, "status": s.status, "expected": s.expected, "reason": s.reason, "hint": s.hint,
             "sent": [m.text for m in s.sent], "received": [m.text for m in s.received]}
            for s in result.steps
        ],
    }


def smoke_text(result: SmokeResult, engine: str) -> str:
    """A line a step; of the one that failed what was sent, expected and received, and one hint."""
    lines = []
    for step in result.steps:
        remark = f"  ({step.reason})" if step.status == "not-applicable" and step.reason else ""
        lines.append(f"{step.number:>2}. {_MARK[step.status]} {step.title}{remark}")
        if step.status == "failed":
            lines += [f"      sent      {m.text[:300]}" for m in step.sent[-3:]]
            lines.append(f"      expected  {step.expected}")
            lines += [f"      received  {m.text[:300]}" for m in step.received[-3:]]
            lines.append(f"      wrong     {step.reason}")
            if step.failure is not None and step.failure.evidence.stderr.strip():
                lines += [f"      stderr    {line[:200]}" for line in step.failure.evidence.stderr.strip().splitlines()[-4:]]
            if step.hint:
                lines.append(f"      hint      {step.hint}")
    lines.append("")
    lines.append(f"The adapter is sound. Next: patchwork-ref check {engine!r}" if result.passed else "The adapter is not sound; the steps after this one were not taken.")
    return "\n".join(lines)
