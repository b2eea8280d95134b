"""``check`` and ``smoke``: the main job."""

from __future__ import annotations

import click

from patchwork_ref.cli.checking import plan_of, publish, run_options, run_plan
from patchwork_ref.cli.options import emit, emit_json, format_option, machine_of, rulebook_of, rules_options


@click.command()
@run_options
@click.option("--baseline", metavar="FILE", help="Known failures: only new ones, and entries that are no longer true, fail the run.")
@click.option("--report", "out", metavar="DIR", help="Where report.jsonl goes, and what is derived from it: JUnit, Markdown, annotations, a badge.")
@click.option("--accept-readings", "accept", is_flag=True, help="Judge the engine under the readings that its fingerprint shows, where they are not those asked for.")
@click.option("--shrink-seconds", type=click.FloatRange(0, 3600), default=10.0, show_default=True, help="To make failing games short, all together; 0 for not at all.")
def check(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, seed: int, engine: str, tier: str, suite: str | None, scale: float,
          quiet: bool, baseline: str | None, out: str | None, accept: bool, shrink_seconds: float) -> int:
    """Does an engine conform? Plays the fixtures of a tier on it and compares after every action."""
    from patchwork_ref.conformance.naming import target_of
    from patchwork_ref.report.baseline import read_baseline

    known = read_baseline(baseline) if baseline is not None else None
    plan = plan_of(folder, ruleset, readings, seed, engine, tier, suite, scale)
    target = target_of(plan.engine, plan.rulebook, plan.machine)  # a mutant stays that of the rules asked for
    if accept:
        from patchwork_ref.cli.accepting import accepting

        plan = accepting(plan, target, quiet)
    return run_plan(plan, quiet, known, out, lambda found: publish(found, form, out), shrink_seconds, target).exit_code


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
