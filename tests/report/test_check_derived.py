"""What is derived from a report: JUnit, Markdown, annotations, a badge, colours, progress."""

from __future__ import annotations

import io
import json
import re

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped

from patchwork_ref.cli.checking import publish
from patchwork_ref.cli.main import run
from patchwork_ref.report.annotations import github_lines, notes
from patchwork_ref.report.colours import coloured, harmless, wanted
from patchwork_ref.report.record import read_record
from patchwork_ref.report.step_summary import code, fenced, prose, step_summary

ENGINES = ["Fine", "Once", "Crashing", "Skipping", "Nothing", "Careless"]


def junit(folder):
    found = JUnitXml.fromfile(str(folder / "junit.xml"))
    (suite,) = list(found)
    return found, suite


@pytest.mark.parametrize("engine", ENGINES)
def test_junit_has_one_case_a_fixture_and_true_totals(written, engine):
    """A JUnit reader finds one case a fixture, with totals that are the number of each kind of result."""
    record = read_record(written(engine))
    whole, suite = junit(written(engine))
    cases = list(suite)
    assert [case.name for case in cases] == list(record.header.suite.fixtures)
    results = [result for case in cases for result in case.result]
    assert suite.tests == whole.tests == len(cases)
    for number, kind in ((suite.failures, Failure), (suite.errors, Error), (suite.skipped, Skipped)):
        assert number == sum(isinstance(result, kind) for result in results)
    assert all(len(case.result) <= 1 for case in cases)


@pytest.mark.parametrize(("engine", "fixture", "kind", "word"), [
    ("Once", "track-income/two-in-one-move", Failure, "diverged"),
    ("Crashing", "perft/letter-order-depth-1", Error, "crashed"),
    ("Skipping", "perft/letter-order-depth-1", Error, "engine-error"),
    ("Skipping", "track-special/landing-by-advance", Skipped, "skipped"),
    ("Careless", "illegal/no-patch-field", Skipped, "unspecified"),
])
def test_junit_tells_failures_errors_and_skips_apart(written, engine, fixture, kind, word):
    """A divergence is a failure; a crash or an error reply is an error; a known gap and what is left open are skipped."""
    (case,) = [case for case in junit(written(engine))[1] if case.name == fixture]
    (result,) = case.result
    assert isinstance(result, kind) and result.type == word and result.message


def test_junit_has_rules_and_places(written):
    """Each case has its fixture's file and line, and the rules that it exercises as properties, the blamed one by itself."""
    record = read_record(written("Once"))
    for case in junit(written("Once"))[1]:
        line = record.cases[case.name]
        properties = [(p.get("name"), p.get("value")) for p in case._elem.iter("property")]
        assert [value for name, value in properties if name == "rule"] == list(line.exercises) != []
        assert [value for name, value in properties if name == "blamed.rule"] == ([line.rule] if line.failed else [])
        assert case._elem.get("file") == line.file and int(case._elem.get("line")) == line.at > 0
        assert case.classname == f"patchwork.{line.file.removesuffix('.jsonl')}"


def test_the_line_of_a_fixture_is_where_it_stands(written, small_suite):
    """File and line of a case lead to its fixture."""
    for line in read_record(written("Fine")).cases.values():
        assert json.loads((small_suite / line.file).read_text(encoding="utf-8").splitlines()[line.at - 1])["id"] == line.fixture


def test_junit_of_a_killed_run_is_red(written, tmp_path):
    """In the JUnit form of a run that was killed, what was never played is an error."""
    from patchwork_ref.report.junit import junit_xml

    lines = (written("Fine") / "report.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "report.jsonl").write_bytes(b"".join(lines[:3]))
    record = read_record(tmp_path)
    whole = JUnitXml.fromstring(junit_xml(record).encode())
    assert whole.tests == record.planned and whole.errors == record.planned - 2 > 0


@pytest.mark.parametrize("engine", ENGINES)
def test_every_artefact_states_the_versions(written, engine):
    """Protocol, format, suite and rulebook stand in every derived file; the badge has room for the suite alone."""
    folder = written(engine)
    stated = read_record(folder).header.versions
    for name in ("junit.xml", "summary.md", "annotations.json", "check.json", "report.jsonl"):
        text = (folder / name).read_text(encoding="utf-8")
        assert stated["rulebook"] in text and re.search(rf'suite\W+(value="|version )?{re.escape(stated["suite"])}|suite {re.escape(stated["suite"])}', text), name
    assert stated["suite"] in json.loads((folder / "badge.json").read_text())["message"]


@pytest.mark.parametrize(("engine", "colour"), [("Fine", "brightgreen"), ("Once", "red"), ("Crashing", "red"), ("Nothing", "lightgrey")])
def test_the_badge_has_the_fields_of_the_endpoint(written, engine, colour):
    """The badge has exactly the fields that a shields endpoint needs, and the verdict's colour."""
    found = json.loads((written(engine) / "badge.json").read_text(encoding="utf-8"))
    assert set(found) == {"schemaVersion", "label", "message", "color"} and found["schemaVersion"] == 1 and found["color"] == colour


def test_annotations_are_grouped_by_rule(written):
    """One annotation a blamed rule, at no file (none of the engine's is known), with the rule's words and every fixture meant."""
    record = read_record(written("Once"))
    (found,) = json.loads((written("Once") / "annotations.json").read_text(encoding="utf-8"))["annotations"]
    assert found["title"] == "rule track/income" and found["level"] == "error" and "file" not in found and "line" not in found
    assert "Each button space on the way pays" in found["message"] and ".yaml:" in found["message"]
    assert sorted(found["fixtures"]) == sorted(case.fixture for case in record.failures)
    assert notes(read_record(written("Fine"))) == []


def test_annotations_are_workflow_commands_of_one_line(written):
    """A workflow command is one line: line ends, percent signs, and in its settings colons and commas, are escaped."""
    (line,) = github_lines(read_record(written("Once")))
    assert re.fullmatch(r"::error title=rule track/income::[^\n]+", line) and "%0A" in line


def test_github_alone_gets_commands_and_the_summary(written, monkeypatch, tmp_path, capsys):
    """Commands are printed, on standard error, only where GITHUB_ACTIONS is set; the step's summary is added to where its file is named."""
    record = read_record(written("Once"))
    publish(record, "json")
    assert "::error" not in "".join(capsys.readouterr())
    page = tmp_path / "page.md"
    page.write_text("before\n")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    publish(record, "json")
    out, err = capsys.readouterr()
    assert json.loads(out)["verdict"] == "diverges" and err.count("::error title=") == 1
    assert page.read_text(encoding="utf-8").startswith("before\n## ❌")


def test_markdown_cannot_be_broken_out_of(written):
    """What an engine says ends no table cell, no code block and no span, and brings no HTML."""
    text = step_summary(read_record(written("Skipping")))
    outside = re.sub(r"^(`{3,})text\n.*?\n\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert "<b>" not in outside.replace("\\<b\\>", "")
    rows = [re.sub(r"\\\|", "", line) for line in outside.splitlines() if line.startswith("|")]
    assert all(row.count("|") in (3, 4) for row in rows), rows


@pytest.mark.parametrize("text", ["a`b", "``", "|", "a\nb", "", "`"])
def test_code_spans_hold_any_text(text):
    """A code span is delimited by more ticks than stand in it, in one line and without a bar."""
    found = code(text)
    ticks = re.match("`+", found)[0]
    assert found.endswith(ticks) and ticks not in found[len(ticks) : -len(ticks)] and "\n" not in found and "|" not in found


def test_fences_and_prose_hold_any_text():
    """A block's fence is longer than any run of ticks in it, and prose keeps no sign of mark-up bare."""
    assert fenced(["````", "x"])[0] == "`````text"
    assert prose("*a* <b> [c](d) `e`") == r"\*a\* \<b\> \[c\](d) \`e\`"


def test_colours_only_on_a_terminal():
    """Colour needs a terminal, and NO_COLOR or a dumb terminal takes it away."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert wanted(Terminal(), {}) and not wanted(io.StringIO(), {})
    assert not wanted(Terminal(), {"NO_COLOR": "1"}) and not wanted(Terminal(), {"TERM": "dumb"})
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured("FAIL a\nx\nCONFORMS: 1")) == "FAIL a\nx\nCONFORMS: 1"
    assert coloured("FAIL a").startswith("\x1b[") and coloured("x FAIL") == "x FAIL"


def test_nothing_that_an_engine_prints_reaches_the_terminal_raw(written, capsys):
    """Control characters in an engine's output are shown as signs, never sent to the terminal."""
    publish(read_record(written("Crashing")), "text")
    text = capsys.readouterr().out
    assert "no perft" in text and "\x1b" not in text and "\x01" not in text
    assert harmless("a\x1b[0m\tb\n\x9b") == "a�[0m\tb\n�"


def test_the_text_is_as_wide_as_the_terminal(written, monkeypatch, capsys):
    """What we say ourselves of a rule is wrapped to the terminal."""
    monkeypatch.setenv("COLUMNS", "70")
    publish(read_record(written("Once")), "text")
    text = capsys.readouterr().out
    assert "The rule:" in text
    assert all(len(line) <= 70 for line in text.splitlines() if "The rule:" in line)


def test_progress_is_a_bar_on_a_terminal_and_lines_elsewhere(monkeypatch, small_suite, written):
    """A terminal sees a bar that is gone at the end, a log a line for each while of waiting, and --quiet nothing."""
    from patchwork_ref.report import progress as shown

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    record = read_record(written("Once"))
    case = record.cases["track-income/two-in-one-move"]
    monkeypatch.setattr(shown, "PAUSE", 0.0)
    for stream, expected in ((io.StringIO(), f"{len(record.cases)} of {record.planned} cases, 1 failed\n"), (Terminal(), None)):
        with shown.progress(False, stream) as look:
            look(record, None)
            look(record, case)
        assert stream.getvalue() == expected if expected is not None else "failed" in stream.getvalue() or "━" in stream.getvalue()
    silent = io.StringIO()
    with shown.progress(True, silent) as look:
        look(record, case)
    assert silent.getvalue() == ""


@pytest.mark.parametrize("form", ["text", "json", "junit", "markdown", "annotations", "badge"])
def test_a_report_can_be_shown_again(written, capsys, form):
    """`report` gives every form of a report that was written, with the exit code of its verdict."""
    assert run(["report", str(written("Once")), "--format", form]) == 1
    out = capsys.readouterr().out
    files = {"json": "check.json", "junit": "junit.xml", "markdown": "summary.md", "annotations": "annotations.json", "badge": "badge.json"}
    if form != "text":
        assert out.strip() == (written("Once") / files[form]).read_text(encoding="utf-8").strip()
