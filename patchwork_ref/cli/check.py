"""``check`` and ``smoke``: the main job."""

from __future__ import annotations

import shlex

import click

from patchwork_ref import __version__
from patchwork_ref.cli.options import emit, emit_json, format_option, machine_of, progress, rulebook_of, rules_options, seed_option


@click.command()
@rules_options
@format_option()
@seed_option
@click.argument("engine")
@click.option("--tier", type=click.Choice(["quick", "gate", "full"]), default="gate", help="How much; gate by default.")
@click.option("--suite", metavar="DIR", help="Other fixtures in place of the shipped ones.")
@click.option("--report", "folder_out", metavar="DIR", help="Where reports and games go.")
@click.option("--timeout-scale", type=click.FloatRange(0.01, 1000), default=1.0, help="Multiplies every time limit.")
@click.option("--quiet", is_flag=True, help="No progress.")
def check(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, seed: int, engine: str, tier: str, suite: str | None,
          folder_out: str | None, timeout_scale: float, quiet: bool) -> int:
    """Does an engine conform? Plays the fixtures of a tier on it and compares after every action."""
    from patchwork_ref.conformance.limits import DEFAULT_LIMITS
    from patchwork_ref.conformance.naming import target_of
    from patchwork_ref.conformance.run import run
    from patchwork_ref.conformance.suite import cases, chosen
    from patchwork_ref.fixtures.read import read_fixtures
    from patchwork_ref.report.check import check_json, check_text

    rulebook = rulebook_of(folder)
    machine = machine_of(rulebook, ruleset, readings)
    fixtures = read_fixtures(suite)
    selected = cases(chosen(fixtures, tier), rulebook, machine)
    about = {"tier": tier, "fixtures": len(selected), "folder": suite or "shipped", "rulebook": rulebook.digest, "version": __version__, "seed": seed}
    report = run(target_of(engine, rulebook, machine), engine, selected, rulebook, machine, DEFAULT_LIMITS.scaled(timeout_scale),
                 listener=_Progress(len(selected)) if progress(quiet) else lambda kind, value: None)
    replays = {f.case.fixture.id: replay_command(f.case.fixture.id, engine, suite, ruleset, readings, folder) for f in report.findings}
    if form == "json":
        emit_json(check_json(report, machine, about, replays))
    else:
        emit(check_text(report, machine, about, replays))
    return report.exit_code


def replay_command(what: str, engine: str, suite: str | None, ruleset: str | None, readings: tuple[str, ...], folder: str | None) -> str:
    """One command that plays a fixture or file again on the engine."""
    words = ["patchwork-ref", "replay", what, "--engine", engine]
    for option, value in (("--suite", suite), ("--ruleset", ruleset), ("--rulebook", folder)):
        words += [option, value] if value is not None else []
    for reading in readings:
        words += ["--reading", reading]
    return shlex.join(words)


class _Progress:
    """A counter on standard error, for a person who waits."""

    def __init__(self, total: int) -> None:
        self.total, self.done = total, 0

    def __call__(self, kind: str, value: object) -> None:
        self.done += kind == "case"
        click.echo(f"\r{self.done}/{self.total} " if kind != "end" else "\r" + " " * 20 + "\r", nl=False, err=True)


@click.command()
@rules_options
@format_option()
@click.argument("engine")
@click.option("--timeout-scale", type=click.FloatRange(0.01, 1000), default=1.0, help="Multiplies every time limit.")
def smoke(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, engine: str, timeout_scale: float) -> int:
    """Is the adapter sound? Numbered steps that stop at the first failure, with what was sent, expected and received."""
    from patchwork_ref.conformance.limits import DEFAULT_LIMITS
    from patchwork_ref.conformance.naming import target_of
    from patchwork_ref.conformance.smoke import smoke as steps
    from patchwork_ref.conformance.wire import setup_from
    from patchwork_ref.engine.engine import Engine
    from patchwork_ref.machine.setup import Setup, setup_message, shuffled
    from patchwork_ref.report.smoke import smoke_exit, smoke_json, smoke_text

    rulebook = rulebook_of(folder)
    machine = machine_of(rulebook, ruleset, readings)
    laid = shuffled(machine, "smoke", 0)
    told = Setup(laid.circle, Engine(machine).neutral_token(laid), laid.first_player)
    result = steps(target_of(engine, rulebook, machine), setup_from(setup_message(machine, told)), DEFAULT_LIMITS.scaled(timeout_scale))  # type: ignore[arg-type]
    if form == "json":
        emit_json(smoke_json(result, engine))
    else:
        emit(smoke_text(result, engine))
    return smoke_exit(result)



