"""Are games found by sewing known quilts anew, under readings for which none is stored?"""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from patchwork_ref.ambiguity import Profiles
from patchwork_ref.ambiguity.beam import Beam
from patchwork_ref.ambiguity.beside import read_beside, write_beside
from patchwork_ref.ambiguity.games import parting
from patchwork_ref.ambiguity.plans import OFFER
from patchwork_ref.ambiguity.rare import BESIDE, RARE, Rare
from patchwork_ref.ambiguity.resewn import Quilts, resewn
from patchwork_ref.ambiguity.seek import Planned
from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import InputError
from patchwork_ref.polyomino import Board, bits, placements, squares

from .conftest import ROOT

SECONDS = 40.0
TURNS = {"turning": "turns-only"}


def engine_of(profiles: Profiles, **readings: str) -> Engine:
    found = profiles.engine({**profiles.rulebook.readings(), **{name.replace("_", "-"): r for name, r in readings.items()}})
    assert found is not None
    return found


def union(quilts: Quilts, who: int) -> int:
    return quilts.holes.get(who, 0) | sum(mask for (seat, _), mask in quilts.plan.items() if seat == who)


def flipped(mask: int, board: Board) -> int:
    return sum(1 << cell + board.columns - 1 - 2 * (cell % board.columns) for cell in bits(mask))


@pytest.mark.parametrize("ambiguity", ["special-tile", "supply", "unplaceable-patch", OFFER])
def test_quilts_are_sewn_anew_without_flips(profiles: Profiles, ambiguity: str) -> None:
    """Sewn anew for rules without flips, each player keeps the patches, none overlaps another, each lies as it may, and a filled square stays one."""
    machine = engine_of(profiles, turning="turns-only").machine
    known = profiles.plans().of(ambiguity, ())[0]
    plan = {key: flipped(mask, machine.board) if key[0] else mask for key, mask in known.plan.items()}
    known = Quilts(plan, {0: known.holes[0], 1: flipped(known.holes[1], machine.board)}, known.actions)
    sewn = resewn(machine, known, random.Random(0))
    assert sewn is not None and set(sewn.plan) == set(known.plan)
    laid = {p.name: set(placements(p.shape, machine.board, False)) for p in machine.regular}
    assert all(mask in laid[name] for (_, name), mask in sewn.plan.items())
    filled = squares(machine.board, int(machine.constants["tile_side"].value))  # type: ignore[arg-type]
    for who in (0, 1):
        assert union(sewn, who).bit_count() == sewn.holes[who].bit_count() + sum(mask.bit_count() for (seat, _), mask in sewn.plan.items() if seat == who)
        assert any(not s & ~union(known, who) for s in filled) == any(not s & ~union(sewn, who) for s in filled)


def test_what_cannot_be_sewn_without_flips_is_none(profiles: Profiles) -> None:
    """Where all patches are to lie on one board, nothing is found."""
    machine = engine_of(profiles, turning="turns-only").machine
    crowd = {(0, p.name): next((m for m in placements(p.shape, machine.board, True) if m not in placements(p.shape, machine.board, False)), 0) for p in machine.regular}
    assert resewn(machine, Quilts(crowd, {}, 0), random.Random(0)) is None


def test_what_is_stored_is_read_as_it_is_written(tmp_path: Path) -> None:
    """What is written is read again and written byte for byte, a folder without the file has nothing, and a file that is no such table is refused in one line."""
    stored, path = read_beside(), tmp_path / "beside.json"
    write_beside(stored, path)
    assert read_beside(tmp_path) == stored and path.read_bytes() == (ROOT / "fixtures" / "beside.json").read_bytes()
    assert read_beside(tmp_path / "empty") == {}
    path.write_text('{"short-offer": [{"circle": "A"}]}', encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_beside(tmp_path)
    assert "make beside" in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("rare", RARE, ids=lambda rare: rare.ambiguity)
def test_each_stored_game_parts_its_readings(profiles: Profiles, rare: Rare) -> None:
    """Beside every choice of the readings that decide whether a game can be followed some stored game parts its readings, and each is needed for one."""
    games, choices = read_beside()[rare.ambiguity], rare.choices()
    shown = [{number for number, chosen in enumerate(choices) if parting(*rare.engines(profiles, chosen), *game) is not None} for game in games]
    assert set().union(*shown) == set(range(len(choices)))
    assert all(shown[n] - set().union(*(shown[m] for m in range(len(games)) if m != n)) for n in range(len(games)))


def test_what_is_discarded_stands_in_no_games_way(profiles: Profiles) -> None:
    """The games at whose end hardly any patches are left can be played where what has no place may be discarded too."""
    rare = next(rare for rare in RARE if rare.ambiguity == OFFER)
    for chosen in random.Random(0).sample(rare.choices(), 12):
        assert rare.shown(read_beside()[OFFER], *rare.engines(profiles, {**chosen, "unplaceable-patch": BESIDE["unplaceable-patch"][1]}))


FOUND = [
    ("special-tile", "each-player", TURNS), ("special-tile", "absent", {"shared-space": "bottom-moves"}),
    ("unplaceable-patch", "discarded", {**TURNS, "two-one-patch": "six-cells"}), ("short-offer", "none", {}), ("supply", "finite", {"special-patch-timing": "kept"}),
    ("tile-check", "purchases-only", {**TURNS, "final-income": "not-paid"}),
]


@pytest.mark.parametrize(("ambiguity", "reading", "beside"), FOUND, ids=[f"{a}={r}" for a, r, _ in FOUND])
def test_rare_readings_are_parted_beside_others(profiles: Profiles, ambiguity: str, reading: str, beside: dict[str, str]) -> None:
    """A plan becomes a game that is legal under the rules it was made for, and on which its two readings part."""
    base = {**profiles.rulebook.readings(), **beside}
    a, b = profiles.engine(base), profiles.engine({**base, ambiguity: reading})
    wide = tuple(profiles.engine({**base, ambiguity: r, OFFER: profiles.rulebook.ambiguities[OFFER].default}) for r in (base[ambiguity], reading))
    assert a is not None and b is not None and wide[0] is not None and wide[1] is not None
    game = profiles.plans().found(a, b, (wide[0], wide[1]), ambiguity, (base[ambiguity], reading), SECONDS)
    assert game is not None
    setup, actions = game
    shown, state = parting(a, b, setup, actions), a.start(setup)
    assert shown is not None
    for action in actions[: shown.number - 1]:
        assert a.explain(state, action) is None
        state = a.apply(state, action)


def test_a_search_ends_when_its_time_is_up(profiles: Profiles) -> None:
    """A search that finds something in time finds nothing without, and one that cannot find anything comes to an end."""
    engine, other, known = engine_of(profiles), engine_of(profiles, special_tile="absent"), profiles.plans().of("special-tile", ("first-player", "absent"))[0]
    apart, same = Planned(engine.machine, other.machine, known.plan, known.holes), Planned(engine.machine, engine.machine, known.plan, known.holes)
    assert next(Beam(apart, random.Random(0), 2).found(60, time.process_time() + 60), None) is not None
    assert list(Beam(apart, random.Random(0), 2).found(60, time.process_time())) == []
    assert list(Beam(same, random.Random(0)).found(60, time.process_time() + 60)) == []
