"""Single states: from games, or with arbitrary values in every field."""

from __future__ import annotations

from hypothesis import strategies as st

from patchwork_ref.engine import Engine
from patchwork_ref.lang.types import Type
from patchwork_ref.machine.model import Field
from patchwork_ref.machine.state import Cell, State
from patchwork_ref.strategies.common import Rules, constant, engine_of
from patchwork_ref.strategies.games import Game, games
from patchwork_ref.strategies.values import quilts

MOST_BUTTONS = 200


def states(rules: Rules = None, *, reachable: bool = True, over: bool | None = None) -> st.SearchStrategy[State]:
    """A state: one met in a game, or any combination of values that the fields can hold.

    ``over`` asks for states in which the game is over, or is not. Arbitrary states contradict themselves as often as
    not (the income is not that of the quilt); they are for code that must not care.
    """
    engine = engine_of(rules)
    found = games(engine).flatmap(_of_game) if reachable else _arbitrary(engine)
    if over is None:
        return found
    if over and reachable:
        return games(engine, whole=True).map(lambda game: game.state)
    return found.filter(lambda state: engine.is_over(state) == over)


def _of_game(game: Game) -> st.SearchStrategy[State]:
    return st.integers(0, len(game.values) - 1).map(lambda at: State(game.values[at], game.engine.layout))


def _arbitrary(engine: Engine) -> st.SearchStrategy[State]:
    machine = engine.machine
    fields = {f.name: f for f in (*machine.shared, *machine.player)}
    values = [_value(engine, fields[name]) for name, _ in engine.layout.names]
    return st.tuples(*values).map(lambda found: State(tuple(found), engine.layout))


def _value(engine: Engine, field: Field) -> st.SearchStrategy[Cell]:
    machine, numbers = engine.machine, len(engine.machine.regular)
    last = constant(machine, "last_space", 1)
    match field.type:
        case Type.INTEGER:
            return st.integers(0, last if field.name == "space" else 1 if field.name == "pending" else MOST_BUTTONS)
        case Type.TRUTH:
            return st.booleans()
        case Type.PLAYER:
            return st.integers(0, 1)
        case Type.MAYBE_PLAYER:
            return st.none() | st.integers(0, 1)
        case Type.REGION:
            return quilts(machine, reachable=False)
        case Type.SPACES:
            return st.sets(st.integers(0, last)).map(lambda held: sum(1 << s for s in held))
        case Type.CIRCLE:
            return st.lists(st.integers(0, numbers - 1), unique=True).map(tuple)
        case Type.PATCHES:
            return st.sets(st.integers(0, numbers - 1)).map(lambda held: sum(1 << p for p in held))
        case _:
            raise AssertionError(field.type)
