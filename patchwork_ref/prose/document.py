"""What is written, as values: sections of paragraphs and lists, with names and citations still told apart from text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["rule", "action", "definition", "constant", "field", "table", "patch", "property", "ambiguity", "reading", "ruleset", "chapter",
               "fixture", "mutant", "theorem"]


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """A part of the rulebook: its permanent name, and the words that stand for it in a sentence."""

    kind: Kind
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """As it is written in the YAML or on the wire."""

    text: str


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a rule comes from, as the rulebook cites it."""

    text: str


Inline = Text | Name | Code | Citation
Phrase = tuple[Inline, ...]

Role = Literal["statement", "exact", "plain", "note"]
"""``statement`` is a rule's own line in plain words, ``exact`` what exactly happens, ``note`` what stands beside it."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    content: Phrase
    role: Role = "plain"


@dataclass(frozen=True, slots=True)
class Listing:
    """Items in their order; each is a few blocks."""

    items: tuple[tuple[Block, ...], ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Citations:
    """The sources of the section that it stands in."""

    cited: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """Lines of the YAML, their spaces kept."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A patch: rows of ``#`` and ``.``, its id, and its numbers by name."""

    name: str
    rows: tuple[str, ...]
    numbers: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Gallery:
    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Table:
    head: tuple[Phrase, ...]
    rows: tuple[tuple[Phrase, ...], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Short facts under their words."""

    items: tuple[tuple[str, tuple[Phrase, ...]], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands under it. ``kind`` and ``name`` say of which part of the rulebook it speaks, if any."""

    title: Phrase
    blocks: tuple[Block, ...]
    kind: Kind | None = None
    name: str | None = None
    folded: bool = False  # may be shown closed


Block = Paragraph | Listing | Citations | Formula | Gallery | Table | Facts | Section


def plain_text(phrase: Phrase) -> str:
    """The words of a phrase without any marks."""
    return "".join(part.text for part in phrase)


def phrases(block: Block) -> Iterator[Phrase]:
    """Every phrase in a block, in reading order."""
    match block:
        case Paragraph(content=content):
            yield content
        case Listing(items=items):
            for item in items:
                for inner in item:
                    yield from phrases(inner)
        case Citations(cited=cited):
            yield from ((c,) for c in cited)
        case Formula(lines=lines):
            yield from ((Code(line),) for line in lines)
        case Gallery(pictures=pictures):
            yield from ((Name("patch", p.name, p.name), Text(", ".join(f" {n} {v}" for n, v in p.numbers))) for p in pictures)
        case Table(head=head, rows=rows):
            yield from head
            for row in rows:
                yield from row
        case Facts(items=facts):
            for words, values in facts:
                yield (Text(words),)
                yield from values
        case Section(title=title, blocks=blocks):
            yield title
            for inner in blocks:
                yield from phrases(inner)


def words_of(block: Block) -> str:
    """All the words of a block, a phrase a line."""
    return "\n".join(plain_text(p) for p in phrases(block))
