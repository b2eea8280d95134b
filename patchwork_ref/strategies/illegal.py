"""Near-misses: actions that the rules refuse though little is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import reject
from hypothesis import strategies as st

from patchwork_ref.engine import Engine
from patchwork_ref.machine.play import Action, Refusal
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import cells_of
from patchwork_ref.polyomino import placements as all_placements
from patchwork_ref.strategies.common import Rules, constant, engine_of, flips_of
from patchwork_ref.strategies.states import states

NearMiss = tuple[State, Action, Refusal]


def near_misses(engine: Engine, state: State) -> Iterator[tuple[Action, Refusal]]:
    """Illegal actions in a state, each with the rule that refuses it; few of each kind.

    Among them: one button short, a patch just outside the offer, one cell over another patch, one past the edge, a cell
    missing or too many, a special patch that nobody won, anything while one waits, anything after the end.
    """
    seen: set[Action] = set()
    for action in _attempts(engine, state):
        if action not in seen and (refusal := engine.explain(state, action)) is not None:
            seen.add(action)
            yield action, refusal


def illegal_actions(rules: Rules = None, *, code: str | None = None, rule: str | None = None) -> st.SearchStrategy[NearMiss]:
    """(state, action, refusal): a state of a game and a near-miss there, refused with this code or by this rule if named."""
    engine = engine_of(rules)

    @st.composite
    def missed(draw: st.DrawFn) -> NearMiss:
        state = draw(states(engine))
        found = [(a, r) for a, r in near_misses(engine, state) if (code is None or r.code == code) and (rule is None or r.rule == rule)]
        if not found:
            reject()
        by_code = sorted({r.code for _, r in found})
        wanted = draw(st.sampled_from(by_code))
        action, refusal = draw(st.sampled_from([(a, r) for a, r in found if r.code == wanted]))
        return state, action, refusal

    return missed()


def _attempts(engine: Engine, state: State) -> Iterator[Action]:
    machine = engine.machine
    board = machine.board
    turn = state.number("turn")
    quilt = state.number("quilt", turn)
    free = [c for c in range(board.cells) if not quilt >> c & 1]
    yield Action("advance")
    if free:
        yield Action("special", None, (free[0],))
    if quilt:
        yield Action("special", None, (cells_of(quilt)[0],))
    yield Action("special", None, (board.cells,))
    yield Action("special", None, ())
    yield Action("x-unknown")
    circle = state.circle()
    offer = constant(machine, "offer_size", 1)
    near = [*circle[:offer], *circle[offer : offer + 1], *circle[-1:]]
    for number in dict.fromkeys(near):
        patch = machine.patches[number]
        masks = all_placements(patch.shape, board, flips_of(machine))
        open_masks = [m for m in masks if not m & quilt]
        for mask in open_masks[:1]:
            cells = cells_of(mask)
            yield Action("buy", patch.name, cells)
            yield Action("buy", patch.name, cells[:-1])
            yield Action("buy", patch.name, (*cells, *[c for c in free if c not in cells][:1]))
            yield Action("buy", patch.name, (*cells[:-1], cells[-2] if len(cells) > 1 else cells[-1]))
            yield Action("buy", patch.name, (*cells[:-1], board.cells))
            yield Action("buy", patch.name, tuple(sorted((*cells[:-1], (cells[-1] + 1) % board.cells))))
        touching = sorted((m for m in masks if m & quilt), key=lambda m: (m & quilt).bit_count())
        for mask in touching[:2]:
            yield Action("buy", patch.name, cells_of(mask))
    yield Action("buy", "x-unknown", (0,))
