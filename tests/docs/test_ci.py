"""The page on CI: its snippets are what the product takes."""

from __future__ import annotations

import json
import shlex

import pytest
import yaml

from patchwork_ref.cli.baseline import update
from patchwork_ref.cli.check import check
from patchwork_ref.report import baseline, derived, lines
from patchwork_ref.report.record import Record
from patchwork_ref.report.versions import SUITE, versions, versions_line


def options(command):
    return {name for parameter in command.params for name in parameter.opts if name.startswith("--")}


def test_the_workflow_uses_options_that_exist(blocks):
    """The workflow is YAML, and its `check` names the engine and only options that there are."""
    (text,) = [text for language, text in blocks("ci.md") if language == "yaml"]
    steps = yaml.safe_load(text)["jobs"]["patchwork"]["steps"]
    (words,) = [shlex.split(step["run"]) for step in steps if step.get("run", "").startswith("patchwork-ref check")]
    assert {word for word in words if word.startswith("--")} <= options(check)
    assert words[words.index("--report") + 1] in [step.get("with", {}).get("path") for step in steps]


def test_the_entry_shown_is_an_entry(blocks, tmp_path, root):
    """The baseline line on the page is read as it stands, and its fields are those of the table."""
    (text,) = [text for language, text in blocks("ci.md") if language == "json"]
    (tmp_path / "known.jsonl").write_text(text)
    (entry,) = baseline.read_baseline(tmp_path / "known.jsonl").entries.values()
    assert set(json.loads(text)) == set(entry.__struct_fields__)
    page = (root / "docs" / "ci.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in entry.__struct_fields__)
    (line,) = [line.strip() for line in page.splitlines() if line.strip().startswith("patchwork-ref baseline update")]
    assert {word for word in shlex.split(line) if word.startswith("--")} <= options(update)


def test_every_file_and_kind_of_line_is_described(root):
    """The page names every file that a report has and every kind of line, and no other."""
    page = (root / "docs" / "ci.md").read_text(encoding="utf-8")
    section = page.split("## What a report holds")[1].split("\n## ")[0]
    named = {line.split("`")[1] for line in section.splitlines() if line.startswith("| `")}
    empty = Record(lines.Header({}, {}, lines.Suite("gate", "", ()), {}, {}))
    assert named == {lines.NAME, *derived.derived(empty), "FIXTURE.json"}
    assert {line.split("`")[1] for line in section.splitlines() if line.startswith("- `")} == set(lines.KINDS)


def test_every_pytest_option_is_described(root):
    """The page's table has exactly the plugin's options."""
    from patchwork_ref import pytest_plugin

    parser = pytest.Parser(_ispytest=True)
    pytest_plugin.pytest_addoption(parser, pytest.PytestPluginManager())
    known = {name for option in parser.getgroup("patchwork").options for name in option.names()}
    section = (root / "docs" / "ci.md").read_text(encoding="utf-8").split("## As pytest items")[1].split("\n## ")[0]
    assert {line.split("`")[1] for line in section.splitlines() if line.startswith("| `--")} == known


def test_the_versions_are_those_of_the_policy(root, rulebook):
    """The line on the page has the form of the line that is printed, with the suite's version of today, and every axis has its row."""
    page = (root / "docs" / "versions.md").read_text(encoding="utf-8")
    shown = page.split("```\n")[1].strip()
    now = versions(rulebook)
    assert versions_line({**now, "rulebook": shown.rsplit(" ", 1)[1]}) == shown and SUITE in shown
    assert all(f"| {axis} |" in page for axis in ("protocol", "format", "suite", "rulebook"))
