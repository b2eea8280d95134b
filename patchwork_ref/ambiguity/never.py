"""Readings that a fact of play shows to be one game, though some state tells them apart: no game ever comes there."""

from __future__ import annotations

from patchwork_ref.machine.model import Machine
from patchwork_ref.playfacts.supply import fact_of_supply

LIMIT = "paid"
"""The definition that says how much of a payment is made when the supply runs out."""


def never_parts(a: Machine, b: Machine) -> str | None:
    """The fact by which no game tells two Machines apart, on a set-up with the rulebook's numbers: they differ in what is paid when the
    supply runs out and in nothing else, and it never does. None where no fact says so."""
    parts = [(m.board, m.patches, m.constants, m.givens, m.shared, m.player, m.actions, m.starts, m.over, m.winner, m.total, m.score) for m in (a, b)]
    one, other = ({name: d.body for name, d in m.definitions.items() if name != LIMIT} for m in (a, b))
    if parts[0] != parts[1] or one != other:
        return None
    return fact_of_supply(a) if fact_of_supply(b) is not None else None
