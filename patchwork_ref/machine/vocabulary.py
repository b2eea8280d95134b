"""The vocabulary of a built Machine, for back ends that type its nodes again."""

from __future__ import annotations

from patchwork_ref.lang.types import Signature, Vocabulary
from patchwork_ref.machine.model import Machine


def vocabulary_of(machine: Machine) -> Vocabulary:
    """The names that the Machine's expressions use, with their types."""
    return Vocabulary(
        {name: c.type for name, c in machine.constants.items()},
        {name: Signature(d.takes) for name, d in machine.definitions.items()},
        {f.name: f.type for f in machine.shared},
        {f.name: f.type for f in machine.player},
        {name: g.type for name, g in machine.givens.items()},
        frozenset(n for p in machine.patches for n in p.numbers),
        frozenset(p.name for p in machine.patches),
    )
