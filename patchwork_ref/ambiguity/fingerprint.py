"""Which reading of each ambiguity does an engine follow? Decided by play, with as few games as it takes.

First one game for each reading other than the base's, on which the two part; then the other stored games of every
ambiguity that is still open or answered otherwise than the base does; then a sample of the suite, on which the profile
found must hold. What no profile explains is a fault, and is blamed on a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from patchwork_ref.ambiguity.faults import RESTARTS, Departure, Trial
from patchwork_ref.ambiguity.finding import SAME, SILENT, Fingerprint, Unexplained
from patchwork_ref.ambiguity.games import RANDOM, Game, as_fixture, candidates, parting
from patchwork_ref.ambiguity.profiles import Profile, Profiles, key_of
from patchwork_ref.ambiguity.search import Search
from patchwork_ref.ambiguity.transcript import Transcript, record
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.limits import DEFAULT_LIMITS, TimeLimits
from patchwork_ref.conformance.outcomes import CannotStart
from patchwork_ref.conformance.supervisor import Supervisor
from patchwork_ref.conformance.targets import Target
from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import ChoiceError
from patchwork_ref.fixtures import Fixture, unobservable, witnesses
from patchwork_ref.fixtures.model import TIERS
from patchwork_ref.rulebook.model import Ambiguity, Rulebook

SAMPLE = 8000
"""Actions in the sample of the suite on which a profile must hold, all games together: as many as the gate tier has, since a fault
that shows in one place alone must not pass for a sound engine."""
READINGS = "readings"
"""The file of the fixtures that are witnesses of readings."""
PATIENCE = 0.5
"""Seconds of search by plan, for each game at random that may be looked at."""
ELSEWHERE = ("square", "endings", "ends", "full")
"""Files whose games reach what is rare, and are tried too where a witness has to be found."""


def fingerprint(target: str | Target, name: str, rulebook: Rulebook, fixtures: Sequence[Fixture], base: Profile | None = None, limits: TimeLimits = DEFAULT_LIMITS,
                profiles: Profiles | None = None, sample: int = SAMPLE, random_games: int = RANDOM) -> Fingerprint:
    """Plays on the engine until its readings are known. Never raises for what the engine does; no process is left behind.

    ``base`` are the readings that the set-ups tell of and that count where nothing speaks against them; ``sample`` is a
    number of actions, ``random_games`` those looked at where no stored game decides. Raises ChoiceError when the base is no rulebook.
    """
    known = profiles if profiles is not None else Profiles(rulebook)
    with Supervisor(target, limits, RESTARTS) as supervisor:
        return _Inquiry(supervisor, name, known, fixtures, dict(base) if base is not None else dict(rulebook.readings()), sample, random_games).found(target)


class _Inquiry:
    """One engine being asked."""

    def __init__(self, supervisor: Supervisor, name: str, profiles: Profiles, fixtures: Sequence[Fixture], base: dict[str, str], sample: int, random_games: int) -> None:
        self.supervisor, self.profiles, self.base = supervisor, profiles, base
        self.rulebook = profiles.rulebook
        self.result = Fingerprint(name)
        engine = profiles.engine(base)
        if engine is None:
            raise ChoiceError("these readings cannot be put together")
        self.engine: Engine = engine
        self.silent = unobservable()
        self.own: dict[str, list[Fixture]] = owned(fixtures, self.rulebook)
        self.first = list(witnesses((f for f in fixtures if not f.custom), self.rulebook).values())
        self.sampled = sample_of(fixtures, sample)
        owners: dict[str, tuple[str, ...]] = {}
        for ambiguity, games in self.own.items():
            for fixture in games:
                owners[fixture.id] = (*owners.get(fixture.id, ()), ambiguity)
        self.search = Search(profiles, owners)
        self.asked: dict[str, Transcript] = {}
        self.fixtures, self.random_games = fixtures, random_games
        self.given_up: set[tuple[object, ...]] = set()
        self.plans = profiles.plans()

    def found(self, target: str | Target) -> Fingerprint:
        profile: Profile = self.base
        waiting: list[Fixture] = self.first
        while waiting:
            self.play(waiting)
            profile = self.search.settled(profile)
            waiting = self.more(profile) if self.result.failure is None else []
        self.play(self.sampled)
        best = self.search.plain(self.search.settled(profile), self.base)
        profile = self.search.borne_out(best, self.base)
        self.conclude(profile, {a: r for a, r in best.items() if r != profile[a]})
        parted = self.supervisor.part()
        self.faults(profile, target)
        self.name()
        self.result.failure = self.result.failure or parted
        return self.result

    def play(self, fixtures: Iterable[Fixture]) -> None:
        """Asks what was not asked yet, until the engine cannot be brought back."""
        for fixture in fixtures:
            if fixture.id in self.asked:
                continue
            connection = self.supervisor.ready()
            if not isinstance(connection, Connection):
                self.result.failure = self.result.failure or connection
                if self.supervisor.exhausted or isinstance(connection, CannotStart):
                    return
                continue
            own = self.profiles.engine({**self.rulebook.readings(fixture.ruleset, fixture.readings)})
            transcript = record(connection, fixture, self.engine, own if own is not None else self.engine)
            self.asked[fixture.id] = transcript
            self.result.failure = self.result.failure or transcript.failure
            if not transcript.unplayed:
                self.search.transcripts.append(transcript)
                self.result.games += 1
                self.result.actions += sum(e.action is not None for e in transcript.events)

    def more(self, profile: Profile) -> list[Fixture]:
        """The games to be played next: stored ones of what is open; when there are none left, found ones."""
        stored = [f for a in self.open(profile) for f in self.own[a] if f.id not in self.asked]
        return stored if stored or self.search.failing(profile) else self.sought(profile)

    def sought(self, profile: Profile) -> list[Fixture]:
        """For each reading that nothing speaks against yet a game on which it parts from the profile, where one is found: among
        the games stored, at random, and by the quilts of the games that part its readings elsewhere."""
        engine = self.profiles.engine(profile)
        pairs = [(a.name, r) for a in self.ambiguities() for r in self.rivals(profile, a) if (key_of(profile), a.name, r) not in self.given_up]
        others = {pair: other for pair in pairs if (other := self.profiles.engine({**profile, pair[0]: pair[1]})) is not None}
        self.given_up |= {(key_of(profile), *pair) for pair in pairs}
        if engine is None or not others:
            return []
        found: list[Fixture] = []
        stored = [f for a in dict.fromkeys(a for a, _ in pairs) for f in self.own[a]]
        stored += [f for f in self.fixtures if f.file in ELSEWHERE and not f.custom]
        observes = any(e.state is not None for t in self.search.transcripts for e in t.events)
        direct = ((a, game) for a in dict.fromkeys(a for a, _ in pairs) for game in self.plans.direct(engine, a))
        for about, game in chain(direct, ((None, game) for game in candidates(engine, stored, "fingerprint", self.random_games))):
            for (ambiguity, reading), other in list(others.items()):
                shown = parting(engine, other, *game, observes) if about in (ambiguity, None) else None
                if shown is not None:
                    del others[ambiguity, reading]
                    found.append(self.kept(ambiguity, reading, game, shown.number if observes else None, profile, len(found)))
            if not others:
                break
        for ambiguity, reading in others:
            if not self.random_games or self.profiles.same(profile, {**profile, ambiguity: reading}):
                continue
            by_plan = self.profiles.sought(profile, ambiguity, reading, PATIENCE * self.random_games, observes)
            if by_plan is not None:
                found.append(self.kept(ambiguity, reading, by_plan, None, profile, len(found)))
        return found

    def kept(self, ambiguity: str, reading: str, game: Game, number: int | None, profile: Profile, more: int) -> Fixture:
        """The game as a fixture of its ambiguity, cut after so many actions."""
        setup, actions = game
        fixture = as_fixture(f"found/{ambiguity}/{reading}-{len(self.asked) + more}", f"parts {reading} of {ambiguity}", (setup, actions[:number]), profile)
        self.search.owners[fixture.id] = (ambiguity,)
        self.own[ambiguity].append(fixture)
        return fixture

    def open(self, profile: Profile) -> list[str]:
        """Ambiguities that need more games: answered otherwise than the base does, unexplained, or not decided."""
        failing = {a for t in self.search.failing(profile) for a in self.search.owners.get(t.fixture.id, ())}
        return [a.name for a in self.ambiguities() if profile[a.name] != self.base[a.name] or a.name in failing or self.rivals(profile, a)]

    def ambiguities(self) -> list[Ambiguity]:
        """Those that have a reading that a game can show."""
        return [a for a in self.rulebook.ambiguities.values() if any(f"{a.name}={r}" not in self.silent for r in a.readings if r != a.default)]

    def rivals(self, profile: Profile, ambiguity: Ambiguity) -> list[str]:
        """The readings that nothing played speaks against, beside the profile's own."""
        return [r for r in ambiguity.readings if r != profile[ambiguity.name] and not self.search.contradicted(profile, ambiguity.name, r)]

    def conclude(self, profile: Profile, instead: Profile) -> None:
        """``instead`` are readings that go further than the profile's, but that the games on which they part do not bear out."""
        result, seen = self.result, self.ambiguities()
        failing = {t.fixture.id for t in self.search.failing(profile)}
        for ambiguity in self.rulebook.ambiguities.values():
            name = ambiguity.name
            if ambiguity not in seen:
                result.readings[name] = tuple(ambiguity.readings)
                result.why[name] = SILENT
                continue
            if name in instead:
                result.readings[name], result.why[name] = None, f"some games go further by {instead[name]}, but not those on which its readings part"
                continue
            rivals = self.rivals(profile, ambiguity)
            against = [r for r in ambiguity.readings if r != profile[name] and self.search.further({**profile, name: r}, profile)]
            if against:
                result.readings[name], result.why[name] = None, f"some games speak for {profile[name]}, others for {' or '.join(against)}"
                continue
            if not rivals:
                result.readings[name] = profile[name]
                continue
            games = [self.asked[f.id] for f in self.own[name] if f.id in self.asked]
            if not [g for g in games if not g.unplayed]:
                reasons = sorted({g.unplayed for g in games if g.unplayed})
                result.readings[name], result.why[name] = None, "; ".join(reasons) or "no game could be played"
            elif any(g.fixture.id in failing for g in games):
                result.readings[name], result.why[name] = None, "the games on which its readings part go otherwise than any of them"
            else:
                result.readings[name] = tuple(r for r in ambiguity.readings if r == profile[name] or r in rivals)
                same = all(self.profiles.same(profile, {**profile, name: r}) for r in rivals)
                result.why[name] = SAME if same else "no game was found that tells them apart beside its other readings"
        result.profile = dict(profile)

    def name(self) -> None:
        """The rulesets that what was found is, or the nearest."""
        result = self.result
        result.rulesets = tuple(name for name in self.rulebook.rulesets if not self.distance(name))
        if result.decided:
            result.exact = bool(result.rulesets) and not result.unexplained and None not in result.readings.values()
            result.ruleset = min(self.rulebook.rulesets, key=self.distance, default=None)

    def distance(self, ruleset: str) -> int:
        """In how many ambiguities a ruleset is not what was found."""
        chosen = self.rulebook.readings(ruleset)
        return sum(found is not None and chosen[a] not in ((found,) if isinstance(found, str) else found) for a, found in self.result.readings.items())

    def faults(self, profile: Profile, target: str | Target) -> None:
        """What is unexplained, and by which rule."""
        explained = [t for t in self.search.transcripts if self.profiles.explains(profile, t)]
        departures = [Departure(t, self.profiles.agreed(profile, t)) for t in self.search.failing(profile)]
        departures += [Departure(t, at) for t in explained if (at := next((n for n, e in enumerate(t.events) if e.miscounted), None)) is not None]
        if self.result.failure is not None or not self.result.games:
            self.result.unexplained = [Unexplained(d.transcript.fixture.id, d.action) for d in departures]
            return
        agreed = [t.played for t in sorted(explained, key=lambda t: t.events[-1].scores is None) if not any(e.miscounted for e in t.events)]
        Trial(self.result, target, self.rulebook, self.fixtures, self.engine.machine, self.supervisor.limits).hold(departures, agreed)


def owned(fixtures: Iterable[Fixture], rulebook: Rulebook) -> dict[str, list[Fixture]]:
    """For each ambiguity the fixtures that are its witnesses, on set-ups of the ruleset, the shortest first: those that
    choose one of its readings, and those of the default's side that stand beside them."""
    found: dict[str, list[Fixture]] = {name: [] for name in rulebook.ambiguities}
    for fixture in sorted((f for f in fixtures if f.file == READINGS and not f.custom), key=lambda f: (len(f.steps), f.id)):
        words = fixture.id.split("/")
        for name in found:
            if name in fixture.readings or (not fixture.readings and name in words):
                found[name].append(fixture)
    return found


def sample_of(fixtures: Iterable[Fixture], actions: int) -> list[Fixture]:
    """Fixtures of the rules themselves that take so many actions together: those of the lower tiers and the shorter first,
    and of each file in turn."""
    plain = [f for f in fixtures if not f.custom and f.level == "must" and not f.readings and f.file != READINGS and f.kind == "trace" and f.isolation is None]
    ordered = sorted(plain, key=lambda f: (TIERS.index(f.tier), len(f.steps), f.id))
    turns: dict[str, int] = {}
    ranked = []
    for fixture in ordered:
        turns[fixture.file] = turns.get(fixture.file, 0) + 1
        ranked.append((TIERS.index(fixture.tier), turns[fixture.file] * (1 + len(fixture.steps)), fixture))
    found: list[Fixture] = []
    for _, _, fixture in sorted(ranked, key=lambda r: r[:2]):
        actions -= 1 + len(fixture.steps)
        if actions < 0:
            break
        found.append(fixture)
    return found
