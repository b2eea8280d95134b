"""Do the strategies give what their arguments describe?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from patchwork_ref.errors import InputError
from patchwork_ref.polyomino import cells_of, mask_of
from patchwork_ref.polyomino import placements as all_placements
from patchwork_ref.strategies import default_engine, illegal_actions, mutants, patches, placements, quilts, setups, states

from .conftest import GAMES

MACHINE = default_engine().machine


@settings(GAMES)
@given(patches(min_cells=4, max_cost=3))
def test_patches_keep_to_their_bounds(patch) -> None:
    """A patch that is drawn is one of the rulebook's and within every bound given."""
    assert patch in MACHINE.regular and len(patch.shape) >= 4 and patch.numbers["cost"] <= 3


@settings(GAMES)
@given(quilts(max_cells=60).flatmap(lambda q: st.tuples(st.just(q), placements(patch="A", quilt=q))))
def test_placements_lie_on_free_cells(drawn) -> None:
    """A placement covers cells in the patch's shape and none that the quilt covers already."""
    quilt, cells = drawn
    assert not mask_of(cells) & quilt and mask_of(cells) in all_placements(MACHINE.patches[0].shape, MACHINE.board, True)


@settings(GAMES, max_examples=25)
@given(quilts(min_cells=70))
def test_reachable_quilts_can_be_dense(quilt: int) -> None:
    """Reachable quilts of at least 70 cells are found, and hold at least 70."""
    assert 70 <= quilt.bit_count() <= MACHINE.board.cells


@settings(GAMES)
@given(quilts(reachable=False, min_cells=80))
def test_arbitrary_quilts_keep_to_their_bounds(quilt: int) -> None:
    """Any set of cells with at least the cells asked for."""
    assert quilt.bit_count() >= 80 and quilt <= MACHINE.board.full


@settings(GAMES)
@given(setups(min_patches=3, max_patches=5, token="given", first=("H", "Q")))
def test_setups_lay_out_what_is_asked(setup) -> None:
    """The patches named first come first, the circle has the size asked for, and no patch stands twice."""
    assert setup.circle[:2] == ("H", "Q") and 3 <= len(setup.circle) <= 5 and len(set(setup.circle)) == len(setup.circle)


@settings(GAMES)
@given(states(over=True))
def test_states_at_the_end_are_at_the_end(state) -> None:
    """States asked for after the end are after the end."""
    assert default_engine().is_over(state)


@settings(GAMES)
@given(states(reachable=False))
def test_arbitrary_states_can_be_looked_at(state) -> None:
    """Both back ends answer for any combination of values, and alike."""
    engine, slow = default_engine(), default_interpreter()
    assert engine.is_over(state) == slow.is_over(state) and engine.score(state) == slow.score(state) and engine.count(state) == slow.count(state)


def default_interpreter():
    from patchwork_ref.engine import Engine

    return Engine(MACHINE, "interpreted")


@settings(GAMES)
@given(illegal_actions())
def test_near_misses_are_refused(drawn) -> None:
    """What is called illegal is refused, by the rule and with the code that is named."""
    state, action, refusal = drawn
    assert default_engine().explain(state, action) == refusal


@pytest.mark.parametrize("code", ["too-few-buttons", "overlap", "off-board", "wrong-shape", "not-on-offer", "no-special-pending", "special-pending", "finished", "unknown"])
def test_every_reject_code_has_near_misses(code: str) -> None:
    """For each reject code of the rulebook there are actions that are refused with it."""

    @settings(GAMES, max_examples=3)
    @given(illegal_actions(code=code))
    def drawn(found) -> None:
        assert found[2].code == code

    drawn()


@settings(GAMES, max_examples=10)
@given(mutants(operator="number"))
def test_mutants_are_machines(mutant) -> None:
    """A mutant has another digest than the rulebook, and a Machine."""
    assert mutant.bare.digest != MACHINE.digest


def test_what_does_not_exist_is_said_in_one_line() -> None:
    """Unknown patches, rules and pictures of a wrong size raise InputError; an empty choice gives no examples."""
    for wrong in (lambda: placements(patch="nope"), lambda: placements(quilt="#."), lambda: mutants(rule="nope"), lambda: setups(first=("nope",))):
        with pytest.raises(InputError) as caught:
            wrong()
        assert "\n" not in str(caught.value)

    @settings(GAMES)
    @given(placements(patch="A", quilt=MACHINE.board.full))
    def never(cells) -> None:
        raise AssertionError(cells_of(MACHINE.board.full))

    with pytest.raises(Unsatisfiable):
        never()
