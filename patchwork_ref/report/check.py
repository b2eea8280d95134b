"""A conformance report as terminal text and as the JSON document of ``check``. Both are worked out from the report's lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

import msgspec

from patchwork_ref.conformance.outcomes import Failure
from patchwork_ref.report.lines import Accepted, CaseLine, FieldDifference, Said
from patchwork_ref.report.record import Record
from patchwork_ref.report.versions import versions_line

SHOWN = 5
"""So many groups of failures are shown whole; the others in a line."""
WIDTH = 110

WORDS = {"conforms": "CONFORMS", "diverges": "DIVERGES", "adapter-failure": "THE ENGINE'S PROCESS FAILED", "inconclusive": "INCONCLUSIVE"}


def check_json(record: Record) -> dict[str, Any]:
    """The document of ``check --format json``."""
    header, summary = record.header, record.summary
    document: dict[str, Any] = {
        "verdict": record.verdict,
        "counts": record.counts,
        "failures": [failure_json(c) for c in record.failures],
        "ruleset": header.ruleset,
        "readings": header.readings,
        "suite": {"tier": header.suite.tier, "fixtures": record.planned, "folder": header.suite.folder or "shipped", "digest": header.suite.digest, "seed": header.seed},
        "engine": header.engine,
        "versions": header.versions,
        "cases": {c.fixture: c.outcome for c in record.cases.values()},
    }
    if header.accepted is not None:
        document["accepted"] = {"readings": header.accepted.readings, **msgspec.to_builtins(header.accepted)}
    if header.suite.baseline:
        document["baseline"] = {
            "file": header.suite.baseline, "known": [known_json(c) for c in record.known], "stale": [known_json(c) for c in record.stale],
            "expired": [known_json(c) for c in record.expired], "unknown": list(header.suite.unknown),
        }
    if summary is not None:
        document |= {"restarts": summary.restarts, "seconds": summary.seconds, "reject_codes": summary.reject_codes, "rules": summary.rules, "never_exercised": list(summary.never)}
        more = {"explanation": summary.explanation, "failure": summary.failure, "cause": summary.cause, "interrupted": summary.interrupted}
        document |= {name: value for name, value in more.items() if value}
    return document


def failure_json(case: CaseLine) -> dict[str, Any]:
    """One failure."""
    found: dict[str, Any] = {
        "fixture": case.fixture, "outcome": case.outcome, "rule": case.rule, "action": case.action, "kind": case.kind, "level": case.level, "text": case.text,
        "replay": case.blame.replay if case.blame is not None else "", "differences": msgspec.to_builtins(case.differences),
    }
    if case.blame is not None:
        found |= {name: value for name in ("position", "how", "reading", "mutant", "game") if (value := getattr(case.blame, name))}
        found |= {"shrunk": list(case.blame.shrunk)} if case.blame.shrunk is not None else {}
    return found


def known_json(case: CaseLine) -> dict[str, Any]:
    """One entry of the baseline, with how its fixture ended."""
    entry = {name: value for name, value in msgspec.to_builtins(case.known).items() if name not in ("state", "line")}
    return {"fixture": case.fixture, "outcome": case.outcome, **entry}


def check_text(record: Record, width: int = WIDTH) -> str:
    """What a person reads: the verdict last, the first failure of each group whole."""
    header, summary = record.header, record.summary
    lines = [f"{record.engine_name}    ruleset {record.rules_words}    tier {header.suite.tier}, {record.planned} cases", versions_line(header.versions), ""]
    if summary is not None and summary.explanation is not None:
        lines += [f"Every failure is explained by another reading: check it with {summary.explanation['option']}", ""]
    if summary is not None and summary.cause:
        lines += [f"Likely cause: {summary.cause}", ""]
    groups = record.groups()
    for _, cases in groups[:SHOWN]:
        lines += [*failure_text(cases[0], width), *([f"  and {len(cases) - 1} more: {some(c.fixture for c in cases[1:])}"] if len(cases) > 1 else []), ""]
    lines += [f"FAIL {rule or 'without a rule'}: {some(c.fixture for c in cases)}" for rule, cases in groups[SHOWN:]]
    if summary is not None and summary.failure is not None:
        lines += [f"The engine's process failed: {summary.failure['reason']}", ""]
    lines += baseline_text(record)
    if summary is not None and summary.never:
        lines += [f"Rules that nothing here exercised: {some(summary.never, 12)}", ""]
    if record.unspecified:
        lines += [f"Different where the rules leave it open, which is no failure: {some(c.fixture for c in record.unspecified)}", ""]
    lines.append(closing(record))
    if header.accepted is not None:
        lines += accepted_text(record.verdict, header.accepted)
    return "\n".join(lines)


def failure_text(case: CaseLine, width: int = WIDTH) -> list[str]:
    """One failure with its rule, what differs, and the command that plays it again."""
    blame = case.blame
    where = f" ({blame.position.rsplit('/', 1)[-1]})" if blame is not None and blame.position else ""
    rule = f"   rule {blame.rule}{where}" if blame is not None and blame.rule else ""
    lines = [f"FAIL {case.fixture}   {case.level}{rule}", f"  {case.title}"]
    if case.known is not None and case.known.state != "known":
        lines.append(f"  {known_text(case)}")
    if blame is not None and blame.says:
        lines += textwrap.wrap(f"The rule: {blame.says}", width, initial_indent="  ", subsequent_indent="    ")
    if blame is not None and blame.shrunk is not None:
        lines.append(f"  game shrunk from {blame.shrunk[0]} to {blame.shrunk[1]} actions")
    seen = blame.sight if blame is not None and blame.sight is not None else case
    at = f"at action {seen.action}{f' of {seen.actions}' if seen.action <= seen.actions else ''}" if seen.action else "at the set-up"
    who = f" (player {seen.player}: {seen.move})" if seen.move else ""
    lines.append(f"  {seen.outcome} {at}{who}: {one_line(seen.text)}")
    lines += [f"    {difference_text(d)}" for d in seen.differences[:8]]
    lines += [f"    missing: {a}" for a in seen.missing] + [f"    not legal: {a}" for a in seen.extra]
    if seen.code_expected:
        lines.append(f"    expected the rejection {seen.code_expected}")
    if blame is not None and blame.how:
        lines.append(f"  It looks like {blame.rule} {blame.how}." if not blame.how.startswith("as in") else f"  It plays {blame.how}.")
    if blame is not None and blame.mutant:
        lines.append(f"  It behaves like the mutant {blame.mutant}.")
    if seen.board:
        lines += [f"  player {seen.player}'s quilt, this placement as @:", *(f"    {row}" for row in seen.board)]
    lines += [f"  {line}" for line in said(case.messages, case.stderr)]
    if blame is not None and blame.replay:
        lines.append(f"  Replay:  {blame.replay}")
    return lines


def difference_text(difference: FieldDifference) -> str:
    """One field; of a quilt only the cells that differ."""
    owner = "" if difference.player is None else f"player {difference.player} "
    expected, got = difference.expected, difference.got
    if difference.field == "quilt" and isinstance(expected, str) and isinstance(got, str) and len(expected) == len(got):
        pairs = list(enumerate(zip(expected, got, strict=True)))
        lacking = " ".join(str(cell) for cell, (a, b) in pairs if a == "#" and b != "#")
        beyond = " ".join(str(cell) for cell, (a, b) in pairs if a != "#" and b == "#")
        return f"{owner}quilt" + (f"    should be filled: {lacking}" if lacking else "") + (f"    should be empty: {beyond}" if beyond else "")
    return f"{owner}{difference.field}    expected {_short(expected)}    got {_short(got)}"


def baseline_text(record: Record) -> list[str]:
    """What became of the known failures."""
    if not record.header.suite.baseline:
        return []
    lines = [f"KNOWN {c.fixture}: {c.outcome}; {known_text(c).removeprefix('known: ')}" for c in record.known]
    lines += [f"FAIL {c.fixture}: {known_text(c)}" for c in [*record.stale, *(e for e in record.expired if not e.failed)]]
    lines += [f"In the baseline, but no fixture of the suite: {some(record.header.suite.unknown)}"] if record.header.suite.unknown else []
    return [*lines, ""] if lines else []


def known_text(case: CaseLine) -> str:
    """A baseline entry in words."""
    known = case.known
    if known is None:
        return ""
    why = known.reason + (f" ({known.link})" if known.link else "")
    return {
        "known": f"known: {why}" + (f", until {known.expires}" if known.expires else ""),
        "stale": f"a known failure that does not fail any more; take it out of the baseline ({why})",
        "expired": f"was known until {known.expires}: {why}",
        "changed": f"known, but to fail in another way: {why}",
        "not-run": f"known, and not run: {why}",
    }[known.state]


def closing(record: Record) -> str:
    """The last line: verdict and counts."""
    counts = ", ".join(f"{number} {outcome}" for outcome, number in record.counts.items()) or "nothing was run"
    summary = record.summary
    known = f"; {len(record.known)} of them known" if record.known else ""
    if summary is None:
        return f"INCONCLUSIVE: the run was killed before its end: {counts}{known}"
    untrue = len([*record.stale, *record.expired])
    known += f"; {untrue} {'entry' if untrue == 1 else 'entries'} of the baseline no longer true" if untrue else ""
    early = f" (ended early by {summary.interrupted})" if summary.interrupted else ""
    rules = f"; {len(summary.rules)} of {len(summary.rules) + len(summary.never)} rules exercised" if summary.rules else ""
    return f"{WORDS[record.verdict]}{early}: {counts}{known}{rules}; {summary.seconds:.1f} s"


def accepted_text(verdict: str, found: Accepted) -> list[str]:
    """By which readings of its own the engine was judged; the verdict last."""
    opened = [f"{name} ({' or '.join(readings)})" for name, readings in found.open.items()]
    lines = [f"Open, as no game played tells them apart beside its other readings: {', '.join(opened)}"] if opened else []
    for why in dict.fromkeys(found.undecided.values()):
        lines.append(f"Not decided: {some(name for name, reason in found.undecided.items() if reason == why)}: {why}")
    lines += [f"No reading explains {some(found.unexplained)}, found for this engine; see patchwork-ref fingerprint"] if found.unexplained else []
    lines += [f"The engine's process failed while its readings were looked for: {found.failure}"] if found.failure else []
    return [*lines, f"{verdict}, {', '.join(f'reading {a} as {r}' for a, r in found.readings.items()) or 'reading everything as asked for'}"]


def said(messages: Iterable[Said], stderr: str) -> list[str]:
    """The last messages and the tail of standard error."""
    lines = [f"  {'->' if m.direction == 'sent' else '<-'} {m.text[:160]}" for m in list(messages)[-4:]]
    tail = [line for line in stderr.splitlines() if line.strip()][-6:]
    return [*lines, *(f"  stderr: {line[:200]}" for line in tail)]


def evidence(failure: Failure) -> list[str]:
    """The same of a failure that is not in a report."""
    found = failure.evidence
    return said([Said(m.direction, m.text, m.size) for m in found.messages], found.stderr)


def first_difference(case: CaseLine) -> str:
    """The failure in one line: the first field that differs, or what the engine did."""
    return difference_text(case.differences[0]) if case.differences and case.kind == "state" else one_line(case.text)


def one_line(text: str, most: int = 300) -> str:
    """The text without line ends, cut."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 3] + "..."


def some(names: Iterable[str], most: int = 6) -> str:
    """The first names of a list, and how many more."""
    listed = list(names)
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} more" if len(listed) > most else "")


def _short(value: Any) -> str:
    if value is None:
        return "nobody"
    text = (" ".join(str(item) for item in value) or "none") if isinstance(value, (list, tuple)) else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 90 else text[:87] + "..."
