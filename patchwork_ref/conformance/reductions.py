"""Ways to make a failing game shorter and plainer; each candidate is a legal game by the reference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from patchwork_ref.conformance.games import Game, arranged, moved_to_corner, played
from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup


def wishes(engine: Engine, game: Game, plainer: bool) -> Iterator[Game]:
    """Games that might do, the boldest first, not yet made legal; with ``plainer`` also some that are only easier to read."""
    yield from _circles(engine, game)
    yield from _shorter(game)
    if plainer:
        yield from _plainer(engine, game)


def made(engine: Engine, wish: Game) -> Game | None:
    """A wish as a legal game, if it can be."""
    try:
        actions = played(engine, wish.setup, wish.actions)
        found = replace(wish, actions=actions)
        if isinstance(found.last, Action):
            state = engine.start(found.setup)
            for action in actions:
                state = engine.apply(state, action)
            if engine.explain(state, found.last) is None:
                return None
    except PatchworkRefError:
        return None
    return found


def _circles(engine: Engine, game: Game) -> Iterator[Game]:
    """The circle laid in the order of the purchases, and told to the engine."""
    for offset in (0, 1, 2):
        yield arranged(engine, game, offset)
    if game.setup.first_player:
        yield replace(game, setup=replace(game.setup, first_player=0))


def _shorter(game: Game) -> Iterator[Game]:
    """Stretches of actions left out; the rest as far as it still goes."""
    actions = game.actions
    size = len(actions) // 2
    while size:
        for at in range(0, len(actions), max(1, size // 2)):
            yield from _rearranged(game, (*actions[:at], *actions[at + size :]))
        size //= 2
    for at in range(len(actions) - 1):  # two at once: dropping one alone often only hands the turn over
        for other in range(at + 2, min(at + 8, len(actions))):
            yield from _rearranged(game, (*actions[:at], *actions[at + 1 : other], *actions[other + 1 :]))


def _plainer(engine: Engine, game: Game) -> Iterator[Game]:
    """Advances for purchases, other patches for patches, placements in the corner, another question."""
    actions = game.actions
    bare = next((form for form in engine.machine.actions if not form.choices), None)
    for at, action in enumerate(actions):
        if action.patch is not None and bare is not None:
            yield from _rearranged(game, (*actions[:at], Action(bare.type), *actions[at + 1 :]))
    cheap = sorted(engine.machine.regular, key=lambda p: (sum(p.numbers.values()), len(p.shape), p.name))
    bought = {a.patch for a in actions}
    for at, action in enumerate(actions):
        if action.patch is None or engine.machine.number(action.patch) is None:
            continue
        own = engine.machine.patches[engine.machine.number(action.patch) or 0]
        for patch in cheap[:12]:
            if patch.name not in bought and sum(patch.numbers.values()) < sum(own.numbers.values()):
                yield from _rearranged(game, (*actions[:at], Action(action.type, patch.name, ()), *actions[at + 1 :]))
    if len(actions) <= 60:
        for at, action in enumerate(actions):
            if action.cells:
                for other in (Action(action.type, action.patch, ()), moved_to_corner(engine, action)):
                    if other != action:
                        yield replace(game, actions=(*actions[:at], other, *actions[at + 1 :]))
    if isinstance(game.last, Action):
        yield replace(game, last=moved_to_corner(engine, game.last))
    if isinstance(game.last, int) and game.last > 1:
        yield replace(game, last=game.last - 1)


def _rearranged(game: Game, actions: tuple[Action, ...]) -> Iterator[Game]:
    """The actions with the circle laid for them, and with the circle as it is."""
    order = [a.patch for a in actions if a.patch is not None]
    wanted = [game.last.patch] if isinstance(game.last, Action) and game.last.patch in game.setup.circle else []
    circle = tuple(p for p in dict.fromkeys([*order, *wanted, *game.setup.circle]) if p is not None and p in game.setup.circle)
    laid = Setup(circle, 0, game.setup.first_player)
    yield replace(game, setup=laid, actions=actions)
    if laid.circle != game.setup.circle:
        yield replace(game, actions=actions)
