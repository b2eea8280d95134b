"""What goes by a permanent name beside the rulebook: fixtures, mutants and theorems, and to which parts of it they belong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from patchwork_ref.errors import InputError
from patchwork_ref.fixtures.model import Fixture
from patchwork_ref.fixtures.read import read_fixtures, shipped
from patchwork_ref.mutation.mutants import find_mutant
from patchwork_ref.prose.document import Kind
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.suite.matrix import Matrix, Row
from patchwork_ref.suite.store import KILLS, read_matrix

Facts = Mapping[str, tuple[str, ...]]
"""Words, and the permanent names or short texts under them."""

THEOREMS = "theorems"
"""The folder beside the fixtures."""


@dataclass(frozen=True, slots=True)
class Other:
    """A fixture, a mutant or a theorem: one line, what it is linked to, and the commands that show more of it."""

    kind: Kind
    says: str
    facts: Facts
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Links:
    """``parts`` by the name of a part of the rulebook, ``others`` by their own names."""

    parts: Mapping[str, Facts] = field(default_factory=dict)
    others: Mapping[str, Other] = field(default_factory=dict)


def links_of(rulebook: Rulebook, asked: str | None = None, folder: Path | None = None) -> Links:
    """The links of the shipped fixtures (or of those in ``folder``); empty for a rulebook that they were not made for.

    Of the mutants only the one that is ``asked`` for has its words: they take a while.
    Raises InputError where a file there is broken.
    """
    place = folder if folder is not None else shipped()
    matrix = read_matrix(place / KILLS)
    if matrix.rulebook != rulebook.digest:
        return Links()
    fixtures = read_fixtures(place)
    found = _Found()
    for fixture in sorted(fixtures, key=lambda f: (f.custom, bool(f.readings), len(f.steps))):  # the smallest game of the real table comes first
        _add_fixture(found, fixture)
    for row in matrix.rows:
        _add_mutant(found, row, matrix, rulebook, _words(rulebook, row.mutant) if row.mutant == asked else "")
    for name, theorem in _theorems(place / THEOREMS):
        bound = theorem.get("bound")
        about = (str(bound["property"]),) if isinstance(bound, Mapping) and "property" in bound else ()
        for part in about:
            found.link(part, "theorems", name)
        facts = {"bounds": (" to ".join(map(str, dict.fromkeys(theorem["bounds"]))),), "stands in": (f"fixtures/{THEOREMS}/{name}.json",), "about": about}
        found.others[name] = Other("theorem", theorem["statement"], facts, ("patchwork-ref theorems", "patchwork-ref theorems verify"))
    return Links(found.frozen(), found.others)


class _Found:
    def __init__(self) -> None:
        self.parts: dict[str, dict[str, list[str]]] = {}
        self.others: dict[str, Other] = {}

    def link(self, part: str, words: str, name: str) -> None:
        listed = self.parts.setdefault(part, {}).setdefault(words, [])
        if name not in listed:
            listed.append(name)

    def frozen(self) -> dict[str, Facts]:
        order = ("decided by fixtures", "exercised by fixtures", "parts in fixtures", "mutants killed", "mutants equivalent", "mutants not killed", "theorems")
        return {part: {words: tuple(facts[words]) for words in order if words in facts} for part, facts in self.parts.items()}


def _add_fixture(found: _Found, fixture: Fixture) -> None:
    for rule in fixture.decisive:
        found.link(rule, "decided by fixtures", fixture.id)
    for rule in fixture.rules:
        if rule not in fixture.decisive:
            found.link(rule, "exercised by fixtures", fixture.id)
    for ambiguity, reading in fixture.readings.items():
        found.link(ambiguity, "parts in fixtures", fixture.id)
        found.link(f"{ambiguity}={reading}", "parts in fixtures", fixture.id)
    chosen = [f"{a}={r}" for a, r in fixture.readings.items()]
    standing = [fixture.level, f"tier {fixture.tier}", f"ruleset {fixture.ruleset}", *chosen, *(["custom set-up"] if fixture.custom else []), f"{len(fixture.actions)} actions"]
    facts = {"stands in": (f"fixtures/{fixture.file}.jsonl",), "is": (", ".join(standing),), "decides": fixture.decisive,
             "exercises": tuple(r for r in fixture.rules if r not in fixture.decisive), "kills mutants": fixture.kills, "comes from": (fixture.origin,)}
    found.others[fixture.id] = Other("fixture", fixture.title, facts, (f"patchwork-ref replay {fixture.id}",))


def _add_mutant(found: _Found, row: Row, matrix: Matrix, rulebook: Rulebook, says: str) -> None:
    words = f"mutants {row.verdict}" if row.verdict in ("killed", "equivalent") else "mutants not killed"
    parts = tuple(_parts(row.mutant, rulebook))
    for part in parts:
        found.link(part, words, row.mutant)
    facts: dict[str, tuple[str, ...]] = {"changes": parts, "is": (row.verdict + (f" ({row.reason})" if row.reason else ""),)}
    if row.kills:
        first = max(row.kills, key=lambda index: (row.kills[index], -index))  # the store keeps the actions of the quickest alone
        facts["killed first by"] = (f"{matrix.fixtures[first]}, after {row.kills[first]} actions",)
        facts["killed by fixtures"] = tuple(matrix.fixtures[index] for index in row.kills)
    engine = f"mutant:{row.mutant}"
    found.others[row.mutant] = Other("mutant", says, facts, (f"patchwork-ref check {engine}", f"patchwork-ref mutate {row.mutant}"))


def _words(rulebook: Rulebook, name: str) -> str:
    found = find_mutant(rulebook, name, rulebook.readings())
    return found.says if found is not None else ""


def _parts(mutant: str, rulebook: Rulebook) -> Iterator[str]:
    """The parts of the rulebook that a mutant's name speaks of."""
    head, _, change = mutant.partition("~")
    group, _, name = head.partition("/")
    match group:
        case "reading":
            yield from (f"{name}={change}", name)
        case "constant" | "definition":
            yield name.replace("-", "_")
        case "action" | "patch":
            yield name
        case _:
            yield head


def _theorems(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    from patchwork_ref.tiling.theorems import stored

    for theorem in stored(folder):
        if not {"theorem", "statement", "bounds"} <= set(theorem):
            raise InputError(f"{folder} holds a theorem without name, statement or bounds; restore its file")
        yield theorem["theorem"], theorem
