"""Whole games, and games in which something rare happens on purpose."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from hypothesis import reject
from hypothesis import strategies as st

from patchwork_ref.engine import Engine
from patchwork_ref.engine.compile import Option
from patchwork_ref.engine.policies import POLICIES, nth_bit
from patchwork_ref.errors import InputError
from patchwork_ref.machine.play import Action, Step, Trace
from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import State, Values
from patchwork_ref.strategies.common import BYTES, CHOICE, TABLE, Rules, engine_of
from patchwork_ref.strategies.goals import ATTEMPTS, GOALS, Goal, attempt
from patchwork_ref.strategies.values import laid_out

LONGEST = 400
"""Actions after which a game is given up; a changed rulebook can be endless."""

Outcome = Literal["finished", "stuck", "action limit", "cut"]


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it was played: ``values`` are those before the first action and after each one."""

    engine: Engine
    setup: Setup
    actions: tuple[Action, ...]
    values: tuple[Values, ...]
    outcome: Outcome

    @property
    def states(self) -> tuple[State, ...]:
        """Every state, the first one included."""
        return tuple(State(v, self.engine.layout) for v in self.values)

    @property
    def state(self) -> State:
        """The last state."""
        return State(self.values[-1], self.engine.layout)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every action with its state and the rules that fired, played again."""
        state, found = State(self.values[0], self.engine.layout), []
        for action in self.actions:
            found.append(self.engine.step(state, action))
            state = found[-1].state
        return tuple(found)

    @property
    def trace(self) -> Trace:
        """The game as files hold it."""
        machine = self.engine.machine
        over = self.engine.is_over(self.state)
        score = self.engine.score(self.state) if over else None
        return Trace(machine.ruleset, machine.readings, self.setup, self.actions, score.totals if score else None, score.winner if score else None)

    def __repr__(self) -> str:
        played = "; ".join(map(str, self.actions))
        return f"Game({self.outcome}, circle {' '.join(self.setup.circle)}, token {self.setup.neutral_token}, player {self.setup.first_player} first: {played})"


def games(rules: Rules = None, *, setup: Setup | st.SearchStrategy[Setup] | None = None, policies: Iterable[str] = ("random",),
          whole: bool = False, reaching: str | None = None, longest: int = LONGEST) -> st.SearchStrategy[Game]:
    """Games by legal actions, nine in ten to their end; with ``whole`` all of them.

    For each action one of the ``policies`` (names of ``engine.policies.POLICIES``) picks; several make a mix. With
    ``reaching`` one of ``GOALS`` happens in the game, which is then whole. Raises InputError for unknown names.
    """
    engine = engine_of(rules)
    names = tuple(policies)
    for name in names:
        if name not in POLICIES:
            raise InputError(f"no policy is called {name!r}; there are {', '.join(POLICIES)}")
    if not names:
        raise InputError("name at least one policy")
    if reaching is not None:
        if reaching not in GOALS:
            raise InputError(f"no goal is called {reaching!r}; there are {', '.join(GOALS)}")
        return _reaching(engine, GOALS[reaching], longest)
    patches = [p.name for p in engine.machine.regular]

    @st.composite
    def game(draw: st.DrawFn) -> Game:
        # In this order: what is drawn first shrinks first, and a short game matters more than a tidy circle.
        most = longest if whole else draw(st.integers(0, WHOLE * longest))
        drawn = draw(BYTES)
        table = setup if isinstance(setup, Setup) else draw(setup) if setup is not None else laid_out(patches, drawn[-TABLE:])
        return play(engine, table, drawn[:-TABLE], names, min(most, longest), whole)

    return game()


WHOLE = 10
"""One game in so many is only begun."""
SEEDS = 16
"""Bytes that start a search. For an integer Hypothesis would now and then take one out of the modules loaded so far, and the
same seed would find another game."""
_NONE = bytes(CHOICE)


def play(engine: Engine, setup: Setup, choices: bytes, names: tuple[str, ...] = ("random",), most: int = LONGEST, on: bool = True) -> Game:
    """One game of at most so many actions, by choices of three bytes: which policy picks, and what uniform play picks; three
    zeros are no choice.

    When the choices are used up the game ends there, or (``on``) the first legal action is taken again and again. A failure
    shrinks to the few choices that matter, since zeros leave actions out: were they actions, a long game of such actions
    would pass for simple. The other policies always pick the same at the same action of a game.
    """
    state = engine.start(setup)
    actions: list[Action] = []
    values = [state.values]
    run, options_of = engine.backend.run, engine.backend.options
    picks = [c for at in range(0, len(choices), len(_NONE)) if (c := choices[at : at + len(_NONE)]) != _NONE]
    last = most if on else min(most, len(picks))
    outcome: Outcome = "action limit" if on else "cut"
    for number in range(last + 1):
        options = options_of(state.values)
        if not options:
            outcome = "finished" if engine.is_over(state) else "stuck"
        if not options or number == last:
            break
        option, bit = _picked(engine, state, options, picks[number] if number < len(picks) else _NONE, names, number)
        actions.append(engine.action(option, bit))
        state = State(run(option[0], state.values, option[1], option[2].masks[bit] if option[2] is not None else None), engine.layout)
        values.append(state.values)
    return Game(engine, setup, tuple(actions), tuple(values), outcome)


def _picked(engine: Engine, state: State, options: list[Option], choice: bytes, names: tuple[str, ...], number: int) -> tuple[Option, int]:
    name = names[choice[0] * len(names) >> 8]
    if name == "random":
        at = int.from_bytes(choice[1:], "big") * sum(option[3].bit_count() for option in options) >> 16
        for option in options:
            held = option[3].bit_count()
            if at < held:
                return option, nth_bit(option[3], at)
            at -= held
    return POLICIES[name](engine, state, options, random.Random(number))


def _reaching(engine: Engine, goal: Goal, longest: int) -> st.SearchStrategy[Game]:
    """The number drawn starts a search; the game found is the same for the same number."""

    @st.composite
    def game(draw: st.DrawFn) -> Game:
        found = _searched(engine, goal, int.from_bytes(draw(st.binary(min_size=SEEDS, max_size=SEEDS))) % 1000, longest)
        return found if found is not None else reject()

    return game()


@lru_cache(maxsize=500)
def _searched(engine: Engine, goal: Goal, seed: int, longest: int) -> Game | None:
    source = random.Random(seed)
    for table in islice(goal.tables(engine, source), ATTEMPTS):
        actions, states = attempt(table, source, longest)
        if goal.reached(table.engine, states):
            outcome: Outcome = "finished" if table.engine.is_over(states[-1]) else "stuck" if len(actions) < longest else "action limit"
            return Game(table.engine, table.setup, tuple(actions), tuple(s.values for s in states), outcome)
    return None


def frequencies(found: Iterable[Game], names: Iterable[str] = tuple(GOALS)) -> Mapping[str, float]:
    """In which share of the games each goal happened."""
    listed = list(found)
    return {name: sum(GOALS[name].reached(game.engine, game.states) for game in listed) / max(len(listed), 1) for name in names}
