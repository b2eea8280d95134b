"""Are readings told apart by proof, and only where they part?"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from patchwork_ref.machine.model import Machine
from patchwork_ref.polyomino import orientations
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.symbolic.equivalence import compared, equivalent
from patchwork_ref.symbolic.results import Proven, Refuted

from .altered import altered

APART = {
    "special-spaces=original": ("set-up", "special_spaces"), "neutral-token-start=counter-clockwise": ("set-up", "table neutral_token"),
    "shared-space=bottom-moves": ("advance by player 0", "turn"), "advance-near-end=not-clamped": ("advance by player 0", "buttons 0"),
    "tie=draw": ("the end", "winner"), "special-patch-timing=kept": ("advance by player 0", "turn"), "supply=finite": ("advance by player 0", "buttons 0"),
}


@pytest.mark.parametrize("reading", ["purchase-steps=pay-token-place", "event-order=special-first"])
def test_orders_without_effect_are_proved_equivalent(rulebook: Rulebook, machine_of: Callable[..., Machine], reading: str) -> None:
    """Orders of steps that nobody can observe are proved equivalent for all states."""
    ambiguity, _, name = reading.partition("=")
    assert isinstance(equivalent(machine_of(), machine_of(**{ambiguity: name})), Proven)


BESIDE = list(product(("place-then-move", "move-then-place"), ("lost", "stays"), ("at-once", "kept"), ("each-placement", "end-of-turn")))


@pytest.mark.parametrize("reading", ["purchase-steps=pay-token-place", "event-order=special-first"])
@pytest.mark.parametrize("beside", [pytest.param(b, marks=() if b[0] == "move-then-place" and b[3] == "each-placement" else pytest.mark.slow) for b in BESIDE])
def test_orders_without_effect_have_none_beside_other_readings(machine_of: Callable[..., Machine], reading: str, beside: tuple[str, ...]) -> None:
    """Orders that nobody can observe stay so beside whatever else changes the steps of a purchase: a full quilt is judged after the placing in both."""
    chosen = dict(zip(("purchase-order", "full-quilt-special", "special-patch-timing", "tile-check"), beside, strict=True))
    ambiguity, _, name = reading.partition("=")
    assert isinstance(equivalent(machine_of(**chosen), machine_of(**chosen, **{ambiguity: name})), Proven)


@pytest.mark.parametrize("reading", sorted(APART))
def test_readings_with_effect_are_told_apart(machine_of: Callable[..., Machine], reading: str) -> None:
    """Readings that differ are refuted, with the place and the thing that differs."""
    ambiguity, _, name = reading.partition("=")
    result = equivalent(machine_of(), machine_of(**{ambiguity: name}))
    assert isinstance(result, Refuted)
    assert (result.counterexample.case, *result.counterexample.differs) == APART[reading]


def test_an_order_with_effect_is_told_apart(machine_of: Callable[..., Machine]) -> None:
    """Sewing on before or after the move is no matter of taste: the buttons differ after a purchase."""
    result = equivalent(machine_of(), machine_of(**{"purchase-order": "move-then-place"}))
    assert isinstance(result, Refuted)
    assert result.counterexample.case == "buy by player 0" and result.counterexample.differs == ("buttons 0",)
    assert result.counterexample.action is not None and result.counterexample.action.type == "buy"


def test_what_only_properties_read_may_differ(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """A change of what no rule reads is no difference."""
    changes: dict[str, object] = {"rules.turn/buy-place.does": ["me.quilt |= cells", "me.income += patch.income"]}
    assert isinstance(equivalent(machine_of(), altered(rulebook, changes)), Proven)


def test_an_equivalence_may_lean_on_invariants(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """A guard that every reachable state meets anyway makes no difference, by an invariant that is named."""
    changes: dict[str, object] = {"rules.turn/buy-afford.guard": "me.buttons >= patch.cost and me.space - rival.space <= 6"}
    result = equivalent(machine_of(), altered(rulebook, changes))
    assert isinstance(result, Proven)
    assert "holds/lead" in result.leaned_on or "holds/mover-behind" in result.leaned_on


def test_machines_of_different_components_are_not_compared_state_by_state(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """Quilt boards of different size are a difference of components."""
    result = equivalent(machine_of(), altered(rulebook, {"quilt_board.rows": 8}))
    assert isinstance(result, Refuted) and result.counterexample.differs == ("quilt_board",)


def test_each_case_has_its_own_result(machine_of: Callable[..., Machine]) -> None:
    """Where only the end differs, set-up and every action are proved to be the same."""
    results = compared(machine_of(), machine_of(tie="draw"))
    assert {case: type(result) for case, result in results.items() if not isinstance(result, Proven)} == {"the end": Refuted}
    assert len(results) == 8


def test_shapes_are_compared_by_what_they_cover(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """A patch drawn turned is the same patch; drawn with other cells it is told apart by a purchase of it."""
    turned = altered(rulebook, {"patches.e.picture": ["##..", ".###"]})
    assert isinstance(equivalent(machine_of(), turned), Proven)
    other = equivalent(machine_of(), altered(rulebook, {"patches.e.picture": ["#####"]}))
    assert isinstance(other, Refuted) and other.counterexample.differs == ("legal",)
    assert other.counterexample.action is not None and other.counterexample.action.patch == "e"


def test_turns_without_flips_are_told_apart_by_a_patch_that_has_a_mirror_image(machine_of: Callable[..., Machine]) -> None:
    """The difference shown is a purchase of a patch that flips change."""
    machine = machine_of()
    mirrored = {p.name for p in machine.regular if orientations(p.shape, True) != orientations(p.shape, False)}
    result = equivalent(machine, machine_of(turning="turns-only"))
    assert isinstance(result, Refuted) and result.counterexample.differs == ("legal",)
    assert result.counterexample.action is not None and result.counterexample.action.patch in mirrored
    assert 5 < len(mirrored) < len(machine.regular)


def test_a_clause_that_never_matters_is_proved_not_to(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """That the game is not over while a special patch waits changes nothing: who waits is strictly ahead, so not both are done."""
    result = equivalent(machine_of(), altered(rulebook, {"definitions.over.is": "all(p.space == last_space for p in players)"}))
    assert isinstance(result, Proven) and "holds/special-waits-ahead" in result.leaned_on


@pytest.mark.parametrize("tile", ["first-player", "each-player"])
def test_a_second_look_for_the_square_finds_nothing_new(machine_of: Callable[..., Machine], tile: str) -> None:
    """Where special patches are kept, looking for the square after each placement and at the end of the turn is one game, whoever may win a tile."""
    beside = {"special-patch-timing": "kept", "special-tile": tile}
    result = equivalent(machine_of(**beside), machine_of(**beside, **{"tile-check": "end-of-turn"}))
    assert isinstance(result, Proven) and any("tile" in name for name in result.leaned_on)


def test_a_case_that_cannot_occur_in_both_is_compared_in_the_first(machine_of: Callable[..., Machine]) -> None:
    """Where no state meets the invariants of both machines, nothing is called the same for want of states."""
    results = compared(machine_of(), machine_of(**{"special-patch-timing": "kept"}))
    special = results["special by player 0"]
    assert isinstance(special, Refuted) and special.counterexample.differs == ("turn",)
