"""The list of mutants of a rulebook: every change tried, ill-formed ones left out, equal ones merged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from collections.abc import Mapping as AbstractMapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from patchwork_ref.diagnostics import Collector
from patchwork_ref.engine.used import lean_layout
from patchwork_ref.errors import ChoiceError
from patchwork_ref.lang.types import Type
from patchwork_ref.machine.build import machine_of_tree, named_ruleset
from patchwork_ref.machine.build_properties import CHOICES
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.vocabulary import vocabulary_of
from patchwork_ref.mutation.actions import action_candidates, game_candidates
from patchwork_ref.mutation.expressions import Context
from patchwork_ref.mutation.independence import definitions_played
from patchwork_ref.mutation.model import Candidate, Mutant, meaning, played_part
from patchwork_ref.mutation.parts import board_candidates, constant_candidates, patch_candidates
from patchwork_ref.mutation.rules import Rewriter
from patchwork_ref.rulebook.edits import EditError, apply_changes
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.tree import Mapping, from_plain, plain

FIELD = Path(__file__).with_name("field.json")
"""Faults that real engines have and that take more than one change: a name, words, and changes as readings write them."""

READING, BOTH = "reading/", "+"
"""How the names of exchanged readings begin; what joins the names of two mutants to that of the rulebook with both."""


def mutants(rulebook: Rulebook, readings: AbstractMapping[str, str] | None = None) -> tuple[Mutant, ...]:
    """Every mutant of the rulebook under a complete choice of readings (the default ruleset's), in a fixed order.

    Left out: changes that give no Machine (a defect), and changes that give the rulebook itself. Changes that give the
    same rules are one mutant under the first name; the others are its ``aliases``.
    """
    chosen = readings if readings is not None else rulebook.readings()
    return _mutants(_Key(rulebook, chosen))


def mutant(rulebook: Rulebook, name: str, readings: AbstractMapping[str, str] | None = None) -> Mutant:
    """The mutant with this name or alias. Raises ChoiceError when there is none under these readings."""
    found = find_mutant(rulebook, name, readings if readings is not None else rulebook.readings())
    if found is None:
        rule = name.partition("~")[0]
        near = [m.name for m in mutants(rulebook, readings) if m.rule == rule]
        hint = f"mutants of {rule} are {', '.join(near[:8])}" if near else "write RULE~CHANGE; `mutate` lists them"
        raise ChoiceError(f"no mutant is called {name!r}; {hint}")
    return found


def find_mutant(rulebook: Rulebook, name: str, readings: AbstractMapping[str, str]) -> Mutant | None:
    """The same, or None; builds no more than this one Machine, so that aliases are themselves. ``A+B`` is the rulebook
    with both changes made."""
    key = _Key(rulebook, readings)
    candidate = _by_name(key).get(name) if BOTH not in name else _joined(name, key)
    if candidate is None:
        return None
    if meaning(candidate.tree) == _own(key) or not _sound(candidate.tree, key):
        return None
    return Mutant(name, candidate.rule, candidate.change, candidate.operator, candidate.says, (), readings, _named(key), candidate.tree)


class _Key:
    """A rulebook under readings, comparable by content."""

    def __init__(self, rulebook: Rulebook, readings: AbstractMapping[str, str]) -> None:
        self.rulebook, self.readings = rulebook, readings
        self.value = (rulebook.digest, tuple(sorted(readings.items())))

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.value == self.value


@lru_cache(maxsize=8)
def _mutants(key: _Key) -> tuple[Mutant, ...]:
    ruleset = _named(key)
    seen: dict[str, str | None] = {_own(key): None}
    kept: dict[str, Candidate] = {}
    aliases: dict[str, list[str]] = {}
    for candidate in _by_name(key).values():
        digest = meaning(candidate.tree)
        if digest in seen:
            if (first := seen[digest]) is not None:
                aliases[first].append(candidate.name)
        elif _sound(candidate.tree, key):
            seen[digest] = candidate.name
            kept[candidate.name], aliases[candidate.name] = candidate, []
    return tuple(Mutant(c.name, c.rule, c.change, c.operator, c.says, tuple(aliases[c.name]), key.readings, ruleset, c.tree) for c in kept.values())


@lru_cache(maxsize=128)
def _own(key: _Key) -> str:
    """What the rulebook itself means."""
    return meaning(key.rulebook.resolved(key.readings))


def _named(key: _Key) -> str | None:
    return named_ruleset(key.rulebook, key.readings)


def _sound(tree: Mapping, key: _Key) -> bool:
    collector = Collector()
    return machine_of_tree(played_part(tree), collector, key.readings, None) is not None and not collector.found


@lru_cache(maxsize=128)
def _by_name(key: _Key) -> AbstractMapping[str, Candidate]:
    """Every change by name. Raises no error for a rulebook that builds."""
    found: dict[str, Candidate] = {}
    for candidate in _candidates(key):
        assert candidate.name not in found, candidate.name
        found[candidate.name] = candidate
    return found


def _joined(name: str, key: _Key) -> Candidate | None:
    """Several changes, one after the other: readings first, since they say what the rules are; None when one of them does
    not exist once the others are made."""
    names = sorted(name.split(BOTH), key=lambda part: not part.startswith(READING))
    readings = dict(key.readings)
    says: list[str] = []
    changed: Candidate | None = None
    for part in names:
        if part.startswith(READING):
            ambiguity, _, reading = part.removeprefix(READING).partition("~")
            if part not in _by_name(key) or readings[ambiguity] != key.readings[ambiguity]:
                return None
            readings[ambiguity] = reading
            try:
                changed = replace(_by_name(key)[part], tree=key.rulebook.resolved(readings))
            except EditError:
                return None
        else:
            tree = changed.tree if changed is not None else key.rulebook.resolved(readings)
            changed = next((c for c in _changes(tree, readings) if c.name == part), None)
        if changed is None:
            return None
        says.append(changed.says)
    if changed is None:
        return None
    rules, changes = (BOTH.join(part.partition("~")[at] for part in names) for at in (0, 2))
    return Candidate(rules, changes, "pair", "; and ".join(text.rstrip(".") for text in says), changed.tree)


def _candidates(key: _Key) -> Iterator[Candidate]:
    yield from _readings(key)
    yield from _changes(key.rulebook.resolved(key.readings), key.readings)


def _changes(tree: Mapping, readings: AbstractMapping[str, str]) -> Iterator[Candidate]:
    """Every change of a tree but another reading; none of a tree that gives no Machine."""
    machine = machine_of_tree(tree, Collector(), readings, None)
    if machine is None:
        return
    rewriter = _rewriter(tree, machine)
    yield from _field(tree)
    yield from rewriter.rules()
    yield from rewriter.definitions(definitions_played(machine))
    yield from action_candidates(rewriter, machine)
    yield from game_candidates(rewriter, machine)
    yield from constant_candidates(tree)
    yield from patch_candidates(tree)
    yield from board_candidates(tree)


def _rewriter(tree: Mapping, machine: Machine) -> Rewriter:
    text = json.dumps(plain(Mapping(tuple(item for item in tree.items if item[0].value in ("rules", "definitions", "actions")))))
    used = frozenset(n for n, c in machine.constants.items() if c.type == Type.INTEGER and len(re.findall(rf"\b{n}\b", text)) > 1)
    values = {name for form in machine.actions for name, _ in form.values}
    names = {"me": Type.PLAYER, **{name: CHOICES[name] for form in machine.actions for name, _ in form.choices}, **dict.fromkeys(values, Type.INTEGER)}
    fields = {f.name for f in (*machine.shared, *machine.player)}
    layout = lean_layout(machine)
    unread = frozenset(fields - {*layout.shared, *layout.player})
    context = Context(vocabulary_of(machine), frozenset(values), shared_constants=used, unread=unread)
    return Rewriter(tree, context, names, machine)


def _readings(key: _Key) -> Iterator[Candidate]:
    """Every other reading of every ambiguity, one exchanged at a time."""
    for ambiguity in key.rulebook.ambiguities.values():
        for name, reading in ambiguity.readings.items():
            if key.readings.get(ambiguity.name) != name:
                try:
                    tree = key.rulebook.resolved({**key.readings, ambiguity.name: name})
                except EditError:
                    continue
                yield Candidate(f"{READING}{ambiguity.name}", name, "reading", reading.says, tree)


def _field(tree: Mapping) -> Iterator[Candidate]:
    """The faults of engines in the field, where their changes apply."""
    for entry in json.loads(FIELD.read_text(encoding="utf-8")):
        changes = from_plain(entry["changes"])
        assert isinstance(changes, Mapping)
        try:
            yield Candidate(entry["rule"], entry["change"], "field", entry["says"], apply_changes(tree, changes))
        except EditError:
            continue
