"""A document as plain text for a terminal."""

from __future__ import annotations

import textwrap
from typing import assert_never

from patchwork_ref.prose.document import Block, Citations, Code, Facts, Formula, Gallery, Listing, Paragraph, Phrase, Picture, Section, Table

WIDTH = 100
_UNDERLINE = {0: "=", 1: "-"}


def to_text(section: Section, depth: int = 0) -> str:
    """A section with everything under it."""
    title = words(section.title)
    mark = _UNDERLINE.get(depth)
    head = [title, mark * min(len(title), WIDTH)] if mark else [title]
    return "\n".join([*head, *_indented(section.blocks, 0 if mark else 2, depth)])


def words(phrase: Phrase) -> str:
    return "".join(part.text for part in phrase)


def _indented(blocks: tuple[Block, ...], indent: int, depth: int) -> list[str]:
    """Folded sections are left out: the command for one name shows what stands there."""
    lines: list[str] = []
    for block in blocks:
        if isinstance(block, Section):
            lines += ["", *(" " * indent + line if line else "" for line in to_text(block, depth + 1).split("\n"))] if not block.folded else []
        else:
            lines += [" " * indent + line if line else "" for line in _block(block, WIDTH - indent)]
    return lines


def _block(block: Block, width: int) -> list[str]:
    match block:
        case Paragraph():
            return _wrap(words(block.content), width) or [""]
        case Listing():
            lines = []
            for number, item in enumerate(block.items, 1):
                sign = f"{number}. " if block.ordered else "- "
                inner = [line for b in item for line in _block(b, width - len(sign) - 1)]
                lines += [f" {sign}{inner[0]}", *(" " * (len(sign) + 1) + line for line in inner[1:])]
            return lines
        case Citations():
            return _wrap("[" + "; ".join(c.text for c in block.cited) + "]", width)
        case Formula():
            return [f"  | {line}" for line in block.lines]
        case Gallery():
            return _gallery(block.pictures, width)
        case Table():
            return [line for row in block.rows for line in _wrapped("; ".join(f"{words(h)}: {words(c)}" for h, c in zip(block.head, row, strict=True)), width)]
        case Facts():
            return [line for name, values in block.items for line in _fact(name, values, width)]
        case Section():
            return to_text(block, 2).split("\n")
        case _:
            assert_never(block)


def _fact(name: str, values: tuple[Phrase, ...], width: int) -> list[str]:
    if len(values) > 1 and all(len(v) == 1 and not isinstance(v[0], Code) and len(words(v)) < 40 for v in values):
        return _wrapped(f"{name}: {', '.join(words(v) for v in values)}", width)
    if len(values) == 1:
        return _wrapped(f"{name}: {words(values[0])}", width)
    return [f"{name}:", *(line for v in values for line in _wrap(words(v), width, initial_indent="  ", subsequent_indent="    "))]


def _wrapped(text: str, width: int) -> list[str]:
    return _wrap(text, width, subsequent_indent="  ")


def _wrap(text: str, width: int, initial_indent: str = "", subsequent_indent: str = "") -> list[str]:
    """Permanent names have hyphens and stay whole, so that they can be copied."""
    return textwrap.wrap(text, width, initial_indent=initial_indent, subsequent_indent=subsequent_indent, break_on_hyphens=False)


def _gallery(pictures: tuple[Picture, ...], width: int) -> list[str]:
    """Pictures side by side, as many as fit."""
    lines: list[str] = []
    row: list[Picture] = []
    for picture in [*pictures, None]:
        if picture is None or sum(len(_caption(p)) + 3 for p in [*row, picture]) > width:
            height = max((len(p.rows) for p in row), default=0)
            lines += ["   ".join((p.rows[i] if i < len(p.rows) else "").ljust(len(_caption(p))) for p in row).rstrip() for i in range(height)]
            lines += ["   ".join(_caption(p) for p in row), ""] if row else []
            row = []
        if picture is not None:
            row.append(picture)
    return lines[:-1]


def _caption(picture: Picture) -> str:
    return f"{picture.name}: " + ", ".join(f"{name} {number}" for name, number in picture.numbers)
