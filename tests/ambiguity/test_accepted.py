"""Is an engine judged by its own readings, and by nothing else? ``check --accept-readings``."""

from __future__ import annotations

import json
import random
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

import patchwork_ref as pr
from patchwork_ref.ambiguity import Fingerprint, Profiles, fingerprint
from patchwork_ref.ambiguity.accepted import Accepted, accepted, accepted_cases, machine_for, settled, silent_ambiguities, with_unexplained
from patchwork_ref.cli.accepting import accepting
from patchwork_ref.cli.checking import run_plan
from patchwork_ref.cli.main import run
from patchwork_ref.conformance.explain import judged_by
from patchwork_ref.conformance.naming import target_of
from patchwork_ref.conformance.reference import ReferenceEngine, always, prints
from patchwork_ref.conformance.suite import chosen
from patchwork_ref.conformance.targets import Local, Target
from patchwork_ref.engine.engine import Engine
from patchwork_ref.fixtures import Fixture, unobservable
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.report import lines
from patchwork_ref.report.check import check_text
from patchwork_ref.report.plan import planned
from patchwork_ref.report.record import Record
from patchwork_ref.rulebook.model import Rulebook
from tests.conformance.faulty.engines import FAULTS
from tests.conformance.faulty.more import MORE

from .headstrong import Headstrong

BOOK = pr.load_rulebook()
SINGLE = [f"{a.name}={r}" for a in BOOK.ambiguities.values() for r in a.readings if r != a.default and f"{a.name}={r}" not in unobservable()]
QUICK = ("tie=draw",)
HEADSTRONG = shlex.join((sys.executable, str(Path(__file__).with_name("headstrong.py"))))
BESIDE = (("tile-worth-nothing", "end/score-tile", "short-offer=none"), ("token-stays", "turn/buy-token", "negative-score=floored"),
          ("advance-pays-nothing", "turn/advance-pay", "neutral-token-start=counter-clockwise"), ("marks-one-early", "track/special", "two-one-patch=six-cells"))
"""A fault, a rule that it is blamed on, and a reading that the engine follows beside it."""

Judged = Callable[..., Record]


def differences(rulebook: Rulebook, chosen: Mapping[str, str], asked: Mapping[str, str]) -> dict[str, str]:
    """The readings that are not those asked for, those aside that no game shows."""
    silent = silent_ambiguities(rulebook)
    return {a: r for a, r in chosen.items() if r != asked[a] and a not in silent}


@pytest.fixture(scope="session")
def judged(rulebook: Rulebook, profiles: Profiles) -> Judged:
    """The report on a target, judged by its own readings; these are looked for in few games, which leave the more to the cases."""

    def judge(target: Target, tier: str = "quick", ruleset: str | None = None, readings: tuple[str, ...] = (), sample: int = 250) -> Record:
        taken = partial(fingerprint, profiles=profiles, sample=sample, random_games=0)
        plan = accepting(planned("own", tier, ruleset, readings, rulebook=rulebook), target, True, taken)
        return run_plan(plan, True, target=target)

    return judge


@pytest.fixture(scope="session")
def base(rulebook: Rulebook) -> Machine:
    return from_rulebook(rulebook, rulebook.readings())


def stubborn(rulebook: Rulebook, readings: Mapping[str, str]) -> Local:
    machine, usual = from_rulebook(rulebook, rulebook.readings(None, dict(readings))), prints(rulebook)
    return Local("own", lambda: ReferenceEngine(always(machine, usual)))


# ---- an engine with readings of its own


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in SINGLE])
def test_an_engine_conforms_under_its_own_reading(judged: Judged, rulebook: Rulebook, name: str) -> None:
    """An engine with one reading of its own conforms under the gate tier, and its report names just this reading."""
    readings = dict([name.split("=")])
    record = judged(stubborn(rulebook, readings), "gate")
    assert (record.verdict, record.exit_code) == ("conforms", 0)
    assert record.header.accepted is not None and record.header.accepted.readings == readings
    assert record.header.readings == dict(rulebook.readings(None, readings)) and record.planned > 300


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_an_engine_conforms_under_its_own_readings(judged: Judged, rulebook: Rulebook, seed: int) -> None:
    """An engine with three readings of its own conforms under the gate tier, and its report names these readings, but for those that it calls open."""
    readings = dict(name.split("=") for name in random.Random(f"accepted {seed}").sample(SINGLE, 3))
    record = judged(stubborn(rulebook, readings), "gate")
    own = record.header.accepted
    assert own is not None and (record.verdict, record.exit_code) == ("conforms", 0), check_text(record)
    assert own.readings.items() <= readings.items()
    assert all(r in own.open.get(a, (own.readings.get(a),)) for a, r in readings.items())


@pytest.mark.parametrize(("engine", "asked"), [
    pytest.param(a, b, marks=pytest.mark.slow) for a in BOOK.rulesets for b in BOOK.rulesets
])
def test_a_ruleset_is_judged_as_it_is(judged: Judged, rulebook: Rulebook, engine: str, asked: str) -> None:
    """An engine that plays a ruleset conforms whatever ruleset is asked for; what differs is named, and where something does the report is of a ruleset with its rules."""
    base = from_rulebook(rulebook, rulebook.readings(asked), asked)
    record = judged(target_of(f"reference:{engine}", rulebook, base), "gate", asked)
    own, wanted = record.header.accepted, differences(rulebook, rulebook.readings(engine), rulebook.readings(asked))
    assert own is not None and (record.verdict, own.readings) == ("conforms", wanted)
    assert record.header.ruleset is not None and not differences(rulebook, rulebook.readings(record.header.ruleset), rulebook.readings(engine))


def test_who_follows_the_set_up_reads_everything_as_asked_for(judged: Judged, rulebook: Rulebook) -> None:
    """The reference follows the readings that set-ups tell of, and so is judged by those asked for, whichever they are."""
    readings = ("tie=draw", "negative-score=floored")
    plan = planned("reference", "quick", None, readings, rulebook=rulebook)
    record = judged(target_of("reference", rulebook, plan.machine), "quick", None, readings)
    assert record.verdict == "conforms" and record.header.accepted is not None and record.header.accepted.readings == {}
    assert check_text(record).endswith("\nconforms, reading everything as asked for") and record.header.readings == dict(plan.machine.readings)


# ---- a fault is never explained away


@pytest.mark.parametrize(("fault", "rule", "reading"), [pytest.param(*case, marks=() if case is BESIDE[0] else pytest.mark.slow) for case in BESIDE])
def test_a_fault_beside_a_reading_is_still_one(judged: Judged, fault: str, rule: str, reading: str) -> None:
    """Of an engine with a fault and a reading of its own, the reading is said and the fault's rule is blamed; the exit code is 1."""
    ambiguity, _, chosen = reading.partition("=")
    record = judged(Local("own", lambda: Headstrong(FAULTS[fault].make(), {ambiguity: chosen})), "gate")
    assert record.exit_code == 1 and rule in {c.rule for c in record.failures}
    assert check_text(record).splitlines()[-1] == f"diverges, reading {ambiguity} as {chosen}"


def test_a_fault_that_the_tier_does_not_show_is_one(judged: Judged, rulebook: Rulebook) -> None:
    """Games that no reading explains are judged though their tier was not asked for, so that what the fingerprint has seen is not forgotten."""
    target = Local("own", MORE["tile-never-on-the-lower-edge"].make)
    assert run_plan(planned("own", "quick", rulebook=rulebook), True, target=target).verdict == "conforms"
    record = judged(target, sample=2500)
    assert record.exit_code == 1 and {c.rule for c in record.failures} == {"tile/claim"}


def test_games_of_other_tiers_are_added_when_none_is_there(rulebook: Rulebook, fixtures: tuple[Fixture, ...], base: Machine) -> None:
    """Unexplained games are added to the cases only where none of them is among them, told of by the set-ups of the base rules."""
    plan = planned("own", "quick", rulebook=rulebook)
    there = {case.fixture.id for case in plan.cases}
    inside, outside = sorted(there)[:1], [f.id for f in fixtures if f.id not in there and not f.custom][:2]
    assert with_unexplained(plan.cases, fixtures, [*inside, *outside], base, base) == plan.cases
    more = with_unexplained(plan.cases, fixtures, [*outside, "found/nowhere"], machine_for(Accepted({**base.readings, "tie": "draw"}), rulebook), base)
    assert more[: len(plan.cases)] == plan.cases and [case.fixture.id for case in more[len(plan.cases):]] == outside
    assert all(case.course.told_by.engine.machine.readings["tie"] == base.readings["tie"] for case in more[len(plan.cases):])


def test_a_game_beside_another_is_added_with_it(rulebook: Rulebook, fixtures: tuple[Fixture, ...], base: Machine) -> None:
    """An unexplained game that shows beside another one alone is added with that one, and a custom set-up with its numbers."""
    plan = planned("own", "quick", rulebook=rulebook)
    there, beside = {case.fixture.id for case in plan.cases}, next(f for f in fixtures if f.isolation == "turn/shared-space-last-comer")
    custom = next(f for f in fixtures if f.custom and f.id not in there)
    more = with_unexplained(plan.cases, fixtures, [beside.id, custom.id], base, base)[len(plan.cases):]
    assert [case.fixture.id for case in more if case.fixture.id != custom.id] == [beside.id, *({str(beside.isolation)} - there)]
    assert any(case.course.engine.machine.custom and case.course.told_by.engine.machine.custom for case in more)


@pytest.mark.parametrize(("failure", "verdict", "code"), [("", "diverges", 1), ("it is dead", "adapter-failure", 3)])
def test_games_beyond_the_suite_count(failure: str, verdict: str, code: int) -> None:
    """Where a game that the suite lacks shows the fault, the report of cases that agree does not conform, and says which game."""
    own = lines.Accepted({"tie": "draw"}, unexplained=("found/tie/draw-1 (end/tie)",), failure=failure)
    record = Record(lines.Header({}, {}, lines.Suite("quick", "", ("a",)), {}, {}, accepted=own))
    record.take(lines.CaseLine("a", "agreed", "must"))
    record.take(lines.Summary("", 0, {}, 0.0))
    assert (record.verdict, record.exit_code) == (verdict, code)
    text = check_text(record)
    assert text.endswith(f"\n{verdict}, reading tie as draw") and "found/tie/draw-1 (end/tie)" in text and failure in text


# ---- what a fingerprint comes to


def test_readings_that_are_not_the_base_are_followed(rulebook: Rulebook, base: Machine) -> None:
    """Of readings that no game tells apart the base's is kept, and another where it is none of them; those that no game shows are never named."""
    silent = sorted(silent_ambiguities(rulebook))[0]
    profile = {**base.readings, "tie": "draw", "tile-check": "purchases-only", silent: next(r for r in rulebook.ambiguities[silent].readings if r != base.readings[silent])}
    readings: dict[str, Any] = {**profile, "tile-check": ("purchases-only", "end-of-turn"), "supply": ("endless", "finite"), "turning": None}
    found = accepted(Fingerprint("own", readings, {"turning": "why", "supply": "why"}, profile, games=1), rulebook, base)
    assert found.followed == {"tie": "draw", "tile-check": "purchases-only"} and found.ruleset is None
    assert found.open == {"tile-check": ("purchases-only", "end-of-turn"), "supply": ("endless", "finite")} and found.undecided == {"turning": "why"}
    assert found.profile[silent] == base.readings[silent]


def test_a_profile_that_is_a_ruleset_is_called_so(rulebook: Rulebook, base: Machine) -> None:
    """A profile with all the readings of a ruleset that a game shows is that ruleset, with the others of it too; the base's own has no new name."""
    silent = silent_ambiguities(rulebook)
    whole = {a: (base.readings[a] if a in silent else r) for a, r in rulebook.readings("source-002").items()}
    found = accepted(Fingerprint("own", dict(whole), {}, whole, games=1), rulebook, base)
    assert (found.ruleset, found.profile) == ("source-002", dict(rulebook.readings("source-002"))) and machine_for(found, rulebook).ruleset == "source-002"
    same = accepted(Fingerprint("own", dict(base.readings), {}, dict(base.readings), games=1), rulebook, base)
    assert same.ruleset is None and same.followed == {}


def test_what_is_open_is_decided_by_the_cases(rulebook: Rulebook, fixtures: tuple[Fixture, ...], base: Machine) -> None:
    """Where a case fails under one of the readings left open and none under another, the other is taken; of a fault none is."""
    some = [f for f in chosen(fixtures, "gate") if "special-tile" in f.readings or f.id == "circle/token-goes-round"]
    found = Accepted(dict(base.readings), {}, {"special-tile": ("first-player", "each-player", "absent"), "turning": ("turns-and-flips", "turns-only")})
    sound = stubborn(rulebook, {"special-tile": "each-player"})
    best = settled(found, sound, "own", rulebook, some, base)
    assert best.followed == {"special-tile": "each-player"} and best.profile["turning"] == "turns-and-flips" and best.open == {"turning": found.open["turning"]}
    faulty = Local("own", lambda: Headstrong(FAULTS["token-stays"].make(), {"special-tile": "each-player"}))
    assert settled(found, faulty, "own", rulebook, some, base) is found
    assert settled(replace(found, open={}), sound, "own", rulebook, some, base).followed == {}


def test_what_the_engine_is_sent_stays(rulebook: Rulebook, fixtures: tuple[Fixture, ...], base: Machine) -> None:
    """Cases under other readings send the set-ups of the base rules, and still do where they are judged by yet another reading."""
    other = from_rulebook(rulebook, rulebook.readings(None, ["tie=draw"]))
    third = from_rulebook(rulebook, rulebook.readings(None, ["tie=last-to-finish"]))
    case = accepted_cases([f for f in fixtures if f.file == "endings"], rulebook, other, base)[0]
    again = judged_by(case, Engine(third), third)
    assert case.course.message["readings"]["tie"] == again.message["readings"]["tie"] == base.readings["tie"]
    assert case.course.engine.machine is other and again.engine.machine is third


# ---- the command


def called(capfd: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = run(["check", *args, "--quiet", "--accept-readings", "--shrink-seconds", "0"])
    return code, *capfd.readouterr()


def test_a_process_is_judged_by_its_own_readings(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The JSON of a real process that ignores what set-ups say has its readings, and so has everything derived from the report."""
    code, out, err = called(capfd, f"{HEADSTRONG} tie=draw negative-score=floored", "--tier", "quick", "--format", "json", "--report", str(tmp_path))
    found = json.loads(out)
    wanted = {"tie": "draw", "negative-score": "floored"}
    assert (code, err, found["verdict"], found["accepted"]["readings"]) == (0, "", "conforms", wanted)
    assert {a: found["readings"][a] for a in wanted} == wanted
    assert run(["report", str(tmp_path)]) == 0
    last = capfd.readouterr().out.splitlines()[-1]
    assert last.startswith("conforms, ") and all(f"reading {a} as {r}" in last for a, r in wanted.items())
    properties = {p.get("name"): p.get("value") for p in ElementTree.parse(tmp_path / "junit.xml").iter("property")}
    assert {a: properties[f"reading.{a}"] for a in wanted} == wanted
    assert "reading tie as draw" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    (tmp_path / "again.json").write_text(out, encoding="utf-8")
    assert run(["report", str(tmp_path / "again.json")]) == 0 and capfd.readouterr().out.splitlines()[-1] == last


@pytest.mark.parametrize("how", ["--dies 1", *(pytest.param(how, marks=pytest.mark.slow) for how in ("--hangs 1", "--dies 30", "--hangs 30"))])
def test_a_process_that_fails_gets_exit_code_3(capfd: pytest.CaptureFixture[str], how: str) -> None:
    """A process that dies or hangs, at its first game or while its readings are looked for, gets exit code 3 and a report that says why."""
    code, out, err = called(capfd, f"{HEADSTRONG} tie=draw {how}", "--tier", "quick", "--timeout-scale", "0.1")
    assert code == 3 and err == "" and "THE ENGINE'S PROCESS FAILED" in out and out.splitlines()[-1].startswith("adapter-failure, reading ")


@pytest.mark.parametrize("args", [
    ["reference:blue"], ["reference", "--reading", "tie=win"], ["reference", "--ruleset", "blue"], ["reference", "--baseline", "nowhere"], ["no-such-file-x"],
])
def test_bad_input_is_one_line(capfd: pytest.CaptureFixture[str], args: list[str]) -> None:
    """Names that nothing has give one line and exit code 2 before anything is played; an engine that is not there gets exit code 3 as without the option."""
    code, out, err = called(capfd, *args)
    if args == ["no-such-file-x"]:
        assert code == 3 and out.splitlines()[-1] == "adapter-failure, reading everything as asked for" and "Not decided" not in out
    else:
        assert code == 2 and out == "" and err.count("\n") == 1


@pytest.mark.slow
def test_known_failures_are_known_under_the_engines_readings(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A baseline written with --accept-readings holds the failures of the fault alone, and a check with both options then conforms under the reading."""
    monkeypatch.delenv("CI", raising=False)
    engine, file = f"{HEADSTRONG} turning=turns-only --fault penalty-one", str(tmp_path / "known.jsonl")
    assert run(["baseline", "update", engine, "--quiet", "--tier", "quick", "--accept-readings", "--baseline", file]) == 0
    entries = [msgspec.json.decode(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
    assert entries and not any("turning" in entry["fixture"] for entry in entries)
    capfd.readouterr()
    code, out, _ = called(capfd, engine, "--tier", "quick", "--baseline", file)
    assert code == 0 and out.splitlines()[-1] == "conforms, reading turning as turns-only"
