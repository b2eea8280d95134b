"""The translation put to a state with known values: everything then simplifies to values, which tests compare with what
an engine does. The order of a list is beyond it; lists come out as sets."""

from __future__ import annotations

from collections.abc import Mapping

import z3

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import Type
from patchwork_ref.machine.model import ActionForm, Machine
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.state import Cell, State
from patchwork_ref.polyomino import mask_of
from patchwork_ref.symbolic.measures import Unsupported
from patchwork_ref.symbolic.terms import ORDER, Circle, Marks, Maybe, Seat, Terms, Value, World
from patchwork_ref.symbolic.transition import legality, run
from patchwork_ref.symbolic.translate import Translator

Fields = Mapping[tuple[str, int | None], Cell]


class Concrete:
    """A machine's translation applied to known states."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.terms = machine, Terms(machine)
        self.translator = Translator(self.terms)
        self.kinds = {f.name: f.type for f in (*machine.shared, *machine.player)}

    def step(self, state: State, action: Action) -> tuple[bool, Fields]:
        """Whether an action of the player to move is legal (its cells asked for their number alone), and the fields
        after it; a list of patches as the mask of its members."""
        self.terms.places.clear()
        form = self.form(action)
        world, names = self.world(state), self.chosen(form, action)
        me = state.number("turn")
        legal, names, _ = legality(self.translator, form, me, world, names)
        after = World(self.terms, dict(world.now), world.now)
        inner = dict(names)
        for name, node in form.values:
            inner[name] = self.translator.value(node, after, inner)
        for step in form.steps:
            run(self.translator, step, after, inner)
        return bool(self.known(legal, state)), {key: self.cell(value, state) for key, value in after.now.items()}

    def truth(self, node: t.Expr, after: State, before: State | None = None, action: Action | None = None) -> bool:
        """The truth of a property's body in a state, or after a step."""
        self.terms.places.clear()
        start = self.world(before if before is not None else after)
        world = World(self.terms, self.world(after).now, start.now)
        names: dict[str, Value] = {}
        if action is not None and before is not None:
            names = {"me": Seat(before.number("turn")), **self.chosen(self.form(action), action)}
        return bool(self.known(self.translator.value(node, world, names), before if before is not None else after))

    def form(self, action: Action) -> ActionForm:
        return next(f for f in self.machine.actions if f.type == action.type and f.discards == (action.cells == ()))

    def chosen(self, form: ActionForm, action: Action) -> dict[str, Value]:
        names: dict[str, Value] = {}
        for name, _ in form.choices:
            if name == "patch":
                names[name] = self.translator.named(action.patch or "")
            else:
                names[name] = z3.BitVecVal(mask_of(action.cells or ()), self.terms.cells)
        return names

    def world(self, state: State) -> World:
        """A state as terms that are all known, but for the order of lists."""
        now = {key: self.value(self.kinds[key[0]], value) for key, value in zip(state.layout.names, state.values, strict=True)}
        return World(self.terms, now, now)

    def value(self, kind: Type, value: Cell) -> Value:
        match kind:
            case Type.PLAYER:
                return Seat(int(value))  # type: ignore[arg-type]
            case Type.MAYBE_PLAYER:
                return Maybe(value is not None, Seat(int(value) if isinstance(value, int) else 0))
            case Type.SPACES:
                return Marks({mark: bool(int(value) >> mark & 1) for mark in self.terms.marks})  # type: ignore[arg-type]
            case Type.REGION:
                return z3.BitVecVal(value, self.terms.cells)
            case Type.PATCHES:
                return z3.BitVecVal(value, self.terms.patches)
            case Type.CIRCLE:
                assert isinstance(value, tuple)
                return Circle(z3.Const(f"order {value}", ORDER), z3.BitVecVal(mask_of(value), self.terms.patches))
            case Type.PATCH:
                return self.terms.patch(int(value))  # type: ignore[arg-type]
        return value

    def known(self, term: Value, state: State) -> int | bool:
        """The value of a term, the places of patches in the state's list put in."""
        if isinstance(term, (bool, int)):
            return term
        circle = state.circle()
        places = []
        for _, patch, place in self.terms.places:
            number = patch.index
            places.append((place, z3.IntVal(circle.index(number) if number in circle else len(circle))))
        found = z3.simplify(z3.substitute(term, *places))
        if z3.is_true(found) or z3.is_false(found):
            return bool(z3.is_true(found))
        if z3.is_int_value(found) or z3.is_bv_value(found):
            return int(found.as_long())
        raise Unsupported(f"a value for {str(found)[:60]}")

    def cell(self, value: Value, state: State) -> Cell:
        match value:
            case Seat():
                return int(value)
            case Maybe():
                return int(self.known(value.who, state)) if self.known(value.some, state) else None
            case Marks():
                return sum(1 << mark for mark, held in value.holds.items() if self.known(held, state))
            case Circle():
                return self.known(value.members, state)
        return self.known(value, state)
