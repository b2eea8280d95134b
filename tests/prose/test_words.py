"""Does every node have words, and do different formulas never read alike?"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import get_args

import pytest

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.read import read_effect, read_expression
from patchwork_ref.lang.show import show
from patchwork_ref.lang.types import PRIMITIVES, Type
from patchwork_ref.lang.walk import nodes
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.vocabulary import vocabulary_of
from patchwork_ref.prose.document import plain_text
from patchwork_ref.prose.effects import effect_phrase
from patchwork_ref.prose.expressions import Speaker
from patchwork_ref.source import NOWHERE

NAMES = {"me": Type.PLAYER, "patch": Type.PATCH, "cells": Type.REGION, "distance": Type.INTEGER, "mark": Type.INTEGER}

EXPRESSIONS = [
    "7", "-2", "true", "false", "nobody", "no_cells", "no_patches", "'A'", "me", "players", "table.circle", "supply", "me.buttons", "me.special_tile",
    "patch.cost",
    "before(me.space)", "me.space + 2 * distance - 1", "1 < distance <= 5", "mark in special_spaces", "mark not in special_spaces", "me.special_tile and mark > 2 or mark == 1",
    "not me.special_tile", "not (mark == 2)", "2 if mark > 1 else 3", "true if mark > 1 else me.special_tile", "all(p.space > 1 for p in players if p != me)",
    "any(p.special_tile for p in players)", "sum(q.income for q in me.owned)", "count(m for m in special_spaces if m > 3)", "one(p for p in players if p.space > 2)",
    "on_offer", "paid(me.income)", "total(me)", "over", "level", "last_space",
    "min(mark, 3)", "max(mark, 3)", "other(me)", "other(first_finisher)", "size(me.quilt)", "size(patch)",
    "first(2, circle)", "place('A', circle)", "turned(circle, 2)", "turned(circle, place(patch, circle))", "placements(patch, flips)", "placements(patch, false)",
    "placements(patch, me.special_tile)", "disjoint(cells, me.quilt)", "fits(patch, me.quilt, true)", "filled_square(me.quilt, 7)",
]
EFFECTS = ["turn = rival", "me.special_tile = true", "me.special_tile = false", "me.buttons += 2", "me.buttons -= 2", "special_spaces -= mark", "special_spaces += mark",
           "me.owned += patch", "circle -= patch", "me.quilt |= cells", "me.quilt = no_cells", "transfer(mark, supply, me.buttons)"]


@pytest.fixture(scope="module")
def machine(machine_of: Callable[..., Machine]) -> Machine:
    return machine_of()


@pytest.fixture(scope="module")
def speaker(machine: Machine) -> Speaker:
    return Speaker.of(machine, NAMES)


def words(speaker: Speaker, node: t.Expr) -> str:
    return plain_text(speaker.clause(node) if speaker.type_of(node) == Type.TRUTH else speaker.noun(node))


def test_the_samples_hold_every_node_and_every_primitive(machine: Machine) -> None:
    """No node type and no primitive is missing from the samples below."""
    read = [n for text in EXPRESSIONS for n in nodes(read_expression(text, NOWHERE, vocabulary_of(machine), NAMES))]
    effects = [read_effect(text, NOWHERE, vocabulary_of(machine), NAMES) for text in EFFECTS]
    assert {type(n) for n in read} == set(get_args(t.Expr))
    assert {type(e) for e in effects} == set(get_args(t.Effect))
    assert {n.primitive for n in read if isinstance(n, t.Call)} == set(PRIMITIVES)


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_every_expression_has_words_and_none_are_code(machine: Machine, speaker: Speaker, text: str) -> None:
    """The words of an expression hold no sign of the language, and nothing that is never said of a checked Machine."""
    node = read_expression(text, NOWHERE, vocabulary_of(machine), NAMES)
    for said in (plain_text(speaker.noun(node)), words(speaker, node)):
        assert said.strip() and not set("_=<>*+{}[]") & set(said), said


@pytest.mark.parametrize("text", EFFECTS)
def test_every_effect_has_words(machine: Machine, speaker: Speaker, text: str) -> None:
    """The words of an effect hold no sign of the language."""
    said = plain_text(effect_phrase(speaker, read_effect(text, NOWHERE, vocabulary_of(machine), NAMES)))
    assert said.strip() and not set("_=<>*+{}[]") & set(said), said


def test_a_number_and_a_player_stand_where_the_formula_has_them(machine: Machine, speaker: Speaker) -> None:
    """Operands are said in their order."""
    node = read_expression("me.space - rival.space >= 3", NOWHERE, vocabulary_of(machine), NAMES)
    assert words(speaker, node) == "your space less the other player's space is at least 3"


def _draw(source: random.Random, kind: Type, depth: int) -> str:
    """An expression of a type at random, as text."""
    leaves = {
        Type.INTEGER: ["2", "7", "distance", "mark", "me.space", "rival.space", "patch.cost", "last_space", "supply"],
        Type.TRUTH: ["me.special_tile", "rival.special_tile", "level", "true"],
        Type.REGION: ["cells", "me.quilt", "rival.quilt", "no_cells"],
    }
    if depth == 0:
        return source.choice(leaves[kind])
    i, truth, region = (lambda k=k: _draw(source, k, depth - 1) for k in (Type.INTEGER, Type.TRUTH, Type.REGION))
    forms: dict[Type, list[Callable[[], str]]] = {
        Type.INTEGER: [lambda: f"({i()} + {i()})", lambda: f"({i()} - {i()})", lambda: f"({i()} * {i()})", lambda: f"min({i()}, {i()})", lambda: f"max({i()}, {i()})",
                       lambda: f"({i()} if {truth()} else {i()})", lambda: f"sum({i()} for p in players)", lambda: f"size({region()})", lambda: f"before({i()})",
                       lambda: f"paid({i()})", lambda: f"count(m for m in special_spaces if {truth()})"],
        Type.TRUTH: [lambda: f"({truth()} and {truth()})", lambda: f"({truth()} or {truth()})", lambda: f"(not {truth()})", lambda: f"({i()} < {i()})",
                     lambda: f"({i()} <= {i()} < {i()})",
                     lambda: f"({i()} == {i()})", lambda: f"all({truth()} for p in players)", lambda: f"any({truth()} for p in players if {truth()})",
                     lambda: f"disjoint({region()}, {region()})",
                     lambda: f"({truth()} == {truth()})", lambda: f"({truth()} if {truth()} else {truth()})", lambda: f"before({truth()})",
                     lambda: f"filled_square({region()}, {i()})"],
        Type.REGION: [lambda: source.choice(leaves[Type.REGION])],
    }
    return source.choice([*forms[kind], lambda: source.choice(leaves[kind])])()


def test_different_formulas_never_read_alike(machine: Machine, speaker: Speaker) -> None:
    """Among thousands of expressions, no two that differ have the same words."""
    source, seen = random.Random(7), dict[str, str]()
    for _ in range(4000):
        node = read_expression(_draw(source, source.choice([Type.INTEGER, Type.TRUTH]), source.randrange(1, 4)), NOWHERE, vocabulary_of(machine), NAMES)
        said, written = words(speaker, node), show(node)
        assert seen.setdefault(said, written) == written, said
