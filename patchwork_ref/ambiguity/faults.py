"""What no reading explains, blamed on a rule; and the cases of the suite that tell of no reading, and so are in no transcript: perft, games side
by side, custom set-ups. All are judged by the profile that was found, in a fresh process, as ``check`` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from patchwork_ref.ambiguity.accepted import accepted, accepted_cases, machine_for, retold, settled, silent_ambiguities
from patchwork_ref.ambiguity.finding import Fingerprint, Unexplained
from patchwork_ref.ambiguity.transcript import Transcript
from patchwork_ref.conformance.blame import ISOLATION
from patchwork_ref.conformance.explain import judged_by
from patchwork_ref.conformance.limits import TimeLimits
from patchwork_ref.conformance.run import Finding, Report, run
from patchwork_ref.conformance.suite import Case
from patchwork_ref.conformance.targets import Target
from patchwork_ref.engine.engine import Engine
from patchwork_ref.fixtures import Fixture
from patchwork_ref.fixtures.model import TIERS
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.model import Rulebook

ACTIONS = 1500
"""Of the cases that are in no transcript, all together."""
BLAMED = 24
"""So many games that no reading explains are played once more, to be blamed on a rule."""
BESIDE = 60
"""So many games that went well are played before those: a rule that took effect in them is not blamed lightly."""
RESTARTS = 2
"""Of an engine that falls; one that hangs must not keep its user waiting."""
BOARD = "time_board"
"""What an engine may lay out in its own way, whatever a custom set-up says of it: that is told, and is no fault."""
LEFT_BEHIND = "left behind by another game"
ANSWERS = ("state", "rejection", "legal", "score")
"""Kinds of difference that a transcript shows as well as a verdict."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A game that goes otherwise than the profile says, from its event ``at`` on."""

    transcript: Transcript
    at: int

    @property
    def action(self) -> int:
        """The number of the action that this answer follows."""
        return sum(e.kind == "act" and e.accepted for e in self.transcript.events[: self.at + 1])

    def cut(self, case: Case) -> Case:
        """The game up to there: of a long one the last actions are looked at one by one, and a difference may not last."""
        events = self.transcript.events
        stepwise = events[self.at].kind != "score" and any(e.state is not None for e in events)
        return replace(case, course=case.course.cut(self.action + 1)) if stepwise else case

    def blamed(self, case: Case, report: Report) -> Unexplained:
        """What the report says of the game. One that goes well in a fresh process was spoilt by the games before it."""
        name = self.transcript.fixture.id
        for finding in report.findings:
            if finding.case.fixture.id == name:
                return told(finding)
        seen = self.transcript.events[self.at].kind != "score" or case.course.over
        if seen and any(v.case == name and v.outcome == "agreed" for v in report.verdicts):
            return Unexplained(name, self.action, ISOLATION, LEFT_BEHIND, "goes well in a fresh process")
        return Unexplained(name, self.action, text=self.transcript.events[-1].text)


def told(finding: Finding, agreed: Iterable[str] = ()) -> Unexplained:
    """A failure as it is told. One of the games that ``agreed`` before was spoilt by other games than it was then."""
    if finding.verdict.case in agreed and finding.verdict.kind in ANSWERS:
        return Unexplained(finding.verdict.case, finding.verdict.action, ISOLATION, LEFT_BEHIND, f"{finding.verdict.text}, but not when it was played before")
    return Unexplained(finding.verdict.case, finding.verdict.action, finding.blame.rule, finding.blame.how, finding.verdict.text)


def untold(fixtures: Iterable[Fixture]) -> list[Fixture]:
    """The fixtures below the highest tier that are in no transcript, the lower tiers and the shorter first, each with the game that it is played beside."""
    by_id, found, left = {f.id: f for f in fixtures}, dict[str, Fixture](), ACTIONS
    for fixture in sorted(by_id.values(), key=lambda f: (TIERS.index(f.tier), len(f.steps), f.id)):
        if fixture.tier != TIERS[-1] and (fixture.custom or fixture.kind == "perft" or fixture.isolation in by_id):
            new = [f for f in (fixture, by_id.get(fixture.isolation or "")) if f is not None and f.id not in found]
            left -= sum(1 + len(f.steps) for f in new)
            if left < 0:
                break
            found |= {f.id: f for f in new}
    return list(found.values())


class Trial:
    """One engine, judged by the profile that was found."""

    def __init__(self, found: Fingerprint, target: str | Target, rulebook: Rulebook, fixtures: Iterable[Fixture], base: Machine, limits: TimeLimits) -> None:
        self.found, self.target, self.rulebook, self.base, self.limits = found, target, rulebook, base, limits
        self.own = accepted(found, rulebook, base)
        self.machine = machine_for(self.own, rulebook)
        self.more = untold(fixtures)

    def hold(self, departures: Sequence[Departure], agreed: Sequence[Fixture]) -> None:
        """Writes down what is unexplained. ``agreed`` are games that went as the profile says, ``departures`` the others."""
        asked = departures[:BLAMED]
        report, games = self.judged(asked, agreed)
        if self.lays_its_own_board(report):
            self.found.ignored = (BOARD,)
            self.more = [f for f in self.more if BOARD not in f.numbers]
            report, games = self.judged(asked, agreed)
        if self.decides(report):
            report, games = self.judged(asked, agreed)
        self.found.unexplained = [d.blamed(case, report) for d, case in zip(asked, games, strict=True)]
        self.found.unexplained += [Unexplained(d.transcript.fixture.id, d.action) for d in departures[BLAMED:]]
        games_before = {f.id for f in agreed}
        self.found.unexplained += [told(f, games_before) for f in report.findings if f.case.fixture.id not in {d.transcript.fixture.id for d in departures}]
        self.found.failure = next((f for f in (report.failure, *(v.failure for v in report.verdicts)) if f is not None), None)

    def judged(self, departures: Sequence[Departure], agreed: Sequence[Fixture]) -> tuple[Report, list[Case]]:
        """The report, with the cases in it that are departures."""
        games = [d.cut(case) for d, case in zip(departures, retold([d.transcript.played for d in departures], self.machine, self.base), strict=True)]
        before = retold(agreed[:BESIDE] if departures else (), self.machine, self.base)
        return self.run([*before, *games, *accepted_cases(self.more, self.rulebook, self.machine, self.base)]), games

    def run(self, cases: Sequence[Case]) -> Report:
        return run(self.target, self.found.engine, cases, self.rulebook, self.machine, self.limits, RESTARTS, explain=False)

    def lays_its_own_board(self, report: Report) -> bool:
        """Whether custom set-ups go better when the engine is taken to leave the time board as it is."""
        failed = [f.case for f in report.findings if BOARD in f.case.fixture.numbers]
        if not failed:
            return False
        engine, boards = Engine(self.machine), accepted_cases([f for f in self.more if BOARD in f.numbers], self.rulebook, self.machine, self.base)
        plain = [replace(case, fixture=replace(case.fixture, numbers={n: v for n, v in case.fixture.numbers.items() if n != BOARD})) for case in boards]
        return len(self.run([replace(case, course=judged_by(case, engine, self.machine)) for case in plain]).findings) < len(failed)

    def decides(self, report: Report) -> bool:
        """Whether readings that no transcript tells apart are told apart by these cases: on a custom set-up they may be, though a proof says that they are not
        on any other."""
        silent = silent_ambiguities(self.rulebook)
        own = replace(self.own, open={a: r for a, r in self.found.readings.items() if isinstance(r, tuple) and a not in silent})
        if not own.open or not any(f.case.fixture in self.more for f in report.findings):
            return False
        best = settled(own, self.target, self.found.engine, self.rulebook, self.more, self.base, self.limits)
        for ambiguity in own.open.keys() - best.open.keys():
            self.found.readings[ambiguity] = self.found.profile[ambiguity] = best.profile[ambiguity]
            del self.found.why[ambiguity]
        self.own, self.machine = best, machine_for(best, self.rulebook)
        return best is not own
