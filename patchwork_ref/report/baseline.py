"""Known failures: a file with one JSON object a line, each with its reason. Only new failures then fail a run.

    {"fixture": "track/income-last-space", "reason": "pays one space early", "link": "https://example.org/7", "expires": "2027-06-30", "outcome": "diverged"}

``fixture`` and ``reason`` must be there. An entry counts through the day on which it ``expires``. With an ``outcome``,
a failure of another kind is a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any, get_args

import msgspec
from msgspec import Meta, Struct

from patchwork_ref.conformance.judge import Outcome
from patchwork_ref.errors import InputError
from patchwork_ref.report.lines import FINE, Known
from patchwork_ref.report.record import Record

Text = Annotated[str, Meta(min_length=1)]


class Entry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One known failure, as it stands on its line."""

    fixture: Text
    reason: Text
    link: str = ""
    expires: date | None = None
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Baseline:
    """Entries by fixture id, and the line of each in the file."""

    file: str = ""
    entries: Mapping[str, Entry] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)

    def known(self, fixture: str, outcome: str, failed: bool, today: date | None = None) -> Known | None:
        """What the file says of a fixture that ended so; None when it says nothing."""
        entry = self.entries.get(fixture)
        if entry is None:
            return None
        expires = entry.expires
        if expires is not None and (today or datetime.now(UTC).date()) > expires:
            state = "expired"
        elif failed:
            state = "changed" if entry.outcome not in ("", outcome) else "known"
        else:
            state = "stale" if outcome == "agreed" or outcome not in FINE else "not-run"
        return Known(state, entry.reason, entry.link, expires.isoformat() if expires is not None else "", self.lines.get(fixture, 0))

    def unknown(self, fixtures: Iterable[str]) -> tuple[str, ...]:
        """The ids that no fixture of the suite has."""
        there = set(fixtures)
        return tuple(name for name in self.entries if name not in there)


def read_baseline(path: str | Path) -> Baseline:
    """Raises InputError with the line of the first entry that cannot be used."""
    entries: dict[str, Entry] = {}
    lines: dict[str, int] = {}
    try:
        texts = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; name a file of known failures, or write one with 'baseline update'") from None
    for number, text in enumerate(texts, 1):
        if not text.strip():
            continue
        what = f"{path}:{number}"
        try:
            entry = msgspec.json.decode(text, type=Entry)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise InputError(f'{what}: {error}; an entry is {{"fixture": ID, "reason": TEXT}}, perhaps with link, expires (YYYY-MM-DD) and outcome') from None
        if entry.outcome and (entry.outcome in FINE or entry.outcome not in get_args(Outcome)):
            failing = [name for name in get_args(Outcome) if name not in FINE]
            raise InputError(f"{what}: {entry.outcome!r} is no outcome of a failure; there are {', '.join(failing)}")
        if entry.fixture in entries:
            raise InputError(f"{what}: {entry.fixture} stands on line {lines[entry.fixture]} already; keep one of the two")
        entries[entry.fixture], lines[entry.fixture] = entry, number
    return Baseline(str(path), entries, lines)


def updated(old: Baseline, record: Record, reason: str, link: str = "", expires: date | None = None) -> tuple[list[Entry], list[str], list[str]]:
    """The entries after a run: those that still fail keep what was written of them, those that pass go, new failures
    come with the reason given. With them the ids added and removed. What was not run is left as it is."""
    failing = {c.fixture: c for c in record.cases.values() if c.failed}
    passing = {c.fixture for c in record.cases.values() if not c.failed and c.outcome not in ("skipped", "not-applicable", "inconclusive")}
    kept, added = [], []
    for name, entry in old.entries.items():
        if name in passing:
            continue
        case = failing.get(name)
        kept.append(msgspec.structs.replace(entry, outcome=case.outcome) if case is not None and entry.outcome not in ("", case.outcome) else entry)
    for name, case in failing.items():
        if name not in old.entries:
            kept.append(Entry(name, reason, link, expires, case.outcome))
            added.append(name)
    return kept, added, [name for name in old.entries if name in passing]


def baseline_text(entries: Iterable[Entry]) -> str:
    """The file: a line each, in the order of the ids."""
    return "".join(_line(entry) + "\n" for entry in sorted(entries, key=lambda e: e.fixture))


def _line(entry: Entry) -> str:
    built: dict[str, Any] = msgspec.to_builtins(entry)
    return msgspec.json.format(msgspec.json.encode(built), indent=0).decode()
