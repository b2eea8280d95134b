"""What is known of each ambiguity: its pairs of readings, and for each pair the shortest game known on which they part, with
what is known of shorter ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations

from patchwork_ref.ambiguity.fingerprint import ELSEWHERE, owned
from patchwork_ref.ambiguity.games import as_fixture, candidates, parting
from patchwork_ref.ambiguity.parted import Parted, read_parted
from patchwork_ref.ambiguity.profiles import Profiles
from patchwork_ref.ambiguity.walk import Walk, walk
from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import ChoiceError
from patchwork_ref.fixtures import Fixture, Legal, unobservable
from patchwork_ref.rulebook.model import DEFAULT_RULESET, Ambiguity, Rulebook

PATIENCE = 30.0
"""Seconds of search for a game by known quilts."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two readings of one ambiguity. ``walk`` shows where they part, on ``fixture`` where the game is a stored one; without
    a walk ``reason`` says why no game can, or that none was found."""

    ambiguity: str
    readings: tuple[str, str]
    fixture: str | None = None
    walk: Walk | None = None
    reason: str = ""
    silent: bool = False  # whether no game at all is expected to tell them apart


class Laboratory:
    """One Rulebook with its fixtures, and the readings beside which the pairs are compared (the default ruleset's)."""

    def __init__(self, rulebook: Rulebook, fixtures: Sequence[Fixture], ruleset: str | None = None, chosen: Sequence[str] = ()) -> None:
        self.rulebook, self.fixtures = rulebook, fixtures
        self.base = dict(rulebook.readings(ruleset, chosen))
        self.profiles = Profiles(rulebook)
        self.ruleset = None if chosen else ruleset or DEFAULT_RULESET  # whose records hold here

    @cached_property
    def records(self) -> dict[tuple[str, frozenset[str]], Parted]:
        """What is stored of the shortest games, for the ruleset alone."""
        return {(r.ambiguity, frozenset(r.readings)): r for r in read_parted() if r.ruleset == self.ruleset}

    @cached_property
    def games(self) -> dict[str, list[Fixture]]:
        return owned(self.fixtures, self.rulebook)

    def ambiguity(self, name: str) -> Ambiguity:
        """Raises ChoiceError with near names."""
        if name not in self.rulebook.ambiguities:
            from difflib import get_close_matches

            near = get_close_matches(name, self.rulebook.ambiguities, 1)
            raise ChoiceError(f"no ambiguity is called {name!r}; {f'did you mean {near[0]}?' if near else 'see ambiguity list'}")
        return self.rulebook.ambiguities[name]

    def engine(self, ambiguity: str, reading: str) -> Engine:
        """One reading beside the base. Raises ChoiceError."""
        found = self.profiles.engine({**self.base, ambiguity: reading})
        if found is None:
            raise ChoiceError(f"{ambiguity}={reading} cannot be put together with the other readings")
        return found

    def pairs(self, name: str) -> list[Pair]:
        """Every pair of readings, the default's first."""
        ambiguity = self.ambiguity(name)
        order = [ambiguity.default, *(r for r in ambiguity.readings if r != ambiguity.default)]
        return [self.pair(name, a, b) for a, b in combinations(order, 2)]

    def pair(self, name: str, a: str, b: str) -> Pair:
        silent = unobservable()
        reason = next((silent[f"{name}={r}"] for r in (b, a) if f"{name}={r}" in silent), None)
        if reason is not None:
            return Pair(name, (a, b), reason=reason, silent=True)
        one, other = self.engine(name, a), self.engine(name, b)
        shortest: tuple[int, Fixture, Walk] | None = None
        for fixture in self.games[name]:
            if fixture.readings.keys() - {name}:
                continue
            found = walk(one, other, fixture)
            if found.shown is not None and (shortest is None or len(found.actions) < shortest[0]):
                shortest = (len(found.actions), fixture, found)
        record = self.records.get((name, frozenset((a, b))))
        if record is not None and record.game is not None and (shortest is None or len(record.game[1]) < shortest[0]):
            found = walk(one, other, _as_fixture(record, self.base))
            if found.shown is not None:
                return Pair(name, (a, b), None, found, record.words)
        if shortest is not None:
            return Pair(name, (a, b), shortest[1].id, shortest[2], record.words if record is not None and record.length == shortest[0] else "")
        if record is not None and record.how == "proved":
            return Pair(name, (a, b), reason=record.words)
        return self.found(name, a, b)

    def found(self, name: str, a: str, b: str) -> Pair:
        """A pair for which no game is stored, as beside the readings of another ruleset: a game stored for others, one found by play
        or by known quilts, or a proof that there is none."""
        one, other, base = self.engine(name, a), self.engine(name, b), {**self.base, name: a}
        stored = [*self.games[name], *(f for f in self.fixtures if f.file in ELSEWHERE and not f.custom)]
        games = chain(self.profiles.plans().direct(one, name), candidates(one, stored, f"{name} {a} {b}"))
        known = next((game for game in games if parting(one, other, *game) is not None), None)
        if known is None and self.profiles.same(base, {**base, name: b}):
            return Pair(name, (a, b), reason="no game tells them apart beside the other readings chosen: it is proved")
        known = known or self.profiles.sought(base, name, b, PATIENCE)
        shown = parting(one, other, *known) if known is not None else None
        if known is None or shown is None:
            return Pair(name, (a, b), reason="no game is stored or was found on which these readings part beside the other readings chosen")
        game = as_fixture(f"found/{name}", f"parts {a} and {b}", (known[0], known[1][: shown.number]), self.base)
        return Pair(name, (a, b), None, walk(one, other, game), "found by play; a shorter one was not looked for")


def _as_fixture(record: Parted, base: dict[str, str]) -> Fixture:
    """The record's game; at its end the legal actions are looked at."""
    assert record.game is not None
    game = as_fixture(f"parting/{record.ruleset}/{record.ambiguity}", f"parts {' and '.join(record.readings)}", record.game, base)
    return replace(game, steps=(*game.steps, Legal(0, ""))) if record.observer == "legal" else game
