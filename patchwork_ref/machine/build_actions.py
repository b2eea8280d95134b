"""Action forms: ``like`` resolved, names of rules looked up, scopes checked."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from typing import TypeVar

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import ELEMENT, Type
from patchwork_ref.lang.walk import expressions, variables
from patchwork_ref.machine.model import ActionForm, Domain, Guard, Rule, Step
from patchwork_ref.machine.reading import Reader, cites, entries, items, maps, text
from patchwork_ref.rulebook.edits import EditError, apply_edits, is_edit_list
from patchwork_ref.rulebook.tree import Mapping, Node, Scalar, Sequence, plain

_CHOICES = {"patch": Type.PATCH, "cells": Type.REGION}
"""The choices that the protocol can carry, and their types."""

R = TypeVar("R", Guard, Domain, Step)


def build_actions(tree: Mapping, reader: Reader, rules: AbstractMapping[str, Rule]) -> tuple[ActionForm, ...]:
    """Every action, in the order of the file."""
    declared = {str(k.value): v for k, v in maps(tree.get("rules"))}
    found = []
    for key, node in maps(tree.get("actions")):
        whole = _like(key, node, tree, reader)
        if whole is not None:
            found.append(_Builder(key, whole, reader, rules, declared).form())
    if not found:
        reader.collector.add(tree.pos, "no-action", "the rulebook has no action", "add one under actions:")
    seen: dict[tuple[str, bool], str] = {}
    for form in found:
        if (other := seen.get((form.type, form.discards))) is not None:
            reader.collector.add(form.pos, "sends", f"{form.name} is sent like {other}", "give one of them another type, or cells: none")
        seen[form.type, form.discards] = form.name
    return tuple(found)


def _like(key: Scalar, node: Mapping, tree: Mapping, reader: Reader) -> Mapping | None:
    """The entry itself, or the one it is like with its own keys laid over: lists of edits edit, all else replaces."""
    if node.get("like") is None:
        return node
    known = tree.get("actions")
    base = known.get(text(node, "like")) if isinstance(known, Mapping) else None
    if not isinstance(base, Mapping) or base.get("like") is not None:
        reader.collector.add(key.pos, "like", f"{key.value} is like {text(node, 'like')!r}, which is no action of its own", "name an action without 'like'")
        return None
    for name, value in node.items:
        old = base.get(str(name.value))
        try:
            new: Node = apply_edits(old, value) if old is not None and is_edit_list(value) and isinstance(value, Sequence) else value
        except EditError as error:
            d = error.diagnostic
            reader.collector.add(d.position, d.code, d.message, d.hint)
            return None
        base = base.with_(str(name.value), new, name.pos)
    return base.without("like")


class _Builder:
    def __init__(self, key: Scalar, node: Mapping, reader: Reader, rules: AbstractMapping[str, Rule], declared: AbstractMapping[str, Mapping]) -> None:
        self.key, self.node, self.reader, self.rules, self.declared = key, node, reader, rules, declared

    def form(self) -> ActionForm:
        names: dict[str, Type] = {"me": Type.PLAYER}
        choices = []
        for key, value in entries(self.node.get("chooses")):
            name = str(key.value)
            if name not in _CHOICES:
                self.report(key, "choice", f"an action cannot choose {name!r}", f"the protocol carries {' and '.join(_CHOICES)}")
                continue
            domain = self.rule(value, Domain, names)
            if domain is not None:
                kind = self.reader.checker.type_of(domain.collection, names)
                if kind is not None and ELEMENT.get(kind) != _CHOICES[name]:
                    self.report(value, "type", f"{domain.name} does not hold values of type {_CHOICES[name]}", "choose from a collection of them")
                choices.append((name, domain))
            names[name] = _CHOICES[name]
        requires = [self.rule(item, Guard, names) for item in items(self.node.get("requires"))]
        values: list[tuple[str, t.Expr]] = []
        for key, value in entries(self.node.get("with")):
            expr = self.reader.expression(value, names, Type.INTEGER)
            if expr is not None:
                values.append((str(key.value), expr))
            names[str(key.value)] = Type.INTEGER
        steps = [self.rule(item, Step, names) for item in items(self.node.get("steps"))]
        sends = self.node.get("sends")
        if not text(sends, "type"):
            self.report(self.key, "sends", f"{self.key.value} does not say its type on the wire", "add sends: {type: ...}")
        return ActionForm(
            name=str(self.key.value), says=text(self.node, "says"), cite=cites(self.node), pos=self.key.pos, type=text(sends, "type"),
            discards=text(sends, "cells") == "none", choices=tuple(choices), requires=tuple(g for g in requires if g is not None),
            values=tuple(values), steps=tuple(s for s in steps if s is not None),
        )

    def report(self, node: Node, code: str, message: str, hint: str) -> None:
        self.reader.collector.add(node.pos, code, message, hint)

    def rule(self, node: Node, kind: type[R], names: dict[str, Type]) -> R | None:
        """The rule of that kind that a scalar names, with every name that it uses in scope here."""
        name = str(plain(node))
        found = self.rules.get(name)
        if found is None:
            if name not in self.declared:  # else its own defect was reported
                self.report(node, "unknown-rule", f"no rule is called {name!r}", "correct the name, or add the rule")
            return None
        if not isinstance(found, kind):
            self.report(node, "rule-kind", f"{name} is a {type(found).__name__.lower()} and stands where a {kind.__name__.lower()} is expected", "move it")
            return None
        for unknown in sorted(_free(found) - set(names)):
            self.report(node, "scope", f"{name} speaks of {unknown!r}, which {self.key.value} does not have", "give the action that choice or value")
        return found


def _free(rule: Guard | Domain | Step) -> frozenset[str]:
    """The names that a rule takes from the action."""
    if isinstance(rule, Guard):
        return variables(rule.condition)
    if isinstance(rule, Domain):
        return variables(rule.collection)
    inside = frozenset[str]().union(*(variables(e) for e in rule.when.values()), *(variables(e) for effect in rule.does for e in expressions(effect)))
    return inside if rule.each is None else (inside - {rule.each[0]}) | variables(rule.each[1])
