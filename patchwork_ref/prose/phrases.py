"""Putting phrases together, and the little English grammar that rulebooks need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from patchwork_ref.machine.model import Field, Value
from patchwork_ref.prose.document import Inline, Name, Phrase, Text


def say(template: str, *parts: Phrase) -> Phrase:
    """The template with each ``{}`` replaced by a phrase, in order."""
    texts = template.split("{}")
    if len(texts) != len(parts) + 1:
        raise ValueError(f"{template!r} has room for {len(texts) - 1} phrases, {len(parts)} are given")
    found: list[Inline] = [Text(texts[0])]
    for part, text in zip(parts, texts[1:], strict=True):
        found += [*part, Text(text)]
    return merged(found)


def merged(parts: Iterable[Inline]) -> Phrase:
    """The same with neighbouring texts joined and empty ones gone."""
    found: list[Inline] = []
    for part in parts:
        if isinstance(part, Text) and not part.text:
            continue
        if isinstance(part, Text) and found and isinstance(last := found[-1], Text):
            found[-1] = Text(last.text + part.text)
        else:
            found.append(part)
    return tuple(found)


def joined(items: Sequence[Phrase], last: str = " and ", between: str = ", ") -> Phrase:
    """``a, b and c``."""
    found: list[Inline] = []
    for number, item in enumerate(items):
        if number:
            found.append(Text(last if number == len(items) - 1 else between))
        found += item
    return merged(found)


def bracketed(phrase: Phrase) -> Phrase:
    return say("({})", phrase)


def sentence(phrase: Phrase) -> Phrase:
    """With a capital at the start and a full stop at the end."""
    if not phrase:
        return ()
    first, rest = phrase[0], list(phrase[1:])
    if isinstance(first, Text):
        first = Text(first.text[:1].upper() + first.text[1:])
    elif isinstance(first, Name):
        first = Name(first.kind, first.name, first.text[:1].upper() + first.text[1:])
    found = merged([first, *rest])
    return found if found[-1].text.endswith((".", ":", ".)")) else merged([*found, Text(".")])


def spaced(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ").replace("-", " ")


def is_sentence(words: str) -> bool:
    """Whether the words of a definition are a statement of their own rather than part of one."""
    return words[:1].isupper() and words.endswith(".")


def head(words: str) -> str | None:
    """``the game is over`` of ``The game is over when both ...``: the part of a statement that it defines."""
    start, when, _ = words.partition(" when ")
    return lowered(start) if when else None


def lowered(words: str) -> str:
    """A statement as part of another one."""
    text = words.removesuffix(".")
    return text[:1].lower() + text[1:]


def field_noun(field: Field) -> str:
    """What to call a field after ``your`` or ``the``: its name, unless that is no noun (``pending``, ``owned``) or the
    short form of one (``specials``); then what the rulebook says of it, such as ``special patches sewn on``."""
    name, said = spaced(field.name), field.says.removesuffix(".").removeprefix("The ")
    short = said.lower().startswith(name.removesuffix("s") + " ") and name.endswith("s")
    no_noun = name.endswith(("ing", "ed"))
    return said if (short or no_noun) and field.says.startswith("The ") else name


def is_plural(noun: str) -> bool:
    """Whether one of its first two words is a plural."""
    return any(w.endswith("s") and not w.endswith("ss") for w in noun.split()[:2])


def predicate(field: Field) -> str | None:
    """``holds the special tile`` of a truth that is declared as ``Whether the player holds the special tile.``"""
    said = field.says.removesuffix(".")
    return said.removeprefix("Whether the player ") if said.startswith("Whether the player ") else None


def second_person(words: str) -> str:
    """``holds the tile`` for ``you``."""
    verb, _, rest = words.partition(" ")
    irregular = {"has": "have", "is": "are", "does": "do", "was": "were"}
    if verb in irregular:
        verb = irregular[verb]
    elif verb.endswith("ies"):
        verb = verb[:-3] + "y"
    elif verb.endswith(("sses", "shes", "ches", "xes")):
        verb = verb[:-2]
    else:
        verb = verb.removesuffix("s")
    return f"{verb} {rest}".strip()


def negated(words: str, you: bool) -> str:
    """``holds the tile`` and ``you``: ``do not hold the tile``."""
    verb, _, rest = words.partition(" ")
    if verb in ("is", "was"):
        return f"{second_person(verb) if you else verb} not {rest}".strip()
    return f"{'do' if you else 'does'} not {second_person(words)}"


def value_words(value: Value) -> str:
    """A constant's value."""
    match value:
        case bool():
            return "yes" if value else "no"
        case tuple():
            items = [str(v) for v in value]
            return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items) or "none"
        case None:
            return "nobody"
        case _:
            return str(value)
