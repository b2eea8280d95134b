"""Do the buttons in the box always suffice? Then nobody can see whether they are counted.

Looked up in the facts about the most buttons that two players hold together, one for each way of paying. ``theorems verify``
checks them; here it is only made sure that a Machine pays in the way of the fact, for patches and spaces with its numbers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

from patchwork_ref.fixtures.read import shipped
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.playfacts.bounds import Numbers
from patchwork_ref.playfacts.paying import Paying, paying, recognised
from patchwork_ref.rulebook.model import Rulebook

FILES = "most-buttons-*.json"


@dataclass(frozen=True, slots=True)
class Most:
    """A stored fact: so many buttons at most, paid so, with these numbers (``deals``), and where tiles pay at once on one of these prints."""

    name: str
    number: int
    way: Paying
    deals: str
    prints: tuple[tuple[int, ...], ...] = ()


def supply_suffices(rulebook: Rulebook, readings: Mapping[str, str]) -> str | None:
    """The name of the fact that two players never hold more than all buttons together under a complete choice of readings, on a
    set-up with the rulebook's own numbers; None where no fact says so. Then all readings of the supply are one game.

    Raises RulebookError for readings that give no Machine.
    """
    return fact_of_supply(from_rulebook(rulebook, readings))


def fact_of_supply(machine: Machine) -> str | None:
    """The same of a Machine."""
    way = paying(machine)
    try:
        total, dealt = Numbers.number(machine, "button_total"), deals(machine)
    except (KeyError, ValueError):
        return None
    spaces = tuple(Numbers(machine).specials)
    found = [known for known in _known() if way is not None and _covers(known.way, way) and known.deals == dealt and (not known.way.tiles or spaces in known.prints)]
    # An advance beyond the last space brings one button more at most, when nothing is left to buy.
    return next((known.name for known in found if known.number + (way is not None and way.beyond and not known.way.beyond) <= total), None)


def deals(machine: Machine) -> str:
    """A fingerprint of the numbers that decide how many buttons can be held: of patches, button spaces, start and special tile."""
    numbers = Numbers(machine)
    text = json.dumps([numbers.last, numbers.start, numbers.tile, numbers.side, numbers.cells, numbers.incomes, sorted(zip(numbers.names, numbers.patches, strict=True))])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def ways(machine: Machine) -> dict[str, Any]:
    """How the Machine pays, as a fact says it. Raises ValueError when that is not known."""
    return asdict(recognised(machine))


def _covers(known: Paying, way: Paying) -> bool:
    """Whether play that is paid in this way is among that of the fact, but for a button beyond the last space."""
    return replace(known, tiles=way.tiles, beyond=way.beyond, bought=way.bought) == way and known.tiles >= way.tiles and (way.bought or not way.tiles or not known.bought)


@cache
def _known() -> tuple[Most, ...]:
    facts = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((shipped() / "theorems").glob(FILES))]
    found = (Most(fact["theorem"], fact["bounds"][1], Paying(**fact["bound"]["paying"]), fact["bound"]["deals"], tuple(map(tuple, fact["bound"].get("special_spaces", ()))))
             for fact in facts)
    return tuple(sorted(found, key=lambda most: most.way.tiles))  # that with no more tiles than there are first
