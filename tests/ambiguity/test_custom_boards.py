"""Are the cases of the suite that tell of no reading judged by the readings that were found?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from patchwork_ref.ambiguity import Fingerprint, Profiles
from patchwork_ref.ambiguity.faults import BOARD, Trial, untold
from patchwork_ref.ambiguity.finding import SAME
from patchwork_ref.ambiguity.transcript import Event, Transcript
from patchwork_ref.conformance.limits import DEFAULT_LIMITS
from patchwork_ref.conformance.reference import ReferenceEngine, always, prints
from patchwork_ref.conformance.targets import Local
from patchwork_ref.fixtures import Fixture
from patchwork_ref.fixtures.model import Play, Refuse
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.setup import Setup, setup_message
from patchwork_ref.report.ambiguities import fingerprint_json, fingerprint_text
from patchwork_ref.report.fingerprints import fingerprint_markdown
from patchwork_ref.rulebook.model import Rulebook
from tests.conformance.faulty.more import MORE

from .conftest import Stubborn

Taken = Callable[..., Fingerprint]


class Choosy(ReferenceEngine):
    """Skips set-ups with other numbers than those on the table."""

    def handle(self, request: dict[str, Any]) -> dict[str, Any]:
        setup = request.get("setup")
        if isinstance(setup, dict):
            plain = setup_message(self.machine, Setup(()))
            if any(setup[name] != plain[name] for name in ("patches", "time_board", "on_offer", "start_buttons", "blank_penalty", "special_tile")):
                return {"id": request["id"], "ok": False, "skipped": {"reason": "there is one table here"}}
        return super().handle(request)

    def __init__(self, machine: Machine) -> None:
        super().__init__(always(machine))
        self.machine = machine


class TwoGamesShare(Stubborn):
    """Lays out its own board, and two games at once share their state."""

    def handle(self, request: dict[str, Any]) -> dict[str, Any]:
        reply = super().handle(request)
        if request["op"] == "new" and len(self.games) > 1:
            first = next(iter(self.games))
            self.games[first] = self.games[str(request["game"])]
        return reply


@pytest.fixture(scope="module")
def machine(rulebook: Rulebook) -> Machine:
    return from_rulebook(rulebook, rulebook.readings())


def test_an_engine_may_lay_out_its_own_board(taken: Taken, rulebook: Rulebook) -> None:
    """An engine that lays out its own time board whatever a custom set-up says is no faulty one; all forms of the result tell of it."""
    found = taken(readings={}, games=0, sample=0)
    assert (found.exit_code, found.exact, found.ignored) == (0, True, (BOARD,))
    assert "its own time_board" in fingerprint_text(found, {}) and "its own `time_board`" in fingerprint_markdown(found, {}) and fingerprint_json(found)["ignored"] == [BOARD]


def test_a_board_that_is_skipped_is_no_fault(taken: Taken, machine: Machine) -> None:
    """An engine that skips custom set-ups is no faulty one, and nothing is said of its board."""
    found = taken(Local("own", lambda: Choosy(machine)), games=0, sample=0)
    assert (found.exit_code, found.exact, found.ignored) == (0, True, ())


def test_an_engine_that_follows_boards_is_told_nothing_of(taken: Taken, machine: Machine, rulebook: Rulebook) -> None:
    """An engine that follows custom set-ups is not said to lay out its own board."""
    found = taken(Local("own", lambda: ReferenceEngine(always(machine, prints(rulebook)))), games=0, sample=0)
    assert (found.exit_code, found.ignored) == (0, ())


def test_a_board_of_its_own_hides_no_fault(taken: Taken, machine: Machine) -> None:
    """Of an engine that lays out its own time board what is wrong beside that is unexplained, and custom boards are not."""
    found = taken(Local("own", lambda: TwoGamesShare(machine)), games=0, sample=0)
    assert found.exit_code == 1 and found.ignored == (BOARD,)
    assert {u.rule for u in found.unexplained} == {"protocol/isolation"} and {u.fixture.partition("/")[0] for u in found.unexplained} == {"isolation"}


def test_a_fault_on_custom_boards_is_no_board_of_its_own(taken: Taken) -> None:
    """A fault that shows on a custom time board alone is not taken for a board of the engine's own."""
    found = taken(Local("own", MORE["of-two-passed-one-is-lost"].make), games=0, sample=0)
    assert found.ignored == () and [u.fixture for u in found.unexplained] == ["custom/two-special-patches-in-one-move"]


@pytest.mark.parametrize("why", [SAME, "no game was found"])
def test_what_the_games_left_open_is_decided_by_these_cases(rulebook: Rulebook, profiles: Profiles, fixtures: tuple[Fixture, ...], machine: Machine, why: str) -> None:
    """A reading that no game told apart, or none can beside the others, is decided where a custom set-up goes by one of them alone, and is no fault then."""
    other = profiles.engine({**machine.readings, "supply": "finite"})
    assert other is not None
    target = Local("own", lambda: ReferenceEngine(always(other.machine, prints(rulebook))))
    found = Fingerprint("own", {**machine.readings, "supply": ("endless", "finite")}, {"supply": why}, dict(machine.readings), games=1)
    Trial(found, target, rulebook, fixtures, machine, DEFAULT_LIMITS).hold([], [])
    assert (found.readings["supply"], found.profile["supply"], found.why, found.unexplained) == ("finite", "finite", {}, [])


def test_games_side_by_side_are_both_there(fixtures: tuple[Fixture, ...]) -> None:
    """The cases that are in no transcript are of the lower tiers, all custom set-ups and perft among them, and each game beside another has it there."""
    found = untold(fixtures)
    ids = {f.id for f in found}
    assert {f.id for f in fixtures if f.tier != "full" and (f.custom or f.kind == "perft" or f.isolation)} <= ids and "full" not in {f.tier for f in found}
    assert all(f.isolation in ids for f in found if f.isolation) and len(ids) == len(found)


def test_a_game_is_played_again_as_it_was(fixtures: tuple[Fixture, ...]) -> None:
    """An action that was to be refused and was accepted belongs to the game when it is played again; as it was recorded it is the fixture itself."""
    fixture = next(f for f in fixtures if [type(s) for s in f.steps[-3:]] == [Refuse, Play, Play])
    acts = [step for step in fixture.steps if isinstance(step, (Play, Refuse))]
    as_recorded = Transcript(fixture, tuple(Event("act", step.action, isinstance(step, Play)) for step in acts))
    all_accepted = Transcript(fixture, tuple(Event("act", step.action, True) for step in acts))
    assert as_recorded.played == fixture and all_accepted.played.actions == tuple(step.action for step in acts)
