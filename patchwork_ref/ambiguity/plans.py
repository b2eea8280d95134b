"""Games on which two rulebooks part, made from the quilts of games that are known.

Under other readings a known game breaks off, because other income comes or other tokens move. But what was sewn where can
be sewn so again: the purchases of the game are a plan, and games at random that follow it (``seek``) are soon found to part.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from patchwork_ref.ambiguity.bare import Move, Track
from patchwork_ref.ambiguity.games import Game, parting
from patchwork_ref.ambiguity.laid import circle_of
from patchwork_ref.ambiguity.parted import Parted
from patchwork_ref.ambiguity.seek import Counting, Planned
from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import Values
from patchwork_ref.polyomino import mask_of

LONGEST = 120
"""Actions of a game at random."""
KEEN = (0.7, 0.85, 0.95, 1.0)
"""How often a planned purchase is made when it can be."""
OFFER = "short-offer"
"""The ambiguity about the offer itself: a schedule has all patches on offer, so what counts for it is how many are left."""


@dataclass(frozen=True)
class Quilts:
    """What was sewn where in a game: cells (masks) by player and patch, and the cells of special patches by player."""

    plan: dict[tuple[int, str], int]
    holes: dict[int, int]
    actions: int


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
    """The quilts of the records, by ambiguity: the readings of a pair first, the shortest game first."""

    def __init__(self, records: Sequence[Parted], engines: dict[str, Engine]) -> None:
        self.games: dict[str, list[Game]] = {}
        self.known: dict[str, list[Quilts]] = {}
        for record in sorted((r for r in records if r.game is not None), key=lambda r: r.length or 0):
            assert record.game is not None
            games = self.games.setdefault(record.ambiguity, [])
            if record.game not in games:
                games.append(record.game)
                self.known.setdefault(record.ambiguity, []).append(quilts(engines[record.ruleset], record.game))

    def direct(self, engine: Engine, ambiguity: str) -> list[Game]:
        """The games themselves, with the token before their first patch, whatever the rules say about its place."""
        found = []
        for setup, actions in self.games.get(ambiguity, []):
            circle = circle_of(engine.machine, [a.patch for a in actions if a.type == "buy" and a.patch is not None], setup.first_player).circle
            found.append((Setup(circle, 0, setup.first_player), played_on(engine, Setup(circle, 0, setup.first_player), actions)))
        return found

    def found(self, a: Engine, b: Engine, wide: tuple[Engine, Engine], ambiguity: str, seconds: float, observes: bool = True) -> Game | None:
        """A game at random that follows a plan and parts the two. ``wide`` are the same with an offer that never runs short."""
        source, end = random.Random(ambiguity), time.process_time() + seconds
        for known in self.known.get(ambiguity, []):
            planned = Planned(wide[0].machine, wide[1].machine, known.plan, Counting(), known.holes, _left if ambiguity == OFFER else None)
            share = time.process_time() + max(0.0, end - time.process_time()) / 2
            while time.process_time() < share:
                schedule = planned.rollout(LONGEST, source, source.choice(KEEN))
                laid = planned.game(schedule, a) if schedule is not None else None
                if laid is None:
                    continue
                setup = Setup(laid[0].circle, a.neutral_token(laid[0]), laid[0].first_player)
                actions = laid[1] + _next(a, b, (setup, laid[1]))
                game = (setup, actions if observes else played_on(a, setup, actions))
                if parting(a, b, *game, observes) is not None:
                    return game
        return None


def _left(track: Track, before: Values, move: Move, after: Values) -> bool:
    """Fewer patches are left than belong on offer, and one of them could be bought."""
    size = track.plain.machine.constants["offer_size"].value
    assert isinstance(size, int)
    return len(after[track.circle]) < size and any(form in track.buys for form, _ in track.moves(after))  # type: ignore[arg-type]


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


def _next(a: Engine, b: Engine, game: Game) -> tuple[Action, ...]:
    """One more action that is legal under one of the two alone, where they list other actions after the game."""
    setup, actions = game
    left, right = a.start(setup), b.start(setup)
    for action in actions:
        if a.explain(left, action) is not None or b.explain(right, action) is not None:
            return ()
        left, right = a.apply(left, action), b.apply(right, action)
    one, other = a.legal(left), b.legal(right)
    apart = [x for x in one if x not in set(other)] or [x for x in other if x not in set(one)]
    return tuple(apart[:1])
