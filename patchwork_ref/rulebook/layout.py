"""What a rulebook's sections hold: a literal table of keys, and the check of a tree against it."""

from __future__ import annotations

import re
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass

from patchwork_ref.diagnostics import Collector
from patchwork_ref.rulebook.tree import Mapping, Node, Scalar, Sequence

RULE_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*\Z")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*\Z")
PATCH_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*\Z")
CITATION = re.compile(r"(source-\d{3} p\d+(\.\d+)?|rulebook [A-Z].*|print .+|survey .+|own: .+)\Z")


@dataclass(frozen=True, slots=True)
class Entry:
    """The keys of one kind of entry: each with the kinds of node it may be; ``needs`` must be there."""

    keys: AbstractMapping[str, str]
    needs: tuple[str, ...] = ()
    name: re.Pattern[str] = IDENTIFIER


_PATCH = Entry({"picture": "texts", "cost": "integer", "time": "integer", "income": "integer", "says": "text"},
               ("picture", "cost", "time", "income"), PATCH_ID)
_RULE = Entry({"says": "text", "cite": "texts", "guard": "text", "refuse": "text", "from": "text", "outside": "text",
               "when": "map", "for_each": "text", "does": "texts", "starts": "map"}, ("says", "cite"), RULE_NAME)

SECTIONS: AbstractMapping[str, Entry] = {
    "chapters": Entry({}, (), SLUG),
    "patches": _PATCH,
    "special_patches": _PATCH,
    "constants": Entry({"is": "any", "type": "text", "says": "text", "cite": "texts", "sends": "text"}, ("is", "says", "cite")),
    "table": Entry({"type": "text", "says": "text", "otherwise": "text"}, ("type", "says")),
    "definitions": Entry({"takes": "map", "is": "any", "says": "text", "cite": "texts", "rule": "text"}, ("is", "says")),
    "rules": _RULE,
    "actions": Entry({"says": "text", "cite": "texts", "like": "text", "sends": "map", "chooses": "edits", "requires": "edits", "with": "map",
                      "steps": "edits"}, (), IDENTIFIER),
    "properties": Entry({"says": "text", "why": "text", "cite": "texts",
                         "always": "text", "each_step": "text", "at_end": "text", "falls": "text", "within": "text",
                         "possible": "texts", "when": "text", "of": "texts"}, ("says", "why"), RULE_NAME),
    "ambiguities": Entry({"question": "text", "default": "text", "because": "text", "readings": "map"}, ("question", "default", "because", "readings"), SLUG),
    "rulesets": Entry({"says": "text", "readings": "map"}, ("says",), SLUG),
}
"""Sections that map names to entries of one kind."""

SINGLES: AbstractMapping[str, Entry] = {
    "edition": Entry({"name": "text", "title": "text", "author": "text", "publisher": "text", "players": "integer", "format": "integer",
                      "version": "text", "says": "text"}, ("name", "title", "format")),
    "quilt_board": Entry({"rows": "integer", "columns": "integer", "says": "text", "cite": "texts"}, ("rows", "columns")),
    "state": Entry({"shared": "map", "player": "map"}, ("shared", "player")),
    "game": Entry({"over": "text", "score": "map", "total": "text", "winner": "text"}, ("over", "score", "total", "winner")),
}
"""Sections that are one entry themselves."""

READING = Entry({"says": "text", "supported_by": "texts", "changes": "map"}, ("says", "supported_by"), SLUG)
COMBINATION = Entry({"first": "text", "then": "text", "says": "text", "changes": "map"}, ("first", "then"))
FIELD = Entry({"type": "text", "says": "text"}, ("type", "says"))


NEEDED = ("edition", "quilt_board", "table", "state", "definitions", "rules", "actions", "game")
"""Sections without which there is no game."""


def check_layout(tree: Mapping, collector: Collector) -> None:
    """Reports unknown sections and keys, missing ones, wrong kinds of value, bad names and citations."""
    for key, node in tree.items:
        section = str(key.value)
        if section in SECTIONS:
            for name, entry in _entries(node, key, collector):
                if section == "chapters":
                    _kind(entry, "text", name, collector)
                else:
                    check_entry(name, entry, SECTIONS[section], section, collector)
        elif section in SINGLES:
            check_entry(key, node, SINGLES[section], section, collector, named=False)
        elif section == "combinations":
            for item in node.items if isinstance(node, Sequence) else ():
                check_entry(key, item, COMBINATION, section, collector, named=False)
        else:
            known = ", ".join([*SECTIONS, *SINGLES, "combinations"])
            collector.add(key.pos, "unknown-key", f"no section is called {section!r}", f"the sections are {known}")
    for section in NEEDED:
        if tree.get(section) is None:
            collector.add(tree.pos, "missing-section", f"no file has a section {section!r}", f"add {section}:")


def check_entry(name: Scalar, node: Node, entry: Entry, section: str, collector: Collector, named: bool = True) -> None:
    """Reports what is wrong with one entry."""
    if named and not entry.name.match(str(name.value)):
        collector.add(name.pos, "name", f"{name.value!r} is no name for an entry of {section}", "write small letters, digits and hyphens (rules: chapter/case)")
    if not isinstance(node, Mapping):
        collector.add(node.pos, "kind", f"{name.value} is not a map", "give it its keys, one a line")
        return
    for key, value in node.items:
        if key.value not in entry.keys:
            collector.add(key.pos, "unknown-key", f"{section} entries have no key {key.value!r}", f"the keys are {', '.join(entry.keys)}")
        else:
            _kind(value, entry.keys[str(key.value)], key, collector)
    for missing in [k for k in entry.needs if node.get(k) is None]:
        collector.add(name.pos, "missing-key", f"{name.value} has no {missing!r}", f"add {missing}:")
    for cite in _texts(node.get("cite")):
        if not CITATION.match(str(cite.value)):
            collector.add(cite.pos, "citation", f"{str(cite.value)!r} is no citation", "write 'source-NNN pP.S', 'rulebook SECTION', 'print ...', 'survey ...' or 'own: reason'")


def _entries(node: Node, key: Scalar, collector: Collector) -> tuple[tuple[Scalar, Node], ...]:
    if isinstance(node, Mapping):
        return node.items
    collector.add(node.pos, "kind", f"{key.value} is not a map", "give it named entries")
    return ()


def _texts(node: Node | None) -> list[Scalar]:
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []


def _kind(node: Node, kind: str, key: Scalar, collector: Collector) -> None:
    fits = {
        "any": True,
        "text": isinstance(node, Scalar) and node.value is not None,
        "integer": isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool),
        "texts": isinstance(node, Sequence) and all(isinstance(i, Scalar) and i.value is not None for i in node.items),
        "map": isinstance(node, Mapping),
        "edits": isinstance(node, (Mapping, Sequence)),
    }[kind]
    if not fits:
        wanted = {"text": "a text", "integer": "an integer", "texts": "a list of texts", "map": "a map", "edits": "a list or a map"}[kind]
        collector.add(node.pos, "kind", f"{key.value} is not {wanted}", f"write {wanted}")
