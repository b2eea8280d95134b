"""Text to nodes. Python's ``ast`` does the parsing; whatever is not in the table below is refused with its position.

Names are resolved here, against the rulebook's vocabulary and the local names in scope; types come later, in ``check``.
"""

from __future__ import annotations

import ast as python
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NoReturn, cast

from patchwork_ref.diagnostics import Diagnostic
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import ELEMENT, PRIMITIVES, QUANTIFIERS, Type, Vocabulary
from patchwork_ref.source import Position

Names = Mapping[str, Type | None]
"""The local names in scope; None where the type is not known while reading."""

NO_NAMES: Names = MappingProxyType({})

LONGEST = 2000
"""Characters; a longer text is no rule that a person reads."""

_COMPARISONS: dict[type[python.cmpop], t.Comparison] = {
    python.Lt: "<", python.LtE: "<=", python.Gt: ">", python.GtE: ">=", python.Eq: "==", python.NotEq: "!=",
    python.In: "in", python.NotIn: "not in",
}
_ARITHMETIC: dict[type[python.operator], str] = {python.Add: "+", python.Sub: "-", python.Mult: "*"}
_UPDATES: dict[type[python.operator], str] = {python.Add: "+=", python.Sub: "-=", python.BitOr: "|="}


class Unreadable(Exception):
    """Carries the one diagnostic that stopped the reading; caught by whoever collects."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic
        super().__init__(str(diagnostic))


def read_expression(text: str, pos: Position, vocabulary: Vocabulary, names: Names = NO_NAMES) -> t.Expr:
    """The expression written in ``text``, which stands at ``pos``; ``names`` are the local names in scope."""
    tree = _parsed(text, pos, "eval")
    return _Reader(pos, vocabulary).expression(cast(python.Expression, tree).body, names)


def read_effect(text: str, pos: Position, vocabulary: Vocabulary, names: Names = NO_NAMES) -> t.Effect:
    """The effect written in ``text``: an assignment, an update, or ``transfer(amount, giver, taker)``."""
    body = cast(python.Module, _parsed(text, pos, "exec")).body
    if len(body) != 1:
        _refuse(pos, "one-effect", f"{len(body)} statements where one effect is expected", "make each its own list item")
    return _Reader(pos, vocabulary).effect(body[0], names)


def _refuse(pos: Position, code: str, message: str, hint: str) -> NoReturn:
    raise Unreadable(Diagnostic(pos, code, message, hint))


def _parsed(text: str, pos: Position, mode: str) -> python.AST:
    if len(text) > LONGEST:
        _refuse(pos, "too-long", f"an expression of {len(text)} characters", f"split it; at most {LONGEST} are read")
    try:
        return python.parse(text, mode=mode)
    except SyntaxError as error:
        column = max((error.offset or 1) - 1, 0)
        _refuse(pos.right(column), "syntax", f"cannot read {text!r}: {error.msg}", "see docs/RULE-LANGUAGE.md for what can be written")
    except (ValueError, RecursionError, MemoryError):
        _refuse(pos, "syntax", f"cannot read {text[:40]!r}...", "it is nested too deep or holds strange characters")


class _Reader:
    def __init__(self, pos: Position, vocabulary: Vocabulary) -> None:
        self.pos, self.known = pos, vocabulary

    def at(self, node: python.AST) -> Position:
        line = getattr(node, "lineno", 1)
        return self.pos.right(getattr(node, "col_offset", 0)) if line == 1 else self.pos

    def expression(self, node: python.expr, names: Names) -> t.Expr:
        pos = self.at(node)
        match node:
            case python.Constant(value=(bool() | None) as word):
                _refuse(pos, "spelling", f"Python's {word} is not a word of rules", "write true, false or nobody")
            case python.Constant(value=int() as number):
                return t.Integer(number, pos=pos)
            case python.Constant(value=str() as name):
                if name not in self.known.patches:
                    _refuse(pos, "unknown-patch", f"no patch is called {name!r}", "quote only the id of a patch in this rulebook")
                return t.PatchNamed(name, pos=pos)
            case python.Name(id=name):
                return self.name(name, pos, names)
            case python.Attribute(value=owner, attr=name):
                return self.attribute(owner, name, pos, names)
            case python.UnaryOp(op=python.Not(), operand=inner):
                return t.Not(self.expression(inner, names), pos=pos)
            case python.UnaryOp(op=python.USub(), operand=python.Constant(value=int() as number)) if not isinstance(number, bool):
                return t.Integer(-number, pos=pos)
            case python.BinOp(op=op, left=left, right=right) if type(op) in _ARITHMETIC:
                sign = cast(Literal["+", "-", "*"], _ARITHMETIC[type(op)])
                return t.Arithmetic(sign, self.expression(left, names), self.expression(right, names), pos=pos)
            case python.BoolOp(op=op, values=values):
                joint: Literal["and", "or"] = "and" if isinstance(op, python.And) else "or"
                return t.Logic(joint, tuple(self.expression(v, names) for v in values), pos=pos)
            case python.Compare(left=left, ops=ops, comparators=others) if all(type(op) in _COMPARISONS for op in ops):
                rest = tuple((_COMPARISONS[type(op)], self.expression(e, names)) for op, e in zip(ops, others, strict=True))
                return t.Compare(self.expression(left, names), rest, pos=pos)
            case python.IfExp(test=test, body=then, orelse=otherwise):
                parts = (self.expression(e, names) for e in (test, then, otherwise))
                return t.Choose(*parts, pos=pos)
            case python.Call(func=python.Name(id=name), args=args, keywords=[]):
                return self.call(name, args, pos, names)
            case _:
                what = type(node).__name__
                _refuse(pos, "not-in-language", f"{what} is not part of the rule language", "see docs/RULE-LANGUAGE.md for what can be written")

    def name(self, name: str, pos: Position, names: Names) -> t.Expr:
        if name in names:
            return t.Variable(name, pos=pos)
        if name in ("true", "false"):
            return t.Truth(name == "true", pos=pos)
        if name == "nobody":
            return t.Nobody(pos=pos)
        if name == "players":
            return t.Players(pos=pos)
        if name in ("no_cells", "no_patches"):
            return t.Empty("cells" if name == "no_cells" else "patches", pos=pos)
        if name in self.known.constants:
            return t.Use(name, pos=pos)
        if name in self.known.definitions:
            if self.known.definitions[name].takes:
                _refuse(pos, "arguments", f"the definition {name} takes {len(self.known.definitions[name].takes)} arguments", f"write {name}(...)")
            return t.Use(name, pos=pos)
        if name in self.known.shared:
            return t.Shared(name, pos=pos)
        _refuse(pos, "unknown-name", f"nothing is called {name!r} here", self.suggestion(name, names))

    def suggestion(self, name: str, names: Names) -> str:
        from difflib import get_close_matches

        known = [*names, *self.known.constants, *self.known.definitions, *self.known.shared, *PRIMITIVES, "true", "false", "nobody", "players", "no_cells", "no_patches"]
        near = get_close_matches(name, known, 1)
        if near:
            return f"did you mean {near[0]!r}?"
        if name == "me":
            return "'me' exists only inside an action"
        if name in self.known.player:
            return f"it is a field of a player: write me.{name}"
        return "declare it under constants, definitions or state, or correct the spelling"

    def attribute(self, owner: python.expr, name: str, pos: Position, names: Names) -> t.Expr:
        if isinstance(owner, python.Name) and owner.id == "table" and "table" not in names:
            if name not in self.known.table:
                _refuse(pos, "unknown-name", f"the table gives no {name!r}", f"it gives {', '.join(self.known.table) or 'nothing'}")
            return t.Given(name, pos=pos)
        inner = self.expression(owner, names)
        of_player, of_patch = name in self.known.player, name in self.known.patch_fields
        if of_player and of_patch:  # such as income: what stands before the dot decides
            kind = self.kind(inner, names)
            if kind is None:
                _refuse(pos, "unclear-field", f"both players and patches have {name!r}, and this owner's type is not plain", "give the owner a name with a type first")
            of_player = kind != Type.PATCH
        if of_player:
            return t.OfPlayer(inner, name, pos=pos)
        if of_patch:
            return t.OfPatch(inner, name, pos=pos)
        fields = ", ".join([*self.known.player, *sorted(self.known.patch_fields)])
        _refuse(pos, "unknown-name", f"neither a player nor a patch has a field {name!r}", f"the fields are {fields}")

    def kind(self, node: t.Expr, names: Names) -> Type | None:
        """The type of a node where it can be told without its parts."""
        match node:
            case t.Variable(name=name):
                return names.get(name)
            case t.PatchNamed():
                return Type.PATCH
            case t.Players():
                return Type.PLAYERS
            case t.Shared(name=name):
                return self.known.shared[name]
            case t.OfPlayer(name=name):
                return self.known.player[name]
            case t.Given(name=name):
                return self.known.table[name]
            case t.Before(body=body):
                return self.kind(body, names)
            case t.Use(name=name) if name in self.known.constants:
                return self.known.constants[name]
            case t.Call(primitive=name):
                return PRIMITIVES[name].gives
        return None

    def call(self, name: str, args: list[python.expr], pos: Position, names: Names) -> t.Expr:
        if name in QUANTIFIERS:
            return self.quantified(name, args, pos, names)
        if name == "before":
            self.count(name, args, 1, pos)
            return t.Before(self.expression(args[0], names), pos=pos)
        if name in PRIMITIVES:
            self.count(name, args, len(PRIMITIVES[name].takes), pos)
            return t.Call(name, tuple(self.expression(a, names) for a in args), pos=pos)
        if name in self.known.definitions:
            self.count(name, args, len(self.known.definitions[name].takes), pos)
            return t.Use(name, tuple(self.expression(a, names) for a in args), pos=pos)
        _refuse(pos, "unknown-name", f"nothing is called {name!r} here", self.suggestion(name, names))

    def count(self, name: str, args: list[python.expr], wanted: int, pos: Position) -> None:
        if len(args) != wanted:
            _refuse(pos, "arguments", f"{name} takes {wanted} arguments, {len(args)} are given", "give it as many as it takes")

    def quantified(self, kind: str, args: list[python.expr], pos: Position, names: Names) -> t.Expr:
        match args:
            case [python.GeneratorExp(elt=body, generators=[python.comprehension(target=python.Name(id=var), iter=domain, ifs=ifs)])] if len(ifs) <= 1:
                over = self.expression(domain, names)
                collection = self.kind(over, names)
                inner = {**names, var: ELEMENT.get(collection) if collection else None}
                where = self.expression(ifs[0], inner) if ifs else None
                node = t.Quantified(kind, var, over, where, self.expression(body, inner), pos=pos)  # type: ignore[arg-type]
                if kind in ("count", "one") and node.body != t.Variable(var):
                    _refuse(pos, "syntax", f"{kind} counts its variable itself", f"write {kind}({var} for {var} in ... if ...)")
                return node
        _refuse(pos, "syntax", f"{kind} goes over one collection", f"write {kind}(... for x in collection if condition)")

    def effect(self, node: python.stmt, names: Names) -> t.Effect:
        pos = self.at(node)
        match node:
            case python.Assign(targets=[target], value=value):
                return t.Assign(self.target(target, names), self.expression(value, names), pos=pos)
            case python.AugAssign(target=target, op=op, value=value) if type(op) in _UPDATES:
                sign = cast(Literal["+=", "-=", "|="], _UPDATES[type(op)])
                return t.Update(self.target(target, names), sign, self.expression(value, names), pos=pos)
            case python.Expr(value=python.Call(func=python.Name(id="transfer"), args=[amount, giver, taker], keywords=[])):
                return t.Transfer(self.expression(amount, names), self.target(giver, names), self.target(taker, names), pos=pos)
        _refuse(pos, "not-an-effect", "this is no effect", "write target = value, target += value, -=, |=, or transfer(amount, giver, taker)")

    def target(self, node: python.expr, names: Names) -> t.Target:
        pos = self.at(node)
        if isinstance(node, (python.Name, python.Attribute)):
            found = self.expression(node, names)
            if isinstance(found, (t.Shared, t.OfPlayer)):
                return found
        _refuse(pos, "not-a-target", "only a field of the state can be changed", "name a shared field, or a player's field as in me.buttons")
