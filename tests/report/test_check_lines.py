"""The lines of a report: streamed, complete, and readable however the run ended."""

from __future__ import annotations

import json
import re

import jsonschema
import msgspec
import pytest

from patchwork_ref.cli.main import run
from patchwork_ref.errors import InputError
from patchwork_ref.machine.codec import dumps
from patchwork_ref.report.check import check_json, check_text
from patchwork_ref.report.lines import NAME, read_line, schema_text
from patchwork_ref.report.record import read_record


def lines_of(folder):
    return [json.loads(line) for line in (folder / NAME).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("engine", ["Fine", "Once", "Crashing", "Skipping", "Nothing"])
def test_every_line_fits_the_published_schema(written, root, engine):
    """Whatever an engine does, each line of its report is valid under `docs/report.schema.json`, which is what the code gives."""
    published = (root / "docs" / "report.schema.json").read_text(encoding="utf-8")
    assert published == schema_text()
    validator = jsonschema.Draft202012Validator(json.loads(published))
    for line in lines_of(written(engine)):
        validator.validate(line)


def test_the_header_says_what_was_judged_by(written, rulebook):
    """The first line names tool, versions, a digest of every rule, the engine, seed, arguments and every fixture to be played."""
    header = lines_of(written("Once"))[0]
    assert header["line"] == "header"
    assert set(header["versions"]) == {"tool", "protocol", "format", "report", "suite", "rulebook"}
    assert header["versions"]["rulebook"] == rulebook.digest and header["rules"] == rulebook.rule_digests
    assert header["engine"]["name"] == "patchwork-plain-python" and header["engine"]["command"] == "python:report_engines:Once"
    assert header["arguments"]["tier"] == "gate" and header["arguments"]["seed"] == 0
    assert len(header["suite"]["fixtures"]) == len(set(header["suite"]["fixtures"])) > 5


def test_one_line_a_case_and_a_summary(written):
    """After the header comes one line a planned fixture, in order, and last the summary with verdict and counts."""
    header, *lines = lines_of(written("Once"))
    assert [line["fixture"] for line in lines if line["line"] == "case"] == header["suite"]["fixtures"]
    summary = lines[-1]
    assert summary["line"] == "summary" and summary["verdict"] == "diverges" and summary["exit_code"] == 1
    assert sum(summary["counts"].values()) == len(header["suite"]["fixtures"])


def test_a_failure_carries_what_a_person_needs(written):
    """A failed case's line has rule, place in the YAML, action, differences and the command that plays it again."""
    case = read_record(written("Once")).cases["track-income/two-in-one-move"]
    assert case.outcome == "diverged" and case.rule == "track/income" and case.action == case.actions
    assert case.blame is not None and re.fullmatch(r"[^:]+\.yaml:\d+", case.blame.position)
    assert [(d.field, d.expected - d.got) for d in case.differences] == [("buttons", 1)]
    assert "replay track-income/two-in-one-move --engine python:report_engines:Once" in case.blame.replay


def test_what_is_read_back_is_what_was_printed(check, written):
    """The JSON document and the text of a run are those of its report read back, but for the time it took."""
    record = read_record(written("Skipping"))
    code, document = check("Skipping")
    assert code == record.exit_code == 1
    assert {**document, "seconds": 0} == {**json.loads(dumps(check_json(record))), "seconds": 0}
    _, text = check("Skipping", form="text")
    assert text.splitlines()[:-1] == check_text(record).splitlines()[:-1]


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_killed_run_is_readable_and_inconclusive(written, tmp_path, cut):
    """A report cut off anywhere after its header reads as the cases that are whole, and its verdict is inconclusive."""
    whole = (written("Once") / NAME).read_bytes()
    summary = whole.rstrip(b"\n").rfind(b"\n") + 1
    (tmp_path / NAME).write_bytes(whole[: summary - cut])
    record = read_record(tmp_path)
    assert record.verdict == "inconclusive" and record.exit_code == 4 and not record.complete
    assert 0 < len(record.cases) <= record.planned
    assert "was killed" in check_text(record)


def test_a_report_of_a_later_version_is_read(written, tmp_path):
    """Fields and kinds of line that are not known are passed over."""
    header, *rest = lines_of(written("Fine"))
    more = [{**header, "weather": "fair"}, {"line": "weather", "fair": True}, *({**line, "more": [1]} for line in rest)]
    (tmp_path / NAME).write_text("".join(json.dumps(line) + "\n" for line in more), encoding="utf-8")
    assert read_record(tmp_path).verdict == "conforms"


@pytest.mark.parametrize("text", ["", "{}\n", "[]\n", "\n\n", '{"line":"summary"}\n', "\xff\x00", '{"line":"header","versions":3}\n{}\n'])
def test_what_is_no_report_is_one_line(tmp_path, capsys, text):
    """A file that is no report gives exit code 2 and one line, whatever it holds."""
    (tmp_path / NAME).write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError) as error:
        read_record(tmp_path)
    assert "\n" not in str(error.value)
    assert run(["report", str(tmp_path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_lines_are_their_own_inverse(written):
    """A line read and written again is the same bytes."""
    from patchwork_ref.report.lines import written as text_of

    for text in (written("Crashing") / NAME).read_bytes().splitlines():
        line = read_line(text)
        assert line is not None and text_of(line) == text + b"\n"
        assert msgspec.json.decode(text)


def test_unspecified_never_fails(check):
    """What an engine does where the rules leave it open is counted by itself, and the engine conforms."""
    code, document = check("Careless")
    assert code == 0 and document["verdict"] == "conforms" and document["failures"] == []
    assert document["counts"]["unspecified"] == 1 and document["cases"]["illegal/no-patch-field"] == "accepted-illegal"


def test_an_empty_run_is_not_green(check):
    """An engine that skips everything is inconclusive, exit code 4."""
    code, document = check("Nothing")
    assert code == 4 and document["verdict"] == "inconclusive"
    assert set(document["counts"]) == {"skipped"}


def test_a_process_failure_outweighs(check):
    """A crash gives exit code 3 beside everything else, and its case says what the engine wrote last."""
    code, document = check("Crashing")
    assert code == 3 and document["verdict"] == "adapter-failure" and document["counts"]["crashed"] == 1
    assert [f["outcome"] for f in document["failures"]] == ["crashed"]


def test_a_report_folder_that_cannot_be_written_is_one_line(tmp_path, capsys, small_suite):
    """A folder that cannot be made is exit code 2 and one line, before anything is run."""
    (tmp_path / "file").write_text("")
    assert run(["check", "reference", "--suite", str(small_suite), "--report", str(tmp_path / "file" / "below")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
