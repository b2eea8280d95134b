"""What a fingerprint comes to: a reading of each ambiguity, and what no choice of readings explains."""

from __future__ import annotations

from dataclasses import dataclass, field

from patchwork_ref.conformance.outcomes import Failure

SAME = "no game tells them apart beside its other readings; proved for all states, or by a fact of play"
SILENT = "no game tells them apart"


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A game that goes otherwise than the profile says: the number of the first action that differs (0 for the set-up),
    the rule blamed (empty where the game was not asked again), and what the engine seems to do."""

    fixture: str
    action: int
    rule: str = ""
    how: str = ""
    text: str = ""


@dataclass(slots=True)
class Fingerprint:
    """What was found. ``readings`` holds a reading, or a tuple of those that no game played tells apart, or None where it
    is undecided, with ``why`` by ambiguity. ``profile`` is one complete choice among these, closest to the base."""

    engine: str
    readings: dict[str, str | tuple[str, ...] | None] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)
    profile: dict[str, str] = field(default_factory=dict)
    ruleset: str | None = None
    exact: bool = False  # whether the profile is that ruleset, as far as can be told; else it is the nearest
    rulesets: tuple[str, ...] = ()  # all that the profile is
    unexplained: list[Unexplained] = field(default_factory=list)
    ignored: tuple[str, ...] = ()  # fields of custom set-ups in whose place the engine takes its own
    failure: Failure | None = None
    games: int = 0
    actions: int = 0

    @property
    def decided(self) -> bool:
        return any(isinstance(found, str) for found in self.readings.values())

    @property
    def exit_code(self) -> int:
        """0 a profile explains all, 1 something is unexplained, 3 the process failed, 4 nothing could be decided."""
        if self.failure is not None:
            return 3
        if self.unexplained:
            return 1
        return 0 if self.decided else 4
