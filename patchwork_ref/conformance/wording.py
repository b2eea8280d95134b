"""What does an engine seem to do with the rule that is blamed? Of several guesses that fit a failure, the one that also fits
games on which the engine agreed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from patchwork_ref.conformance.blame import Blame
from patchwork_ref.conformance.course import Course
from patchwork_ref.conformance.suspicion import agreed, form_of
from patchwork_ref.conformance.variations import Variation, reading_variations, variations
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action
from patchwork_ref.rulebook.model import Rulebook

LOOKED_AT, LONGEST = 16, 40
"""So many agreeing games of at most so many actions are looked at, the longest first: in these most happened."""


def reworded(blame: Blame, suspects: Sequence[Blame], action: Action | None, fine: Sequence[Course], rulebook: Rulebook, machine: Machine) -> Blame:
    """The blame with other words for the same rule, where its own would have shown in a game that went well. ``fine`` are
    games of this Machine in which the rule took part."""
    others = [b for b in suspects if b.rule == blame.rule and b.how != blame.how]
    if not others or action is None:
        return blame
    known = {(v.rule, v.how): v for v in (*variations(machine, form_of(machine, action)), *reading_variations(rulebook, machine))}
    games = sorted((c for c in fine if len(c.actions) <= LONGEST), key=lambda c: -len(c.actions))[:LOOKED_AT]
    for guess in (blame, *others):
        variation: Variation | None = known.get((guess.rule, guess.how))
        if variation is not None and all(agreed(variation.player, game, len(game.actions)) for game in games):
            return replace(guess, reading=variation.reading)
    return blame
