"""A solver's model as a state and an action. What the lemmas left open about counts and shapes is first made exact."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count

import z3

from patchwork_ref.lang.types import Type
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.state import Cell, Layout, State
from patchwork_ref.polyomino import cells_of, placements
from patchwork_ref.symbolic.measures import counted
from patchwork_ref.symbolic.obligations import Obligation
from patchwork_ref.symbolic.results import Counterexample
from patchwork_ref.symbolic.solving import CaseSolver
from patchwork_ref.symbolic.terms import Circle, Maybe, Value, World, neg

PATIENCE = 15_000
"""Milliseconds for one question here: there are few of them, and each answer is worth more than a quick one."""
ATTEMPTS = 4
"""How many different patches are tried for a witness that fits exactly."""


def counterexample(solver: CaseSolver, obligation: Obligation, assume: Collection[str]) -> Counterexample:
    """A state, and an action for a step, that meet the assumptions and violate the goal."""
    asked = solver.solver
    goal = solver.goal(obligation)
    solver.flush()
    literals = [solver.assumed[name] for name in assume if name in solver.assumed and obligation.case.moment != "setup"]
    asked.set("timeout", max(solver.timeout, PATIENCE))
    asked.push()
    try:
        solver.require(neg(goal))
        first: z3.ModelRef | None = None
        for plain in _plainer(solver):
            asked.push()
            try:
                asked.add(*plain)
                model, exact = _model(solver, literals)
                first = first if first is not None else model
                if model is not None and exact:
                    return _told(solver, obligation, model, True)
            finally:
                asked.pop()
        return _told(solver, obligation, first, False) if first is not None else Counterexample(str(obligation.case), None, None, False)
    finally:
        asked.pop()
        asked.set("timeout", solver.timeout)


def _plainer(solver: CaseSolver) -> Iterator[list[z3.BoolRef]]:
    """What makes a state easier to read and to fit: empty quilts first, then one of them, then any."""
    kinds = {f.name: f.type for f in solver.machine.player}
    sets = {who: [value == 0 for (name, owner), value in solver.start.now.items() if owner == who and kinds[name] in (Type.REGION, Type.PATCHES)] for who in (0, 1)}
    if solver.case.moment != "setup":
        yield [*sets[0], *sets[1]]
        yield sets[0]
        yield sets[1]
    yield []


def _model(solver: CaseSolver, literals: list[z3.BoolRef]) -> tuple[z3.ModelRef | None, bool]:
    """A model of what the solver holds, exact if one of a few patches allows it."""
    asked = solver.solver
    first: z3.ModelRef | None = None
    asked.push()
    try:
        for _ in range(ATTEMPTS):
            if asked.check(*literals) != z3.sat:
                break
            model = asked.model()
            first = first if first is not None else model
            for pinned in (True, False):
                found = _exact(solver, model, literals, pinned)
                if found is not None:
                    return found, True
            if "patch" not in solver.names:
                break
            bits = solver.names["patch"].bits
            asked.add(bits != model.eval(bits, model_completion=True))
        return first, False
    finally:
        asked.pop()


def _exact(solver: CaseSolver, model: z3.ModelRef, literals: list[z3.BoolRef], pinned: bool) -> z3.ModelRef | None:
    """A model with the same patch in which every count is a count and the cells are a placement.

    ``pinned`` keeps the numbers of the first model, which is quicker and may fail.
    """
    asked = solver.solver
    asked.push()
    try:
        for term, found in list(solver.terms.sets.applied.values()):
            weights = next(w for (i, w), (t, f) in solver.terms.sets.applied.items() if f is found)
            items = counted(term, weights)
            if pinned:
                value = model.eval(found, model_completion=True)
                asked.add(found == value)
                asked.add(z3.PbEq(items, value.as_long()) if items else value == 0)
            else:
                asked.add(found == z3.Sum([z3.If(held, w, 0) for held, w in items]))
        index = _patch(solver, model)
        if "patch" in solver.names:
            asked.add(solver.names["patch"].bits == solver.terms.patch(index).bits)
        _listed(solver, index)
        for patch, region, flips in solver.terms.fit_tests:
            bits = model.eval(patch.bits, model_completion=True)
            fitting = _fits(solver.machine, cells_of(bits.as_long())[0], bool(flips), region)
            asked.add(patch.bits == bits, solver.terms.fits(bits, region, z3.BoolVal(bool(flips))) == fitting)
        for machine, placing, cells, named in solver.terms.placed_tests:
            number = placing.patch.index if placing.patch.index is not None else index
            masks = placements(machine.patches[number].shape, machine.board, bool(placing.flips))
            asked.add(named == z3.Or([cells == z3.BitVecVal(mask, cells.size()) for mask in masks]))
        return asked.model() if asked.check(*literals) == z3.sat else None
    finally:
        asked.pop()


def _patch(solver: CaseSolver, model: z3.ModelRef) -> int:
    if "patch" not in solver.names:
        return 0
    return cells_of(model.eval(solver.names["patch"].bits, model_completion=True).as_long())[0]


def _listed(solver: CaseSolver, index: int) -> None:
    """The cells are one of the placements of the patch that they are to be a placement of."""
    if solver.move is None:
        return
    for placing in solver.move.domains:
        number = placing.patch.index if placing.patch.index is not None else index
        if isinstance(placing.flips, bool):
            masks = placements(solver.machine.patches[number].shape, solver.machine.board, placing.flips)
            solver.solver.add(z3.Or([solver.names["cells"] == z3.BitVecVal(mask, solver.terms.cells) for mask in masks]))


def _fits(machine: Machine, index: int, flips: bool, region: z3.BitVecRef) -> z3.BoolRef:
    masks = placements(machine.patches[index].shape, machine.board, flips)
    return z3.Or([region & z3.BitVecVal(mask, region.size()) == 0 for mask in masks])


def _told(solver: CaseSolver, obligation: Obligation, model: z3.ModelRef, exact: bool) -> Counterexample:
    state = state_of(solver, model, solver.start)
    if obligation.case.moment != "step":
        return Counterexample(str(obligation.case), state, None, exact)
    return Counterexample(str(obligation.case), state, action_of(solver, model), exact)


def action_of(solver: CaseSolver, model: z3.ModelRef) -> Action:
    """The action that a model chose."""
    form = solver.form
    patch = solver.machine.patches[_patch(solver, model)].name if "patch" in solver.names else None
    if "cells" in solver.names:
        return Action(form.type, patch, cells_of(model.eval(solver.names["cells"], model_completion=True).as_long()))
    return Action(form.type, patch, () if form.discards else None)


def state_of(solver: CaseSolver, model: z3.ModelRef, world: World) -> State:
    """The state that a model gives to a world."""
    kinds = {f.name: f.type for f in (*solver.machine.shared, *solver.machine.player)}
    layout = Layout.of(solver.machine)
    return State(tuple(_cell(solver, model, kinds[name], world.now[name, who]) for name, who in layout.names), layout)


def _cell(solver: CaseSolver, model: z3.ModelRef, kind: Type, value: Value) -> Cell:
    def truth(term: Value) -> bool:
        return term if isinstance(term, bool) else z3.is_true(model.eval(term, model_completion=True))

    def seat(term: Value) -> int:
        return int(term) if isinstance(term, int) else int(truth(term))

    match kind:
        case Type.INTEGER:
            return value if isinstance(value, int) else int(model.eval(value, model_completion=True).as_long())
        case Type.TRUTH:
            return truth(value)
        case Type.PLAYER:
            return seat(value)
        case Type.MAYBE_PLAYER:
            found = value if isinstance(value, Maybe) else Maybe(True, value)
            return seat(found.who) if truth(found.some) else None
        case Type.SPACES:
            return sum(1 << int(mark) for mark, held in value.holds.items() if truth(held))
        case Type.CIRCLE:
            return _order(solver, model, value)
        case Type.PATCH:
            return cells_of(model.eval(value.bits, model_completion=True).as_long())[0]
    return int(model.eval(value, model_completion=True).as_long())


def _order(solver: CaseSolver, model: z3.ModelRef, circle: Circle) -> tuple[int, ...]:
    """A list with the members of the model, each patch whose place was asked at that place."""
    members = list(cells_of(model.eval(circle.members, model_completion=True).as_long()))
    fixed: dict[int, int] = {}
    for other, patch, place in solver.terms.places:
        if other.order.eq(circle.order):
            index = cells_of(model.eval(patch.bits, model_completion=True).as_long())[0]
            at = model.eval(place, model_completion=True).as_long()
            if index in members and 0 <= at < len(members):
                fixed.setdefault(at, index)
    rest = iter([m for m in members if m not in fixed.values()])
    return tuple(fixed[i] if i in fixed else next(rest) for i, _ in zip(count(), members, strict=False))
