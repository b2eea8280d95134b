"""Our own traces: one JSON object a line."""

from __future__ import annotations

from typing import Any

from patchwork_ref.errors import InputError
from patchwork_ref.machine.codec import dumps, loads, trace_from_json, trace_to_json
from patchwork_ref.notation.game import NOTHING_CLAIMED, Claims, Game, NoGame, shown

_WHAT = "the trace"


def game_from_trace_line(text: str, line: int) -> Game:
    """Raises NoGame with the first thing that is not as it should be."""
    try:
        value = loads(text, _WHAT)
        trace = trace_from_json(value, _WHAT)
    except InputError as error:
        raise NoGame(str(error)) from None
    if trace.ruleset is not None and not isinstance(trace.ruleset, str):
        raise NoGame(f"{_WHAT}: ruleset is {shown(repr(trace.ruleset))}; write a name or null")
    return Game(line, trace, _claims(value))


def trace_line(game: Game) -> str:
    """The line without its end."""
    return dumps(trace_to_json(game.trace))


def _claims(value: dict[str, Any]) -> Claims:
    scores, winner = value.get("scores"), value.get("winner")
    if scores is None and winner is None:
        return NOTHING_CLAIMED
    whole = isinstance(scores, list) and len(scores) == 2 and all(isinstance(s, int) and not isinstance(s, bool) for s in scores)
    if scores is not None and not whole:
        raise NoGame(f"{_WHAT}: scores is {shown(repr(scores))}; write a list of two integers")
    if winner is not None and (winner not in (0, 1) or isinstance(winner, bool)):
        raise NoGame(f"{_WHAT}: winner is {shown(repr(winner))}; write 0, 1 or null")
    first, second = scores if scores is not None else (None, None)
    return Claims((first, second), winner, "winner" in value)
