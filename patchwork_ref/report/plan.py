"""What is to be played: an engine, a choice of rules and a tier become cases, the header of a report, and replay commands."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from patchwork_ref.conformance.limits import DEFAULT_LIMITS, TimeLimits
from patchwork_ref.conformance.suite import Case, cases, chosen
from patchwork_ref.errors import ChoiceError
from patchwork_ref.fixtures.model import Fixture
from patchwork_ref.fixtures.read import read_fixtures
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.report.baseline import Baseline
from patchwork_ref.report.case_lines import Teller, fixture_lines
from patchwork_ref.report.lines import Accepted, Header, Suite
from patchwork_ref.report.versions import suite_digest, versions
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import load_rulebook


@dataclass(frozen=True, slots=True)
class Plan:
    """The engine as its user names it, and everything that a run of it needs. ``ruleset``, ``readings``, ``suite`` and
    ``folder`` (of the rulebook) are as they were asked for."""

    engine: str
    rulebook: Rulebook
    machine: Machine
    fixtures: tuple[Fixture, ...]  # all of the suite
    cases: tuple[Case, ...]        # those to be played
    tier: str = "gate"
    ruleset: str | None = None
    readings: tuple[str, ...] = ()
    suite: str | None = None
    folder: str | None = None
    seed: int = 0
    scale: float = 1.0
    accepted: Accepted | None = None  # of an engine that is judged by its own readings

    @property
    def limits(self) -> TimeLimits:
        return DEFAULT_LIMITS.scaled(self.scale)

    def header(self, baseline: Baseline | None = None) -> Header:
        """The first line of its report. The engine's identity is not known yet."""
        arguments = {
            "engine": self.engine, "tier": self.tier, "suite": self.suite, "ruleset": self.ruleset, "readings": list(self.readings), "rulebook": self.folder,
            "seed": self.seed, "timeout_scale": self.scale, "baseline": baseline.file if baseline is not None else None,
            "accept_readings": True if self.accepted is not None else None,
        }
        known = {"known": len(baseline.entries), "baseline": baseline.file, "unknown": baseline.unknown(f.id for f in self.fixtures)} if baseline is not None else {}
        return Header(
            versions(self.rulebook), {"command": self.engine},
            Suite(self.tier, suite_digest(self.fixtures), tuple(c.fixture.id for c in self.cases), self.suite or "", **known),  # type: ignore[arg-type]
            dict(self.machine.readings), self.rulebook.rule_digests, self.machine.ruleset, self.seed,
            {name: value for name, value in arguments.items() if value is not None}, datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"), self.accepted,
        )

    def teller(self) -> Teller:
        """What turns its verdicts into lines."""
        return Teller(self.machine, self.replay_command, fixture_lines(self.fixtures))

    def replay_command(self, what: str) -> str:
        """One command that plays a fixture or a file again on the engine."""
        return replay_command(what, self.engine, self.suite, self.ruleset, self.readings, self.folder)

    def about(self, rules: Iterable[str]) -> Plan:
        """Only the fixtures that exercise one of these rules; a name stands for all rules below it too.

        Raises ChoiceError for a name that no rule has.
        """
        wanted = tuple(rules)
        names = {*self.machine.rules, *(d.rule for d in self.machine.definitions.values() if d.rule is not None), *(r for f in self.fixtures for r in f.rules)}
        for name in wanted:
            if not any(_below(rule, name) for rule in names):
                raise ChoiceError(f"no rule is called {name!r}; see patchwork-ref rules")
        return replace(self, cases=tuple(c for c in self.cases if any(_below(rule, name) for rule in c.fixture.rules for name in wanted))) if wanted else self


def planned(engine: str, tier: str = "gate", ruleset: str | None = None, readings: Sequence[str] = (), suite: str | None = None, folder: str | None = None,
            seed: int = 0, scale: float = 1.0, rulebook: Rulebook | None = None) -> Plan:
    """Reads the rulebook and the fixtures, and chooses. Raises RulebookError, ChoiceError or InputError."""
    book = rulebook if rulebook is not None else load_rulebook(folder)
    machine = from_rulebook(book, book.readings(ruleset, readings), ruleset if ruleset is not None and not readings else None)
    fixtures = read_fixtures(suite)
    return Plan(engine, book, machine, fixtures, tuple(cases(chosen(fixtures, tier), book, machine)), tier, ruleset, tuple(readings), suite, folder, seed, scale)


def replay_command(what: str, engine: str, suite: str | None = None, ruleset: str | None = None, readings: Sequence[str] = (), folder: str | None = None) -> str:
    """One command that plays a fixture or file again on the engine."""
    words = ["patchwork-ref", "replay", what, "--engine", engine]
    for option, value in (("--suite", suite), ("--ruleset", ruleset), ("--rulebook", folder)):
        words += [option, value] if value is not None else []
    for reading in readings:
        words += ["--reading", reading]
    return shlex.join(words)


def _below(rule: str, name: str) -> bool:
    return rule == name or rule.startswith(name.rstrip("/") + "/")
