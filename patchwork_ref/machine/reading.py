"""What the builders share: reading texts of the tree as expressions, and the vocabulary as it grows."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping

from patchwork_ref.diagnostics import Collector
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.check import Checker
from patchwork_ref.lang.read import Names, Unreadable, read_effect, read_expression
from patchwork_ref.lang.types import Signature, Type, Vocabulary
from patchwork_ref.machine.model import Constant, Field, Patch
from patchwork_ref.rulebook.tree import Mapping, Node, Scalar, Sequence, plain

TYPES = {str(kind): kind for kind in Type}


def entries(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    """The items of a map; none of anything else."""
    return node.items if isinstance(node, Mapping) else ()


def maps(node: Node | None) -> tuple[tuple[Scalar, Mapping], ...]:
    """The items whose values are maps; others were reported by the layout check."""
    return tuple((k, v) for k, v in entries(node) if isinstance(v, Mapping))


def items(node: Node | None) -> tuple[Scalar, ...]:
    """The scalars of a list."""
    return tuple(i for i in node.items if isinstance(i, Scalar)) if isinstance(node, Sequence) else ()


def text(node: Node | None, key: str) -> str:
    """A text entry of a map, or nothing."""
    value = node.get(key) if isinstance(node, Mapping) else None
    return str(value.value) if isinstance(value, Scalar) and value.value is not None else ""


def cites(node: Mapping) -> tuple[str, ...]:
    return tuple(str(plain(i)) for i in items(node.get("cite")))


class Reader:
    """Reads and types expressions; collects what is wrong with them."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self.vocabulary = Vocabulary()
        self.checker = Checker(self.vocabulary, {}, collector)

    def declare(self, constants: AbstractMapping[str, Constant], shared: tuple[Field, ...], player: tuple[Field, ...], patches: tuple[Patch, ...], tree: Mapping) -> None:
        """Sets the names that expressions may use; definitions by their signatures alone."""
        table = {str(k.value): self.type_named(v.get("type"), k) for k, v in maps(tree.get("table"))}
        definitions = {str(k.value): Signature({str(n.value): self.type_named(v, n) for n, v in entries(d.get("takes"))}) for k, d in maps(tree.get("definitions"))}
        numbers = frozenset(name for patch in patches for name in patch.numbers)
        self.vocabulary = Vocabulary(
            {name: c.type for name, c in constants.items()}, definitions, {f.name: f.type for f in shared}, {f.name: f.type for f in player},
            table, numbers, frozenset(p.name for p in patches),
        )
        self.checker = Checker(self.vocabulary, {}, self.collector)

    def type_named(self, node: Node | None, key: Scalar) -> Type:
        name = str(plain(node)) if node is not None else ""
        if name not in TYPES:
            self.collector.add(node.pos if node is not None else key.pos, "unknown-type", f"no type is called {name!r}", f"the types are {', '.join(TYPES)}")
            return Type.INTEGER
        return TYPES[name]

    def expression(self, node: Node | None, names: Names, wanted: Type | None = None) -> t.Expr | None:
        """The expression that a scalar writes, typed; None when it was reported."""
        if not isinstance(node, Scalar) or node.value is None:
            if node is not None:
                self.collector.add(node.pos, "kind", "an expression is expected", "write a text")
            return None
        try:
            written = str(node.value).lower() if isinstance(node.value, bool) else str(node.value)
            found = read_expression(written, node.text_pos, self.vocabulary, names)
        except Unreadable as error:
            self._report(error)
            return None
        known = {name: kind for name, kind in names.items() if kind is not None}
        if wanted is not None:
            self.checker.expect(found, wanted, known)
        else:
            self.checker.type_of(found, known)
        return found

    def effect(self, node: Scalar, names: Names) -> t.Effect | None:
        """The effect that a scalar writes, typed; None when it was reported."""
        try:
            found = read_effect(str(node.value), node.text_pos, self.vocabulary, names)
        except Unreadable as error:
            self._report(error)
            return None
        self.checker.effect(found, {name: kind for name, kind in names.items() if kind is not None})
        return found

    def _report(self, error: Unreadable) -> None:
        d = error.diagnostic
        self.collector.add(d.position, d.code, d.message, d.hint)
