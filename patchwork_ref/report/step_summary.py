"""A report as Markdown, for the summary page of a CI run."""

from __future__ import annotations

import re

from patchwork_ref.report.check import accepted_text, closing, failure_text, first_difference, known_text, some
from patchwork_ref.report.record import Record
from patchwork_ref.report.versions import versions_line

SHOWN = 10
"""So many groups of failures are shown whole."""

_MARKS = {"conforms": "✅", "diverges": "❌", "adapter-failure": "💥", "inconclusive": "❔"}


def step_summary(record: Record) -> str:
    """Verdict, counts, failures by rule with one shown whole, known failures, and how to play them again."""
    header, summary, groups = record.header, record.summary, record.groups()
    lines = [
        f"## {_MARKS[record.verdict]} Patchwork conformance: {record.verdict}", "",
        f"{code(record.engine_name)}, ruleset {code(record.rules_words)}, tier {code(header.suite.tier)}: {prose(closing(record).partition(': ')[2])}", "",
        "| outcome | cases |", "|---|---:|", *(f"| {outcome} | {number} |" for outcome, number in record.counts.items()), "",
    ]
    if summary is not None and summary.explanation is not None:
        lines += [f"**Every failure is explained by another reading:** check it with {code(summary.explanation['option'])}.", ""]
    if summary is not None and summary.cause:
        lines += [f"**Likely cause:** {prose(summary.cause)}", ""]
    if summary is not None and summary.failure is not None:
        lines += [f"**The engine's process failed:** {prose(str(summary.failure['reason']))}", ""]
    if groups:
        lines += ["### Failures by rule", "", "| rule | fixtures | first difference |", "|---|---:|---|"]
        lines += [f"| {code(rule or '-')} | {len(cases)} | {code(cases[0].fixture)}: {prose(first_difference(cases[0]))} |" for rule, cases in groups]
        lines.append("")
    for rule, cases in groups[:SHOWN]:
        more = [f"and {len(cases) - 1} more: {some((c.fixture for c in cases[1:]), 20)}"] if len(cases) > 1 else []
        head = f"<details><summary><code>{html(rule or cases[0].outcome)}</code>: {len(cases)} failed</summary>"
        lines += [head, "", *fenced([*failure_text(cases[0]), *more]), "", "</details>", ""]
    lines += baseline_lines(record)
    if header.accepted is not None:
        lines += ["### The engine's own readings", "", *(f"- {prose(line)}" for line in accepted_text(record.verdict, header.accepted)), ""]
    lines += [f"<sub>{html(versions_line(header.versions))}, suite digest {header.suite.digest}, seed {header.seed}</sub>", ""]
    return "\n".join(lines)


def baseline_lines(record: Record) -> list[str]:
    """The known failures, and what is no longer true of them."""
    cases = [*record.stale, *record.expired, *record.known]
    unknown = record.header.suite.unknown
    lines = []
    if cases:
        lines += ["### Baseline", "", "| fixture | now | |", "|---|---|---|"]
        lines += [f"| {code(c.fixture)} | {c.outcome} | {'**fails the run:** ' if c.counts_against else ''}{prose(known_text(c))} |" for c in cases] + [""]
    return lines + ([f"No fixture of the suite: {', '.join(map(code, unknown))}", ""] if unknown else [])


def code(text: str) -> str:
    """A code span in one line, whatever the text holds; a bar would end a table's cell."""
    flat = " ".join(text.split()).replace("|", "¦") or " "
    ticks = "`" * (max((len(run) for run in re.findall("`+", flat)), default=0) + 1)
    pad = " " if flat[0] == "`" or flat[-1] == "`" else ""
    return f"{ticks}{pad}{flat}{pad}{ticks}"


def prose(text: str) -> str:
    """Text in one line without any mark-up."""
    return re.sub(r"([\\`*_{}\[\]<>|~])", r"\\\1", " ".join(text.split()))


def html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def fenced(lines: list[str]) -> list[str]:
    """A code block that its content cannot end."""
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", *lines, fence]
