"""A report as JUnit XML: one test case a fixture, in the dialect that the usual CI readers share.

A divergence is a ``failure``. What kept a verdict from being reached (a crash, a hang, an error that the engine reports, a
fixture never played) is an ``error``. What does not apply, and failures that a baseline knows, are ``skipped``.
"""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree as Xml

from patchwork_ref.report.check import closing, failure_text, known_text
from patchwork_ref.report.lines import PROCESS, CaseLine
from patchwork_ref.report.record import Record

_UNFIT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold; an engine may print any."""


def junit_xml(record: Record) -> str:
    """The whole file."""
    header, summary = record.header, record.summary
    cases = [_case(record.cases[name]) if name in record.cases else _never(name) for name in header.suite.fixtures]
    found = Counter(child.tag for case in cases for child in case)
    numbers = {
        "tests": str(len(cases)), "failures": str(found["failure"]), "errors": str(found["error"]), "skipped": str(found["skipped"]),
        "time": f"{summary.seconds if summary is not None else sum(c.seconds for c in record.cases.values()):.3f}",
    }
    name = f"patchwork-ref check {header.suite.tier}"
    root = Xml.Element("testsuites", {"name": name, **numbers})
    suite = Xml.SubElement(root, "testsuite", {"name": name, **numbers, "timestamp": header.started.removesuffix("Z"), "hostname": "localhost"})
    facts = {
        "verdict": record.verdict, "engine": record.engine_name, "ruleset": record.rules_words, "tier": header.suite.tier, "seed": str(header.seed),
        **{f"version.{axis}": str(value) for axis, value in sorted(header.versions.items())}, "suite.digest": header.suite.digest,
    }
    own = [(f"reading.{a}", r) for a, r in header.accepted.readings.items()] if header.accepted is not None else []
    _properties(suite, [*facts.items(), *own])
    suite.extend(cases)
    output = Xml.SubElement(suite, "system-out")
    output.text = fit(closing(record))
    Xml.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _case(case: CaseLine) -> Xml.Element:
    area = case.file.removesuffix(".jsonl") or "fixtures"
    where = {"file": case.file, "line": str(case.at)} if case.file and case.at else {}
    found = Xml.Element("testcase", {"name": case.fixture, "classname": f"patchwork.{area}", "time": f"{case.seconds:.3f}", **where})
    rules = [("rule", rule) for rule in case.exercises]
    blamed = [(name, value) for name in ("rule", "position", "mutant", "game") if case.blame is not None and (value := getattr(case.blame, name))]
    _properties(found, [("level", case.level), *rules, *((f"blamed.{name}", value) for name, value in blamed)])
    known = case.known
    text = "\n".join(failure_text(case)) if case.failed else case.title
    if known is not None and known.state in ("stale", "expired") and not case.failed:
        _child(found, "failure", "baseline", known_text(case), text)
    elif known is not None and known.state == "known":
        _child(found, "skipped", "known-failure", f"{case.outcome}, {known_text(case)}", text)
    elif case.failed:
        tag = "error" if case.outcome in PROCESS or case.outcome == "engine-error" else "failure"
        _child(found, tag, case.outcome, f"{case.rule}: {case.text}" if case.rule else case.text, text)
    elif case.outcome == "inconclusive":
        _child(found, "error", "inconclusive", case.text or "no verdict was reached")
    elif case.outcome in ("skipped", "not-applicable"):
        _child(found, "skipped", case.outcome, case.text)
    elif case.outcome != "agreed":
        _child(found, "skipped", "unspecified", f"the rules leave this open; the engine: {case.outcome}, {case.text}")
    return found


def _never(fixture: str) -> Xml.Element:
    found = Xml.Element("testcase", {"name": fixture, "classname": f"patchwork.{fixture.partition('/')[0]}", "time": "0.000"})
    _child(found, "error", "inconclusive", "never played: the run ended before")
    return found


def _child(case: Xml.Element, tag: str, kind: str, message: str, text: str = "") -> None:
    child = Xml.SubElement(case, tag, {"type": kind, "message": fit(message)})
    child.text = fit(text) or None


def _properties(parent: Xml.Element, pairs: list[tuple[str, str]]) -> None:
    holder = Xml.SubElement(parent, "properties")
    for name, value in pairs:
        Xml.SubElement(holder, "property", {"name": name, "value": fit(value)})


def fit(text: str) -> str:
    """The text with what XML cannot hold as question marks."""
    return _UNFIT.sub("?", text)
