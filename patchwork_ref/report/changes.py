"""The changes that a reading makes, in words; and an entry as the YAML writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchwork_ref.rulebook.edits import at, is_edit_list
from patchwork_ref.rulebook.tree import Mapping, Node, Scalar, Sequence, plain

_PLAIN = re.compile(r"[A-Za-z0-9_.\-/(<=>][^#]*\Z")
_WORDS = {"true", "false", "null", "yes", "no", "on", "off"}


def changed_names(path: str, value: Node) -> set[str]:
    """What a change concerns: the entry at its path, and every rule that it names in a list of an action."""
    section, _, rest = path.partition(".")
    key = rest.partition(".")[0]
    found = {f"{section}.{key}"}
    if section == "actions":
        found |= {f"rules.{name}" for name in _named(value)}
    return found


def _named(value: Node) -> Iterator[str]:
    """The rules named in lists and in edits of lists, but not as neighbours."""
    match value:
        case Sequence():
            for item in value.items:
                if isinstance(item, Scalar):
                    yield str(item.value)
                elif isinstance(item, Mapping) and item.items:
                    yield str(plain(item.items[0][1]))
                    if item.items[0][0].value == "swap":
                        yield str(plain(item.items[1][1]))
        case Mapping():
            for name, inner in value.items:
                if name.value in ("chooses", "requires", "steps"):
                    yield from _named(inner)
        case Scalar():
            pass


def change_words(tree: Mapping, path: str, value: Node, about: str | None = None) -> list[str]:
    """One sentence for each thing that a change does; for a list of edits only those that name ``about``, if given."""
    section, _, rest = path.partition(".")
    key, _, inside = rest.partition(".")
    where = f"the {inside.replace('.', ' ')} of {key}" if inside else key
    if is_edit_list(value) and isinstance(value, Sequence):
        edits = [item for item in value.items if isinstance(item, Mapping)]
        return [f"In {where}, {_edit_words(e)}." for e in edits if about in (None, key) or about in {str(plain(v)) for v in _operands(e)}]
    if not inside and at(tree, path) is None:
        says = str(plain(value.get("says") or Scalar(""))) if isinstance(value, Mapping) else ""
        return [f"A new entry of {section}, {key}: {says}"]
    if inside == "says":
        return [f"Its line becomes “{plain(value)}”"]
    if isinstance(value, Sequence):
        shown = ("; " if inside == "does" else ", ").join(str(plain(i)) for i in value.items)
    else:
        shown = str(plain(value)).lower() if isinstance(plain(value), bool) else str(plain(value))
    return [f"{_what(inside)} becomes `{shown}`."]


def _what(inside: str) -> str:
    """What a value is to its entry."""
    first, _, rest = inside.partition(".")
    if first == "when" and rest:
        return f"Its condition {rest}"
    known = {"is": "Its value", "does": "What it does", "guard": "Its guard", "from": "What is chosen from", "for_each": "What it goes over"}
    return known.get(first, f"Its {inside.replace('.', ' ')}")


def _operands(edit: Mapping) -> list[Node]:
    first = edit.items[0]
    return [first[1], *(v for k, v in edit.items[1:] if first[0].value == "swap")]


def _edit_words(edit: Mapping) -> str:
    (verb, operand), rest = edit.items[0], edit.items[1:]
    name = plain(operand)
    side = f" {rest[0][0].value} {plain(rest[0][1])}" if rest else " to the end"
    swapped = f"{name} and {plain(rest[0][1]) if rest else ''} change places"
    return {"move": f"{name} moves{side}", "drop": f"{name} is dropped", "add": f"{name} is added{side}", "swap": swapped}[str(verb.value)]


def yaml_lines(node: Node, leave_out: tuple[str, ...] = (), indent: int = 0) -> list[str]:
    """An entry as the rulebook writes it, one key a line; what is in ``leave_out`` is told elsewhere."""
    space = "  " * indent
    match node:
        case Scalar():
            return [space + _scalar(node)]
        case Sequence():
            if all(isinstance(i, Scalar) for i in node.items) and len(_flow(node)) <= 62:
                return [space + _flow(node)]
            return [f"{space}- {_scalar(item) if isinstance(item, Scalar) else _flow(item)}" for item in node.items]
        case Mapping():
            lines = []
            for name, value in node.items:
                if name.value in leave_out:
                    continue
                inner = yaml_lines(value, (), indent + 1)
                one = len(inner) == 1 and not isinstance(value, Mapping)
                lines += [f"{space}{name.value}: {inner[0].strip()}"] if one else [f"{space}{name.value}:", *inner]
            return lines


def _flow(node: Node) -> str:
    """The node on one line."""
    match node:
        case Scalar():
            return _scalar(node, flow=True)
        case Sequence():
            return "[" + ", ".join(_flow(i) for i in node.items) + "]"
        case Mapping():
            return "{" + ", ".join(f"{name.value}: {_flow(value)}" for name, value in node.items) + "}"


def _scalar(node: Scalar, flow: bool = False) -> str:
    value = node.value
    if isinstance(value, bool) or value is None:
        return "null" if value is None else str(value).lower()
    text = str(value)
    word = _PLAIN.match(text) and ": " not in text and not text.endswith(":") and text not in _WORDS and not text.isdigit()
    safe = isinstance(value, int) or (word and not (flow and re.search(r"[,\[\]{}]", text)))
    return text if safe else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
