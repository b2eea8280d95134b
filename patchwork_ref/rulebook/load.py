"""YAML files to a tree. A strict subset: maps, lists, texts, integers, true, false; no tags, aliases or surprises.

Only ``yaml.compose`` is used, with our own resolver, so that nothing is ever constructed from a tag and every node
keeps its position.
"""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from patchwork_ref.diagnostics import Collector
from patchwork_ref.rulebook.tree import Mapping, Node, Plain, Scalar, Sequence
from patchwork_ref.source import Position

LARGEST = 1_000_000
"""Bytes in one file. The shipped rulebook's largest is some 20 kB."""
DEEPEST = 30
"""Levels of nesting."""

_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,8})\Z")
_YAML_1_1 = frozenset({"yes", "no", "on", "off", "Yes", "No", "On", "Off", "YES", "NO", "ON", "OFF", "True", "False", "TRUE", "FALSE", "Null", "NULL"})


class _Refused(Exception):
    def __init__(self, mark: yaml.Mark, code: str, message: str, hint: str) -> None:
        self.mark, self.code, self.message, self.hint = mark, code, message, hint
        super().__init__(message)


class _Composer(yaml.BaseLoader):
    """Refuses what the subset leaves out while the nodes are being made."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _Refused(event.start_mark, "yaml-alias", "anchors and aliases are not allowed", "write the value out")
        if getattr(event, "tag", None):
            raise _Refused(event.start_mark, "yaml-tag", f"the tag {event.tag} is not allowed", "write the plain value")
        self.depth += 1
        if self.depth > DEEPEST:
            raise _Refused(event.start_mark, "yaml-depth", f"nested deeper than {DEEPEST} levels", "flatten it")
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


def load_file(path: Path, shown: str, collector: Collector) -> Mapping | None:
    """The tree of one file, or None with diagnostics; ``shown`` is the path as messages give it."""
    start = Position(shown)
    try:
        size = path.stat().st_size
        if size > LARGEST:
            collector.add(start, "file-size", f"the file has {size} bytes, at most {LARGEST} are read", "split the rulebook")
            return None
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        collector.add(start, "file", f"cannot be read: {error.strerror}", "name a readable file")
        return None
    except UnicodeDecodeError as error:
        collector.add(start, "encoding", f"byte {error.start} is not UTF-8", "save the file as UTF-8")
        return None
    return load_text(text, shown, collector)


def load_text(text: str, shown: str, collector: Collector) -> Mapping | None:
    """The tree of one document given as text."""
    start = Position(shown)
    try:
        node = yaml.compose(text.removeprefix("\ufeff"), Loader=_Composer)
    except _Refused as refused:
        collector.add(_position(shown, refused.mark), refused.code, refused.message, refused.hint)
        return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join(str(error.problem or error.context).split())
        collector.add(_position(shown, mark) if mark else start, "yaml", f"not YAML: {problem}", "mend the indentation or quote the text")
        return None
    except (yaml.YAMLError, RecursionError) as error:
        collector.add(start, "yaml", f"not YAML: {' '.join(str(error).split())[:120]}", "mend the file")
        return None
    if node is None:
        collector.add(start, "empty", "the file is empty", "give it at least one section, or remove it")
        return None
    if not isinstance(node, yaml.MappingNode):
        collector.add(_position(shown, node.start_mark), "top-level", "the top level is not a map of sections", "start with a section such as 'rules:'")
        return None
    tree = _converted(node, shown, collector)
    return tree if isinstance(tree, Mapping) else None


def _position(shown: str, mark: yaml.Mark) -> Position:
    return Position(shown, mark.line + 1, mark.column + 1)


def _converted(node: yaml.Node, shown: str, collector: Collector) -> Node:
    pos = _position(shown, node.start_mark)
    if isinstance(node, yaml.SequenceNode):
        return Sequence(tuple(_converted(item, shown, collector) for item in node.value), pos)
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, pos, shown, collector)
    assert isinstance(node, yaml.ScalarNode)
    inside = pos.right(1) if node.style in ("'", '"') else pos
    return Scalar(_value(node, pos, collector), pos, inside)


def _mapping(node: yaml.MappingNode, pos: Position, shown: str, collector: Collector) -> Mapping:
    items: list[tuple[Scalar, Node]] = []
    seen: dict[str, Position] = {}
    for key_node, value_node in node.value:
        key_pos = _position(shown, key_node.start_mark)
        if not isinstance(key_node, yaml.ScalarNode):
            collector.add(key_pos, "key", "a key must be a text", "write a name before the colon")
            continue
        key = str(key_node.value)
        if node.flow_style and isinstance(value_node, yaml.ScalarNode) and value_node.value == "" and value_node.style is None:
            collector.add(key_pos, "key-without-value", f"{key!r} has no value", "an unquoted comma cuts a text: put quotes around it")
            continue
        if key in seen:
            collector.add(key_pos, "duplicate-key", f"{key!r} stands at line {seen[key].line} already", "remove one of the two")
            continue
        seen[key] = key_pos
        items.append((Scalar(key, key_pos, key_pos), _converted(value_node, shown, collector)))
    return Mapping(tuple(items), pos)


def _value(node: yaml.ScalarNode, pos: Position, collector: Collector) -> Plain:
    text = str(node.value)
    if node.style is not None:
        return text
    if text in ("true", "false"):
        return text == "true"
    if text in ("null", "~", ""):
        return None
    if text in _YAML_1_1:
        collector.add(pos, "spelling", f"{text!r} means different things to different readers of YAML", "write true, false or null, or quote it")
    return int(text) if _INTEGER.match(text) else text
