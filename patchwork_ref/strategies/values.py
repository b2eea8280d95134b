"""Patches, placements, quilts and set-ups: what lies on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from hypothesis import strategies as st

from patchwork_ref.errors import InputError
from patchwork_ref.machine.model import Machine, Patch
from patchwork_ref.machine.setup import Setup
from patchwork_ref.polyomino import PictureError, board_from_text, cells_of
from patchwork_ref.polyomino import placements as all_placements
from patchwork_ref.strategies.common import BYTES, TABLE, ByteSource, Rules, Source, flips_of, machine_of

Cells = tuple[int, ...]
"""Cells of a quilt board, ascending, as actions carry them."""


def patches(rules: Rules = None, *, min_cells: int = 1, max_cells: int | None = None, max_cost: int | None = None, max_time: int | None = None,
            min_income: int = 0, special: bool = False) -> st.SearchStrategy[Patch]:
    """A patch of the rulebook within the bounds given; a special patch only when asked for. Nothing fits: no examples."""
    found = [
        p for p in machine_of(rules).patches
        if (p.regular or special) and min_cells <= len(p.shape) and (max_cells is None or len(p.shape) <= max_cells)
        and (max_cost is None or p.numbers["cost"] <= max_cost) and (max_time is None or p.numbers["time"] <= max_time) and p.numbers["income"] >= min_income
    ]
    found.sort(key=lambda p: (len(p.shape), p.numbers["cost"]))
    return st.sampled_from(found) if found else st.nothing()


def placements(rules: Rules = None, *, patch: Patch | str | None = None, quilt: int | str = 0) -> st.SearchStrategy[Cells]:
    """Cells that a patch (any, or the one named) can cover on a quilt (a mask, or a picture of ``#`` and ``.``).

    No examples when it fits nowhere. Raises InputError for an unknown patch or a picture of another size.
    """
    machine = machine_of(rules)
    mask = _mask(machine, quilt)
    chosen = [_patch(machine, patch)] if patch is not None else list(machine.patches)
    fitting = [(p, [m for m in all_placements(p.shape, machine.board, flips_of(machine)) if not m & mask]) for p in chosen]
    options = [st.sampled_from(masks).map(cells_of) for _, masks in sorted(fitting, key=lambda f: len(f[0].shape)) if masks]
    return st.one_of(options) if options else st.nothing()


def quilts(rules: Rules = None, *, reachable: bool = True, min_cells: int = 0, max_cells: int | None = None) -> st.SearchStrategy[int]:
    """A quilt as a mask of covered cells, with at least and at most so many.

    ``reachable`` ones are made of different patches of the rulebook and as many special patches as the time board has;
    others are any set of cells. Reachable ones with many cells take a search, which leaves out what it cannot fill.
    """
    machine = machine_of(rules)
    most = machine.board.cells if max_cells is None else min(max_cells, machine.board.cells)
    if min_cells > most:
        return st.nothing()
    if not reachable:
        if min_cells * 2 > machine.board.cells:
            return st.sets(st.integers(0, machine.board.cells - 1), min_size=machine.board.cells - most, max_size=machine.board.cells - min_cells).map(
                lambda empty: machine.board.full & ~sum(1 << c for c in empty)
            )
        return st.sets(st.integers(0, machine.board.cells - 1), min_size=min_cells, max_size=most).map(lambda cells: sum(1 << c for c in cells))

    @st.composite
    def sewn(draw: st.DrawFn) -> int:
        wanted = draw(st.integers(min_cells, most))
        return packed(machine, wanted, ByteSource(draw(st.binary(min_size=80, max_size=80))), min_cells)

    return sewn().filter(lambda quilt: min_cells <= quilt.bit_count() <= most)


def packed(machine: Machine, wanted: int, source: Source, least: int = 0) -> int:
    """The cells covered by different patches sewn on one after the other until ``wanted`` are covered or none fits.

    Dense quilts are filled from the first empty cell on, so that no hole stays behind; special patches fill what is left.
    """
    quilt, unused = 0, list(machine.regular)
    specials = _specials(machine)
    flips = flips_of(machine)
    while unused and quilt.bit_count() < wanted:
        room = wanted - quilt.bit_count()
        empty = ~quilt & (quilt + 1)  # the first empty cell
        masks: list[tuple[int, Patch]] = []
        for patch in unused:
            if len(patch.shape) <= room:
                masks += [(m, patch) for m in all_placements(patch.shape, machine.board, flips) if not m & quilt and (m & empty or least * 2 < machine.board.cells)]
        if not masks:
            if not specials:
                break
            specials -= 1
            quilt |= empty
            continue
        mask, patch = masks[source.randrange(len(masks))]
        quilt |= mask
        unused.remove(patch)
    while specials and quilt.bit_count() < wanted:
        quilt |= ~quilt & (quilt + 1)
        specials -= 1
    return quilt


def setups(rules: Rules = None, *, first_player: Literal[0, 1] | None = None, token: Literal["rules", "given", "either"] = "either",
           min_patches: int | None = None, max_patches: int | None = None, first: Sequence[str] = ()) -> st.SearchStrategy[Setup]:
    """A circle, the neutral token's place and the first player.

    ``token`` "rules" leaves its place to the rulebook, "given" names one. ``first`` are patches that come first, in
    order. The whole circle is laid out unless ``min_patches`` or ``max_patches`` say otherwise.
    """
    machine = machine_of(rules)
    every = [p.name for p in machine.regular]
    for name in first:
        _patch(machine, name)
    least = len(every) if min_patches is None and max_patches is None else min_patches or 1
    most = min(len(every), max_patches if max_patches is not None else len(every))
    return BYTES.map(lambda drawn: laid_out(every, drawn[-TABLE:], first_player, token, least, most, first)) if least <= most else st.nothing()


def laid_out(every: Sequence[str], keys: bytes, first_player: int | None = None, token: str = "either", least: int | None = None, most: int | None = None,
             first: Sequence[str] = ()) -> Setup:
    """A set-up by ``TABLE`` bytes: in zeros the circle in the order given, the token where the rules put it, player 0 first."""
    who, place, number, *order = keys
    rest = [name for name in every if name not in first]
    fewest, largest = max((len(every) if least is None else least) - len(first), 0), max((len(every) if most is None else most) - len(first), 0)
    circle = (*first, *(rest[i] for i in sorted(range(len(rest)), key=order.__getitem__)))[: len(first) + fewest + number % (largest - fewest + 1)]
    given = place // 2 % len(circle)
    standing = 0 if first else None if token == "rules" or (token == "either" and place % 2 == 0) else given
    return Setup(circle, standing, first_player if first_player is not None else who % 2)


def orders(names: Sequence[str]) -> st.SearchStrategy[tuple[str, ...]]:
    """The names in any order; shrinks to the order given. One draw, where ``st.permutations`` makes one for each name."""
    return BYTES.map(lambda keys: tuple(names[i] for i in sorted(range(len(names)), key=keys.__getitem__)))


def _specials(machine: Machine) -> int:
    return max((len(c.value) for name, c in machine.constants.items() if isinstance(c.value, tuple) and name.startswith("special")), default=0)


def _patch(machine: Machine, patch: Patch | str) -> Patch:
    name = patch if isinstance(patch, str) else patch.name
    number = machine.number(name)
    if number is None:
        raise InputError(f"there is no patch {name!r}; the patches are {', '.join(p.name for p in machine.patches)}")
    return machine.patches[number]


def _mask(machine: Machine, quilt: int | str) -> int:
    if isinstance(quilt, int):
        return quilt
    try:
        return board_from_text(quilt, machine.board)
    except PictureError as error:
        raise InputError(str(error)) from None
