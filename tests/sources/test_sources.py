"""Is every paragraph of the source documents accounted for, and every rule's source a statement that speaks of it?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import patchwork_ref as pr
from patchwork_ref.diagnostics import Collector
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import shipped
from patchwork_ref.rulebook.sources import compared, load_sources, read_sources
from patchwork_ref.rulebook.statements import Document, Sources
from patchwork_ref.rulebook.tree import Mapping, plain

LANGUAGES = {"source-000": 4, "source-002": 1, "source-003": 1, "source-004": 1}


@pytest.fixture(scope="module")
def sources(rulebook: Rulebook) -> Sources:
    return load_sources(rulebook)


def parts(rulebook: Rulebook) -> Iterator[tuple[str, str, list[str]]]:
    """Every entry with citations: its name, its rule name, the citations."""
    for section in ("rules", "constants", "actions", "definitions"):
        node = rulebook.tree.get(section)
        for key, entry in node.items if isinstance(node, Mapping) else ():
            assert isinstance(entry, Mapping)
            rule, cite = entry.get("rule"), entry.get("cite")
            if section != "definitions" or rule is not None:
                yield str(key.value), str(plain(rule)) if rule else str(key.value), [str(c) for c in plain(cite)] if cite else []  # type: ignore[attr-defined]


def test_every_paragraph_is_accounted_for(sources: Sources) -> None:
    """Each document has its language blocks, as many described paragraphs as the file had, and no paragraph without a statement."""
    assert {d.name: len(d.blocks) for d in sources.documents} == LANGUAGES
    for document in sources.documents:
        assert sum(len(b.paragraphs) for b in document.blocks) == document.paragraphs
        assert len(document.sha256) == 64
        for block in document.blocks:
            assert {s.paragraph for s in block.statements} == set(block.paragraphs)


def test_translations_of_one_text_have_its_statements(sources: Sources) -> None:
    """Every translated block of a document goes over as many statements as the text itself."""
    for document in sources.documents:
        assert len({sum(1 for s in b.statements if s.paragraph.startswith("p")) for b in document.blocks}) == 1


def test_a_changed_document_is_noticed() -> None:
    """Another text is told by its hash, another number of paragraphs by the number."""
    data = b"one\n\ntwo\n"
    document = Document("source-009", "", "", "f", hashlib.sha256(data).hexdigest(), 2, ())
    assert compared(document, data) == []
    assert len(compared(document, b"one\n\ntwp\n")) == 1
    assert len(compared(document, b"one\n\ntwo\n\nthree\n")) == 2


def test_every_rule_has_a_source_or_is_our_own_for_a_reason(rulebook: Rulebook) -> None:
    """No rule, constant or action is without a citation, and an own choice says why."""
    for name, _, cites in parts(rulebook):
        assert cites, name
        assert all(not c.startswith("own:") or len(c.split()) > 4 for c in cites), name


def test_every_citation_leads_to_a_statement_that_speaks_of_the_rule(rulebook: Rulebook, sources: Sources) -> None:
    """The cited statement agrees with the rule, or contradicts it and is named for that."""
    seen = 0
    for name, rule, cites in parts(rulebook):
        for cite in [c for c in cites if c.startswith("source-")]:
            found = sources.cited(cite)
            assert found, (name, cite)
            assert {name, rule} & {n for r in found for n in (*r.statement.agrees, *r.statement.contradicts)}, (name, cite)
            seen += 1
    assert seen > 80


def test_a_readings_sources_are_the_statements_that_support_it(rulebook: Rulebook, sources: Sources) -> None:
    """``supported_by`` names exactly the statements of the documents themselves (not of translations) that support the reading."""
    for ambiguity in rulebook.ambiguities.values():
        for reading in ambiguity.readings.values():
            named = {c for c in reading.supported_by if c.startswith("source-")}
            assert named == {r.citation for r in sources.supporting(f"{ambiguity.name}={reading.name}") if r.block is r.document.blocks[0]}, (ambiguity.name, reading.name)


def test_a_ruleset_of_a_source_follows_what_the_source_supports(rulebook: Rulebook, sources: Sources) -> None:
    """Where a document supports a reading, its ruleset has it."""
    for document in sources.documents:
        chosen = rulebook.readings(document.name)
        for remark in sources.remarks():
            if remark.document is document and remark.block is document.blocks[0]:
                for supported in remark.statement.supports:
                    ambiguity, _, reading = supported.partition("=")
                    assert chosen[ambiguity] == reading, (document.name, supported)


def test_one_translation_changes_the_side_of_the_neutral_token(sources: Sources) -> None:
    """Only the third Thai block reads as clockwise, and it says that it is garbled."""
    found = [r for r in sources.supporting("neutral-token-start=clockwise") if r.document.name == "source-000"]
    assert [r.citation for r in found] == ["source-000 th-3 p1.2"]
    assert found[0].statement.garbled and found[0] == sources.cited("source-000 th-3 p1.2")[0]


DEFECTS = {
    "unknown-rule": ("agrees: [quilt_board, setup/quilts]", "agrees: [quilt_board, setup/quilt]"),
    "unknown-reading": ("supports: [shared-space=top-moves]", "supports: [shared-space=top]"),
    "unknown-ambiguity": ("leaves: [special-spaces]", "leaves: [special-space]"),
    "paragraphs": ("paragraphs: 8", "paragraphs: 9"),
    "numbering": ("      p3:\n", "      p7:\n"),
    "missing-key": ("{fixes: Not every", "{open: Not every"),
    "unknown-key": ("          open: How the", "          opens: How the"),
    "duplicate-key": ("          open: How the", "          fixes: How the"),
}


@pytest.mark.parametrize("code", DEFECTS)
def test_a_defect_is_reported_with_its_place(rulebook: Rulebook, tmp_path: Path, code: str) -> None:
    """A defect in a file of the sources has a code, a file and a line."""
    old, new = DEFECTS[code]
    text = (shipped() / "sources" / "source-002.yaml").read_text()
    assert old in text
    (tmp_path / "source-002.yaml").write_text(text.replace(old, new, 1))
    collector = Collector()
    read_sources(rulebook, collector, tmp_path)
    assert code in {d.code for d in collector.found if d.position.file.endswith("source-002.yaml") and d.position.line > 1}


def test_a_citation_that_leads_nowhere_is_reported(rulebook: Rulebook, tmp_path: Path) -> None:
    """When a statement goes, the rules that cite it are named."""
    text = (shipped() / "sources" / "source-002.yaml").read_text()
    start = text.index("        s5:\n          fixes: The player with the most")
    (tmp_path / "source-002.yaml").write_text(text[:start])
    collector = Collector()
    read_sources(rulebook, collector, tmp_path)
    assert any(d.code == "citation" and "source-002 p6.5" in d.message and d.position.file.endswith("5-end.yaml") for d in collector.found)


def test_a_rulebook_without_sources_has_none(tmp_path: Path) -> None:
    """The folder is no part of a rulebook: it may be missing."""
    for file in shipped().glob("*.yaml"):
        (tmp_path / file.name).write_text(file.read_text())
    assert load_sources(pr.load_rulebook(tmp_path)) == Sources()
