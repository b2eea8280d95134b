"""Is the rulebook, whole or part by part, shown completely, correctly and in good form?"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import patchwork_ref as pr
from patchwork_ref.errors import InputError
from patchwork_ref.machine.model import Machine
from patchwork_ref.report.links import Links, links_of
from patchwork_ref.report.rules import book_of, rules_html, rules_json, rules_markdown, rules_text
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.sources import load_sources
from patchwork_ref.rulebook.statements import Sources

FORMS = {"text": rules_text, "markdown": rules_markdown, "html": rules_html}


@pytest.fixture(scope="module")
def machine(machine_of: Callable[..., Machine]) -> Machine:
    return machine_of()


@pytest.fixture(scope="module")
def sources(rulebook: Rulebook) -> Sources:
    return load_sources(rulebook)


@pytest.fixture(scope="module")
def page(rulebook: Rulebook, machine: Machine) -> str:
    return rules_html(rulebook, machine)


def parsed(page: str) -> ElementTree.Element:
    assert page.startswith("<!DOCTYPE html>\n")
    return ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>\n"))


def test_the_page_is_well_formed_and_needs_nothing_else(page: str) -> None:
    """The page parses as XML, and loads no script, style, picture or font from anywhere."""
    tree = parsed(page)
    assert not {"script", "link", "img", "iframe"} & {e.tag for e in tree.iter()}
    assert not re.search(r"https?://|url\(|@import|src=", page)
    assert "prefers-color-scheme: dark" in page and 'name="viewport"' in page


def test_every_rule_is_an_anchor_and_every_link_leads_somewhere(page: str, machine: Machine) -> None:
    """Anchors are different from each other, each rule's name is one, and no link inside the page is dead."""
    tree = parsed(page)
    anchors = [e.get("id") for e in tree.iter() if e.get("id")]
    assert len(anchors) == len(set(anchors))
    assert {*machine.rules, *(d.rule for d in machine.definitions.values() if d.rule)} <= set(anchors)
    links = [str(e.get("href")) for e in tree.iter("a")]
    assert links and not {link for link in links if link[1:] not in anchors or link[0] != "#"}


def test_every_patch_is_drawn_with_its_cells(page: str, machine: Machine) -> None:
    """The page has one drawing for each patch, with as many squares as the patch has cells."""
    drawn = {e.get("id"): sum(1 for _ in e.iter("rect")) for e in parsed(page).iter("figure")}
    assert drawn == {f"patch-{p.name}": len(p.shape) for p in machine.patches}


@pytest.mark.parametrize("form", FORMS)
def test_the_whole_rulebook_holds_every_rule_with_its_line(rulebook: Rulebook, machine_of: Callable[..., Machine], form: str) -> None:
    """Each rule's name and line stand in the whole text, under two rulesets."""
    for ruleset in ("revised", "source-000"):
        machine = machine_of(ruleset)
        shown = " ".join(re.sub(r"[\\*`]", "", FORMS[form](rulebook, machine)).split())
        for rule in machine.rules.values():
            assert rule.name in shown and rule.says in shown.replace("&amp;", "&"), rule.name


def test_every_name_can_be_shown_in_every_form(rulebook: Rulebook, machine: Machine, sources: Sources) -> None:
    """Whatever has a name is shown by it: as text, Markdown, HTML and JSON."""
    names = book_of(rulebook, machine).names
    assert len(names) > 200
    for name in names:
        assert name.rpartition("/")[2].split("=")[-1].replace("_", " ") in rules_text(rulebook, machine, name, None, sources).replace("_", " ")
        assert rules_markdown(rulebook, machine, name, None, sources).startswith("# ")
        parsed(rules_html(rulebook, machine, name, None, sources))
        assert json.loads(json.dumps(rules_json(rulebook, machine, name, None, sources)))["says"] is not None


def test_text_fits_the_terminal(rulebook: Rulebook, machine: Machine) -> None:
    """Lines are at most 100 columns wide, but for formulas, which stay as they are."""
    for name in (None, "buy", "turn/next", "marker-trigger", "source-000"):
        assert not [line for line in rules_text(rulebook, machine, name).split("\n") if len(line) > 100 and " | " not in line]


def test_a_rule_is_shown_with_all_that_belongs_to_it(rulebook: Rulebook, machine: Machine) -> None:
    """Statement, exact words, formula, citation, file and line, place in each action, readings, and who says it."""
    shown = " ".join(rules_text(rulebook, machine, "turn/next").split())
    for part in (
        "The player whose time token is behind moves next", "the turn becomes the other player if your space is more than the other player's space, and you otherwise",
        "does: [turn = rival if me.space > rival.space else me]", "rulebook Game play", "spec/patchwork/3-turn.yaml:", "Step 8 of 8 of advance; step 11 of 11 of buy",
        "shared-space=bottom-moves", "special-patch-timing=kept: In the steps of special, turn/next is dropped", "said by:", "source-004 p2.4", "source-000 th-1 p1.7",
    ):
        assert part in shown, part


def test_who_contradicts_a_rule_and_who_is_silent_is_shown(rulebook: Rulebook, machine: Machine) -> None:
    """The first description contradicts the place of the neutral token; nobody speaks of the tie."""
    token = rules_json(rulebook, machine, "setup/token")["sources"]
    assert token["says"][:2] == ["source-000 th-3 p1.2", "source-002 p1.2"] and token["contradicts"][0] == "source-000 p1.2"  # type: ignore[index]
    tie = rules_json(rulebook, machine, "end/tie")["sources"]
    assert tie == {"says": [], "contradicts": [], "silent": ["source-000", "source-002", "source-003", "source-004"]}


def test_the_places_of_a_rule_are_those_of_the_machine(rulebook: Rulebook, sources: Sources, machine_of: Callable[..., Machine]) -> None:
    """JSON tells in which action, as which step or guard, a rule stands, under the chosen readings."""
    for ruleset in ("revised", "source-000"):
        machine = machine_of(ruleset)
        for form in machine.actions:
            for number, step in enumerate(form.steps, 1):
                assert {"action": form.name, "part": "step", "number": number, "of": len(form.steps)} in rules_json(rulebook, machine, step.name, None, sources)["places"]  # type: ignore[operator]


def test_the_readings_that_change_a_rule_are_all_found(rulebook: Rulebook, machine: Machine, machine_of: Callable[..., Machine]) -> None:
    """A reading under which a rule, a constant or an action is another one is listed with it."""
    from patchwork_ref.report.rule_book import Book

    book = Book(rulebook, machine)
    for ambiguity in rulebook.ambiguities.values():
        for reading in ambiguity.readings:
            other = machine_of(**{ambiguity.name: reading})
            changed = {("rule", n) for n, r in machine.rules.items() if other.rules.get(n) != r}
            changed |= {("constant", n) for n, c in machine.constants.items() if other.constants.get(n) != c}
            pairs = zip(machine.actions, other.actions, strict=False)
            changed |= {("action", f.name) for f, g in pairs if [s.name for s in f.steps] != [s.name for s in g.steps] or f.says != g.says}
            for kind, name in changed:
                assert (ambiguity.name, reading) in {(t.ambiguity, t.reading) for t in book.touches(kind, name)}, (ambiguity.name, reading, name)  # type: ignore[arg-type]


def test_an_ambiguity_is_shown_with_readings_support_default_and_rules(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """Question, each reading with who supports it, the default and why, the chosen one, and the rules touched."""
    found = rules_json(rulebook, machine_of("source-000"), "purchase-order")
    ambiguity = rulebook.ambiguities["purchase-order"]
    assert (found["question"], found["default"], found["because"], found["chosen"]) == (ambiguity.question, ambiguity.default, ambiguity.because, "move-then-place")
    assert [r["supported_by"] for r in found["readings"]] == [list(r.supported_by) for r in ambiguity.readings.values()]  # type: ignore[attr-defined]
    assert {"turn/buy-place", "tile/claim", "buy"} <= set(found["rules"])  # type: ignore[call-overload]


@pytest.mark.parametrize(("name", "near"), [("turn/nexst", "turn/next"), ("marker", "marker-trigger"), ("tie=drow", "tie=draw"), ("blank-penalty", "blank_penalty")])
def test_an_unknown_name_is_one_line_with_what_is_near(rulebook: Rulebook, machine: Machine, name: str, near: str) -> None:
    """The error names what was asked for and something like it."""
    with pytest.raises(InputError) as caught:
        rules_text(rulebook, machine, name)
    assert name in str(caught.value) and near in str(caught.value) and "\n" not in str(caught.value)


def test_a_rule_of_another_reading_is_told_by_it(rulebook: Rulebook, machine: Machine, machine_of: Callable[..., Machine]) -> None:
    """A rule that only another reading brings in is refused with that reading's name, and shown under it."""
    with pytest.raises(InputError, match="unplaceable-patch=discarded"):
        rules_text(rulebook, machine, "turn/discard-unplaceable")
    assert "has no placement" in rules_text(rulebook, machine_of(**{"unplaceable-patch": "discarded"}), "turn/discard-unplaceable")


def test_what_is_linked_to_a_name_is_listed(rulebook: Rulebook, machine: Machine) -> None:
    """Lines given for a name stand beside it in every form, and text in them is never markup."""
    linked = Links({"turn/next": {"seen in": ("the game rules/turn-next-1",)}, "tie": {"proofs": ("proof of <tie>",)}})
    for form in FORMS.values():
        assert "the game rules/turn-next-1" in form(rulebook, machine, "turn/next", linked).replace("\\", "")
    assert rules_json(rulebook, machine, "turn/next", linked)["linked"] == {"seen_in": ["the game rules/turn-next-1"]}
    assert "proof of &lt;tie&gt;" in rules_html(rulebook, machine, "tie", linked)


@pytest.fixture(scope="module")
def links(rulebook: Rulebook) -> Links:
    return links_of(rulebook)


def test_every_permanent_name_is_answered(rulebook: Rulebook, machine: Machine, links: Links) -> None:
    """Fixtures, mutants and theorems are shown by their own names, each with what it is linked to and a command."""
    kinds = {kind: [name for name, other in links.others.items() if other.kind == kind] for kind in ("fixture", "mutant", "theorem")}
    assert all(kinds.values())
    for kind, names in kinds.items():
        for name in names[:: max(1, len(names) // 5)]:
            shown = rules_text(rulebook, machine, name, links)
            assert shown.startswith(f"{kind} {name}") and "patchwork-ref " in shown
            assert rules_json(rulebook, machine, name, links)["kind"] == kind


def test_links_go_both_ways(rulebook: Rulebook, machine: Machine, links: Links) -> None:
    """A fixture that says which rules it decides is listed by each of them, and so is a mutant by the part that it changes."""
    for name, other in links.others.items():
        words = {"fixture": "decides", "mutant": "changes", "theorem": "about"}[other.kind]
        for part in other.facts.get(words, ()):
            assert any(name in listed for listed in links.parts[part].values()), (name, part)
    rules = {whole for found in book_of(rulebook, machine, links).names.values() for kind, whole in found if kind == "rule"}
    assert {rule for rule in rules if not links.parts.get(rule)} == set(), "each rule has a fixture or a mutant"


def test_another_rulebook_has_no_links(tmp_path: Path) -> None:
    """Fixtures and mutants were made for the shipped rulebook; with another one none is claimed to belong to it."""
    from patchwork_ref.rulebook.rulebook import shipped

    shutil.copytree(shipped(), tmp_path / "other")
    words = tmp_path / "other" / "0-edition.yaml"
    words.write_text(words.read_text(encoding="utf-8").replace("Patchwork", "Patchwork at home"), encoding="utf-8")
    assert links_of(pr.load_rulebook(tmp_path / "other")) == Links()


def test_text_of_a_rulebook_is_never_taken_for_markup(rulebook: Rulebook, tmp_path: Path) -> None:
    """Signs of HTML in a rule's line come out as they were written."""
    from patchwork_ref.rulebook.rulebook import shipped

    for file in shipped().glob("*.yaml"):
        (tmp_path / file.name).write_text(file.read_text().replace("says: Patches never overlap.", 'says: "Patches <b>never</b> & \\"nowhere\\" overlap."'))
    other = pr.load_rulebook(tmp_path)
    page = rules_html(other, pr.from_rulebook(other))
    assert "<b>never</b>" not in page and "Patches <b>never</b> & \"nowhere\" overlap." in ["".join(p.itertext()) for p in parsed(page).iter("p")]


def test_the_whole_as_json_has_every_part_once(rulebook: Rulebook, machine: Machine) -> None:
    """The document lists every rule, action, constant, patch, property, ambiguity and ruleset, each once."""
    found = rules_json(rulebook, machine)
    wanted = {
        "rules": [*machine.rules, *(d.rule for d in machine.definitions.values() if d.rule)], "actions": [f.name for f in machine.actions], "constants": list(machine.constants),
        "patches": [p.name for p in machine.patches], "properties": list(machine.properties), "ambiguities": list(rulebook.ambiguities), "rulesets": list(rulebook.rulesets),
    }
    for group, names in wanted.items():
        assert sorted(entry["name"] for entry in found[group]) == sorted(names), group  # type: ignore[attr-defined]
    assert found["readings"] == dict(machine.readings) and len(found["sources"]) == 4  # type: ignore[arg-type]
