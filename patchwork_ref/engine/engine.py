"""The public face: plays a Machine with a back end, translating actions and states in and out."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from patchwork_ref.engine.compile import Backend, Option, compiled
from patchwork_ref.engine.interpreter import Interpreter
from patchwork_ref.engine.used import refusers
from patchwork_ref.errors import IllegalAction, SetupError
from patchwork_ref.machine.model import Domain, Machine
from patchwork_ref.machine.play import Action, Change, Firing, Refusal, Score, Step
from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import Layout, State
from patchwork_ref.polyomino import cells_of, mask_of


class Engine:
    """An engine for one Machine. States are immutable: every operation returns a new one.

    ``backend`` is "compiled" (generated Python) or "interpreted" (the nodes walked plainly, some thirty times slower).
    """

    def __init__(self, machine: Machine, backend: Literal["compiled", "interpreted"] = "compiled") -> None:
        self.machine = machine
        self.layout = Layout.of(machine)
        self.backend: Backend = Interpreter(machine, self.layout) if backend == "interpreted" else compiled(machine, self.layout)
        self._numbers = {patch.name: i for i, patch in enumerate(machine.patches) if patch.regular}

    @cached_property
    def _forms(self) -> dict[str, tuple[int, int | None]]:
        """By type of action: the form, and the one that is sent without cells."""
        found: dict[str, tuple[int, int | None]] = {}
        for kind in dict.fromkeys(form.type for form in self.machine.actions):
            forms = [i for i, form in enumerate(self.machine.actions) if form.type == kind]
            bare = [i for i in forms if self.machine.actions[i].discards]
            found[kind] = next((i for i in forms if i not in bare), forms[0]), bare[0] if bare else None
        return found

    @cached_property
    def _refusers(self) -> list[list[tuple[str, str]]]:
        return [refusers(form, self.machine) for form in self.machine.actions]

    def start(self, setup: Setup) -> State:
        """The first state. Raises SetupError when the circle names a patch that is not there or stands twice."""
        numbers = []
        for patch in setup.circle:
            number = self._numbers.get(patch)
            if number is None:
                raise SetupError(f"the circle names {patch!r}, which is no patch of this rulebook")
            numbers.append(number)
        if len(set(numbers)) != len(numbers):
            raise SetupError("the circle names a patch twice")
        given = {"circle": tuple(numbers), "neutral_token": setup.neutral_token, "first_player": setup.first_player}
        return State(self.backend.start(*(given.get(name) for name in self.machine.givens)), self.layout)

    def neutral_token(self, setup: Setup) -> int:
        """The index in the circle as laid out of the first patch on offer."""
        return setup.circle.index(self.machine.patches[self.start(setup).circle()[0]].name)

    def legal(self, state: State) -> tuple[Action, ...]:
        """Every legal action, sorted by type, patch and cells; none when the game is over."""
        return tuple(sorted((a for option in self.backend.options(state.values) for a in self.actions(option)), key=lambda a: a.key))

    def count(self, state: State) -> int:
        """How many legal actions there are, without listing them."""
        return sum(option[3].bit_count() for option in self.backend.options(state.values))

    def actions(self, option: Option) -> list[Action]:
        """The actions that a back end's option stands for, by ascending cell lists."""
        return [self.action(option, index) for index in (cells_of(option[3]) if option[2] is not None else (0,))]

    def action(self, option: Option, index: int) -> Action:
        """One of them, by its bit."""
        form, patch, table, _ = option
        entry = self.machine.actions[form]
        cells = cells_of(table.masks[index]) if table is not None else (() if entry.discards else None)
        return Action(entry.type, self.machine.patches[patch].name if patch is not None else None, cells)

    def explain(self, state: State, action: Action) -> Refusal | None:
        """Why the action is illegal: the first rule that refuses it; None when it is legal."""
        return self._resolved(state, action)[0]

    def apply(self, state: State, action: Action) -> State:
        """The state after an action. Raises IllegalAction."""
        form, patch, cells = self._legal(state, action)
        return State(self.backend.run(form, state.values, patch, cells), self.layout)

    def attempt(self, state: State, action: Action) -> State | None:
        """The same; None when the action is illegal."""
        refusal, form, patch, cells = self._resolved(state, action)
        return State(self.backend.run(form, state.values, patch, cells), self.layout) if refusal is None else None

    def step(self, state: State, action: Action) -> Step:
        """The same with the rules that fired and what each changed. Raises IllegalAction."""
        form, patch, cells = self._legal(state, action)
        values, raw = self.backend.record(form, state.values, patch, cells)
        firings = []
        for rule, changes in raw:
            kept = tuple(Change(*self.layout.names[at], old, new) for at, old, new in sorted(changes, key=lambda c: c[0]) if old != new)
            firings.append(Firing(rule, kept))
        return Step(action, State(values, self.layout), tuple(firings))

    def is_over(self, state: State) -> bool:
        return self.backend.over(state.values)

    def score(self, state: State) -> Score:
        """Totals, their parts and the winner, by the state as it is; final when the game is over."""
        return Score(self.backend.totals(state.values), self.backend.parts(state.values), self.backend.winner(state.values))

    def _legal(self, state: State, action: Action) -> tuple[int, int | None, int | None]:
        refusal, form, patch, cells = self._resolved(state, action)
        if refusal is not None:
            raise IllegalAction(refusal.rule, refusal.code, refusal.detail)
        return form, patch, cells

    def _resolved(self, state: State, action: Action) -> tuple[Refusal | None, int, int | None, int | None]:
        """The form that an action belongs to and its choices as numbers, with the refusal if it is illegal."""
        if action.type not in self._forms:
            return Refusal("protocol/action-type", "unknown", f"no action is of type {action.type!r}"), 0, None, None
        form, bare = self._forms[action.type]
        if bare is not None and action.cells == ():
            form = bare
        entry = self.machine.actions[form]
        patch, cells, foreign = None, None, {}
        for name, domain in entry.choices:
            if name == "patch":
                patch = self._numbers.get(action.patch or "")
                if patch is None:
                    foreign["patch"] = (domain, domain.outside, f"there is no patch {action.patch!r}")
                    patch = -1
            else:
                cells, problem = self._mask(action, domain)
                if problem is not None:
                    foreign["cells"] = problem
        failed = self.backend.check(form, state.values, patch, cells)
        if failed is None and not foreign:
            return None, form, patch, cells
        rule, code = self._refusers[form][failed] if failed is not None else ("", "")
        for domain, other, detail in foreign.values():
            if failed is None or domain.name == rule:
                return Refusal(domain.name, other, detail), form, patch, cells
        return Refusal(rule, code, self._says(rule)), form, patch, cells

    def _mask(self, action: Action, domain: Domain) -> tuple[int, tuple[Domain, str, str] | None]:
        """The cells as a mask; what is no set of cells of the board becomes one that no placement has."""
        cells = action.cells or ()
        outside = [c for c in cells if not 0 <= c < self.machine.board.cells]
        if outside:
            return 0, (domain, domain.outside, f"cell {outside[0]} is not on the board")
        if len(set(cells)) != len(cells):
            return 0, (domain, domain.refuse, "a cell stands twice")
        return mask_of(cells), None

    def _says(self, rule: str) -> str:
        found = self.machine.rules.get(rule)
        return found.says if found is not None else ""
