"""The declared properties, checked on states, steps and finished games with compiled expressions.

The checker plays nothing: whoever plays hands it what came out, so that it can watch any engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from patchwork_ref.engine.compile import Backend, compiled, names_for
from patchwork_ref.engine.emit import Emitter, Scope
from patchwork_ref.engine.fold import simplified
from patchwork_ref.errors import InputError
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import Type
from patchwork_ref.machine.build_properties import CHOICES
from patchwork_ref.machine.model import ActionForm, Machine, Property
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.state import Layout, State
from patchwork_ref.polyomino import mask_of

Names = tuple[str, ...]


class PropertyChecker:
    """Says which declared properties a state, a step or a finished game violates, by name in the order of the rulebook.

    States must have every field of the rulebook's state (the layout of ``Engine``); some 5,000 steps a second.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine, self.layout = machine, Layout.of(machine)
        self._backend: Backend = compiled(machine, self.layout)
        self._forms = {(form.type, form.discards): i for i, form in enumerate(machine.actions)}
        self._numbers = {patch.name: i for i, patch in enumerate(machine.patches)}
        self._order = {name: i for i, name in enumerate(machine.properties)}
        self._possible = [
            (p, frozenset(i for i, form in enumerate(machine.actions) if form.name in p.actions)) for p in machine.properties.values() if p.kind == "possible"
        ]
        self.source = _Writer(machine, self.layout).module()
        names: dict[str, Any] = names_for(machine)
        exec(compile(self.source, f"<properties of {machine.digest}>", "exec"), names)
        self._start: Callable[..., list[str]] = names["start"]
        self._always: Callable[..., list[str]] = names["always"]
        self._end: Callable[..., list[str]] = names["end"]
        self._asks: Callable[..., list[str]] = names["asks"]
        self._steps: list[tuple[Callable[..., list[str]], Callable[..., list[str]]]] = names["STEPS"]

    def start(self, state: State) -> Names:
        """What a first state violates, bounds on the length of a game included."""
        return self._sorted([*self._start(state.values), *self.state(state)])

    def state(self, state: State) -> Names:
        """What a state violates: what is always so, and what must be possible then."""
        values = state.values
        violated = self._always(values)
        asked = self._asks(values)
        if asked:
            legal = {option[0] for option in self._backend.options(values)}
            violated += [p.name for p, forms in self._possible if p.name in asked and not forms & legal]
        return self._sorted(violated)

    def step(self, before: State, action: Action, after: State) -> Names:
        """What the step from one state to the next violates, beyond what the second state itself does."""
        form, patch, cells = self._choices(action)
        return self._sorted(self._steps[form][bool(before.get("turn"))](before.values, after.values, patch, cells))

    def finish(self, state: State) -> Names:
        """What a finished game's last state violates."""
        return self._sorted(self._end(state.values))

    def _choices(self, action: Action) -> tuple[int, int | None, int | None]:
        """The form and the choices as numbers. Raises InputError when the machine has no such action."""
        form = self._forms.get((action.type, action.cells == ()), self._forms.get((action.type, False)))
        if form is None:
            raise InputError(f"no action is of type {action.type!r}")
        if action.patch is not None and action.patch not in self._numbers:
            raise InputError(f"no patch is called {action.patch!r}")
        return form, self._numbers.get(action.patch or ""), mask_of(action.cells) if action.cells is not None else None

    def _sorted(self, names: Iterable[str]) -> Names:
        return tuple(sorted(set(names), key=self._order.__getitem__))


class _Writer:
    """Writes the module of all properties."""

    def __init__(self, machine: Machine, layout: Layout) -> None:
        self.machine, self.layout, self.emitter = machine, layout, Emitter(machine)
        self.fields = [f"s_{n}" if who is None else f"p{who}_{n}" for n, who in layout.names]

    def module(self) -> str:
        every = list(self.machine.properties.values())
        falls = [p for p in every if p.kind == "falls"]
        lines = self.function("always(state)", [
            *((p, p.body) for p in every if p.kind == "always"), *((p, t.Compare(p.body, ((">=", t.Integer(0)),))) for p in falls),
        ])
        lines += self.function("start(state)", [(p, t.Compare(p.body, (("<=", p.within),))) for p in falls if p.within is not None])
        lines += self.function("end(state)", [(p, p.body) for p in every if p.kind == "at_end"])
        lines += self.function("asks(state)", [(p, t.Not(p.body)) for p in every if p.kind == "possible"])
        table = []
        for index, form in enumerate(self.machine.actions):
            steps = [(p, p.body) for p in every if p.kind == "each_step" and (not p.actions or form.name in p.actions)]
            steps += [(p, t.Compare(p.body, (("<", t.Before(p.body)),))) for p in falls]
            for me in "01":
                lines += self.function(f"step_{index}_{me}(before, state, patch, cells)", steps, me, form)
            table.append(f"(step_{index}_0, step_{index}_1)")
        return "\n".join([*lines, f"STEPS = [{', '.join(table)}]", ""])

    def function(self, head: str, asked: list[tuple[Property, t.Expr]], me: str | None = None, form: ActionForm | None = None) -> list[str]:
        """One function that returns the names of what does not hold."""
        scope = Scope({}, {})
        lines = [f"def {head}:", f"    ({', '.join(self.fields)},) = state"]
        if form is not None and me is not None:
            lines.append(f"    ({', '.join(f'b_{name}' for name in self.fields)},) = before")
            scope = scope.bound("me", me, Type.PLAYER)
            for name, _ in form.choices:
                scope = scope.bound(name, name, CHOICES[name])
        lines.append("    out = []")
        for declared, node in asked:
            lines.append(f"    if not {self.emitter.text(simplified(node, self.machine), scope)}: out.append({declared.name!r})")
        return [*lines, "    return out", ""]
