"""Do the sample engines conform, and is each of their named faults found?"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from patchwork_ref.cli.main import run as command
from patchwork_ref.conformance.run import Report, run
from patchwork_ref.conformance.suite import Case, cases, chosen
from patchwork_ref.conformance.targets import parse_target
from patchwork_ref.fixtures.read import read_fixtures
from patchwork_ref.machine.codec import setup_to_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.model import Rulebook

PYTHON = "engines/python/engine.py"
JAVASCRIPT = "engines/javascript/engine.mjs"


def _check(capfd: pytest.CaptureFixture[str], engine: str, *more: str) -> tuple[int, dict[str, object]]:
    capfd.readouterr()
    code = command(["check", engine, "--format", "json", "--quiet", "--shrink-seconds", "0", *more])
    return code, json.loads(capfd.readouterr().out)


@pytest.fixture(autouse=True)
def _in_the_project(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _faults(command: list[str]) -> list[str]:
    out = subprocess.run([*command, "--list-faults"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in out.splitlines() if line.strip()]


@pytest.mark.parametrize("ruleset", ["revised", "original", "source-000", "source-002"])
def test_the_python_engine_conforms(root: Path, capfd: pytest.CaptureFixture[str], ruleset: str) -> None:
    """The Python sample engine conforms under every ruleset in the full tier."""
    code, report = _check(capfd, f"{sys.executable} {root / PYTHON}", "--tier", "full", "--ruleset", ruleset)
    assert code == 0 and report["verdict"] == "conforms", report["failures"]


@pytest.mark.parametrize("ruleset", ["revised", "original", "source-000", "source-002"])
def test_the_javascript_engine_conforms(root: Path, node: str, capfd: pytest.CaptureFixture[str], ruleset: str) -> None:
    """The JavaScript sample engine, written apart from the other, conforms under every ruleset in the full tier."""
    code, report = _check(capfd, f"{node} {root / JAVASCRIPT}", "--tier", "full", "--ruleset", ruleset)
    assert code == 0 and report["verdict"] == "conforms", report["failures"]


@pytest.fixture(scope="module")
def gate(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> list[Case]:
    """The cases of the gate, laid out once."""
    return cases(chosen(read_fixtures(), "gate"), rulebook, machine_of())


def _found(command: str, gate: list[Case], rulebook: Rulebook, machine: Machine) -> Report:
    return run(parse_target(command), command, gate, rulebook, machine, explain=False, enough=5)  # type: ignore[arg-type]


def test_each_fault_of_the_python_engine_is_found(root: Path, gate: list[Case], rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """At least twelve named faults can be switched on, and the gate finds each of them and blames a rule."""
    faults = _faults([sys.executable, str(root / PYTHON)])
    assert len(faults) >= 12
    for fault in faults:
        report = _found(f"{sys.executable} {root / PYTHON} --fault {fault}", gate, rulebook, machine_of())
        assert report.result == "diverges", fault
        assert all(f.blame.rule for f in report.findings), fault


def test_each_fault_of_the_javascript_engine_is_found(root: Path, node: str, gate: list[Case], rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """At least six named faults can be switched on, and the gate finds each of them."""
    faults = _faults([node, str(root / JAVASCRIPT)])
    assert len(faults) >= 6
    for fault in faults:
        assert _found(f"{node} {root / JAVASCRIPT} --fault {fault}", gate, rulebook, machine_of()).result == "diverges", fault


def test_the_javascript_engine_counts_the_known_perft(root: Path, node: str, capfd: pytest.CaptureFixture[str]) -> None:
    """perft(2) of the known circle is among the cases that the engine answers."""
    code, report = _check(capfd, f"{node} {root / JAVASCRIPT}", "--ruleset", "original", "--tier", "full")
    assert code == 0 and report["counts"]["agreed"] > 60  # type: ignore[index]


@pytest.mark.parametrize("engine", ["reference", f"{sys.executable} -m patchwork_ref serve"])
def test_the_reference_conforms_in_process_and_over_a_pipe(capfd: pytest.CaptureFixture[str], engine: str) -> None:
    """The reference passes its own gate both ways."""
    code, report = _check(capfd, engine)
    assert code == 0 and report["verdict"] == "conforms"


def test_another_print_is_recognised(capfd: pytest.CaptureFixture[str]) -> None:
    """An engine that plays the other print diverges, and the option that explains it is said first."""
    code, report = _check(capfd, "reference:original")
    assert code == 1 and report["explanation"]["option"] == "--ruleset original"  # type: ignore[index]


@pytest.mark.parametrize("engine", [f"{sys.executable} {{root}}/{PYTHON}", f"node {{root}}/{JAVASCRIPT}"], ids=["python", "javascript"])
def test_a_special_patch_on_the_last_space_is_never_gone_past(root: Path, request: pytest.FixtureRequest, tmp_path: Path, engine: str) -> None:
    """Taken at its word, "past" wins no special patch that lies on the last space: the game ends there, for all three engines alike."""
    if engine.startswith("node"):
        request.getfixturevalue("node")
    setup = next(f for f in read_fixtures() if f.id == "custom/special-patch-on-the-last-space")
    trace = {"format": 1, "kind": "trace", "ruleset": "revised", "readings": {"marker-trigger": "strictly-past"},
             "setup": setup_to_json(setup.setup, setup.numbers), "actions": [{"type": "advance"}] * 4}
    file = tmp_path / "game.json"
    file.write_text(json.dumps(trace), encoding="utf-8")
    assert command(["replay", str(file)]) == command(["replay", str(file), "--engine", engine.format(root=root)]) == 0
