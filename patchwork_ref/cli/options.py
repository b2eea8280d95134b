"""Options that many commands share, and what they mean."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from patchwork_ref.errors import InputError
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.codec import dumps, loads
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import load_rulebook

F = TypeVar("F", bound=Callable[..., Any])


def rules_options(command: F) -> F:
    """``--rulebook``, ``--ruleset`` and ``--reading``."""
    command = click.option("--reading", "readings", multiple=True, metavar="AMBIGUITY=READING", help="Choose a reading; may be repeated.")(command)
    command = click.option("--ruleset", metavar="NAME", help="Choose a ruleset (revised when none is named).")(command)
    return rulebook_option(command)


def rulebook_option(command: F) -> F:
    return click.option("--rulebook", "folder", metavar="DIR", help="Another rulebook in place of the shipped one.")(command)


def format_option(*more: str) -> Callable[[F], F]:
    return click.option("--format", "form", type=click.Choice(["text", "json", *more]), default="text", help="How to print; text by default.")


def seed_option(command: F) -> F:
    return click.option("--seed", type=int, default=0, help="Makes every random choice repeatable; 0 by default.")(command)


def rulebook_of(folder: str | None) -> Rulebook:
    """The rulebook that the options name; the group's own ``--rulebook`` counts when the command has none."""
    context = click.get_current_context()
    return load_rulebook(folder if folder is not None else (context.find_root().obj or {}).get("rulebook"))


def machine_of(rulebook: Rulebook, ruleset: str | None, readings: tuple[str, ...]) -> Machine:
    return from_rulebook(rulebook, rulebook.readings(ruleset, readings), ruleset if ruleset is not None and not readings else None)


def emit(text: str) -> None:
    """One text on standard output."""
    click.echo(text)


def emit_json(value: object) -> None:
    """One JSON document on standard output."""
    click.echo(dumps(value))


def read_file(path: str, limit: int = 64_000_000) -> str:
    """A text file, or standard input for ``-``. Raises InputError."""
    try:
        if path == "-":
            return sys.stdin.read(limit)
        file = Path(path)
        if file.stat().st_size > limit:
            raise InputError(f"{path} is larger than {limit} bytes")
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; name a readable file") from None


def read_json(path: str) -> Any:
    return loads(read_file(path), path)


def progress(quiet: bool = False) -> bool:
    """Whether a person watches standard error."""
    return not quiet and sys.stderr.isatty()
