"""Games as text: a line each, or a transcript with both boards at the end."""

from __future__ import annotations

from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.replay import replay
from patchwork_ref.machine.play import Step, Trace
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import Board, cells_of, rows_of


def game_line(trace: Trace, outcome: str) -> str:
    """Seed, actions, scores and winner in one line."""
    end = winner_words(trace.winner) if outcome == "finished" else outcome
    scores = trace.scores or (0, 0)
    return f"game {trace.seed}: {len(trace.actions)} actions, {scores[0]} : {scores[1]}, {end}"


def winner_words(winner: int | None) -> str:
    return "a draw" if winner is None else f"player {winner} wins"


def transcript(engine: Engine, trace: Trace) -> str:
    """A game that a person can lay out on the table: the circle, every action with what it did, the end."""
    result = replay(engine, trace.setup, trace.actions)
    lines = [
        f"circle, clockwise from the neutral token: {' '.join(engine.machine.patches[i].name for i in result.start.circle())}",
        f"player {trace.setup.first_player} moves first",
    ]
    state = result.start
    for number, step in enumerate(result.steps, 1):
        lines.append(action_line(engine, number, state, step))
        state = step.state
    lines += ["", *boards(engine, state), ""]
    lines.append(f"scores {result.score.totals[0]} : {result.score.totals[1]}, {winner_words(result.score.winner)}" if result.over else "the game is not over")
    return "\n".join(lines)


def action_line(engine: Engine, number: int, before: State, step: Step) -> str:
    """One action in words, with where it led and what else fired."""
    me = before.number("turn")
    action, after = step.action, step.state
    moved = f"space {before.number('space', me)} -> {after.number('space', me)}" if before.number("space", me) != after.number("space", me) else ""
    money = f"buttons {before.number('buttons', me)} -> {after.number('buttons', me)}" if before.number("buttons", me) != after.number("buttons", me) else ""
    what = action.type
    if action.patch is not None:
        what += f" {action.patch}"
    if action.cells is not None:
        what += f" on {' '.join(str(cell) for cell in action.cells)}" if action.cells else " and discard it"
    events = [f.rule for f in step.firings if f.rule.startswith(("track/income", "track/final", "track/special", "tile/"))]
    return f"{number:>3}. player {me}: " + "; ".join(part for part in [what, moved, money, ", ".join(events)] if part)


def boards(engine: Engine, state: State, marked: int = 0) -> list[str]:
    """Both quilts side by side; cells of ``marked`` as ``@``."""
    board = engine.machine.board
    left, right = (draw(board, state.number("quilt", who), marked) for who in (0, 1))
    width = max(board.columns, len("player 0"))
    return [f"{'player 0':<{width}}   player 1", *(f"{a:<{width}}   {b}" for a, b in zip(left, right, strict=True))]


def draw(board: Board, quilt: int, marked: int = 0) -> list[str]:
    rows = rows_of(quilt | marked, board)
    for cell in cells_of(marked):
        row, column = divmod(cell, board.columns)
        rows[row] = rows[row][:column] + "@" + rows[row][column + 1 :]
    return rows
