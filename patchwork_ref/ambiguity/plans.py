"""Games on which two rulebooks part, made from the quilts of games that are known.

Under other readings a known game breaks off, because other income comes or other tokens move. But what was sewn where can
be sewn so again, or nearly so (``resewn``): the purchases of the game are a plan, and schedules that follow it (``beam``)
become games that are soon found to part.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from patchwork_ref.ambiguity.beam import Beam
from patchwork_ref.ambiguity.games import Game, candidates, next_apart, parting
from patchwork_ref.ambiguity.laid import told_of
from patchwork_ref.ambiguity.parted import Parted
from patchwork_ref.ambiguity.resewn import Quilts, resewn
from patchwork_ref.ambiguity.runout import NoPatches
from patchwork_ref.ambiguity.seek import Planned
from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup
from patchwork_ref.polyomino import mask_of

LONGEST = 120
"""Actions of a game at random."""
WIDTHS = (1, 4, 10)
"""States of each kind that are kept in the first search for a game at whose end hardly any patches are left, and in the next ones."""
SCHEDULES = 60
"""Of one search that are laid before another plan is tried."""
OFFER = "short-offer"
"""The ambiguity about the offer itself: that hardly any patches are left takes no plan, but nearly all of them (``runout``)."""
UNPLACEABLE = "unplaceable-patch"
"""The ambiguity that shows when the patch without a place is on offer: any of those that nobody buys may be."""
TIE = "tie"
"""The ambiguity that shows in level games alone."""
FULL = "full-quilt-special"
"""The ambiguity for which a plan must be sewn before the last special patch is passed."""


def quilts(engine: Engine, game: Game) -> Quilts:
    """By replay; what is illegal is left out."""
    setup, actions = game
    state = engine.start(setup)
    found, holes = dict[tuple[int, str], int](), {0: 0, 1: 0}
    for action in actions:
        if engine.explain(state, action) is not None:
            continue
        turn = state.number("turn")
        if action.patch is not None and action.cells:
            found[turn, action.patch] = mask_of(action.cells)
        elif action.type == "special":
            holes[turn] |= mask_of(action.cells or ())
        state = engine.apply(state, action)
    return Quilts(found, holes, len(actions))


class Plans:
    """The games and quilts of the records, by ambiguity, the shortest first; then what is stored beside other readings."""

    def __init__(self, records: Sequence[Parted], engines: dict[str, Engine], beside: Mapping[str, Sequence[Game]] | None = None) -> None:
        self.games: dict[str, list[Game]] = {}
        self.known: dict[str, list[tuple[frozenset[str], Quilts]]] = {}
        for record in sorted((r for r in records if r.game is not None), key=lambda r: r.length or 0):
            assert record.game is not None
            games = self.games.setdefault(record.ambiguity, [])
            if record.game not in games:
                games.append(record.game)
                self.known.setdefault(record.ambiguity, []).append((frozenset(record.readings), quilts(engines[record.ruleset], record.game)))
        for ambiguity, told in (beside or {}).items():
            self.games.setdefault(ambiguity, []).extend(told)

    def direct(self, engine: Engine, ambiguity: str) -> list[Game]:
        """The games themselves, with the token before their first patch, whatever the rules say about its place."""
        found = []
        for setup, actions in self.games.get(ambiguity, []):
            told = told_of(engine.machine, list(dict.fromkeys(a.patch for a in actions if a.type == "buy" and a.patch is not None)), setup.first_player)
            found.append((told, played_on(engine, told, actions)))
        return found

    def found(self, a: Engine, b: Engine, wide: tuple[Engine, Engine], ambiguity: str, readings: Sequence[str], seconds: float,
              observes: bool = True) -> Game | None:
        """A game that follows a plan and parts the two, sought for so many seconds. ``wide`` are the same with an offer that never runs short."""
        end = time.process_time() + seconds
        if ambiguity == TIE:
            return self._level(a, b, end, observes)
        if ambiguity == OFFER:
            none = b if a.machine.digest == wide[0].machine.digest else a
            sought = (game for width in WIDTHS for game in NoPatches(wide[0], none, random.Random(width), width).games(end))
            return next((game for game in sought if parting(a, b, *game, observes) is not None), None)
        ways = [(fine, known) for fine in (False, True) for known in self.of(ambiguity, readings)]
        for number, (fine, known) in enumerate(ways, 1):
            source = random.Random(f"{ambiguity} {fine}")
            sewn = resewn(a.machine, known, source)
            now = time.process_time()
            share = now + (end - now) / (len(ways) - number + 1)
            for laid in games(a, wide, ambiguity, sewn, fine, share, source) if sewn is not None else ():
                actions = laid[1] + next_apart(a, b, laid)
                game = (laid[0], actions if observes else played_on(a, laid[0], actions))
                if parting(a, b, *game, observes) is not None:
                    self._first(ambiguity, known)
                    return game
        return None

    def _first(self, ambiguity: str, known: Quilts) -> None:
        """What led to a game is tried first from now on: the next rulebook may be much like this one."""
        self.known[ambiguity].sort(key=lambda k: k[1] is not known)

    def _level(self, a: Engine, b: Engine, end: float, observes: bool) -> Game | None:
        """Games at random until one ends level; that takes no plan, and a hundred games or so."""
        for game in candidates(a, (), TIE, LONGEST * LONGEST):
            if parting(a, b, *game, observes) is not None:
                return game
            if time.process_time() > end:
                break
        return None

    def of(self, ambiguity: str, readings: Sequence[str]) -> list[Quilts]:
        """The quilts for an ambiguity, those first whose games part these readings; of those with the same patches the first alone."""
        ordered = sorted(self.known.get(ambiguity, []), key=lambda k: k[0] != frozenset(readings))
        return list({frozenset(known.plan): known for _, known in reversed(ordered)}.values())[::-1]


def games(a: Engine, wide: tuple[Engine, Engine], ambiguity: str, sewn: Quilts, fine: bool, end: float, source: random.Random, anywhere: bool = True,
          most: int = LONGEST) -> Iterator[Game]:
    """Games laid for an engine that follow one plan, of at most so many actions, the shorter first; with ``anywhere`` their set-ups
    tell where the token stands."""
    planned = Planned(wide[0].machine, wide[1].machine, sewn.plan, sewn.holes, anywhere, ambiguity == UNPLACEABLE)
    marks = a.machine.constants["special_spaces_printed"].value
    until = max(int(m) for m in marks) + 1 if ambiguity == FULL and isinstance(marks, tuple) else None
    for number, schedule in enumerate(Beam(planned, source, 1 if fine else 2, fine, until).found(most, end)):
        game = planned.game(schedule, a)
        if game is not None:
            yield from _orders(game) if ambiguity == UNPLACEABLE else (game,)
        if number > SCHEDULES:
            return


def _orders(game: Game) -> Iterator[Game]:
    """The same game with each of the patches that nobody buys next in the circle."""
    setup, actions = game
    bought = {action.patch for action in actions}
    for name in [name for name in setup.circle if name not in bought]:
        yield replace(setup, circle=(*(n for n in setup.circle if n in bought), name, *(n for n in setup.circle if n not in bought and n != name))), actions


def played_on(engine: Engine, setup: Setup, actions: Sequence[Action]) -> tuple[Action, ...]:
    """As many of the actions as are legal, and the game played to its end by advances."""
    state, found = engine.start(setup), list[Action]()
    for action in actions:
        if engine.explain(state, action) is not None:
            break
        state = engine.apply(state, action)
        found.append(action)
    while len(found) < LONGEST and (options := engine.backend.options(state.values)):
        plain = next((o for kind in ("special", "advance") for o in options if engine.machine.actions[o[0]].type == kind), options[0])
        action = engine.action(plain, (plain[3] & -plain[3]).bit_length() - 1)
        state = engine.apply(state, action)
        found.append(action)
    return tuple(found)
