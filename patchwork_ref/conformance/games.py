"""A game as something to make shorter: legal actions, perhaps one question at the end, and a circle that may be laid anew.

Only the circle, the token and the first player ever change: the set-up stays one of the ruleset.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from patchwork_ref.conformance.course import Course, Do, Legal, Perft, Refuse, Task
from patchwork_ref.conformance.judge import Verdict
from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup
from patchwork_ref.polyomino import bits

ASKED_PERFT = "the state changed when perft was asked"
"""The text of a verdict on a question that changed the game."""
FORCED = 3
"""So many actions that nobody has a choice about are put in before an action is given up."""


@dataclass(frozen=True, slots=True)
class Game:
    """``last`` is what the failure shows in: None for the last action (or the score after it), an action that must be
    refused, ``"legal"``, or the depth of a perft."""

    setup: Setup
    actions: tuple[Action, ...]
    last: Action | str | int | None = None

    @property
    def length(self) -> int:
        """Actions played, refused ones too."""
        return len(self.actions) + isinstance(self.last, Action)

    def course(self, engine: Engine, name: str = "shrunk") -> Course:
        """The game as a case."""
        tasks: list[Task] = [Do(number, action) for number, action in enumerate(self.actions, 1)]
        done = len(self.actions)
        if isinstance(self.last, Action):
            tasks.append(Refuse(done, self.last))
        elif isinstance(self.last, str):
            tasks.append(Legal(done))
        elif self.last is not None:
            tasks.append(Perft(done, self.last))
        return Course(name, engine, self.setup, tuple(tasks), self.setup.neutral_token is not None)


def game_of(course: Course, verdict: Verdict) -> Game:
    """The case up to what differs, as a game."""
    setup = course.setup
    number = verdict.action
    if verdict.kind in ("legal", "count") or (verdict.kind == "question" and "perft" not in verdict.text):
        return Game(setup, course.actions[:number], "legal")
    if verdict.kind in ("perft", "question"):
        depth = next((t.depth for t in course.tasks if isinstance(t, Perft) and t.number == number and verdict.text in (f"perft({t.depth})", ASKED_PERFT)), None)
        return Game(setup, course.actions[:number], depth)
    if verdict.refused is not None:
        return Game(setup, course.actions[: number - 1], verdict.refused)
    return Game(setup, course.actions[:number])


def failing_part(course: Course, verdict: Verdict) -> Course:
    """The case up to what differs, with the questions on the way."""
    last = _failing(course, verdict)
    return replace(course, tasks=course.tasks[: last + 1])


def agreeing_part(course: Course, verdict: Verdict) -> Course:
    """What comes before that; the whole case where nothing differs, or only the score."""
    return course if not verdict.failed or verdict.kind == "score" else replace(course, tasks=course.tasks[: max(_failing(course, verdict), 0)])


def _failing(course: Course, verdict: Verdict) -> int:
    """The index of the task that differs; -1 for the set-up."""
    question = Perft if verdict.text == ASKED_PERFT else Legal
    wanted: type[Task] = {"legal": Legal, "count": Legal, "question": question, "perft": Perft}.get(verdict.kind, Do if verdict.refused is None else Refuse)
    number = verdict.action - (wanted is Refuse)
    for index, task in enumerate(course.tasks):
        if task.number == number and isinstance(task, wanted) and (not isinstance(task, Refuse) or task.action == verdict.refused):
            return index
    return -1


def played(engine: Engine, setup: Setup, wanted: Sequence[Action]) -> tuple[Action, ...]:
    """The wanted actions as far as they go: what no longer fits is placed elsewhere, what nobody may do is left out, and
    what nobody can avoid is put in."""
    state, done = engine.start(setup), []
    for action in wanted:
        for _ in range(FORCED):
            if engine.explain(state, action) is None:
                state = engine.apply(state, action)
                done.append(action)
                break
            options = engine.backend.options(state.values)
            same = next((o for o in options if (a := engine.action(o, next(bits(o[3])))).type == action.type and a.patch == action.patch), None)
            if same is None and len(options) == 1 and options[0][2] is not None:
                same, forced = options[0], True
            elif same is None:
                break
            else:
                forced = False
            taken = engine.action(same, next(bits(same[3])))
            state = engine.apply(state, taken)
            done.append(taken)
            if not forced:
                break
    return tuple(done)


def arranged(engine: Engine, game: Game, offset: int = 0) -> Game:
    """The same actions with the circle laid so that each patch bought is the first on offer; the last one ``offset``
    places further on. What is left of the circle keeps its order."""
    bought = [a.patch for a in game.actions if a.patch is not None]
    state = engine.start(game.setup)
    for action in game.actions:
        state = engine.apply(state, action)
    names = [engine.machine.patches[i].name for i in state.circle()]
    names += [p for p in game.setup.circle if p not in names and p not in bought]  # bought and gone otherwise
    circle: list[str] = [p for p in dict.fromkeys(bought) if p is not None]
    if offset and circle:
        circle[-1:] = [*names[:offset], circle[-1]]
        names = names[offset:]
    return replace(game, setup=Setup((*circle, *names), 0, game.setup.first_player))


def weight(engine: Engine, game: Game) -> tuple[int, int]:
    """What makes a game longer, and then harder to read: purchases, special patches, dear patches, far placements, a
    strange circle, the second player first."""
    cost = {p.name: sum(p.numbers.values()) for p in engine.machine.patches}
    plain = sum((100 + 4 * cost[a.patch] if a.patch in cost else 40 if a.cells else 0) + min(a.cells or (0,)) for a in game.actions)
    bought = [a.patch for a in game.actions if a.patch is not None]
    strange = sum(a != b for a, b in zip(game.setup.circle, bought, strict=False))
    asked = 0 if game.last is None else game.last if isinstance(game.last, int) else min(game.last.cells or (0,)) if isinstance(game.last, Action) else 1
    return game.length, plain + 5 * strange + 3 * (game.setup.neutral_token or 0) + 3 * game.setup.first_player + asked


def moved_to_corner(engine: Engine, action: Action) -> Action:
    """The same cells as far up and left as the board lets them go."""
    if not action.cells:
        return action
    columns = engine.machine.board.columns
    rows, places = [c // columns for c in action.cells], [c % columns for c in action.cells]
    shift = columns * min(rows) + min(places)
    return replace(action, cells=tuple(c - shift for c in action.cells))
