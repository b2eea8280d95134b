"""Questions 1 and 2: can a filled square still come to lie on the quilt, by which route, and do the routes agree?"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from patchwork_ref.tiling.answers import Answer, Impossible, Placement, Possible
from patchwork_ref.tiling.question import Question, TilingInputError
from patchwork_ref.tiling.search import DEFAULT_LIMITS, Limits, search

ROUTES = ("tree", "z3")


@dataclass(frozen=True, slots=True)
class Route:
    """What one route said, in how many seconds; ``note`` says what a reader should know besides."""

    verdict: str
    seconds: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict with its evidence.

    ``answer`` is the tree search's, with placements or a certificate; None when that route was not asked. ``routes``
    holds each route asked. ``confirmed``: whether Z3 finished and agreed (None when it was not asked or gave up).
    """

    question: Question
    verdict: str
    answer: Answer | None
    routes: dict[str, Route]
    placements: tuple[Placement, ...]
    confirmed: bool | None
    asks: str
    note: str

    def certificate(self) -> dict[str, Any] | None:
        """The certificate, when the tree search decided."""
        return self.answer.certificate() if isinstance(self.answer, Possible | Impossible) else None

    def document(self) -> dict[str, Any]:
        """The fields of ``square --format json`` that this room can fill."""
        shown: dict[str, Any] = {"verdict": self.verdict, "asks": self.asks, "confirmed": self.confirmed, "note": self.note}
        if self.verdict == "possible":
            shown["placements"] = [placed.document() for placed in self.placements]
        if (certificate := self.certificate()) is not None:
            shown["certificate"] = certificate
        shown["routes"] = {
            name: {"verdict": route.verdict, "seconds": round(route.seconds, 6), "note": route.note}
            for name, route in self.routes.items()
        }
        return shown


def square(
    question: Question,
    routes: Iterable[str] = ROUTES,
    limits: Limits = DEFAULT_LIMITS,
    z3_seconds: float = 5.0,
) -> Decision:
    """Decides the question by the routes named, the tree search first.

    Raises TilingInputError for an unknown route or none. When two routes contradict each other the verdict is unknown
    and the note says so: that is a defect of this program.
    """
    asked = list(routes)
    if strange := [name for name in asked if name not in ROUTES]:
        raise TilingInputError(f"unknown route {strange[0]!r}; known are {', '.join(ROUTES)}")
    if not asked:
        raise TilingInputError(f"no route is named; known are {', '.join(ROUTES)}")
    said: dict[str, Route] = {}
    answer: Answer | None = None
    placements: tuple[Placement, ...] = ()
    verdict, note = "unknown", ""
    if "tree" in asked:
        start = time.perf_counter()
        answer = search(question, limits)
        reason = getattr(answer, "reason", "")
        said["tree"] = Route(answer.verdict, time.perf_counter() - start, reason)
        verdict, note = answer.verdict, reason
        placements = answer.placements if isinstance(answer, Possible) else ()
    confirmed = None
    if "z3" in asked:
        from patchwork_ref.tiling.z3_route import decide  # here, because importing z3 costs more than most answers

        start = time.perf_counter()
        other = decide(question, z3_seconds)
        said["z3"] = Route(other.verdict, time.perf_counter() - start, other.reason)
        if other.verdict == "unknown":
            note = note or other.reason
        elif verdict == "unknown":
            verdict, placements = other.verdict, other.placements
            note = "decided by Z3 alone" + ("; there is no certificate" if verdict == "impossible" else "")
        else:
            confirmed = verdict == other.verdict
            if not confirmed:
                note = f"the routes contradict each other: tree says {verdict}, z3 says {other.verdict}; please report it"
                verdict, placements = "unknown", ()
    return Decision(question, verdict, answer, said, placements, confirmed, _asks(question), note)


def _asks(question: Question) -> str:
    """Which question the answer answers, in words."""
    if not question.budgeted:
        return "geometry: could the patches and special patches be laid so, if all of them could be had"
    bounds = [f"{bound} {name}" for bound, name in ((question.buttons, "buttons"), (question.spaces, "spaces")) if bound is not None]
    return f"budgets: as geometry, and the patches laid cost at most {' and '.join(bounds)} in sum, income not counted"
