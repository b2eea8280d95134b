"""Which rule does an engine get wrong? The first divergent rule of a verdict, with what the engine seems to do instead.

At the first differing action the step is played with one rule varied at a time; the variation that gives just what the
engine reports names the rule. Where none does, the rules that write the differing fields are weighed by how often they
fired in actions on which the engine agreed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from patchwork_ref.conformance import answers, suspicion
from patchwork_ref.conformance.course import Course
from patchwork_ref.conformance.judge import Verdict
from patchwork_ref.conformance.suspicion import Guess
from patchwork_ref.engine.engine import Engine
from patchwork_ref.fixtures.exercised import Exercise
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.source import Position

ISOLATION, PROCESS = "protocol/isolation", "protocol/process"
COUNT, QUESTIONS = "protocol/legal-count", "protocol/questions"
"""What is blamed where no rule of the game is: games that disturb each other, an engine that falls before it plays, one that
counts otherwise than it lists, and one that is changed by being asked."""


@dataclass(frozen=True, slots=True)
class Blame:
    """The rule, its place in the YAML, and in words what the engine seems to do."""

    rule: str
    position: Position | None = None
    how: str = ""
    reading: str | None = None
    plays: Engine | None = field(default=None, compare=False, repr=False)  # what the engine seems to play, where known
    vague: bool = field(default=False, compare=False)  # one of several amounts that would do
    simple: bool = field(default=False, compare=False)  # it would show wherever the rule counts for something


WAITING = 1000
"""Cases after which a spectrum is brought up to date."""


@dataclass(slots=True)
class Spectrum:
    """In how many agreeing actions each rule took effect, or was read by one that did, and in how many agreeing scores a part
    counted for something. Counted when first asked for: while
    an engine conforms nobody asks."""

    _passed: Counter[str] = field(default_factory=Counter)
    _exercises: dict[str, Exercise] = field(default_factory=dict)
    _waiting: list[tuple[Course, int, bool]] = field(default_factory=list)

    def add(self, case: Course, upto: int, whole: bool = False) -> None:
        """``whole`` cases agreed to their end, the score included."""
        self._waiting.append((case, upto, whole))
        if len(self._waiting) >= WAITING:
            self._count()

    @property
    def passed(self) -> Counter[str]:
        """By rule."""
        self._count()
        return self._passed

    def _count(self) -> None:
        for case, upto, whole in self._waiting:
            machine = case.engine.machine
            exercise = self._exercises.setdefault(machine.digest, Exercise(machine))
            for step in case.steps[:upto]:
                self._passed.update({name for f in step.firings for name in exercise.of(f.rule)})
            if whole and case.over:
                parts = case.score.parts
                self._passed.update(part.rule or part.name for name, part in machine.score.items() if any(held[name] for held in parts))
        self._waiting.clear()


def suspects(verdict: Verdict, case: Course, rulebook: Rulebook, spectrum: Spectrum) -> tuple[Blame, ...]:
    """The rules that a failed verdict may be blamed on, the likeliest first; at least one."""
    machine = case.engine.machine
    return tuple(Blame(g.rule, position_of(machine, g.rule), g.how, g.reading, g.plays, g.vague, g.simple) for g in _guesses(verdict, case, rulebook, spectrum))


VAGUE = 0.3
"""What a vague suspicion counts for, where a definite one counts 1."""


def settled(all_suspects: Sequence[Sequence[Blame]], spectrum: Spectrum, reading: str | None = None) -> list[Blame]:
    """One rule for each failure: where several would do, the one that would do for most failures, then the one that
    fired least in agreeing actions. What the first rule does for is set aside, and the rest is settled again: a rule does not
    win there because it would also have done for failures that another one explains.

    ``reading`` is the one that explains every failure: no other one is blamed where anything else would do."""
    left = {at: [b for b in found if not (b.simple and spectrum.passed[b.rule])] or list(found) for at, found in enumerate(all_suspects)}
    done: dict[int, Blame] = {}
    while left:
        votes: Counter[str] = Counter()
        for found in left.values():
            for rule in {b.rule for b in found}:
                votes[rule] += VAGUE if all(b.vague for b in found if b.rule == rule) else 1  # type: ignore[assignment]
        ways = Counter(way for found in left.values() for way in {(b.rule, b.how) for b in found})
        chosen = {at: min(found, key=lambda b: (b.reading is None or b.reading != reading if reading is not None else False, -votes[b.rule], b.reading is not None, b.vague,
                                                spectrum.passed[b.rule], -ways[b.rule, b.how], found.index(b))) for at, found in left.items()}
        first = max(chosen.values(), key=lambda b: votes[b.rule]).rule
        done |= {at: blame for at, blame in chosen.items() if blame.rule == first}
        left = {at: found for at, found in left.items() if at not in done}
    return [done[at] for at in range(len(all_suspects))]


def position_of(machine: Machine, rule: str) -> Position | None:
    """Where a rule stands in the YAML."""
    if rule in machine.rules:
        return machine.rules[rule].pos
    return next((d.pos for d in machine.definitions.values() if d.rule == rule), None)


def _guesses(verdict: Verdict, case: Course, rulebook: Rulebook, spectrum: Spectrum) -> list[Guess]:
    if verdict.kind == "isolation":
        return [Guess(ISOLATION, "games in one process disturb each other")]
    if verdict.kind == "state":
        if verdict.action == 0:
            return suspicion.of_setup(verdict.differences, case)
        return suspicion.of_step(verdict, case, rulebook, spectrum.passed)
    if verdict.kind == "score":
        return answers.of_score(verdict, case, rulebook)
    if verdict.kind == "legal":
        return answers.of_legal(verdict, case, rulebook)
    if verdict.kind == "rejection" and verdict.outcome == "rejected-legal":
        return answers.of_rejection(verdict, case, rulebook)
    if verdict.kind in ("rejection", "reject-changes"):
        refusal = case.engine.explain(case.state(verdict.action - 1), verdict.refused) if verdict.refused is not None else None
        how = "changes the state though it rejects" if verdict.kind == "reject-changes" else "not enforced"
        return [Guess(refusal.rule if refusal is not None else PROCESS, how)]
    if verdict.kind == "count":
        return [Guess(COUNT, "counts otherwise than it lists")]
    if verdict.kind == "question":
        return [Guess(QUESTIONS, "changed by a question")]
    if verdict.kind == "perft":
        return answers.of_perft(verdict, case)
    return _trouble(verdict, case, spectrum)


def _trouble(verdict: Verdict, case: Course, spectrum: Spectrum) -> list[Guess]:
    """What the engine was at when it failed."""
    op = verdict.failure.evidence.op if verdict.failure is not None else verdict.text.partition(":")[0].partition(" ")[0]
    machine = case.engine.machine
    if op == "score" and case.over:
        return [Guess(machine.total.rule or machine.total.name, "fails to score")]
    if op in ("legal", "perft"):
        return [Guess(answers.domain_of(machine), "fails to list")]
    at = min(verdict.action, len(case.steps))
    if op in ("new", "hello") or not at:
        return [Guess(PROCESS, f"fails at {op}")]
    fired = dict.fromkeys(f.rule for f in case.steps[at - 1].firings)
    if verdict.refused is not None:
        refusal = case.engine.explain(case.state(verdict.action - 1), verdict.refused)
        fired = {refusal.rule: None} if refusal is not None else fired
    return [Guess(rule, "fails when it takes effect") for rule in sorted(fired, key=lambda rule: spectrum.passed[rule])] or [Guess(PROCESS)]
