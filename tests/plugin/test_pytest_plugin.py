"""The pytest plugin: fixtures as items, and nothing at all without its option."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest

from patchwork_ref.cli.main import run as patchwork_ref

pytest_plugins = "pytester"

INCOME, PERFT, CREDIT = "track-income/two-in-one-move", "perft/letter-order-depth-1", "illegal/one-button-short"


def outcomes(result):
    return {name: number for name, number in result.parseoutcomes().items() if name != "warnings"}


def test_every_fixture_is_an_item_whose_name_is_its_id(run):
    """With the option pytest collects each fixture of the suite under its file, named by its id."""
    result = run("Fine", "--collect-only", "-q")
    listed = [line for line in result.outlines if "::" in line]
    assert f"track.jsonl::{INCOME}" in listed and f"perft.jsonl::{PERFT}" in listed and len(listed) == 5


def test_a_conforming_engine_passes_beside_the_projects_own_tests(project, run):
    """Fixtures pass, the project's own tests run as ever, and `-m patchwork` chooses the fixtures alone."""
    project.makepyfile(test_own="def test_own(): pass")
    assert outcomes(run("Fine")) == {"passed": 6}
    assert outcomes(run("Fine", "-m", "patchwork")) == {"passed": 5, "deselected": 1}


def test_a_failure_shows_the_blame_block(run):
    """A failed item shows rule, difference and replay command, and no traceback."""
    result = run("Once")
    assert outcomes(result) == {"passed": 4, "failed": 1}
    result.stdout.fnmatch_lines([f"*{INCOME}*", "FAIL *rule *.yaml:*", "*The rule:*", "*player 1 buttons*expected 13*got 12", f"*Replay:*replay {INCOME} --engine*"])
    assert "Traceback" not in result.stdout.str() and "pytest_plugin.py" not in result.stdout.str()


def test_a_crash_fails_its_item_alone(run):
    """An engine that falls over fails the fixture that brought it down; the others are played on a fresh one."""
    result = run("Crashing")
    assert outcomes(result) == {"passed": 4, "failed": 1}
    result.stdout.fnmatch_lines(["*crashed*no perft*"])


def test_a_known_gap_is_skipped(run):
    """What an engine skips is skipped here, with its reason."""
    result = run("Skipping", "-rs")
    assert outcomes(result) == {"passed": 4, "skipped": 1}
    result.stdout.fnmatch_lines(["SKIPPED*no perft yet*"])


def test_the_baseline_becomes_strict_xfail(run, project):
    """A known failure is expected to fail; when it passes, or has expired, its item fails."""
    file = project.path / "known.jsonl"

    def known(**more):
        file.write_text(json.dumps({"fixture": CREDIT, "reason": "being fixed", **more}) + "\n")
        return ["--patchwork-baseline", str(file), "-rx"]

    result = run("Generous", *known())
    assert outcomes(result) == {"passed": 4, "xfailed": 1}
    result.stdout.fnmatch_lines(["XFAIL*being fixed*"])
    assert outcomes(run("Fine", *known())) == {"passed": 4, "failed": 1}
    assert outcomes(run("Generous", *known(expires="2001-01-01"))) == {"passed": 4, "failed": 1}
    assert outcomes(run("Generous", *known(outcome="crashed"))) == {"passed": 4, "failed": 1}


def test_an_item_can_be_named_by_id_and_run_again(run, project):
    """A fixture's id, and an item as pytest prints it, name that item alone; rules choose the fixtures that exercise them."""
    assert outcomes(run("Fine", f"track.jsonl::{INCOME}", f"perft.jsonl::{PERFT}")) == {"passed": 2}
    assert outcomes(run("Fine", "--patchwork-rules", "track/special")) == {"passed": 1}
    assert outcomes(run("Fine", INCOME, "--patchwork-tier", "quick")) == {"passed": 1}


@pytest.mark.parametrize("more", [["--patchwork-rules", "no/such"], ["--patchwork-rules", "tie=never"], ["--patchwork-baseline", "none"], ["--patchwork-suite", "none"]])
def test_what_cannot_be_used_is_one_line(run, more):
    """A wrong option value is a usage error in one line."""
    result = run("Fine", *more)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert len([line for line in result.errlines if line.strip()]) == 1


def test_no_fixture_left_is_an_error(run, project, small_suite):
    """When tier and rules leave no fixture, the run is an error, whatever other tests there are."""
    project.makepyfile(test_own="def test_own(): pass")
    result = run("Fine", "--patchwork-tier", "quick", "--patchwork-rules", "tile/claim")
    assert result.ret == pytest.ExitCode.USAGE_ERROR and "fixture is left" in result.stderr.str()
    empty = project.mkdir("empty")
    assert run("Fine", "--patchwork-suite", str(empty)).ret == pytest.ExitCode.USAGE_ERROR
    assert run("Fine", f"--ignore-glob={small_suite}/*.jsonl").ret == pytest.ExitCode.USAGE_ERROR


def test_each_xdist_worker_has_one_engine(project, small_suite):
    """With two workers at most two engine processes are started, every fixture is played once, and none is left behind."""
    engine = shlex.join([sys.executable, "my_engine.py", "Fine"])
    result = project.runpytest_subprocess("-n2", "--patchwork-engine", engine, "--patchwork-suite", str(small_suite))
    assert outcomes(result) == {"passed": 5}
    started = list(project.path.glob("started-*"))
    assert 1 <= len(started) <= 2
    for file in started:
        assert subprocess.run(["kill", "-0", file.name.removeprefix("started-")], capture_output=True).returncode != 0


def test_an_engine_that_does_not_part_fails_the_run(run, project):
    """An engine that stays after bye fails a run in which every fixture passes, in one process and under xdist."""
    for more in ([], ["-n1"]):
        result = run(shlex.join([sys.executable, "my_engine.py", "Staying"]), "--patchwork-timeout-scale", "0.5", INCOME, *more)
        assert outcomes(result) == {"passed": 1} and result.ret == pytest.ExitCode.TESTS_FAILED
        result.stdout.fnmatch_lines(["*did not part as it should*"])


def test_without_the_option_nothing_is_loaded(project):
    """Loading the plugin, and a run without its option, import nothing of this package but the plugin itself."""
    project.makepyfile("""
        import sys
        def test_light():
            heavy = {name for name in sys.modules if name.startswith("patchwork_ref.")} - {"patchwork_ref.pytest_plugin"}
            assert "patchwork_ref.pytest_plugin" in sys.modules and not heavy
            assert not {"z3", "yaml", "click", "rich"} & set(sys.modules)
    """)
    assert outcomes(project.runpytest_subprocess("-p", "no:hypothesispytest")) == {"passed": 1}


def test_one_call_makes_a_test_class(project, small_suite):
    """`conformance_tests` of a class gives one test a fixture: blamed when it fails, skipped or expected to fail where it should be."""
    project.makepyfile(test_mine=f"""
        from my_engine import Fine, Generous, Skipping
        from patchwork_ref.testing import conformance_tests
        suite = {str(small_suite)!r}
        TestFine = conformance_tests(Fine, suite=suite)
        TestGenerous = conformance_tests(Generous, suite=suite, rules=["turn/buy-afford"])
        TestSkipping = conformance_tests(Skipping, suite=suite, baseline="known.jsonl")
        TestNamed = conformance_tests("python:my_engine:Crashing", suite=suite, baseline="known.jsonl", tier="gate")
    """)
    (project.path / "known.jsonl").write_text(json.dumps({"fixture": PERFT, "reason": "later", "outcome": "crashed"}) + "\n")
    result = project.runpytest_inprocess("-v")
    result.stdout.fnmatch_lines([f"test_mine.py::TestFine::test_conforms?{PERFT}? PASSED*"])
    result.stdout.fnmatch_lines([f"test_mine.py::TestGenerous::test_conforms?{CREDIT}? FAILED*", "FAIL *rule *", "*Replay:*"])
    result.stdout.fnmatch_lines([f"*TestSkipping::test_conforms?{PERFT}? SKIPPED*", f"*TestNamed::test_conforms?{PERFT}? XFAIL*"])
    assert outcomes(result)["failed"] == 1 and "testing.py" not in result.stdout.str().replace("patchwork_ref.testing", "")


def test_the_plugin_and_the_command_agree(run, small_suite, capsys, project):
    """An engine's failed items are the failures of `check`."""
    capsys.readouterr()
    patchwork_ref(["check", "python:my_engine:Generous", "--suite", str(small_suite), "--format", "json", "--shrink-seconds", "0"])
    failures = {f["fixture"] for f in json.loads(capsys.readouterr().out)["failures"]}
    result = run("Generous", "-q", "-rf")
    assert {line.split("::")[1].split(" ")[0] for line in result.outlines if line.startswith("FAILED")} == failures == {CREDIT}
