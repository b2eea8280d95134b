"""One game under two readings, side by side: to be laid out on a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from patchwork_ref.ambiguity.games import Shown, parting
from patchwork_ref.conformance.compare import Difference, differences
from patchwork_ref.engine.engine import Engine
from patchwork_ref.fixtures import Fixture, Legal, Perft, Play, Refuse
from patchwork_ref.machine.observe import observed
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import State


@dataclass(frozen=True, slots=True)
class Moment:
    """An action (None for the set-up) and what each side makes of it: the protocol's state, or the rule that refuses."""

    number: int
    action: Action | None
    states: tuple[dict[str, Any], dict[str, Any]]
    refused: tuple[str | None, str | None] = (None, None)

    @property
    def differs(self) -> tuple[Difference, ...]:
        return differences(self.states[0], self.states[1])


@dataclass(frozen=True, slots=True)
class Walk:
    """A game up to where its two sides part. ``listed`` holds the number of legal actions there, where only that differs;
    ``scores`` the totals and winners, where the game is over."""

    setup: Setup
    actions: tuple[Action, ...]
    moments: tuple[Moment, ...]
    shown: Shown | None
    listed: tuple[int, int] | None = None
    scores: tuple[dict[str, Any], dict[str, Any]] | None = None

    @property
    def observed(self) -> str:
        """In one line what an observer sees."""
        if self.shown is None:
            return "nothing"
        last = self.moments[-1]
        if self.shown.what == "state":
            return "; ".join(f"{'' if d.player is None else f'player {d.player} '}{d.field}: {_short(d.expected)} or {_short(d.got)}" for d in last.differs)
        if self.shown.what == "legality":
            rule = next(r for r in last.refused if r is not None)
            return f"{last.action} is {'refused' if last.refused[0] else 'legal'} or {'refused' if last.refused[1] else 'legal'} (by {rule})"
        if self.listed is not None:
            return f"legal actions: {self.listed[0]} or {self.listed[1]}"
        assert self.scores is not None
        return "; ".join(f"{name}: {_short(value)} or {_short(self.scores[1][name])}" for name, value in self.scores[0].items() if value != self.scores[1][name])


def walk(a: Engine, b: Engine, fixture: Fixture) -> Walk:
    """A stored game under two rules, cut where they part."""
    setup = fixture.setup
    asked = [s.action for s in fixture.steps if isinstance(s, (Play, Refuse))]
    kept = _legal_for_one(a, b, setup, asked)
    shown = parting(a, b, setup, kept)
    listing = _listing(a, b, fixture) if shown is None or shown.what == "score" else None
    if listing is not None and shown is None:
        number, listed = listing
        return Walk(setup, tuple(kept[:number]), tuple(_moments(a, b, setup, kept[:number])), Shown(number, "listing"), listed)
    actions = kept[: shown.number] if shown is not None else kept
    moments = tuple(_moments(a, b, setup, actions))
    return Walk(setup, tuple(actions), moments, shown, None, _scores(a, b, setup, actions) if shown is not None and shown.what == "score" else None)


def _legal_for_one(a: Engine, b: Engine, setup: Setup, asked: Sequence[Action]) -> list[Action]:
    """Without the questions that both refuse: they are no part of the game."""
    state, kept = a.start(setup), []
    other = b.start(setup)
    for action in asked:
        mine, theirs = a.explain(state, action) is None, b.explain(other, action) is None
        if mine or theirs:
            kept.append(action)
        if mine != theirs:
            break
        if mine:
            state, other = a.apply(state, action), b.apply(other, action)
    return kept


def _listing(a: Engine, b: Engine, fixture: Fixture) -> tuple[int, tuple[int, int]] | None:
    """Where the two list other legal actions, after so many; the fixture says where to look."""
    state, other, number = a.start(fixture.setup), b.start(fixture.setup), 0
    for step in fixture.steps:
        match step:
            case Play() | Refuse():
                if a.explain(state, step.action) is not None or b.explain(other, step.action) is not None:
                    continue
                state, other, number = a.apply(state, step.action), b.apply(other, step.action), number + 1
            case Legal() | Perft():
                if a.legal(state) != b.legal(other):
                    return number, (a.count(state), b.count(other))
    return None


def _moments(a: Engine, b: Engine, setup: Setup, actions: Sequence[Action]) -> list[Moment]:
    left, right = a.start(setup), b.start(setup)
    found = [Moment(0, None, (_seen(a, left), _seen(b, right)))]
    for number, action in enumerate(actions, 1):
        refusals = a.explain(left, action), b.explain(right, action)
        left = a.apply(left, action) if refusals[0] is None else left
        right = b.apply(right, action) if refusals[1] is None else right
        found.append(Moment(number, action, (_seen(a, left), _seen(b, right)), tuple(r.rule if r is not None else None for r in refusals)))  # type: ignore[arg-type]
    return found


def _seen(engine: Engine, state: State) -> dict[str, Any]:
    return observed(engine.machine, state, engine.is_over(state))


def _scores(a: Engine, b: Engine, setup: Setup, actions: Sequence[Action]) -> tuple[dict[str, Any], dict[str, Any]]:
    found = []
    for engine in (a, b):
        state = engine.start(setup)
        for action in actions:
            state = engine.apply(state, action)
        score = engine.score(state)
        found.append({"scores": list(score.totals), "winner": score.winner, "finished": engine.is_over(state)})
    return found[0], found[1]


def _short(value: object) -> str:
    text = "nobody" if value is None else " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
