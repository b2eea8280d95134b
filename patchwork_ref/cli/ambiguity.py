"""``ambiguity`` and ``fingerprint``: what the sources leave open, and which reading an engine follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from patchwork_ref.cli.options import emit, emit_json, format_option, rulebook_of, rules_options

if TYPE_CHECKING:
    from patchwork_ref.ambiguity import Laboratory, Pair
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
    """Every ambiguity with its question and its readings."""
    from patchwork_ref.report.ambiguities import list_json, list_markdown, list_text

    found = _laboratory(folder, ruleset, readings)
    if form == "json":
        emit_json(list_json(found))
    else:
        emit((list_markdown if form == "markdown" else list_text)(found))
    return 0


@ambiguity.command("show")
@rules_options
@format_option("markdown")
@click.argument("name", metavar="ID")
@click.option("--timeout", type=click.FloatRange(0.01), default=30.0, help="Seconds for one question to Z3.")
def showing(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, name: str, timeout: float) -> int:
    """Question, readings, who supports which, the default and why, the rules touched, witnesses and proofs."""
    from patchwork_ref.report.ambiguities import show

    found = _laboratory(folder, ruleset, readings)
    pairs = found.pairs(name)
    shown = show(found, name, form, pairs, _proofs(found, pairs, timeout))
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
def witness(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, name: str, timeout: float) -> int:
    """For each pair of readings the shortest stored game on which they part (else one that is found), or the proof that none exists.

    Exit code 0 when every pair has one or the other, 4 when one has neither.
    """
    from patchwork_ref.report.ambiguities import witness_json, witness_text

    found = _laboratory(folder, ruleset, readings)
    pairs = found.pairs(name)
    proofs = _proofs(found, pairs, timeout)
    if form == "json":
        emit_json(witness_json(pairs, proofs))
    else:
        emit(witness_text(found, pairs, proofs, form == "markdown"))
    settled = all(p.walk is not None or type(proofs.get(p.readings)).__name__ == "Proven" for p in pairs)
    return 0 if settled else 4


@click.command()
@rules_options
@format_option()
@click.argument("engine")
@click.option("--suite", metavar="DIR", help="Other fixtures in place of the shipped ones.")
@click.option("--timeout-scale", "scale", type=click.FloatRange(0.01, 1000), default=1.0, help="Multiplies every time limit.")
def fingerprint(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, engine: str, suite: str | None, scale: float) -> int:
    """Which reading of each ambiguity does an engine follow, and what does no reading explain?

    The set-ups tell of the rules chosen, revised by default. Exit code 0 when the readings found explain every game, 1 when
    something is unexplained, 3 when the engine's process fails, 4 when nothing could be decided.
    """
    from patchwork_ref.ambiguity import fingerprint as taken
    from patchwork_ref.cli.options import machine_of
    from patchwork_ref.conformance.limits import DEFAULT_LIMITS
    from patchwork_ref.conformance.naming import target_of
    from patchwork_ref.fixtures import read_fixtures
    from patchwork_ref.report.ambiguities import fingerprint_json, fingerprint_text

    rulebook = rulebook_of(folder)
    machine = machine_of(rulebook, ruleset, readings)
    target = target_of(engine, rulebook, machine)
    found = taken(target, engine, rulebook, read_fixtures(suite), machine.readings, DEFAULT_LIMITS.scaled(scale))
    if form == "json":
        emit_json(fingerprint_json(found))
    else:
        emit(fingerprint_text(found, {a.name: a.default for a in rulebook.ambiguities.values()}))
    return found.exit_code


def _laboratory(folder: str | None, ruleset: str | None, readings: Sequence[str]) -> Laboratory:
    from patchwork_ref.ambiguity import Laboratory
    from patchwork_ref.fixtures import read_fixtures

    return Laboratory(rulebook_of(folder), read_fixtures(), ruleset, readings)


def _proofs(found: Laboratory, pairs: Sequence[Pair], timeout: float) -> dict[tuple[str, str], Result]:
    """What Z3 says of the pairs that no stored game tells apart."""
    silent = [p for p in pairs if p.walk is None]
    if not silent:
        return {}
    from patchwork_ref.proving import compare

    sides = {p.readings: [found.engine(p.ambiguity, r).machine for r in p.readings] for p in silent}
    return {readings: compare(a, b, int(timeout * 1000)) for readings, (a, b) in sides.items()}
