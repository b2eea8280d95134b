"""Sections for what is open: ambiguities, readings, rulesets, and the source documents."""

from __future__ import annotations

from patchwork_ref.prose.document import Block, Citation, Citations, Code, Facts, Formula, Listing, Name, Paragraph, Phrase, Section, Table, Text
from patchwork_ref.prose.phrases import joined, say
from patchwork_ref.report.changes import change_words, changed_names, yaml_lines
from patchwork_ref.report.link_pages import link_facts
from patchwork_ref.report.rule_book import Book
from patchwork_ref.rulebook.model import Reading
from patchwork_ref.rulebook.statements import Remark
from patchwork_ref.rulebook.tree import Mapping

Fact = tuple[str, tuple[Phrase, ...]]


def ambiguity_section(book: Book, name: str) -> Section:
    """Question, readings with who supports them and what they change, default and why, and who leaves it open."""
    ambiguity = book.rulebook.ambiguities[name]
    chosen = book.machine.readings.get(name)
    items = []
    for reading in ambiguity.readings.values():
        marks = [word for word, on in (("default", reading.name == ambiguity.default), ("chosen here", reading.name == chosen)) if on]
        title = say(f"{{}}{' (' + ', '.join(marks) + ')' if marks else ''}: {{}}", (Name("reading", f"{name}={reading.name}", reading.name),), (Text(reading.says),))
        inner: list[Block] = [Paragraph(title, "statement"), Citations(tuple(Citation(c) for c in reading.supported_by))]
        if changes := changes_of(book, reading):
            inner.append(Listing(tuple((Paragraph(c),) for c in changes)))
        items.append(tuple(inner))
    facts: list[Fact] = [("default", (say("{}: {}", (Name("reading", f"{name}={ambiguity.default}", ambiguity.default),), (Text(ambiguity.because),)),))]
    if touched := rules_touched(book, name):
        facts.append(("rules touched", (joined([_named(book, t) for t in touched], ", "),)))
    facts += _open(book, name)
    facts.append(("stands in", ((Code(f"{ambiguity.pos.file}:{ambiguity.pos.line}"),),)))
    facts += link_facts(book, name)
    return Section((Name("ambiguity", name, name),), (Paragraph((Text(ambiguity.question),), "statement"), Listing(tuple(items)), Facts(tuple(facts))), "ambiguity", name)


def _open(book: Book, name: str) -> list[Fact]:
    facts: list[Fact] = []
    left = book.sources.leaving(name)
    if left:
        first = [r for r in left if r.block is r.document.blocks[0]]
        facts.append(("left open by", grouped([(r, r.statement.open or r.statement.garbled) for r in first])))
    silent = book.sources.silent_on(name)
    if silent:
        facts.append(("silent", ((Text(", ".join(d.name for d in silent)),),)))
    return facts


def reading_section(book: Book, ambiguity: str, name: str) -> Section:
    """One reading: what it says, what it changes, and its changes as in the YAML."""
    reading = book.rulebook.ambiguities[ambiguity].readings[name]
    whole = f"{ambiguity}={name}"
    blocks: list[Block] = [Paragraph((Text(reading.says),), "statement"), Citations(tuple(Citation(c) for c in reading.supported_by))]
    changes = changes_of(book, reading)
    blocks.append(Listing(tuple((Paragraph(c),) for c in changes)) if changes else Paragraph((Text("It changes nothing: this is the default, as the rules have it."),)))
    if reading.changes.items:
        blocks.append(Formula(tuple(yaml_lines(reading.changes))))
    facts: list[Fact] = [
        ("answers", (say("{}: {}", (Name("ambiguity", ambiguity, ambiguity),), (Text(book.rulebook.ambiguities[ambiguity].question),)),)),
        ("chosen by", tuple((Name("ruleset", r, r),) for r in book.rulebook.rulesets if book.rulebook.readings(r)[ambiguity] == name) or ((Text("no ruleset"),),)),
    ]
    together = [c for c in book.rulebook.combinations if whole in (c.first, c.then)]
    if together:
        facts.append(("settled with", tuple(
            say(f"{{}}, which applies {'after' if c.first == whole else 'before'} it", (Name("reading", other, other),))
            for c in together for other in (c.then if c.first == whole else c.first,))))
    supporting = [r for r in book.sources.supporting(whole) if r.block is not r.document.blocks[0]]
    if supporting:
        facts.append(("in translation", (joined([(Code(r.citation),) for r in supporting]),)))
    facts.append(("stands in", ((Code(f"{reading.pos.file}:{reading.pos.line}"),),)))
    facts += link_facts(book, whole)
    return Section((Name("reading", whole, whole),), (*blocks, Facts(tuple(facts))), "reading", whole)


def ruleset_section(book: Book, name: str) -> Section:
    ruleset = book.rulebook.rulesets[name]
    chosen = book.rulebook.readings(name)
    other = [say("{} = {}", (Name("ambiguity", a, a),), (Name("reading", f"{a}={r}", r),)) for a, r in chosen.items() if r != book.rulebook.ambiguities[a].default]
    facts: list[Fact] = [("other than default", tuple(other) or ((Text("nothing"),),)), ("stands in", ((Code(f"{ruleset.pos.file}:{ruleset.pos.line}"),),))]
    facts += link_facts(book, name)
    return Section((Name("ruleset", name, name),), (Paragraph((Text(ruleset.says),), "statement"), Facts(tuple(facts))), "ruleset", name)


def sources_section(book: Book) -> Section:
    """The source documents, and every statement of their first blocks."""
    head: tuple[Phrase, ...] = tuple((Text(w),) for w in ("document", "what it is", "languages", "paragraphs", "statements"))
    rows = tuple((
        (Code(d.name),), (Text(f"{d.title}. {d.says}"),), (Text("; ".join(b.language for b in d.blocks)),), (Text(str(d.paragraphs)),),
        (Text(str(sum(len(b.statements) for b in d.blocks))),)) for d in book.sources.documents)
    inner = []
    for document in book.sources.documents:
        for block in document.blocks:
            items: list[tuple[Block, ...]] = []
            for s in block.statements:
                words = [s.fixes] + ([f"Open: {s.open}"] if s.open else []) + ([f"Garbled: {s.garbled}"] if s.garbled else [])
                items.append((Paragraph(say("{} {}", (Code(s.place),), (Text(" ".join(words)),))),))
            inner.append(Section((Text(f"{document.name}, {block.language}"),), (Paragraph((Text(block.says),)), Listing(tuple(items))), folded=True))
    return Section((Text("The source documents"),), (Table(head, rows), *inner))


def changes_of(book: Book, reading: Reading) -> list[Phrase]:
    """What a reading changes, a sentence each."""
    found: list[Phrase] = []
    for path, value in reading.changes.items:
        rest = str(path.value).partition(".")[2]
        for words in change_words(book.rulebook.tree, str(path.value), value):
            plain = words if words.startswith(("In the ", "A new ")) else f"{rest.partition('.')[0]}: {words[:1].lower()}{words[1:]}"
            found.append(tuple(Code(part) if i % 2 else Text(part) for i, part in enumerate(plain.split("`")) if part))
    return found


def rules_touched(book: Book, ambiguity: str) -> list[str]:
    """The names of what the readings of an ambiguity change: rules, definitions that are rules, constants, actions."""
    found: list[str] = []
    for reading in book.rulebook.ambiguities[ambiguity].readings.values():
        for path, value in reading.changes.items:
            for address in sorted(changed_names(str(path.value), value)):
                section, _, key = address.partition(".")
                name = _rule_of(book, key) if section == "definitions" else key
                if name not in found:
                    found.append(name)
    return found


def _rule_of(book: Book, definition: str) -> str:
    node = book.rulebook.tree.get("definitions")
    entry = node.get(definition) if isinstance(node, Mapping) else None
    rule = entry.get("rule") if isinstance(entry, Mapping) else None
    return str(getattr(rule, "value", definition)) if rule is not None else definition


def grouped(remarks: list[tuple[Remark, str]]) -> tuple[Phrase, ...]:
    """Statements with their citations; those with the same words together."""
    same: dict[str, list[Phrase]] = {}
    for remark, words in remarks:
        same.setdefault(words, []).append((Code(remark.citation),))
    return tuple(say("{} {}", joined(cited, ", ", ", "), (Text(words),)) for words, cited in same.items())


def _named(book: Book, name: str) -> Phrase:
    kind, whole = book.names[name][0] if name in book.names else ("rule", name)
    return (Name(kind, whole, whole),)
