"""What a mutant is, and the small value from which one is made."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass, field
from functools import cached_property

from patchwork_ref.diagnostics import Collector
from patchwork_ref.machine.build import machine_of_tree
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.tree import Mapping, Node, Scalar, Sequence, digest


@dataclass(frozen=True, slots=True)
class Candidate:
    """One change, not yet tried: the rule that it concerns, its permanent short name, its words, and the changed tree."""

    rule: str
    change: str
    operator: str
    says: str
    tree: Mapping

    @property
    def name(self) -> str:
        return f"{self.rule}~{self.change}"


@dataclass(frozen=True)
class Mutant:
    """A rulebook with one rule changed.

    ``name`` is ``rule~change`` and permanent; ``says`` is one line; ``operator`` the kind of change; ``aliases`` the
    names of other changes that give the very same rules.
    """

    name: str
    rule: str
    change: str
    operator: str
    says: str
    aliases: tuple[str, ...] = ()
    readings: AbstractMapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    ruleset: str | None = field(default=None, compare=False, repr=False)
    tree: Mapping = field(default_factory=Mapping, compare=False, repr=False)

    @cached_property
    def machine(self) -> Machine:
        """The Machine under the readings that the mutant was made with."""
        collector = Collector()
        found = machine_of_tree(self.tree, collector, self.readings, self.ruleset)
        if found is None or collector.found:  # a property may not fit the changed rules
            found = machine_of_tree(played_part(self.tree), Collector(), self.readings, self.ruleset)
        assert found is not None  # ``mutants`` leaves out what has defects
        return found

    @cached_property
    def bare(self) -> Machine:
        """The same without the declared properties: quicker to build, and all that playing needs."""
        found = machine_of_tree(played_part(self.tree), Collector(), self.readings, self.ruleset)
        assert found is not None
        return found


def replaced(node: Node, path: tuple[str, ...], value: Node) -> Node:
    """The tree with another node at a path of keys."""
    if not path:
        return value
    assert isinstance(node, Mapping)
    old = node.get(path[0])
    assert old is not None
    return node.with_(path[0], replaced(old, path[1:], value))


def removed(node: Node, path: tuple[str, ...]) -> Node:
    """The tree without the entry at a path of keys."""
    assert isinstance(node, Mapping)
    if len(path) == 1:
        return node.without(path[0])
    old = node.get(path[0])
    assert old is not None
    return node.with_(path[0], removed(old, path[1:]))


def played_part(tree: Mapping) -> Mapping:
    """The tree without the declared properties."""
    return tree.without("properties")


_WORDS = frozenset({"says", "cite", "title", "author", "publisher", "version", "question", "because", "rule"})
_PLAYED = frozenset({"quilt_board", "patches", "special_patches", "constants", "table", "state", "definitions", "rules", "actions", "game"})


def meaning(tree: Mapping) -> str:
    """A hash of what is played: the sections that make a Machine, without words and citations."""
    return digest(Mapping(tuple((key, _bare(node)) for key, node in tree.items if key.value in _PLAYED)))


def _bare(node: Node) -> Node:
    match node:
        case Mapping():
            return Mapping(tuple((key, _bare(value)) for key, value in node.items if key.value not in _WORDS))
        case Sequence():
            return Sequence(tuple(_bare(item) for item in node.items))
        case Scalar():
            return node
