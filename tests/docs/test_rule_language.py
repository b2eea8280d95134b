"""Is ``docs/RULE-LANGUAGE.md`` true: is every example read, every type, primitive, key and code named?"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from patchwork_ref.diagnostics import Collector
from patchwork_ref.lang.check import Checker
from patchwork_ref.lang.read import Unreadable, read_effect, read_expression
from patchwork_ref.lang.types import PRIMITIVES, QUANTIFIERS, Type
from patchwork_ref.machine.build import build_machine, from_rulebook
from patchwork_ref.machine.vocabulary import vocabulary_of
from patchwork_ref.rulebook.layout import SECTIONS, SINGLES, check_layout
from patchwork_ref.rulebook.load import load_text
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import from_tree
from patchwork_ref.rulebook.tree import Mapping
from patchwork_ref.source import NOWHERE

NAMES = {"me": Type.PLAYER, "patch": Type.PATCH, "cells": Type.REGION, "distance": Type.INTEGER}


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "RULE-LANGUAGE.md").read_text()


@pytest.fixture(scope="module")
def checker(rulebook: Rulebook) -> tuple[Checker, Collector]:
    machine, collector = from_rulebook(rulebook), Collector()
    return Checker(vocabulary_of(machine), {d.name: d.body for d in machine.definitions.values()}, collector), collector


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def lines(page: str, language: str) -> list[tuple[str, str]]:
    """Each line of a block as text and remark."""
    found = [line.partition("#") for block in blocks(page, language) for line in block.splitlines() if line.strip()]
    return [(text.strip(), remark.strip()) for text, _, remark in found]


def test_every_expression_is_read_and_has_its_type(page: str, checker: tuple[Checker, Collector]) -> None:
    """The examples of expressions are of the types that stand beside them."""
    typed, collector = checker
    examples = lines(page, "expression")
    assert len(examples) > 20
    for text, kind in examples:
        assert typed.type_of(read_expression(text, NOWHERE, typed.vocabulary, NAMES), NAMES) == kind, text
    assert collector.found == []


def test_every_effect_is_read_and_fits(page: str, checker: tuple[Checker, Collector]) -> None:
    """The examples of effects are read and typed without a defect."""
    typed, collector = checker
    examples = lines(page, "effect")
    assert len(examples) > 8
    for text, _ in examples:
        typed.effect(read_effect(text, NOWHERE, typed.vocabulary, NAMES), NAMES)
    assert collector.found == []


def test_what_is_said_to_be_refused_is_refused(page: str, checker: tuple[Checker, Collector]) -> None:
    """Each bad example is refused with the code beside it."""
    examples = lines(page, "refused")
    assert len(examples) > 8
    for text, code in examples:
        collector = Collector()
        typed = Checker(checker[0].vocabulary, checker[0].bodies, collector)
        try:
            typed.type_of(read_expression(text, NOWHERE, typed.vocabulary, NAMES), NAMES)
            codes = {d.code for d in collector.found}
        except Unreadable as error:
            codes = {error.diagnostic.code}
        assert codes == {code}, text


def test_every_piece_of_yaml_makes_a_game(page: str, rulebook: Rulebook) -> None:
    """The shipped rulebook with the entries of an example in place of its own has no defect, under every new reading."""
    examples = blocks(page, "yaml")
    assert len(examples) > 7
    for text in examples:
        collector = Collector()
        tree, new = rulebook.tree, load_text(text, "example.yaml", collector)
        assert new is not None
        for section, node in new.items:
            old = tree.get(str(section.value))
            assert isinstance(old, Mapping) and isinstance(node, Mapping)
            for key, entry in node.items:
                inner = old.get(str(key.value))
                if section.value == "state" and isinstance(inner, Mapping) and isinstance(entry, Mapping):
                    for field, value in entry.items:
                        inner = inner.with_(str(field.value), value)
                    entry = inner
                old = old.with_(str(key.value), entry)
            tree = tree.with_(str(section.value), old)
        other = from_tree(tree, "example", collector)
        check_layout(tree, collector)
        new_ones = [{a.name: r} for a in other.ambiguities.values() if a.name not in rulebook.ambiguities for r in a.readings]
        for readings in new_ones or [{}]:
            assert build_machine(other, {**other.readings(), **readings}, collector) is not None, [str(d) for d in collector.found]
        assert not collector.found, [str(d) for d in collector.found]


def test_the_page_names_every_type_primitive_section_and_key(page: str) -> None:
    """No type, primitive, quantifier or section of the language is missing from the page."""
    for name in [*Type, *QUANTIFIERS, *SECTIONS, *SINGLES, "combinations"]:
        assert f"`{name}" in page or f"`{name}`" in page, name
    for name in PRIMITIVES:
        assert f"`{name}(" in page, name
    for key in {k for entry in SECTIONS.values() for k in entry.keys} - {"income", "cost", "time", "type", "picture", "question", "default", "because", "why", "of"}:
        assert re.search(rf"\b{key}\b", page), key


def codes_in_the_code(root: Path) -> set[str]:
    """The code of every diagnostic that is made in the rooms that read rulebooks."""
    found = {"change", "circular", "type"}  # given by name rather than by place
    for folder in ("lang", "rulebook", "machine"):
        for file in (root / "patchwork_ref" / folder).glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                called = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
                if isinstance(node, ast.Call) and called in ("add", "report", "_refuse", "_Refused", "Diagnostic") and len(node.args) >= 4:
                    code = node.args[1]
                    if isinstance(code, ast.Constant) and isinstance(code.value, str):
                        found.add(code.value)
                    elif isinstance(code, ast.JoinedStr):
                        found |= {"unknown-rule", "unknown-reading", "unknown-ambiguity"}
    return found


def test_the_page_lists_the_codes_of_lint(page: str, root: Path) -> None:
    """The table of codes and the codes that the reading of rulebooks can give are the same."""
    table = page[page.index("## What `lint` says") :]
    listed = set(re.findall(r"`([a-z][a-z0-9-]*)`", "".join(row.split("|")[1] for row in table.splitlines() if row.startswith("| `"))))
    assert listed == codes_in_the_code(root)


def test_the_first_change_can_be_typed(page: str, root: Path, tmp_path: Path) -> None:
    """The commands of the first example work: the copy has no defect, and a game is played with it."""
    script = blocks(page, "sh")[0].replace("/tmp/house-rules", str(tmp_path / "house")).replace("patchwork-ref ", f"{sys.executable} -m patchwork_ref ")
    done = subprocess.run(["sh", "-ec", script], cwd=root, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "is: 7" in (tmp_path / "house" / "1-components.yaml").read_text()
