"""The rulebook and its parts as plain values for JSON."""

from __future__ import annotations

from patchwork_ref.machine.model import Constant, Patch
from patchwork_ref.polyomino import orientations, placements
from patchwork_ref.prose.document import Kind, plain_text
from patchwork_ref.prose.rules import exact, property_phrase
from patchwork_ref.report.changes import yaml_lines
from patchwork_ref.report.choice_pages import changes_of, rules_touched
from patchwork_ref.report.link_pages import other_json
from patchwork_ref.report.rule_book import Book, places
from patchwork_ref.report.rule_pages import heard_of
from patchwork_ref.rulebook.model import Reading
from patchwork_ref.rulebook.statements import Remark
from patchwork_ref.rulebook.tree import plain

Json = dict[str, object]


def part_json(book: Book, kind: Kind, name: str) -> Json:
    """One part. Every document has ``kind``, ``name``, ``says``; parts of the Machine also ``file``, ``line``, ``yaml``,
    ``changed_by`` and ``sources`` (``says``, ``contradicts``: citations; ``silent``: documents)."""
    match kind:
        case "ambiguity":
            return _ambiguity(book, name)
        case "reading":
            ambiguity, _, reading = name.partition("=")
            return {"kind": "reading", "ambiguity": ambiguity, **_reading(book, book.rulebook.ambiguities[ambiguity].readings[reading]), **_linked(book, name)}
        case "ruleset":
            ruleset = book.rulebook.rulesets[name]
            return {"kind": "ruleset", "name": name, "says": ruleset.says, "readings": dict(book.rulebook.readings(name)), **_linked(book, name)}
        case "fixture" | "mutant" | "theorem":
            return other_json(book, kind, name)
        case "chapter":
            rules = [n for n, found in book.names.items() for k, whole in found if k == "rule" and whole == n and n.startswith(f"{name}/")]
            return {"kind": "chapter", "name": name, "says": book.machine.chapters.get(name, name), "rules": rules}
        case _:
            return _part(book, kind, name)


def whole_json(book: Book) -> Json:
    """The whole rulebook under the chosen readings."""
    groups: dict[str, Kind] = {
        "rules": "rule", "definitions": "definition", "actions": "action", "constants": "constant", "patches": "patch", "properties": "property",
        "ambiguities": "ambiguity", "rulesets": "ruleset",
    }
    kinds = [pair for found in book.names.values() for pair in found]
    document: Json = {
        "title": book.machine.title, "ruleset": book.machine.ruleset, "readings": dict(book.machine.readings), "digest": book.machine.digest,
        "chapters": dict(book.machine.chapters),
    }
    for group, kind in groups.items():
        document[group] = [part_json(book, kind, name) for k, name in dict.fromkeys(kinds) if k == kind]
    document["sources"] = [
        {"name": d.name, "title": d.title, "says": d.says, "sha256": d.sha256, "paragraphs": d.paragraphs, "blocks": [{"name": b.name, "language": b.language, "statements": [
            {"place": s.place, "fixes": s.fixes, "open": s.open, "garbled": s.garbled, "agrees": list(s.agrees), "contradicts": list(s.contradicts),
             "supports": list(s.supports), "leaves": list(s.leaves)} for s in b.statements]} for b in d.blocks]}
        for d in book.sources.documents]
    return document


def _part(book: Book, kind: Kind, name: str) -> Json:
    part = book.named(kind, name)
    entry = book.entry(kind, name)
    found: Json = {"kind": kind, "name": name, "says": part.says, "cite": list(part.cite), "file": part.pos.file, "line": part.pos.line}
    if entry is not None:
        found["yaml"] = plain(entry)
        found["formula"] = "\n".join(yaml_lines(entry, ("says", "cite", "why")))
    if kind in ("rule", "definition"):
        found["exact"] = plain_text(exact(book.machine, part))  # type: ignore[arg-type]
        found["places"] = places(book.machine, part.name)
    if kind == "property":
        found["exact"] = plain_text(property_phrase(book.machine, book.machine.properties[name]))
    if kind == "definition" or part.name != name:
        found["definition"] = part.name
    if isinstance(part, Constant):
        found["value"] = list(part.value) if isinstance(part.value, tuple) else part.value
    if isinstance(part, Patch):
        board = book.machine.board
        found |= {"picture": list(part.picture), **part.numbers, "cells": len(part.shape)}
        found |= {"orientations": len(orientations(part.shape, True)), "placements": len(placements(part.shape, board, True))}
    if kind in ("field", "table"):
        found["type"] = str(getattr(part, "type", ""))
    found["used_by"] = sorted({user for verb in ("use", "read", "given") for user in book.mentions.get((verb, part.name), [])})
    found["changed_by"] = [{"reading": f"{t.ambiguity}={t.reading}", "how": [h.replace("`", "") for h in t.how]} for t in book.touches(kind, name)]
    found["ambiguities"] = list(dict.fromkeys(t.ambiguity for t in book.touches(kind, name)))
    if kind not in ("property", "patch", "field", "table"):
        heard = heard_of(book, kind, name)
        found["sources"] = {"says": _cited(heard.says), "contradicts": _cited(heard.contradicts), "silent": list(heard.silent)}
    return {**found, **_linked(book, name)}


def _cited(remarks: tuple[Remark, ...]) -> list[str]:
    return [r.citation for r in remarks]


def _ambiguity(book: Book, name: str) -> Json:
    ambiguity = book.rulebook.ambiguities[name]
    return {
        "kind": "ambiguity", "name": name, "question": ambiguity.question, "says": ambiguity.question, "default": ambiguity.default, "because": ambiguity.because,
        "chosen": book.machine.readings.get(name), "readings": [_reading(book, r) for r in ambiguity.readings.values()], "rules": rules_touched(book, name),
        "file": ambiguity.pos.file, "line": ambiguity.pos.line,
        "sources": {"leaves": _cited(book.sources.leaving(name)), "silent": [d.name for d in book.sources.silent_on(name)]}, **_linked(book, name),
    }


def _reading(book: Book, reading: Reading) -> Json:
    return {
        "name": reading.name, "says": reading.says, "supported_by": list(reading.supported_by),
        "in_sources": _cited(book.sources.supporting(f"{reading.ambiguity}={reading.name}")),
        "changes": plain(reading.changes), "how": ["".join(p.text for p in phrase) for phrase in changes_of(book, reading)],
    }


def _linked(book: Book, name: str) -> Json:
    facts = book.linked.parts.get(name, {})
    return {"linked": {words.replace(" ", "_"): list(names) for words, names in facts.items()}} if facts else {}
