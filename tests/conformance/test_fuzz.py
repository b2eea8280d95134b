"""Does random play find what is wrong, and say what it has not looked at?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from patchwork_ref.conformance.fuzz import Fuzzed, fuzz, game
from patchwork_ref.conformance.targets import Local
from patchwork_ref.engine import Engine
from patchwork_ref.errors import InputError
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


def test_the_same_seed_gives_the_same_games() -> None:
    """A game depends on its seed alone."""
    capabilities = frozenset({"state", "legal", "finds-token"})
    assert game(ENGINE, "7 1", capabilities).tasks == game(ENGINE, "7 1", capabilities).tasks
    assert game(ENGINE, "7 1", capabilities).tasks != game(ENGINE, "7 2", capabilities).tasks


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


def test_the_files_show_the_fault_again(tmp_path: Path, root: Path) -> None:
    """The trace replays against the engine, and the raw lines piped into it get an answer each."""
    engine = f"{sys.executable} {root}/engines/python/engine.py --fault no-flips"
    command = [sys.executable, "-m", "patchwork_ref", "fuzz", engine, "--games", "2", "--shrink-seconds", "1", "--format", "json", "--quiet", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, env={**os.environ, "NO_COLOR": "1"}, check=False)
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    one = document["counterexamples"][0]
    assert one["rule"] == "turn/buy-shape"
    again = subprocess.run([sys.executable, "-m", "patchwork_ref", "replay", one["file"], "--engine", engine], capture_output=True, text=True, cwd=root, check=False)
    assert again.returncode == 1, again.stdout + again.stderr
    lines = Path(one["lines"]).read_bytes()
    piped = subprocess.run([sys.executable, f"{root}/engines/python/engine.py"], input=lines, capture_output=True, check=False)
    assert piped.returncode == 0 and piped.stdout.count(b"\n") == lines.count(b"\n")
