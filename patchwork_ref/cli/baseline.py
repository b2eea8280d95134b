"""``baseline update``: writing down what is known to fail."""

from __future__ import annotations

import os
from datetime import date, datetime
from pathlib import Path

import click

from patchwork_ref.cli.checking import plan_of, run_options, run_plan
from patchwork_ref.cli.options import emit, emit_json
from patchwork_ref.errors import InputError


@click.group()
def baseline() -> None:
    """Known failures: a file that check --baseline reads."""


@baseline.command()
@run_options
@click.option("--baseline", "file", metavar="FILE", required=True, help="The file to write; entries that still fail keep their words.")
@click.option("--accept-readings", "accept", is_flag=True, help="Run it under its own readings, as check --accept-readings does.")
@click.option("--reason", default="not yet looked into", help="For new entries: why this is known to fail.")
@click.option("--link", default="", help="For new entries: where it is being followed up.")
@click.option("--expires", type=click.DateTime(["%Y-%m-%d"]), help="For new entries: the last day on which they count.")
def update(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, seed: int, engine: str, tier: str, suite: str | None, scale: float,
           quiet: bool, file: str, accept: bool, reason: str, link: str, expires: datetime | None) -> int:
    """Runs the engine and writes down its failures as known. Refused in CI: what is known is decided by people."""
    from patchwork_ref.conformance.naming import target_of
    from patchwork_ref.report.baseline import Baseline, baseline_text, read_baseline, updated
    from patchwork_ref.report.derived import write_whole

    if in_ci():
        raise InputError("baseline update does not run in CI (CI is set): update the file on your own machine and commit it")
    if not reason.strip():
        raise InputError("--reason is empty; say why this is known to fail")
    old = read_baseline(file) if Path(file).exists() else Baseline(file)
    plan = plan_of(folder, ruleset, readings, seed, engine, tier, suite, scale)
    target = target_of(plan.engine, plan.rulebook, plan.machine)
    if accept:
        from patchwork_ref.cli.accepting import accepting

        plan = accepting(plan, target, quiet)
    record = run_plan(plan, quiet, old, target=target)
    if record.never_run or (record.summary is not None and record.summary.failure is not None):
        why = record.summary.failure["reason"] if record.summary is not None and record.summary.failure is not None else "not every fixture was played"
        click.echo(f"patchwork-ref: the run did not reach its end, and {file} is as it was: {why}", err=True)
        return record.exit_code or 4
    until: date | None = expires.date() if expires is not None else None
    entries, added, removed = updated(old, record, reason, link, until)
    write_whole(Path(file), baseline_text(entries))
    if form == "json":
        emit_json({"baseline": file, "entries": len(entries), "added": added, "removed": removed})
    else:
        for word, names in (("added", added), ("removed", removed)):
            for name in names:
                emit(f"{word} {name}")
        emit(f"{file}: {len(entries)} known failures, {len(added)} added, {len(removed)} removed")
    return 0


def in_ci() -> bool:
    """Whether a CI runs us; nearly all of them set CI."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false", "no")
