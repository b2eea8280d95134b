"""The lines of ``report.jsonl``: what may stand in each. Written as a run goes on; everything else is derived from them.

    header    first: what is run, on which engine, by which rules
    case      one a fixture, as it ends
    blame     of a failed fixture, what is known only when all have been played; it replaces that of the case
    summary   last; a report without it is of a run that was killed
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec import Struct

NAME = "report.jsonl"

PROCESS = ("crashed", "hung", "protocol-error", "cannot-start", "flaky")
"""Outcomes by which an engine's process fails."""

FINE = ("agreed", "skipped", "not-applicable", "inconclusive")
"""Outcomes that are no failure."""


class Line(Struct, frozen=True, omit_defaults=True, tag_field="line"):
    """One JSON object on a line of its own. Readers ignore fields and kinds of line that they do not know."""


class Suite(Struct, frozen=True, omit_defaults=True):
    """``fixtures`` are the ids to be played, in order; ``digest`` is of the ids and contents."""

    tier: str
    digest: str
    fixtures: tuple[str, ...]
    folder: str = ""  # when it is not the shipped one
    known: int = 0    # entries of the baseline
    baseline: str = ""
    unknown: tuple[str, ...] = ()  # ids in the baseline that no fixture has


class Accepted(Struct, frozen=True, omit_defaults=True):
    """What ``check --accept-readings`` judges by: the ``readings`` of the engine that are not those asked for; what no game
    tells apart is ``open``, what cannot be told is ``undecided``, with the reason. ``unexplained`` are games that no reading explains and
    that are no fixture of the run, ``failure`` is why the process failed in one of these."""

    readings: dict[str, str] = {}
    open: dict[str, tuple[str, ...]] = {}
    undecided: dict[str, str] = {}
    unexplained: tuple[str, ...] = ()
    failure: str = ""


class Header(Line, frozen=True, omit_defaults=True, tag="header"):
    """``versions`` and ``rules`` (a digest for each rule) say what was judged by; ``arguments`` how to run it again;
    ``accepted`` is there when the engine was judged by its own readings."""

    versions: dict[str, Any]
    engine: dict[str, Any]
    suite: Suite
    readings: dict[str, str]
    rules: dict[str, str]
    ruleset: str | None = None
    seed: int = 0
    arguments: dict[str, Any] = {}
    started: str = ""
    accepted: Accepted | None = None


class FieldDifference(Struct, frozen=True):
    """One field of the protocol's state (or ``score``, ``winner``), expected and got."""

    field: str
    player: int | None
    expected: Any
    got: Any


class Known(Struct, frozen=True, omit_defaults=True):
    """A baseline entry, and what became of it: ``known`` (it fails as foretold), ``stale`` (it does not fail any more),
    ``expired``, ``changed`` (it fails in another way), ``not-run`` (skipped)."""

    state: str
    reason: str
    link: str = ""
    expires: str = ""
    line: int = 0


class Said(Struct, frozen=True, omit_defaults=True):
    """One protocol message, cut, with its full size in bytes."""

    direction: str
    text: str
    size: int


class Sight(Struct, frozen=True, omit_defaults=True):
    """What differs, and where: of the shrunk game. The fields are those of a case."""

    outcome: str
    action: int = 0
    actions: int = 0
    kind: str = ""
    text: str = ""
    differences: tuple[FieldDifference, ...] = ()
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    code_expected: str = ""
    player: int | None = None
    move: str = ""
    board: tuple[str, ...] = ()


class Blamed(Struct, frozen=True, omit_defaults=True):
    """What a failed fixture is blamed on. ``position`` is ``FILE:LINE`` in the rulebook, ``replay`` the command that
    plays it again, ``game`` a file with the shrunk game, ``sight`` what differs there."""

    rule: str = ""
    position: str = ""
    says: str = ""
    how: str = ""
    reading: str = ""
    mutant: str = ""
    shrunk: tuple[int, int] | None = None  # actions before and after
    replay: str = ""
    game: str = ""
    sight: Sight | None = None


class BlameLine(Line, frozen=True, omit_defaults=True, tag="blame"):
    """The blame of a fixture that failed, told again when all have been played."""

    fixture: str
    blame: Blamed


class CaseLine(Line, frozen=True, omit_defaults=True, tag="case"):
    """One fixture: its outcome, and of a failure everything that a person needs.

    ``action`` is the number of the first action that differs, of ``actions``; 0 is the set-up. ``move`` is that action
    with the ``player`` who makes it, ``board`` his quilt after it with the placement marked.
    """

    fixture: str
    outcome: str
    level: str
    title: str = ""
    file: str = ""  # of the suite, with the line in it
    at: int = 0
    exercises: tuple[str, ...] = ()
    seconds: float = 0.0
    action: int = 0
    actions: int = 0
    kind: str = ""
    text: str = ""
    differences: tuple[FieldDifference, ...] = ()
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    code_expected: str = ""
    player: int | None = None
    move: str = ""
    board: tuple[str, ...] = ()
    messages: tuple[Said, ...] = ()
    stderr: str = ""
    blame: Blamed | None = None
    known: Known | None = None

    @property
    def failed(self) -> bool:
        """Whether the engine did not do what the fixture says; what is left unspecified never fails, a fallen process does."""
        return self.outcome not in FINE and (self.level != "unspecified" or self.outcome in PROCESS)

    @property
    def counts_against(self) -> bool:
        """Whether the run fails for it."""
        if self.known is not None and self.known.state in ("stale", "expired"):
            return True
        return self.failed and (self.known is None or self.known.state != "known")

    @property
    def rule(self) -> str:
        return self.blame.rule if self.blame is not None else ""


class Summary(Line, frozen=True, omit_defaults=True, tag="summary"):
    """The end. ``failure`` says why the engine could not be used any more, ``interrupted`` by what signal the run was ended."""

    verdict: str
    exit_code: int
    counts: dict[str, int]
    seconds: float
    restarts: int = 0
    failure: dict[str, Any] | None = None
    explanation: dict[str, Any] | None = None
    cause: str = ""  # what one change of a rule explains
    rules: dict[str, int] = {}  # how often each rule fired in agreeing actions
    never: tuple[str, ...] = ()  # rules that none of the fixtures exercised
    reject_codes: dict[str, int] = {}
    interrupted: str = ""


KINDS: dict[str, type[Line]] = {"header": Header, "case": CaseLine, "blame": BlameLine, "summary": Summary}


def written(line: Line) -> bytes:
    """One line with its end."""
    return msgspec.json.encode(line, order="deterministic") + b"\n"


def read_line(text: bytes) -> Line | None:
    """The line, or None for a kind of a later version. Raises msgspec.MsgspecError for what is no line."""
    raw = msgspec.json.decode(text, type=dict[str, Any])
    kind = KINDS.get(raw.get("line", ""))
    return msgspec.convert(raw, kind) if kind is not None else None


def schema_text() -> str:
    """The JSON Schema (draft 2020-12) of one line, as it is published."""
    kinds, definitions = msgspec.json.schema_components(list(KINDS.values()))
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "report.schema.json", "title": "A line of report.jsonl"}
    return json.dumps({**head, "oneOf": list(kinds), "$defs": definitions}, indent=2) + "\n"
