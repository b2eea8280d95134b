"""``fuzz``: random games on an engine and on the reference side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from patchwork_ref.cli.ending import Terminated, remembered
from patchwork_ref.cli.options import emit, emit_json, format_option, machine_of, rulebook_of, rules_options, seed_option

if TYPE_CHECKING:
    from patchwork_ref.conformance.fuzz import Fuzzed
    from patchwork_ref.rulebook.model import Rulebook

GAMES = 200
"""Games when neither games nor seconds are named."""


@click.command()
@rules_options
@format_option()
@seed_option
@click.argument("engine")
@click.option("--games", type=click.IntRange(1), help=f"So many games; {GAMES} when no time is named either.")
@click.option("--seconds", type=click.FloatRange(0.1), help="No further game after so long.")
@click.option("--out", metavar="DIR", help="Where counterexamples go: a fixture to replay or check, and the raw lines for the engine; out by default.")
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
    from patchwork_ref.report.fuzz import Ticker, fuzz_json, fuzz_text
    from patchwork_ref.report.shrunken import forget

    rulebook = rulebook_of(folder)
    machine = machine_of(rulebook, ruleset, readings)
    own = Engine(machine)
    target = target_of(engine, rulebook, machine)
    try:  # the shipped games are short ways to most rules; another rulebook may have none that fit
        known = [case.course for case in cases(chosen(read_fixtures(None), "gate"), rulebook, machine) if not case.fixture.custom]
    except PatchworkRefError:
        known = []
    forget(out, "fuzz", engine)
    latest = Fuzzed(engine)

    def look(found: Fuzzed) -> None:
        nonlocal latest
        latest = found
        ticker(found)
        ended()

    def tell() -> None:
        files = _written(latest, out, engine, folder, rulebook, seed)
        if form == "json":
            emit_json(fuzz_json(latest, {"ruleset": machine.ruleset, "seed": seed}, files))
        else:
            emit(fuzz_text(latest, files))

    try:
        with Ticker(quiet) as ticker, remembered() as ended:
            latest = played(target, engine, rulebook, own, games if games is not None or seconds is not None else GAMES, seconds, seed, shrink_seconds,
                            known, DEFAULT_LIMITS.scaled(timeout_scale), look)
    except (KeyboardInterrupt, Terminated):
        latest.ended_early = True
        tell()
        raise
    tell()
    return latest.exit_code


def _written(found: Fuzzed, out: str | None, engine: str, folder: str | None, rulebook: Rulebook, seed: int) -> dict[str, tuple[str, str, str]]:
    """Each counterexample as a fixture and as raw lines; beside them the base set-ups that fixtures complete."""
    from patchwork_ref.conformance.recorded import fixture_of
    from patchwork_ref.conformance.transcript import raw_lines
    from patchwork_ref.fixtures.build import setups_text
    from patchwork_ref.fixtures.read import SETUPS, text_of
    from patchwork_ref.report.plan import replay_command
    from patchwork_ref.report.shrunken import FOLDER, mark, slug

    files, fixtures = {}, []
    for rule, counterexample in found.found.items():
        case, verdict = counterexample.shortest
        origin = f"game {counterexample.course.name}, seed {seed}{mark('fuzz', engine)}"
        fixtures.append(fixture_of(case, rulebook, f"fuzz/{slug(rule).replace('/', '-')}", f"Found by fuzz: {verdict.outcome}, blamed on {rule}", origin))
        place = Path(out or FOLDER) / f"fuzz-{slug(rule)}.jsonl"
        raw = place.with_suffix(".lines")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text_of(fixtures[-1:]), encoding="utf-8", newline="\n")
        raw.write_bytes(raw_lines(case, frozenset(found.identity.get("capabilities", ()))))
        files[rule] = (str(place), str(raw), replay_command(str(place), engine, folder=folder))
    if fixtures:
        (Path(out or FOLDER) / SETUPS).write_text(setups_text(rulebook, fixtures), encoding="utf-8", newline="\n")
    return files
