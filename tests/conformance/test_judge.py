"""Does one case get the right verdict, however it is looked at?"""

from __future__ import annotations

import random
from typing import Any

import pytest

from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.course import Course, course
from patchwork_ref.conformance.games import Game as Shown
from patchwork_ref.conformance.judge import Verdict, judge
from patchwork_ref.conformance.targets import Local
from patchwork_ref.engine import Engine
from patchwork_ref.engine.policies import POLICIES, played
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup, shuffled
from patchwork_ref.rulebook.rulebook import load_rulebook
from tests.conformance.faulty.engines import FAULTS, Game
from tests.conformance.faulty.engines import Engine as Sample

ENGINE = Engine(from_rulebook(load_rulebook()))


def a_game(seed: int, policy: str = "mixed") -> Course:
    laid = shuffled(ENGINE.machine, seed)
    setup = Setup(laid.circle, ENGINE.neutral_token(laid), laid.first_player)
    return course(f"game {seed}", ENGINE, setup, played(ENGINE, setup, POLICIES[policy], random.Random(seed))[0])


def verdict_on(make: Any, case: Course, looks: Any = "usual") -> Verdict:
    with Connection.open(Local("engine", make)) as connection:  # type: ignore[union-attr]
        return judge(connection, case, looks=looks)


@pytest.mark.parametrize("seed", range(4))
def test_batches_find_the_same_first_difference(seed: int) -> None:
    """Looking now and then, and narrowing down, names the same action as looking after each."""
    make = FAULTS["rival-moves-on-shared-space"].make
    case = a_game(seed)
    usual, each = verdict_on(make, case), verdict_on(make, case, "each")
    assert each.failed
    assert (usual.outcome, usual.action, usual.differences) == (each.outcome, each.action, each.differences)


def test_a_difference_that_heals_is_seen_while_a_special_patch_waits() -> None:
    """What differs only until a special patch is placed does not slip through between two looks."""

    class Late(Game):
        """Counts the income of a move only when the special patch is placed."""

        def end_of_action(self, who: int, same_turn: bool = False) -> None:
            super().end_of_action(who, same_turn)
            if self.pending[who]:
                self.buttons[who] -= 1
                self.owed = getattr(self, "owed", 0) + 1
            elif getattr(self, "owed", 0):
                self.buttons[who] += self.owed
                self.owed = 0

    assert verdict_on(lambda: Sample(Late), a_game(0, "advance")).outcome == "diverged"


def test_an_illegal_action_that_is_accepted_is_named() -> None:
    """The verdict on an accepted illegal action holds that action and the code that was expected."""
    setup = a_game(1).setup
    case = Shown(setup, (), Action("special", None, (0,))).course(ENGINE)
    verdict = verdict_on(FAULTS["special-for-nothing"].make, case)
    assert (verdict.outcome, verdict.action, verdict.refused, verdict.code_expected) == ("accepted-illegal", 1, Action("special", None, (0,)), "no-special-pending")


def test_a_case_can_be_played_on_to_its_end() -> None:
    """A case played on to the end is over, and keeps what it asked."""
    case = Shown(a_game(2).setup, a_game(2).actions[:3], "legal").course(ENGINE)
    ended = case.ended()
    assert ended.over and not case.over
    assert ended.tasks[: len(case.tasks)] == case.tasks
