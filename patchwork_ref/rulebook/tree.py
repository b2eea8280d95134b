"""A document as immutable data: scalars, lists and maps, each with its position. No YAML beyond this point."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from patchwork_ref.source import NOWHERE, Position

Plain = int | bool | str | None


@dataclass(frozen=True, slots=True)
class Scalar:
    value: Plain
    pos: Position = field(default=NOWHERE, compare=False, repr=False)
    text_pos: Position = field(default=NOWHERE, compare=False, repr=False)  # of the first character after any quote


@dataclass(frozen=True, slots=True)
class Sequence:
    items: tuple[Node, ...] = ()
    pos: Position = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys are texts, in the order of the file."""

    items: tuple[tuple[Scalar, Node], ...] = ()
    pos: Position = field(default=NOWHERE, compare=False, repr=False)

    def get(self, key: str) -> Node | None:
        return next((value for name, value in self.items if name.value == key), None)

    def key(self, key: str) -> Scalar | None:
        return next((name for name, _ in self.items if name.value == key), None)

    def keys(self) -> tuple[str, ...]:
        return tuple(str(name.value) for name, _ in self.items)

    def with_(self, key: str, value: Node, pos: Position = NOWHERE) -> Mapping:
        """The same map with a value set; a new key goes to the end."""
        if self.get(key) is None:
            return Mapping((*self.items, (Scalar(key, pos, pos), value)), self.pos)
        return Mapping(tuple((name, value if name.value == key else old) for name, old in self.items), self.pos)

    def without(self, key: str) -> Mapping:
        return Mapping(tuple(item for item in self.items if item[0].value != key), self.pos)


Node = Scalar | Sequence | Mapping


def plain(node: Node) -> object:
    """The node as ordinary Python values."""
    match node:
        case Scalar():
            return node.value
        case Sequence():
            return [plain(item) for item in node.items]
        case Mapping():
            return {str(name.value): plain(value) for name, value in node.items}


def from_plain(value: object, pos: Position = NOWHERE) -> Node:
    """Ordinary Python values as a node that stands at ``pos``."""
    match value:
        case dict():
            return Mapping(tuple((Scalar(str(k), pos, pos), from_plain(v, pos)) for k, v in value.items()), pos)
        case list() | tuple():
            return Sequence(tuple(from_plain(v, pos) for v in value), pos)
        case bool() | int() | str() | None:
            return Scalar(value, pos, pos)
    raise TypeError(f"no node for {type(value).__name__}")


def leaves(node: Node, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    """Every scalar with its path of keys and list indices."""
    match node:
        case Scalar():
            yield path, node
        case Sequence():
            for index, item in enumerate(node.items):
                yield from leaves(item, (*path, str(index)))
        case Mapping():
            for name, value in node.items:
                yield from leaves(value, (*path, str(name.value)))


def digest(node: Node) -> str:
    """A hash of the content, whatever its position and spacing; 16 hexadecimal digits."""
    text = json.dumps(plain(node), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
