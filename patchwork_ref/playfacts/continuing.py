"""Question 3: from this state of a game, is there a legal continuation, the opponent cooperating, that fills a square?

*Possible* is a continuation that the engine has played. *Impossible* is said only when question 1, or question 2 with
all income granted, says so for both players. Everything else is unknown: the search here follows a few plans and proves nothing.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from patchwork_ref.engine import Engine
from patchwork_ref.engine.replay import replay
from patchwork_ref.errors import InputError
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action, Trace
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import bits, cells_of, squares
from patchwork_ref.tiling.answers import Placement, Possible, Unknown
from patchwork_ref.tiling.income import with_income
from patchwork_ref.tiling.question import SPECIAL, Piece, Question
from patchwork_ref.tiling.search import Limits, search

ASKS = "play: is there a legal continuation, the opponent cooperating, after which a square is filled"


@dataclass(frozen=True, slots=True)
class Continuation:
    """``trace`` is the whole game with the continuation, when possible; ``note`` says what was decided how."""

    verdict: str
    trace: Trace | None
    added: int
    note: str


def continued(machine: Machine, trace: Trace, seconds: float = 10.0, seed: int = 0) -> Continuation:
    """Answers question 3 for the state at the end of a trace, which is played by the Machine's rules.

    Raises InputError when the trace is no legal beginning of a game, SetupError when it cannot be started.
    """
    if trace.numbers:
        raise InputError("the trace has numbers of its own; question 3 is answered for the rulebook's")
    engine = Engine(machine)
    replayed = replay(engine, trace.setup, trace.actions)
    if replayed.refusal is not None:
        raise InputError(f"action {replayed.refused_at} of the trace is illegal ({replayed.refusal.rule}); give a legal beginning of a game")
    state, side = replayed.state, machine.constants["tile_side"].value
    if not isinstance(side, int):
        raise InputError("this rulebook asks for no square")
    if _filled(machine, state, side):
        return Continuation("possible", trace, 0, "a square is filled already")
    deadline, open_questions = time.monotonic() + seconds, False
    for who in sorted((0, 1), key=lambda player: player != state.get("turn")):
        asked = _question(machine, state, who, side)
        for question in (_budgeted(machine, state, who, asked), asked):
            answer = search(question, Limits(seconds=max(0.01, min(seconds / 4, deadline - time.monotonic()))))
            if isinstance(answer, Possible):
                open_questions = True
                found = _played(engine, state, who, side, answer.placements, deadline, random.Random(seed))
                if found is not None:
                    return Continuation("possible", Trace(trace.ruleset, trace.readings, trace.setup, (*trace.actions, *found)), len(found), f"by player {who}")
            elif isinstance(answer, Unknown):
                open_questions = True
            else:
                break  # not even with all income granted, or not even by geometry
    if open_questions:
        return Continuation("unknown", None, 0, "the patches suffice, or may; no continuation was found")
    return Continuation("impossible", None, 0, "for neither player do patches, buttons and spaces suffice (question 2 with all income granted)")


def _filled(machine: Machine, state: State, side: int) -> bool:
    return any(square & ~state.number("quilt", who) == 0 for who in (0, 1) for square in squares(machine.board, side))


def _question(machine: Machine, state: State, who: int, side: int) -> Question:
    """Question 1 for a player, with all patches and special patches that nobody has."""
    pieces = tuple((p.name, Piece(p.shape, p.numbers["cost"], p.numbers["time"], p.numbers["income"])) for i, p in enumerate(machine.patches) if i in state.circle())
    specials = state.number("special_spaces").bit_count() + state.number("pending", who)
    return Question(machine.board, state.number("quilt", who), side, pieces, specials, bool(machine.constants["flips"].value))


def _budgeted(machine: Machine, state: State, who: int, asked: Question) -> Question:
    """Question 2 with budgets that no continuation can exceed."""
    last, marks, space = machine.constants["last_space"].value, machine.constants["income_spaces"].value, state.number("space", who)
    assert isinstance(last, int) and isinstance(marks, tuple)
    payments = sum(1 for mark in marks if isinstance(mark, int) and mark >= space)  # a reading pays on leaving
    question = replace(asked, buttons=state.number("buttons", who), spaces=last - space)
    return with_income(question, state.number("income", who), payments)


def _played(engine: Engine, state: State, who: int, side: int, plan: tuple[Placement, ...], deadline: float, source: random.Random) -> tuple[Action, ...] | None:
    """Random games in which one player buys nothing but the plan's patches, onto their cells, and the other anything."""
    where = {placed.patch: cells_of(placed.mask) for placed in plan if placed.patch != SPECIAL}
    free = [cells_of(placed.mask) for placed in plan if placed.patch == SPECIAL]
    while time.monotonic() < deadline:
        now, actions, holes = state, list[Action](), list(free)
        while time.monotonic() < deadline:  # a changed rulebook can be endless
            options = list(_options(engine, now, who, where, holes))
            if not options:
                break
            action = source.choice(options)
            if action.type == "special" and action.cells in holes:
                holes.remove(action.cells)
            now = engine.apply(now, action)
            actions.append(action)
            if _filled(engine.machine, now, side):
                return tuple(actions)
    return None


def _options(engine: Engine, state: State, who: int, where: dict[str, tuple[int, ...]], holes: list[tuple[int, ...]]) -> Iterator[Action]:
    """What the plan lets the player to move do; purchases of the plan twice, so that they are tried more often."""
    mover, machine = state.number("turn"), engine.machine
    kept = {cell for cells in (*where.values(), *holes) for cell in cells}
    for option in engine.backend.options(state.values):
        form, patch, table, held = option
        if machine.actions[form].type == "special" and table is not None:
            spots = [cells_of(table.masks[bit]) for bit in bits(held)]
            planned = [cells for cells in spots if cells in holes] if mover == who else spots
            chosen = planned or [cells for cells in spots if not set(cells) & kept] or spots
            yield Action("special", None, chosen[0])
        elif patch is None or table is None:
            yield engine.action(option, 0)
        elif mover != who:
            yield engine.action(option, next(iter(bits(held))))
        elif (cells := where.get(machine.patches[patch].name)) is not None:
            yield from (Action("buy", machine.patches[patch].name, cells) for _ in range(3) if any(cells_of(table.masks[bit]) == cells for bit in bits(held)))
