"""Does the suite notice mutants, and is what is stored about it true?"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from patchwork_ref.engine import Engine
from patchwork_ref.errors import ChoiceError, InputError
from patchwork_ref.fixtures import read_fixtures, shipped
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.mutation import mutant, mutants
from patchwork_ref.mutation.equivalence import read_arguments
from patchwork_ref.rulebook.rulebook import load_rulebook
from patchwork_ref.suite import KILLS, Failure, Matrix, cases_of, diagnose, first_difference, measure, propose, read_matrix, sampled, tiers_of, write_matrix
from patchwork_ref.suite.entries import case_entry
from patchwork_ref.suite.matrix import mutant_engine
from patchwork_ref.suite.shortest import WITNESSES, read_witnesses
from patchwork_ref.suite.store import disagreements
from patchwork_ref.suite.witnesses import replayed

BOOK = load_rulebook()
SOME = ("turn/buy-pay~does-doubled", "constant/income-spaces~without-23", "reading/shared-space~bottom-moves", "constant/button-total~plus-1",
        "track/income~when-crossed-negated", "turn/advance-pay~one-for-all", "patch/B~cost-of-its-twin", "action/buy~without-all-income", "end/winner~always-else")


@cache
def cases():
    wanted = [f for f in read_fixtures(shipped()) if f.level == "must" and not f.readings and not f.custom and f.ruleset == "revised"]
    return tuple(c for c in cases_of(wanted[::2], BOOK) if c.cost < 120)


@cache
def measured() -> Matrix:
    return measure(BOOK, cases(), SOME, processes=1)


def test_the_reference_agrees_with_every_fixture() -> None:
    """No fixture kills the unchanged rules: what would is wrong itself."""
    engine = Engine(from_rulebook(BOOK))
    assert [c.name for c in cases() if first_difference(engine, c) is not None] == []


def test_mutants_are_killed_or_proved_equivalent() -> None:
    """Of a few mutants of many kinds every one is killed but the one that is proved to play the same."""
    verdicts = {row.mutant: row.verdict for row in measured().rows}
    assert verdicts.pop("constant/button-total~plus-1") == "equivalent"
    assert set(verdicts.values()) == {"killed"}


def test_nothing_tried_is_no_success() -> None:
    """A matrix without mutants, or without fixtures, has a kill rate of nothing."""
    assert Matrix("", (), ()).rate == 0.0
    assert measure(BOOK, (), SOME[:1], processes=1).of("not-applicable")[0].mutant == SOME[0]


def test_a_matrix_can_be_stored_and_read(tmp_path: Path) -> None:
    """Verdicts, killing fixtures and the quickest kill survive the file; another measurement agrees with it."""
    file = tmp_path / KILLS
    write_matrix(measured(), file)
    read = read_matrix(file)
    assert [(r.mutant, r.verdict, set(r.kills)) for r in read.rows] == [(r.mutant, r.verdict, set(r.kills)) for r in measured().rows]
    assert disagreements(read, measure(BOOK, cases(), SOME[:2], processes=1)) == []
    file.write_text("{}")
    with pytest.raises(InputError):
        read_matrix(file)


def test_tiers_hold_each_other_and_keep_what_they_promise() -> None:
    """Quick is within gate, gate within full; the gate kills all that full kills, quick nearly all."""
    tiers = tiers_of(measured(), cases())
    assert tiers.sizes["quick"] <= tiers.sizes["gate"] <= tiers.sizes["full"] == len(cases())
    assert tiers.rates["gate"] == tiers.rates["full"] and tiers.rates["quick"] >= 0.85
    assert set(tiers.measured()) == {c.name for c in cases()}


@pytest.mark.parametrize("name", ["turn/buy-pay~does-doubled", "reading/shared-space~bottom-moves", "track/income~when-crossed-negated"])
def test_a_mutant_is_diagnosed_as_itself(name: str) -> None:
    """An engine that behaves like a mutant is told to behave like it, or like one that does the same."""
    failures, passed = failing(name)
    found = diagnose(failures, passed, cases(), BOOK, measured())
    assert found.kind == "mutant" and name in (*found.names, *found.alternatives)
    assert found.explained == found.failures and not found.contradicted


def test_an_engine_without_a_known_fault_is_not_explained() -> None:
    """Failures that no mutant shows are explained by none."""
    failures = [Failure(c.name, 1, "state", {("buttons", 0): 12345}) for c in cases()[:5] if c.length]
    assert diagnose(failures, [c.name for c in cases()[5:20]], cases(), BOOK, measured()).kind == "none"


def failing(name: str) -> tuple[list[Failure], list[str]]:
    """What ``check`` would see of an engine that behaves like this mutant."""
    failures, passed = [], []
    for case in cases():
        engine = mutant_engine(BOOK, name, case)
        assert isinstance(engine, Engine)
        kill = first_difference(engine, case)
        if kill is None:
            passed.append(case.name)
        else:
            shown = {f: v for f, v in zip(kill.fields, kill.got, strict=True) if f[0] in ("buttons", "space", "income", "turn")}
            failures.append(Failure(case.name, kill.actions, kill.kind, shown))
    return failures, passed


@pytest.mark.parametrize(("name", "most"), [("turn/buy-pay~does-doubled", 1), ("turn/next~the-one-ahead", 1), ("setup/token~1-to-0", 0), ("turn/advance-pay~one-for-all", 3)])
def test_short_witnesses_are_found(name: str, most: int) -> None:
    """The game that tells a mutant apart is as short as the shortest that a person knows, and tells it apart when replayed."""
    own, changed = Engine(from_rulebook(BOOK)), Engine(mutant(BOOK, name).bare)
    found = propose(own, changed)
    assert found is not None and found.length <= most
    assert replayed(own, changed, found.setup, found.actions) == found
    assert case_entry(name, found, "x")["id"].startswith("mutant/")


def test_an_equivalent_mutant_has_no_witness() -> None:
    """The search gives up on a mutant that plays the same."""
    own = Engine(from_rulebook(BOOK))
    assert propose(own, Engine(mutant(BOOK, "constant/button-total~minus-1").bare), games=4) is None


def test_samples_hold_every_operator() -> None:
    """A sample of the mutants is the same every time and has each kind of change."""
    names = sampled(BOOK, 20)
    assert names == sampled(BOOK, 20) and len(names) < 80
    assert {m.operator for m in mutants(BOOK)} == {m.operator for m in mutants(BOOK) if m.name in names}


def test_the_stored_matrix_keeps_its_promises() -> None:
    """Full kills every mutant that is not shown equivalent; at most 8 in 100 are equivalent and 5 not applicable; every
    argued equivalent is a mutant, and none was killed."""
    stored = read_matrix(shipped() / KILLS)
    assert len(stored.rows) >= 400 and stored.rate == 1.0
    assert len(stored.of("equivalent")) <= 0.08 * len(stored.rows) and len(stored.of("not-applicable")) <= 0.05 * len(stored.rows)
    arguments = read_arguments(shipped() / "equivalent-mutants.txt")
    verdicts = {row.mutant: row.verdict for row in stored.rows}
    assert set(arguments) <= {name for name, verdict in verdicts.items() if verdict == "equivalent"}


def test_the_stored_witnesses_tell_their_mutants_apart() -> None:
    """Every fiftieth stored witness, replayed, shows the difference that it stands for after as many actions."""
    stored = read_witnesses(shipped() / WITNESSES)
    assert len(stored) >= 0.95 * len(read_matrix(shipped() / KILLS).of("killed"))
    for name in list(stored)[::50]:
        found, readings = stored[name]
        if found.numbers or found.kind == "setup":
            continue
        chosen = BOOK.readings(None, readings)
        again = replayed(Engine(from_rulebook(BOOK, chosen)), Engine(mutant(BOOK, name, chosen).bare), found.setup, found.actions)
        assert again is not None and (again.kind, again.length) == (found.kind, found.length), name


def test_the_stored_matrix_is_true_of_a_sample() -> None:
    """Some mutants measured anew against some fixtures are killed by just those that the stored matrix names."""
    stored = read_matrix(shipped() / KILLS)
    place = {name: at for at, name in enumerate(stored.fixtures)}
    some = [c for c in cases() if c.name in place][::9]
    fresh = measure(BOOK, some, SOME[:3], processes=1)
    for row in fresh.rows:
        old = next(r for r in stored.rows if r.mutant == row.mutant)
        assert {place[some[i].name] for i in row.kills} == set(old.kills) & {place[c.name] for c in some}


BOTH = ("patch/B~cost-of-its-twin", "constant/income-spaces~without-23")


def test_a_pair_is_one_rulebook_with_both_changes() -> None:
    """``A+B`` plays A where only A shows and B where only B shows, in either order of the names; what contradicts itself does not exist."""
    both, swapped = (mutant(BOOK, "+".join(names)) for names in (BOTH, BOTH[::-1]))
    assert both.bare.digest == swapped.bare.digest and both.bare.digest not in {mutant(BOOK, name).bare.digest for name in BOTH}
    for missing in ("reading/tie~draw+reading/tie~last-to-finish", "turn/buy-pay~does-doubled+no/rule~at-all"):
        with pytest.raises(ChoiceError):
            mutant(BOOK, missing)


@pytest.mark.slow
def test_a_pair_is_replayed_and_not_added_up() -> None:
    """An engine with two faults is told to behave like the two mutants, also where both show at once and neither alone explains what is seen."""
    failures, passed = failing("+".join(BOTH))
    alone = [{f.fixture: f for f in failing(name)[0]} for name in BOTH]
    groups = [[f for f in failures if f == one.get(f.fixture)] for one in alone]
    at_once = [f for f in failures if all(f != one.get(f.fixture) for one in alone)]
    assert groups[0] and groups[1] and at_once
    found = diagnose([*groups[0][:8], *groups[1][:8], *at_once], passed, cases(), BOOK, measured())
    assert found.kind == "pair" and set(found.names) == set(BOTH)
    assert found.explained == found.failures and {f.fixture for f in at_once} <= found.explains and not found.contradicted
