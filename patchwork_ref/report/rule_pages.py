"""Sections for each part of a rulebook: the prose of the Machine, and around it what belongs to it."""

from __future__ import annotations

from patchwork_ref.errors import InputError
from patchwork_ref.machine.model import Constant, Definition, Patch
from patchwork_ref.polyomino import orientations, placements
from patchwork_ref.prose.document import Block, Code, Facts, Formula, Gallery, Kind, Name, Paragraph, Phrase, Section, Text
from patchwork_ref.prose.phrases import joined, say, spaced
from patchwork_ref.prose.rulebook import EVALUATION, chapter_rules, constant_section, patch_picture, property_section, rulebook_prose
from patchwork_ref.prose.rules import action_prose, rule_prose
from patchwork_ref.report.changes import yaml_lines
from patchwork_ref.report.choice_pages import ambiguity_section, grouped, reading_section, ruleset_section, sources_section
from patchwork_ref.report.link_pages import link_facts, other_section
from patchwork_ref.report.rule_book import Book, Heard
from patchwork_ref.rulebook.statements import Remark

_TOLD = ("says", "cite", "why", "picture")
"""Keys that the prose has shown already."""

Fact = tuple[str, tuple[Phrase, ...]]


def found(book: Book, name: str) -> list[tuple[Kind, str]]:
    """The parts that a typed name means. Raises InputError with near names."""
    if name in book.names:
        return book.names[name]
    from difflib import get_close_matches

    if elsewhere := only_under(book, name):
        raise InputError(f"{name!r} exists only under another reading; add --reading {' or --reading '.join(elsewhere)}")
    inside = [n for n in book.names if len(name) > 2 and name.lower() in n.lower()]
    near = list(dict.fromkeys([*get_close_matches(name, book.names, 3), *inside]))[:4]
    raise InputError(f"the rulebook has nothing called {name!r}; {'did you mean ' + ', '.join(near) + '?' if near else 'without a name, rules shows all of it'}")


def only_under(book: Book, name: str) -> list[str]:
    """The readings that add an entry of this name to the rulebook."""
    return [f"{a.name}={r.name}" for a in book.rulebook.ambiguities.values() for r in a.readings.values()
            if any(str(path.value).partition(".")[2] == name for path, _ in r.changes.items)]


def part_section(book: Book, kind: Kind, name: str) -> Section:
    """All that belongs to one part."""
    match kind:
        case "ambiguity":
            return ambiguity_section(book, name)
        case "reading":
            return reading_section(book, *name.split("=", 1))
        case "ruleset":
            return ruleset_section(book, name)
        case "fixture" | "mutant" | "theorem":
            return other_section(book, name)
        case "chapter":
            names = chapter_rules(book.machine)[name]
            return Section((Text(book.machine.chapters.get(name, name)),), tuple(part_section(book, "rule", n) for n in names), "chapter", name)
        case _:
            section = _prose(book, kind, name)
            return Section(section.title, (*section.blocks, *details(book, kind, name)), kind, name)


def whole(book: Book) -> Section:
    """The whole rulebook."""
    edition = book.rulebook.tree.get("edition")
    named = book.rulebook.rulesets.get(book.machine.ruleset or "")
    intro = Paragraph((Text(named.says if named is not None else _edition(edition, "says") or "A rulebook."),), "statement")
    chosen = [say("{} = {}", (Name("ambiguity", a, a),), (Name("reading", f"{a}={r}", r),))
              for a, r in book.machine.readings.items() if a in book.rulebook.ambiguities and r != book.rulebook.ambiguities[a].default]
    ruleset: Phrase = (Name("ruleset", named.name, named.name),) if named is not None else (Text("none; readings chosen one by one"),)
    facts: list[Fact] = [("ruleset", (ruleset,)), ("other than default", tuple(chosen) or ((Text("nothing"),),))]
    for key in ("author", "publisher", "version"):
        if edition is not None and _edition(edition, key):
            facts.append((key, ((Text(_edition(edition, key)),),)))
    facts.append(("digest", ((Code(book.machine.digest),),)))
    return Section((Text(book.machine.title),), (
        intro, Facts(tuple(facts)),
        *(_enriched(book, section) for section in rulebook_prose(book.machine)),
        *((Section((Text("What the sources leave open"),), tuple(ambiguity_section(book, a) for a in book.rulebook.ambiguities)),) if book.rulebook.ambiguities else ()),
        *((Section((Text("Rulesets"),), tuple(ruleset_section(book, r) for r in book.rulebook.rulesets)),) if book.rulebook.rulesets else ()),
        *((sources_section(book),) if book.sources.documents else ()),
    ))


def _edition(node: object, key: str) -> str:
    from patchwork_ref.rulebook.tree import Mapping, Node, plain

    value: Node | None = node.get(key) if isinstance(node, Mapping) else None
    return str(plain(value)) if value is not None else ""


def _enriched(book: Book, section: Section) -> Section:
    """The same with the details of every part folded in behind its prose."""
    blocks = tuple(_enriched(book, b) if isinstance(b, Section) else b for b in section.blocks)
    if section.kind in ("rule", "definition", "action", "constant", "property") and section.name is not None:
        blocks = (*blocks, Section((Text("formula, uses, readings and sources"),), details(book, section.kind, section.name), folded=True))
    return Section(section.title, blocks, section.kind, section.name, section.folded)


def _prose(book: Book, kind: Kind, name: str) -> Section:
    machine = book.machine
    match kind:
        case "rule" | "definition":
            return rule_prose(machine, name)
        case "action":
            section = action_prose(machine, name)
            return Section(section.title, (*section.blocks, Paragraph((Text(" ".join(EVALUATION)),), "note")), "action", name)
        case "property":
            return property_section(machine, name)
        case "constant":
            part = book.named(kind, name)
            assert isinstance(part, Constant)
            return constant_section(part)
        case "patch":
            return Section((Name("patch", name, f"patch {name}"),), (Gallery((patch_picture(machine, name),)), *_patch_facts(book, name)), "patch", name)
        case _:
            named = book.named(kind, name)
            return Section((Text(spaced(name)),), (Paragraph((Text(named.says),), "statement"), Facts((("type", ((Code(str(getattr(named, "type", ""))),),)),))), kind, name)


def _patch_facts(book: Book, name: str) -> tuple[Block, ...]:
    patch = book.named("patch", name)
    assert isinstance(patch, Patch)
    machine = book.machine
    twins = [p.name for p in machine.patches if p is not patch and orientations(p.shape, True) == orientations(patch.shape, True)]
    turns = [len(orientations(patch.shape, flips)) for flips in (True, False)]
    places = [len(placements(patch.shape, machine.board, flips)) for flips in (True, False)]
    facts: list[Fact] = [
        ("cells", ((Text(str(len(patch.shape))),),)),
        ("orientations", ((Text(f"{turns[0]} with flips, {turns[1]} by turns alone"),),)),
        ("placements on an empty quilt board", ((Text(f"{places[0]} with flips, {places[1]} by turns alone"),),)),
        ("the same shape", (joined([(Name("patch", n, n),) for n in twins]) or (Text("no other patch"),),)),
    ]
    return (Facts(tuple(facts)),)


def details(book: Book, kind: Kind, name: str) -> tuple[Block, ...]:
    """The formula as in the YAML, and the facts: place, uses, readings, sources, links."""
    blocks: list[Block] = []
    entry = book.entry(kind, name)
    if entry is not None and (lines := yaml_lines(entry, _TOLD)):
        blocks.append(Formula(tuple(lines)))
    facts = [*_standing(book, kind, name), *_used(book, kind, name), *_changed(book, kind, name), *_heard(book, kind, name)]
    facts += link_facts(book, name)
    return (*blocks, Facts(tuple(facts))) if facts else tuple(blocks)


def _standing(book: Book, kind: Kind, name: str) -> list[Fact]:
    """File and line; where the actions name a rule was said by the prose."""
    pos = book.named(kind, name).pos
    return [("stands in", ((Code(f"{pos.file}:{pos.line}"),),))] if pos.file != "<none>" else []


def _used(book: Book, kind: Kind, name: str) -> list[Fact]:
    key = book.named(kind, name).name
    found_: list[Fact] = []
    for verb, words in (("use", "used by"), ("write", "written by"), ("read", "read by"), ("given", "read by")):
        if (kind in ("field",) and verb in ("read", "write")) or (kind == "table" and verb == "given") or (kind not in ("field", "table") and verb == "use"):
            users = book.mentions.get((verb, key), [])
            found_ += [(words, (joined([_linked(book, u) for u in users], ", "),))] if users else []
    if kind == "patch":
        users = [c.name for c in book.machine.constants.values() if c.value == name]
        found_ += [("named by", (joined([_linked(book, u) for u in users], ", "),))] if users else []
    return found_


def _linked(book: Book, name: str) -> Phrase:
    kind, whole_name = book.names[name][0] if name in book.names else ("rule", name)
    return (Name(kind, whole_name, whole_name),)


def _changed(book: Book, kind: Kind, name: str) -> list[Fact]:
    touched = book.touches(kind, name)
    if not touched:
        return []
    lines = []
    for touch in touched:
        name_, here = f"{touch.ambiguity}={touch.reading}", book.machine.readings.get(touch.ambiguity) == touch.reading
        lines.append(say(f"{{}}{' (chosen here)' if here else ''}: {{}}", (Name("reading", name_, name_),), _ticked(" ".join(touch.how))))
    return [("changed by", tuple(lines))]


def _ticked(text: str) -> Phrase:
    """Text with `code` in it."""
    return tuple(Code(part) if i % 2 else Text(part) for i, part in enumerate(text.split("`")) if part)


def heard_of(book: Book, kind: Kind, name: str) -> Heard:
    part = book.named(kind, name)
    return book.heard(name, part.name if isinstance(part, Definition) else None)


def _heard(book: Book, kind: Kind, name: str) -> list[Fact]:
    if kind in ("property", "field", "table", "patch") or not book.sources.documents:
        return []
    heard = heard_of(book, kind, name)
    facts: list[Fact] = []
    for words, remarks in (("said by", heard.says), ("contradicted by", heard.contradicts)):
        if remarks:
            facts.append((words, (*grouped([(r, remark_words(r)) for r in remarks if r.block is r.document.blocks[0]]), *_translations(remarks))))
    if heard.silent:
        facts.append(("silent", ((Text(", ".join(heard.silent) if len(heard.silent) < len(book.sources.documents) else "all source documents"),),)))
    return facts


def remark_words(remark: Remark) -> str:
    """What a statement fixes, and what was garbled."""
    return remark.statement.fixes + (f" Garbled: {remark.statement.garbled}" if remark.statement.garbled else "")


def _translations(remarks: tuple[Remark, ...]) -> tuple[Phrase, ...]:
    """The other language blocks in one line: they only repeat, or garble, the first."""
    others = [r for r in remarks if r.block is not r.document.blocks[0]]
    return (say("in translation: {}", joined([(Code(r.citation),) for r in others])),) if others else ()

