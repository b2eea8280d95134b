"""Are the declared properties proved, and could a proof fail?"""

from __future__ import annotations

import ast
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import patchwork_ref.symbolic
from patchwork_ref.machine.model import Machine
from patchwork_ref.proving import confirmed, prove_rulesets
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.symbolic.induction import Induction
from patchwork_ref.symbolic.obligations import obligations
from patchwork_ref.symbolic.results import Proven, Refuted, Unknown
from patchwork_ref.symbolic.solving import RETRY

from .altered import BREAKS, altered

QUICK = [name for i, name in enumerate(sorted(BREAKS)) if i % 4 == 0]


@pytest.mark.parametrize("ruleset", ["revised", "original"])
def test_every_property_is_proved(machine_of: Callable[..., Machine], ruleset: str) -> None:
    """Every declared property of the published rulesets is proved, from assumptions that can be met."""
    machine = machine_of(ruleset)
    induction = Induction(machine)
    results = induction.prove()
    assert {name: r for name, r in results.items() if not isinstance(r, Proven)} == {}
    assert set(results) == set(machine.properties) and len(results) > 45
    assert all(possible is True for possible in induction.satisfiable().values())


def test_a_proof_names_what_it_leans_on(machine_of: Callable[..., Machine]) -> None:
    """That an advance moves at most seven spaces leans on the bound on the lead, and says so."""
    result = Induction(machine_of()).prove(["holds/advance-length"])["holds/advance-length"]
    assert isinstance(result, Proven)
    assert "holds/lead" in result.leaned_on and "holds/advance-length" not in result.leaned_on


def test_no_reason_can_be_left_out(machine_of: Callable[..., Machine]) -> None:
    """A proof names no invariant that it can do without: with any one of them left out it is not found again."""
    machine = machine_of()
    induction = Induction(machine)
    for name, result in induction.prove(["holds/two-incomes-a-move", "holds/first-finisher", "holds/special-waits-ahead", "holds/specials-counted"]).items():
        assert isinstance(result, Proven) and 0 < len(result.leaned_on) <= 2, (name, result)
        for dropped in result.leaned_on:
            assume = {name, *result.leaned_on} - {dropped}
            asked = obligations(machine, machine.properties[name])
            assert not all(induction.solver(o.case).ask(o, assume, RETRY).holds for o in asked), (name, dropped)


def _refuted(rulebook: Rulebook, name: str) -> None:
    changes, broken = BREAKS[name]
    machine = altered(rulebook, changes)
    result = Induction(machine).prove([broken])[broken]
    assert isinstance(result, Refuted), result
    assert result.counterexample.exact
    assert confirmed(machine, broken, result.counterexample)


@pytest.mark.parametrize("name", QUICK)
def test_a_false_property_is_refuted(rulebook: Rulebook, name: str) -> None:
    """A rule changed so that a property fails: the property is refuted, and the engine agrees about the state."""
    _refuted(rulebook, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(BREAKS) - set(QUICK)))
def test_every_altered_rulebook_is_refuted(rulebook: Rulebook, name: str) -> None:
    """The same for every altered rulebook of the list."""
    _refuted(rulebook, name)


def test_the_list_of_altered_rulebooks_is_long_enough(machine_of: Callable[..., Machine]) -> None:
    """At least thirty altered rulebooks are refuted, and all but a few properties are broken by one of them."""
    broken = {name for _, name in BREAKS.values()}
    assert len(BREAKS) >= 30
    assert broken <= set(machine_of().properties) and len(broken) >= 30


def test_what_fell_with_an_invariant_says_so(rulebook: Rulebook) -> None:
    """A property that fails only because an invariant is gone names that invariant."""
    machine = altered(rulebook, {"properties.holds/lead.always": "all(p.space - other(p).space <= 3 for p in players)"})
    results = Induction(machine).prove(["holds/advance-length", "holds/lead"])
    assert isinstance(results["holds/lead"], Refuted) and results["holds/lead"].needs == ()
    length = results["holds/advance-length"]
    assert isinstance(length, Refuted) and length.needs == ("holds/lead",)


def test_what_has_no_term_is_unknown(rulebook: Rulebook) -> None:
    """A rule that the translation has no term for gives Unknown with the reason, never a proof."""
    machine = altered(rulebook, {"rules.track/special.does": ["special_spaces += mark", "me.pending += 1"]})
    result = Induction(machine).prove(["holds/buttons-conserved"])["holds/buttons-conserved"]
    assert isinstance(result, Unknown) and "track/special" in result.reason


def test_a_solver_that_gives_up_is_unknown(machine_of: Callable[..., Machine]) -> None:
    """With next to no time for a question the verdict is Unknown, with a reason, or a proof; never a refutation."""
    results = Induction(machine_of(), timeout=1).prove(["holds/game-ends", "holds/specials-conserved"])
    assert not any(isinstance(result, Refuted) for result in results.values())


@pytest.mark.slow
def test_both_rulesets_are_proved_in_time(rulebook: Rulebook) -> None:
    """Every property of both published rulesets is proved in under 20 seconds on two cores."""
    start, used = time.perf_counter(), _worked()
    verdicts = prove_rulesets(rulebook, {name: rulebook.readings(name) for name in ("revised", "original")})
    assert all(v.verdict == "proven" for found in verdicts.values() for v in found)
    wall, work = time.perf_counter() - start, _worked() - used
    assert min(wall, work / 2) < 20  # where others use the box too, the work done by two processes counts


def _worked() -> float:
    """Seconds of work done by the processes that this one has started and seen end."""
    times = os.times()
    return times.children_user + times.children_system


def test_the_room_imports_no_engine() -> None:
    """No module of the symbolic room imports the engine, and those of plain values import no solver."""
    folder = Path(patchwork_ref.symbolic.__file__).parent
    for file in folder.glob("*.py"):
        imported = {n.module or "" for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.ImportFrom)}
        imported |= {a.name for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.Import) for a in n.names}
        assert not any(name.startswith("patchwork_ref.engine") for name in imported), file.name
        if file.name in ("results.py", "obligations.py", "__init__.py"):
            assert "z3" not in imported, file.name
