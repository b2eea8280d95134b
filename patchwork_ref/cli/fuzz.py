"""``fuzz``: random games on an engine and on the reference side by side."""

from __future__ import annotations

from pathlib import Path

import click

from patchwork_ref.cli.options import emit, emit_json, format_option, machine_of, progress, rulebook_of, rules_options, seed_option

GAMES = 200
"""Games when neither games nor seconds are named."""


@click.command()
@rules_options
@format_option()
@seed_option
@click.argument("engine")
@click.option("--games", type=click.IntRange(1), help=f"So many games; {GAMES} when no time is named either.")
@click.option("--seconds", type=click.FloatRange(0.1), help="No further game after so long.")
@click.option("--out", metavar="DIR", help="Where counterexamples go: a trace to replay, and the raw lines for the engine; out by default.")
@click.option("--shrink-seconds", type=click.FloatRange(0, 3600), default=10.0, show_default=True, help="To make a counterexample short, for each rule; 0 for not at all.")
@click.option("--timeout-scale", type=click.FloatRange(0.01, 1000), default=1.0, help="Multiplies every time limit.")
@click.option("--quiet", is_flag=True, help="No progress.")
def fuzz(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, seed: int, engine: str, games: int | None, seconds: float | None, out: str | None,
         shrink_seconds: float, timeout_scale: float, quiet: bool) -> int:
    """Plays random games on an engine, with near misses and lists of legal actions, and makes what it finds short."""
    from patchwork_ref.conformance.fuzz import Fuzzed
    from patchwork_ref.conformance.fuzz import fuzz as played
    from patchwork_ref.conformance.limits import DEFAULT_LIMITS
    from patchwork_ref.conformance.naming import target_of
    from patchwork_ref.conformance.suite import cases, chosen
    from patchwork_ref.engine.engine import Engine
    from patchwork_ref.errors import PatchworkRefError
    from patchwork_ref.fixtures.read import read_fixtures
    from patchwork_ref.report.fuzz import fuzz_json, fuzz_text

    rulebook = rulebook_of(folder)
    machine = machine_of(rulebook, ruleset, readings)
    own = Engine(machine)
    try:  # the shipped games are short ways to most rules; another rulebook may have none that fit
        known = [case.course for case in cases(chosen(read_fixtures(None), "gate"), rulebook, machine) if not case.fixture.custom]
    except PatchworkRefError:
        known = []

    def look(found: Fuzzed) -> None:
        click.echo(f"\r{found.games} games, {len(found.found)} counterexamples ", nl=False, err=True)

    shown = progress(quiet)
    found = played(target_of(engine, rulebook, machine), engine, rulebook, own, games if games is not None or seconds is not None else GAMES, seconds, seed, shrink_seconds,
                   known, DEFAULT_LIMITS.scaled(timeout_scale), look if shown else lambda found: None)
    if shown:
        click.echo("\r" + " " * 40 + "\r", nl=False, err=True)
    files = _written(found, out, engine, folder)
    if form == "json":
        emit_json(fuzz_json(found, {"ruleset": machine.ruleset, "seed": seed}, files))
    else:
        emit(fuzz_text(found, files))
    return found.exit_code


def _written(found: object, out: str | None, engine: str, folder: str | None) -> dict[str, tuple[str, str, str]]:
    """Each counterexample as a trace and as raw lines."""
    from patchwork_ref.conformance.fuzz import Fuzzed
    from patchwork_ref.conformance.games import document
    from patchwork_ref.conformance.transcript import raw_lines
    from patchwork_ref.machine.codec import dumps
    from patchwork_ref.report.plan import replay_command
    from patchwork_ref.report.shrunken import FOLDER, slug

    assert isinstance(found, Fuzzed)
    files = {}
    for rule, counterexample in found.found.items():
        course = counterexample.shortest[0]
        trace = Path(out or FOLDER) / f"fuzz-{slug(rule)}.json"
        raw = trace.with_suffix(".lines")
        trace.parent.mkdir(parents=True, exist_ok=True)
        trace.write_text(dumps(document(course)) + "\n", encoding="utf-8", newline="\n")
        raw.write_bytes(raw_lines(course, frozenset(found.identity.get("capabilities", ()))))
        files[rule] = (str(trace), str(raw), replay_command(str(trace), engine, folder=folder))
    return files
