"""Is the text of a rule read as what it says, and everything else refused with its place?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchwork_ref.diagnostics import Collector
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.check import Checker
from patchwork_ref.lang.read import Unreadable, read_effect, read_expression
from patchwork_ref.lang.show import show
from patchwork_ref.lang.types import Signature, Type, Vocabulary
from patchwork_ref.lang.walk import substituted, variables
from patchwork_ref.source import Position

WORDS = Vocabulary(
    constants={"last": Type.INTEGER, "marks": Type.SPACES, "flips": Type.TRUTH},
    definitions={"rival": Signature({}), "twice": Signature({"n": Type.INTEGER})},
    shared={"turn": Type.PLAYER, "circle": Type.CIRCLE, "winner": Type.MAYBE_PLAYER, "supply": Type.INTEGER},
    player={"buttons": Type.INTEGER, "quilt": Type.REGION, "owned": Type.PATCHES, "income": Type.INTEGER},
    table={"first": Type.PLAYER},
    patch_fields=frozenset({"cost", "income"}),
    patches=frozenset({"A", "b"}),
)
NAMES = {"me": Type.PLAYER, "patch": Type.PATCH, "cells": Type.REGION, "n": Type.INTEGER}
HERE = Position("rules.yaml", 7, 11)

EXPRESSIONS = [
    "me.buttons >= patch.cost",
    "disjoint(cells, me.quilt)",
    "1 < n <= last + 2 * (n - 1)",
    "not (n in marks or flips and n != 3)",
    "me if n == 0 else rival if n == 1 else other(me)",
    "all(p.buttons > 0 for p in players if p != me)",
    "sum(q.income for q in me.owned)",
    "count(p for p in circle if p.cost > 2)",
    "one(p for p in players if p.buttons > other(p).buttons)",
    "before(me.buttons) + twice(n) - (n - 1)",
    "winner == nobody",
    "size(turned(first(3, circle), place('A', circle)))",
    "filled_square(me.quilt, 7) and fits(patch, no_cells, true)",
    "cells in placements(patch, flips)",
    "table.first",
    "(n + 1) * -2 - -3",
]
EFFECTS = ["me.buttons -= patch.cost", "turn = other(me)", "me.quilt |= cells", "circle -= patch", "me.owned += patch", "transfer(n, supply, rival.buttons)"]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_showing_what_was_read_and_reading_it_again_gives_the_same_nodes(text: str) -> None:
    """Reading the shown text of an expression gives the expression."""
    node = read_expression(text, HERE, WORDS, NAMES)
    assert read_expression(show(node), HERE, WORDS, NAMES) == node


@pytest.mark.parametrize("text", EFFECTS)
def test_effects_survive_showing_and_reading(text: str) -> None:
    """Reading the shown text of an effect gives the effect."""
    node = read_effect(text, HERE, WORDS, NAMES)
    assert read_effect(show(node), HERE, WORDS, NAMES) == node


_LEAVES = st.one_of(st.integers(-50, 50).map(t.Integer), st.sampled_from([t.Variable("n"), t.Use("last"), t.Shared("supply")]))


def _grown(inner: st.SearchStrategy[t.Expr]) -> st.SearchStrategy[t.Expr]:
    truth = st.builds(lambda a, op, b, c: t.Compare(a, ((op, b), ("<", c))), inner, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), inner, inner)
    truth = truth | st.builds(lambda op, a, b: t.Logic(op, (a, b)), st.sampled_from(["and", "or"]), truth, truth) | st.builds(t.Not, truth)
    return st.one_of(
        st.builds(t.Arithmetic, st.sampled_from(["+", "-", "*"]), inner, inner),
        st.builds(t.Choose, truth, inner, inner),
        st.builds(lambda a, b: t.Call("min", (a, b)), inner, inner),
        st.builds(lambda body, where: t.Quantified("sum", "p", t.Players(), where, body), inner, truth | st.none()),
    )


@given(st.recursive(_LEAVES, _grown, max_leaves=20))
def test_any_expression_is_shown_without_losing_its_shape(node: t.Expr) -> None:
    """Whatever the nesting, parentheses are put where they are needed."""
    def flat(expr: t.Expr) -> t.Expr:
        return read_expression(show(expr), HERE, WORDS, NAMES)

    assert show(flat(node)) == show(node) and flat(flat(node)) == flat(node)


@pytest.mark.parametrize(("text", "code", "column"), [
    ("me.butons", "unknown-name", 11),
    ("n + nothing", "unknown-name", 15),
    ("me.buttons >= ", "syntax", 11),
    ("__import__('os')", "unknown-name", 11),
    ("lambda: 1", "not-in-language", 11),
    ("[1, 2]", "not-in-language", 11),
    ("n ** 2", "not-in-language", 11),
    ("n / 2", "not-in-language", 11),
    ("'Z'", "unknown-patch", 11),
    ("True", "spelling", 11),
    ("1.5", "not-in-language", 11),
    ("min(1)", "arguments", 11),
    ("twice", "arguments", 11),
    ("any(n, n)", "syntax", 11),
    ("any(p.buttons > 0 for p in players for q in players)", "syntax", 11),
    ("f'{n}'", "not-in-language", 11),
    ("(n := 3)", "not-in-language", 12),
    ("table.second", "unknown-name", 11),
    ("(" * 500 + "1" + ")" * 500, "syntax", None),
    ("n+" * 2000 + "1", "too-long", 11),
])
def test_what_is_not_in_the_language_is_refused_with_its_place(text: str, code: str, column: int | None) -> None:
    """A text that is no expression gives one diagnostic with a code and the column where it goes wrong."""
    with pytest.raises(Unreadable) as refused:
        read_expression(text, HERE, WORDS, NAMES)
    found = refused.value.diagnostic
    assert found.code == code and found.position.line == 7 and (column is None or found.position.column == column)
    assert found.hint and "\n" not in str(found)


@pytest.mark.parametrize("text", ["n = 1", "patch.cost = 2", "me = turn", "me.buttons *= 2", "del turn", "turn", "turn = me; turn = me", "last = 3", "transfer(1, n, supply)"])
def test_only_fields_of_the_state_can_be_changed(text: str) -> None:
    """An effect whose target is no field of the state, or that is no effect, is refused."""
    with pytest.raises(Unreadable):
        read_effect(text, HERE, WORDS, NAMES)


@pytest.mark.parametrize("text", [
    "me.buttons + me", "not n", "n and flips", "1 < me", "size(n)", "me.quilt == n", "fits(patch, n, flips)", "n if n else 2", "turn.cost", "other(patch)",
    "any(p for p in circle)", "sum(p.quilt for p in players)", "n in circle", "me if flips else n", "all(true for p in n)", "one(p for p in circle if true)",
])
def test_types_that_do_not_fit_are_reported(text: str) -> None:
    """An expression whose parts do not fit together gives a diagnostic about types."""
    collector = Collector()
    checker = Checker(WORDS, {"rival": t.Call("other", (t.Variable("me"),)), "twice": t.Variable("n")}, collector)
    try:
        checker.type_of(read_expression(text, HERE, WORDS, NAMES), NAMES)
    except Unreadable as refused:
        assert refused.diagnostic.code in ("unknown-name", "not-in-language")
        return
    assert any(d.code == "type" for d in collector.found)


def test_a_bound_name_hides_the_one_outside() -> None:
    """Substitution leaves a name alone where a quantifier binds it again."""
    node = read_expression("n + sum(n * p.buttons for p in players if n > 0)", HERE, WORDS, NAMES)
    assert show(substituted(node, {"n": t.Integer(3), "p": t.Integer(9)})) == "3 + sum(3 * p.buttons for p in players if 3 > 0)"
    assert variables(node) == {"n"}
