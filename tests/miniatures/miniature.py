"""Small games with the rules of the large one, each searched to its end.

Only what lies in the box is changed, and what is read of the rules where they can be read in several ways; every rule is
the shipped one, so that what holds here of a rule was asked of that rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from patchwork_ref.diagnostics import Collector
from patchwork_ref.engine import Engine
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.setup import Setup
from patchwork_ref.mutation import Mutant, mutants
from patchwork_ref.rulebook.edits import apply_changes
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import from_tree, load_rulebook
from patchwork_ref.rulebook.tree import Mapping as Tree
from patchwork_ref.rulebook.tree import from_plain


@dataclass(frozen=True)
class Miniature:
    """``box`` changes entries of the rulebook, ``readings`` are those that are not the default, ``setups`` every way it is laid out."""

    says: str
    box: Mapping[str, Any]
    setups: tuple[Setup, ...]
    readings: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def book(self) -> Rulebook:
        """The miniature as a Rulebook, without the readings that name patches or spaces of the large game."""
        changes = from_plain(dict(self.box))
        assert isinstance(changes, Tree)
        tree = apply_changes(load_rulebook().tree, changes)
        ambiguities = tree.get("ambiguities")
        assert isinstance(ambiguities, Tree)
        for name in ("two-one-patch", "special-spaces"):
            ambiguities = ambiguities.without(name)
        return from_tree(tree.with_("ambiguities", ambiguities), "miniature", Collector())

    @cached_property
    def chosen(self) -> Mapping[str, str]:
        return self.book.readings(None, dict(self.readings))

    @cached_property
    def engine(self) -> Engine:
        return Engine(from_rulebook(self.book, self.chosen))

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        return mutants(self.book, self.chosen)


MINIATURES = {
    "default": Miniature(
        "A quilt of two rows and three columns, three patches, a square of four cells, one special patch, the shipped readings.",
        {
            "quilt_board.rows": 2, "quilt_board.columns": 3,
            "patches": {
                "A": {"picture": ["#", "#"], "cost": 1, "time": 1, "income": 0},
                "B": {"picture": ["##", "##"], "cost": 2, "time": 3, "income": 1},
                "C": {"picture": ["###"], "cost": 1, "time": 2, "income": 1},
            },
            "constants.last_space.is": 6, "constants.income_spaces.is": [2, 3, 6], "constants.special_spaces_printed.is": [3], "constants.start_buttons.is": 2,
            "constants.offer_size.is": 2, "constants.tile_side.is": 2,
        },
        (Setup(("A", "B", "C"), 0, 0), Setup(("C", "B", "A"), 0, 1), Setup(("B", "A", "C"), None, 0)),
    ),
    "full-quilts": Miniature(
        "A quilt of four cells, so that it is full when special patches are still to come; the token is found, and the rules on the marks, the tie, the flips and the"
        " full quilt are read the other way.",
        {
            "quilt_board.rows": 2, "quilt_board.columns": 2,
            "patches": {
                "A": {"picture": ["#", "#"], "cost": 1, "time": 1, "income": 1},
                "B": {"picture": ["#.", "##"], "cost": 2, "time": 2, "income": 2},
                "C": {"picture": ["#"], "cost": 0, "time": 2, "income": 0},
            },
            "constants.last_space.is": 6, "constants.income_spaces.is": [3, 6], "constants.special_spaces_printed.is": [1, 4], "constants.start_buttons.is": 2,
            "constants.offer_size.is": 2, "constants.tile_side.is": 2,
        },
        (Setup(("A", "B", "C"), None, 0), Setup(("C", "B", "A"), None, 1)),
        {
            "neutral-token-start": "counter-clockwise", "marker-trigger": "strictly-past", "tie": "last-to-finish", "full-quilt-special": "stays", "turning": "turns-only",
            "short-offer": "none",
        },
    ),
}
