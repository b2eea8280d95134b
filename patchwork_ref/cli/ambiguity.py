"""``ambiguity`` and ``fingerprint``: what the sources leave open, and which reading an engine follows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patchwork_ref.cli.options import emit, emit_json, format_option, rulebook_of, rulebook_option, rules_options, seed_option
from patchwork_ref.cli.waiting import bar, spinner
from patchwork_ref.errors import InputError
from patchwork_ref.rulebook.model import DEFAULT_RULESET

if TYPE_CHECKING:
    from patchwork_ref.ambiguity import Laboratory, Pair
    from patchwork_ref.ambiguity.impact_store import Stored
    from patchwork_ref.symbolic.results import Result


@click.group(invoke_without_command=True)
@click.pass_context
def ambiguity(context: click.Context) -> int | None:
    """What the sources leave open: the list, all about one, and the games on which its readings part."""
    return context.invoke(listing, folder=None, ruleset=None, readings=(), form="text") if context.invoked_subcommand is None else None


@ambiguity.command("list")
@rules_options
@format_option("markdown")
def listing(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str) -> int:
    """Every ambiguity with its question, its readings, and how much it matters which of them holds."""
    from patchwork_ref.report.ambiguities import list_json, list_markdown, list_text

    found = _laboratory(folder, ruleset, readings)
    if form == "json":
        emit_json(list_json(found, _stored(found)))
    else:
        emit((list_markdown if form == "markdown" else list_text)(found, _stored(found)))
    return 0


@ambiguity.command("table")
@rulebook_option
@format_option("markdown")
@click.option("--all", "whole", is_flag=True, help="Also the ambiguities on which every ruleset takes the default.")
def table(folder: str | None, form: str, whole: bool) -> int:
    """On which ambiguities the rulesets differ, and how each reads them."""
    from patchwork_ref.report.ruleset_table import table_json, table_markdown, table_text

    rulebook = rulebook_of(folder)
    if form == "json":
        emit_json(table_json(rulebook, whole))
    else:
        emit((table_markdown if form == "markdown" else table_text)(rulebook, whole))
    return 0


@ambiguity.command("show")
@rules_options
@format_option("markdown")
@click.argument("name", metavar="ID")
@click.option("--timeout", type=click.FloatRange(0.01), default=30.0, help="Seconds for one question to Z3.")
def showing(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, name: str, timeout: float) -> int:
    """Question, readings, who supports which, the default and why, the rules touched, witnesses, proofs and impact."""
    from patchwork_ref.report.ambiguities import show

    found = _laboratory(folder, ruleset, readings)
    pairs = found.pairs(name)
    shown = show(found, name, form, pairs, _proofs(found, pairs, timeout), _stored(found, name))
    if form == "json":
        emit_json(shown)
    else:
        emit(shown)
    return 0


@ambiguity.command("witness")
@rules_options
@format_option("markdown")
@click.argument("name", metavar="ID")
@click.option("--timeout", type=click.FloatRange(0.01), default=30.0, help="Seconds for one question to Z3.")
@click.option("--plot", metavar="FILE.svg", help="Also draw the game; of more pairs than one each into a file of its own, with -1, -2 behind its name.")
def witness(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, name: str, timeout: float, plot: str | None) -> int:
    """For each pair of readings the shortest stored game on which they part (else one that is found), or the proof that none exists.

    Exit code 0 when every pair has one or the other, 4 when one has neither.
    """
    from patchwork_ref.report.ambiguities import witness_json, witness_svg, witness_text

    found = _laboratory(folder, ruleset, readings)
    pairs = found.pairs(name)
    proofs = _proofs(found, pairs, timeout)
    if plot is not None:
        for number, pair in enumerate(pairs, 1):
            if pair.walk is not None:
                _write(plot if len(pairs) == 1 else str(Path(plot).with_stem(f"{Path(plot).stem}-{number}")), witness_svg(found, pair))
    if form == "json":
        emit_json(witness_json(pairs, proofs))
    else:
        emit(witness_text(found, pairs, proofs, form == "markdown"))
    settled = all(p.walk is not None or type(proofs.get(p.readings)).__name__ == "Proven" for p in pairs)
    return 0 if settled else 4


@ambiguity.command("impact")
@rules_options
@seed_option
@format_option("markdown")
@click.argument("name", metavar="ID", required=False)
@click.option("--games", type=click.IntRange(1, 1_000_000), help="Games by each policy; 200 when not given, 500 with --store.")
@click.option("--policy", "policies", multiple=True, metavar="P", help="How to play; may be repeated. random, greedy, square, exploit and witness when none is named.")
@click.option("--plot", metavar="FILE.svg", help="Also draw the figures.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes; one for each core by default. The figures do not depend on it.")
@click.option("--store", metavar="FILE", is_flag=False, flag_value="", help="Play every ambiguity, and write the figures to FILE (beside the fixtures when none is named).")
@click.option("--stored", is_flag=True, help="Tell the figures that are stored beside the fixtures, without playing.")
@click.option("--quiet", is_flag=True, help="No progress.")
def impact(folder: str | None, ruleset: str | None, readings: tuple[str, ...], seed: int, form: str, name: str | None, games: int | None, policies: tuple[str, ...],
           plot: str | None, workers: int | None, store: str | None, stored: bool, quiet: bool) -> int:
    """How often does it change the trace, the scores and the winner which reading holds, and by how much?

    Both readings of each pair play the same games, by several policies: at random, greedily, racing for the square, exploiting
    the one reading or the other, and on from the witness on which they part. The figures have 95 % intervals.
    """
    from patchwork_ref.ambiguity.impact import DEFAULT_POLICIES, GAMES, measure
    from patchwork_ref.ambiguity.impact_store import GAMES as STANDARD
    from patchwork_ref.ambiguity.impact_store import contest_of
    from patchwork_ref.report.impact import impact_json, impact_text

    if (name is None) == (store is None):
        raise click.UsageError("name an ambiguity, or --store for all of them; 'ambiguity list' shows their names")
    if stored and (store is not None or games is not None or policies or seed):
        raise click.UsageError("--stored tells figures of games that were played; leave out --games, --policy, --seed and --store")
    found = _laboratory(folder, ruleset, readings)
    pairs = [p for a in ([name] if name is not None else found.rulebook.ambiguities) for p in found.pairs(a)]
    number = games if games is not None else GAMES if store is None else STANDARD
    if stored:
        known = _stored(found, name)
        impacts = [known[p.ambiguity, p.readings] for p in pairs if (p.ambiguity, p.readings) in known]
        if not impacts:
            raise InputError(f"no figures of {name} are stored under these rules; leave out --stored to play the games")
    else:
        with bar("games", quiet) as shown:
            impacts = measure(found.rulebook, found.base, [contest_of(p) for p in pairs], number, seed, policies or DEFAULT_POLICIES, shown, workers)
    if plot is not None:
        from patchwork_ref.report.impact_plot import impact_svg

        _write(plot, impact_svg(impacts))
    if store is not None:
        from patchwork_ref.ambiguity.impact_store import STORED, write_impacts
        from patchwork_ref.fixtures.read import shipped

        target = Path(store) if store else shipped() / STORED
        write_impacts(impacts, found, target)
        emit(f"{len(impacts)} pairs of readings written to {target}")
    elif form == "json":
        emit_json(impact_json(impacts))
    else:
        beside = (ruleset or DEFAULT_RULESET) + "".join(f", {r}" for r in readings)
        emit(impact_text(impacts, {p.readings: p.reason for p in pairs if p.silent}, beside, form == "markdown"))
    return 0


@click.command()
@rules_options
@format_option("markdown")
@click.argument("engine")
@click.option("--suite", metavar="DIR", help="Other fixtures in place of the shipped ones.")
@click.option("--timeout-scale", "scale", type=click.FloatRange(0.01, 1000), default=1.0, help="Multiplies every time limit.")
def fingerprint(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, engine: str, suite: str | None, scale: float) -> int:
    """Which reading of each ambiguity does an engine follow, and what does no reading explain?

    The set-ups tell of the rules chosen, revised by default. By the readings found the engine is then judged on what no game
    of a fingerprint shows: counts, perft, two games at once, custom set-ups. Exit code 0 when they explain everything, 1 when
    something is unexplained, 3 when the engine's process fails, 4 when nothing could be decided.
    """
    from patchwork_ref.ambiguity import fingerprint as taken
    from patchwork_ref.cli.options import machine_of
    from patchwork_ref.conformance.limits import DEFAULT_LIMITS
    from patchwork_ref.conformance.naming import target_of
    from patchwork_ref.fixtures import read_fixtures
    from patchwork_ref.report.ambiguities import fingerprint_json, fingerprint_text
    from patchwork_ref.report.fingerprints import fingerprint_markdown

    rulebook = rulebook_of(folder)
    machine = machine_of(rulebook, ruleset, readings)
    target = target_of(engine, rulebook, machine)
    with spinner("playing"):
        found = taken(target, engine, rulebook, read_fixtures(suite), machine.readings, DEFAULT_LIMITS.scaled(scale))
    if form == "json":
        emit_json(fingerprint_json(found))
    else:
        emit((fingerprint_markdown if form == "markdown" else fingerprint_text)(found, {a.name: a.default for a in rulebook.ambiguities.values()}))
    return found.exit_code


def _laboratory(folder: str | None, ruleset: str | None, readings: Sequence[str]) -> Laboratory:
    from patchwork_ref.ambiguity import Laboratory
    from patchwork_ref.fixtures import read_fixtures

    return Laboratory(rulebook_of(folder), read_fixtures(), ruleset, readings)


def _stored(found: Laboratory, name: str | None = None) -> Stored:
    """The figures of the standard run that hold for these rules, of one ambiguity if named; none where they were not kept."""
    from patchwork_ref.ambiguity.impact_store import STORED, read_impacts
    from patchwork_ref.fixtures.read import shipped

    return read_impacts(found, ambiguity=name) if (shipped() / STORED).exists() else {}


def _proofs(found: Laboratory, pairs: Sequence[Pair], timeout: float) -> dict[tuple[str, str], Result]:
    """What Z3 says of the pairs that no stored game tells apart."""
    silent = [p for p in pairs if p.walk is None]
    if not silent:
        return {}
    from patchwork_ref.proving import compare

    sides = {p.readings: [found.engine(p.ambiguity, r).machine for r in p.readings] for p in silent}
    return {readings: compare(a, b, int(timeout * 1000)) for readings, (a, b) in sides.items()}


def _write(file: str, text: str) -> None:
    try:
        Path(file).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{file}: cannot be written: {error.strerror}; name a file in a folder that is there") from None
