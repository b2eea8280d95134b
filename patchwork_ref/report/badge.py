"""A badge: the JSON that a shields.io endpoint reads."""

from __future__ import annotations

from typing import Any

from patchwork_ref.report.record import Record

_COLOURS = {"conforms": "brightgreen", "diverges": "red", "adapter-failure": "red", "inconclusive": "lightgrey"}


def badge(record: Record) -> dict[str, Any]:
    """``schemaVersion``, ``label``, ``message``, ``color``."""
    suite = record.header.suite
    known = f", {len(record.known)} known" if record.known else ""
    words = {
        "conforms": f"{record.counts.get('agreed', 0)} of {record.planned} agree{known}",
        "diverges": f"{len(record.failures)} of {record.planned} fail" if record.failures else "baseline out of date" if record.stale or record.expired else "not explained",
        "adapter-failure": "engine fails", "inconclusive": "inconclusive",
    }[record.verdict]
    colour = "yellow" if record.verdict == "conforms" and record.known else _COLOURS[record.verdict]
    message = f"{words} ({record.rules_words}, {suite.tier}, suite {record.header.versions.get('suite', '')})"
    return {"schemaVersion": 1, "label": "Patchwork rules", "message": message, "color": colour}
