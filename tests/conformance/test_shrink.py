"""Do long failing games become short ones that fail in the same way?

The shortest games known: found by breadth-first search on the reference and a changed rulebook where they have up to
three actions, else the best of long searches and of the shipped fixtures.
"""

from __future__ import annotations

import random
import time
from dataclasses import replace
from typing import Any

import pytest

from patchwork_ref.conformance.blame import Spectrum, suspects
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import Course, course
from patchwork_ref.conformance.games import Game, arranged, game_of, played
from patchwork_ref.conformance.judge import Verdict, judge
from patchwork_ref.conformance.limits import DEFAULT_LIMITS
from patchwork_ref.conformance.planned import Planner, level_games, square_behind
from patchwork_ref.conformance.recorded import fixture_of
from patchwork_ref.conformance.shrink import Shrunk, shrink
from patchwork_ref.conformance.suite import cases, chosen
from patchwork_ref.conformance.targets import Local
from patchwork_ref.engine import Engine
from patchwork_ref.engine.policies import POLICIES
from patchwork_ref.engine.policies import played as whole_game
from patchwork_ref.fixtures import fixture_to_json
from patchwork_ref.fixtures.read import read_fixtures
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.setup import Setup, shuffled
from patchwork_ref.rulebook.rulebook import load_rulebook
from tests.conformance.faulty.engines import FAULTS
from tests.conformance.faulty.engines import Engine as Sample
from tests.conformance.faulty.engines import Game as SampleGame

RULEBOOK = load_rulebook()
ENGINE = Engine(from_rulebook(RULEBOOK))

SHORTEST = {
    "income-pays-once": 4, "no-final-income": 24, "unclamped-advance": 26, "special-to-rival": 9, "advance-earns-no-special": 9, "purchase-pays-no-income": 1,
    "no-flips": 1, "mistyped-patch": 1, "token-stays": 1, "rival-moves-on-shared-space": 2, "penalty-one": 26, "no-tile": 20, "tile-pays-at-once": 20,
    "tile-for-purchases-alone": 20, "tie-is-draw": 29, "last-to-finish-wins-ties": 29,
}


def long_failure(make: Any, least: int = 10) -> tuple[Course, Verdict]:
    """A random game of at least forty actions that fails late; the latest of some where none fails late."""
    best: tuple[Course, Verdict] | None = None
    names = [*POLICIES]
    with Connection.open(Local("faulty", make)) as connection:  # type: ignore[union-attr]
        for seed in range(300):
            laid = shuffled(ENGINE.machine, seed)
            setup = Setup(laid.circle, ENGINE.neutral_token(laid), laid.first_player)
            actions, _, _ = whole_game(ENGINE, setup, POLICIES[names[seed % len(names)]], random.Random(seed))
            if len(actions) < 40:
                continue
            case = course(f"random {seed}", ENGINE, setup, actions)
            verdict = judge(connection, case)
            if verdict.failed and (best is None or verdict.action > best[1].action):
                best = case, verdict
            if best is not None and (best[1].action >= least or seed > 40):
                break
    assert best is not None
    return best


def made_short(make: Any, seconds: float, known: Any = (), limits: Any = DEFAULT_LIMITS) -> Shrunk:
    case, verdict = long_failure(make)
    blame = suspects(verdict, case, RULEBOOK, Spectrum())[0]
    found = shrink(Local("faulty", make), case, verdict, blame, RULEBOOK, seconds, known, limits)
    assert found is not None
    assert found.before >= 40 and found.confirmed
    assert (found.verdict.outcome, found.verdict.kind) == (verdict.outcome, verdict.kind)
    return found


@pytest.mark.parametrize("name", ["no-flips", "mistyped-patch", "token-stays", "rival-moves-on-shared-space", "purchase-pays-no-income"])
def test_a_fault_that_shows_at_once_ends_in_a_tiny_game(name: str) -> None:
    """From a random game of forty actions or more to at most two more than the shortest known."""
    assert made_short(FAULTS[name].make, 6.0).actions <= SHORTEST[name] + 2


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SHORTEST])
def test_ten_planted_faults_end_in_short_games(name: str) -> None:
    """The same for faults that show late, within a minute."""
    assert made_short(FAULTS[name].make, 60.0).actions <= SHORTEST[name] + 2


@pytest.mark.parametrize("by_special", [False, True])
def test_a_square_is_planned(by_special: bool) -> None:
    """Planned games are legal on the ruleset's set-up, fill the square with their last action, and are short."""
    circle = tuple(p.name for p in ENGINE.machine.regular)
    lengths = [99]
    for game in Planner(ENGINE, 7, circle, by_special).games(lambda: lengths[-1], time.monotonic() + 8):
        state = ENGINE.start(game.setup)
        assert sorted(game.setup.circle) == sorted(circle)
        for action in game.actions:
            assert not state.get("special_tile", 0)
            state = ENGINE.apply(state, action)
        assert state.get("special_tile", 0) and (game.actions[-1].type == "special") == by_special
        assert len(game.actions) < lengths[-1]
        lengths.append(len(game.actions))
        if lengths[-1] <= 22:
            return
    raise AssertionError(lengths)


def test_level_scores_are_found() -> None:
    """Games that end level are found among short ones, each shorter than the one before."""
    lengths = [60]
    for game in level_games(ENGINE, lambda: lengths[-1], time.monotonic() + 8):
        state = ENGINE.start(game.setup)
        for action in game.actions:
            state = ENGINE.apply(state, action)
        totals = ENGINE.score(state).totals
        assert ENGINE.is_over(state) and totals[0] == totals[1] and len(game.actions) < lengths[-1]
        lengths.append(len(game.actions))
        if lengths[-1] <= 35:
            return
    raise AssertionError(lengths)


def test_what_needs_a_square_is_known() -> None:
    """A rule that waits for the square, and a part of the score that reads what it gives; no other one."""
    assert {rule: square_behind(ENGINE, rule) for rule in ("tile/claim", "end/score-tile", "end/score-blanks", "track/income")} == {
        "tile/claim": 7, "end/score-tile": 7, "end/score-blanks": None, "track/income": None,
    }


def test_known_games_are_used() -> None:
    """The beginning of a shipped game that ends alike takes the place of a long random one."""
    known = [c.course for c in cases(chosen(read_fixtures(), "gate"), RULEBOOK, ENGINE.machine) if not c.fixture.custom]
    assert made_short(FAULTS["advance-earns-no-special"].make, 8.0, known).actions <= 27


def test_a_set_up_stays_one_of_the_ruleset() -> None:
    """Only the circle, the token and the first player are laid anew, and every patch stays in the circle."""
    found = made_short(FAULTS["mistyped-patch"].make, 3.0)
    assert found.course.engine.machine is ENGINE.machine
    assert sorted(found.course.setup.circle) == sorted(p.name for p in ENGINE.machine.regular)


class FallsOnIncome(SampleGame):
    """Brings the engine down once a player has income of three."""

    def pay(self, who: int, amount: int) -> None:
        if self.income[who] >= 3:
            raise SystemExit(3)
        super().pay(who, amount)


class Endless(SampleGame):
    """Never comes back from a purchase of one patch."""

    def buy(self, name: str, cells: list[int]) -> None:
        while name == "H":
            pass
        super().buy(name, cells)


@pytest.mark.parametrize(("game", "outcome", "most"), [(FallsOnIncome, "crashed", 6), (Endless, "hung", 3)])
def test_crashes_and_hangs_shrink_too(game: type, outcome: str, most: int) -> None:
    """A crash and a hang end in a short game that still shows them."""
    limits = replace_limits()
    case, verdict = long_failure(lambda: Sample(game)) if outcome == "crashed" else hanging(game)
    blame = suspects(verdict, case, RULEBOOK, Spectrum())[0]
    found = shrink(Local("faulty", lambda: Sample(game)), case, verdict, blame, RULEBOOK, 8.0, (), limits)
    assert found is not None and found.verdict.outcome == outcome
    assert found.actions <= most


def replace_limits() -> Any:
    import msgspec

    return msgspec.structs.replace(DEFAULT_LIMITS, apply=0.4)


def hanging(game: type) -> tuple[Course, Verdict]:
    """A whole game in which the patch is bought, and how it ends."""
    for seed in range(20):
        laid = shuffled(ENGINE.machine, seed)
        setup = Setup(laid.circle, ENGINE.neutral_token(laid), 0)
        actions, _, _ = whole_game(ENGINE, setup, POLICIES["greedy"], random.Random(seed))
        if any(a.patch == "H" for a in actions):
            case = course("hanging", ENGINE, setup, actions)
            with Connection.open(Local("faulty", lambda: Sample(game)), replace_limits()) as connection:  # type: ignore[union-attr]
                return case, judge(connection, case, looks="each")
    raise AssertionError


def test_a_game_laid_anew_is_legal() -> None:
    """With the circle laid in the order of the purchases every action of a game is still legal."""
    laid = shuffled(ENGINE.machine, 3)
    setup = Setup(laid.circle, ENGINE.neutral_token(laid), 1)
    actions, _, _ = whole_game(ENGINE, setup, POLICIES["mixed"], random.Random(3))
    for offset in (0, 1, 2):
        anew = arranged(ENGINE, Game(setup, actions), offset)
        assert played(ENGINE, anew.setup, anew.actions) == actions


def test_a_shrunk_file_holds_the_question() -> None:
    """What the failure showed in, such as a refused action, is written into the file that is replayed."""
    action = whole_game(ENGINE, shuffled(ENGINE.machine, 1), POLICIES["random"], random.Random(1))[0][0]
    case = Game(Setup(shuffled(ENGINE.machine, 1).circle, 0, 0), (), replace(action, type="special", patch=None, cells=(0,))).course(ENGINE)
    steps = fixture_to_json(fixture_of(case, RULEBOOK, "shrunk/x", "x", ""))["steps"]
    assert steps == [{"refuse": {"type": "special", "cells": [0]}, "code": "no-special-pending", "rule": "turn/special-pending"}]
    verdict = Verdict(case.name, "accepted-illegal", 1, "rejection", refused=case.tasks[0].action)  # type: ignore[union-attr]
    assert game_of(case, verdict).last == case.tasks[0].action  # type: ignore[union-attr]
