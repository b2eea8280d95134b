"""``mutate``: how strong is the suite?"""

from __future__ import annotations

from pathlib import Path

import click

from patchwork_ref.cli.options import emit, emit_json, format_option, progress, rulebook_of, rulebook_option, seed_option
from patchwork_ref.errors import InputError

SHARE = 12
"""``--quick`` tries one mutant in so many, and each operator at least once."""


@click.command()
@rulebook_option
@seed_option
@format_option()
@click.argument("names", nargs=-1, metavar="[MUTANT ...]")
@click.option("--suite", metavar="DIR", help="Other fixtures in place of the shipped ones.")
@click.option("--quick", is_flag=True, help="A sample of the mutants.")
@click.option("--processes", type=click.IntRange(1, 256), help="One for each core by default.")
@click.option("--write", is_flag=True, help="Store the kill matrix and the shortest games beside the fixtures, and what 'fixtures build' takes from it.")
@click.option("--list", "listing", is_flag=True, help="Only list the mutants.")
@click.option("--quiet", is_flag=True, help="No progress.")
def mutate(folder: str | None, seed: int, form: str, names: tuple[str, ...], suite: str | None, quick: bool, processes: int | None, write: bool,
           listing: bool, quiet: bool) -> int:
    """Single-rule mutants of the rulebook against the fixtures: what does the suite miss?

    Exit code 0 when every mutant is killed or shown equivalent, 1 when one survives or times out, 4 when none was tried.
    """
    from patchwork_ref.fixtures.build import MEASURED
    from patchwork_ref.fixtures.cases import FOLDER
    from patchwork_ref.fixtures.read import read_fixtures, shipped
    from patchwork_ref.machine.codec import dumps
    from patchwork_ref.mutation.equivalence import read_arguments
    from patchwork_ref.mutation.mutants import mutant, mutants
    from patchwork_ref.report.mutation import mutation_json, mutation_text
    from patchwork_ref.suite import KILLS, cases_of, measure, sampled, tiers_of, write_matrix
    from patchwork_ref.suite.shortest import WITNESSES, completed, read_witnesses, write_witnesses

    if write and (quick or names):
        raise InputError("a sample cannot be stored; leave out --write, or --quick and names")
    rulebook = rulebook_of(folder)
    if listing:
        every = mutants(rulebook)
        if form == "json":
            emit_json([{"name": m.name, "says": m.says} for m in every])
        else:
            emit("\n".join(f"{m.name}    {m.says}" for m in every))
        return 0
    for name in names:
        mutant(rulebook, name)
    place = Path(suite) if suite is not None else shipped()
    cases = cases_of(read_fixtures(place), rulebook)
    arguments = place / "equivalent-mutants.txt"
    wanted = list(names) or (sampled(rulebook, SHARE, seed) if quick else None)
    total = len(wanted) if wanted is not None else len(mutants(rulebook))
    done = 0

    def shown(row: object) -> None:
        nonlocal done
        done += 1
        click.echo(f"\r{done}/{total} ", nl=False, err=True)

    watched = progress(quiet)
    matrix = measure(rulebook, cases, wanted, read_arguments(arguments) if arguments.exists() else {}, processes, each=shown if watched else None)
    if write:
        known = read_witnesses(place / WITNESSES) if (place / WITNESSES).exists() else {}
        total, done = len(matrix.of("killed")), 0
        witnesses, tiers = completed(matrix, cases, rulebook, known, shown if watched else lambda name: None), dumps(tiers_of(matrix, cases).measured())
        write_matrix(matrix, place / KILLS)  # only when all is known, so that an interrupt leaves files that belong together
        write_witnesses(witnesses, place / WITNESSES)
        if suite is None and folder is None:
            FOLDER.joinpath(MEASURED).write_text(tiers + "\n", encoding="utf-8")
    if watched:
        click.echo("\r" + " " * 16 + "\r", nl=False, err=True)
    if form == "json":
        emit_json(mutation_json(matrix))
    else:
        emit(mutation_text(matrix))
    if not matrix.rows:
        return 4
    return 1 if matrix.of("survived") or matrix.of("timed-out") else 0
