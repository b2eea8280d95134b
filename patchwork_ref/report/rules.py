"""The rulebook, or one part of it, as text, Markdown, a page of HTML or JSON."""

from __future__ import annotations

from patchwork_ref.machine.model import Machine
from patchwork_ref.prose.document import Section
from patchwork_ref.report.document_html import to_html
from patchwork_ref.report.document_markdown import to_markdown
from patchwork_ref.report.document_text import to_text
from patchwork_ref.report.links import Links
from patchwork_ref.report.rule_book import Book
from patchwork_ref.report.rule_json import Json, part_json, whole_json
from patchwork_ref.report.rule_pages import found, part_section, whole
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.sources import load_sources
from patchwork_ref.rulebook.statements import Sources


def rules_text(rulebook: Rulebook, machine: Machine, name: str | None = None, linked: Links | None = None, sources: Sources | None = None) -> str:
    """For the terminal, 100 columns wide; ``sources`` are those beside the rulebook unless given.

    Raises InputError when nothing has the name, RulebookError when the sources have defects.
    """
    return "\n\n".join(to_text(section) for section in sections(rulebook, machine, name, linked, sources))


def rules_markdown(rulebook: Rulebook, machine: Machine, name: str | None = None, linked: Links | None = None, sources: Sources | None = None) -> str:
    """Raises as ``rules_text``."""
    return "\n\n".join(to_markdown(section) for section in sections(rulebook, machine, name, linked, sources)) + "\n"


def rules_html(rulebook: Rulebook, machine: Machine, name: str | None = None, linked: Links | None = None, sources: Sources | None = None) -> str:
    """One page that needs nothing else; every rule's name is an anchor in it. Raises as ``rules_text``."""
    return to_html(sections(rulebook, machine, name, linked, sources), machine.title if name is None else f"{name}: {machine.title}")


def rules_json(rulebook: Rulebook, machine: Machine, name: str | None = None, linked: Links | None = None, sources: Sources | None = None) -> Json:
    """Plain values. Where several parts have the name, the others stand under ``also``. Raises as ``rules_text``."""
    book = book_of(rulebook, machine, linked, sources)
    if name is None:
        return whole_json(book)
    first, *others = (part_json(book, kind, part) for kind, part in found(book, name))
    return {**first, "also": others} if others else first


def sections(rulebook: Rulebook, machine: Machine, name: str | None, linked: Links | None, sources: Sources | None) -> list[Section]:
    """The whole rulebook as one section, or one for each part that has the name."""
    book = book_of(rulebook, machine, linked, sources)
    return [whole(book)] if name is None else [part_section(book, kind, part) for kind, part in found(book, name)]


def book_of(rulebook: Rulebook, machine: Machine, linked: Links | None = None, sources: Sources | None = None) -> Book:
    return Book(rulebook, machine, sources if sources is not None else load_sources(rulebook), linked or Links())
