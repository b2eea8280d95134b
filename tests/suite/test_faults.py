"""Is the right mutant named for engines with known faults?"""

from __future__ import annotations

import importlib.util
import json
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from patchwork_ref.fixtures import read_fixtures, shipped
from patchwork_ref.machine.codec import action_to_json, dumps
from patchwork_ref.machine.observe import observed
from patchwork_ref.machine.setup import Setup, setup_message
from patchwork_ref.machine.state import State
from patchwork_ref.rulebook.rulebook import load_rulebook
from patchwork_ref.suite import KILLS, Case, Failure, cases_of, diagnose, read_matrix
from patchwork_ref.suite.cases import Played

BOOK = load_rulebook()
ROOT = Path(__file__).parents[2]

EXPECTED = {
    "income-pays-once": {"track/income~once"},
    "no-final-income": {"reading/final-income~not-paid"},
    "unclamped-advance": {"reading/advance-near-end~not-clamped"},
    "purchase-pays-no-income": {"action/buy~without-all-income"},
    "advance-earns-no-special": {"action/advance~without-track/special"},
    "special-to-rival": {"track/special~to-the-rival-at-once", "track/special~does-2-me-pending-of-the-other"},
    "token-stays": {"turn/buy-token~skipped-stay"},
    "rival-moves-on-shared-space": {"reading/shared-space~bottom-moves"},
    "tie-is-draw": {"reading/tie~draw"},
    "tile-needs-81": {"tile/claim~whole-board"},
    "tile-to-both": {"reading/special-tile~each-player", "tile/claim~when-unclaimed-dropped"},
    "no-flips": {"reading/turning~turns-only"},
    "short-offer-hidden": {"reading/short-offer~none"},
    "marks-one-early": {"track/crossed~every-mark-early", "track/crossed~mark-minus-1"},
    "mistyped-patch": {"patch/B~cost-of-its-twin"},
    "income-times-buttons": {"track/income~times-buttons"},
    "penalty-one": {"constant/blank-penalty~minus-1"},
}


@cache
def plain() -> ModuleType:
    spec = importlib.util.spec_from_file_location("faulty_engine", ROOT / "engines" / "python" / "engine.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@cache
def cases() -> tuple[Case, ...]:
    return tuple(c for c in cases_of(read_fixtures(shipped()), BOOK) if c.required and c.cost < 200)


def flat(state: dict[str, Any]) -> dict[tuple[str, int | None], Any]:
    found: dict[tuple[str, int | None], Any] = {(k, None): v for k, v in state.items() if k != "players"}
    return found | {(k, who): v for who, player in enumerate(state["players"]) for k, v in player.items()}


def outcome(case: Case, fault: str) -> Failure | None:
    """The first difference that someone sees who plays the case on the faulty engine."""
    engine = case.engine
    token = case.setup.neutral_token if case.setup.neutral_token is not None else engine.neutral_token(case.setup)
    message = json.loads(dumps(setup_message(engine.machine, Setup(case.setup.circle, token, case.setup.first_player))))
    game, done = plain().Game(message, [fault]), 0
    for task in case.tasks:
        if not isinstance(task, Played):
            continue
        done += 1
        try:
            game.apply(action_to_json(task.action))
        except plain().Illegal:
            return Failure(case.name, done, "rejection")
        mine, theirs = flat(observed(engine.machine, State(task.after, engine.layout), task.over)), flat(game.state())
        if got := {name: theirs[name] for name in mine if theirs[name] != mine[name]}:
            return Failure(case.name, done, "state", got)
    if case.end is not None and game.turn is None:
        scores, winner = game.score()
        got = {("score", who): scores[who] for who in (0, 1) if scores[who] != case.end[0][who]}
        if winner != case.end[1]:
            got["winner", None] = winner
        if got:
            return Failure(case.name, done, "score", got)
    return None


QUICK = ("income-pays-once", "purchase-pays-no-income")


@pytest.mark.parametrize("fault", [fault if fault in QUICK else pytest.param(fault, marks=pytest.mark.slow) for fault in EXPECTED])
def test_a_fault_is_named(fault: str) -> None:
    """The mutant that a faulty engine behaves like, or one that explains just as much, is the one that was built in."""
    outcomes = {case.name: outcome(case, fault) for case in cases()}
    failures = [failure for failure in outcomes.values() if failure is not None]
    passed = [name for name, failure in outcomes.items() if failure is None]
    assert failures, "no fixture notices"
    found = diagnose(failures, passed, cases(), BOOK, read_matrix(shipped() / KILLS))
    assert EXPECTED[fault] & {*found.names, *found.alternatives}, (str(found), found.alternatives)
