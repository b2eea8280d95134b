"""Replaying what a file holds, or a fixture by its id: on the reference, or on an engine beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from patchwork_ref.conformance.compare import Difference
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import Course, Do, Refuse, course_of_steps
from patchwork_ref.conformance.judge import Verdict, judge
from patchwork_ref.conformance.limits import DEFAULT_LIMITS
from patchwork_ref.conformance.naming import target_of
from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import InputError
from patchwork_ref.fixtures.model import fixture_to_json
from patchwork_ref.fixtures.read import read_fixtures
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.codec import loads, trace_from_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Refusal
from patchwork_ref.machine.setup import customised
from patchwork_ref.rulebook.model import Rulebook

LARGEST = 256_000_000
"""Bytes of a file of traces."""


@dataclass(frozen=True, slots=True)
class Replay:
    """One trace played again. ``refusal`` is the reference's, of the trace's own action number ``refused_at``."""

    name: str
    course: Course
    refused_at: int | None
    refusal: Refusal | None
    recorded: tuple[Difference, ...]  # recorded scores or expectations that the rules do not give
    verdict: Verdict | None  # of the engine, if one was asked

    @property
    def agrees(self) -> bool:
        return self.refusal is None and not self.recorded and (self.verdict is None or self.verdict.outcome == "agreed")

    @property
    def exit_code(self) -> int:
        if self.verdict is not None and self.verdict.failure is not None:
            return 3
        if self.verdict is not None and self.verdict.outcome in ("skipped", "not-applicable"):
            return 4
        return 0 if self.agrees else 1


def replay_file(file: str, rulebook: Rulebook, ruleset: str | None, readings: Sequence[str], engine: str | None = None, scale: float = 1.0,
                suite: str | None = None) -> list[Replay]:
    """Every trace or fixture of a file, or the fixture with that id. Raises InputError when there is nothing to replay.

    A trace's own readings count unless some are chosen here.
    """
    found = []
    for name, document in documents(file, suite):
        machine = _machine(document, rulebook, ruleset, readings, name)
        found.append(_replayed(name, document, machine, rulebook, engine, scale))
    return found


def documents(file: str, suite: str | None = None) -> list[tuple[str, Mapping[str, Any]]]:
    """What a file holds: one JSON object, or one a line; or the fixture with that id."""
    path = Path(file)
    if not path.exists():
        fixture = next((f for f in read_fixtures(suite) if f.id == file), None)
        if fixture is None:
            raise InputError(f"{file}: there is no such file, and no fixture with this id")
        return [(file, fixture_to_json(fixture))]
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{file} is larger than {LARGEST} bytes")
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{file} is not UTF-8 text") from None
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; name a readable file") from None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise InputError(f"{file} is empty; it should hold a trace")
    try:
        whole = [(file, loads(text, file))]
    except InputError:
        if len(lines) == 1:
            raise
        whole = [(f"{file}:{number}", loads(line, f"{file}:{number}")) for number, line in lines]
    for name, document in whole:
        if not isinstance(document, Mapping):
            raise InputError(f"{name} holds no JSON object; a trace is one")
    return whole


def _machine(document: Mapping[str, Any], rulebook: Rulebook, ruleset: str | None, readings: Sequence[str], name: str) -> Machine:
    own = document.get("ruleset")
    given = document.get("readings", {})
    if ruleset is None and not readings and isinstance(given, Mapping):
        known = own if isinstance(own, str) and own in rulebook.rulesets else None
        chosen = rulebook.readings(known, {a: str(r) for a, r in given.items() if a in rulebook.ambiguities})
    else:
        chosen = rulebook.readings(ruleset, readings)
    machine = from_rulebook(rulebook, chosen)
    setup = document.get("setup")
    if not isinstance(setup, Mapping):
        raise InputError(f"{name} has no setup")
    return customised(machine, setup)


def _replayed(name: str, document: Mapping[str, Any], machine: Machine, rulebook: Rulebook, engine: str | None, scale: float) -> Replay:
    steps = document.get("steps")
    if not isinstance(steps, list):
        steps = [{"action": a} for a in document.get("actions", ())] if isinstance(document.get("actions"), list) else None
    trace = trace_from_json({**document, "actions": [s["action"] for s in steps or () if isinstance(s, Mapping) and "action" in s]} if steps is not None else document, name)
    player = Engine(machine)
    course = course_of_steps(name, player, trace.setup, steps or [], trace.setup.neutral_token is not None)
    played = sum(isinstance(t, Do) for t in course.tasks)
    last = course.tasks[-1] if course.tasks else None
    refusal, refused_at = None, None
    if played < len(trace.actions) and isinstance(last, Refuse):
        refusal, refused_at = course.refusal(last), played + 1
    recorded = _recorded(document, course) if refusal is None else ()
    return Replay(name, course, refused_at, refusal, recorded, _asked(engine, rulebook, machine, course, scale) if engine is not None else None)


def _recorded(document: Mapping[str, Any], course: Course) -> tuple[Difference, ...]:
    """Recorded results that the rules do not give."""
    end = document.get("end")
    result = end if isinstance(end, Mapping) else document
    found = []
    if course.over and isinstance(result.get("scores"), list):
        totals, winner = list(course.score.totals), course.score.winner
        found += [Difference("score", who, totals[who], got) for who, got in enumerate(result["scores"][:2]) if totals[who] != got]
        if "winner" in result and result["winner"] != winner:
            found.append(Difference("winner", None, winner, result["winner"]))
    return tuple(found)


def _asked(engine: str, rulebook: Rulebook, machine: Machine, course: Course, scale: float) -> Verdict:
    connection = Connection.open(target_of(engine, rulebook, machine), DEFAULT_LIMITS.scaled(scale))
    if not isinstance(connection, Connection):
        return Verdict(course.name, "cannot-start", kind="process", text=connection.reason, failure=connection)
    with connection:
        verdict = judge(connection, course, looks="each")
        if connection.failure is None:
            connection.bye()
        return verdict
