"""What an audit finds: about one game, and about a whole file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from patchwork_ref.notation.game import Claims, Unreadable


@dataclass(frozen=True, slots=True)
class Illegal:
    """The first illegal action of the game on ``line``: its number from 1, and the rule that refuses it."""

    line: int
    action: int
    rule: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """One game under the chosen rules.

    ``scores`` and ``winner`` are those of the position after the last action, final when ``finished``; both are None for an
    illegal game. ``as_recorded``: they are what the record claims (true when it claims nothing). Players are those of
    the trace. ``consistent``: the rulesets under which the game is legal and as recorded.
    """

    line: int
    actions: int
    illegal: Illegal | None
    finished: bool
    scores: tuple[int, int] | None
    winner: int | None
    claims: Claims
    as_recorded: bool
    consistent: tuple[str, ...]

    @property
    def legal(self) -> bool:
        return self.illegal is None


@dataclass(frozen=True, slots=True)
class AuditReport:
    """A whole file. Lists are in the order of the file.

    ``legal`` counts games; ``finished`` those of them that reach the end. A score mismatch is a legal game whose recorded
    scores or winner are not those that the rules give. ``by_ruleset`` counts the consistent games of each ruleset.
    """

    notation: str
    ruleset: str | None
    games: int
    legal: int
    finished: int
    illegal: tuple[Illegal, ...]
    score_mismatches: tuple[int, ...]
    unreadable: tuple[Unreadable, ...]
    by_ruleset: dict[str, int]

    @property
    def consistent_rulesets(self) -> tuple[str, ...]:
        """The rulesets under which every readable game is legal and as recorded."""
        return tuple(name for name, number in self.by_ruleset.items() if number == self.games)

    @property
    def clean(self) -> bool:
        """Whether every line is a legal game with the recorded outcome."""
        return not (self.illegal or self.score_mismatches or self.unreadable)

    def to_json(self) -> dict[str, Any]:
        """The document of ``audit --format json``."""
        return {
            "games": self.games,
            "legal": self.legal,
            "illegal": [{"line": i.line, "action": i.action, "rule": i.rule} for i in self.illegal],
            "score_mismatches": list(self.score_mismatches),
            "unreadable": [{"line": u.line, "reason": u.reason} for u in self.unreadable],
            "consistent_rulesets": list(self.consistent_rulesets),
        }


def summed_up(found: Iterable[Verdict | Unreadable], notation: str, ruleset: str | None, rulesets: Iterable[str]) -> AuditReport:
    """The report on verdicts in the order of the file; only what it lists is kept."""
    games = legal = finished = 0
    illegal: list[Illegal] = []
    mismatches: list[int] = []
    unreadable: list[Unreadable] = []
    by_ruleset = dict.fromkeys(rulesets, 0)
    for item in found:
        if isinstance(item, Unreadable):
            unreadable.append(item)
            continue
        games += 1
        for name in item.consistent:
            by_ruleset[name] += 1
        if item.illegal is not None:
            illegal.append(item.illegal)
            continue
        legal += 1
        finished += item.finished
        if not item.as_recorded:
            mismatches.append(item.line)
    return AuditReport(notation, ruleset, games, legal, finished, tuple(illegal), tuple(mismatches), tuple(unreadable), by_ruleset)
