"""Properties: what is declared to hold, read with the names that each kind may speak of."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from types import MappingProxyType
from typing import get_args

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import Type
from patchwork_ref.machine.model import ActionForm, Property, PropertyKind
from patchwork_ref.machine.reading import Reader, cites, items, maps, text
from patchwork_ref.rulebook.tree import Mapping, Scalar, plain

CHOICES: AbstractMapping[str, Type] = {"patch": Type.PATCH, "cells": Type.REGION}
_BESIDE: AbstractMapping[str, tuple[str, ...]] = {"of": ("each_step",), "when": ("possible",), "within": ("falls",)}
"""Keys that stand only beside some kinds."""


def build_properties(tree: Mapping, reader: Reader, actions: tuple[ActionForm, ...]) -> AbstractMapping[str, Property]:
    """Every property by name, in the order of the file."""
    known = {form.name: form for form in actions}
    found = {}
    for key, node in maps(tree.get("properties")):
        kinds = [kind for kind in get_args(PropertyKind) if node.get(kind) is not None]
        if len(kinds) != 1:
            reader.collector.add(key.pos, "property-kind", f"{key.value} has {' and '.join(kinds) or 'no body'}", f"give it exactly one of {', '.join(get_args(PropertyKind))}")
            continue
        for beside, fits in _BESIDE.items():
            if (stray := node.key(beside)) is not None and kinds[0] not in fits:
                reader.collector.add(stray.pos, "property-kind", f"{beside!r} means nothing beside {kinds[0]!r}", f"it goes with {' or '.join(fits)}")
        built = _property(kinds[0], key, node, reader, known)
        if built is not None:
            found[built.name] = built
    return MappingProxyType(found)


def _property(kind: PropertyKind, key: Scalar, node: Mapping, reader: Reader, known: AbstractMapping[str, ActionForm]) -> Property | None:
    listed = items(node.get("possible" if kind == "possible" else "of"))
    for item in listed:
        if str(plain(item)) not in known:
            reader.collector.add(item.pos, "unknown-action", f"no action is called {plain(item)!r}", f"the actions are {', '.join(known)}")
    forms = [known[str(plain(item))] for item in listed if str(plain(item)) in known]
    if len(forms) < len(listed):
        return None
    names: dict[str, Type] = {}
    if kind == "each_step":
        names["me"] = Type.PLAYER
        for name, of in CHOICES.items():
            if all(name in dict(form.choices) for form in forms or known.values()):
                names[name] = of
    within = reader.expression(node.get("within"), {}, Type.INTEGER)
    body: t.Expr | None
    if kind == "possible":
        body = reader.expression(node.get("when"), {}, Type.TRUTH) if node.get("when") is not None else t.Truth(True, pos=key.pos)
    else:
        body = reader.expression(node.get(kind), names, Type.INTEGER if kind == "falls" else Type.TRUTH)
    if body is None:
        return None
    return Property(name=str(key.value), says=text(node, "says"), cite=cites(node), pos=key.pos, kind=kind, why=text(node, "why"), body=body,
                    actions=tuple(form.name for form in forms), within=within)
