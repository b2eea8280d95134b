"""A verdict with its blame as a line of the report: all that a person needs, so that no rulebook is needed to show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from patchwork_ref.conformance.blame import Blame
from patchwork_ref.conformance.course import Course
from patchwork_ref.conformance.judge import Verdict
from patchwork_ref.conformance.suite import Case
from patchwork_ref.fixtures.model import Fixture
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action
from patchwork_ref.polyomino import mask_of
from patchwork_ref.report.games import draw
from patchwork_ref.report.lines import Blamed, CaseLine, FieldDifference, Known, Said, Sight

TAIL = 2000
"""Characters of standard error that are kept with a failure."""
CELLS = 12
"""So many cells of an action are named one by one."""
MESSAGES = 6
"""So many messages are kept with a failure."""


@dataclass(frozen=True, slots=True)
class Teller:
    """Turns verdicts into lines. ``replay`` gives the command that plays a fixture again; ``lines`` where each stands in its file."""

    machine: Machine
    replay: Callable[[str], str]
    lines: Mapping[str, int] = field(default_factory=dict)

    def case(self, case: Case, verdict: Verdict, blame: Blame | None, seconds: float = 0.0, known: Known | None = None) -> CaseLine:
        """The line of a case as it ended."""
        fixture, course = case.fixture, case.course
        common: dict[str, Any] = {
            "fixture": fixture.id, "outcome": verdict.outcome, "level": fixture.level, "title": fixture.title, "file": f"{fixture.file}.jsonl" if fixture.file else "",
            "at": self.lines.get(fixture.id, 0), "exercises": fixture.rules, "seconds": round(seconds, 4), "actions": len(course.actions), "known": known,
        }
        if verdict.outcome == "agreed":
            return CaseLine(**common)
        failure = verdict.failure
        return CaseLine(
            **common, **self._seen(course, verdict),
            messages=tuple(Said(m.direction, m.text, m.size) for m in failure.evidence.messages[-MESSAGES:]) if failure is not None else (),
            stderr=failure.evidence.stderr[-TAIL:] if failure is not None else "",
            blame=self.blamed(fixture.id, blame) if blame is not None else None,
        )

    def sight(self, course: Course, verdict: Verdict) -> Sight:
        """What differs in another game than the fixture's own."""
        return Sight(verdict.outcome, actions=len(course.actions), **self._seen(course, verdict))

    def _seen(self, course: Course, verdict: Verdict) -> dict[str, Any]:
        by_action = verdict.kind in ("state", "rejection", "process", "error") and verdict.refused is None
        played = by_action and 0 < verdict.action <= len(course.actions)
        action = course.actions[verdict.action - 1] if played else verdict.refused
        before = course.state(max(verdict.action - 1, 0)) if action is not None else None
        board: tuple[str, ...] = ()
        if action is not None and before is not None and action.cells and all(0 <= c < self.machine.board.cells for c in action.cells):
            board = tuple(draw(self.machine.board, before.number("quilt", before.number("turn")), mask_of(action.cells)))
        return {
            "action": verdict.action, "kind": verdict.kind, "text": verdict.text,
            "differences": tuple(FieldDifference(d.field, d.player, d.expected, d.got) for d in verdict.differences),
            "missing": tuple(map(str, verdict.missing[:3])), "extra": tuple(map(str, verdict.extra[:3])), "code_expected": verdict.code_expected or "",
            "player": before.number("turn") if before is not None else None, "move": _words(action) if action is not None else "", "board": board,
        }

    def blamed(self, fixture: str, blame: Blame) -> Blamed:
        """What is said of the rule."""
        rule = self.machine.rules.get(blame.rule)
        says = rule.says if rule is not None else next((d.says for d in self.machine.definitions.values() if d.rule == blame.rule), "")
        position = f"{blame.position.file}:{blame.position.line}" if blame.position is not None else ""
        return Blamed(blame.rule, position, says, blame.how, blame.reading or "", replay=self.replay(fixture))


def _words(action: Action) -> str:
    """The action; of very many cells only their number, for the board shows them."""
    if action.cells is None or len(action.cells) <= CELLS:
        return str(action)
    return " ".join(part for part in (action.type, action.patch, f"on {len(action.cells)} cells") if part)


def fixture_lines(fixtures: Sequence[Fixture]) -> dict[str, int]:
    """The line of each fixture in its file; a canonical file has one a line."""
    seen: dict[str, int] = {}
    found = {}
    for fixture in fixtures:
        seen[fixture.file] = found[fixture.id] = seen.get(fixture.file, 0) + 1
    return found
