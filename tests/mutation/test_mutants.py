"""Are mutants what they are called: one change each, many kinds, permanent names, Machines that play?"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from patchwork_ref.diagnostics import Collector
from patchwork_ref.engine import Engine
from patchwork_ref.engine.policies import POLICIES, played
from patchwork_ref.errors import ChoiceError
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.setup import Setup, setup_message, shuffled
from patchwork_ref.mutation import Mutant, mutant, mutants
from patchwork_ref.mutation.equivalence import proved_equivalent
from patchwork_ref.mutation.model import meaning
from patchwork_ref.mutation.playing import seated
from patchwork_ref.rulebook.edits import apply_changes
from patchwork_ref.rulebook.rulebook import from_tree, load_rulebook
from patchwork_ref.rulebook.tree import Mapping, from_plain

BOOK = load_rulebook()


@cache
def every() -> tuple[Mutant, ...]:
    return mutants(BOOK)


def test_there_are_many_of_many_kinds() -> None:
    """At least 400 mutants, at least 15 operators, every chapter of rules among them, and no operator has a third of all."""
    operators = Counter(m.operator for m in every())
    assert len(every()) >= 400 and len(operators) >= 15
    assert max(operators.values()) < len(every()) / 3
    assert {"setup", "turn", "track", "tile", "end", "action", "constant", "patch", "reading"} <= {m.rule.split("/")[0] for m in every()}


def test_every_rule_that_is_played_has_a_mutant() -> None:
    """Each guard, step and choice of the rulebook that an action names is changed by some mutant."""
    machine = from_rulebook(BOOK)
    changed = {m.rule for m in every()}
    played_rules = {r.name for f in machine.actions for r in (*f.requires, *f.steps)}
    assert played_rules <= changed


def test_names_are_unique_and_meanings_differ() -> None:
    """No two mutants have one name or one meaning, none means what the rulebook means, and aliases lead to the same rules."""
    names = [name for m in every() for name in (m.name, *m.aliases)]
    assert len(names) == len(set(names))
    meanings = [meaning(m.tree) for m in every()]
    assert len(set(meanings)) == len(meanings) and meaning(BOOK.resolved(BOOK.readings())) not in meanings
    alias = next(m for m in every() if m.aliases)
    assert meaning(mutant(BOOK, alias.aliases[0]).tree) == meaning(alias.tree)


@pytest.mark.slow
def test_names_survive_unrelated_edits() -> None:
    """After an edit of one rule every mutant of the others is still called the same and says the same."""
    changes = from_plain({"rules.turn/advance-pay.does": ["transfer(paid(2 * (me.space - before(me.space))), supply, me.buttons)"]})
    assert isinstance(changes, Mapping)
    edited = from_tree(apply_changes(BOOK.tree, changes), "edited", Collector())
    old = {m.name: m.says for m in every() if m.rule != "turn/advance-pay"}
    new = {m.name: m.says for m in mutants(edited)}
    kept = [name for name in old if new.get(name) == old[name]]
    assert len(kept) >= len(old) - 3  # readings of that very rule may coincide with it


def test_each_mutant_says_what_it_changes_in_one_line() -> None:
    """A description is one line, not empty, and is no traceback."""
    assert all(m.says and "\n" not in m.says and m.name == f"{m.rule}~{m.change}" for m in every())


def test_an_unknown_name_is_refused_with_those_near_it() -> None:
    """ChoiceError in one line names mutants of the same rule."""
    with pytest.raises(ChoiceError, match="turn/buy-pay~does-doubled"):
        mutant(BOOK, "turn/buy-pay~nope")


@pytest.mark.parametrize("name", [m.name for m in every()][::23])
def test_mutants_play(name: str) -> None:
    """A mutant is an engine: a game ends, is stuck, or meets the limit, and nothing is raised."""
    engine = Engine(mutant(BOOK, name).bare)
    setup = shuffled(engine.machine, 3)
    if len(setup.circle) and engine.machine.board.cells:
        actions, _, outcome = played(engine, setup, POLICIES["random"], random.Random(1), longest=120)
        assert outcome in ("finished", "stuck", "action limit") and (actions or outcome != "action limit")


def test_a_mutant_keeps_its_own_numbers_at_the_table() -> None:
    """A set-up message with the rulebook's numbers does not hide a changed price; a custom number is taken all the same."""
    own = from_rulebook(BOOK)
    changed = mutant(BOOK, "patch/B~cost-of-its-twin").bare
    message = setup_message(own, Setup(tuple(p.name for p in own.regular), 0, 0))
    machine, _ = seated(message, own, changed)
    assert machine.patches[1].numbers["cost"] == 3 != own.patches[1].numbers["cost"]
    custom, _ = seated({**message, "start_buttons": 50}, own, changed)
    assert custom.constants["start_buttons"].value == 50 and custom.patches[1].numbers["cost"] == 3


def test_equivalence_is_proved_only_where_it_holds() -> None:
    """Steps that do not touch each other may be exchanged; a doubled payment is never proved equivalent."""
    own = from_rulebook(BOOK)
    assert proved_equivalent(mutant(BOOK, "reading/purchase-steps~pay-token-place").bare, own) is not None
    assert proved_equivalent(mutant(BOOK, "constant/button-total~plus-1").bare, own) is not None
    assert proved_equivalent(mutant(BOOK, "turn/buy-pay~does-doubled").bare, own) is None
    assert proved_equivalent(mutant(BOOK, "reading/purchase-order~move-then-place").bare, own) is None
