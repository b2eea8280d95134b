"""How far does a choice of readings explain what an engine answered? Machines by profile, and their agreement with transcripts."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from patchwork_ref.ambiguity.beside import read_beside
from patchwork_ref.ambiguity.games import Game
from patchwork_ref.ambiguity.never import never_parts
from patchwork_ref.ambiguity.parted import read_parted
from patchwork_ref.ambiguity.plans import OFFER, Plans
from patchwork_ref.ambiguity.transcript import Event, Transcript
from patchwork_ref.conformance.compare import differences
from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.observe import observed
from patchwork_ref.machine.state import State
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.symbolic.equivalence import proved_equivalent

SOLVER = 5000
"""Milliseconds for one question to Z3."""

Profile = Mapping[str, str]
"""A complete choice of readings: every ambiguity with one of its readings."""

Key = tuple[tuple[str, str], ...]


def key_of(profile: Profile) -> Key:
    return tuple(sorted(profile.items()))


class Profiles:
    """Engines of one Rulebook by profile, each made once; transcripts are held against them, each pair once."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self._engines: dict[Key, Engine | None] = {}
        self._by_digest: dict[str, Engine] = {}
        self._same: dict[tuple[str, str], bool] = {}
        self._plans: Plans | None = None
        self._agreed: WeakKeyDictionary[Transcript, dict[Key, int]] = WeakKeyDictionary()

    def engine(self, profile: Profile) -> Engine | None:
        """None when the readings cannot be put together."""
        key = key_of(profile)
        if key not in self._engines:
            try:
                machine = from_rulebook(self.rulebook, dict(profile))
            except PatchworkRefError:
                self._engines[key] = None
            else:
                if machine.digest not in self._by_digest:
                    self._by_digest[machine.digest] = Engine(machine)
                self._engines[key] = self._by_digest[machine.digest]
        return self._engines[key]

    def plans(self) -> Plans:
        """The quilts of the games that part readings, for rulebooks that have the rulesets of the shipped records."""
        if self._plans is None:
            engines = {name: engine for name in self.rulebook.rulesets if (engine := self.engine(self.rulebook.readings(name))) is not None}
            self._plans = Plans([r for r in read_parted() if r.ruleset in engines and r.ambiguity in self.rulebook.ambiguities], engines, read_beside())
        return self._plans

    def sought(self, profile: Profile, ambiguity: str, reading: str, seconds: float, observes: bool = True) -> Game | None:
        """A game that parts a profile from the same with another reading, by the quilts of known games."""
        short = self.rulebook.ambiguities.get(OFFER)
        offered = {OFFER: short.default} if short is not None else {}
        other = {**profile, ambiguity: reading}
        a, b, *wide = (self.engine(chosen) for chosen in (profile, other, {**profile, **offered}, {**other, **offered}))
        if a is None or b is None or wide[0] is None or wide[1] is None:
            return None
        return self.plans().found(a, b, (wide[0], wide[1]), ambiguity, (profile[ambiguity], reading), seconds, observes)

    def same(self, one: Profile, other: Profile) -> bool:
        """Whether two profiles are proved to be one game for everybody who plays it: by a fact of play, or by Z3."""
        a, b = self.engine(one), self.engine(other)
        if a is None or b is None:
            return False
        key = (a.machine.digest, b.machine.digest)
        if key not in self._same:
            self._same[key] = never_parts(a.machine, b.machine) is not None or proved_equivalent(a.machine, b.machine, SOLVER)
        return self._same[key]

    def agreed(self, profile: Profile, transcript: Transcript) -> int:
        """How many answers, from the first on, are as the profile demands; -1 when the profile is no rulebook."""
        kept = self._agreed.setdefault(transcript, {})
        key = key_of(profile)
        if key not in kept:
            engine = self.engine(profile)
            kept[key] = _agreed(engine, transcript) if engine is not None else -1
        return kept[key]

    def explains(self, profile: Profile, transcript: Transcript) -> bool:
        """Whether every answer is as the profile demands."""
        return self.agreed(profile, transcript) == len(transcript.events)


def _agreed(engine: Engine, transcript: Transcript) -> int:
    try:
        state = engine.start(transcript.fixture.setup)
    except PatchworkRefError:
        return 0
    for number, event in enumerate(transcript.events):
        found = _after(engine, state, event)
        if found is None:
            return number
        state = found
    return len(transcript.events)


def _after(engine: Engine, state: State, event: Event) -> State | None:
    """The state behind an event that is as the rules demand; None when it is not."""
    match event.kind:
        case "start":
            return state if _looks(engine, state, event) else None
        case "act":
            assert event.action is not None
            legal = engine.explain(state, event.action) is None
            if legal != event.accepted:
                return None
            after = engine.apply(state, event.action) if legal else state
            return after if _looks(engine, after, event) else None
        case "legal":
            return state if not event.twice and frozenset((a.type, a.patch, a.cells) for a in engine.legal(state)) == event.listed else None
        case "score":
            return state if _scores(engine, state, event) else None
        case "trouble":
            return None


def _looks(engine: Engine, state: State, event: Event) -> bool:
    return event.state is None or not differences(observed(engine.machine, state, engine.is_over(state)), event.state)


def _scores(engine: Engine, state: State, event: Event) -> bool:
    if event.scores is None or not engine.is_over(state):
        return event.scores is None and not engine.is_over(state)
    score = engine.score(state)
    return tuple(score.totals) == event.scores and score.winner == event.winner
