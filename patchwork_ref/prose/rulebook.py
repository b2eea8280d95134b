"""The whole rulebook as text: what lies in the box, what is kept track of, the actions, and the rules by chapters."""

from __future__ import annotations

from patchwork_ref.machine.model import Constant, Machine
from patchwork_ref.prose.document import Block, Citation, Facts, Gallery, Listing, Name, Paragraph, Phrase, Picture, Section, Text
from patchwork_ref.prose.phrases import say, spaced, value_words
from patchwork_ref.prose.rules import action_prose, cited, property_phrase, rule_name, rule_prose

EVALUATION = (
    "The steps of an action run one after the other, and each sees what those before it have changed.",
    "What is called “before the action” is what it was when the action began.",
    "A step that goes over a collection takes it as it was when the step began, in ascending order.",
    "What is worked out before the first step keeps its value to the end of the action.",
    "An amount that goes from one holder to another is worked out once.",
)
"""The order of evaluation that every back end obeys."""


def rulebook_prose(machine: Machine) -> tuple[Section, ...]:
    """Every part of a Machine in reading order."""
    chapters = chapter_rules(machine)
    return (
        _box(machine),
        _kept(machine),
        Section((Text("The actions"),), (
            Paragraph((Text("You are the player to move, from the start of an action to its end."),)),
            Listing(tuple((Paragraph((Text(line),)),) for line in EVALUATION)),
            *(action_prose(machine, form.name) for form in machine.actions),
        )),
        *(Section((Text(machine.chapters.get(chapter, chapter)),), tuple(rule_prose(machine, name) for name in names), "chapter", chapter) for chapter, names in chapters.items()),
        _helpers(machine),
        _decided(machine),
        *((_properties(machine),) if machine.properties else ()),
    )


def chapter_rules(machine: Machine) -> dict[str, list[str]]:
    """The rule names of each chapter, in the order of the file; definitions that are rules among them."""
    names = [*machine.rules, *(d.rule for d in machine.definitions.values() if d.rule is not None)]
    found: dict[str, list[str]] = {chapter: [] for chapter in machine.chapters}
    for name in names:
        found.setdefault(name.partition("/")[0], []).append(name)
    return {chapter: listed for chapter, listed in found.items() if listed}


def patch_picture(machine: Machine, name: str) -> Picture:
    patch = next(p for p in machine.patches if p.name == name)
    return Picture(patch.name, patch.picture, tuple(patch.numbers.items()))


def constant_section(constant: Constant) -> Section:
    value = Paragraph(say(f"{spaced(constant.name).capitalize()}: {value_words(constant.value)}."), "exact")
    return Section((Name("constant", constant.name, constant.name),), (Paragraph((Text(constant.says),), "statement"), value, *cited(constant.cite)), "constant", constant.name)


def property_section(machine: Machine, name: str) -> Section:
    stated = machine.properties[name]
    blocks: list[Block] = [Paragraph((Text(stated.says),), "statement"), Paragraph(property_phrase(machine, stated), "exact"), Paragraph((Text(stated.why),), "note")]
    return Section((Name("property", name, name),), (*blocks, *cited(stated.cite)), "property", name)


def _box(machine: Machine) -> Section:
    board = machine.board
    return Section((Text("What lies in the box"),), (
        Paragraph((Text(f"A quilt board of {board.rows} rows and {board.columns} columns for each player; {len(machine.regular)} patches for the circle; the numbers below."),)),
        Section((Text("Patches"),), (Gallery(tuple(patch_picture(machine, p.name) for p in machine.patches)),)),
        *(constant_section(c) for c in machine.constants.values() if c.cite),
    ))


def _kept(machine: Machine) -> Section:
    given: list[tuple[str, tuple[Phrase, ...]]] = [(spaced(g.name), ((Text(g.says),),)) for g in machine.givens.values()]
    fields = [(spaced(f.name), ((Text(f.says),),)) for f in machine.shared]
    of_player = [(f"a player's {spaced(f.name)}", ((Text(f.says),),)) for f in machine.player]
    return Section((Text("What is kept track of"),), (
        Section((Text("Decided at the table"),), (Facts(tuple(given)),)),
        Section((Text("During the game"),), (Facts((*fields, *of_player)),)),
    ))


def _helpers(machine: Machine) -> Section:
    """Definitions that are no rules of their own."""
    return Section((Text("Words used above"),), tuple(rule_prose(machine, d.name) for d in machine.definitions.values() if d.rule is None))


def _decided(machine: Machine) -> Section:
    parts = {"The game is over": machine.over, "The winner": machine.winner, "A player's score": machine.total}
    facts = [(words, ((Name("rule" if d.rule else "definition", rule_name(d), rule_name(d)), Text(": " + d.says)),)) for words, d in parts.items()]
    facts += [(f"its part {spaced(name)}", ((Name("rule" if d.rule else "definition", rule_name(d), rule_name(d)), Text(": " + d.says)),)) for name, d in machine.score.items()]
    return Section((Text("End, score and winner"),), (Facts(tuple((words, value) for words, value in facts)),))


def _properties(machine: Machine) -> Section:
    intro = Paragraph((Text("What is declared to hold whatever anyone plays. None of this makes a rule."),))
    return Section((Text("What always holds"),), (intro, *(property_section(machine, name) for name in machine.properties)))


def citations(section: Section) -> tuple[Citation, ...]:
    """Every citation in a section, in order."""
    from patchwork_ref.prose.document import phrases

    return tuple(part for phrase in phrases(section) for part in phrase if isinstance(part, Citation))
