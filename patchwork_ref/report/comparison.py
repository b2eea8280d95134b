"""Two reports: what changed from the first to the second, and whether anything got worse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from patchwork_ref.report.check import first_difference
from patchwork_ref.report.lines import FINE, PROCESS, CaseLine
from patchwork_ref.report.record import Record, outcome_word

Change = Literal["newly failing", "newly passing", "changed", "no longer run", "run again", "added", "added, failing", "removed"]

ORDER: tuple[Change, ...] = ("newly failing", "added, failing", "no longer run", "changed", "newly passing", "run again", "added", "removed")


@dataclass(frozen=True, slots=True)
class Changed:
    """A fixture that ended otherwise. ``before`` or ``after`` is missing for one that only the other report has."""

    fixture: str
    change: Change
    worse: bool
    before: str = ""
    after: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every change, and what makes the two reports hard to compare."""

    first: Record
    second: Record
    changes: tuple[Changed, ...]
    remarks: tuple[str, ...]

    @property
    def worse(self) -> bool:
        """Whether anything got worse: a new failure, a failure of a worse kind, less played than before."""
        return any(c.worse for c in self.changes) or (self.first.complete and not self.second.complete)

    @property
    def exit_code(self) -> int:
        return int(self.worse)


def compared(first: Record, second: Record) -> Comparison:
    """What changed from ``first`` to ``second``."""
    found = [change for name in dict.fromkeys([*_names(first), *_names(second)]) if (change := _change(name, first, second)) is not None]
    found.sort(key=lambda c: ORDER.index(c.change))
    return Comparison(first, second, tuple(found), tuple(_remarks(first, second)))


def _names(record: Record) -> list[str]:
    return list(dict.fromkeys([*record.header.suite.fixtures, *record.cases]))


def _change(name: str, first: Record, second: Record) -> Changed | None:
    planned = name in first.header.suite.fixtures, name in second.header.suite.fixtures
    old, new = first.cases.get(name), second.cases.get(name)
    before, after = (_word(old) if planned[0] or old else "", _word(new) if planned[1] or new else "")
    text = first_difference(new) if new is not None and new.failed else ""
    if not before:
        failing = new is not None and new.failed
        return Changed(name, "added, failing" if failing else "added", failing, after=after, text=text)
    if not after:
        return Changed(name, "removed", False, before=before)
    worse = _weight(new) - _weight(old)
    if before == after:
        return None
    if new is not None and new.failed:
        if old is not None and old.failed:
            return Changed(name, "changed", worse > 0, before, after, text)
        return Changed(name, "newly failing", True, before, after, text)
    if old is not None and old.failed:
        passing = new is not None and new.outcome == "agreed"
        return Changed(name, "newly passing" if passing else "no longer run", not passing, before, after)
    return Changed(name, "no longer run" if worse > 0 else "run again" if worse < 0 else "changed", worse > 0, before, after)


def _word(case: CaseLine | None) -> str:
    """Outcome and rule."""
    if case is None:
        return "not run"
    return f"{outcome_word(case)}: {case.rule}" if case.failed and case.rule else outcome_word(case)


def _weight(case: CaseLine | None) -> int:
    """How bad an outcome is: agreed, not observed, not conforming, process failed."""
    if case is None or (case.outcome in FINE and case.outcome != "agreed"):
        return 1
    if not case.failed:
        return 0
    return 3 if case.outcome in PROCESS else 2


def _remarks(first: Record, second: Record) -> Iterator[str]:
    """What differs besides the engine."""
    a, b = first.header, second.header
    if a.engine.get("name", a.engine.get("command")) != b.engine.get("name", b.engine.get("command")):
        yield f"different engines: {first.engine_name}, then {second.engine_name}"
    if first.rules_words != second.rules_words:
        yield f"different rules: {first.rules_words}, then {second.rules_words}"
    if a.suite.tier != b.suite.tier:
        yield f"different tiers: {a.suite.tier}, then {b.suite.tier}"
    if a.suite.digest != b.suite.digest:
        yield f"different fixtures: suite digest {a.suite.digest}, then {b.suite.digest}"
    changed = [name for name in a.rules if name in b.rules and a.rules[name] != b.rules[name]]
    if changed:
        yield f"rules whose text changed: {', '.join(changed)}"
    elif a.versions.get("rulebook") != b.versions.get("rulebook"):
        yield f"different rulebooks: {a.versions.get('rulebook')}, then {b.versions.get('rulebook')}"
    for word, record in (("first", first), ("second", second)):
        if not record.complete:
            yield f"the {word} run did not reach its end"


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """The document of ``compare --format json``."""
    first, second = comparison.first, comparison.second
    groups = {change.replace(", ", "_").replace(" ", "_"): [_json(c) for c in comparison.changes if c.change == change] for change in ORDER}
    return {
        "worse": comparison.worse, **groups, "remarks": list(comparison.remarks),
        "first": {"verdict": first.verdict, "counts": first.counts, "engine": first.header.engine, "versions": first.header.versions},
        "second": {"verdict": second.verdict, "counts": second.counts, "engine": second.header.engine, "versions": second.header.versions},
    }


def _json(change: Changed) -> dict[str, Any]:
    values = {"before": change.before, "after": change.after, "text": change.text}
    return {"fixture": change.fixture, "worse": change.worse, **{name: value for name, value in values.items() if value}}


def comparison_text(comparison: Comparison) -> str:
    """What changed, the bad news first."""
    first, second = comparison.first, comparison.second
    lines = [f"{first.engine_name}: {first.verdict}  ->  {second.engine_name}: {second.verdict}", *(f"note: {remark}" for remark in comparison.remarks), ""]
    for change in ORDER:
        group = [c for c in comparison.changes if c.change == change]
        if group:
            lines += [f"{change} ({len(group)})", *(f"  {c.fixture}    {' -> '.join(w for w in (c.before, c.after) if w)}{f'    {c.text}' if c.text else ''}" for c in group), ""]
    same = len({*first.cases} & {*second.cases}) - sum(bool(c.before and c.after) for c in comparison.changes)
    lines.append(f"{'WORSE' if comparison.worse else 'NOT WORSE' if comparison.changes else 'THE SAME'}: {len(comparison.changes)} changed, {same} as before")
    return "\n".join(lines)
