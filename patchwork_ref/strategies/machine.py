"""A state machine into which any engine can be put: several games at once, refused actions, names used again.

Every answer is compared with the reference, and the declared properties are asked of what the engine shows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, precondition, rule

from patchwork_ref.engine import Engine
from patchwork_ref.engine.policies import nth_bit
from patchwork_ref.engine.properties import PropertyChecker
from patchwork_ref.machine.observe import observed
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import setup_message
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import mask_of
from patchwork_ref.strategies.adapters import Adapter, wire
from patchwork_ref.strategies.common import Rules, engine_of
from patchwork_ref.strategies.exercise import Exercise
from patchwork_ref.strategies.illegal import near_misses
from patchwork_ref.strategies.values import setups

MOST_GAMES = 4


def state_machine(adapter: Callable[[], Adapter], rules: Rules = None, *, exercise: Exercise | None = None, properties: bool = True) -> type[RuleBasedStateMachine]:
    """A ``RuleBasedStateMachine`` class for the engine that ``adapter()`` makes, judged by these rules.

    Use it as ``TestMine = state_machine(MyAdapter).TestCase``. ``exercise`` counts what was done over all examples;
    ask its ``require`` afterwards.
    """
    engine = engine_of(rules)
    checker = PropertyChecker(engine.machine) if properties and engine.machine.properties else None
    noted = exercise if exercise is not None else Exercise()

    class EngineMachine(RuleBasedStateMachine):
        """Plays the engine and the reference side by side."""

        games: Bundle[str] = Bundle("games")

        @initialize()
        def start(self) -> None:
            self.engine = adapter()
            self.reference: dict[str, State] = {}
            self.opened = 0

        @rule(target=games, setup=setups(engine))
        @precondition(lambda self: len(self.reference) < MOST_GAMES)
        def new(self, setup: Any) -> str:
            """Opens a game, under a name that may have been used before."""
            name = next(f"game {i}" for i in range(MOST_GAMES) if f"game {i}" not in self.reference)
            self.engine.new(name, setup_message(engine.machine, setup))
            self.reference[name] = engine.start(setup)
            self.opened += 1
            noted.games += 1
            self.compare(name)
            return name

        @rule(name=games, source=st.randoms(use_true_random=False))
        def play(self, name: str, source: Any) -> None:
            """A legal action."""
            if name in self.reference:
                self.legal(name, source)

        @rule(name=games, source=st.randoms(use_true_random=False), number=st.integers(1, 25))
        def play_on(self, name: str, source: Any, number: int) -> None:
            """Several legal actions, so that games get somewhere."""
            for _ in range(number):
                if name in self.reference:
                    self.legal(name, source)

        @rule(name=games, data=st.data())
        def refuse(self, name: str, data: st.DataObject) -> None:
            """A near-miss is refused and changes nothing, in no game."""
            if name not in self.reference:
                return
            state = self.reference[name]
            found = list(near_misses(engine, state))
            if not found:
                return
            action, refusal = data.draw(st.sampled_from(found))
            noted.action("refused")
            assert not self.engine.apply(name, wire(action)), f"accepts {action}, which {refusal.rule} refuses ({refusal.code})"

        @rule(name=consumes(games))
        def end(self, name: str) -> None:
            """Closes a game; the others go on."""
            if name in self.reference:
                self.engine.end(name)
                del self.reference[name]

        @invariant()
        def all_games_agree(self) -> None:
            """Every open game stands where the rules put it, whatever was done in the others."""
            for name in getattr(self, "reference", {}):
                self.compare(name)

        def legal(self, name: str, source: Any) -> None:
            before = self.reference[name]
            options = engine.backend.options(before.values)
            if not options:
                return
            action, after = play_one(engine, before, source)
            noted.action(action.type)
            assert self.engine.apply(name, wire(action)), f"refuses the legal action {action}"
            self.reference[name] = after
            seen = self.compare(name)
            if checker is not None:
                shown = shown_state(engine, after, seen)
                assert not (broken := checker.state(shown)), f"after {action} the engine's state violates {', '.join(broken)}"
                assert not (broken := checker.step(before, action, shown)), f"{action} violates {', '.join(broken)}"
                if engine.is_over(after):
                    assert not (broken := checker.finish(shown)), f"the end violates {', '.join(broken)}"
            if engine.is_over(after):
                score = engine.score(after)
                assert self.engine.score(name) == (score.totals, score.winner)

        def compare(self, name: str) -> Any:
            state = self.reference[name]
            expected, seen = observed(engine.machine, state, engine.is_over(state)), self.engine.state(name)
            for field, value in expected.items():
                if field == "players":
                    for who, (mine, theirs) in enumerate(zip(value, seen.get("players", ()), strict=False)):  # type: ignore[call-overload]
                        for part, wanted in mine.items():
                            assert theirs.get(part, wanted) == wanted, f"{name}: {part} of player {who} is {theirs[part]}, by the rules {wanted}"
                elif field in seen:
                    got = sorted(seen[field]) if field == "special_spaces" else seen[field]
                    assert got == value, f"{name}: {field} is {got}, by the rules {value}"
            return seen

    EngineMachine.__qualname__ = EngineMachine.__name__ = "EngineMachine"
    return EngineMachine


def play_one(engine: Engine, state: State, source: Any) -> tuple[Action, State]:
    """One uniformly chosen legal action, and the state after it."""
    options = engine.backend.options(state.values)
    at = source.randrange(sum(option[3].bit_count() for option in options))
    for option in options:
        held = option[3].bit_count()
        if at < held:
            bit = nth_bit(option[3], at)
            after = engine.backend.run(option[0], state.values, option[1], option[2].masks[bit] if option[2] is not None else None)
            return engine.action(option, bit), State(after, engine.layout)
        at -= held
    raise AssertionError


def shown_state(engine: Engine, reference: State, seen: Any) -> State:
    """What the engine shows as a State; what it does not show is taken from the reference."""
    found = reference
    for who, player in enumerate(seen.get("players", ())):
        for field in ("buttons", "space", "income", "special_tile"):
            if field in player:
                found = found.replaced(field, who, player[field])
        if "quilt" in player:
            found = found.replaced("quilt", who, mask_of(i for i, sign in enumerate(player["quilt"]) if sign == "#"))
    if "circle" in seen:
        found = found.replaced("circle", None, tuple(engine.machine.number(name) or 0 for name in seen["circle"]))
    if "special_spaces" in seen:
        found = found.replaced("special_spaces", None, mask_of(seen["special_spaces"]))
    return found
