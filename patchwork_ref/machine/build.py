"""Rulebook and readings to a Machine: every expression read and typed, every name resolved, every defect collected."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from types import MappingProxyType

from patchwork_ref.diagnostics import Collector
from patchwork_ref.errors import RulebookError
from patchwork_ref.lang.types import Type
from patchwork_ref.machine.build_actions import build_actions
from patchwork_ref.machine.build_parts import build_board, build_constants, build_definitions, build_fields, build_givens, build_patches
from patchwork_ref.machine.build_properties import build_properties
from patchwork_ref.machine.build_rules import build_rules
from patchwork_ref.machine.model import Definition, Machine, Start
from patchwork_ref.machine.reading import Reader, entries, text
from patchwork_ref.rulebook.edits import EditError
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.tree import Mapping, Node, digest, plain

_MEANT = ("quilt_board", "patches", "special_patches", "constants", "table", "state", "definitions", "rules", "actions", "game")
"""The sections that a Machine is made of; its digest covers them alone."""


def from_rulebook(rulebook: Rulebook, readings: AbstractMapping[str, str] | None = None, ruleset: str | None = None) -> Machine:
    """The Machine of a rulebook under a complete choice of readings (those of ``ruleset`` when none are given).

    Raises RulebookError with every defect, ChoiceError when the ruleset is unknown.
    """
    collector = Collector()
    chosen = readings if readings is not None else rulebook.readings(ruleset)
    machine = build_machine(rulebook, chosen, collector, ruleset)
    if machine is None or collector.found:
        raise RulebookError(collector.sorted())
    return machine


def build_machine(rulebook: Rulebook, readings: AbstractMapping[str, str], collector: Collector, ruleset: str | None = None) -> Machine | None:
    """As ``from_rulebook``, with the defects collected."""
    try:
        tree = rulebook.resolved(readings)
    except EditError as error:
        collector.add(error.diagnostic.position, error.diagnostic.code, error.diagnostic.message, error.diagnostic.hint)
        return None
    return machine_of_tree(tree, collector, readings, ruleset or named_ruleset(rulebook, readings))


def named_ruleset(rulebook: Rulebook, readings: AbstractMapping[str, str]) -> str | None:
    """The first ruleset with exactly these readings."""
    return next((name for name in rulebook.rulesets if dict(rulebook.readings(name)) == dict(readings)), None)


def machine_of_tree(tree: Mapping, collector: Collector, readings: AbstractMapping[str, str], ruleset: str | None) -> Machine | None:
    """The Machine of a tree with every reading applied; None when defects were found."""
    before = len(collector.found)
    reader = Reader(collector)
    board = build_board(tree, reader)
    patches = build_patches(tree, board, reader)
    constants = build_constants(tree, board, patches, reader)
    shared, player = build_fields(tree, reader)
    if not any(f.name == "turn" and f.type == Type.PLAYER for f in shared):
        collector.add((tree.get("state") or tree).pos, "turn", "the shared state has no field 'turn' of type player", "add it: it says whose action is next")
    reader.declare(constants, shared, player, patches, tree)
    givens = build_givens(tree, reader)
    definitions = build_definitions(tree, reader)
    rules = build_rules(tree, reader, givens)
    actions = build_actions(tree, reader, rules)
    properties = build_properties(tree, reader, actions)
    game = _Game(tree, reader, definitions)
    starts = tuple(r for r in rules.values() if isinstance(r, Start))
    over, winner, total = game.named("over", Type.TRUTH), game.named("winner", Type.MAYBE_PLAYER), game.named("total", Type.INTEGER, player=True)
    score = game.score()
    if len(collector.found) > before or over is None or winner is None or total is None:
        return None
    title = text(tree.get("edition"), "title")
    chapters = {str(k.value): str(plain(v)) for k, v in entries(tree.get("chapters"))}
    meant = digest(Mapping(tuple(item for item in tree.items if item[0].value in _MEANT)))
    return Machine(title, ruleset, MappingProxyType(dict(readings)), board, patches, constants, givens, shared, player, definitions, rules, actions, starts,
                   over, winner, total, score, MappingProxyType(chapters), meant, properties=properties)


class _Game:
    """The section that says which definitions end, score and decide the game."""

    def __init__(self, tree: Mapping, reader: Reader, definitions: AbstractMapping[str, Definition]) -> None:
        self.tree, self.reader, self.definitions = tree, reader, definitions
        node = tree.get("game")
        self.node = node if isinstance(node, Mapping) else Mapping()

    def named(self, key: str, wanted: Type, player: bool = False) -> Definition | None:
        return self.check(self.node.get(key), wanted, player)

    def check(self, node: Node | None, wanted: Type, player: bool) -> Definition | None:
        if node is None:
            return None
        name = str(plain(node))
        found = self.definitions.get(name)
        if found is None:
            known = self.tree.get("definitions")
            if not (isinstance(known, Mapping) and known.get(name)):
                self.reader.collector.add(node.pos, "unknown-name", f"no definition is called {name!r}", "name a definition")
            return None
        takes = [Type.PLAYER] if player else []
        if list(found.takes.values()) != takes or (found.type != wanted and not (wanted == Type.MAYBE_PLAYER and found.type == Type.PLAYER)):
            given = " and ".join(found.takes.values()) or "nothing"
            asked = "a player" if player else "nothing"
            self.reader.collector.add(node.pos, "type", f"{name} takes {given} and gives {found.type}", f"name one that takes {asked} and gives {wanted}")
            return None
        return found

    def score(self) -> AbstractMapping[str, Definition]:
        parts = {str(k.value): self.check(v, Type.INTEGER, True) for k, v in entries(self.node.get("score"))}
        return MappingProxyType({name: d for name, d in parts.items() if d is not None})
