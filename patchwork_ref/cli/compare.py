"""``compare`` and ``report``: reports that were written earlier."""

from __future__ import annotations

import click

from patchwork_ref.cli.options import emit, emit_json, format_option


@click.command()
@format_option()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
def compare(form: str, first: str, second: str) -> int:
    """What changed from report A to report B: folders that check --report wrote, or their report.jsonl.

    Exit code 0 when nothing got worse, else 1.
    """
    from patchwork_ref.report.comparison import compared, comparison_json, comparison_text
    from patchwork_ref.report.record import read_record

    found = compared(read_record(first), read_record(second))
    if form == "json":
        emit_json(comparison_json(found))
    else:
        emit(comparison_text(found))
    return found.exit_code


@click.command()
@format_option("junit", "markdown", "annotations", "badge")
@click.argument("where", metavar="DIR")
def report(form: str, where: str) -> int:
    """Shows a report again, in any form; also that of a run that was killed. The exit code is that of its verdict."""
    from patchwork_ref.cli.checking import emit_report
    from patchwork_ref.report.derived import derived
    from patchwork_ref.report.record import read_record

    record = read_record(where)
    names = {"json": "check.json", "junit": "junit.xml", "markdown": "summary.md", "annotations": "annotations.json", "badge": "badge.json"}
    if form == "text":
        emit_report(record)
    else:
        emit(derived(record)[names[form]].rstrip("\n"))
    return record.exit_code
