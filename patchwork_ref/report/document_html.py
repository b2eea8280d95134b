"""A document as one page of HTML: no script, no file beside it, an anchor for every part."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import assert_never

from patchwork_ref.prose.document import Block, Citation, Citations, Code, Facts, Formula, Gallery, Listing, Name, Paragraph, Phrase, Picture, Section, Table, Text
from patchwork_ref.report.document_markdown import anchor, inner_sections
from patchwork_ref.report.document_style import STYLE

_CELL = 14
"""Pixels of one cell in a drawn patch."""


def to_html(sections: Sequence[Section], title: str) -> str:
    """A page; a single section with sections inside gets a table of contents at its side."""
    homes: set[tuple[object, str | None]] = {(s.kind, s.name) for section in sections for s in inner_sections(section) if s.name is not None}
    homes |= {("patch", p.name) for section in sections for s in inner_sections(section) for b in s.blocks if isinstance(b, Gallery) for p in b.pictures}
    writer = _Writer(homes)
    whole = len(sections) == 1 and any(isinstance(b, Section) and any(isinstance(c, Section) for c in b.blocks) for b in sections[0].blocks)
    contents = _contents(sections[0]) if whole else ""
    body = "\n".join(writer.section(section, 1) for section in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f'<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body{" class=" + chr(34) + "whole" + chr(34) if whole else ""}>\n'
        f"{contents}<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _text(phrase: Phrase) -> str:
    return "".join(part.text for part in phrase)


def _id(section: Section) -> str:
    return escape(anchor(section.kind, section.name) if section.name is not None else "-".join(_text(section.title).lower().split()), quote=True)


def _contents(section: Section) -> str:
    """Two levels: the large sections, and inside them the named parts, folded."""
    lines = []
    for block in section.blocks:
        if not isinstance(block, Section):
            continue
        inner = [b for b in block.blocks if isinstance(b, Section) and b.name is not None]
        link = f'<a href="#{_id(block)}">{escape(_text(block.title))}</a>'
        if inner:
            items = "".join(f'<li><a href="#{_id(b)}">{escape(_text(b.title).rpartition("/")[2])}</a></li>' for b in inner)
            lines.append(f"<details><summary>{link}</summary><ul>{items}</ul></details>")
        else:
            lines.append(f'<p class="leaf">{link}</p>')
    return f'<nav aria-label="Contents"><p class="book"><a href="#top">{escape(_text(section.title))}</a></p>\n' + "\n".join(lines) + "\n</nav>\n"


class _Writer:
    def __init__(self, homes: set[tuple[object, str | None]]) -> None:
        self.homes = homes

    def section(self, section: Section, level: int) -> str:
        inner = "\n".join(self.section(b, level + 1) if isinstance(b, Section) else self.block(b) for b in section.blocks)
        if section.folded:
            return f"<details class=\"more\"><summary>{self.phrase(section.title)}</summary>\n{inner}\n</details>"
        heading = min(level, 6)
        name = "top" if level == 1 and section.name is None else _id(section)
        if section.kind == "patch":  # its drawing has the anchor
            name = f"about-{name}"
        kind = f' class="part {section.kind}"' if section.kind and section.kind != "chapter" else f' class="level{level}"'
        title = self.title(section)
        return f'<section id="{name}"{kind}>\n<h{heading}>{title}</h{heading}>\n{inner}\n</section>'

    def title(self, section: Section) -> str:
        words = escape(_text(section.title))
        if section.name is None:
            return words
        tag = "" if section.kind in ("rule", "chapter") else f'<span class="kind">{section.kind}</span>'
        return f'<a class="self" href="#{_id(section)}">{words}</a>{tag}'

    def phrase(self, phrase: Phrase) -> str:
        return "".join(self.inline(p) for p in phrase)

    def inline(self, part: Text | Name | Code | Citation) -> str:
        match part:
            case Text():
                return escape(part.text, quote=False)
            case Name():
                words = escape(part.text, quote=False)
                shown = f"<code>{words}</code>" if part.text == part.name and part.kind in ("rule", "reading", "ambiguity", "ruleset", "property") else words
                kind, name = part.kind, part.name
                if kind == "reading" and (kind, name) not in self.homes:  # it stands with its ambiguity
                    kind, name = "ambiguity", name.partition("=")[0]
                target = escape(anchor(kind, name), quote=True)
                return f'<a href="#{target}">{shown}</a>' if (kind, name) in self.homes else f'<span class="name">{shown}</span>'
            case Code():
                return f"<code>{escape(part.text, quote=False)}</code>"
            case Citation():
                return f"<cite>{escape(part.text, quote=False)}</cite>"
            case _:
                assert_never(part)

    def block(self, block: Block) -> str:
        match block:
            case Paragraph():
                return f'<p class="{block.role}">{self.phrase(block.content)}</p>'
            case Listing():
                tag = "ol" if block.ordered else "ul"
                items = "\n".join("<li>" + "\n".join(self.block(b) for b in item) + "</li>" for item in block.items)
                return f"<{tag}>\n{items}\n</{tag}>"
            case Citations():
                return '<p class="cites">' + " ".join(self.inline(c) for c in block.cited) + "</p>"
            case Formula():
                return "<pre>" + escape("\n".join(block.lines), quote=False) + "</pre>"
            case Gallery():
                return '<div class="gallery">' + "\n".join(_drawn(p) for p in block.pictures) + "</div>"
            case Table():
                head = "".join(f"<th>{self.phrase(c)}</th>" for c in block.head)
                rows = "\n".join("<tr>" + "".join(f"<td>{self.phrase(c)}</td>" for c in row) + "</tr>" for row in block.rows)
                return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></div>'
            case Facts():
                facts = (f"<dt>{escape(name)}</dt>" + "".join(f"<dd>{self.phrase(v)}</dd>" for v in values) for name, values in block.items)
                return "<dl>\n" + "\n".join(facts) + "\n</dl>"
            case Section():
                return self.section(block, 4)
            case _:
                assert_never(block)


def _drawn(picture: Picture) -> str:
    """A patch as a small drawing with its numbers under it."""
    height, width = len(picture.rows), max(len(row) for row in picture.rows)
    cells = "".join(
        f'<rect x="{c * _CELL}" y="{r * _CELL}" width="{_CELL}" height="{_CELL}"/>'
        for r, row in enumerate(picture.rows) for c, sign in enumerate(row) if sign == "#")
    numbers = "".join(f'<span class="number" title="{escape(name, quote=True)}">{escape(name)} <b>{number}</b></span>' for name, number in picture.numbers)
    label = f"patch {picture.name}: " + ", ".join(f"{name} {number}" for name, number in picture.numbers)
    wide, high = width * _CELL + 2, height * _CELL + 2
    return (
        f'<figure id="{escape(anchor("patch", picture.name), quote=True)}"><svg role="img" aria-label="{escape(label, quote=True)}" viewBox="-1 -1 {wide} {high}"'
        f' width="{wide}" height="{high}">{cells}</svg><figcaption>{numbers}</figcaption><b class="id">{escape(picture.name)}</b></figure>'
    )
