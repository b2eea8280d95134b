"""Is each fault caught, and is the right rule blamed for it?"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from patchwork_ref.conformance.reference import ReferenceEngine, always
from patchwork_ref.conformance.run import Report, run
from patchwork_ref.conformance.suite import Case, cases, chosen
from patchwork_ref.conformance.targets import Local
from patchwork_ref.fixtures.read import read_fixtures
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import load_rulebook
from tests.conformance.faulty.engines import FAULTS, Engine, Game
from tests.conformance.faulty.more import MORE

QUICK = (
    "income-pays-once", "no-final-income", "unclamped-advance", "advance-earns-no-special", "special-to-rival", "token-stays", "tie-is-draw", "mistyped-patch",
    "reject-changes-state", "shared-state", "special-may-wait", "circle-starts-anywhere", "overlap-of-one-cell", "ends-with-the-first", "quilt-of-the-rival",
)
MORE_QUICK = (
    "pays-the-time", "last-cell-is-forgotten", "one-orientation-is-missing", "cell-eighty-one-is-on-the-board", "refused-cells-stay", "lists-an-advance-after-the-end",
    "counts-one-more", "listing-changes-the-game", "perft-forgets-to-copy", "income-twice-where-it-lands", "of-two-passed-one-is-lost", "special-patch-has-a-button",
    "another-turn-after-a-special-patch", "special-patches-count-as-empty", "full-quilt-pays-for-one-cell", "tile-worth-eight", "remembers-the-setup",
    "tile-is-taken-in-every-game", "finishers-of-all-games",
)
ENOUGH = 12
"""Failures after which the quick tests stop: the rule must be clear by then."""


class World:
    def __init__(self) -> None:
        self.rulebook: Rulebook = load_rulebook()
        self.machine: Machine = from_rulebook(self.rulebook)
        self.cases: list[Case] = cases(chosen(read_fixtures(), "gate"), self.rulebook, self.machine)

    def check(self, make: Any, **options: Any) -> Report:
        return run(Local("faulty", make), "faulty", self.cases, self.rulebook, self.machine, **options)


@pytest.fixture(scope="module")
def world() -> World:
    return World()


def blamed(report: Report) -> dict[str, int]:
    return dict(Counter(f.blame.rule for f in report.findings))


def test_there_are_thirty_faults_of_every_kind_in_the_survey() -> None:
    """At least thirty single faults are planted, from nearly every row of the survey, and as many of other kinds."""
    assert len(FAULTS) >= 30 and len(MORE) >= 30 and not set(FAULTS) & set(MORE)
    assert {f.row for f in FAULTS.values()} >= set(range(25)) - {22}  # row 22: the protocol loads no saved states


@pytest.mark.parametrize("name", QUICK)
def test_a_fault_is_blamed_on_its_rule(world: World, name: str) -> None:
    """A single fault is caught, and every failure is blamed on the rule that is wrong."""
    report = world.check(FAULTS[name].make, explain=False, enough=ENOUGH)
    assert report.findings
    assert set(blamed(report)) <= set(FAULTS[name].rules)


@pytest.mark.parametrize("name", MORE_QUICK)
def test_faults_of_further_kinds_are_blamed_too(world: World, name: str) -> None:
    """Where one rule shows in many ways, or no rule of the game is wrong, a whole check still says which it is."""
    report = world.check(MORE[name].make, explain=False)
    assert mostly(report, MORE[name].rules)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FAULTS, *MORE])
def test_every_fault_is_blamed_on_its_rule_in_a_whole_check(world: World, name: str) -> None:
    """A whole check at the gate tier catches each fault, at exit code 1, and blames its failures on the rule that is wrong."""
    fault = {**FAULTS, **MORE}[name]
    report = world.check(fault.make)
    assert report.exit_code == 1
    assert mostly(report, fault.rules)


def mostly(report: Report, rules: tuple[str, ...]) -> bool:
    """Whether nearly all failures, and the largest group of them, are blamed on one of the rules."""
    found = blamed(report)
    right = sum(number for rule, number in found.items() if rule in rules)
    return report.result == "diverges" and right >= 0.95 * len(report.findings) and report.groups[0][0].blame.rule in rules


def test_an_exact_amount_is_blamed_before_any(world: World) -> None:
    """Where no score agrees, the part of which half is missing in every failure is blamed, and not one that any difference could come from."""
    tours = [case for case in world.cases if case.fixture.id.startswith("orientations/tour")]
    report = run(Local("faulty", FAULTS["penalty-one"].make), "faulty", tours, world.rulebook, world.machine, explain=False)
    assert len(report.findings) > 1 and len(report.findings) == len(tours) and set(blamed(report)) == {"end/score-blanks"}


def test_a_sound_engine_is_not_blamed(world: World) -> None:
    """The sample engine agrees on the whole gate tier."""
    report = world.check(lambda: Engine(Game))
    assert report.result == "conforms" and not report.findings


def readings() -> list[tuple[str, str]]:
    rulebook = load_rulebook()
    own = rulebook.readings()
    return [(a.name, r) for a in rulebook.ambiguities.values() for r in a.readings if own[a.name] != r]


@pytest.mark.parametrize(("ambiguity", "reading"), [("tie", "draw")])
def test_a_reading_engine_is_recognised(world: World, ambiguity: str, reading: str) -> None:
    """An engine that plays one other reading is told which, before anything else."""
    recognised(world, ambiguity, reading)


@pytest.mark.slow
@pytest.mark.parametrize(("ambiguity", "reading"), readings())
def test_every_reading_engine_is_recognised(world: World, ambiguity: str, reading: str) -> None:
    """Every single reading that can be seen at all is recognised."""
    recognised(world, ambiguity, reading)


def recognised(world: World, ambiguity: str, reading: str) -> None:
    other = from_rulebook(world.rulebook, {**world.machine.readings, ambiguity: reading})
    report = world.check(lambda: ReferenceEngine(always(other)))
    if ambiguity in ("purchase-steps", "event-order", "special-spaces"):  # not to be seen; and told by the set-up
        assert report.result == "conforms"
        return
    assert report.explanation is not None
    rulesets = [name for name in world.rulebook.rulesets if dict(world.rulebook.readings(name)) == dict(other.readings)]
    assert report.explanation.option in (f"--reading {ambiguity}={reading}", *(f"--ruleset {name}" for name in rulesets))


def test_an_engine_of_the_other_print_is_recognised(world: World) -> None:
    """An engine that knows one print of the time board, whatever the set-up says, is told which ruleset it plays."""
    original = from_rulebook(world.rulebook, world.rulebook.readings("original")).constants["special_spaces_printed"].value

    class OtherPrint(Game):
        def __init__(self, setup: dict[str, Any], faults: tuple[str, ...] = ()) -> None:
            super().__init__({**setup, "time_board": {**setup["time_board"], "special": list(original)}}, faults)  # type: ignore[arg-type]

    report = world.check(lambda: Engine(OtherPrint))
    assert report.explanation is not None and report.explanation.option == "--ruleset original"


class Partial(Engine):
    """An engine with fewer capabilities."""

    capabilities: tuple[str, ...] = ()

    def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
        if op == "hello":
            return {**super().answer(op, request), "capabilities": list(self.capabilities)}
        if op in ("state", "legal", "perft") and op not in self.capabilities:
            return {"ok": False, "unsupported": True}
        return super().answer(op, request)


def test_an_engine_of_which_only_the_score_can_be_seen_conforms(world: World) -> None:
    """Without state and lists a sound engine agrees, and nothing that it lacks is held against it."""
    report = world.check(Partial)
    assert report.result == "conforms"
    assert set(report.counts) <= {"agreed", "not-applicable"}


@pytest.mark.parametrize("name", ["advance-pays-nothing", *(pytest.param(name, marks=pytest.mark.slow) for name in ("income-pays-once", "penalty-one"))])
def test_a_fault_shows_in_the_score_alone(world: World, name: str) -> None:
    """Games are played to their end for an engine that shows no states, so that its score gives a fault away."""
    fault = FAULTS[name]

    def make() -> Partial:
        whole = fault.make()
        return Partial(whole.game, tuple(whole.faults))

    report = world.check(make, explain=False, enough=4)
    assert report.result == "diverges"
    assert set(blamed(report)) & set(fault.rules)


def test_what_an_engine_skips_is_not_held_against_it(world: World) -> None:
    """An engine with fixed tables that answers skipped to every custom set-up conforms."""

    class Fixed(Engine):
        def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
            if op == "new" and (len(request["setup"]["circle"]) != 33 or request["setup"]["time_board"]["last"] != 53):
                return {"ok": False, "skipped": {"reason": "my tables are fixed"}}
            return super().answer(op, request)

    report = world.check(Fixed)
    assert report.result == "conforms"
    assert report.counts.get("skipped", 0) > 0
