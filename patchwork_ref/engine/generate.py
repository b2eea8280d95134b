"""A Machine as the text of a Python module: one function for each kind of action and each player, without loops over
players or look-ups of names.

    start(table values) -> state            options(state) -> [(form, patch, table, bits)]
    CHECK[form][me](state, patch, cells)    RUN[form][me](state, patch, cells) -> state
    RECORD[form][me](...) -> (state, [(rule, ((place, old, new), ...)), ...])
    over(state)   totals(state)   parts(state)   winner(state)

A state is the tuple of ``Layout``; a lean module leaves out the fields that no rule reads.
"""

from __future__ import annotations

from collections.abc import Iterable

from patchwork_ref.engine.emit import Emitter, Scope
from patchwork_ref.engine.fold import simplified
from patchwork_ref.engine.steps import StepWriter
from patchwork_ref.engine.used import stages
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import Type
from patchwork_ref.lang.walk import variables
from patchwork_ref.machine.model import ActionForm, Machine
from patchwork_ref.machine.state import Layout


class Generator:
    """Writes the module of one Machine for one layout."""

    def __init__(self, machine: Machine, layout: Layout) -> None:
        self.machine, self.layout = machine, layout
        self.emitter = Emitter(machine)
        self.lines: list[str] = []
        self.fields = [f"s_{n}" if who is None else f"p{who}_{n}" for n, who in layout.names]

    def module(self) -> str:
        self.start()
        self.options()
        for index, form in enumerate(self.machine.actions):
            for me in "01":
                self.check(index, form, me)
                self.run(index, form, me, record=False)
                self.run(index, form, me, record=True)
        for name in ("check", "run", "record"):
            table = ", ".join(f"({name}_{i}_0, {name}_{i}_1)" for i in range(len(self.machine.actions)))
            self.lines.append(f"{name.upper()} = ({table},)")
        self.ends()
        return "\n".join(self.lines) + "\n"

    def function(self, head: str, body: Iterable[str]) -> None:
        self.lines += [f"def {head}:", *(f"    {line}" for line in body), ""]

    def scope(self, me: str | None = None, *choices: str) -> Scope:
        kinds = {"patch": Type.PATCH, "cells": Type.REGION}
        texts = {name: name for name in choices}
        types = {name: kinds[name] for name in choices}
        return Scope(texts | ({"me": me} if me else {}), types | ({"me": Type.PLAYER} if me else {}))

    def expression(self, node: t.Expr, scope: Scope) -> str:
        return self.emitter.text(simplified(node, self.machine), scope)

    def unpack(self) -> str:
        return f"({', '.join(self.fields)},) = state"

    def pack(self) -> str:
        return f"({', '.join(self.fields)},)"

    def start(self) -> None:
        """Givens in the order of the rulebook; those not given are worked out."""
        body = [
            f"if g_{name} is None: g_{name} = {self.expression(given.otherwise, self.scope())}"
            for name, given in self.machine.givens.items() if given.otherwise is not None
        ]
        values = {name: self.expression(node, self.scope()) for rule in self.machine.starts for name, node in rule.starts.items()}
        firsts = [values[n if who is None else f"player.{n}"] for n, who in self.layout.names]
        self.function(f"start({', '.join(f'g_{n}' for n in self.machine.givens)})", [*body, f"return ({', '.join(firsts)},)"])

    def options(self) -> None:
        turn = self.layout.places["turn", None]
        for me in "01":
            body = [self.unpack(), "out = []"]
            for index, form in enumerate(self.machine.actions):
                body += self.form_options(index, form, me)
            self.function(f"options_{me}(state)", [*body, "return out"])
        self.function("options(state)", [f"return options_1(state) if state[{turn}] else options_0(state)"])

    def form_options(self, index: int, form: ActionForm, me: str) -> list[str]:
        """Guards as early as they can be asked; a free placement by table look-up instead of one by one."""
        choices = [name for name, _ in form.choices]
        guards = stages(form, self.machine)
        scope = self.scope(me)
        lines, depth = [], 0

        def add(line: str) -> None:
            lines.append("    " * depth + line)

        if (test := self.conjunction(guards[0], scope)) is not None:
            add(f"if {test}:")
            depth += 1
        found = "None, None, 1"
        for number, (name, domain) in enumerate(form.choices):
            if name == "patch":
                add(f"for patch in {self.expression(domain.collection, scope)}:")
                depth += 1
                scope = self.scope(me, *choices[: number + 1])
                if (test := self.conjunction(guards[number + 1], scope)) is not None:
                    add(f"if {test}:")
                    depth += 1
                found = "patch, None, 1"
            else:
                add(f"T = {self.expression(domain.collection, scope)}")
                scope = self.scope(me, *choices[: number + 1])
                for line in self.free(guards[number + 1], scope):
                    add(line)
                add("if bits:")
                depth += 1
                found = f"{'patch' if 'patch' in choices else 'None'}, T, bits"
        add(f"out.append(({index}, {found}))")
        return lines

    def conjunction(self, parts: list[t.Expr], scope: Scope) -> str | None:
        """The text of conditions that must all hold; None when nothing is asked."""
        texts = [self.emitter.text(part, scope) for part in parts]
        return " and ".join(texts) if texts else None

    def free(self, guards: list[t.Expr], scope: Scope) -> list[str]:
        """Lines that leave in ``bits`` the placements of table T that meet the guards about ``cells``."""
        tests, lines = [], []
        looked_up: list[str] = []
        columns = self.machine.board.columns
        for guard in guards:
            region = _disjoint_from(guard)
            if region is None:
                tests.append(self.emitter.text(guard, scope))
                continue
            text = self.emitter.text(region, scope)
            pattern = (1 << columns) - 1
            q = self.emitter.name("q")
            lines += [f"{q} = {text}", "R = T.rows"]
            looked_up += [f"R[{row}][{q} >> {row * columns} & {pattern}]" if row else f"R[0][{q} & {pattern}]" for row in range(self.machine.board.rows)]
        lines.append(f"bits = {' & '.join(looked_up) or 'T.all'}")
        if tests:
            lines.append(f"bits = sum(1 << k for k, cells in enumerate(T.masks) if bits >> k & 1 and {' and '.join(tests)})")
        return lines

    def check(self, index: int, form: ActionForm, me: str) -> None:
        """Returns the number of the first rule that refuses, in ``refusers`` order, or None."""
        choices = [name for name, _ in form.choices]
        guards = stages(form, self.machine, whole=True)
        body, number = [self.unpack()], 0
        for stage in range(len(choices) + 1):
            scope = self.scope(me, *choices[:stage])
            if stage:
                domain = self.expression(form.choices[stage - 1][1].collection, self.scope(me, *choices[: stage - 1]))
                holds = f"patch in {domain}" if choices[stage - 1] == "patch" else f"cells in {domain}.index"
                body.append(f"if not ({holds}): return {number}")
                number += 1
            for guard in guards[stage]:
                body.append(f"if not {self.emitter.text(guard, scope)}: return {number}")
                number += 1
        self.function(f"check_{index}_{me}(state, patch, cells)", [*body, "return None"])

    def run(self, index: int, form: ActionForm, me: str, record: bool) -> None:
        scope = self.scope(me, "patch", "cells")
        body = []
        for name, node in form.values:
            body.append(f"v_{name} = {self.expression(node, scope)}")
            scope = scope.bound(name, f"v_{name}", Type.INTEGER)
        writer = StepWriter(self.machine, self.emitter, self.layout, record)
        for step in form.steps:
            body += writer.step(step, scope)
        first = [self.unpack(), *(f"b_{name} = {name}" for name in sorted(writer.befores(self.fields, body))), *(["fired = []"] if record else [])]
        last = f"return {self.pack()}, fired" if record else f"return {self.pack()}"
        self.function(f"{'record' if record else 'run'}_{index}_{me}(state, patch, cells)", [*first, *body, last])

    def ends(self) -> None:
        machine, scope = self.machine, self.scope()
        self.function("over(state)", [self.unpack(), f"return bool({self.expression(machine.over.body, scope)})"])
        self.function("winner(state)", [self.unpack(), f"return {self.expression(machine.winner.body, scope)}"])
        totals = [self.expression(t.Use(machine.total.name, (t.Variable("who"),)), Scope({"who": who}, {"who": Type.PLAYER})) for who in "01"]
        self.function("totals(state)", [self.unpack(), f"return ({', '.join(totals)})"])
        parts = []
        for who in "01":
            scope = Scope({"who": who}, {"who": Type.PLAYER})
            held = [f"{name!r}: {self.expression(t.Use(d.name, (t.Variable('who'),)), scope)}" for name, d in machine.score.items()]
            parts.append("{" + ", ".join(held) + "}")
        self.function("parts(state)", [self.unpack(), f"return ({', '.join(parts)})"])


def _disjoint_from(guard: t.Expr) -> t.Expr | None:
    """The region that a guard keeps ``cells`` away from, when it asks just that."""
    if isinstance(guard, t.Call) and guard.primitive == "disjoint":
        cells = t.Variable("cells")
        for one, region in (guard.args, guard.args[::-1]):
            if one == cells and "cells" not in variables(region):
                return region
    return None

