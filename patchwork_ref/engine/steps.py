"""Steps as Python statements, with or without a record of what they changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from patchwork_ref.engine.emit import Emitter, Scope
from patchwork_ref.engine.fold import conjuncts, simplified
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import ELEMENT, Type
from patchwork_ref.lang.walk import children, targets, variables
from patchwork_ref.machine.model import Machine, Step
from patchwork_ref.machine.state import Layout


class StepWriter:
    """Writes the steps of one action of one player."""

    def __init__(self, machine: Machine, emitter: Emitter, layout: Layout, record: bool) -> None:
        self.machine, self.emitter, self.record = machine, emitter, record
        self.kept = {*layout.shared, *layout.player}
        self.layout = layout

    def befores(self, fields: Iterable[str], body: Iterable[str]) -> set[str]:
        """The fields whose value at the start is asked for later."""
        text = "\n".join(body)
        return {name for name in fields if f"b_{name}" in text}

    def step(self, step: Step, scope: Scope) -> list[str]:
        conditions = [part for node in step.when.values() for part in conjuncts(simplified(node, self.machine))]
        if t.Truth(False) in conditions:
            return []
        inner = scope if step.each is None else self.loop_scope(step, scope)
        effects = [line for effect in step.does for line in self.effect(effect, inner)]
        if not effects:
            return []
        if step.each is None:
            lines = self.under(conditions, effects, scope)
        else:
            lines = self.loop(step, conditions, effects, scope, inner)
        return self.recorded(step, lines, scope) if self.record else lines

    def under(self, conditions: list[t.Expr], lines: list[str], scope: Scope) -> list[str]:
        if not conditions:
            return lines
        test = " and ".join(self.emitter.text(c, scope) for c in conditions)
        return [f"if {test}:", *(f"    {line}" for line in lines)]

    def loop_scope(self, step: Step, scope: Scope) -> Scope:
        assert step.each is not None
        kind = self.emitter.kind(step.each[1], scope)
        return scope.bound(step.each[0], f"e_{step.each[0]}", ELEMENT[kind])

    def loop(self, step: Step, conditions: list[t.Expr], effects: list[str], scope: Scope, inner: Scope) -> list[str]:
        """Over a snapshot, ascending. Bounds on the element become a window of bits where the collection has bits."""
        assert step.each is not None
        var, domain = step.each
        kind, text = self.emitter.kind(domain, scope), self.emitter.text(simplified(domain, self.machine), scope)
        name = f"e_{var}"
        if kind == Type.PLAYERS:
            return [line for who in "01" for line in self.each_player(step, conditions, who, scope)]
        low, high, rest = self.window(var, conditions, step, scope)
        body = self.under(rest, effects, inner)
        if kind == Type.SPACES and low is not None and high is not None:
            mask, bit, lo, hi = (self.emitter.name(stem) for stem in "wlah")
            bounds = [f"{lo} = {low}", f"{hi} = {high}"]
            low, high = lo, hi
            exact = f"{text} & ((2 << {high}) - (1 << {low} + 1)) if -1 <= {low} < {high} else _window({text}, {low}, {high})"
            return [*bounds, f"{mask} = {exact}", f"while {mask}:", f"    {bit} = {mask} & -{mask}", f"    {name} = {bit}.bit_length() - 1", f"    {mask} ^= {bit}",
                    *(f"    {line}" for line in body)]
        whole = self.under(conditions, effects, inner)
        return [f"for {name} in {self.emitter.elements(text, kind)}:", *(f"    {line}" for line in whole)]

    def each_player(self, step: Step, conditions: list[t.Expr], who: str, scope: Scope) -> list[str]:
        assert step.each is not None
        bound = scope.bound(step.each[0], who, Type.PLAYER)
        return self.under(conditions, [line for effect in step.does for line in self.effect(effect, bound)], bound)

    def window(self, var: str, conditions: list[t.Expr], step: Step, scope: Scope) -> tuple[str | None, str | None, list[t.Expr]]:
        """Exclusive lower and inclusive upper bound on the element, and the conditions left over.

        A bound counts only when the step itself does not change what it reads.
        """
        written = {target.name for effect in step.does for target in targets(effect)}
        lows: list[str] = []
        highs: list[str] = []
        rest: list[t.Expr] = []
        for condition in conditions:
            bound = _bound(var, condition)
            if bound is None or written & _live_fields(bound[1]):
                rest.append(condition)
                continue
            side, node, shift = bound
            text = self.emitter.text(simplified(t.Arithmetic("-", node, t.Integer(1)) if shift else node, self.machine), scope)
            (lows if side == "low" else highs).append(text)
        return _extreme("max", lows), _extreme("min", highs), rest

    def effect(self, effect: t.Effect, scope: Scope) -> list[str]:
        match effect:
            case t.Assign():
                return self.change(effect.target, "=", self.value(effect.value, scope), scope)
            case t.Update():
                return self.update(effect, scope)
            case t.Transfer():
                ends = [(end, sign) for end, sign in ((effect.giver, "-="), (effect.taker, "+=")) if end.name in self.kept]
                value = self.value(effect.amount, scope)
                if len(ends) < 2:
                    return [line for end, sign in ends for line in self.change(end, sign, value, scope)]
                amount = self.emitter.name("t")
                return [f"{amount} = {value}", *(line for end, sign in ends for line in self.change(end, sign, amount, scope))]
            case _:
                assert_never(effect)

    def value(self, node: t.Expr, scope: Scope) -> str:
        return self.emitter.text(simplified(node, self.machine), scope)

    def update(self, effect: t.Update, scope: Scope) -> list[str]:
        kind, value = self.emitter.kind(effect.target, scope), self.value(effect.value, scope)
        if kind in (Type.INTEGER, Type.REGION):
            return self.change(effect.target, effect.op, value, scope)
        helper = {("+=", Type.SPACES): "_with", ("+=", Type.PATCHES): "_with", ("-=", Type.CIRCLE): "_without"}.get((effect.op, kind), "_less")
        return self.change(effect.target, helper, value, scope)

    def change(self, target: t.Target, op: str, value: str, scope: Scope) -> list[str]:
        """One statement, or one for each player when the player is known only while playing."""
        if target.name not in self.kept:
            return []
        if isinstance(target, t.OfPlayer):
            who = self.emitter.text(simplified(target.player, self.machine), scope)
            if who not in ("0", "1"):
                return [f"if {who}: {_statement(f'p1_{target.name}', op, value)}", f"else: {_statement(f'p0_{target.name}', op, value)}"]
            return [_statement(f"p{who}_{target.name}", op, value)]
        return [_statement(f"s_{target.name}", op, value)]

    def recorded(self, step: Step, lines: list[str], scope: Scope) -> list[str]:
        """The step with its written fields compared before and after."""
        written: dict[str, int] = {}
        for effect in step.does:
            for target in targets(effect):
                for who in self.owners(target, scope):
                    if (target.name, who) in self.layout.places:
                        written[f"s_{target.name}" if who is None else f"p{who}_{target.name}"] = self.layout.places[target.name, who]
        keep = [f"o_{name} = {name}" for name in written]
        changes = ", ".join(f"({place}, o_{name}, {name})" for name, place in written.items())
        test = " or ".join(f"{name} != o_{name}" for name in written)
        return [*keep, *lines, f"if {test}: fired.append(({step.name!r}, ({changes},)))"]

    def owners(self, target: t.Target, scope: Scope) -> list[int | None]:
        if isinstance(target, t.Shared):
            return [None]
        if isinstance(target.player, t.Variable) and target.player.name not in scope.texts:
            return [0, 1]  # the player of a for_each
        who = self.emitter.text(simplified(target.player, self.machine), scope)
        return [int(who)] if who in ("0", "1") else [0, 1]


def _statement(name: str, op: str, value: str) -> str:
    return f"{name} = {op}({name}, {value})" if op.startswith("_") else f"{name} {op} {value}"


def _bound(var: str, condition: t.Expr) -> tuple[str, t.Expr, bool] | None:
    """Which side an order comparison bounds the element on, by what, and whether to shift by one."""
    element = t.Variable(var)
    if not isinstance(condition, t.Compare) or len(condition.rest) != 1:
        return None
    (op, right), left = condition.rest[0], condition.left
    if right == element and var not in variables(left):
        op, right, left = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, ""), left, right  # type: ignore[assignment]
    if left != element or var in variables(right):
        return None
    return {">": ("low", right, False), ">=": ("low", right, True), "<=": ("high", right, False), "<": ("high", right, True)}.get(op)


def _live_fields(node: t.Expr) -> set[str]:
    """The fields whose present value an expression reads; values from the start of the action cannot change."""
    if isinstance(node, t.Before):
        return set()
    own = {node.name} if isinstance(node, (t.Shared, t.OfPlayer)) else set()
    return own.union(*(_live_fields(child) for child in children(node)))


def _extreme(word: str, texts: list[str]) -> str | None:
    """The strongest of several bounds."""
    if len(texts) < 2:
        return texts[0] if texts else None
    if len(texts) == 2 and all(text.isidentifier() or text.isdigit() for text in texts):
        return f"{texts[0]} if {texts[0]} {'<' if word == 'min' else '>'} {texts[1]} else {texts[1]}"
    return f"{word}({', '.join(texts)})"
