"""Does random play find what is wrong, and say what it has not looked at?"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from patchwork_ref.cli.ending import remembered
from patchwork_ref.conformance.course import Course, Refuse
from patchwork_ref.conformance.drawing import Enough, drawn
from patchwork_ref.conformance.fuzz import Fuzzed, fuzz
from patchwork_ref.conformance.targets import Local
from patchwork_ref.engine import Engine
from patchwork_ref.errors import InputError
from patchwork_ref.fixtures import expected, fixture_to_json, read_fixtures
from patchwork_ref.fixtures.exercised import all_rules
from patchwork_ref.fixtures.wire import schema
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.rulebook.rulebook import load_rulebook
from tests.conformance.faulty.engines import FAULTS
from tests.conformance.faulty.engines import Engine as Sample

RULEBOOK = load_rulebook()
ENGINE = Engine(from_rulebook(RULEBOOK))


def fuzzed(make: Any, games: int | None = 12, **options: Any) -> Fuzzed:
    return fuzz(Local("engine", make), "engine", RULEBOOK, ENGINE, games, None, **{"shrink_seconds": 2.0, **options})


def test_a_sound_engine_gives_nothing_away() -> None:
    """On a sound engine nothing is found, and nearly every rule was exercised."""
    found = fuzzed(Sample)
    assert found.result == "conforms" and found.exit_code == 0
    assert found.games == 12 and len(found.never) <= 5


@pytest.mark.parametrize("name", ["special-to-rival", "overlap-of-one-cell", "must-keep-a-button", "tile-for-any-cells"])
def test_a_fault_is_found_and_made_short(name: str) -> None:
    """Random games find a fault, blame the rule, and end in a game no longer than the one in which it was met."""
    found = fuzzed(FAULTS[name].make, 14, shrink_seconds=1.0)
    assert found.result == "diverges" and found.exit_code == 1
    assert set(found.found) & set(FAULTS[name].rules)
    for counterexample in found.found.values():
        if counterexample.shrunk is not None:
            assert counterexample.shrunk.actions <= counterexample.verdict.action


def games_of(seed: int, number: int, capabilities: frozenset[str] = frozenset({"state", "legal", "finds-token"})) -> list[Course]:
    found: list[Course] = []
    drawn(ENGINE, capabilities, seed, number, lambda at, case: found.append(case))
    return found


def test_the_same_seed_gives_the_same_games() -> None:
    """A run's games depend on its seed alone, not on what was loaded or played before."""
    first = [case.tasks for case in games_of(7, 6)]
    assert first == [case.tasks for case in games_of(7, 6)]
    assert first != [case.tasks for case in games_of(8, 6)]


def test_games_are_whole_and_of_the_ruleset() -> None:
    """Every game ends, on the Machine of the ruleset with its whole circle, and is followed by an action that comes too late."""
    for case in games_of(3, 12):
        assert case.over and case.engine is ENGINE
        assert sorted(case.setup.circle) == sorted(p.name for p in ENGINE.machine.regular)
        last = case.tasks[-1]
        assert isinstance(last, Refuse) and last.number == len(case.actions)


def test_an_engine_is_asked_only_for_what_it_can_do() -> None:
    """Without the capabilities no list is asked for and the token's place is always told."""
    for case in games_of(1, 12, frozenset()):
        assert case.tells_token and all(type(task).__name__ != "Legal" for task in case.tasks)


def test_a_run_ends_when_it_is_told_to() -> None:
    """The drawing stops at once, without a second try of the same game."""
    seen = []

    def see(number: int, case: Course) -> None:
        seen.append(number)
        if number == 2:
            raise Enough

    drawn(ENGINE, frozenset(), 1, 50, see)
    assert seen == [0, 1, 2]


def test_a_run_that_exercised_nothing_proves_nothing() -> None:
    """An engine that skips every game is neither right nor wrong: exit code 4."""

    class Skips(Sample):
        def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
            return {"ok": False, "skipped": {"reason": "later"}} if op == "new" else super().answer(op, request)

    found = fuzzed(Skips, 3)
    assert found.skipped == found.games == 3 and found.exit_code == 4
    assert not found.exercised and "turn/buy-pay" in found.never


def test_rules_of_every_kind_are_counted() -> None:
    """Guards, definitions, set-up, scoring and steps are all told as exercised or never exercised; what differed is not."""
    found = fuzzed(FAULTS["buys-on-credit"].make, 6, shrink_seconds=0.0)
    assert set(found.exercised) | set(found.never) == all_rules(ENGINE.machine) and not set(found.exercised) & set(found.never)
    assert {"turn/buy-shape", "turn/offer", "setup/buttons", "end/winner", "turn/buy-token", "turn/not-over"} <= set(found.exercised)
    found = fuzzed(FAULTS["starts-with-six"].make, 3, shrink_seconds=0.0)
    assert not found.exercised


def test_it_must_be_told_when_to_stop() -> None:
    """Without a number of games and without a time there is no end."""
    with pytest.raises(InputError):
        fuzzed(Sample, None)


def test_an_engine_that_falls_is_a_process_failure() -> None:
    """A crash is found, and the exit code is that of a process failure."""

    class Falls(Sample):
        def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
            if op == "apply":
                raise SystemExit(1)
            return super().answer(op, request)

    found = fuzzed(Falls, 3, shrink_seconds=1.0)
    assert found.exit_code == 3


def run_fuzz(root: Path, out: Path, *more: str, fault: str = "no-flips") -> tuple[int, dict[str, Any], str]:
    engine = f"{sys.executable} {root}/engines/python/engine.py" + (f" --fault {fault}" if fault else "")
    command = [sys.executable, "-m", "patchwork_ref", "fuzz", engine, "--games", "2", "--shrink-seconds", "1", "--format", "json", "--quiet", "--out", str(out), *more]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, env={**os.environ, "NO_COLOR": "1"}, check=False)
    return done.returncode, json.loads(done.stdout), engine


def test_the_files_show_the_fault_again(tmp_path: Path, root: Path) -> None:
    """A counterexample is a fixture: it replays and is checked against the engine, other readers take it, and the raw lines
    piped into the engine get an answer each. The next run takes it away."""
    code, document, engine = run_fuzz(root, tmp_path)
    assert code == 1
    one = document["counterexamples"][0]
    assert one["rule"] == "turn/buy-shape"
    fixture = read_fixtures(one["file"])[0]
    jsonschema.validate(fixture_to_json(fixture), schema())
    assert expected(fixture, RULEBOOK) == fixture
    again = subprocess.run([sys.executable, "-m", "patchwork_ref", "replay", one["file"], "--engine", engine], capture_output=True, text=True, cwd=root, check=False)
    assert again.returncode == 1, again.stdout + again.stderr
    for name, exit_code in ((engine, 1), ("reference", 0)):
        checked = [sys.executable, "-m", "patchwork_ref", "check", name, "--suite", str(tmp_path), "--tier", "quick", "--shrink-seconds", "0"]
        assert subprocess.run(checked, capture_output=True, cwd=root, check=False).returncode == exit_code
    if node := shutil.which("node"):
        read = subprocess.run([node, f"{root}/fixtures/read.mjs", str(tmp_path)], capture_output=True, text=True, check=False)
        assert json.loads(read.stdout)["fixtures"] == 1, read.stderr
    lines = Path(one["lines"]).read_bytes()
    piped = subprocess.run([sys.executable, f"{root}/engines/python/engine.py"], input=lines, capture_output=True, check=False)
    assert piped.returncode == 0 and piped.stdout.count(b"\n") == lines.count(b"\n")

    (tmp_path / "mine.jsonl").write_text("{}")
    code, document, _ = run_fuzz(root, tmp_path, fault="")
    assert code == 0 and not document["counterexamples"]
    assert not Path(one["file"]).exists() and not Path(one["lines"]).exists() and (tmp_path / "mine.jsonl").exists()


def test_what_is_not_made_short_is_still_cut(tmp_path: Path, root: Path) -> None:
    """Without shrinking a counterexample ends with what differs, and shows it."""
    code, document, engine = run_fuzz(root, tmp_path, "--shrink-seconds", "0", fault="purchase-pays-no-income")
    one = document["counterexamples"][0]
    fixture = read_fixtures(one["file"])[0]
    assert code == 1 and len(fixture.actions) == one["action"]
    again = subprocess.run([sys.executable, "-m", "patchwork_ref", "replay", one["file"], "--engine", engine], capture_output=True, text=True, cwd=root, check=False)
    assert again.returncode == 1, again.stdout + again.stderr


def test_an_interrupt_that_gets_lost_ends_the_run_all_the_same() -> None:
    """A signal whose exception Python ignored, as in a callback of the garbage collector, is raised again when asked for."""
    with remembered() as ended:
        ended()
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            ended()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_what_was_found_before_the_end_is_told(number: int, code: int, root: Path, tmp_path: Path) -> None:
    """Ctrl-C and SIGTERM end a run with what it has found so far, and the files of it."""
    engine = f"{sys.executable} {root}/engines/python/engine.py --fault advance-earns-no-special"  # the first game drawn shows it
    command = [sys.executable, "-m", "patchwork_ref", "fuzz", engine, "--seconds", "100", "--shrink-seconds", "0", "--out", str(tmp_path)]

    def interruptible() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # tests that run in the background have it ignored

    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root, preexec_fn=interruptible)
    assert process.stderr is not None and "games" in process.stderr.readline()  # the first line of progress
    process.send_signal(number)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == code
    assert "FOUND rule track/special" in out and "ended early" in out
    assert read_fixtures(tmp_path / "fuzz-track-special.jsonl")
