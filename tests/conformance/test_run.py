"""Does a run come to an end whatever the engine does, and is its report right?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest


def checked(engine: str, root: Path, folder: Path, *more: str) -> tuple[int, dict[str, Any], float]:
    started = time.monotonic()
    command = [sys.executable, "-m", "patchwork_ref", "check", engine, "--tier", "quick", "--format", "json", "--quiet", "--report", str(folder), *more]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, env={**os.environ, "NO_COLOR": "1"}, check=False)
    return done.returncode, json.loads(done.stdout), time.monotonic() - started


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["silent", "silent-at-hello", "no-line-end", "dribble", "stops-itself", "buffered"])
def test_a_hanging_engine_ends_within_two_minutes(mode: str, root: Path, tmp_path: Path, engines: Any) -> None:
    """A silent engine ends `check --tier quick` within 120 seconds with exit code 3."""
    code, document, seconds = checked(engines(mode), root, tmp_path)
    assert code == 3 and document["verdict"] == "adapter-failure"
    assert seconds < 120


def test_a_falling_engine_ends_soon(root: Path, tmp_path: Path, engines: Any) -> None:
    """An engine that exits at every action ends a quick check after a bounded number of restarts, with exit code 3."""
    code, document, seconds = checked(engines("exits"), root, tmp_path, "--shrink-seconds", "1")
    assert code == 3 and document["counts"].get("crashed", 0) > 0
    assert seconds < 60


def test_the_replay_command_plays_the_shrunk_game(root: Path, tmp_path: Path) -> None:
    """One failure of each rule is written as a trace, and its replay command shows the failure again."""
    engine = f"{sys.executable} {root}/engines/python/engine.py --fault token-stays"
    code, document, _ = checked(engine, root, tmp_path, "--shrink-seconds", "1")
    assert code == 1
    with_file = [f for f in document["failures"] if str(tmp_path) in f["replay"]]
    assert {f["rule"] for f in with_file} == {f["rule"] for f in document["failures"]}
    words = with_file[0]["replay"].partition("patchwork-ref ")[2]
    again = subprocess.run(f"{sys.executable} -m patchwork_ref {words}", shell=True, capture_output=True, text=True, cwd=root, check=False)
    assert again.returncode == 1, again.stdout + again.stderr


def test_no_game_is_shrunk_when_none_is_wanted(root: Path, tmp_path: Path) -> None:
    """With no time for shrinking every replay command names a fixture."""
    engine = f"{sys.executable} {root}/engines/python/engine.py --fault token-stays"
    _, document, _ = checked(engine, root, tmp_path, "--shrink-seconds", "0")
    assert all(str(tmp_path) not in f["replay"] for f in document["failures"])


def test_a_check_that_finds_nothing_loads_neither_mutants_nor_solver(root: Path) -> None:
    """What only a failure needs is not loaded while an engine conforms: half of a quick check would be loading it."""
    code = "import sys; from patchwork_ref.cli.main import run; code = run(['check', 'python:tests.conformance.faulty.engines:Engine', '--tier', 'quick', '--quiet']); " \
        "sys.exit(code or any(name.split('.')[0] in ('z3', 'hypothesis') or name.startswith(('patchwork_ref.mutation', 'patchwork_ref.suite')) for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
