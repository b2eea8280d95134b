"""What source documents say, as values: documents of language blocks of statements, and the questions asked of them.

A citation ``source-002 p2.4`` names statement 4 of paragraph 2 in the first language block of that document; a
statement of another block is cited with the block, ``source-000 th-3 p1.2``. Headings are paragraphs ``h1``, ``h2``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from patchwork_ref.source import NOWHERE, Position

CITATION = re.compile(r"(source-\d{3})(?: ([a-z]{2}(?:-\d)?))? ([hp]\d+)(?:\.(\d+))?\Z")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, in our own words. ``agrees`` and ``contradicts`` name rules, constants and actions under the
    default readings; ``supports`` names readings, ``leaves`` ambiguities that it touches without deciding."""

    paragraph: str  # h1, p1 ...
    number: int
    fixes: str
    open: str = ""
    garbled: str = ""
    agrees: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    supports: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    pos: Position = field(default=NOWHERE, compare=False)

    @property
    def place(self) -> str:
        """As a citation writes it: ``p2.4``."""
        return f"{self.paragraph}.{self.number}"


@dataclass(frozen=True, slots=True)
class Block:
    """The part of a document in one language; ``paragraphs`` lists them in order, headings among them."""

    name: str
    language: str
    says: str
    paragraphs: tuple[str, ...]
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """One source document; ``paragraphs`` and ``sha256`` are those of the file when it was read."""

    name: str
    title: str
    says: str
    file: str
    sha256: str
    paragraphs: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """A statement with the document and block that it stands in."""

    document: Document
    block: Block
    statement: Statement

    @property
    def citation(self) -> str:
        """As a rulebook cites it; the first block of a document goes without its name."""
        block = "" if self.block is self.document.blocks[0] else f"{self.block.name} "
        return f"{self.document.name} {block}{self.statement.place}"


@dataclass(frozen=True, slots=True)
class Sources:
    """Every document. What is asked for is found by going over the statements, which are few."""

    documents: tuple[Document, ...] = ()

    def remarks(self) -> Iterator[Remark]:
        for document in self.documents:
            for block in document.blocks:
                for statement in block.statements:
                    yield Remark(document, block, statement)

    def cited(self, citation: str) -> tuple[Remark, ...]:
        """The statements that a citation names: one, or all of a paragraph; none when it names nothing here."""
        match = CITATION.match(citation)
        if match is None:
            return ()
        name, block, paragraph, number = match.groups()
        return tuple(
            r for r in self.remarks()
            if r.document.name == name and (r.block.name == block if block else r.block is r.document.blocks[0])
            and r.statement.paragraph == paragraph and number in (None, str(r.statement.number))
        )

    def saying(self, name: str) -> tuple[Remark, ...]:
        """The statements that agree with a rule."""
        return tuple(r for r in self.remarks() if name in r.statement.agrees)

    def contradicting(self, name: str) -> tuple[Remark, ...]:
        return tuple(r for r in self.remarks() if name in r.statement.contradicts)

    def silent(self, name: str) -> tuple[Document, ...]:
        """The documents that neither agree with a rule nor contradict it."""
        heard = {r.document.name for r in (*self.saying(name), *self.contradicting(name))}
        return tuple(d for d in self.documents if d.name not in heard)

    def supporting(self, reading: str) -> tuple[Remark, ...]:
        """The statements that support ``ambiguity=reading``."""
        return tuple(r for r in self.remarks() if reading in r.statement.supports)

    def leaving(self, ambiguity: str) -> tuple[Remark, ...]:
        """The statements that touch an ambiguity without deciding it."""
        return tuple(r for r in self.remarks() if ambiguity in r.statement.leaves)

    def silent_on(self, ambiguity: str) -> tuple[Document, ...]:
        """The documents that do not touch an ambiguity."""
        heard = {r.document.name for r in self.remarks() if ambiguity in r.statement.leaves or any(s.split("=")[0] == ambiguity for s in r.statement.supports)}
        return tuple(d for d in self.documents if d.name not in heard)
