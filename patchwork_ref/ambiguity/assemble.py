"""Makes ``parting.json`` anew: ``python -m patchwork_ref.ambiguity.assemble`` (``make parting``; some minutes). With names of
ambiguities only their records are.

Games come from where there are any: the records so far, the stored witnesses, the theorems, and the schedules that
``seek`` finds where a bound says that shorter games may exist. Every game is tried for every pair in every ruleset.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

from patchwork_ref.ambiguity.bare import ending, parting
from patchwork_ref.ambiguity.bounds import QUESTIONS, Bound, bound, guide, on_the_track
from patchwork_ref.ambiguity.fullquilt import FullQuilt
from patchwork_ref.ambiguity.games import Game, next_apart, reenacted
from patchwork_ref.ambiguity.laid import circle_of, laid
from patchwork_ref.ambiguity.never import never_parts
from patchwork_ref.ambiguity.parted import FILE, Parted, checked, observed_at, read_parted, write_parted
from patchwork_ref.ambiguity.plans import FULL, LONGEST, OFFER, games
from patchwork_ref.ambiguity.profiles import Profiles
from patchwork_ref.ambiguity.resewn import Quilts, resewn
from patchwork_ref.ambiguity.runout import NoPatches
from patchwork_ref.ambiguity.seek import schedules
from patchwork_ref.engine.engine import Engine
from patchwork_ref.fixtures import Fixture, Play, Refuse, read_fixtures
from patchwork_ref.fixtures.read import shipped
from patchwork_ref.machine.codec import trace_from_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Trace
from patchwork_ref.machine.setup import Setup
from patchwork_ref.polyomino import mask_of, placements
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import load_rulebook
from patchwork_ref.symbolic.equivalence import equivalent
from patchwork_ref.symbolic.results import Proven

TURNS = {"turning": "turns-only"}
"""A game without flips is a game whatever is read about them."""
SEWING, PATIENCE = 20.0, 20.0
"""Seconds of search for quilts without flips, and for schedules of one plan."""
SEWN = 4
"""Orders of the patches in which such quilts are looked for."""
OFFERED, FILLING = 30, 10
"""States of each kind that are kept in the searches for a game at whose end hardly any patches are left, and for one with a full quilt."""
TRIES, BUDGET = 40, 3000
"""Random searches for a schedule, and states looked at in each."""
AT_THE_END = {"tie": 0, "negative-score": 0, "advance-near-end": 0, "final-income": 2}
"""Ambiguities of whole games, and how much sooner than the end they may show."""
LONGER = 3
"""Lengths that are tried, from the least on."""
FILES = ("readings", "square", "endings", "ends", "full")
"""Files whose games reach what is rare."""


def pairs_of(rulebook: Rulebook) -> Iterator[tuple[str, tuple[str, str]]]:
    """Every pair of readings of every ambiguity, the default's first."""
    for ambiguity in rulebook.ambiguities.values():
        order = [ambiguity.default, *(r for r in ambiguity.readings if r != ambiguity.default)]
        yield from ((ambiguity.name, pair) for pair in combinations(order, 2))


class Assembly:
    """Collects games and works out the records of every ruleset."""

    def __init__(self, rulebook: Rulebook, fixtures: Sequence[Fixture], known: Sequence[Parted] = (), folder: Path | None = None) -> None:
        self.rulebook, self.profiles, self.known = rulebook, Profiles(rulebook), known
        self.fixtures = [f for f in fixtures if f.file in FILES and not f.custom]
        engine = self.profiles.engine(rulebook.readings())
        assert engine is not None
        self.machine = engine.machine
        games = [r.game for r in known if r.game is not None]
        games += [(f.setup, tuple(s.action for s in f.steps if isinstance(s, (Play, Refuse)))) for f in self.fixtures]
        games += [(t.setup, t.actions) for t in map(_trace, sorted((folder or shipped()).glob("theorems/*.json"))) if t is not None]
        games += [(Setup(setup.circle, None, setup.first_player), actions) for setup, actions in games]
        self.games = list(dict.fromkeys([*games, *map(self.relaid, games)]))
        self.bounds: dict[tuple[object, ...], Bound] = {}
        self.plans = self.profiles.plans()
        self.sewn: dict[str, Quilts | None] = {}
        self.turned = {p.name: frozenset(placements(p.shape, self.machine.board, False)) for p in self.machine.regular}

    def relaid(self, game: Game) -> Game:
        """The same purchases on a circle that brings them in order, so that every ruleset can play them."""
        setup, actions = game
        bought = list(dict.fromkeys(a.patch for a in actions if a.type == "buy" and a.patch is not None))
        return circle_of(self.machine, bought, setup.first_player), actions

    def engines(self, ambiguity: str, readings: tuple[str, str], ruleset: str) -> tuple[Engine, Engine]:
        base = self.rulebook.readings(ruleset)
        a, b = (self.profiles.engine({**base, ambiguity: r}) for r in readings)
        assert a is not None and b is not None
        return a, b

    def record(self, ambiguity: str, readings: tuple[str, str], ruleset: str) -> Parted:
        """The shortest game for a pair in a ruleset, with the bound; or the proof that there is none."""
        a, b = self.engines(ambiguity, readings, ruleset)
        best = self.best(a, b, self.games)
        if best is None:
            proof = equivalent(a.machine, b.machine)  # where no game is known, and before any is looked for
            if isinstance(proof, Proven):
                return Parted(ambiguity, readings, ruleset, None, "none", None, None, "proved", "by Z3, for all states that meet the invariants")
            fact = never_parts(a.machine, b.machine)
            if fact is not None:
                return Parted(ambiguity, readings, ruleset, None, "none", None, None, "proved", f"by the fact {fact}: the buttons in the box always suffice")
        least = self.bound(ambiguity, readings, a.machine, b.machine, ruleset)
        if best is None or best[0] > least.least:
            fixtures = [(f.setup, reenacted(e, f)) for f in self.fixtures for e in (a, b)] if best is None else []
            found = [*self.sought(ambiguity, readings, a, b, ruleset), *fixtures]
            self.games += [g for g in dict.fromkeys(found) if self.best(a, b, [g]) is not None]
            best = min(filter(None, (best, self.best(a, b, found))), default=None, key=lambda f: f[0])
        if best is None:
            return Parted(ambiguity, readings, ruleset, None, "open", None, least.least, least.how, least.says)
        number, observer, (setup, actions) = best
        game = (setup, actions[:number])
        if game not in self.games:
            self.games.append(game)
        return Parted(ambiguity, readings, ruleset, number, observer, game, least.least, least.how, least.says)

    def best(self, a: Engine, b: Engine, games: Iterable[Game]) -> tuple[int, str, Game] | None:
        names = {p.name for p in a.machine.regular}
        found = [(*seen, game) for game in games if game[0].neutral_token is None and set(game[0].circle) == names and (seen := observed_at(a, b, game)) is not None]
        return min(found, default=None, key=lambda f: (f[0], self.flips(f[2]), len(f[2][1])))

    def flips(self, game: Game) -> int:
        """How many patches lie as only a flip lays them: of two games as long, one without is for more people."""
        return sum(a.type == "buy" and bool(a.cells) and mask_of(a.cells or ()) not in self.turned[a.patch or ""] for a in game[1])

    def bound(self, ambiguity: str, readings: tuple[str, str], a: Machine, b: Machine, ruleset: str) -> Bound:
        """Bounds by counts and those about the end do not depend on the two readings, and are worked out once a ruleset."""
        question = QUESTIONS.get((ambiguity, readings), QUESTIONS.get((ambiguity, None)))
        if question is None or question is on_the_track:
            return bound(ambiguity, readings, a, b)
        base = self.profiles.engine(self.rulebook.readings(ruleset))
        assert base is not None
        key = (base.machine.digest, question)
        if key not in self.bounds:
            self.bounds[key] = question(base.machine, base.machine)
        return self.bounds[key]

    def sought(self, ambiguity: str, readings: tuple[str, str], a: Engine, b: Engine, ruleset: str) -> list[Game]:
        """Games by schedules on the time board, for the pairs that need no more than that; the shortest alone."""
        one, other = (self.turning(e, ruleset, {ambiguity: reading}) for e, reading in zip((a, b), readings, strict=True))
        if ambiguity == OFFER:
            return list(NoPatches(one, other, random.Random(ruleset), OFFERED, False).games())
        if ambiguity == FULL:
            searches = (FullQuilt(one, other, filler, random.Random(ruleset), FILLING).games() for filler in (0, 1))
            return [game for games in searches if (game := next(games, None)) is not None]
        if ambiguity in self.plans.known:
            return self.followed(ambiguity, readings, a, b, ruleset)
        goal = parting if QUESTIONS.get((ambiguity, None)) is on_the_track else ending if ambiguity in AT_THE_END else None
        base = self.profiles.engine(self.rulebook.readings(ruleset))
        if goal is None or base is None:
            return []
        machines = (a.machine, b.machine) if goal is parting else (base.machine, base.machine)
        known, source = guide(*machines, goal), random.Random(f"{ambiguity} {readings}")
        found: tuple[int, Game] | None = None
        for depth in range(known.least(), known.least() + LONGER):
            for _ in range(TRIES):
                for schedule in schedules(known.track, known, depth, source, BUDGET):
                    game = laid(one, schedule)
                    seen = observed_at(a, b, game) if game is not None else None
                    if game is not None and seen is not None and (found is None or seen[0] < found[0]):
                        found = seen[0], game
                    if found is not None and found[0] <= depth - AT_THE_END.get(ambiguity, 0):
                        return [found[1]]
            if found is not None:
                break
        return [found[1]] if found is not None else []

    def followed(self, ambiguity: str, readings: tuple[str, str], a: Engine, b: Engine, ruleset: str) -> list[Game]:
        """Games by plans, for the pairs that need quilts; no patch of them is flipped, so that they are games for those too who only turn."""
        base = self.rulebook.readings(ruleset)
        one, other = (self.profiles.engine({**base, ambiguity: reading, OFFER: self.rulebook.ambiguities[OFFER].default}) for reading in readings)
        turning, found = self.turning(a, ruleset, {ambiguity: readings[0]}), list[Game]()
        assert one is not None and other is not None
        for known in self.plans.of(ambiguity, readings):
            most = min((len(actions) for _, actions in found), default=LONGEST) - 1
            source, key = random.Random(f"{ambiguity} {ruleset}"), repr(known)
            if key not in self.sewn:
                tries = (resewn(turning.machine, known, source, SEWING) for _ in range(SEWN))
                self.sewn[key] = next((sewn for sewn in tries if sewn is not None), None)
            sewn = self.sewn[key]
            for fine in (False, True) if sewn is not None else ():
                assert sewn is not None
                for setup, actions in games(turning, (one, other), ambiguity, sewn, fine, time.process_time() + PATIENCE, source, False, most):
                    game = (setup, actions + next_apart(a, b, (setup, actions)))
                    if self.best(a, b, [game]) is not None:
                        found.append(game)
                        most = len(actions) - 1
                        break
        return found

    def turning(self, a: Engine, ruleset: str, chosen: dict[str, str]) -> Engine:
        """The same rules without flips."""
        found = self.profiles.engine({**self.rulebook.readings(ruleset), **chosen, **TURNS})
        return found if found is not None else a


def assembled(rulebook: Rulebook, fixtures: Sequence[Fixture], known: Sequence[Parted] = (), say: bool = False, games: Sequence[Game] = (),
              only: Sequence[str] = ()) -> list[Parted]:
    """Every pair within every ruleset; rulesets with the same readings share their records. ``games`` are tried too. With ``only``
    the records of other ambiguities stay as they are known."""
    work = Assembly(rulebook, fixtures, known)
    work.games += games
    found: list[Parted] = []
    for ambiguity, readings in pairs_of(rulebook):
        if only and ambiguity not in only:
            found += [r for r in known if (r.ambiguity, r.readings) == (ambiguity, readings)]
            continue
        done: dict[tuple[str, str], Parted] = {}
        for ruleset in rulebook.rulesets:
            a, b = work.engines(ambiguity, readings, ruleset)
            key = (a.machine.digest, b.machine.digest)
            if key not in done:
                done[key] = work.record(ambiguity, readings, ruleset)
                assert not (wrong := checked(done[key], a, b)) or done[key].observer == "open", wrong
            r = done[key]
            found.append(Parted(ambiguity, readings, ruleset, r.length, r.observer, r.game, r.least, r.how, r.says))
            if say:
                sys.stderr.write(f"{ambiguity} {' or '.join(readings)} in {ruleset}: {r.length} ({r.observer}), at least {r.least} ({r.how})\n")
    return found


def _trace(path: Path) -> Trace | None:
    witness = json.loads(path.read_text(encoding="utf-8")).get("witness", {})
    return trace_from_json(witness, path.name) if witness.get("kind") == "trace" else None


def main() -> None:
    """Writes the file beside the shipped fixtures."""
    rulebook, only = load_rulebook(), sys.argv[1:]
    for name in only:
        if name not in rulebook.ambiguities:
            raise SystemExit(f"no ambiguity is called {name!r}; see ambiguity list")
    sys.setrecursionlimit(10_000)
    write_parted(assembled(rulebook, read_fixtures(), read_parted(), say=True, only=only), shipped() / FILE)


if __name__ == "__main__":
    main()
