"""Are games found by sewing known quilts anew, under readings for which none is stored?"""

from __future__ import annotations

import random
import time
from itertools import product
from pathlib import Path

import pytest

from patchwork_ref.ambiguity import Profiles
from patchwork_ref.ambiguity.beam import Beam
from patchwork_ref.ambiguity.beside import Beside, read_beside, write_beside
from patchwork_ref.ambiguity.games import parting
from patchwork_ref.ambiguity.plans import OFFER
from patchwork_ref.ambiguity.quilting import BESIDE, POOR, TILES, exchanged
from patchwork_ref.ambiguity.resewn import Quilts, resewn
from patchwork_ref.ambiguity.seek import Planned
from patchwork_ref.engine.engine import Engine
from patchwork_ref.errors import InputError
from patchwork_ref.polyomino import Board, bits, placements, squares

from .conftest import ROOT

OPEN = 7
"""Of the choices of readings that decide whether a schedule can be followed those for which no game is stored."""
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
    known = Quilts(plan, {0: known.holes[0], 1: flipped(known.holes[1], machine.board)}, known.actions, known.closing)
    sewn = resewn(machine, known, random.Random(0))
    assert sewn is not None and set(sewn.plan) == set(known.plan) and sewn.closing == known.closing
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


@pytest.mark.parametrize("quilts", [quilts for stored in read_beside().quilts.values() for quilts in stored], ids=lambda q: "".join(sorted(q.closing)))
def test_stored_quilts_can_be_sewn(profiles: Profiles, quilts: Quilts) -> None:
    """Stored quilts are placements without flips that do not overlap, leave out so few patches that hardly any are left, and have one that is bought last."""
    machine = engine_of(profiles).machine
    laid = {p.name: set(placements(p.shape, machine.board, False)) for p in machine.regular}
    assert all(mask in laid[name] for (_, name), mask in quilts.plan.items()) and len({name for _, name in quilts.plan}) == len(quilts.plan)
    for who in (0, 1):
        own = [mask for (seat, _), mask in quilts.plan.items() if seat == who]
        assert union(quilts, who).bit_count() == quilts.holes[who].bit_count() + sum(mask.bit_count() for mask in own) <= machine.board.cells
    offer = machine.constants["offer_size"].value
    assert quilts.closing <= {name for _, name in quilts.plan} and len(laid) - len(quilts.plan) + len(quilts.closing) < offer  # type: ignore[operator]


def test_what_is_stored_is_read_as_it_is_written(tmp_path: Path) -> None:
    """What is written is read again and written byte for byte, a folder without the file has nothing, and a file that is no such table is refused in one line."""
    stored, path = read_beside(), tmp_path / "beside.json"
    write_beside(stored, path)
    assert read_beside(tmp_path) == stored and path.read_bytes() == (ROOT / "fixtures" / "beside.json").read_bytes()
    assert read_beside(tmp_path / "empty") == Beside()
    path.write_text('{"games": {"short-offer": [{"circle": "A"}]}, "quilts": {}}', encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_beside(tmp_path)
    assert "make beside" in str(refused.value) and "\n" not in str(refused.value)


FEW = {**BESIDE, **{name: BESIDE[name][:1] for name in ("full-quilt-special", "unplaceable-patch")}}


@pytest.mark.parametrize(("ambiguity", "readings", "choices", "left"), [(OFFER, ("all-remaining", "none"), BESIDE, OPEN), (TILES[0], TILES[1:], FEW, 0)], ids=[OFFER, TILES[0]])
def test_each_stored_game_parts_its_readings(profiles: Profiles, ambiguity: str, readings: tuple[str, str], choices: dict[str, tuple[str, ...]], left: int) -> None:
    """Each stored game parts the readings beside some others, and nearly all choices of the readings that decide whether it can be followed have one."""
    games = read_beside().games[ambiguity]
    shown = {number: set[int]() for number in range(len(games))}
    for place, chosen in enumerate(product(*choices.values())):
        base = {**profiles.rulebook.readings(), **POOR, **dict(zip(choices, chosen, strict=True))}
        a, b = (profiles.engine({**base, ambiguity: reading}) for reading in readings)
        assert a is not None and b is not None
        for number, game in enumerate(games):
            if parting(a, b, *game) is not None:
                shown[number].add(place)
    assert all(shown.values())
    assert len(set().union(*shown.values())) == len(list(product(*choices.values()))) - left


def test_exchanged_quilts_hold_the_same_patches(profiles: Profiles) -> None:
    """Where patches change places, both players together keep the same, one of them is bought last, and everything fits."""
    machine, known = engine_of(profiles, turning="turns-only").machine, read_beside().quilts[OFFER][0]
    made = [found for seed in range(12) if (found := exchanged(machine, known, random.Random(seed))) is not None]
    assert made and len({(q.closing, frozenset(q.plan)) for q in made}) > 1
    for quilts in made:
        assert {name for _, name in quilts.plan} == {name for _, name in known.plan} and quilts.closing <= {name for _, name in quilts.plan}
        assert all(union(quilts, who).bit_count() == machine.board.cells for who in (0, 1))


RARE = [
    ("special-tile", "each-player", TURNS), ("special-tile", "absent", {"shared-space": "bottom-moves"}),
    ("unplaceable-patch", "discarded", {**TURNS, "two-one-patch": "six-cells"}), ("short-offer", "none", {}), ("supply", "finite", {"special-patch-timing": "kept"}),
    ("tile-check", "purchases-only", {**TURNS, "final-income": "not-paid"}),
]


@pytest.mark.parametrize(("ambiguity", "reading", "beside"), RARE, ids=[f"{a}={r}" for a, r, _ in RARE])
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
