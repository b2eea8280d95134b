"""Reading a folder of YAML files into a Rulebook."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from pathlib import Path
from types import MappingProxyType

from patchwork_ref.diagnostics import Collector
from patchwork_ref.errors import RulebookError
from patchwork_ref.rulebook.edits import EditError
from patchwork_ref.rulebook.layout import READING, check_entry, check_layout
from patchwork_ref.rulebook.load import load_file
from patchwork_ref.rulebook.model import Ambiguity, Combination, Reading, Rulebook, Ruleset
from patchwork_ref.rulebook.tree import Mapping, Node, Scalar, Sequence, plain
from patchwork_ref.source import Position


def shipped() -> Path:
    """The folder of the rulebook that comes with the package."""
    packaged = Path(__file__).parent.parent / "spec" / "patchwork"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "spec" / "patchwork"


def load_rulebook(folder: str | Path | None = None) -> Rulebook:
    """The Rulebook in a folder of ``*.yaml`` files (the shipped one when none is named).

    Raises RulebookError with every defect of form; defects inside expressions show when a Machine is made of it.
    """
    collector = Collector()
    rulebook = read_rulebook(folder, collector)
    if rulebook is None or collector.found:
        raise RulebookError(collector.sorted())
    return rulebook


def read_rulebook(folder: str | Path | None, collector: Collector) -> Rulebook | None:
    """As ``load_rulebook``, with the defects collected; None when there is nothing to go on with."""
    given = str(folder) if folder is not None else "spec/patchwork"
    path = Path(folder) if folder is not None else shipped()
    files = [path] if path.is_file() else sorted(path.glob("*.yaml")) if path.is_dir() else []
    if not files:
        problem = "holds no *.yaml file" if path.is_dir() else "there is no such folder or file"
        collector.add(Position(given), "file", problem, "name a folder with the rulebook's YAML files")
        return None
    shown = [given if path.is_file() else f"{given.rstrip('/')}/{file.name}" for file in files]
    trees = [load_file(file, name, collector) for file, name in zip(files, shown, strict=True)]
    tree = _merged([t for t in trees if t is not None], collector)
    check_layout(tree, collector)
    rulebook = from_tree(tree, given, collector)
    if not collector.found:
        for a, b in rulebook.unsettled():
            collector.add(
                a.pos, "combine", f"the readings {a.ambiguity}={a.name} and {b.ambiguity}={b.name} change the same entry and do not say in which order",
                "add an entry to 'combinations:' with first and then",
            )
    return rulebook


def from_tree(tree: Mapping, source: str, collector: Collector) -> Rulebook:
    """The Rulebook of a merged tree; what is malformed is left out, and was reported by the layout check."""
    ambiguities = {str(k.value): _ambiguity(k, v, tree, collector) for k, v in _entries(tree.get("ambiguities"))}
    known = {name: a for name, a in ambiguities.items() if a is not None}
    node = tree.get("combinations")
    combinations = [_combination(item, known, collector) for item in (node.items if isinstance(node, Sequence) else ()) if isinstance(item, Mapping)]
    rulesets = {str(k.value): _ruleset(k, v, known, collector) for k, v in _entries(tree.get("rulesets"))}
    return Rulebook(tree, MappingProxyType(known), tuple(c for c in combinations if c), MappingProxyType(rulesets), source)


def _merged(trees: list[Mapping], collector: Collector) -> Mapping:
    """One map of sections; a section may be continued in another file, an entry may not."""
    result = Mapping(pos=trees[0].pos if trees else Position("<none>"))
    for tree in trees:
        for key, node in tree.items:
            old = result.get(str(key.value))
            if isinstance(old, Mapping) and isinstance(node, Mapping):
                for name, value in node.items:
                    if (first := old.key(str(name.value))) is not None:
                        collector.add(name.pos, "duplicate-key", f"{name.value!r} is defined at {first.pos} already", "give it another name, or remove one")
                    else:
                        old = Mapping((*old.items, (name, value)), old.pos)
                result = result.with_(str(key.value), old)
            elif old is not None:
                collector.add(key.pos, "duplicate-key", f"the section {key.value!r} stands in another file already", "keep it in one file")
            else:
                result = Mapping((*result.items, (key, node)), result.pos)
    return result


def _entries(node: Node | None) -> tuple[tuple[Scalar, Mapping], ...]:
    return tuple((k, v) for k, v in node.items if isinstance(v, Mapping)) if isinstance(node, Mapping) else ()


def _text(node: Mapping, key: str) -> str:
    value = node.get(key)
    return str(value.value) if isinstance(value, Scalar) else ""


def _texts(node: Node | None) -> tuple[str, ...]:
    return tuple(str(plain(item)) for item in node.items) if isinstance(node, Sequence) else ()


def _ambiguity(key: Scalar, node: Mapping, tree: Mapping, collector: Collector) -> Ambiguity | None:
    from patchwork_ref.rulebook.edits import apply_changes

    name, readings = str(key.value), {}
    for reading_key, entry in _entries(node.get("readings")):
        check_entry(reading_key, entry, READING, "readings", collector)
        changes = entry.get("changes")
        reading = Reading(name, str(reading_key.value), _text(entry, "says"), _texts(entry.get("supported_by")),
                          changes if isinstance(changes, Mapping) else Mapping(), reading_key.pos)
        readings[reading.name] = reading
        try:
            apply_changes(tree, reading.changes)
        except EditError as error:
            d = error.diagnostic
            collector.add(d.position, d.code, d.message, d.hint)
    default = _text(node, "default")
    if default not in readings:
        collector.add(key.pos, "missing-reading", f"{name} has no reading {default!r}, its default", f"it has {', '.join(readings) or 'none'}")
        return None
    if readings[default].changes.items:
        collector.add(readings[default].pos, "default-changes", f"the default reading of {name} changes rules", "write the default into the rules themselves")
    if len(readings) < 2:
        collector.add(key.pos, "one-reading", f"{name} has only one reading", "add the other one, or remove the ambiguity")
    return Ambiguity(name, _text(node, "question"), default, _text(node, "because"), MappingProxyType(readings), key.pos)


def _combination(node: Mapping, known: AbstractMapping[str, Ambiguity], collector: Collector) -> Combination | None:
    for side in ("first", "then"):
        ambiguity, _, reading = _text(node, side).partition("=")
        if ambiguity not in known or reading not in known[ambiguity].readings:
            collector.add(node.pos, "missing-reading", f"{_text(node, side)!r} names no reading", "write ambiguity=reading")
            return None
    changes = node.get("changes")
    return Combination(_text(node, "first"), _text(node, "then"), changes if isinstance(changes, Mapping) else Mapping(), node.pos)


def _ruleset(key: Scalar, node: Mapping, known: AbstractMapping[str, Ambiguity], collector: Collector) -> Ruleset:
    chosen = {}
    readings = node.get("readings")
    for name, value in readings.items if isinstance(readings, Mapping) else ():
        ambiguity, reading = str(name.value), str(plain(value))
        if ambiguity not in known or reading not in known[ambiguity].readings:
            collector.add(name.pos, "missing-reading", f"{ambiguity}={reading} names no reading", "name an ambiguity and one of its readings")
        else:
            chosen[ambiguity] = reading
    return Ruleset(str(key.value), _text(node, "says"), MappingProxyType(chosen), key.pos)
