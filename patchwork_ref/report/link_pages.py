"""Sections and plain values for what is linked to a permanent name."""

from __future__ import annotations

from patchwork_ref.prose.document import Code, Kind, Paragraph, Phrase, Section, Text
from patchwork_ref.prose.document import Facts as FactBlock
from patchwork_ref.prose.phrases import joined, say
from patchwork_ref.report.links import Facts, Other
from patchwork_ref.report.rule_book import Book

SHOWN = 6
"""Names in one line; the JSON form has them all."""

Fact = tuple[str, tuple[Phrase, ...]]


def link_facts(book: Book, name: str) -> list[Fact]:
    """What is linked to a part of the rulebook, a line for each sort."""
    facts = _facts(book, book.linked.parts.get(name, {}))
    if ("property", name) in book.names.get(name, ()):
        facts.append(("proof", ((Code(f"patchwork-ref prove {name}"),),)))
    return facts


def other_section(book: Book, name: str) -> Section:
    """A fixture, a mutant or a theorem."""
    other = book.linked.others[name]
    commands: Fact = ("more by", tuple((Code(command),) for command in other.commands))
    says = (Paragraph((Text(other.says),), "statement"),) if other.says else ()
    return Section((Text(f"{other.kind} {name}"),), (*says, FactBlock((*_facts(book, other.facts), commands))), other.kind, name)


def other_json(book: Book, kind: Kind, name: str) -> dict[str, object]:
    """The same with every name."""
    other: Other = book.linked.others[name]
    return {"kind": kind, "name": name, "says": other.says, **{words.replace(" ", "_"): list(names) for words, names in other.facts.items()},
            "commands": list(other.commands)}


def _facts(book: Book, facts: Facts) -> list[Fact]:
    return [(_counted(words, names), _shown(book, names)) for words, names in facts.items() if names]


def _counted(words: str, names: tuple[str, ...]) -> str:
    return f"{words} ({len(names)})" if len(names) > SHOWN else words


def _shown(book: Book, names: tuple[str, ...]) -> tuple[Phrase, ...]:
    """Permanent names in one line; texts each in its own."""
    if not all(name in book.names for name in names):
        return tuple((Text(text),) for text in names)
    first = joined([(Code(n),) for n in names[:SHOWN]], ", ", ", ")
    return (say("{} and {} more", first, (Text(str(len(names) - SHOWN)),)) if len(names) > SHOWN else first,)
