"""Reading what the source documents say: the files in ``sources/`` beside a rulebook's own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from collections.abc import Mapping as AbstractMapping
from pathlib import Path
from types import MappingProxyType

from patchwork_ref.diagnostics import Collector
from patchwork_ref.errors import RulebookError
from patchwork_ref.rulebook.layout import Entry, check_entry
from patchwork_ref.rulebook.load import load_file
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import shipped
from patchwork_ref.rulebook.statements import CITATION, Block, Document, Sources, Statement
from patchwork_ref.rulebook.tree import Mapping, Node, Scalar, Sequence, plain

_DOCUMENT = Entry({"name": "text", "title": "text", "file": "text", "sha256": "text", "paragraphs": "integer", "says": "text"},
                  ("name", "title", "file", "sha256", "paragraphs", "says"))
_BLOCK = Entry({"language": "text", "says": "text", "paragraphs": "map"}, ("language", "says", "paragraphs"), re.compile(r"[a-z]{2}(-\d)?\Z"))
_STATEMENT = Entry({"like": "text", "fixes": "text", "open": "text", "garbled": "text", "agrees": "texts", "contradicts": "texts",
                    "supports": "texts", "leaves": "texts"}, (), re.compile(r"s[1-9]\d*\Z"))
_PARAGRAPH = re.compile(r"([hp])([1-9]\d*)\Z")


def load_sources(rulebook: Rulebook, folder: str | Path | None = None) -> Sources:
    """The Sources in ``sources/`` beside the rulebook's files; none when there is no such folder.

    Raises RulebookError with every defect, names that the rulebook does not have among them.
    """
    collector = Collector()
    found = read_sources(rulebook, collector, folder)
    if collector.found:
        raise RulebookError(collector.sorted())
    return found


def read_sources(rulebook: Rulebook, collector: Collector, folder: str | Path | None = None) -> Sources:
    """As ``load_sources``, with the defects collected."""
    path = Path(folder) if folder is not None else _beside(rulebook)
    shown = str(folder) if folder is not None else f"{rulebook.source.rstrip('/')}/sources"
    trees = [load_file(file, f"{shown}/{file.name}", collector) for file in sorted(path.glob("*.yaml"))]
    documents = [d for d in (_Reader(tree, collector).document() for tree in trees if tree is not None) if d is not None]
    sources = Sources(tuple(documents))
    _check_names(sources, rulebook, collector)
    _check_citations(sources, rulebook, collector)
    return sources


def compared(document: Document, data: bytes) -> list[str]:
    """What differs between a document as it was read for these files and as it is now; nothing when it is the same."""
    found = []
    if (count := sum(1 for line in data.decode("utf-8", "replace").splitlines() if line.strip())) != document.paragraphs:
        found.append(f"{document.name} has {count} paragraphs, {document.paragraphs} are described")
    if (digest := hashlib.sha256(data).hexdigest()) != document.sha256:
        found.append(f"{document.name} has the SHA-256 {digest[:12]}..., {document.sha256[:12]}... was described")
    return found


def rule_names(rulebook: Rulebook) -> frozenset[str]:
    """Everything that a statement can bear on: rules, constants, actions, the quilt board, definitions and their rules."""
    names = {"quilt_board"}
    for section in ("rules", "constants", "actions", "definitions"):
        node = rulebook.tree.get(section)
        for key, entry in node.items if isinstance(node, Mapping) else ():
            names.add(str(key.value))
            if isinstance(entry, Mapping) and (rule := entry.get("rule")) is not None:
                names.add(str(plain(rule)))
    return frozenset(names)


def _beside(rulebook: Rulebook) -> Path:
    given = Path(rulebook.source)
    return (given.parent if given.is_file() else given if given.is_dir() else shipped()) / "sources"


def _check_names(sources: Sources, rulebook: Rulebook, collector: Collector) -> None:
    known = rule_names(rulebook)
    readings = {f"{a.name}={r}" for a in rulebook.ambiguities.values() for r in a.readings}
    for remark in sources.remarks():
        s = remark.statement
        for told, names, kind in (((*s.agrees, *s.contradicts), known, "rule"), (s.supports, readings, "reading"), (s.leaves, rulebook.ambiguities, "ambiguity")):
            for name in [n for n in told if n not in names]:
                collector.add(s.pos, f"unknown-{kind}", f"{remark.citation} names {name!r}, which is no {kind} of this rulebook", "correct the name, or remove it")


def _check_citations(sources: Sources, rulebook: Rulebook, collector: Collector) -> None:
    """Every citation of a document that is described here leads to a statement."""
    described = {d.name for d in sources.documents}
    for scalar in _citations(rulebook.tree):
        cited = str(scalar.value)
        if CITATION.match(cited) and cited.split()[0] in described and not sources.cited(cited):
            collector.add(scalar.pos, "citation", f"{cited!r} names no statement of the sources", "correct the paragraph and the statement")


def _citations(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Mapping):
        for key, value in node.items:
            if key.value in ("cite", "supported_by") and isinstance(value, Sequence):
                yield from (i for i in value.items if isinstance(i, Scalar))
            else:
                yield from _citations(value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _citations(item)


class _Reader:
    """One file to a Document."""

    def __init__(self, tree: Mapping, collector: Collector) -> None:
        self.tree, self.collector = tree, collector
        self.first: dict[str, Statement] = {}

    def document(self) -> Document | None:
        for key, _ in self.tree.items:
            if key.value not in ("document", "blocks"):
                self.collector.add(key.pos, "unknown-key", f"no section is called {key.value!r}", "the sections are document, blocks")
        head, blocks = self.tree.get("document"), self.tree.get("blocks")
        if not isinstance(head, Mapping) or not isinstance(blocks, Mapping) or not blocks.items:
            self.collector.add(self.tree.pos, "missing-key", "a source has no 'document' or no 'blocks'", "add document: and blocks:")
            return None
        before = len(self.collector.found)
        check_entry(Scalar("document", head.pos, head.pos), head, _DOCUMENT, "document", self.collector, named=False)
        if len(self.collector.found) > before:
            return None
        found = tuple(b for b in (self.block(key, node) for key, node in blocks.items) if b is not None)
        count, told = sum(len(b.paragraphs) for b in found), plain(head.get("paragraphs") or Scalar(0))
        if count != told and len(self.collector.found) == before:
            self.collector.add(head.pos, "paragraphs", f"{_text(head, 'name')} has {told} paragraphs, {count} are described", "describe every paragraph, headings too")
        return Document(_text(head, "name"), _text(head, "title"), _text(head, "says"), _text(head, "file"), _text(head, "sha256"), int(str(told)), found)

    def block(self, key: Scalar, node: Node) -> Block | None:
        before = len(self.collector.found)
        check_entry(key, node, _BLOCK, "blocks", self.collector)
        if len(self.collector.found) > before or not isinstance(node, Mapping):
            return None
        paragraphs, statements = node.get("paragraphs"), []
        assert isinstance(paragraphs, Mapping)
        for name, entry in paragraphs.items:
            statements += self.paragraph(name, entry)
        self._numbered([k for k, _ in paragraphs.items])
        if not self.first:
            self.first = {s.place: s for s in statements}
        return Block(str(key.value), _text(node, "language"), _text(node, "says"), paragraphs.keys(), tuple(statements))

    def paragraph(self, name: Scalar, node: Node) -> list[Statement]:
        if not isinstance(node, Mapping) or not node.items:
            self.collector.add(name.pos, "kind", f"paragraph {name.value} has no statement", "give it at least s1:")
            return []
        found = []
        for number, (key, entry) in enumerate(node.items, 1):
            before = len(self.collector.found)
            check_entry(key, entry, _STATEMENT, "statements", self.collector)
            if key.value != f"s{number}":
                self.collector.add(key.pos, "numbering", f"{key.value} stands where s{number} is due", "number the statements from s1 without gaps")
            if len(self.collector.found) == before and isinstance(entry, Mapping):
                found.append(self.statement(str(name.value), number, key, entry))
        return found

    def statement(self, paragraph: str, number: int, key: Scalar, node: Mapping) -> Statement:
        base = self.first.get(_text(node, "like"))
        if node.get("like") is not None and base is None:
            self.collector.add(key.pos, "like", f"{paragraph}.{number} is like {_text(node, 'like')!r}, which the first block does not have", "name a statement such as p1.2")
        elif base is None and not _text(node, "fixes"):
            self.collector.add(key.pos, "missing-key", f"{paragraph}.{number} does not say what it fixes", "add fixes:, or like:")
        words = {k: _text(node, k) if node.get(k) is not None else str(getattr(base, k, "")) for k in ("fixes", "open")}
        lists = {k: _texts(node.get(k)) if node.get(k) is not None else tuple(getattr(base, k, ())) for k in ("agrees", "contradicts", "supports", "leaves")}
        return Statement(paragraph, number, words["fixes"], words["open"], _text(node, "garbled"), **lists, pos=key.pos)

    def _numbered(self, keys: list[Scalar]) -> None:
        due: AbstractMapping[str, list[int]] = MappingProxyType({"h": [0], "p": [0]})
        for key in keys:
            match = _PARAGRAPH.match(str(key.value))
            if match is None or int(match[2]) != due[match[1]][0] + 1:
                self.collector.add(key.pos, "numbering", f"{key.value!r} is no next paragraph", "number headings h1, h2 ... and paragraphs p1, p2 ... without gaps")
            else:
                due[match[1]][0] += 1


def _text(node: Mapping, key: str) -> str:
    value = node.get(key)
    return str(value.value) if isinstance(value, Scalar) and value.value is not None else ""


def _texts(node: Node | None) -> tuple[str, ...]:
    return tuple(str(plain(i)) for i in node.items) if isinstance(node, Sequence) else ()
