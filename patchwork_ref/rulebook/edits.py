"""Changes to a rulebook by address: what readings and mutants are made of.

A change maps a path (``actions.buy.steps``, ``definitions.paid.is``) to a new value, or to a list of edits of the list
or map that stands there: ``{move: X, after: Y}``, ``{drop: X}``, ``{add: X, before: Y}``, ``{swap: X, with: Y}``.
"""

from __future__ import annotations

from patchwork_ref.diagnostics import Diagnostic
from patchwork_ref.rulebook.tree import Mapping, Node, Scalar, Sequence, plain
from patchwork_ref.source import Position

_EDITS = {"move": {"after", "before"}, "drop": set(), "add": {"after", "before"}, "swap": {"with"}}


class EditError(Exception):
    """A change that cannot be made; carries the diagnostic."""

    def __init__(self, pos: Position, message: str, hint: str) -> None:
        self.diagnostic = Diagnostic(pos, "change", message, hint)
        super().__init__(message)


def apply_changes(root: Mapping, changes: Mapping) -> Mapping:
    """The tree with every change made, in order. Raises EditError."""
    for key, value in changes.items:
        node = _changed(root, str(key.value).split("."), value, key)
        assert isinstance(node, Mapping)
        root = node
    return root


def paths(changes: Mapping) -> tuple[str, ...]:
    return changes.keys()


def at(root: Node, path: str) -> Node | None:
    """What stands at a path, or None."""
    node: Node | None = root
    for part in path.split("."):
        node = node.get(part) if isinstance(node, Mapping) else None
    return node


def is_edit_list(node: Node) -> bool:
    """Whether a value is a list of edits rather than a new list."""
    return isinstance(node, Sequence) and bool(node.items) and all(isinstance(item, Mapping) and _verb(item) is not None for item in node.items)


def apply_edits(target: Node, edits: Sequence) -> Node:
    """A list or map with edits made one after the other. Raises EditError."""
    for edit in edits.items:
        assert isinstance(edit, Mapping)
        target = _edited(target, edit)
    return target


def _changed(node: Node, parts: list[str], value: Node, key: Scalar) -> Node:
    if not parts:
        return value
    if not isinstance(node, Mapping):
        raise EditError(key.pos, f"the path {key.value} goes into something that is no map", "correct the path")
    name, rest = parts[0], parts[1:]
    old = node.get(name)
    if rest:
        if old is None:
            raise EditError(key.pos, f"the path {key.value} leads nowhere: there is no {name!r}", "correct the path")
        return node.with_(name, _changed(old, rest, value, key), key.pos)
    if is_edit_list(value):
        assert isinstance(value, Sequence)
        if old is None:
            raise EditError(key.pos, f"there is no {key.value} to edit", "correct the path, or give a whole value")
        return node.with_(name, apply_edits(old, value), key.pos)
    return node.with_(name, value, key.pos)


def _verb(edit: Mapping) -> str | None:
    """The verb of an edit, None for a map that is none."""
    verb = next(iter(edit.keys()), None)
    if verb not in _EDITS:
        return None
    rest = set(edit.keys()) - {verb}
    return verb if rest <= _EDITS[verb] and len(rest) == (0 if not _EDITS[verb] else min(len(rest), 1)) else None


def _edited(target: Node, edit: Mapping) -> Node:
    verb = _verb(edit)
    operand, pos = edit.items[0][1], edit.pos
    name = plain(operand)
    if isinstance(target, Mapping):
        if verb != "drop":
            raise EditError(pos, f"a map cannot be edited by {verb!r}", "set a new entry by its own path")
        if target.get(str(name)) is None:
            raise EditError(pos, f"there is no {name!r} to drop", f"the entries are {', '.join(target.keys())}")
        return target.without(str(name))
    if not isinstance(target, Sequence):
        raise EditError(pos, "only a list or a map can be edited", "give a new value")
    items = list(target.items)
    if verb == "swap":
        other = plain(edit.items[1][1])
        i, j = _index(items, name, pos), _index(items, other, pos)
        items[i], items[j] = items[j], items[i]
        return Sequence(tuple(items), target.pos)
    moved: Node = operand
    if verb in ("move", "drop"):
        moved = items.pop(_index(items, name, pos))
    elif any(plain(item) == name for item in items):
        raise EditError(pos, f"{name!r} stands in the list already", "move it instead")
    if verb in ("move", "add"):
        items.insert(_slot(items, edit), moved)
    return Sequence(tuple(items), target.pos)


def _slot(items: list[Node], edit: Mapping) -> int:
    if len(edit.items) == 1:
        return len(items)
    side, neighbour = edit.items[1]
    return _index(items, plain(neighbour), edit.pos) + (1 if side.value == "after" else 0)


def _index(items: list[Node], name: object, pos: Position) -> int:
    for index, item in enumerate(items):
        if plain(item) == name:
            return index
    raise EditError(pos, f"{name!r} does not stand in the list", f"it holds {', '.join(str(plain(i)) for i in items)}")
