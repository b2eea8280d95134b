"""Does ``mutate`` say what the suite misses, with exit codes that a build can use?"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from patchwork_ref.cli.main import run
from patchwork_ref.fixtures import shipped

KILLED, EQUIVALENT, MISSED = "turn/buy-pay~does-doubled", "constant/button-total~plus-1", "end/score~minus-left-only"


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder with two of the shipped fixtures, in neither of which a game ends."""
    for name in ("setups.json", "schema.json"):
        shutil.copy(shipped() / name, tmp_path / name)
    lines = (shipped() / "rules.jsonl").read_text(encoding="utf-8").splitlines()
    chosen = [line for line in lines if '"action"' in line and '"end":' not in line and '"type":"buy"' in line][:2]
    assert len(chosen) == 2
    (tmp_path / "rules.jsonl").write_text("\n".join(chosen) + "\n", encoding="utf-8")
    return tmp_path


def mutate(capfd: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = run(["mutate", "--quiet", *args])
    out, err = capfd.readouterr()
    return code, out, err


def test_what_survives_is_told(few: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A mutant that no fixture notices is named and gives exit code 1; the counts have their denominators."""
    code, out, _ = mutate(capfd, "--suite", str(few), KILLED, EQUIVALENT, MISSED)
    assert code == 1 and f"SURVIVED   {MISSED}" in out
    assert "1 of 2 mutants killed (50.0%) by 2 fixtures; 3 tried, 1 equivalent" in out


def test_a_suite_that_misses_nothing_passes(few: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """With every mutant killed or equivalent the exit code is 0, as text and as JSON."""
    code, out, _ = mutate(capfd, "--suite", str(few), KILLED, EQUIVALENT, "--format", "json")
    found = json.loads(out)
    assert code == 0 and found["killed"] == 1 and found["equivalent"] == 1 and found["survivors"] == []


def test_a_pair_can_be_tried(few: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Two mutants joined by + are one rulebook with both changes."""
    assert mutate(capfd, "--suite", str(few), f"{KILLED}+{MISSED}")[0] == 0


def test_bad_input_is_refused_in_one_line(few: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An unknown mutant, a sample to be stored, a folder that is none: one line that says what to do."""
    for args, said in (((KILLED + "x",), "no mutant is called"), (("--quick", "--write"), "cannot be stored"), (("--suite", str(few / "none"), KILLED), "none")):
        code, out, err = mutate(capfd, *args)
        assert code not in (0, 1) and said in err and len(err.strip().splitlines()) == 1 and not out


def test_the_mutants_can_be_listed(capfd: pytest.CaptureFixture[str]) -> None:
    """``--list`` has a line for each, with what it changes."""
    code, out, _ = mutate(capfd, "--list")
    lines = out.splitlines()
    assert code == 0 and len(lines) >= 400 and all("~" in line.split()[0] and "    " in line for line in lines)
