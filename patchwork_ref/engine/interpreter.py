"""The same nodes, walked plainly: slow and obvious. It is there to be compared with the compiled module.

It shares with it only the placements of a shape and the layout of a state; regions are sets of cells here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from patchwork_ref.engine.compile import Option, RawFiring, tables_of
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import Type
from patchwork_ref.lang.walk import variables
from patchwork_ref.machine.model import ActionForm, Machine, Step
from patchwork_ref.machine.state import Layout, Values
from patchwork_ref.polyomino import cells_of, mask_of


def _compared(op: t.Comparison, a: Any, b: Any) -> bool:
    match op:
        case "<":
            return bool(a < b)
        case "<=":
            return bool(a <= b)
        case ">":
            return bool(a > b)
        case ">=":
            return bool(a >= b)
        case "==":
            return bool(a == b)
        case "!=":
            return bool(a != b)
        case "in":
            return a in b
        case "not in":
            return a not in b


class Interpreter:
    """A back end. Inside, a region, a set of spaces and a set of patches are frozensets, a list is a tuple."""

    def __init__(self, machine: Machine, layout: Layout) -> None:
        self.machine, self.layout = machine, layout
        self.kinds: dict[tuple[str, int | None], Type] = {(f.name, None): f.type for f in machine.shared}
        for who in (0, 1):
            self.kinds.update({(f.name, who): f.type for f in machine.player})
        self.tables = tables_of(machine)

    # Values in and out

    def opened(self, state: Values) -> dict[tuple[str, int | None], Any]:
        return {name: frozenset(cells_of(v)) if self.kinds[name] in _SETS else v for name, v in zip(self.layout.names, state, strict=True)}  # type: ignore[arg-type]

    def closed(self, fields: Mapping[tuple[str, int | None], Any]) -> Values:
        return tuple(mask_of(fields[name]) if self.kinds[name] in _SETS else fields[name] for name in self.layout.names)

    # The game

    def start(self, *table: object) -> Values:
        run = _Run(self, {}, {})
        for name, value in zip(self.machine.givens, table, strict=True):
            run.table[name] = value
        for name, given in self.machine.givens.items():
            if run.table[name] is None and given.otherwise is not None:
                run.table[name] = run.value(given.otherwise)
        fields: dict[tuple[str, int | None], Any] = {}
        for rule in self.machine.starts:
            for path, node in rule.starts.items():
                owner, _, name = path.rpartition(".")
                for who in (0, 1) if owner else (None,):
                    fields[name, who] = run.value(node)
        return self.closed(fields)

    def options(self, state: Values) -> list[Option]:
        found: list[Option] = []
        fields = self.opened(state)
        me = fields["turn", None]
        for number, form in enumerate(self.machine.actions):
            found += self._choices(number, form, _Run(self, fields, {"me": me}))
        return found

    def _choices(self, number: int, form: ActionForm, run: _Run) -> Iterable[Option]:
        names = [name for name, _ in form.choices]
        domains = dict(form.choices)
        for patch in sorted_patches(run.value(domains["patch"].collection)) if "patch" in names else [None]:
            chosen = run.bound("patch", patch) if patch is not None else run
            if "cells" not in names:
                if self._allowed(form, chosen, {"cells"}):
                    yield number, patch, None, 1
            elif self._allowed(form, chosen, {"cells"}):
                table = chosen.placements(domains["cells"].collection)
                legal = [k for k, mask in enumerate(table.masks) if self._allowed(form, chosen.bound("cells", frozenset(cells_of(mask))), set())]
                if legal:
                    yield number, patch, table, mask_of(legal)

    def _allowed(self, form: ActionForm, run: _Run, missing: set[str]) -> bool:
        return all(run.value(g.condition) for g in form.requires if not variables_of(g.condition, self.machine) & missing)

    def check(self, form: int, state: Values, patch: int | None, cells: int | None) -> int | None:
        entry = self.machine.actions[form]
        fields = self.opened(state)
        run = _Run(self, fields, {"me": fields["turn", None]})
        number, known = 0, {name for name, _ in entry.choices}
        asked: set[str] = set()
        for name, domain in [(None, None), *entry.choices]:
            if domain is not None and name is not None:
                if name == "patch":
                    holds = patch in run.value(domain.collection)
                    run = run.bound("patch", patch)
                else:
                    holds = cells in run.placements(domain.collection).masks
                    run = run.bound("cells", frozenset(cells_of(cells or 0)))
                if not holds:
                    return number
                number += 1
                known.discard(name)
            for guard in entry.requires:
                if guard.name in asked or variables_of(guard.condition, self.machine) & known:
                    continue
                asked.add(guard.name)
                if not run.value(guard.condition):
                    return number
                number += 1
        return None

    def run(self, form: int, state: Values, patch: int | None, cells: int | None) -> Values:
        run = self._begun(form, state, patch, cells)
        for step in self.machine.actions[form].steps:
            self._take(step, run)
        return self.closed(run.fields)

    def record(self, form: int, state: Values, patch: int | None, cells: int | None) -> tuple[Values, list[RawFiring]]:
        run = self._begun(form, state, patch, cells)
        fired: list[RawFiring] = []
        old = state
        for step in self.machine.actions[form].steps:
            self._take(step, run)
            new = self.closed(run.fields)
            changes = tuple((i, a, b) for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b)
            if changes:
                fired.append((step.name, changes))
            old = new
        return old, fired

    def _begun(self, form: int, state: Values, patch: int | None, cells: int | None) -> _Run:
        """An action with its choices made and its values worked out."""
        before = self.opened(state)
        run = _Run(self, dict(before), {"me": before["turn", None]}, before)
        if patch is not None:
            run = run.bound("patch", patch)
        if cells is not None:
            run = run.bound("cells", frozenset(cells_of(cells)))
        for name, node in self.machine.actions[form].values:
            run = run.bound(name, run.value(node))
        return run

    def _take(self, step: Step, run: _Run) -> None:
        """One step: its effects in sequence, once or for each element, under its conditions."""
        for element in [None] if step.each is None else sorted_elements(run.value(step.each[1])):
            here = run if step.each is None else run.bound(step.each[0], element)
            if all(here.value(node) for node in step.when.values()):
                for effect in step.does:
                    here.execute(effect)

    def over(self, state: Values) -> bool:
        return bool(_Run(self, self.opened(state), {}).value(self.machine.over.body))

    def winner(self, state: Values) -> int | None:
        found: int | None = _Run(self, self.opened(state), {}).value(self.machine.winner.body)
        return found

    def totals(self, state: Values) -> tuple[int, int]:
        run = _Run(self, self.opened(state), {})
        a, b = (run.value(t.Use(self.machine.total.name, (t.Variable("who"),)), who=who) for who in (0, 1))
        return a, b

    def parts(self, state: Values) -> tuple[dict[str, int], dict[str, int]]:
        run = _Run(self, self.opened(state), {})
        a, b = ({name: run.value(t.Use(d.name, (t.Variable("who"),)), who=who) for name, d in self.machine.score.items()} for who in (0, 1))
        return a, b


_SETS = (Type.REGION, Type.SPACES, Type.PATCHES)


def sorted_patches(circle: tuple[int, ...]) -> tuple[int, ...]:
    return circle


def sorted_elements(collection: Any) -> list[Any]:
    """A snapshot, ascending; lists keep their order."""
    return list(collection) if isinstance(collection, tuple) else sorted(collection)


def variables_of(node: t.Expr, machine: Machine) -> frozenset[str]:
    """The free variables, those inside definitions too."""
    from patchwork_ref.lang.walk import nodes

    found = set(variables(node))
    for inner in nodes(node):
        if isinstance(inner, t.Use) and inner.name in machine.definitions:
            definition = machine.definitions[inner.name]
            found |= variables_of(definition.body, machine) - set(definition.takes)
    return frozenset(found)


class _Run:
    """One evaluation: the fields, the names in scope, and the fields at the start of the action."""

    def __init__(self, home: Interpreter, fields: dict[tuple[str, int | None], Any], names: Mapping[str, Any], before: Mapping[tuple[str, int | None], Any] | None = None) -> None:
        self.home, self.fields, self.names = home, fields, names
        self.start = before if before is not None else fields
        self.table: dict[str, Any] = {}

    def bound(self, name: str, value: Any) -> _Run:
        inner = _Run(self.home, self.fields, {**self.names, name: value}, self.start)
        inner.table = self.table
        return inner

    def placements(self, node: t.Expr) -> Any:
        """The placement table that an expression of type placements names."""
        machine = self.home.machine
        if isinstance(node, t.Use):
            return self._definition(node).placements(machine.definitions[node.name].body)
        if isinstance(node, t.Choose):
            return self.placements(node.then if self.value(node.condition) else node.otherwise)
        assert isinstance(node, t.Call)
        patch, flips = (self.value(arg) for arg in node.args)
        return self.home.tables[bool(flips)][patch]

    def _definition(self, node: t.Use) -> _Run:
        takes = self.home.machine.definitions[node.name].takes
        inner = self
        for name, value in zip(takes, [self.value(a) for a in node.args], strict=True):
            inner = inner.bound(name, value)
        return inner

    def value(self, node: t.Expr, **names: Any) -> Any:
        if names:
            return _Run(self.home, self.fields, {**self.names, **names}, self.start).value(node)
        match node:
            case t.Integer() | t.Truth():
                return node.value
            case t.Nobody():
                return None
            case t.Empty():
                return frozenset()
            case t.PatchNamed():
                return self.home.machine.number(node.id)
            case t.Variable():
                return self.names[node.name]
            case t.Players():
                return (0, 1)
            case t.Given():
                return self.table[node.name]
            case t.Shared():
                return self.fields[node.name, None]
            case t.OfPlayer():
                return self.fields[node.name, self.value(node.player)]
            case t.OfPatch():
                return self.home.machine.patches[self.value(node.patch)].numbers[node.name]
            case t.Before():
                inner = _Run(self.home, dict(self.start), self.names, self.start)
                return inner.value(node.body)
            case t.Arithmetic():
                a, b = self.value(node.left), self.value(node.right)
                return a + b if node.op == "+" else a - b if node.op == "-" else a * b
            case t.Compare():
                return self._compare(node)
            case t.Logic():
                return all(self.value(i) for i in node.items) if node.op == "and" else any(self.value(i) for i in node.items)
            case t.Not():
                return not self.value(node.body)
            case t.Choose():
                return self.value(node.then if self.value(node.condition) else node.otherwise)
            case t.Call():
                return self._call(node)
            case t.Quantified():
                return self._quantified(node)
            case t.Use():
                return self._use(node)
            case _:
                assert_never(node)

    def _use(self, node: t.Use) -> Any:
        machine = self.home.machine
        if node.name in machine.definitions:
            return self._definition(node).value(machine.definitions[node.name].body)
        constant = machine.constants[node.name]
        if constant.type == Type.PATCH:
            return machine.number(str(constant.value))
        return frozenset(constant.value) if isinstance(constant.value, tuple) else constant.value

    def _compare(self, node: t.Compare) -> bool:
        left = self.value(node.left)
        for op, right_node in node.rest:
            right = self.value(right_node)
            if not _compared(op, left, right):
                return False
            left = right
        return True

    def _quantified(self, node: t.Quantified) -> Any:
        inner = [self.bound(node.var, element) for element in sorted_elements(self.value(node.domain))]
        held = [run for run in inner if node.where is None or run.value(node.where)]
        match node.kind:
            case "all":
                return all(run.value(node.body) for run in held)
            case "any":
                return any(run.value(node.body) for run in held)
            case "sum":
                return sum(run.value(node.body) for run in held)
            case "count":
                return len(held)
            case "one":
                return held[0].names[node.var] if len(held) == 1 else None

    def _call(self, node: t.Call) -> Any:
        if node.primitive == "placements":
            return [frozenset(cells_of(mask)) for mask in self.placements(node).masks]
        args = [self.value(arg) for arg in node.args]
        match node.primitive:
            case "min":
                return min(args)
            case "max":
                return max(args)
            case "other":
                return None if args[0] is None else 1 - args[0]
            case "size":
                return len(self.home.machine.patches[args[0]].shape) if isinstance(args[0], int) else len(args[0])
            case "first":
                return args[1][: max(args[0], 0)]
            case "place":
                return args[1].index(args[0]) if args[0] in args[1] else len(args[1])
            case "turned":
                start = args[1] % len(args[0]) if args[0] else 0
                return args[0][start:] + args[0][:start]
            case "disjoint":
                return args[0].isdisjoint(args[1])
            case "fits":
                return any(args[1].isdisjoint(cells_of(mask)) for mask in self.home.tables[bool(args[2])][args[0]].masks)
            case "filled_square":
                return self._square(args[0], args[1])
        raise AssertionError(node.primitive)

    def _square(self, region: frozenset[int], side: int) -> bool:
        board = self.home.machine.board
        return any(
            all(board.columns * (top + r) + left + c in region for r in range(side) for c in range(side))
            for top in range(board.rows - side + 1) for left in range(board.columns - side + 1)
        )

    def execute(self, effect: t.Effect) -> None:
        match effect:
            case t.Assign():
                self.fields[self._place(effect.target)] = self.value(effect.value)
            case t.Update():
                at, value = self._place(effect.target), self.value(effect.value)
                self.fields[at] = _updated(self.fields[at], effect.op, value)
            case t.Transfer():
                amount = self.value(effect.amount)
                giver, taker = self._place(effect.giver), self._place(effect.taker)
                self.fields[giver] -= amount
                self.fields[taker] += amount
            case _:
                assert_never(effect)

    def _place(self, target: t.Target) -> tuple[str, int | None]:
        return (target.name, None) if isinstance(target, t.Shared) else (target.name, self.value(target.player))


def _updated(old: Any, op: str, value: Any) -> Any:
    if op == "|=":
        return old | value
    if isinstance(old, frozenset):
        return old | {value} if op == "+=" else old - {value}
    if isinstance(old, tuple):
        at = old.index(value) if value in old else len(old)
        return old[:at] + old[at + 1 :]
    return old + value if op == "+=" else old - value
