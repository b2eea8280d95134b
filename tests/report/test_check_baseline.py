"""Known failures: they do not fail a run, and nothing about them goes unsaid."""

from __future__ import annotations

import json
from datetime import date

import pytest

from patchwork_ref.cli.main import run
from patchwork_ref.errors import InputError
from patchwork_ref.report.baseline import Baseline, Entry, baseline_text, read_baseline, updated
from patchwork_ref.report.record import read_record

PERFT = "perft/letter-order-depth-1"


@pytest.fixture
def baseline(tmp_path):
    """`baseline({"fixture": ...}, ...)`: the file with these entries."""

    def write(*entries):
        file = tmp_path / "known.jsonl"
        file.write_text("".join(json.dumps({"reason": "because", **entry}) + "\n" for entry in entries), encoding="utf-8")
        return str(file)

    return write


def test_a_known_failure_does_not_fail_the_run(check, baseline):
    """An engine whose only failure is in the baseline conforms, and the failure is listed as known, not among the failures."""
    code, document = check("Skipping", "--baseline", baseline({"fixture": PERFT, "link": "https://example.org/1", "expires": "2999-12-31", "outcome": "engine-error"}))
    assert code == 0 and document["verdict"] == "conforms" and document["failures"] == []
    assert document["baseline"]["known"] == [{"fixture": PERFT, "outcome": "engine-error", "reason": "because", "link": "https://example.org/1", "expires": "2999-12-31"}]


def test_a_known_crash_does_not_fail_the_run(check, baseline):
    """Also a failure of the process can be known."""
    assert check("Crashing", "--baseline", baseline({"fixture": PERFT}))[0] == 0


def test_a_new_failure_fails_beside_known_ones(check, baseline):
    """What the baseline does not name counts as ever."""
    code, document = check("Crashing", "--baseline", baseline({"fixture": "buy/third-on-offer"}))
    assert code == 3 and [f["fixture"] for f in document["failures"]] == [PERFT]


def test_a_known_failure_that_passes_fails_the_run(check, baseline):
    """An entry whose fixture passes is reported as stale, and the run fails until it is taken out."""
    code, document = check("Fine", "--baseline", baseline({"fixture": PERFT}))
    assert code == 1 and [e["fixture"] for e in document["baseline"]["stale"]] == [PERFT] and document["failures"] == []
    _, text = check("Fine", "--baseline", baseline({"fixture": PERFT}), form="text")
    assert f"FAIL {PERFT}: a known failure that does not fail any more" in text and text.splitlines()[-1].startswith("DIVERGES")


@pytest.mark.parametrize("engine", ["Fine", "Skipping"])
def test_an_expired_entry_fails_the_run(check, baseline, engine):
    """After its last day an entry fails the run, whether its fixture fails or not."""
    code, document = check(engine, "--baseline", baseline({"fixture": PERFT, "expires": "2001-01-01"}))
    assert code == 1 and [e["fixture"] for e in document["baseline"]["expired"]] == [PERFT]


def test_a_failure_of_another_kind_is_new(check, baseline):
    """An entry that names an outcome stands for that outcome alone."""
    code, document = check("Skipping", "--baseline", baseline({"fixture": PERFT, "outcome": "crashed"}))
    assert code == 1 and [f["fixture"] for f in document["failures"]] == [PERFT]


def test_unknown_fixtures_are_reported(check, baseline):
    """An id that no fixture of the suite has is named, and fails nothing."""
    code, document = check("Fine", "--baseline", baseline({"fixture": "track/no-such-thing"}))
    assert code == 0 and document["baseline"]["unknown"] == ["track/no-such-thing"]


def test_what_is_not_run_is_neither_known_nor_stale(check, baseline):
    """An entry whose fixture is skipped changes nothing."""
    _, document = check("Skipping", "--baseline", baseline({"fixture": "track-special/landing-by-advance"}, {"fixture": PERFT}))
    assert document["verdict"] == "conforms" and [e["fixture"] for e in document["baseline"]["known"]] == [PERFT]


@pytest.mark.parametrize(("today", "state"), [(date(2026, 5, 31), "known"), (date(2026, 6, 1), "expired")])
def test_an_entry_counts_through_its_last_day(today, state):
    """On the day on which it expires an entry still counts; on the next day no more."""
    known = Baseline("f", {"a": Entry("a", "why", expires=date(2026, 5, 31))}, {"a": 1}).known("a", "diverged", True, today)
    assert known is not None and known.state == state


@pytest.mark.parametrize("text", [
    "no json", "[]", '{"fixture": "a"}', '{"fixture": "a", "reason": ""}', '{"fixture": "a", "reason": "b", "expires": "soon"}', '{"fixture": "a", "reason": "b", "until": 1}',
    '{"fixture": "a", "reason": "b", "outcome": "agreed"}', '{"fixture": "a", "reason": "b"}\n{"fixture": "a", "reason": "c"}', "[" * 100_000,
])
def test_a_defect_of_the_file_is_one_line(tmp_path, text):
    """What is no entry is named with its line; nothing is guessed."""
    file = tmp_path / "known.jsonl"
    file.write_text("\n" + text, encoding="utf-8")
    with pytest.raises(InputError, match=r"known\.jsonl:[23]: ") as error:
        read_baseline(file)
    assert "\n" not in str(error.value)


def test_update_writes_what_fails_and_keeps_what_was_written(written, tmp_path):
    """After an update the baseline has every failure; entries that still fail keep their words, those that pass are gone, and what was not run stays."""
    old = Baseline("f", {name: Entry(name, "old words") for name in ("track-income/two-in-one-move", "buy/third-on-offer", "elsewhere/not-run")})
    record = read_record(written("Once"))
    entries, added, removed = updated(old, record, "new words", "https://example.org", date(2030, 1, 1))
    by_id = {entry.fixture: entry for entry in entries}
    assert set(by_id) == {case.fixture for case in record.failures} | {"elsewhere/not-run"}
    assert by_id["track-income/two-in-one-move"].reason == "old words" and removed == ["buy/third-on-offer"]
    assert {by_id[name].reason for name in added} == {"new words"} and added
    (tmp_path / "f").write_text(baseline_text(entries))
    assert read_baseline(tmp_path / "f").entries == by_id


def test_check_agrees_with_what_update_wrote(check, small_suite, tmp_path, capsys):
    """`baseline update` and then `check --baseline` is green."""
    file = tmp_path / "known.jsonl"
    args = ["baseline", "update", "python:report_engines:Skipping", "--suite", str(small_suite), "--baseline", str(file), "--reason", "no perft yet"]
    assert run(args) == 0
    assert json.loads(file.read_text()) == {"fixture": PERFT, "outcome": "engine-error", "reason": "no perft yet"}
    assert check("Skipping", "--baseline", str(file))[0] == 0


@pytest.mark.parametrize("value", ["1", "true", "yes"])
def test_update_refuses_in_ci(monkeypatch, tmp_path, capsys, value):
    """Where CI is set, `baseline update` is exit code 2 and writes nothing."""
    monkeypatch.setenv("CI", value)
    assert run(["baseline", "update", "reference", "--baseline", str(tmp_path / "f")]) == 2
    assert "does not run in CI" in capsys.readouterr().err and not (tmp_path / "f").exists()


def test_update_leaves_the_file_alone_when_the_run_fails(small_suite, tmp_path, capsys):
    """When the engine cannot be started the baseline stays as it was, and the exit code is the run's."""
    file = tmp_path / "f"
    file.write_text('{"fixture": "a/b", "reason": "c"}\n')
    assert run(["baseline", "update", "/no/such/engine", "--baseline", str(file), "--suite", str(small_suite)]) == 3
    assert file.read_text() == '{"fixture": "a/b", "reason": "c"}\n' and len(capsys.readouterr().err.splitlines()) == 1
