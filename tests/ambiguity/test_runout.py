"""Are schedules with liquid quilts schedules of games, and do they become games in which something runs out?"""

from __future__ import annotations

import json
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchwork_ref.ambiguity import Profiles
from patchwork_ref.ambiguity.fullquilt import FullQuilt
from patchwork_ref.ambiguity.games import parting
from patchwork_ref.ambiguity.rare import RARE, needed
from patchwork_ref.ambiguity.runout import NoButtons, NoPatches
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.policies import POLICIES, played
from patchwork_ref.machine.setup import shuffled

from .conftest import ROOT

SHOWN = ("buttons", "space", "income", "pending", "owned", "specials")


def engine_of(profiles: Profiles, **readings: str) -> Engine:
    found = profiles.engine({**profiles.rulebook.readings(), **{name.replace("_", "-"): r for name, r in readings.items()}})
    assert found is not None
    return found


@pytest.mark.parametrize("late", ["place-then-move", "move-then-place"])
def test_liquid_quilts_change_nothing_else(profiles: Profiles, late: str) -> None:
    """Any game without a filled square, its patches poured instead of placed, brings both players the same buttons, spaces, incomes and patches, action by action."""
    engine, rng = engine_of(profiles, special_tile="absent", purchase_order=late), random.Random(3)
    forms = {form.type: number for number, form in enumerate(engine.machine.actions)}
    names = {patch.name: number for number, patch in enumerate(engine.machine.patches)}
    liquid = NoPatches(engine, engine, rng)
    for seed in range(6):
        setup = shuffled(engine.machine, seed)
        actions, _, _ = played(engine, setup, POLICIES["random"], rng)
        moves = [(forms[action.type], names[action.patch] if action.patch is not None else None) for action in actions]
        state, poured = engine.start(setup), liquid.track.start(setup.first_player)
        for action, (form, patch) in zip(actions, moves, strict=True):
            state = engine.apply(state, action)
            found = liquid._after(poured, form, patch)
            assert found is not None
            poured = found[0]
            for who in (0, 1):
                assert [state.get(name, who) for name in SHOWN] == [liquid.track.get(poured, name, who) for name in SHOWN]
                assert state.number("quilt", who).bit_count() == liquid.filled(poured, who)
            assert state.get("turn") == liquid.turn(poured)


def test_a_circle_runs_short(profiles: Profiles) -> None:
    """A game in which hardly any patches are left is legal up to its last action, which buys one of these few and is refused where they are not on offer."""
    a, b = (engine_of(profiles, short_offer=reading) for reading in ("all-remaining", "none"))
    setup, actions = next(NoPatches(a, b, random.Random(1), 1).games())
    state = a.start(setup)
    for action in actions:
        assert a.explain(state, action) is None
        left, state = state.circle(), a.apply(state, action)
    assert actions[-1].type == "buy" and len(left) < int(a.machine.constants["offer_size"].value)  # type: ignore[arg-type]
    shown = parting(a, b, setup, actions)
    assert shown is not None and shown.number == len(actions)


@pytest.mark.slow
def test_the_token_stands_where_the_rules_say(profiles: Profiles) -> None:
    """When the set-up is not to tell where the neutral token stands, a game is found all the same, and is legal with the rules' own place."""
    a, b = (engine_of(profiles, short_offer=reading) for reading in ("all-remaining", "none"))
    setup, actions = next(NoPatches(a, b, random.Random(1), 1, anywhere=False).games())
    assert setup.neutral_token is None and parting(a, b, setup, actions) is not None


@pytest.mark.parametrize("winner", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_the_buttons_run_out(profiles: Profiles, winner: int) -> None:
    """A game in which the buttons run out beside a tile that pays at once fills the square with a purchase, and the two then hold more than there are."""
    fact = json.loads((ROOT / "fixtures" / "theorems" / "most-buttons-not-paid-buttons-at-once.json").read_text(encoding="utf-8"))
    rare = next(rare for rare in RARE if rare.ambiguity == "supply")
    a, b = rare.engines(profiles, {"tile-value": "buttons-at-once"})
    search = NoButtons(a, b, winner, fact["bound"]["weights"])
    search.width = 40
    setup, actions = next(search.games(random.Random(0)))
    state, held = a.start(setup), 0
    for action in actions:
        before, state = state, a.apply(state, action)
        held = max(held, sum(state.number("buttons", who) for who in (0, 1)))
        if state.get("special_tile", winner) and not before.get("special_tile", winner):
            assert action.type == "buy"
    assert state.get("special_tile", winner) and held > int(a.machine.constants["button_total"].value)  # type: ignore[arg-type]


def test_a_special_patch_is_passed_with_a_full_quilt(profiles: Profiles) -> None:
    """A schedule to a full quilt ends when its player passes a special patch with no empty cell left; the patch by which the token's place is found may not be bought."""
    a, b = (engine_of(profiles, full_quilt_special=reading) for reading in ("lost", "stays"))
    search = FullQuilt(a, b, 1, random.Random(0), 1)
    moves, end = next(search.schedules())
    before = list(search.replayed(moves))[-2]
    start = search.track.start()
    bought = search._after(start, next(iter(search.track.buys)), search.mark)
    assert bought is not None and not search.allowed(start, bought[0])
    assert search.filled(end, 1) == a.machine.board.cells
    assert search.track.get(end, "special_spaces").bit_count() < search.track.get(before, "special_spaces").bit_count()
    assert search.track.get(end, "specials", 1) == search.track.get(before, "specials", 1)


@pytest.mark.slow
def test_a_full_quilt_can_be_sewn(profiles: Profiles) -> None:
    """Schedules to a full quilt become games that part the two readings, shorter than plans from known quilts led to."""
    a, b = (engine_of(profiles, full_quilt_special=reading) for reading in ("lost", "stays"))
    game = next(FullQuilt(a, b, 0, random.Random(0), 2).games())
    assert parting(a, b, *game) is not None and len(game[1]) < 28


def test_a_search_without_time_finds_nothing(profiles: Profiles) -> None:
    """A search whose time is up ends at once."""
    engine = engine_of(profiles)
    assert list(NoPatches(engine, engine, random.Random(0)).games(time.process_time())) == []


@given(st.lists(st.frozensets(st.integers(0, 6)), max_size=8))
def test_what_is_kept_is_needed(shown: list[frozenset[int]]) -> None:
    """The games that are kept show all that is shown, and none of them can be spared."""
    kept = needed(shown)
    assert set().union(*(shown[n] for n in kept)) == set().union(*shown)
    assert all(shown[n] - set().union(*(shown[m] for m in kept if m != n)) for n in kept)
