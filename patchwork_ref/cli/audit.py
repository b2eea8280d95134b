"""``audit`` and ``export``: games that others recorded."""

from __future__ import annotations

import click

from patchwork_ref.cli.options import emit, emit_json, format_option, progress, rulebook_of, rules_options


@click.command()
@rules_options
@format_option()
@click.argument("file")
@click.option("--notation", metavar="NAME", help="traces, student or student-csv; recognised when not given.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes; one for each core by default.")
@click.option("--quiet", is_flag=True, help="No progress.")
def audit(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, file: str, notation: str | None, workers: int | None, quiet: bool) -> int:
    """Checks recorded games: legal or not, where and by which rule, final scores, and which rulesets fit them all."""
    from patchwork_ref.notation import audit_file
    from patchwork_ref.report.audits import audit_text

    def shown(done: int, total: int) -> None:
        click.echo(f"\r{done * 100 // max(total, 1):>3} % ", nl=False, err=True)

    rulebook = rulebook_of(folder)
    watched = progress(quiet)
    report = audit_file(file, rulebook, rulebook.readings(ruleset, readings), notation, shown if watched else None, workers)
    if watched:
        click.echo("\r      \r", nl=False, err=True)
    if form == "json":
        emit_json(report.to_json())
    else:
        emit(audit_text(report))
    if report.games == 0:
        return 4
    return 0 if report.clean else 1


@click.command()
@rules_options
@click.argument("file")
@click.option("--notation", metavar="NAME", required=True, help="The notation to write: traces, student or student-csv.")
@click.option("--from", "source", metavar="NAME", help="The notation of the file; recognised when not given.")
def export(folder: str | None, ruleset: str | None, readings: tuple[str, ...], file: str, notation: str, source: str | None) -> int:
    """Writes recorded games in another notation, one a line; a game that it cannot hold is named on standard error."""
    from patchwork_ref.notation import export_traces

    rulebook = rulebook_of(folder)
    failed = False
    for line in export_traces(file, notation, rulebook, rulebook.readings(ruleset, readings), source):
        if isinstance(line, str):
            emit(line)
        else:
            failed = True
            click.echo(f"{file}: line {line.line}: {line.reason}", err=True)
    return 1 if failed else 0
