"""Rules: guards, choices, steps and starts. A rule's kind is told by its keys."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from types import MappingProxyType

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import ELEMENT, Type
from patchwork_ref.machine.model import Domain, Given, Guard, Rule, Start, Step
from patchwork_ref.machine.reading import Reader, cites, entries, items, maps, text
from patchwork_ref.rulebook.tree import Mapping, Scalar

_KINDS = {"guard": "refuse", "from": "refuse", "does": None, "starts": None}

REJECT_CODES = frozenset({
    "not-your-phase", "not-on-offer", "too-few-buttons", "wrong-shape", "overlap", "off-board", "special-pending",
    "no-special-pending", "finished", "unknown",
})
"""The codes of the protocol."""


def build_rules(tree: Mapping, reader: Reader, givens: AbstractMapping[str, Given]) -> AbstractMapping[str, Rule]:
    """Every rule by name. Steps are read with the names of all actions in scope; ``build_actions`` asks more."""
    names = scope(tree, reader)
    found: dict[str, Rule] = {}
    for key, node in maps(tree.get("rules")):
        kinds = [kind for kind in _KINDS if node.get(kind) is not None]
        if len(kinds) != 1:
            reader.collector.add(key.pos, "rule-kind", f"{key.value} has {' and '.join(kinds) or 'no body'}", "give it exactly one of guard, from, does, starts")
            continue
        rule = _rule(kinds[0], key, node, names, reader)
        if rule is not None:
            found[rule.name] = rule
    _check_starts(found, tree, reader)
    return MappingProxyType(found)


def scope(tree: Mapping, reader: Reader) -> dict[str, Type]:
    """``me`` and the choices and values of every action, by type."""
    names = {"me": Type.PLAYER, "patch": Type.PATCH, "cells": Type.REGION}
    for _, node in maps(tree.get("actions")):
        for key, _ in entries(node.get("with")):
            names.setdefault(str(key.value), Type.INTEGER)
    return names


def _rule(kind: str, key: Scalar, node: Mapping, names: dict[str, Type], reader: Reader) -> Rule | None:
    words = {"name": str(key.value), "says": text(node, "says"), "cite": cites(node), "pos": key.pos}
    for code in ("refuse", "outside"):
        if (given := node.get(code)) is not None and text(node, code) not in REJECT_CODES:
            reader.collector.add(given.pos, "reject-code", f"{text(node, code)!r} is no reject code of the protocol", f"the codes are {', '.join(sorted(REJECT_CODES))}")
    if kind in ("guard", "from") and node.get("refuse") is None:
        reader.collector.add(key.pos, "missing-key", f"{key.value} does not say with which code it refuses", "add refuse:")
    if kind == "guard":
        condition = reader.expression(node.get("guard"), names, Type.TRUTH)
        return Guard(**words, condition=condition, refuse=text(node, "refuse")) if condition is not None else None  # type: ignore[arg-type]
    if kind == "from":
        collection = reader.expression(node.get("from"), names)
        return Domain(**words, collection=collection, refuse=text(node, "refuse"), outside=text(node, "outside") or "unknown") if collection is not None else None  # type: ignore[arg-type]
    if kind == "starts":
        starts = {str(k.value): reader.expression(v, {}, _field_type(str(k.value), k, reader)) for k, v in entries(node.get("starts"))}
        return Start(**words, starts=MappingProxyType({k: v for k, v in starts.items() if v is not None}))  # type: ignore[arg-type]
    return _step(words, node, names, reader)


def _step(words: dict[str, object], node: Mapping, names: dict[str, Type], reader: Reader) -> Step | None:
    each = None
    inner = dict(names)
    if (loop := node.get("for_each")) is not None:
        each = _loop(loop, names, reader)
        if each is None:
            return None
        kind = reader.checker.type_of(each[1], names)
        if kind is not None and kind not in ELEMENT:
            reader.collector.add(loop.pos, "type", f"for_each cannot go over a value of type {kind}", "name a collection")
        inner[each[0]] = ELEMENT.get(kind, Type.INTEGER) if kind is not None else Type.INTEGER
    conditions = {str(k.value): reader.expression(v, inner, Type.TRUTH) for k, v in entries(node.get("when"))}
    effects = [reader.effect(item, inner) for item in items(node.get("does"))]
    return Step(**words, does=tuple(e for e in effects if e is not None), when=MappingProxyType({k: v for k, v in conditions.items() if v is not None}), each=each)  # type: ignore[arg-type]


def _loop(node: object, names: dict[str, Type], reader: Reader) -> tuple[str, t.Expr] | None:
    """``name in collection``."""
    assert isinstance(node, Scalar)
    name, word, collection = str(node.value).partition(" in ")
    if not word or not name.isidentifier():
        reader.collector.add(node.pos, "syntax", f"{node.value!r} is no loop", "write 'name in collection'")
        return None
    start = node.text_pos.right(len(name) + len(word))
    found = reader.expression(Scalar(collection, start, start), names)
    return (name, found) if found is not None else None


def _field_type(path: str, key: Scalar, reader: Reader) -> Type | None:
    owner, dot, name = path.rpartition(".")
    known = reader.vocabulary.player if dot and owner == "player" else reader.vocabulary.shared if not dot else {}
    if name not in known:
        reader.collector.add(key.pos, "unknown-name", f"there is no field {path!r}", "write a shared field's name, or player.field")
        return None
    return known[name]


def _check_starts(rules: dict[str, Rule], tree: Mapping, reader: Reader) -> None:
    """Every field of the state is started by exactly one rule."""
    wanted = {*reader.vocabulary.shared, *(f"player.{name}" for name in reader.vocabulary.player)}
    seen: dict[str, str] = {}
    for rule in rules.values():
        for name in rule.starts if isinstance(rule, Start) else ():
            if name in seen:
                reader.collector.add(rule.pos, "start", f"{name} is started by {seen[name]} already", "start each field once")
            seen[name] = rule.name
    declared = {str(k.value) for _, node in maps(tree.get("rules")) for k, _ in entries(node.get("starts"))}
    for name in sorted(wanted - declared):
        reader.collector.add((tree.get("state") or tree).pos, "start", f"no rule starts {name}", "add it to a rule's starts:")
