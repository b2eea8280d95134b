"""Rules and actions as sentences: what is said of them, and what exactly happens."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from patchwork_ref.errors import InputError
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import ELEMENT, Type
from patchwork_ref.machine.model import ActionForm, Definition, Domain, Guard, Machine, Property, Rule, Start, Step
from patchwork_ref.prose.document import Block, Citation, Citations, Code, Listing, Name, Paragraph, Phrase, Section, Text
from patchwork_ref.prose.effects import effect_phrase, plural_target
from patchwork_ref.prose.expressions import Speaker
from patchwork_ref.prose.phrases import is_sentence, joined, lowered, say, sentence, spaced

Part = Rule | Definition
"""What has a permanent rule name: a rule, or a definition that is one."""


def part(machine: Machine, name: str) -> Part:
    """The rule or definition with this name, or the definition with this rule name. Raises InputError."""
    found = machine.rules.get(name) or machine.definitions.get(name) or next((d for d in machine.definitions.values() if d.rule == name), None)
    if found is None:
        raise InputError(f"no rule is called {name!r}; see 'rules' for all names")
    return found


def rule_name(rule: Part | Property) -> str:
    """The permanent name."""
    return rule.rule if isinstance(rule, Definition) and rule.rule is not None else rule.name


def rule_prose(machine: Machine, name: str) -> Section:
    """A rule: its statement, what exactly it does, where it stands in the actions, its citations.

    Raises InputError when the Machine has no rule or definition of that name.
    """
    rule = part(machine, name)
    blocks: list[Block] = [Paragraph((Text(statement(rule)),), "statement"), Paragraph(exact(machine, rule), "exact")]
    places = uses(machine, rule)
    if places:
        blocks.append(Paragraph(sentence(joined(places, "; ", "; ")), "note"))
    return Section((name_of(rule),), (*blocks, *cited(rule.cite)), name_of(rule).kind, rule_name(rule))


def action_prose(machine: Machine, name: str) -> Section:
    """An action: what is chosen, what is asked, and its steps as a numbered list in their order. Raises InputError."""
    form = next((f for f in machine.actions if f.name == name), None)
    if form is None:
        raise InputError(f"no action is called {name!r}; there are {', '.join(f.name for f in machine.actions)}")
    speaker = Speaker.of(machine, scope(machine, form))
    blocks: list[Block] = [Paragraph((Text(form.says),), "statement")]
    if form.choices:
        chosen = tuple(_entry(machine, domain, say(f"The {spaced(choice)}: ")) for choice, domain in form.choices)
        blocks += [Paragraph((Text("You choose, in this order:"),)), Listing(chosen, True)]
    if form.requires:
        blocks += [Paragraph((Text("It is allowed only if, asked in this order:"),)), Listing(tuple(_entry(machine, guard) for guard in form.requires), True)]
    if form.values:
        values = tuple((Paragraph(say(f"the {spaced(n)} is {{}}", speaker.noun(e))),) for n, e in form.values)
        blocks += [Paragraph((Text("Worked out before the first step:"),)), Listing(values)]
    blocks += [Paragraph((Text("What then happens, in this order:"),)), Listing(tuple(_entry(machine, step) for step in form.steps), True)]
    return Section((Name("action", form.name, spaced(form.name)),), (*blocks, *cited(form.cite)), "action", form.name)


def scope(machine: Machine, form: ActionForm | None = None) -> dict[str, Type]:
    """The names that the rules of an action (of all actions when none is named) may use."""
    found = {"me": Type.PLAYER}
    for action in machine.actions if form is None else (form,):
        speaker = Speaker.of(machine, found)
        for name, domain in action.choices:
            kind = speaker.type_of(domain.collection)
            found[name] = ELEMENT.get(kind, Type.PATCH) if kind is not None else Type.PATCH
            speaker = Speaker.of(machine, found)
        found |= {name: Type.INTEGER for name, _ in action.values}
    return found


def statement(rule: Part) -> str:
    """A rule's own line. The words of a definition that stand for it inside sentences get its name before them."""
    if isinstance(rule, Definition) and not is_sentence(rule.says):
        return f"{spaced(rule.name).capitalize()}: {rule.says}."
    return rule.says


def name_of(rule: Part) -> Name:
    return Name("rule" if not isinstance(rule, Definition) or rule.rule else "definition", rule_name(rule), rule_name(rule))


def cited(cite: tuple[str, ...]) -> tuple[Block, ...]:
    return (Citations(tuple(Citation(c) for c in cite)),) if cite else ()


def exact(machine: Machine, rule: Part) -> Phrase:
    """What exactly a rule does, in full sentences."""
    speaker = Speaker.of(machine, scope(machine))
    match rule:
        case Guard():
            return say("Required: {}. Otherwise the action is refused: {}.", speaker.clause(rule.condition), (Code(rule.refuse),))
        case Domain():
            return say("One of {}. Anything else is refused: {}, or {} when it is nothing of the kind.", speaker.noun(rule.collection), (Code(rule.refuse),), (Code(rule.outside),))
        case Step():
            return sentence(step_phrase(speaker, rule))
        case Start():
            return joined([_started(Speaker.of(machine, {}), path, node) for path, node in rule.starts.items()], " ", " ")
        case Definition():
            return _meaning(machine, rule)
        case _:
            assert_never(rule)


def property_phrase(machine: Machine, stated: Property) -> Phrase:
    """What a property demands, in full sentences."""
    types = scope(machine, next((f for f in machine.actions if f.name in stated.actions), None))
    speaker = Speaker.of(machine, types if stated.kind == "each_step" else {})
    actions = joined([(Name("action", a, spaced(a)),) for a in stated.actions], " or ")
    match stated.kind:
        case "always":
            return say("In every state: {}", sentence(speaker.clause(stated.body)))
        case "at_end":
            return say("When the game is over: {}", sentence(speaker.clause(stated.body)))
        case "each_step":
            return say("After every action{}: {}", say(" of the form {}", actions) if stated.actions else (), sentence(speaker.clause(stated.body)))
        case "falls":
            limit = say(", and starts at no more than {}", speaker.noun(stated.within)) if stated.within is not None else ()
            return say("This number is never negative and falls with each action{}: {}", limit, sentence(speaker.noun(stated.body)))
        case "possible":
            return say("Whenever {}, one of these actions is legal: {}.", speaker.clause(stated.body), actions)
        case _:
            assert_never(stated.kind)


def step_phrase(speaker: Speaker, step: Step) -> Phrase:
    """``for each mark of ..., if ..., then ...``; no capital, no full stop."""
    each: Phrase = ()
    if step.each is not None:
        name, collection = step.each
        kind = speaker.type_of(collection)
        inner = speaker.knowing({name: ELEMENT.get(kind, Type.INTEGER) if kind is not None else Type.INTEGER})
        order = "in their order" if kind == Type.CIRCLE else "in ascending order"
        each = say(f"for each {spaced(name)} of {{}}, {order}, ", speaker.noun(collection))
        speaker = inner
    conditions = [speaker.clause_within(node, 4) for node in step.when.values()]
    when = say("if {}, ", joined(conditions, " and ", " and ")) if conditions else ()
    effects = [effect_phrase(speaker, effect) for effect in step.does]
    return say("{}{}{}", each, when, joined(effects, ", then ", ", then "))


def uses(machine: Machine, rule: Part) -> list[Phrase]:
    """Where the actions name a rule: ``step 3 of 8 of advance``."""
    found: list[Phrase] = []
    for form in machine.actions:
        action = (Name("action", form.name, spaced(form.name)),)
        for number, step in enumerate(form.steps, 1):
            if step.name == rule.name:
                found.append(say(f"step {number} of {len(form.steps)} of {{}}", action))
        for number, guard in enumerate(form.requires, 1):
            if guard.name == rule.name:
                found.append(say(f"condition {number} of {len(form.requires)} of {{}}", action))
        for number, (choice, domain) in enumerate(form.choices, 1):
            if domain.name == rule.name:
                found.append(say(f"choice {number} of {{}}: the {spaced(choice)}", action))
    return found


def _entry(machine: Machine, rule: Rule, before: Phrase = ()) -> tuple[Block, ...]:
    """A rule as an item of an action: its statement with its name, and under it what exactly it does."""
    statement = say("{}{} ({})", before, (Text(rule.says if not before else lowered(rule.says)),), (name_of(rule),))
    return (Paragraph(statement, "statement"), Paragraph(exact(machine, rule), "exact"))


def _started(speaker: Speaker, path: str, value: t.Expr) -> Phrase:
    owner, _, name = path.rpartition(".")
    each = replace(speaker, types={"each": Type.PLAYER}, nouns={"each": "each player"})
    target: t.Target = t.OfPlayer(t.Variable("each"), name) if owner else t.Shared(name)
    if isinstance(target, t.OfPlayer) and isinstance(value, t.Truth):
        return sentence(say("at the start {}", each.held(each.player_field(name), (Text("each player" if value.value else "no player"),), False, True)))
    verb = "are" if plural_target(speaker, target) else "is"
    return sentence(say(f"at the start {{}} {verb} {{}}", each.target(target), (Text("empty"),) if isinstance(value, t.Empty) else speaker.noun(value)))


def _meaning(machine: Machine, definition: Definition) -> Phrase:
    speaker = Speaker.of(machine, {"me": Type.PLAYER, **definition.takes})
    takes = joined([(Text("a player" if kind == Type.PLAYER else speaker.nouns[n]),) for n, kind in definition.takes.items()])
    head = say("“{}”{} ", (Text(spaced(definition.name)),), say(" of {}", takes) if definition.takes else ())
    if definition.type == Type.TRUTH:
        return say("{}holds exactly when {}.", head, speaker.clause(definition.body))
    return say("{}is {}.", head, speaker.noun(definition.body))
