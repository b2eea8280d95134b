"""What did a run exercise? A property that held because nothing happened holds for nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hypothesis import event, target

from patchwork_ref.strategies.games import Game
from patchwork_ref.strategies.goals import GOALS


class Exercise:
    """Counts the games, actions, rules and rare events of a run, over all examples.

    ``see`` each game in the test; after the run ``require`` what must have happened.
    """

    def __init__(self) -> None:
        self.games = 0
        self.actions: Counter[str] = Counter()
        self.rules: Counter[str] = Counter()
        self.goals: Counter[str] = Counter()

    def see(self, game: Game, rules: bool = False) -> None:
        """Notes one game; ``rules`` plays it again to learn which rules fired. Rare events are told to Hypothesis, which
        shows them in its statistics and looks for more of them."""
        self.games += 1
        self.actions.update(action.type for action in game.actions)
        event(f"outcome: {game.outcome}")
        for name, goal in GOALS.items():
            if goal.reached(game.engine, game.states):
                self.goals[name] += 1
                event(f"reached: {name}")
        if rules:
            fired = Counter(firing.rule for step in game.steps for firing in step.firings)
            self.rules.update(fired)
            target(float(len(fired)), label="different rules in a game")

    def action(self, kind: str) -> None:
        """Notes one action outside a Game."""
        self.actions[kind] += 1

    def require(self, *, games: int = 0, actions: int = 1, rules: Iterable[str] = (), goals: Iterable[str] = ()) -> None:
        """Raises AssertionError unless so many games and actions, and each of the rules and goals, were exercised."""
        missing = [f"rule {rule}" for rule in rules if not self.rules[rule]] + [f"goal {goal}" for goal in goals if not self.goals[goal]]
        played = sum(self.actions.values())
        if self.games < games or played < actions or missing:
            wanted = f"; never: {', '.join(missing)}" if missing else ""
            raise AssertionError(f"the run exercised {self.games} games and {played} actions, wanted were {games} and {actions}{wanted}")

    def __str__(self) -> str:
        kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(self.actions.items()))
        return f"{self.games} games; actions: {kinds or 'none'}; rare: {', '.join(f'{n} {g}' for g, n in sorted(self.goals.items())) or 'none'}"
