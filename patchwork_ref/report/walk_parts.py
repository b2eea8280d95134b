"""A game under two readings, taken apart for those who draw it: what to lay out, each action, and what each side makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from patchwork_ref.ambiguity import Moment, Walk
from patchwork_ref.engine.engine import Engine
from patchwork_ref.machine.model import Machine, Patch
from patchwork_ref.machine.play import Change
from patchwork_ref.machine.state import State

SPECIAL = "*"
"""How a special patch is drawn on a quilt."""
ADVANCE = "advance"
RUN = 4
"""So many advances in turn become one line."""
SHOWN = {
    "buttons": True, "space": True, "income": True, "pending": True, "special_tile": True, "turn": True, "first_finisher": True,
    "quilt": False, "circle": False, "special_spaces": False,
}
"""The fields whose changes are told, and whether with their values; the others can be seen nowhere on a table."""

Pieces = tuple[dict[int, str], dict[int, str]]
"""For each player the piece on each covered cell: a patch's id, or SPECIAL."""


@dataclass(frozen=True, slots=True)
class Row:
    """An action as it is told: who acts, and the player's standing after it under both readings."""

    number: int
    mover: int
    action: str
    standing: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the game: the number of its action or actions, who does what, and what then lies before them."""

    label: str
    words: str
    standing: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One side at the end of the walk. ``facts`` are lines that stand beside the other side's; ``why`` are the rules that
    took effect in the last action, with what each changed."""

    reading: str
    state: dict[str, Any]
    pieces: Pieces
    facts: list[str]
    why: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Parts:
    """All that is drawn. ``used`` are the patches that come into play, in the order of the circle from the token on."""

    machine: Machine
    walk: Walk
    circle: tuple[str, ...]
    token: str
    used: tuple[Patch, ...]
    rows: tuple[Row, ...]
    sides: tuple[Outcome, Outcome]


def parts_of(walk: Walk, names: tuple[str, str], engines: tuple[Engine, Engine]) -> Parts:
    """Takes a walk apart; ``engines`` are those of its two readings."""
    machine = engines[0].machine
    setup = walk.setup
    token = f"the neutral token just before {setup.circle[setup.neutral_token]}" if setup.neutral_token is not None else "the neutral token where each reading puts it"
    order = walk.moments[0].states[0]["circle"]
    bought = {action.patch for action in walk.actions if action.patch is not None}
    first, other_first = (state["circle"] for state in walk.moments[0].states)
    if first != other_first:  # then the place of the token is what matters
        bought |= {circle[at] for circle in (first, other_first) for at in (0, -1)}
    used = tuple(sorted((p for p in machine.regular if p.name in bought), key=lambda p: order.index(p.name)))
    last = walk.moments[-1]
    why = _why(walk, engines)
    one, other = (Outcome(names[side], last.states[side], _pieces(walk, side), _facts(walk, last, side), why[side]) for side in (0, 1))
    return Parts(machine, walk, setup.circle, token, used, tuple(_rows(walk)), (one, other))


def lines_of(rows: Sequence[Row]) -> list[Line]:
    """A line for each action, but one for a long run of advances in turn; the last action stands alone."""
    found: list[Line] = []
    at = 0
    while at < len(rows):
        end = at
        while end < len(rows) - 1 and rows[end].action == ADVANCE and (end == at or rows[end].mover != rows[end - 1].mover):
            end += 1
        if end - at >= RUN:
            both = "; ".join(f"player {row.mover}: {row.standing[0]}" for row in rows[end - 2:end])
            found.append(Line(f"{rows[at].number}-{rows[end - 1].number}", f"both players {ADVANCE} in turn, player {rows[at].mover} first", both))
            at = end
            continue
        row = rows[at]
        found.append(Line(str(row.number), f"player {row.mover}: {row.action}", row.standing[0] if at < len(rows) - 1 else ""))
        at += 1
    return found


def standing(player: Mapping[str, Any]) -> str:
    """What lies before a player, in a few words."""
    tile = ", special tile" if player["special_tile"] else ""
    return f"buttons {player['buttons']}, space {player['space']}, income {player['income']}{tile}"


def numbers_of(patch: Patch) -> str:
    return ", ".join(f"{name} {value}" for name, value in patch.numbers.items())


def quilt_lines(pieces: Mapping[int, str], machine: Machine) -> list[str]:
    """A quilt board by rows, each covered cell with the letter of its piece."""
    board = machine.board
    return ["".join(pieces.get(row * board.columns + column, ".") for column in range(board.columns)) for row in range(board.rows)]


def _rows(walk: Walk) -> list[Row]:
    found = []
    for before, moment in zip(walk.moments, walk.moments[1:], strict=False):
        mover = before.states[0]["turn"]
        who = mover if mover is not None else 0
        found.append(Row(moment.number, who, str(moment.action), (standing(moment.states[0]["players"][who]), standing(moment.states[1]["players"][who]))))
    return found


def _pieces(walk: Walk, side: int) -> Pieces:
    """What the actions that this side allows have sewn on."""
    quilts: Pieces = ({}, {})
    for before, moment in zip(walk.moments, walk.moments[1:], strict=False):
        mover, action = before.states[side]["turn"], moment.action
        if mover is not None and action is not None and moment.refused[side] is None:
            quilts[mover].update(dict.fromkeys(action.cells or (), action.patch or SPECIAL))
    return quilts


def _facts(walk: Walk, last: Moment, side: int) -> list[str]:
    state, rule = last.states[side], last.refused[side]
    lines = [f"refused by {rule}" if rule is not None else "legal"] if any(last.refused) else []
    lines += [f"player {who}: {standing(player)}" for who, player in enumerate(state["players"])]
    waiting = state["pending_special"]
    placing = f", {waiting} special patch{'es' if waiting > 1 else ''} to place" if waiting else ""
    turn = "the game is over" if state["turn"] is None else f"player {state['turn']} moves{placing}"
    lines += [turn, f"next on offer: {' '.join(state['circle'][:6]) or 'nothing'}{' ...' if len(state['circle']) > 6 else ''}"]
    lines.append(f"special patches at {' '.join(map(str, state['special_spaces'])) or 'no space'}")
    if walk.listed is not None:
        lines.append(f"{walk.listed[side]} legal actions")
    if walk.scores is not None:
        winner = walk.scores[side]["winner"]
        lines.append(f"scores {' to '.join(map(str, walk.scores[side]['scores']))}, {'a draw' if winner is None else f'player {winner} wins'}")
    return lines


def aligned(left: list[str], right: list[str]) -> list[tuple[str, str]]:
    """Two lists beside one another, with gaps so that equal lines meet."""
    found: list[tuple[str, str]] = []
    for kind, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        one, other = left[a:b], right[c:d]
        if kind == "replace" and len(one) != len(other):
            found += [(line, "") for line in one] + [("", line) for line in other]
        else:
            found += zip_longest(one, other, fillvalue="")
    return found


def _why(walk: Walk, engines: tuple[Engine, Engine]) -> tuple[list[str], list[str]]:
    """For each side the rules that took effect in the last action, in order."""
    if not walk.actions:
        return [], []
    found = []
    for side, engine in enumerate(engines):
        state = engine.start(walk.setup)
        for action in walk.actions[:-1]:
            state = engine.apply(state, action)
        if walk.moments[-1].refused[side] is not None:
            found.append([f"{walk.moments[-1].refused[side]} refuses it"])
            continue
        step = engine.step(state, walk.actions[-1])
        found.append([f"{firing.rule}{_changed(firing.changes, state)}" for firing in step.firings])
    return found[0], found[1]


def _changed(changes: tuple[Change, ...], state: State) -> str:
    """What a rule changed, small numbers with their values."""
    words = []
    for change in changes:
        if change.field not in SHOWN:
            continue
        owner = "" if change.player is None else f"player {change.player} "
        words.append(f"{owner}{change.field.replace('_', ' ')}" + (f" {_short(change.old)} → {_short(change.new)}" if SHOWN[change.field] else ""))
    return f": {', '.join(words)}" if words else ""


def _short(value: object) -> str:
    return "nobody" if value is None else str(value).lower()
