"""What stands together about one part of a rulebook: where it is used, which readings change it and how, who says it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.walk import expressions, nodes, targets
from patchwork_ref.machine.model import ActionForm, Definition, Domain, Guard, Machine, Named, Start, Step
from patchwork_ref.prose.document import Kind
from patchwork_ref.prose.rulebook import chapter_rules
from patchwork_ref.prose.rules import rule_name
from patchwork_ref.report.changes import change_words, changed_names
from patchwork_ref.report.links import Links
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.statements import Remark, Sources
from patchwork_ref.rulebook.tree import Mapping as Tree
from patchwork_ref.rulebook.tree import Node

_HOMES: Mapping[Kind, str] = {"rule": "rules", "definition": "definitions", "constant": "constants", "action": "actions", "property": "properties", "patch": "patches"}


@dataclass(frozen=True)
class Touch:
    """A reading that changes a part, and how: one sentence for each change."""

    ambiguity: str
    reading: str
    how: tuple[str, ...]


@dataclass(frozen=True)
class Heard:
    """Who says a rule, who contradicts it, and which documents are silent."""

    says: tuple[Remark, ...]
    contradicts: tuple[Remark, ...]
    silent: tuple[str, ...]


@dataclass(frozen=True)
class Book:
    """A rulebook with the Machine of the chosen readings, its sources, and what else is linked to its names."""

    rulebook: Rulebook
    machine: Machine
    sources: Sources = field(default_factory=Sources)
    linked: Links = field(default_factory=Links)

    @cached_property
    def tree(self) -> Tree:
        """The rulebook's tree under the chosen readings."""
        return self.rulebook.resolved(self.machine.readings)

    @cached_property
    def names(self) -> dict[str, list[tuple[Kind, str]]]:
        """From what a person may type to the parts of that name, rules first."""
        m, found = self.machine, dict[str, list[tuple[Kind, str]]]()
        groups: list[tuple[Kind, list[tuple[str, str]]]] = [
            ("rule", [(r, r) for r in m.rules] + [(d.rule, d.rule) for d in m.definitions.values() if d.rule]),
            ("rule", [(d.name, d.rule) for d in m.definitions.values() if d.rule]),
            ("definition", [(d.name, d.name) for d in m.definitions.values() if not d.rule]),
            ("action", [(f.name, f.name) for f in m.actions]),
            ("constant", [(c, c) for c in m.constants]),
            ("property", [(p, p) for p in m.properties]),
            ("ambiguity", [(a, a) for a in self.rulebook.ambiguities]),
            ("reading", [(f"{a.name}={r}",) * 2 for a in self.rulebook.ambiguities.values() for r in a.readings]),
            ("ruleset", [(r, r) for r in self.rulebook.rulesets]),
            ("patch", [(p.name, p.name) for p in m.patches]),
            ("field", [(f.name, f.name) for f in (*m.shared, *m.player)]),
            ("table", [(g, g) for g in m.givens]),
            ("chapter", [(c, c) for c in chapter_rules(m)]),
            *((other.kind, [(name, name)]) for name, other in self.linked.others.items()),
        ]
        for kind, pairs in groups:
            for typed, name in pairs:
                listed = found.setdefault(typed, [])
                if (kind, name) not in listed:
                    listed.append((kind, name))
        return found

    def named(self, kind: Kind, name: str) -> Named:
        """The part of the Machine. Raises KeyError."""
        m = self.machine
        if kind == "rule" and name not in m.rules:
            return next(d for d in m.definitions.values() if d.rule == name)
        homes: dict[str, Mapping[str, Named]] = {
            "rule": m.rules, "definition": m.definitions, "constant": m.constants, "action": {f.name: f for f in m.actions}, "property": m.properties,
            "patch": {p.name: p for p in m.patches}, "field": {f.name: f for f in (*m.shared, *m.player)}, "table": m.givens,
        }
        return homes[kind][name]

    def address(self, kind: Kind, name: str) -> tuple[str, str]:
        """The section of the YAML and the key in it."""
        if kind == "rule" and name not in self.machine.rules:
            return "definitions", self.named(kind, name).name
        if kind == "patch" and not next(p for p in self.machine.patches if p.name == name).regular:
            return "special_patches", name
        return _HOMES.get(kind, ""), name

    def entry(self, kind: Kind, name: str) -> Node | None:
        """The part as the YAML has it under the chosen readings."""
        section, key = self.address(kind, name)
        home = self.tree.get(section)
        return home.get(key) if isinstance(home, Tree) else None

    def touches(self, kind: Kind, name: str) -> tuple[Touch, ...]:
        """Every reading that changes this part, or its place in an action."""
        section, key = self.address(kind, name)
        found = []
        for ambiguity in self.rulebook.ambiguities.values():
            for reading in ambiguity.readings.values():
                how = [words for path, value in reading.changes.items if f"{section}.{key}" in changed_names(str(path.value), value)
                       for words in change_words(self.rulebook.tree, str(path.value), value, key)]
                if how:
                    found.append(Touch(ambiguity.name, reading.name, tuple(how)))
        return tuple(found)

    def heard(self, name: str, other: str | None = None) -> Heard:
        """Who says a part by its name, or by a second name that it goes by."""
        names = [n for n in (name, other) if n]
        says = tuple(dict.fromkeys(r for n in names for r in self.sources.saying(n)))
        against = tuple(dict.fromkeys(r for n in names for r in self.sources.contradicting(n)))
        loud = {r.document.name for r in (*says, *against)}
        return Heard(says, against, tuple(d.name for d in self.sources.documents if d.name not in loud))

    @cached_property
    def mentions(self) -> dict[tuple[str, str], list[str]]:
        """For each name inside expressions, as (``use``, ``read``, ``write`` or ``given``; name), the parts that have it."""
        found: dict[tuple[str, str], list[str]] = {}
        for name, keys in _mentioning(self.machine):
            for key in keys:
                listed = found.setdefault(key, [])
                if name not in listed:
                    listed.append(name)
        return found



def _mentioning(machine: Machine) -> Iterator[tuple[str, set[tuple[str, str]]]]:
    for part in (*machine.rules.values(), *machine.definitions.values()):
        writes: list[t.Target] = [x for e in part.does for x in targets(e)] if isinstance(part, Step) else []
        keys = {("write", w.name) for w in writes}
        for node in _expressions(part):
            keys |= _keys(node)
        yield rule_name(part), keys | ({("write", path.rpartition(".")[2]) for path in part.starts} if isinstance(part, Start) else set())
    for form in machine.actions:
        yield form.name, {key for _, e in form.values for key in _keys(e)}
    for stated in machine.properties.values():
        yield stated.name, _keys(stated.body)
    for constant in machine.constants.values():
        if constant.expr is not None:
            yield constant.name, _keys(constant.expr)


def _keys(node: t.Expr) -> set[tuple[str, str]]:
    found = set()
    for inner in nodes(node):
        match inner:
            case t.Use(name=name):
                found.add(("use", name))
            case t.Shared(name=name) | t.OfPlayer(name=name):
                found.add(("read", name))
            case t.Given(name=name):
                found.add(("given", name))
            case t.PatchNamed(id=name):
                found.add(("use", name))
    return found


def _expressions(part: Named) -> Iterator[t.Expr]:
    match part:
        case Guard():
            yield part.condition
        case Domain():
            yield part.collection
        case Start():
            yield from part.starts.values()
        case Definition():
            yield part.body
        case Step():
            yield from part.when.values()
            yield from (part.each[1],) if part.each is not None else ()
            yield from (e for effect in part.does for e in expressions(effect))


def places(machine: Machine, name: str) -> list[dict[str, object]]:
    """Where the actions name a rule: action, part (choice, condition, step), number from 1, and how many there are."""
    found: list[dict[str, object]] = []
    for form in machine.actions:
        for part, listed in _parts(form).items():
            found += [{"action": form.name, "part": part, "number": i, "of": len(listed)} for i, n in enumerate(listed, 1) if n == name]
    return found


def _parts(form: ActionForm) -> dict[str, list[str]]:
    return {"choice": [d.name for _, d in form.choices], "condition": [g.name for g in form.requires], "step": [s.name for s in form.steps]}
