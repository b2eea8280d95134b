"""An audit of recorded games as text; its JSON form is the report's own."""

from __future__ import annotations

from patchwork_ref.notation import AuditReport

SHOWN = 20
"""Lines of each kind; the JSON form has all."""


def audit_text(report: AuditReport) -> str:
    """A summary, then the first lines of each kind that are not as they should be."""
    lines = [
        f"{report.games} games in the notation {report.notation}, under {report.ruleset or 'the chosen readings'}: "
        f"{report.legal} legal, {report.finished} of them played to the end",
    ]
    lines += _some([f"line {i.line}: action {i.action} is illegal, by {i.rule}" for i in report.illegal], "illegal games")
    lines += _some([f"line {line}: the recorded score or winner is not what the rules give" for line in report.score_mismatches], "wrong results")
    lines += _some([f"line {u.line}: not a game: {u.reason}" for u in report.unreadable], "unreadable lines")
    lines.append(f"Consistent with every readable game: {', '.join(report.consistent_rulesets) or 'no ruleset'}")
    return "\n".join(lines)


def _some(lines: list[str], what: str) -> list[str]:
    rest = len(lines) - SHOWN
    return lines[:SHOWN] + ([f"and {rest} more {what}"] if rest > 0 else [])
