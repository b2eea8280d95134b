"""A document as Markdown. Names of parts are links to their headings when the page has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from patchwork_ref.prose.document import Block, Citation, Citations, Code, Facts, Formula, Gallery, Listing, Name, Paragraph, Phrase, Section, Table, Text


def to_markdown(section: Section) -> str:
    """A section with everything under it, as one document."""
    homes: set[tuple[object, str | None]] = {(s.kind, s.name) for s in inner_sections(section) if s.name is not None}
    return re.sub(r"\n{3,}", "\n\n", "\n".join(_Writer(homes).section(section, 1))).strip()


def inner_sections(section: Section) -> Iterator[Section]:
    yield section
    for block in section.blocks:
        if isinstance(block, Section):
            yield from inner_sections(block)


def anchor(kind: str | None, name: str) -> str:
    """A rule's anchor is its name; other parts have their kind before it."""
    return name if kind == "rule" else f"{kind}-{name}"


class _Writer:
    def __init__(self, homes: set[tuple[object, str | None]]) -> None:
        self.homes = homes

    def section(self, section: Section, level: int) -> list[str]:
        if section.folded:
            title = "".join(p.text for p in section.title)
            return ["", f"<details><summary>{title}</summary>", "", *(line for b in section.blocks for line in [*self.block(b), ""]), "</details>", ""]
        mark = f'<a id="{anchor(section.kind, section.name)}"></a>' if section.name is not None else ""
        lines = ["", f"{'#' * min(level, 6)} {mark}{''.join(p.text for p in section.title)}", ""]
        for block in section.blocks:
            lines += self.section(block, level + 1) if isinstance(block, Section) else [*self.block(block), ""]
        return lines

    def phrase(self, phrase: Phrase) -> str:
        return "".join(self.inline(p) for p in phrase)

    def inline(self, part: Text | Name | Code | Citation) -> str:
        match part:
            case Text():
                return re.sub(r"([\\`*_<>\[\]#|])", r"\\\1", part.text)
            case Name():
                shown = f"`{part.text}`" if part.text == part.name else part.text
                return f"[{shown}](#{anchor(part.kind, part.name)})" if (part.kind, part.name) in self.homes else shown
            case Code() | Citation():
                return f"`{part.text}`" if "`" not in part.text else f"`` {part.text} ``"
            case _:
                assert_never(part)

    def block(self, block: Block) -> list[str]:
        match block:
            case Paragraph():
                text = self.phrase(block.content)
                return [f"**{text}**" if block.role == "statement" else f"*{text}*" if block.role == "note" and "`" not in text and "[" not in text else text]
            case Listing():
                return self.listing(block)
            case Citations():
                return ["Sources: " + "; ".join(self.inline(c) for c in block.cited)]
            case Formula():
                return ["```yaml", *block.lines, "```"]
            case Gallery():
                return [line for p in block.pictures for line in ("```text", *p.rows, f"{p.name}: " + ", ".join(f"{n} {v}" for n, v in p.numbers), "```", "")]
            case Table():
                rows = [block.head, tuple((Text("---"),) for _ in block.head), *block.rows]
                return ["| " + " | ".join(self.phrase(cell) for cell in row) + " |" for row in rows]
            case Facts():
                return [line for name, values in block.items for line in self.fact(name, values)]
            case Section():
                return self.section(block, 6)
            case _:
                assert_never(block)

    def fact(self, name: str, values: tuple[Phrase, ...]) -> list[str]:
        if len(values) == 1:
            return [f"- {name}: {self.phrase(values[0])}"]
        return [f"- {name}:", *(f"    - {self.phrase(v)}" for v in values)]

    def listing(self, listing: Listing) -> list[str]:
        lines = []
        for number, item in enumerate(listing.items, 1):
            sign = f"{number}." if listing.ordered else "-"
            inner = [line for i, b in enumerate(item) for line in ([*([""] if i else []), *self.block(b)])]
            lines += [f"{sign} {inner[0]}", *(f"    {line}" if line else "" for line in inner[1:])]
        return lines
