"""Games of our own, under any ruleset and policy, and files of them; fixtures, so that any import mode finds them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest

from patchwork_ref.engine import Engine
from patchwork_ref.engine.policies import played, policy
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action, Trace
from patchwork_ref.machine.setup import Setup, shuffled
from patchwork_ref.notation import AuditReport, Claims, Game, audit_file
from patchwork_ref.notation.export import Exporter
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import load_rulebook


class Table:
    """The shipped rulebook, and whatever is played by it."""

    def __init__(self, folder: Path) -> None:
        self.rulebook: Rulebook = load_rulebook()
        self.folder = folder
        self.machine = cache(self._machine)
        self.games = cache(self._games)

    def _machine(self, ruleset: str | None = None) -> Machine:
        return from_rulebook(self.rulebook, None, ruleset)

    def _games(self, ruleset: str, number: int = 6, name: str = "mixed", first_player: int | None = None) -> tuple[Trace, ...]:
        """Complete games with scores and winner."""
        machine = self.machine(ruleset)
        engine, found = Engine(machine), []
        for seed in range(number):
            setup = shuffled(machine, f"{ruleset} {name} {seed}", first_player)
            actions, state, _ = played(engine, setup, policy(name), random.Random(f"{name} {seed}"))
            score = engine.score(state)
            found.append(Trace(ruleset, machine.readings, setup, actions, score.totals, score.winner))
        return tuple(found)

    def recorded(self, trace: Trace, line: int = 1) -> Game:
        claims = Claims(trace.scores, trace.winner, True) if trace.scores is not None else Claims()
        return Game(line, trace, claims)

    def lines(self, traces: Iterable[Trace], notation: str, ruleset: str = "revised") -> list[str]:
        exporter = Exporter(self.rulebook, self.rulebook.readings(ruleset), notation)
        return [exporter.line(self.recorded(trace)) for trace in traces]

    def file(self, lines: Iterable[str] | bytes, name: str = "games.txt") -> Path:
        path = self.folder / name
        path.write_bytes(lines if isinstance(lines, bytes) else "".join(line + "\n" for line in lines).encode())
        return path

    def audit(self, lines: Iterable[str] | bytes, notation: str | None = None, ruleset: str = "revised", **more: object) -> AuditReport:
        return audit_file(self.file(lines), self.rulebook, self.rulebook.readings(ruleset), notation, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return Table(tmp_path_factory.mktemp("notation"))


@pytest.fixture(scope="session")
def plainly() -> Callable[[Machine, Trace, int | None], tuple[int | None, str | None, tuple[int, int] | None, int | None]]:
    """Replays by the public engine, state by state: the first illegal action from 1 and its rule, or scores and winner."""

    def replayed(machine: Machine, trace: Trace, token: int | None) -> tuple[int | None, str | None, tuple[int, int] | None, int | None]:
        engine = Engine(machine)
        state = engine.start(Setup(trace.setup.circle, token, trace.setup.first_player))
        for number, action in enumerate(trace.actions, 1):
            refusal = engine.explain(state, action)
            if refusal is not None:
                return number, refusal.rule, None, None
            state = engine.apply(state, action)
        score = engine.score(state)
        return None, None, score.totals, score.winner if engine.is_over(state) else None

    return replayed


__all__ = ["Action", "Table"]
