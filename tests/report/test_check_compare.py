"""Two reports: what changed, and whether anything got worse."""

from __future__ import annotations

import json

import msgspec
import pytest

from patchwork_ref.cli.main import run
from patchwork_ref.report.comparison import compared, comparison_json, comparison_text
from patchwork_ref.report.lines import Blamed, CaseLine, Header, Suite, Summary
from patchwork_ref.report.record import Record, read_record


def record(outcomes, complete=True, planned=None, **header):
    """A report with these outcomes by fixture; `outcome/rule` for a failure."""
    names = tuple(planned if planned is not None else outcomes)
    made = Record(Header({"rulebook": "r"}, {"name": "e"}, Suite("gate", "d", names), {}, {}, **header))
    for name, word in outcomes.items():
        outcome, _, rule = word.partition("/")
        made.take(CaseLine(name, outcome, "must", blame=Blamed(rule) if rule else None))
    if complete:
        made.take(Summary("", 0, {}, 1.0))
    return made


@pytest.mark.parametrize(("before", "after", "change", "worse"), [
    ("agreed", "diverged/r", "newly failing", True),
    ("skipped", "diverged/r", "newly failing", True),
    ("diverged/r", "agreed", "newly passing", False),
    ("diverged/r", "diverged/s", "changed", False),
    ("diverged/r", "crashed/r", "changed", True),
    ("crashed/r", "diverged/r", "changed", False),
    ("agreed", "skipped", "no longer run", True),
    ("diverged/r", "skipped", "no longer run", True),
    ("skipped", "agreed", "run again", False),
    ("skipped", "not-applicable", "changed", False),
    ("agreed", None, "removed", False),
    (None, "agreed", "added", False),
    (None, "diverged/r", "added, failing", True),
])
def test_every_change_has_a_name_and_a_direction(before, after, change, worse):
    """A new failure, a worse kind of failure and less played are worse; everything else is not."""
    found = compared(record({"a": before} if before else {}), record({"a": after} if after else {}))
    (changed,) = found.changes
    assert (changed.change, changed.worse) == (change, worse) and found.exit_code == int(worse)
    assert comparison_json(found)[change.replace(", ", "_").replace(" ", "_")][0]["fixture"] == "a" and change in comparison_text(found)


def test_a_report_against_itself_is_the_same():
    """Nothing changes from a report to itself."""
    one = record({"a": "agreed", "b": "diverged/r", "c": "skipped"})
    found = compared(one, one)
    assert found.changes == () and found.remarks == () and found.exit_code == 0 and comparison_text(found).splitlines()[-1].startswith("THE SAME")


def test_what_was_better_one_way_is_worse_the_other():
    """Of two reports of the same fixtures that differ in an outcome's kind, exactly one direction is worse."""
    words = ("agreed", "skipped", "diverged/r", "crashed/r")
    for a in words:
        for b in words:
            there, back = (compared(record({"a": x}), record({"a": y})).worse for x, y in ((a, b), (b, a)))
            assert (there, back) == (False, False) if a == b else there or back, (a, b)


def test_a_run_that_was_killed_is_worse():
    """A second run that did not reach its end is worse than a first that did; what it did not play is no longer run."""
    found = compared(record({"a": "agreed", "b": "agreed"}), record({"a": "agreed"}, complete=False, planned=["a", "b"]))
    assert found.worse and [(c.fixture, c.change) for c in found.changes] == [("b", "no longer run")] and "did not reach its end" in found.remarks[0]


def test_other_rules_are_remarked():
    """Reports by different rulebooks, rulesets or engines say so."""
    one = record({"a": "agreed"})
    other = record({"a": "agreed"}, ruleset="original")
    other.header = msgspec.structs.replace(other.header, rules={"x": "2"}, engine={"name": "f"})
    one.header = msgspec.structs.replace(one.header, rules={"x": "1"}, ruleset="revised")
    text = " ".join(compared(one, other).remarks)
    assert "different engines" in text and "different rules: revised, then original" in text and "rules whose text changed: x" in text


def test_the_command_reads_what_check_wrote(written, capsys):
    """`compare` of two report folders names the fixtures that changed, as text and as JSON, with the exit code of the direction."""
    fine, once = str(written("Fine")), str(written("Once"))
    assert run(["compare", fine, once]) == 1
    assert "newly failing" in capsys.readouterr().out
    assert run(["compare", once, fine, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert "track-income/two-in-one-move" in [c["fixture"] for c in document["newly_passing"]] and document["worse"] is False
    assert run(["compare", fine, once + "/report.jsonl"]) == 1
    assert run(["compare", fine, "/no/such/report"]) == 2


@pytest.mark.parametrize("engine", ["Fine", "Once", "Skipping", "Crashing"])
def test_a_printed_document_is_a_report_too(written, engine):
    """The document that `check` printed compares as the same as its report, with the same verdict."""
    lines, document = read_record(written(engine)), read_record(written(engine) / "check.json")
    found = compared(lines, document)
    assert found.changes == () and document.verdict == lines.verdict and document.counts == lines.counts
