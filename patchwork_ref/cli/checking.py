"""What ``check`` and ``baseline update`` share: their options, a run that leaves a report however it ends, and printing it."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from patchwork_ref.cli.ending import Terminated
from patchwork_ref.cli.options import emit, emit_json, format_option, rules_options, seed_option

if TYPE_CHECKING:
    from patchwork_ref.conformance.targets import Target
    from patchwork_ref.report.baseline import Baseline
    from patchwork_ref.report.plan import Plan
    from patchwork_ref.report.record import Record

F = TypeVar("F", bound=Callable[..., Any])


def run_options(command: F) -> F:
    """Which rules, which fixtures, how patient, and how to print."""
    command = click.option("--quiet", is_flag=True, help="No progress.")(command)
    command = click.option("--timeout-scale", "scale", type=click.FloatRange(0.01, 1000), default=1.0, help="Multiplies every time limit.")(command)
    command = click.option("--suite", metavar="DIR", help="Other fixtures in place of the shipped ones.")(command)
    command = click.option("--tier", type=click.Choice(["quick", "gate", "full"]), default="gate", help="How much; gate by default.")(command)
    command = click.argument("engine")(command)
    return rules_options(format_option()(seed_option(command)))


def plan_of(folder: str | None, ruleset: str | None, readings: tuple[str, ...], seed: int, engine: str, tier: str, suite: str | None, scale: float) -> Plan:
    """What the options ask for."""
    from patchwork_ref.cli.options import rulebook_of
    from patchwork_ref.report.plan import planned

    root = (click.get_current_context().find_root().obj or {}).get("rulebook")
    gc.disable()  # all that is made here stays: to look through it again and again takes a tenth of the time
    try:
        return planned(engine, tier, ruleset, readings, suite, folder if folder is not None else root, seed, scale, rulebook_of(folder))
    finally:
        gc.freeze()
        gc.enable()


def run_plan(plan: Plan, quiet: bool, baseline: Baseline | None = None, folder: str | None = None, end: Callable[[Record], None] = lambda record: None,
             shrink_seconds: float = 0.0, target: Target | None = None) -> Record:
    """Plays the plan, on ``target`` where that is not what the plan's rules make of the engine's name.

    ``end`` is called with what there is, also when a signal ends the run early, which then goes on as an exception."""
    from patchwork_ref.conformance.naming import target_of
    from patchwork_ref.conformance.run import run
    from patchwork_ref.report.derived import forget_derived
    from patchwork_ref.report.plan import replay_command
    from patchwork_ref.report.progress import progress
    from patchwork_ref.report.recorder import Recorder
    from patchwork_ref.report.shrunken import Games, forget

    played = target if target is not None else target_of(plan.engine, plan.rulebook, plan.machine)
    recorder = Recorder(plan.header(baseline), plan.teller(), baseline, folder)
    forget(folder, "check", plan.engine)
    if folder is not None:
        forget_derived(folder)
    recorder.games = Games(lambda file: replay_command(file, plan.engine, folder=plan.folder), plan.rulebook, plan.engine, folder)
    try:
        with progress(quiet) as recorder.look, recorder:
            run(played, plan.engine, plan.cases, plan.rulebook, plan.machine, plan.limits, listener=recorder, shrink_seconds=shrink_seconds)
    except (KeyboardInterrupt, Terminated):
        end(recorder.record)
        raise
    end(recorder.record)
    return recorder.record


def publish(record: Record, form: str, folder: str | None = None) -> None:
    """Prints a report, writes what is derived from it, and tells the CI that we run in."""
    from patchwork_ref.report.annotations import github_lines
    from patchwork_ref.report.check import check_json
    from patchwork_ref.report.derived import append_summary, write_derived

    if folder is not None:
        write_derived(record, folder)
    append_summary(record)
    if form == "json":
        emit_json(check_json(record))
    else:
        emit_report(record)
    if os.environ.get("GITHUB_ACTIONS"):
        for line in github_lines(record):
            click.echo(line, err=True)


def emit_report(record: Record) -> None:
    """The terminal text: as wide as the terminal, coloured on a terminal alone."""
    from patchwork_ref.report.check import WIDTH, check_text
    from patchwork_ref.report.colours import coloured, harmless, wanted

    width = max(60, min(WIDTH, shutil.get_terminal_size((WIDTH, 40)).columns))
    text = harmless(check_text(record, width))
    emit(coloured(text) if wanted(sys.stdout) else text)
