"""JSON for actions and traces: what files hold and what is sent, one object a line, keys sorted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from patchwork_ref.errors import InputError
from patchwork_ref.machine.play import Action, Trace
from patchwork_ref.machine.setup import Setup

FORMAT = 1
"""Of traces and fixtures."""


def dumps(value: object) -> str:
    """One canonical line: sorted keys, no spaces, no escapes that are not needed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def loads(text: str, what: str) -> Any:
    """The value of a JSON text. Raises InputError that says what could not be read."""
    try:
        return json.loads(text)
    except RecursionError:
        raise InputError(f"{what}: not JSON: nested too deep") from None
    except ValueError as error:
        raise InputError(f"{what}: not JSON: {error}") from None


def action_to_json(action: Action) -> dict[str, Any]:
    """The protocol's form; only the fields that the action has."""
    found: dict[str, Any] = {"type": action.type}
    if action.patch is not None:
        found["patch"] = action.patch
    if action.cells is not None:
        found["cells"] = list(action.cells)
    return found


def action_from_json(value: object, what: str = "the action") -> Action:
    """Raises InputError when it is no action of the protocol."""
    if not isinstance(value, Mapping) or not isinstance(value.get("type"), str):
        raise InputError(f"{what} has no type; write {{\"type\": ...}}")
    patch, cells = value.get("patch"), value.get("cells")
    if patch is not None and not isinstance(patch, str):
        raise InputError(f"{what}: patch is not a text")
    if cells is not None and (not isinstance(cells, (list, tuple)) or not all(isinstance(c, int) and not isinstance(c, bool) for c in cells)):
        raise InputError(f"{what}: cells is not a list of integers")
    return Action(value["type"], patch, None if cells is None else tuple(sorted(cells)))


def setup_to_json(setup: Setup, numbers: Mapping[str, object] | None = None) -> dict[str, Any]:
    """What the table decides, and the numbers of a custom set-up."""
    found: dict[str, Any] = {**(numbers or {}), "circle": list(setup.circle), "first_player": setup.first_player}
    if setup.neutral_token is not None:
        found["neutral_token"] = setup.neutral_token
    return found


def trace_to_json(trace: Trace) -> dict[str, Any]:
    """A trace as one JSON object."""
    found: dict[str, Any] = {
        "format": FORMAT, "kind": "trace", "ruleset": trace.ruleset, "readings": dict(trace.readings),
        "setup": setup_to_json(trace.setup, trace.numbers), "actions": [action_to_json(a) for a in trace.actions],
    }
    if trace.scores is not None:
        found |= {"scores": list(trace.scores), "winner": trace.winner}
    if trace.seed is not None:
        found["seed"] = trace.seed
    return found


def trace_from_json(value: object, what: str = "the trace") -> Trace:
    """Raises InputError with one line about the first thing that is not as it should be."""
    if not isinstance(value, Mapping):
        raise InputError(f"{what} is not a JSON object")
    if value.get("format", FORMAT) != FORMAT:
        raise InputError(f"{what} has format {value.get('format')!r}; this version reads format {FORMAT}")
    setup, actions = value.get("setup"), value.get("actions")
    if not isinstance(setup, Mapping) or not isinstance(setup.get("circle"), list) or not all(isinstance(p, str) for p in setup["circle"]):
        raise InputError(f"{what} has no setup with a circle of patch ids")
    if not isinstance(actions, list):
        raise InputError(f"{what} has no list of actions")
    first, token = setup.get("first_player", 0), setup.get("neutral_token")
    if first not in (0, 1) or isinstance(first, bool) or (token is not None and (not isinstance(token, int) or isinstance(token, bool))):
        raise InputError(f"{what}: first_player is 0 or 1, neutral_token an integer")
    readings = value.get("readings", {})
    if not isinstance(readings, Mapping) or not all(isinstance(r, str) for r in readings.values()):
        raise InputError(f"{what}: readings is not a map of texts")
    scores = value.get("scores")
    return Trace(
        ruleset=value.get("ruleset"), readings=dict(readings), setup=Setup(tuple(setup["circle"]), token, int(first)),
        actions=tuple(action_from_json(a, f"{what}, action {i}") for i, a in enumerate(actions, 1)),
        scores=(scores[0], scores[1]) if isinstance(scores, list) and len(scores) == 2 else None,
        winner=value.get("winner"), seed=value.get("seed"),
        numbers={k: v for k, v in setup.items() if k not in ("circle", "first_player", "neutral_token", "ruleset", "readings")},
    )
