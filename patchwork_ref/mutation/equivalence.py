"""Mutants that provably play like the rulebook, and those for which somebody has argued it.

Proved: the generated program is the same, text for text, once fields are left out that neither a rule nor an observer
reads, and steps whose order cannot matter are put in one order. Argued: a line ``name: one sentence`` in a list beside the fixtures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from patchwork_ref.engine.generate import Generator
from patchwork_ref.engine.used import lean_layout
from patchwork_ref.errors import InputError
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.state import Layout
from patchwork_ref.mutation.independence import ordered

SEEN = frozenset({"turn", "circle", "special_spaces", "buttons", "space", "income", "quilt", "special_tile", "pending"})
"""The fields that the protocol's ``state`` reports."""


def program(machine: Machine) -> str:
    """Everything that decides the observable course of a game, as text: the generated module and the patches."""
    machine = replace(machine, actions=tuple(replace(form, steps=ordered(form.steps, machine)) for form in machine.actions))
    lean = lean_layout(machine)
    shared = tuple(f.name for f in machine.shared if f.name in lean.shared or f.name in SEEN)
    player = tuple(f.name for f in machine.player if f.name in lean.player or f.name in SEEN)
    source = Generator(machine, Layout(shared, player)).module()
    played = source.split("def parts(")[0]  # the parts of a score are no observation
    winner = source[source.index("def winner(") : source.index("def totals(")]
    return "\n".join([played, winner, *(repr((p.name, p.shape, sorted(p.numbers.items()))) for p in machine.patches), repr(machine.board)])


def proved_equivalent(changed: Machine, own: Machine) -> str | None:
    """The reason why the mutant plays like the rulebook, or None when this simple proof does not find one."""
    if program(changed) == program(own):
        return "proved: the same program, but for fields that nobody reads and the order of independent steps"
    return None


def read_arguments(file: Path) -> Mapping[str, str]:
    """The list of argued equivalents: name to sentence. Empty when there is no such file. Raises InputError."""
    if not file.is_file():
        return {}
    return dict(_argument(line, number, file) for number, line in _lines(file))


def _lines(file: Path) -> Iterable[tuple[int, str]]:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def _argument(line: str, number: int, file: Path) -> tuple[str, str]:
    name, colon, sentence = line.partition(": ")
    if not colon or "~" not in name or not sentence.strip():
        raise InputError(f"{file.name}:{number}: write RULE~CHANGE: one sentence that argues why nobody can notice it")
    return name.strip(), sentence.strip()
