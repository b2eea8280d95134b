"""Finds what ``beside.json`` keeps: ``python -m patchwork_ref.ambiguity.rare`` (``make beside``; up to an hour from nothing).

Three ambiguities show in rare games alone, and which game can be followed depends on readings of others. A game is sought
beside each choice of those for which none that is known does: hardly any patches left, and more than all buttons held
together (``runout``), and two filled squares (known quilts).
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from itertools import product

from patchwork_ref.ambiguity.beside import FILE, read_beside, write_beside
from patchwork_ref.ambiguity.games import Game, parting
from patchwork_ref.ambiguity.profiles import Profiles
from patchwork_ref.ambiguity.runout import NoButtons, NoPatches
from patchwork_ref.engine.engine import Engine
from patchwork_ref.fixtures.read import shipped
from patchwork_ref.playfacts.bounds import Numbers
from patchwork_ref.playfacts.paying import Paying, recognised
from patchwork_ref.playfacts.weights import good_weights
from patchwork_ref.rulebook.rulebook import load_rulebook

BESIDE = {"purchase-order": ("place-then-move", "move-then-place"), "marker-trigger": ("onto-or-past", "strictly-past"), "shared-space": ("top-moves", "bottom-moves"),
          "special-spaces": ("revised", "original"), "full-quilt-special": ("lost", "stays"), "special-patch-timing": ("at-once", "kept"),
          "unplaceable-patch": ("illegal", "discarded")}
"""The readings that decide whether a game can be followed."""
POOR = {"final-income": "not-paid", "special-tile": "absent", "turning": "turns-only"}
"""Beside these there is least: what can be paid and laid here can be beside others."""
WIDTHS = (10, 20, 40)
"""States of each kind that are kept in the first search for a game at whose end hardly any patches are left, and in the next ones."""
MINUTES = 10
"""Of search for a game with two filled squares."""


@dataclass(frozen=True)
class Rare:
    """Two readings of an ambiguity, sought beside those given and each choice of those that matter (``cases``, a pair for each kind of game)."""

    ambiguity: str
    readings: tuple[str, str]
    cases: tuple[tuple[Mapping[str, str], tuple[str, ...]], ...]
    found: Callable[[Profiles, Mapping[str, str], Rare, Engine, Engine], Game | None]

    def choices(self) -> list[dict[str, str]]:
        return [{**beside, **dict(zip(matter, chosen, strict=True))} for beside, matter in self.cases for chosen in product(*(BESIDE[name] for name in matter))]

    def engines(self, profiles: Profiles, chosen: Mapping[str, str]) -> tuple[Engine, Engine]:
        a, b = (profiles.engine({**profiles.rulebook.readings(), **chosen, self.ambiguity: reading}) for reading in self.readings)
        assert a is not None and b is not None
        return a, b

    def sought(self, profiles: Profiles, known: Sequence[Game], chosen: Mapping[str, str]) -> Game | None:
        """A game that parts the readings beside these, where none of the known ones does."""
        a, b = self.engines(profiles, chosen)
        return None if self.shown(known, a, b) else self.found(profiles, chosen, self, a, b)

    @staticmethod
    def shown(known: Sequence[Game], a: Engine, b: Engine) -> bool:
        return any(parting(a, b, *game) is not None for game in known)


def _few_left(profiles: Profiles, chosen: Mapping[str, str], rare: Rare, a: Engine, b: Engine) -> Game | None:
    return next((game for width in WIDTHS for game in NoPatches(a, b, random.Random(width), width).games()), None)


def _squares(profiles: Profiles, chosen: Mapping[str, str], rare: Rare, a: Engine, b: Engine) -> Game | None:
    return profiles.sought({**profiles.rulebook.readings(), **chosen, rare.ambiguity: rare.readings[0]}, rare.ambiguity, rare.readings[1], MINUTES * 60)


def _run_out(profiles: Profiles, chosen: Mapping[str, str], rare: Rare, a: Engine, b: Engine) -> Game | None:
    weights = _weights(Numbers(a.machine), recognised(a.machine))
    return next((game for winner in (0, 1) for game in NoButtons(a, b, winner, weights).games(random.Random(0))), None)


@cache
def _weights(numbers: Numbers, way: Paying) -> dict[str, int]:
    return good_weights(numbers, way)


TURNS = ("shared-space", "special-spaces", "special-patch-timing")
"""The readings that always matter: who moves where."""
AT_ONCE = {"tile-value": "buttons-at-once", "turning": "turns-only"}
RARE = (
    # Where what cannot be placed may be discarded, the same games can be played.
    Rare("short-offer", ("all-remaining", "none"), ((POOR, tuple(name for name in BESIDE if name != "unplaceable-patch")),), _few_left),
    Rare("special-tile", ("first-player", "each-player"), ((POOR, ("purchase-order", "marker-trigger", *TURNS)),), _squares),
    # Where a new patch counts for the income of its own move and the last space pays, the records' games do. Where it pays nothing the
    # buttons suffice, but for one more that an advance brings beyond the last space, where a special patch may fill the square.
    Rare("supply", ("endless", "finite"), (({**AT_ONCE, "purchase-order": "move-then-place"}, ("marker-trigger", *TURNS)),
         ({**AT_ONCE, "final-income": "not-paid", "marker-trigger": "strictly-past", "advance-near-end": "not-clamped"}, TURNS)), _run_out),
)


def needed(shown: Sequence[AbstractSet[int]]) -> list[int]:
    """The numbers of the games that are kept: one after the other goes that shows no choice alone, those first that show few."""
    kept = list(range(len(shown)))
    for number in sorted(kept, key=lambda n: len(shown[n])):
        if shown[number] <= set[int]().union(*(shown[n] for n in kept if n != number)):
            kept.remove(number)
    return kept


def main() -> None:
    """Writes the file beside the shipped fixtures. What is there is kept where it shows a choice that nothing else does."""
    profiles, known = Profiles(load_rulebook()), {ambiguity: list(games) for ambiguity, games in read_beside().items()}
    for rare in RARE:
        games = known.setdefault(rare.ambiguity, [])
        for chosen in rare.choices():
            game = rare.sought(profiles, games, chosen)
            games += [game] if game is not None else []
            done = rare.shown(games, *rare.engines(profiles, chosen))
            sys.stderr.write(f"{rare.ambiguity}: {', '.join(chosen.values())}: {'found' if game is not None else 'known' if done else 'not found'}\n")
            write_beside(known, shipped() / FILE)
        engines = [rare.engines(profiles, chosen) for chosen in rare.choices()]
        shown = [{number for number, (a, b) in enumerate(engines) if parting(a, b, *game) is not None} for game in games]
        games[:] = [games[number] for number in needed(shown)]
        write_beside(known, shipped() / FILE)


if __name__ == "__main__":
    main()
