"""``prove``: the rulebook's properties by induction, and whether two choices of rules are one game."""

from __future__ import annotations

from pathlib import Path

import click

from patchwork_ref.cli.options import emit, emit_json, format_option, machine_of, rulebook_of, rules_options, seed_option
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.model import Rulebook


@click.command()
@rules_options
@seed_option
@format_option()
@click.argument("names", nargs=-1, metavar="[NAME ...]")
@click.option("--list", "listing", is_flag=True, help="Only list the properties.")
@click.option("--equivalent", nargs=2, metavar="A B", help="Compare two rulesets, AMBIGUITY=READINGs or folders of rulebooks, for all states.")
@click.option("--search", type=click.FloatRange(0), default=5.0, help="Seconds for games that show what is refuted; 0 for none.")
@click.option("--timeout", type=click.FloatRange(0.01), default=30.0, help="Seconds for one question to Z3.")
def prove(folder: str | None, ruleset: str | None, readings: tuple[str, ...], seed: int, form: str, names: tuple[str, ...], listing: bool,
          equivalent: tuple[str, str] | None, search: float, timeout: float) -> int:
    """Proves the rulebook's properties by induction with Z3: proven, refuted with a game that shows it, or unknown.

    Exit code 0 when all are proven, 1 when one is refuted, 4 when one stays unknown.
    """
    from patchwork_ref.report.proofs import equivalence_json, equivalence_text, list_text, verdict_json, verdicts_text

    rulebook = rulebook_of(folder)
    milliseconds = int(timeout * 1000)
    if equivalent is not None:
        from patchwork_ref.proving import compare

        a, b = (chosen(rulebook, text) for text in equivalent)
        result = compare(a, b, milliseconds)
        if form == "json":
            emit_json([equivalence_json(equivalent, result)])
        else:
            emit(equivalence_text(equivalent, a, result))
        return {"Proven": 0, "Refuted": 1}.get(type(result).__name__, 4)
    machine = machine_of(rulebook, ruleset, readings)
    if listing:
        if form == "json":
            emit_json([{"property": p.name, "says": p.says} for p in machine.properties.values()])
        else:
            emit(list_text(machine))
        return 0
    from patchwork_ref.proving import prove_properties

    verdicts = prove_properties(machine, names or None, search, milliseconds, seed)
    if form == "json":
        emit_json([verdict_json(v) for v in verdicts])
    else:
        emit(verdicts_text(machine, verdicts))
    found = {v.verdict for v in verdicts}
    return 1 if "refuted" in found else 4 if "unknown" in found else 0


def chosen(rulebook: Rulebook, text: str) -> Machine:
    """A side of a comparison: a folder, a ruleset, or one reading beside the default ruleset."""
    from patchwork_ref.machine.build import from_rulebook
    from patchwork_ref.rulebook.rulebook import load_rulebook

    if "=" in text:
        return from_rulebook(rulebook, rulebook.readings(None, [text]))
    if text not in rulebook.rulesets and Path(text).is_dir():
        return from_rulebook(load_rulebook(text))
    return from_rulebook(rulebook, rulebook.readings(text))
