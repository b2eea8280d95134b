"""``crosscheck``: everything here that answers questions about the game, on the same questions."""

from __future__ import annotations

import click

from patchwork_ref.cli.options import emit, emit_json, format_option, machine_of, rulebook_of, rules_options, seed_option


@click.command()
@rules_options
@seed_option
@format_option()
@click.option("--games", type=click.IntRange(1), default=8, help="How many games to play; 8 by default, one of each policy.")
def crosscheck(folder: str | None, ruleset: str | None, readings: tuple[str, ...], seed: int, form: str, games: int) -> int:
    """Do engine, Z3, enumeration and the plain sample engine agree? Exit code 1 with the games in which they do not."""
    from patchwork_ref.crosscheck import crosscheck as asked
    from patchwork_ref.report.crosschecks import crosscheck_json, crosscheck_text

    found = asked(machine_of(rulebook_of(folder), ruleset, readings), games, seed)
    if form == "json":
        emit_json(crosscheck_json(found))
    else:
        emit(crosscheck_text(found))
    return 0 if found.agree else 1
