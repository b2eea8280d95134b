"""Changes of rules and definitions: guards, choices, conditions, loops, effects and first values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.read import Names, read_effect, read_expression
from patchwork_ref.lang.show import show
from patchwork_ref.lang.types import Type
from patchwork_ref.machine.model import Machine
from patchwork_ref.mutation.effects import added, effect_lists
from patchwork_ref.mutation.expressions import Context, Variant, negated, variants
from patchwork_ref.mutation.independence import changed_before
from patchwork_ref.mutation.model import Candidate, removed, replaced
from patchwork_ref.rulebook.tree import Mapping, Node, Scalar, Sequence, from_plain, plain

Raw = tuple[str, str, str, Node]
"""The change's short name, the operator, its words, and the new tree."""


class Rewriter:
    """Makes candidates from one tree; reads its texts with the vocabulary of its Machine."""

    def __init__(self, tree: Mapping, context: Context, names: Names, machine: Machine) -> None:
        self.tree, self.context, self.names, self.machine = tree, context, names, machine
        named = Counter(step.name for form in machine.actions for step in form.steps)
        self.last = {next((step.name for step in reversed(form.steps) if named[step.name] == 1), None) for form in machine.actions}
        """Of each action the last step that no other has: there it may do something more."""

    def rules(self) -> Iterator[Candidate]:
        for name, entry in entries(self.tree, "rules"):
            yield from numbered(name, self._rule(name, entry))

    def definitions(self, played: frozenset[str]) -> Iterator[Candidate]:
        """Those on which a game depends."""
        for name, entry in entries(self.tree, "definitions"):
            if name not in played:
                continue
            takes = plain(entry.get("takes") or Mapping())
            assert isinstance(takes, dict)
            found = entry.get("rule")
            home = str(plain(found)) if found is not None else f"definition/{name.replace('_', '-')}"
            context = replace(
                self.context,
                integers=self.context.integers | {n for n, kind in takes.items() if kind == Type.INTEGER},
                players=frozenset(n for n, kind in takes.items() if kind == Type.PLAYER),
                moving="before(" in str(plain(entry.get("is") or Scalar(""))),
            )
            path = ("definitions", name, "is")
            yield from numbered(home, self.expression(path, entry.get("is"), {**self.names, **{n: Type(kind) for n, kind in takes.items()}}, context))

    def _rule(self, name: str, entry: Mapping) -> Iterator[Raw]:
        base = ("rules", name)
        if (guard := entry.get("guard")) is not None:
            yield from self.condition((*base, "guard"), guard, self.names, self.context, "")
        if (source := entry.get("from")) is not None:
            yield from self.expression((*base, "from"), source, self.names, self.context)
        starts = entry.get("starts")
        for key, value in starts.items if isinstance(starts, Mapping) else ():
            fresh = replace(self.context, acting=False, players=frozenset())
            field = str(key.value).rpartition(".")[2]
            found = self.expression((*base, "starts", str(key.value)), value, {}, fresh, f"starts-{field.replace('_', '-')}-")
            yield from islice(found, 1 if field in self.context.unread else None)
        if entry.get("does") is not None:
            yield from self._step(base, entry)

    def _step(self, base: tuple[str, ...], entry: Mapping) -> Iterator[Raw]:
        names, context = dict(self.names), replace(self.context, moving=True, changed=changed_before(base[1], self.machine))
        loop = entry.get("for_each")
        if isinstance(loop, Scalar):
            variable, _, collection = str(loop.value).partition(" in ")
            names[variable] = Type.INTEGER
            context = replace(context, integers=context.integers | {variable})
            yield from self._loop(base, entry, variable, collection)
        when = entry.get("when")
        for key, value in when.items if isinstance(when, Mapping) else ():
            condition = str(key.value)
            path = (*base, "when", condition)
            yield f"when-{condition}-dropped", "dropped", f"the condition {show_node(value)!r} is dropped", removed(self.tree, path)
            yield from self.condition(path, value, names, context, f"when-{condition}-", drop=False)
        does = entry.get("does")
        if isinstance(when, Mapping) and isinstance(does, Sequence):
            yield from self._recomputed(base, when, does)
        effects = tuple(read_effect(str(plain(item)), item.pos, context.vocabulary, names) for item in (does.items if isinstance(does, Sequence) else ()))
        found = effect_lists(effects, context, self.machine)
        for name, operator, changed in chain(found, added(effects, context)) if base[1] in self.last else found:
            new = [show(e) for e in changed]
            yield name, operator, f"{_list(effects)} becomes {_list(changed)}", replaced(self.tree, (*base, "does"), from_plain(new))

    def _recomputed(self, base: tuple[str, ...], when: Mapping, does: Sequence) -> Iterator[Raw]:
        """What is set once and kept is worked out anew each time."""
        field, sets, value = str(plain(does.items[0])).partition(" = ")
        if len(does.items) == 1 and sets and value == "true":
            asked = " and ".join(f"({show_node(condition)})" for _, condition in when.items)
            tree = replaced(removed(self.tree, (*base, "when")), (*base, "does"), from_plain([f"{field} = {asked}"]))
            yield "does-recomputed", "assigned", f"{field} is worked out anew each time, and can be lost again", tree

    def _loop(self, base: tuple[str, ...], entry: Mapping, variable: str, collection: str) -> Iterator[Raw]:
        """Once instead of for each; over another collection of the same type."""
        when, does = entry.get("when"), entry.get("does")
        texts = [str(plain(v)) for _, v in when.items] if isinstance(when, Mapping) else []
        if isinstance(does, Sequence) and not any(variable in str(plain(item)) for item in does.items):
            once = f"any({' and '.join(f'({text})' for text in texts) or 'true'} for {variable} in {collection})"
            tree = replaced(removed(self.tree, (*base, "for_each")), (*base, "when"), from_plain({"once": once}))
            yield "once", "loop", "what each one does happens at most once in a move", tree
        spaces = [n for n, kind in {**self.context.vocabulary.constants, **self.context.vocabulary.shared}.items() if kind == Type.SPACES]
        if collection in spaces:
            for other in spaces:
                if other != collection:
                    tree = replaced(self.tree, (*base, "for_each"), Scalar(f"{variable} in {other}"))
                    yield f"over-{other.replace('_', '-')}", "loop", f"goes over {other} instead of {collection}", tree

    def condition(self, path: tuple[str, ...], node: Node, names: Names, context: Context, prefix: str, drop: bool = True) -> Iterator[Raw]:
        """A condition dropped, negated, and changed inside."""
        read = self.read(node, names)
        if read is None:
            return
        if drop:
            yield f"{prefix}dropped", "dropped", f"{show(read)!r} is not asked", replaced(self.tree, path, Scalar(True))
        yield f"{prefix}negated", "negated", f"{show(read)!r} becomes {show(negated(read))!r}", replaced(self.tree, path, Scalar(show(negated(read))))
        yield from self.expression(path, node, names, context, prefix)

    def expression(self, path: tuple[str, ...], node: Node | None, names: Names, context: Context, prefix: str = "") -> Iterator[Raw]:
        read = self.read(node, names)
        if read is None:
            return
        found: Iterator[Variant] = variants(read, context)
        for name, operator, changed in found:
            yield f"{prefix}{name}", operator, f"{show(read)!r} becomes {show(changed)!r}", replaced(self.tree, path, Scalar(show(changed)))

    def read(self, node: Node | None, names: Names) -> t.Expr | None:
        """The expression of a scalar; None for what is no expression."""
        if not isinstance(node, Scalar) or node.value is None:
            return None
        text = str(node.value).lower() if isinstance(node.value, bool) else str(node.value)
        return read_expression(text, node.text_pos, self.context.vocabulary, names)


def numbered(rule: str, found: Iterator[Raw]) -> Iterator[Candidate]:
    """Candidates of one rule; a second change of the same name gets a number."""
    seen: dict[str, int] = {}
    for name, operator, says, tree in found:
        seen[name] = seen.get(name, 0) + 1
        assert isinstance(tree, Mapping)
        yield Candidate(rule, name if seen[name] == 1 else f"{name}-{seen[name]}", operator, says, tree)


def entries(tree: Mapping, section: str) -> list[tuple[str, Mapping]]:
    """The entries of a section that are maps."""
    found = tree.get(section)
    return [(str(k.value), v) for k, v in found.items if isinstance(v, Mapping)] if isinstance(found, Mapping) else []


def show_node(node: Node) -> str:
    value = plain(node)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _list(effects: tuple[t.Effect, ...]) -> str:
    return "; ".join(show(e) for e in effects) or "nothing"
