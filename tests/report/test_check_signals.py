"""A run that is ended from outside leaves a readable report and no process."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from junitparser import JUnitXml

from patchwork_ref.report.record import read_record

ENGINE = Path(__file__).parent / "engines" / "slow.py"


def alive(token):
    """The processes that carry the token, but for the harness itself."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            line = Path("/proc", name, "cmdline").read_bytes()
        except OSError:
            continue
        if token.encode() in line and b"patchwork_ref" not in line:
            found.append(int(name))
    return found


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_a_signal_leaves_a_readable_report_and_no_process(small_suite, tmp_path, number, code):
    """Ctrl-C and SIGTERM end a run with what came so far in every form, and no engine behind; after SIGKILL the lines are there all the same."""
    token = f"token-{os.getpid()}-{time.monotonic_ns()}"
    engine = shlex.join([sys.executable, str(ENGINE), token])
    run = subprocess.Popen([sys.executable, "-m", "patchwork_ref", "check", engine, "--suite", str(small_suite), "--report", str(tmp_path), "--quiet"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = tmp_path / "report.jsonl"
    until = time.monotonic() + 60
    while not (lines.exists() and lines.read_bytes().count(b"\n") >= 3):
        assert run.poll() is None and time.monotonic() < until
        time.sleep(0.02)
    run.send_signal(number)
    out, err = run.communicate(timeout=60)
    assert run.returncode == code, err
    record = read_record(tmp_path)
    assert len(record.cases) >= 2 and record.verdict == "inconclusive" and record.never_run
    if number == signal.SIGKILL:
        until = time.monotonic() + 10  # the engine ends by itself, at the end of its input
        while alive(token) and time.monotonic() < until:
            time.sleep(0.05)
    else:
        assert len(err.split()) <= 5 and number.name in (err + record.summary.interrupted)
        assert "INCONCLUSIVE" in out and record.summary.interrupted == number.name
        assert JUnitXml.fromfile(str(tmp_path / "junit.xml")).errors == len(record.never_run)
        assert "inconclusive" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert alive(token) == []
