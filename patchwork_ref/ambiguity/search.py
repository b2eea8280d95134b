"""Which profile explains most of what an engine answered? Step by step from a given one, a reading or two at a time.

A step is taken when more games are explained, or as many and the others further: so readings that hide one another are
found in the order in which the games show them. What explains nothing more than the profile begun with is taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from patchwork_ref.ambiguity.profiles import Profile, Profiles
from patchwork_ref.ambiguity.transcript import Transcript
from patchwork_ref.conformance.compare import differences
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.machine.observe import observed

PAIRS = 48
"""So many changes of two readings at once are tried where no change of one leads on."""

Owners = dict[str, tuple[str, ...]]
"""By the id of a fixture the ambiguities that it is a witness of."""


class Search:
    """Looks for the profile that explains most; ``transcripts`` may grow between calls."""

    def __init__(self, profiles: Profiles, owners: Owners) -> None:
        self.profiles, self.owners = profiles, owners
        self.transcripts: list[Transcript] = []

    def failing(self, profile: Profile) -> list[Transcript]:
        """What the profile does not explain, the shortest first."""
        return sorted((t for t in self.transcripts if not self.profiles.explains(profile, t)), key=lambda t: (len(t.events), t.fixture.id))

    def settled(self, profile: Profile) -> Profile:
        """The best profile found from this one."""
        while failing := self.failing(profile):
            better = self._better(profile, failing) or self._through(profile, failing)
            if better is None:
                break
            profile = better
        return profile

    def plain(self, profile: Profile, base: Profile) -> Profile:
        """The same without the readings that explain no game that the base's would leave unexplained."""
        for ambiguity in profile:
            if profile[ambiguity] != base[ambiguity]:
                other = {**profile, ambiguity: base[ambiguity]}
                if len(self.failing(other)) <= len(self.failing(profile)):
                    profile = other
        return profile

    def borne_out(self, profile: Profile, base: Profile) -> Profile:
        """The same without the readings that the games on which they part from the base's do not bear out: a fault may look like a reading elsewhere.

        Such a game speaks for a reading where it goes further by it, and against it where it differs from it in what it would have explained."""
        for ambiguity in profile:
            if profile[ambiguity] != base[ambiguity]:
                other = {**profile, ambiguity: base[ambiguity]}
                games = [t for t in self.transcripts if ambiguity in self.owners.get(t.fixture.id, ())]
                further = [t for t in games if self.profiles.agreed(profile, t) > self.profiles.agreed(other, t)]
                shown = frozenset[str]().union(*(self._departs(other, t) for t in further))
                against = [t for t in games if not self.profiles.explains(profile, t) and (not shown or shown & self._departs(profile, t))]
                if against and len(against) >= sum(t not in against for t in further):
                    profile = other
        return profile

    def _departs(self, profile: Profile, transcript: Transcript) -> frozenset[str]:
        """In which fields of the state the first answer that is not explained differs; its kind, where no state is shown."""
        engine, at = self.profiles.engine(profile), self.profiles.agreed(profile, transcript)
        seen = transcript.events[at].state
        if engine is None or seen is None:
            return frozenset({transcript.events[at].kind})
        try:
            state = engine.start(transcript.fixture.setup)
        except PatchworkRefError:
            return frozenset({"start"})
        for event in transcript.events[: at + 1]:
            state = engine.attempt(state, event.action) or state if event.action is not None else state
        return frozenset(d.field for d in differences(observed(engine.machine, state, engine.is_over(state)), seen))

    def contradicted(self, profile: Profile, ambiguity: str, reading: str) -> bool:
        """Whether some game follows the profile further than it follows the same with another reading."""
        other = {**profile, ambiguity: reading}
        ordered = sorted(self.transcripts, key=lambda t: (ambiguity not in self.owners.get(t.fixture.id, ()), len(t.events)))
        return any(self.profiles.agreed(profile, t) > self.profiles.agreed(other, t) for t in ordered)

    def further(self, one: Profile, other: Profile) -> bool:
        """Whether some game that the other profile does not explain follows this one further."""
        return any(self.profiles.agreed(one, t) > self.profiles.agreed(other, t) for t in self.failing(other))

    def _better(self, profile: Profile, failing: Sequence[Transcript]) -> Profile | None:
        own = self._score(profile)
        singles = [list(self._changes(profile, t)) for t in failing]
        for transcript, changes in zip(failing, singles, strict=True):
            for change in changes:
                if self._helps(profile, change, transcript, own):
                    return {**profile, **change}
        for change in islice(self._suspected(profile, failing), PAIRS):
            if any(self._helps(profile, change, t, own) for t in failing):
                return {**profile, **change}
        pairs = ((t, {**a, **b}) for t, changes in zip(failing, singles, strict=True) for a in self._owned(profile, t) for b in changes if b.keys() != a.keys())
        for transcript, change in islice(pairs, PAIRS):
            if self._helps(profile, change, transcript, own):
                return {**profile, **change}
        return None

    def _through(self, profile: Profile, failing: Sequence[Transcript]) -> Profile | None:
        """Where each step explains less and all of them more: two related readings that explain a failing game whole, and from
        there on as always, are taken if more is explained in the end."""
        own = self._score(profile)
        related = {frozenset(pair) for owned in self.owners.values() for pair in combinations(owned, 2)}
        for transcript in failing:
            for change in self._owned(profile, transcript):
                (ambiguity,) = change
                for other in (a for a in profile if frozenset((a, ambiguity)) in related):
                    for reading in self._others(profile, other):
                        end: Profile | None = {**profile, **change, other: reading}
                        last = end
                        if end is None or not self.profiles.explains(end, transcript):
                            continue
                        while end is not None:
                            last, end = end, self._better(end, self.failing(end))
                        if last is not None and self._score(last) > own:
                            return last
        return None

    def _suspected(self, profile: Profile, failing: Sequence[Transcript]) -> Iterator[Profile]:
        """Changes of two readings that games not explained are witnesses of: a final score may need both before it is right."""
        changes = dict.fromkeys(item for t in failing for change in self._owned(profile, t) for item in change.items())
        yield from (dict(pair) for pair in combinations(changes, 2) if pair[0][0] != pair[1][0])

    def _helps(self, profile: Profile, change: Profile, transcript: Transcript, own: tuple[int, float]) -> bool:
        other = {**profile, **change}
        return self.profiles.agreed(other, transcript) > self.profiles.agreed(profile, transcript) and self._score(other) > own

    def _score(self, profile: Profile) -> tuple[int, float]:
        """Games explained, and how far all are explained (in games)."""
        depths = [(self.profiles.agreed(profile, t), len(t.events)) for t in self.transcripts]
        return sum(done == whole for done, whole in depths), sum(done / whole for done, whole in depths)

    def _changes(self, profile: Profile, transcript: Transcript) -> Iterator[Profile]:
        """Every change of one reading, those of the ambiguities first that the game is a witness of."""
        owned = self.owners.get(transcript.fixture.id, ())
        yield from self._owned(profile, transcript)
        yield from ({a: r} for a in profile if a not in owned for r in self._others(profile, a))

    def _owned(self, profile: Profile, transcript: Transcript) -> Iterator[Profile]:
        yield from ({a: r} for a in self.owners.get(transcript.fixture.id, ()) for r in self._others(profile, a))

    def _others(self, profile: Profile, ambiguity: str) -> list[str]:
        return [r for r in self.profiles.rulebook.ambiguities[ambiguity].readings if r != profile[ambiguity]]
