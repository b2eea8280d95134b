"""The same questions put to everything here that can answer them: two back ends of the engine, the Z3 translation, the
placement routes, plain enumeration, and the sample engine in ``engines/python`` as an oracle.

None of them is the judge. Where two answers differ, at least one is wrong, and the game that led there is kept.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from patchwork_ref.engine import Engine
from patchwork_ref.engine.policies import POLICIES
from patchwork_ref.lang import ast as t
from patchwork_ref.machine.codec import action_to_json
from patchwork_ref.machine.model import Definition, Machine
from patchwork_ref.machine.observe import observed
from patchwork_ref.machine.play import Action, Trace
from patchwork_ref.machine.setup import Setup, setup_message, shuffled
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import cells_of, mask_of, placements
from patchwork_ref.symbolic.concrete import Concrete
from patchwork_ref.symbolic.measures import Unsupported
from patchwork_ref.tiling.fits import fits
from patchwork_ref.tiling.question import Question
from patchwork_ref.tiling.search import search

ORACLE = Path(__file__).parents[1] / "engines" / "python" / "engine.py"
TOPICS = ("legal actions", "legality", "refusal", "outcome", "fields", "placement", "filled square", "over", "score", "winner")
SLOW_STATES = 6
"""One state in so many is put to the slow voices: every legal action to the interpreter, steps and boards to Z3."""
Answers = Mapping[str, Callable[[], Any]]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A question, and who answered what. ``trace`` leads to the state that it was asked in."""

    topic: str
    question: str
    answers: Mapping[str, Any]
    trace: Trace

    def __str__(self) -> str:
        told = "; ".join(f"{who} says {_short(answer)}" for who, answer in self.answers.items())
        return f"{self.topic}, {self.question}, after {len(self.trace.actions)} actions: {told}"


@dataclass(frozen=True, slots=True)
class Crosscheck:
    """How many questions of each topic were asked, who answered them, and where answers differed."""

    ruleset: str | None
    games: int
    asked: Mapping[str, int]
    voices: Mapping[str, tuple[str, ...]]
    disagreements: tuple[Disagreement, ...]

    @property
    def agree(self) -> bool:
        return not self.disagreements


class Voices:
    """Everything that answers questions about one Machine; tests put a wrong one in place of each.

    ``oracle`` is the sample engine's module, None where there is none; ``faults`` are mistakes that it then makes.
    """

    def __init__(self, machine: Machine, oracle: ModuleType | None = None, faults: Iterable[str] = ()) -> None:
        self.machine, self.oracle, self.faults = machine, oracle, tuple(faults)
        self.compiled, self.interpreted = Engine(machine), Engine(machine, "interpreted")
        self.z3 = Concrete(machine)
        self.squares = _square_asked(machine)
        self.fits: Callable[..., Any] = fits
        self.side, self.flips = machine.constants["tile_side"].value, bool(machine.constants["flips"].value)

    def game(self, setup: Setup) -> Any:
        """The oracle's game; None without an oracle, or when it says that it does not play these rules."""
        if self.oracle is None:
            return None
        try:
            return self.oracle.Game(setup_message(self.machine, setup), self.faults)
        except self.oracle.Skipped:
            return None


@cache
def plain_oracle() -> ModuleType | None:
    """The sample engine's module, loaded from its file; None where the package stands without its checkout."""
    if not ORACLE.is_file():
        return None
    spec = importlib.util.spec_from_file_location("patchwork_plain_oracle", ORACLE)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def crosscheck(machine: Machine, games: int = 4, seed: int = 0, voices: Voices | None = None) -> Crosscheck:
    """Plays random games of several kinds and asks everybody about what happens; repeatable by ``seed``.

    A game ends at its first disagreement: what follows would only repeat it.
    """
    asked_of = voices if voices is not None else Voices(machine, plain_oracle())
    asked: Counter[str] = Counter()
    heard: dict[str, dict[str, None]] = {}
    found: list[Disagreement] = []
    for number in range(games):
        for disagreement in _Game(asked_of, f"{seed} {number}", number, asked, heard).run():
            found.append(disagreement)
            break
    return Crosscheck(machine.ruleset, games, {topic: asked[topic] for topic in TOPICS}, {topic: tuple(heard.get(topic, ())) for topic in TOPICS}, tuple(found))


class _Game:
    """One game, and the questions on its way."""

    def __init__(self, voices: Voices, seed: str, number: int, asked: Counter[str], heard: dict[str, dict[str, None]]) -> None:
        self.voices, self.machine, self.asked, self.heard = voices, voices.machine, asked, heard
        self.random = random.Random(f"crosscheck {seed}")
        self.policy = list(POLICIES.values())[number % len(POLICIES)]
        self.setup = shuffled(self.machine, f"crosscheck {seed}")
        self.state = voices.compiled.start(self.setup)
        self.oracle = voices.game(self.setup)
        self.actions: list[Action] = []

    def run(self) -> Iterator[Disagreement]:
        engine = self.voices.compiled
        while True:
            slow = self.random.randrange(SLOW_STATES) == 0
            yield from self.about_state(slow)
            options = engine.backend.options(self.state.values)
            if not options:
                return
            if slow:
                yield from self.about_boards(self.state)
            yield from self.about_legality(slow, self.near())
            option, index = self.policy(engine, self.state, options, self.random)
            action = engine.action(option, index)
            yield from self.about_legality(slow, action)
            yield from self.about_step(slow, action)
            self.state = engine.apply(self.state, action)
            if self.oracle is not None:
                self.oracle.apply(action_to_json(action))
            self.actions.append(action)

    def ask(self, topic: str, question: str, answers: Answers) -> Iterator[Disagreement]:
        """Puts a question; who cannot answer it is left out, who breaks down has answered with that."""
        given: dict[str, Any] = {}
        for who, answer in answers.items():
            try:
                given[who] = answer()
            except Unsupported:
                continue
            except Exception as broken:
                given[who] = f"{type(broken).__name__}: {broken}"
        if len(given) < 2:
            return
        self.asked[topic] += 1
        self.heard.setdefault(topic, {}).update(dict.fromkeys(given))
        first, *others = given.values()
        if any(other != first for other in others):
            yield Disagreement(topic, question, given, Trace(self.machine.ruleset, self.machine.readings, self.setup, tuple(self.actions)))

    # What is asked

    def about_state(self, slow: bool) -> Iterator[Disagreement]:
        """The legal actions, and whether the game is over with which result."""
        v, state, game = self.voices, self.state, self.oracle
        engines = {"compiled": v.compiled, **({"interpreted": v.interpreted} if slow else {})}
        over = {name: _later(engine.is_over, state) for name, engine in engines.items()}
        score: dict[str, Callable[[], Any]] = {name: _later(lambda e: e.score(state).totals, engine) for name, engine in engines.items()}
        legal: dict[str, Callable[[], Any]] = {name: _later(lambda e: [a.key for a in e.legal(state)], engine) for name, engine in engines.items()}
        winner: dict[str, Callable[[], Any]] = {name: _later(lambda e: e.score(state).winner, engine) for name, engine in engines.items()}
        if slow or v.compiled.is_over(state):
            over["z3"] = lambda: v.z3.truth(self.machine.over.body, state)
            score["z3"] = lambda: self.z3_totals(state)
            winner["z3"] = lambda: self.z3_winner(state)
        if game is not None:
            over["oracle"] = lambda: game.turn is None
            score["oracle"] = lambda: tuple(game.score()[0])
            winner["oracle"] = lambda: game.score()[1]
            legal["oracle"] = lambda: sorted((a["type"], a.get("patch", ""), tuple(a.get("cells", ()))) for a in game.legal())
        yield from self.ask("over", "is the game over?", over)
        yield from self.ask("score", "what are the scores?", score)
        if v.compiled.is_over(state):
            yield from self.ask("winner", "who has won?", winner)
        yield from self.ask("legal actions", "which actions are legal?", legal)

    def about_boards(self, state: State) -> Iterator[Disagreement]:
        """Where a patch on offer, or any, still fits, and whether a square is filled, on the quilt of the player to move
        and on one where holes are stopped."""
        v, board = self.voices, self.machine.board
        quilt = state.number("quilt", state.number("turn"))
        patch = self.machine.patches[self.random.choice([*state.circle()[:3], self.random.randrange(len(self.machine.regular))])]
        crowded = quilt | mask_of(cell for cell in range(board.cells) if self.random.random() < 0.4)  # Z3 lists placements one by one
        routes: dict[str, Callable[[], Any]] = {name: _later(lambda m: v.fits(patch.shape, board, crowded, v.flips, m).placements, name) for name in ("table", "z3", "enumeration")}
        if v.oracle is not None:
            drawn = v.oracle.placements(patch.picture, v.flips)
            routes["oracle"] = lambda: tuple(mask_of(cells) for spot, cells in drawn.items() if not mask_of(spot) & crowded)
        yield from self.ask("placement", f"where does {patch.name} fit?", routes)
        if isinstance(v.side, int):
            side = v.side
            window, other = (self.random.choice(_windows(self.machine, side)) for _ in range(2))
            hole = ~(1 << self.random.randrange(board.cells))
            for filled in (quilt, quilt | window, quilt | other & hole):
                yield from self.ask("filled square", f"does the quilt hold a filled square of side {side}?", self.square_answers(state, filled, side))

    def square_answers(self, state: State, quilt: int, side: int) -> Answers:
        v, board = self.voices, self.machine.board
        asked = state.replaced("quilt", 0, quilt).replaced("quilt", 1, 0)
        rows = {(cell // board.columns, cell % board.columns) for cell in cells_of(quilt)}
        answers: dict[str, Callable[[], Any]] = {
            "compiled": lambda: v.squares[0].is_over(asked),
            "interpreted": lambda: v.squares[1].is_over(asked),
            "z3": lambda: v.z3.truth(v.squares[0].machine.over.body, asked),
            "tree search": lambda: search(Question(board, quilt, side, ())).verdict == "possible",
            "enumeration": lambda: any(all((top + r, left + c) in rows for r in range(side) for c in range(side)) for top in range(board.rows) for left in range(board.columns)),
        }
        if (oracle := v.oracle) is not None:
            answers["oracle"] = lambda: any(square <= frozenset(cells_of(quilt)) for square in oracle.squares(side))
        return answers

    def about_legality(self, slow: bool, action: Action) -> Iterator[Disagreement]:
        """Whether one action is legal, and by which code it is refused."""
        v, state, game = self.voices, self.state, self.oracle
        answers: dict[str, Callable[[], Any]] = {"compiled": lambda: self.code(v.compiled, action), "interpreted": lambda: self.code(v.interpreted, action)}
        if game is not None:
            answers["oracle"] = lambda: self.played(game, action)[0]
        yield from self.ask("refusal", f"why not {action}?", answers)
        plain: dict[str, Callable[[], Any]] = {who: _later(lambda answer: answer() == "legal", answer) for who, answer in answers.items()}
        if slow:
            plain["z3"] = lambda: v.z3.step(state, action)[0] and self.shaped(action)
        yield from self.ask("legality", f"is {action} legal?", plain)

    def about_step(self, slow: bool, action: Action) -> Iterator[Disagreement]:
        """What an action leads to: as it is seen, and field by field."""
        v, state, game = self.voices, self.state, self.oracle
        engines = {"compiled": v.compiled, "interpreted": v.interpreted}
        seen: dict[str, Callable[[], Any]] = {name: _later(lambda e: self.seen(e, e.apply(state, action)), engine) for name, engine in engines.items()}
        if game is not None:
            seen["oracle"] = lambda: self.played(game, action)[1]
        yield from self.ask("outcome", f"what comes of {action}?", seen)
        if slow:
            fields: dict[str, Callable[[], Any]] = {name: _later(lambda e: _fields(e.apply(state, action)), engine) for name, engine in engines.items()}
            fields["z3"] = lambda: dict(v.z3.step(state, action)[1])
            yield from self.ask("fields", f"what does {action} change?", fields)

    # How some of them answer

    def near(self) -> Action:
        """An action that is often illegal: some patch, special patch or advance, wherever it comes to lie."""
        machine, board = self.machine, self.machine.board
        kind = self.random.choice(["buy", "buy", "buy", "special", "advance"])
        if kind == "advance":
            return Action("advance")
        if kind == "special":
            return Action("special", None, (self.random.randrange(board.cells),))
        patch = machine.patches[self.random.choice([*self.state.circle()[:4], self.random.randrange(len(machine.regular))])]
        cells = cells_of(self.random.choice(placements(patch.shape, board, True)))
        if self.random.random() < 0.2:
            cells = tuple(sorted({*cells[1:], self.random.choice([c for c in range(board.cells) if c not in cells])}))
        return Action("buy", patch.name, cells)

    def code(self, engine: Engine, action: Action) -> str:
        refusal = engine.explain(self.state, action)
        return "legal" if refusal is None else refusal.code

    def seen(self, engine: Engine, state: State) -> dict[str, object]:
        return observed(self.machine, state, engine.is_over(state))

    def played(self, game: Any, action: Action) -> tuple[str, Any]:
        """What the oracle makes of an action, on a copy of its game: a code or ``legal``, and the state."""
        copy = game.copy()
        try:
            copy.apply(action_to_json(action))
        except self.voices.oracle.Illegal as refused:  # type: ignore[union-attr]
            return str(refused.code), None
        return "legal", copy.state()

    def shaped(self, action: Action) -> bool:
        """Whether the cells are a placement, by Z3 and the picture: the translation asks for their number alone."""
        if not action.cells:
            return True
        board, mask = self.machine.board, mask_of(action.cells)
        single = next(p for p in self.machine.patches if not p.regular)
        shape = next((p.shape for p in self.machine.patches if p.name == action.patch), single.shape)
        return mask in self.voices.fits(shape, board, board.full & ~mask, self.voices.flips, "z3").placements

    def z3_totals(self, state: State) -> tuple[int, ...]:
        return tuple(next(n for n in self.guesses(state, who) if self.truth(state, who, n)) for who in (0, 1))

    def guesses(self, state: State, who: int) -> Iterator[int]:
        """Numbers by their distance from the compiled total: Z3 is asked for truths alone."""
        middle = self.voices.compiled.score(state).totals[who]
        yield middle
        for distance in range(1, 1000):
            yield from (middle - distance, middle + distance)
        raise LookupError("no number near the other answer is the score")

    def truth(self, state: State, who: int, number: int) -> bool:
        """Whether Z3 says that the total of the player who moves in this copy of the state is the number."""
        total = t.Use(self.machine.total.name, (t.Shared("turn"),))
        return self.voices.z3.truth(t.Compare(total, (("==", t.Integer(number)),)), state.replaced("turn", None, who))

    def z3_winner(self, state: State) -> int | None:
        winner = t.Use(self.machine.winner.name)
        if self.voices.z3.truth(t.Compare(winner, (("==", t.Nobody()),)), state):
            return None
        found = [who for who in (0, 1) if self.voices.z3.truth(t.Compare(winner, (("==", t.Shared("turn")),)), state.replaced("turn", None, who))]
        return found[0]


def _square_asked(machine: Machine) -> tuple[Engine, Engine]:
    """Both back ends of a Machine that is over as soon as a quilt holds a filled square: so they are asked for nothing else."""
    filled = t.Call("filled_square", (t.OfPlayer(t.Variable("p"), "quilt"), t.Use("tile_side")))
    over = Definition(name=machine.over.name, takes={}, body=t.Quantified("any", "p", t.Players(), None, filled), type=machine.over.type)
    changed = replace(machine, over=over, definitions={**machine.definitions, over.name: over}, digest=f"{machine.digest} square")
    return Engine(changed), Engine(changed, "interpreted")


def _windows(machine: Machine, side: int) -> tuple[int, ...]:
    return Question(machine.board, 0, side, ()).windows


def _fields(state: State) -> dict[Any, Any]:
    """Every field, lists as the sets of their members."""
    return {key: mask_of(value) if isinstance(value, tuple) else value for key, value in zip(state.layout.names, state.values, strict=True)}


def _later(call: Callable[[Any], Any], of: Any) -> Callable[[], Any]:
    return lambda: call(of)


def _short(answer: object, width: int = 160) -> str:
    text = str(answer)
    return text if len(text) <= width else f"{text[:width]}..."
