"""Words for every expression. Total over the closed union: a new node means following mypy to here.

Two kinds of phrase: a *noun* stands for a value (``your buttons``), a *clause* for a truth (``your buttons are ...``).
Parentheses go where the text would otherwise have two readings, so that different formulas never read alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import ELEMENT, Type
from patchwork_ref.machine.model import Definition
from patchwork_ref.prose.document import Name, Phrase
from patchwork_ref.prose.phrases import bracketed, field_noun, head, is_plural, is_sentence, joined, predicate, say, spaced, value_words
from patchwork_ref.prose.scope import Scope, words

_ATOM, _PRODUCT, _SUM, _COMPARE, _AND, _OR, _LOOSE = range(7)

_COMPARED: Mapping[t.Comparison, str] = {
    "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least",
    "==": "is", "!=": "is not", "in": "is among", "not in": "is not among",
}
_OPPOSITE: Mapping[t.Comparison, t.Comparison] = {
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "in": "not in", "not in": "in",
}
_COUNTED = {Type.REGION: "cells", Type.PATCH: "cells", Type.CIRCLE: "patches", Type.PATCHES: "patches", Type.SPACES: "spaces", Type.PLACEMENTS: "placements"}


def _named(definition: Definition, text: str) -> Name:
    """A definition in a sentence, under its rule name when it has one."""
    return Name("rule", definition.rule, text) if definition.rule is not None else Name("definition", definition.name, text)


class Speaker(Scope):
    """Says the expressions of one Machine, with some names in scope."""

    # Values

    def noun(self, node: t.Expr) -> Phrase:
        """The phrase for a value; a truth becomes ``whether ...``."""
        match node:
            case t.Integer():
                return words(str(node.value))
            case t.Nobody():
                return words("nobody")
            case t.Empty():
                return words(f"no {node.of}")
            case t.PatchNamed():
                return (Name("patch", node.id, f"patch {node.id}"),)
            case t.Variable():
                return words(self.nouns.get(node.name, f"the {spaced(node.name)}")) if self.types.get(node.name) != Type.TRUTH else self._whether(node)
            case t.Players():
                return words("both players")
            case t.Given():
                return say("the {} of the table", (Name("table", node.name, spaced(node.name)),))
            case t.Shared():
                return self._whether(node) if self.type_of(node) == Type.TRUTH else say("the {}", self.called(self.shared_field(node.name)))
            case t.OfPlayer():
                return self._whether(node) if self.type_of(node) == Type.TRUTH else self._counted(node)
            case t.OfPatch():
                return say("{}'s {}", self.tight(node.patch), words(spaced(node.name)))
            case t.Before():
                return self._whether(node) if self.type_of(node) == Type.TRUTH else say("{} before the action", self.within(node.body, _ATOM))
            case t.Arithmetic():
                level = _PRODUCT if node.op == "*" else _SUM
                sign = {"+": "plus", "-": "less", "*": "times"}[node.op]
                return say(f"{{}} {sign} {{}}", self.within(node.left, level), self.within(node.right, level - 1))
            case t.Choose():
                if self.type_of(node) == Type.TRUTH:
                    return self._whether(node)
                return say("{} if {}, and {} otherwise", self.within(node.then, _SUM), self.clause_within(node.condition, _OR), self.within(node.otherwise, _SUM))
            case t.Truth() | t.Compare() | t.Logic() | t.Not():
                return self._whether(node)
            case t.Call():
                return self._call(node)
            case t.Quantified():
                return self._quantity(node)
            case t.Use():
                return self._whether(node) if self.type_of(node) == Type.TRUTH and node.name not in self.machine.constants else self._use(node)
            case _:
                assert_never(node)

    def tight(self, node: t.Expr) -> Phrase:
        return self.within(node, _ATOM)

    def within(self, node: t.Expr, room: int) -> Phrase:
        return bracketed(self.noun(node)) if self._level(node) > room else self.noun(node)

    def _level(self, node: t.Expr) -> int:
        """How loosely the words of a node hang together."""
        match node:
            case t.Arithmetic():
                return _PRODUCT if node.op == "*" else _SUM
            case t.Compare():
                return _COMPARE if len(node.rest) == 1 else _AND
            case t.Logic():
                return _AND if node.op == "and" else _OR
            case t.Before():
                return self._level(node.body) if isinstance(node.body, (t.Shared, t.OfPlayer)) else _PRODUCT
            case t.OfPlayer():
                return _ATOM if isinstance(node.player, (t.Variable, t.Use)) else _PRODUCT
            case t.Call():
                return _ATOM if node.primitive == "other" else _COMPARE if node.primitive in ("disjoint", "fits", "filled_square") else _PRODUCT
            case t.Not():
                return _AND
            case t.Choose() | t.Quantified():
                return _LOOSE
            case t.Use():
                return _ATOM if not node.args else _PRODUCT
            case _:
                return _ATOM

    def target(self, node: t.Target) -> Phrase:
        """A field as what changes: ``your buttons`` and not their number."""
        if isinstance(node, t.Shared):
            return say("the {}", self.called(self.shared_field(node.name)))
        return self._owned(node.player, self.called(self.player_field(node.name)))

    def _owned(self, player: t.Expr, thing: Phrase) -> Phrase:
        return say("your {}", thing) if player == t.Variable("me") else say("{}'s {}", self.tight(player), thing)

    def _counted(self, node: t.OfPlayer) -> Phrase:
        field = self.player_field(node.name)
        many = field.type == Type.INTEGER and is_plural(field_noun(field))
        return say("the number of {}", self.target(node)) if many else self.target(node)

    def _use(self, node: t.Use) -> Phrase:
        constant = self.machine.constants.get(node.name)
        if constant is not None:
            return say(f"the {{}} ({value_words(constant.value)})", (Name("constant", node.name, spaced(node.name)),))
        return self.defined(self.machine.definitions[node.name], node.args)

    def defined(self, definition: Definition, args: tuple[t.Expr, ...]) -> Phrase:
        """A definition by its own words: ``{parameter}`` in them is replaced; what is not replaced stands behind."""
        given = dict(zip(definition.takes, args, strict=True))
        if is_sentence(definition.says) or not definition.says:
            name: Phrase = (_named(definition, f"the {spaced(definition.name)}"),)
            return say("{} of {}", name, joined([self.tight(a) for a in args])) if args else name
        said = definition.says
        parts, rest = [], []
        for name_, arg in given.items():
            if f"{{{name_}}}" not in said and arg != t.Variable(name_):
                rest.append(say(f"{spaced(name_)}: {{}}", self.noun(arg)))
        template = said
        for name_ in sorted((n for n in given if f"{{{n}}}" in said), key=lambda n: said.index(f"{{{n}}}")):
            template = template.replace(f"{{{name_}}}", "{}", 1)
            parts.append(self.tight(given[name_]))
        phrase = say(template, *parts) if parts else (_named(definition, said),)
        return say("{} ({})", phrase, joined(rest, "; ", "; ")) if rest else phrase

    def _call(self, node: t.Call) -> Phrase:
        args = node.args
        match node.primitive:
            case "min" | "max":
                return say(f"the {'smaller' if node.primitive == 'min' else 'larger'} of {{}} and {{}}", self.within(args[0], _ATOM), self.within(args[1], _ATOM))
            case "other":
                return words("the other player") if args[0] == t.Variable("me") else say("the rival of {}", self.tight(args[0]))
            case "size":
                counted = _COUNTED.get(self.type_of(args[0]) or Type.REGION, "parts")
                return say("the number of {}" if self.many(args[0]) else f"the number of {counted} of {{}}", self.tight(args[0]))
            case "first":
                return say("the first patches of {}, as many as {}, or all when there are fewer", self.tight(args[1]), self.tight(args[0]))
            case "place":
                return say("the number of patches before {} in {}", self.tight(args[0]), self.tight(args[1]))
            case "turned":
                if isinstance(args[1], t.Call) and args[1].primitive == "place" and args[1].args[1] == args[0]:
                    return say("{} moved on to {}", self.tight(args[0]), self.tight(args[1].args[0]))
                return say("{} moved on by as many patches as {}", self.tight(args[0]), self.tight(args[1]))
            case "placements":
                return say("the regions that {} can cover on an empty quilt board, {}", self.tight(args[0]), self._turning(args[1]))
        return self._whether(node)

    def _turning(self, flips: t.Expr) -> Phrase:
        if isinstance(flips, t.Use) and flips.name in self.machine.constants:
            value = bool(self.machine.constants[flips.name].value)
            return say(f"turned {'or {}' if value else 'and without {}'}", (Name("constant", flips.name, "flipped" if value else "being flipped"),))
        if isinstance(flips, t.Truth):
            return words("turned or flipped" if flips.value else "turned, never flipped")
        return say("turned, and flipped too if {}", self.clause_within(flips, _COMPARE))

    def _quantity(self, node: t.Quantified) -> Phrase:
        inner = self.inside(node)
        where = say(" such that {}", inner.clause_within(node.where, _AND)) if node.where is not None else ()
        each = self._each(node, inner)
        match node.kind:
            case "sum":
                return say("the sum of {} over each {}{}", inner.tight(node.body), each, where)
            case "count":
                return say("how often there is a {}{}", each, where)
            case "one":
                return say("the only {}{}, or nobody", each, where)
        return self._whether(node)

    def _each(self, node: t.Quantified, inner: Speaker) -> Phrase:
        """``player``, ``mark of the income spaces``."""
        noun = words(inner.nouns[node.var].removeprefix("the ").removeprefix("that "))
        return noun if isinstance(node.domain, t.Players) else say("{} of {}", noun, self.tight(node.domain))

    def _held_by_a_player(self, node: t.Quantified) -> Phrase | None:
        """``holds the special tile`` where a quantifier asks no more than that of a player."""
        body = node.body
        if node.where is None and isinstance(node.domain, t.Players) and isinstance(body, t.OfPlayer) and body.player == t.Variable(node.var):
            field = self.player_field(body.name)
            if (said := predicate(field)) is not None:
                return (Name("field", field.name, said),)
        return None

    def inside(self, node: t.Quantified) -> Speaker:
        """The speaker inside a quantifier."""
        domain = self.type_of(node.domain)
        return self.knowing({node.var: ELEMENT.get(domain, Type.INTEGER) if domain is not None else Type.INTEGER})

    # Truths

    def _whether(self, node: t.Expr) -> Phrase:
        if isinstance(node, t.Truth):
            return words("true" if node.value else "false")
        return say("whether {}", self.clause_within(node, _COMPARE))

    def clause_within(self, node: t.Expr, room: int) -> Phrase:
        return bracketed(self.clause(node)) if self._level(node) > room else self.clause(node)

    def clause(self, node: t.Expr) -> Phrase:
        """The phrase for a truth."""
        match node:
            case t.Truth():
                return words("it is always so" if node.value else "it is never so")
            case t.Compare():
                return self._compare(node)
            case t.Logic():
                level = _AND if node.op == "and" else _OR
                return joined([self.clause_within(item, level - 1) for item in node.items], f" {node.op} ", f" {node.op} ")
            case t.Not():
                return self._denied(node.body)
            case t.Choose():
                then, otherwise = self.clause_within(node.then, _COMPARE), self.clause_within(node.otherwise, _COMPARE)
                return say("{} if {}, and {} otherwise", then, self.clause_within(node.condition, _OR), otherwise)
            case t.Call():
                return self._relation(node)
            case t.Quantified():
                return self._quantified(node)
            case t.OfPlayer():
                return self._has(node, True)
            case t.Shared():
                return say("the {} holds", self.called(self.shared_field(node.name)))
            case t.Before():
                return say("{} before the action", self.clause_within(node.body, _ATOM))
            case t.Use():
                return self._holds(node)
            case t.Variable():
                return say("the {} holds", words(spaced(node.name)))
            case t.Given():
                return say("{} holds", self.noun(node))
            case t.Integer() | t.Nobody() | t.Empty() | t.PatchNamed() | t.Players() | t.OfPatch() | t.Arithmetic():
                return say("{} holds", self.tight(node))  # never a truth in a checked Machine
            case _:
                assert_never(node)

    def _compare(self, node: t.Compare) -> Phrase:
        left, found = node.left, []
        for number, (op, right) in enumerate(node.rest):
            found.append(self._compared(left, op, right, first=number == 0))
            left = right
        return joined(found, ", which ", ", which ")

    def _compared(self, left: t.Expr, op: t.Comparison, right: t.Expr, first: bool) -> Phrase:
        if op in ("==", "!=") and self.type_of(right) == Type.TRUTH:
            sign = "exactly when" if op == "==" else "exactly when it is not so that"
            return say(f"{{}} {sign} {{}}", self.clause_within(left, _ATOM), self.clause_within(right, _ATOM)) if first else say(f"{sign} {{}}", self.clause_within(right, _ATOM))
        verb = _COMPARED[op]
        if left == t.Variable("me") or self.many(left):
            verb = verb.replace("is", "are", 1)
        return say(f"{{}} {verb} {{}}", self.within(left, _SUM), self.within(right, _SUM)) if first else say(f"{verb} {{}}", self.within(right, _SUM))

    def _denied(self, body: t.Expr) -> Phrase:
        match body:
            case t.Compare() if len(body.rest) == 1 and self.type_of(body.left) != Type.TRUTH:
                op, right = body.rest[0]
                return say("it is not so that {}", self._compared(body.left, op, right, True))
            case t.OfPlayer():
                return self._has(body, False)
            case t.Quantified(kind="any"):
                inner = self.inside(body)
                where = say(" such that {}", inner.clause_within(body.where, _AND)) if body.where is not None else ()
                if (held := self._held_by_a_player(body)) is not None:
                    return say("no player {}", held)
                return say("for no {}{}, {}", self._each(body, inner), where, inner.clause_within(body.body, _COMPARE))
            case t.Call(primitive="disjoint"):
                return say("{} and {} share a cell", *(self.tight(a) for a in body.args))
        return say("it is not so that {}", self.clause_within(body, _COMPARE))

    def _relation(self, node: t.Call) -> Phrase:
        args = node.args
        match node.primitive:
            case "disjoint":
                return say("{} and {} share no cell", self.tight(args[0]), self.tight(args[1]))
            case "fits":
                return say("{} has a placement, {}, that shares no cell with {}", self.tight(args[0]), self._turning(args[2]), self.tight(args[1]))
            case "filled_square":
                return say("{} fills a whole square of cells with {} on a side", self.tight(args[0]), self.tight(args[1]))
        return say("{} holds", self.tight(node))  # never a truth in a checked Machine

    def _quantified(self, node: t.Quantified) -> Phrase:
        inner = self.inside(node)
        where = say(" such that {}", inner.clause_within(node.where, _AND)) if node.where is not None else ()
        if node.kind == "any" and (held := self._held_by_a_player(node)) is not None:
            return say("at least one player {}", held)
        if node.kind in ("all", "any"):
            start = "for each" if node.kind == "all" else "for at least one"
            return say(f"{start} {{}}{{}}, {{}}", self._each(node, inner), where, inner.clause_within(node.body, _COMPARE))
        return say("{} holds", self.tight(node))  # never a truth in a checked Machine

    def _has(self, node: t.OfPlayer, holds: bool) -> Phrase:
        return self.held(self.player_field(node.name), self.tight(node.player), node.player == t.Variable("me"), holds)

    def _holds(self, node: t.Use) -> Phrase:
        definition = self.machine.definitions.get(node.name)
        if definition is None:
            return say("{} holds", self._use(node))
        if not definition.takes and is_sentence(definition.says) and (start := head(definition.says)) is not None:
            return (_named(definition, start),)
        phrase = self.defined(definition, node.args)
        return say("{} holds", phrase) if is_sentence(definition.says) or not definition.says else phrase
