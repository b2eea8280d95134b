"""Games on which two readings part, under readings for which no game is stored.

A stored game may break off when other readings pay other income. So it is played again by its purchases: in the same
order, each by the same player on the same cells, with advances between them until they can be paid for. Games at random
come after those.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from patchwork_ref.engine.compile import Option
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.policies import POLICIES, advance, played
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.fixtures import Fixture, Play
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup, shuffled
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import bits
from patchwork_ref.rulebook.model import DEFAULT_RULESET

LONGEST = 300
"""Actions of a game; readings can make it endless."""
RANDOM = 60
"""Games at random that are looked at before a pair is left undecided."""

Game = tuple[Setup, tuple[Action, ...]]


@dataclass(frozen=True, slots=True)
class Shown:
    """Where two rules part: after so many actions (0 at the start), in what."""

    number: int
    what: str  # state, legality, score


def parting(a: Engine, b: Engine, setup: Setup, actions: Sequence[Action], observes: bool = True) -> Shown | None:
    """The first action after which two rules can be told apart: by the state (where that is shown), by what they refuse,
    or by the final score. None when the game does not tell."""
    try:
        left, right = a.start(setup), b.start(setup)
    except PatchworkRefError:
        return Shown(0, "state")
    if observes and not alike(a, left, b, right):
        return Shown(0, "state")
    for number, action in enumerate(actions, 1):
        legal = a.explain(left, action) is None
        if legal != (b.explain(right, action) is None):
            return Shown(number, "legality")
        if not legal:
            return None
        left, right = a.apply(left, action), b.apply(right, action)
        if observes and not alike(a, left, b, right):
            return Shown(number, "state")
    over = a.is_over(left)
    if over != b.is_over(right):
        return Shown(len(actions), "score")
    if over:
        one, other = a.score(left), b.score(right)
        if (one.totals, one.winner) != (other.totals, other.winner):
            return Shown(len(actions), "score")
    return None


def alike(a: Engine, left: State, b: Engine, right: State) -> bool:
    """Whether two states look the same on the wire."""
    return _shown(a, left) == _shown(b, right)


def _shown(engine: Engine, state: State) -> tuple[object, ...]:
    """What ``observed`` tells, without its texts: this is asked some hundred thousand times."""
    over, turn = engine.is_over(state), state.number("turn")
    players = tuple(state.get(name, who) for who in (0, 1) for name in ("buttons", "space", "income", "quilt", "special_tile"))
    return over, None if over else (turn, state.number("pending", turn)), players, state.circle(), state.number("special_spaces")


def next_apart(a: Engine, b: Engine, game: Game) -> tuple[Action, ...]:
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


def candidates(engine: Engine, stored: Iterable[Fixture], seed: str, games: int = RANDOM) -> Iterator[Game]:
    """Games that are legal under the engine's rules: the stored ones played again, then ``games`` at random."""
    for fixture in stored:
        yield fixture.setup, reenacted(engine, fixture)
    for number in range(games):
        source = random.Random(f"{seed} {number}")
        laid = shuffled(engine.machine, f"{seed} {number}")
        setup = Setup(laid.circle, engine.neutral_token(laid), laid.first_player)
        name = list(POLICIES)[number % len(POLICIES)]
        policy = POLICIES[name]
        if number % 3:
            def policy(engine: Engine, state: State, options: list[Option], source: random.Random, now: str = name) -> tuple[Option, int]:
                """Advances mostly: such games end close together."""
                return (advance if source.random() < 0.8 else POLICIES[now])(engine, state, options, source)
        yield setup, played(engine, setup, policy, source, LONGEST)[0]


def reenacted(engine: Engine, fixture: Fixture) -> tuple[Action, ...]:
    """A stored game's purchases under other rules, played on to the end by advances."""
    waiting = _purchases(fixture)
    special = [s.action.cells for s in fixture.steps if isinstance(s, Play) and s.action.type == "special" and s.action.cells]
    try:
        state = engine.start(fixture.setup)
    except PatchworkRefError:
        return ()
    actions: list[Action] = []
    while len(actions) < LONGEST and (options := engine.backend.options(state.values)):
        turn = state.number("turn")
        action: Action | None = None
        if waiting and waiting[0][0] in (turn, None) and engine.explain(state, waiting[0][1]) is None:
            action = waiting.pop(0)[1]
        if action is None and (forced := next((o for o in options if engine.machine.actions[o[0]].type == "special"), None)) is not None:
            wanted = [Action("special", None, cells) for cells in special]
            taken = {c for who, a in waiting if who in (turn, None) for c in a.cells or ()}
            free = [engine.action(forced, bit) for bit in bits(forced[3])]
            action = next((w for w in wanted if engine.explain(state, w) is None), None) or next((f for f in free if not taken & set(f.cells or ())), free[-1])
        if action is None:
            plain = next((o for o in options if engine.machine.actions[o[0]].type == "advance"), options[0])
            action = engine.action(plain, (plain[3] & -plain[3]).bit_length() - 1)
        actions.append(action)
        state = engine.apply(state, action)
    return tuple(actions)


def _purchases(fixture: Fixture) -> list[tuple[int | None, Action]]:
    """Each purchase with its player, as the recorded states tell."""
    turn = fixture.start.get("turn")
    found: list[tuple[int | None, Action]] = []
    for step in fixture.steps:
        if isinstance(step, Play):
            if step.action.type == "buy":
                found.append((turn, step.action))
            turn = step.expect.get("turn", turn)
    return found


def as_fixture(name: str, title: str, game: Game, readings: Mapping[str, str]) -> Fixture:
    """A game to be asked of an engine; its expectations are worked out by whoever judges it."""
    setup, actions = game
    steps = tuple(Play(action, {}, ()) for action in actions)
    return Fixture(id=name, kind="trace", title=title, level="reading", ruleset=DEFAULT_RULESET, base="", setup=setup, start={}, steps=steps, rules=(),
                   origin="found by play", tier="full", readings=dict(readings))
