"""``fixtures build`` and ``fixtures verify``."""

from __future__ import annotations

from pathlib import Path

import click

from patchwork_ref.cli.options import emit, emit_json, format_option, rulebook_of, rulebook_option


@click.group()
def fixtures() -> None:
    """Regenerates the golden data, or checks it."""


@fixtures.command()
@rulebook_option
@format_option()
@click.option("--suite", metavar="DIR", help="The folder to write; the shipped one when none is named.")
def build(folder: str | None, form: str, suite: str | None) -> int:
    """Writes every fixture anew from the rulebook."""
    from patchwork_ref.fixtures.build import build as make
    from patchwork_ref.fixtures.read import shipped

    target = Path(suite) if suite is not None else shipped()
    built = make(target, rulebook_of(folder))
    if form == "json":
        emit_json({"folder": str(target), "fixtures": len(built.fixtures)})
    else:
        emit(f"{len(built.fixtures)} fixtures written to {target}")
    return 0


@fixtures.command()
@rulebook_option
@format_option()
@click.option("--suite", metavar="DIR", help="The folder to check; the shipped one when none is named.")
def verify(folder: str | None, form: str, suite: str | None) -> int:
    """Does the rulebook give what the files say? A change of verdict is shown as a game."""
    from patchwork_ref.fixtures.read import shipped
    from patchwork_ref.fixtures.verify import verify as check
    from patchwork_ref.report.differences import differences_json, differences_text

    target = Path(suite) if suite is not None else shipped()
    found = check(target, rulebook_of(folder), complete=suite is None and folder is None)
    if form == "json":
        emit_json(differences_json(found))
    else:
        emit(differences_text(found) if found else f"{target} is what the rulebook gives")
    return 1 if found else 0
