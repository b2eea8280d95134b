"""A small game with the rules of the large one: a 2x3 quilt, three patches, a time board of six spaces.

Only what lies in the box is changed; every rule is the shipped one, so that what holds here of a rule was asked of that rule.
"""

from __future__ import annotations

from functools import cache

from patchwork_ref.diagnostics import Collector
from patchwork_ref.engine import Engine
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.setup import Setup
from patchwork_ref.rulebook.edits import apply_changes
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import from_tree, load_rulebook
from patchwork_ref.rulebook.tree import Mapping, from_plain

BOX = {
    "quilt_board.rows": 2,
    "quilt_board.columns": 3,
    "patches": {
        "A": {"picture": ["#", "#"], "cost": 1, "time": 1, "income": 0},
        "B": {"picture": ["##", "##"], "cost": 2, "time": 3, "income": 1},
        "C": {"picture": ["###"], "cost": 1, "time": 2, "income": 1},
    },
    "constants.last_space.is": 6,
    "constants.income_spaces.is": [2, 3, 6],
    "constants.special_spaces_printed.is": [3],
    "constants.start_buttons.is": 2,
    "constants.offer_size.is": 2,
    "constants.tile_side.is": 2,
}


@cache
def book() -> Rulebook:
    """The miniature as a Rulebook, without the readings that name patches or spaces of the large game."""
    shipped = load_rulebook()
    changes = from_plain(BOX)
    assert isinstance(changes, Mapping)
    tree = apply_changes(shipped.tree, changes)
    ambiguities = tree.get("ambiguities")
    assert isinstance(ambiguities, Mapping)
    for name in ("two-one-patch", "special-spaces"):
        ambiguities = ambiguities.without(name)
    collector = Collector()
    made = from_tree(tree.with_("ambiguities", ambiguities), "miniature", collector)
    return made


@cache
def engine() -> Engine:
    return Engine(from_rulebook(book()))


SETUPS = (Setup(("A", "B", "C"), 0, 0), Setup(("C", "B", "A"), 0, 1), Setup(("B", "A", "C"), None, 0))
