"""Generated text to a live back end, kept by the Machine's digest."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any, Protocol

from patchwork_ref.engine.emit import constant_value
from patchwork_ref.engine.generate import Generator
from patchwork_ref.engine.support import NAMES, square_test
from patchwork_ref.engine.tables import Table, table
from patchwork_ref.lang.types import Type
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.state import Layout, Values

Option = tuple[int, int | None, Table | None, int]
"""A form's number, a patch's number or None, its placement table or None, and the bit set of legal placements."""
RawFiring = tuple[str, tuple[tuple[int, Any, Any], ...]]
"""A rule with (place in the layout, old, new) of the fields that it writes."""


class Backend(Protocol):
    """What plays: the compiled module or the interpreter. ``patch`` is a number, ``cells`` a mask."""

    layout: Layout

    def start(self, *table: object) -> Values: ...
    def options(self, state: Values) -> list[Option]: ...
    def check(self, form: int, state: Values, patch: int | None, cells: int | None) -> int | None: ...
    def run(self, form: int, state: Values, patch: int | None, cells: int | None) -> Values: ...
    def record(self, form: int, state: Values, patch: int | None, cells: int | None) -> tuple[Values, list[RawFiring]]: ...
    def over(self, state: Values) -> bool: ...
    def totals(self, state: Values) -> tuple[int, int]: ...
    def parts(self, state: Values) -> tuple[dict[str, int], dict[str, int]]: ...
    def winner(self, state: Values) -> int | None: ...


class Compiled:
    """The generated module. Its functions are attributes, so that the fast path calls them without a wrapper."""

    def __init__(self, machine: Machine, layout: Layout) -> None:
        self.layout = layout
        self.source, code = _text(machine, layout)
        names = names_for(machine)
        exec(code, names)
        self.start: Callable[..., Values] = names["start"]
        self.options: Callable[[Values], list[Option]] = names["options"]
        self.over: Callable[[Values], bool] = names["over"]
        self.totals: Callable[[Values], tuple[int, int]] = names["totals"]
        self.parts: Callable[[Values], tuple[dict[str, int], dict[str, int]]] = names["parts"]
        self.winner: Callable[[Values], int | None] = names["winner"]
        self.checks, self.runs, self.records = names["CHECK"], names["RUN"], names["RECORD"]
        self.turn = layout.places["turn", None]

    def check(self, form: int, state: Values, patch: int | None, cells: int | None) -> int | None:
        found: int | None = self.checks[form][state[self.turn]](state, patch, cells)
        return found

    def run(self, form: int, state: Values, patch: int | None, cells: int | None) -> Values:
        after: Values = self.runs[form][state[self.turn]](state, patch, cells)
        return after

    def record(self, form: int, state: Values, patch: int | None, cells: int | None) -> tuple[Values, list[RawFiring]]:
        after: tuple[Values, list[RawFiring]] = self.records[form][state[self.turn]](state, patch, cells)
        return after


def names_for(machine: Machine) -> dict[str, Any]:
    """What generated text may call: helpers, placement tables, and the numbers printed on the patches."""
    names: dict[str, Any] = {**NAMES, "_square": square_test(machine.board), "TABLES": tables_of(machine), "SIZE": tuple(len(p.shape) for p in machine.patches)}
    for number in {n for p in machine.patches for n in p.numbers}:
        names[number.upper()] = tuple(p.numbers[number] for p in machine.patches)
    if machine.custom:
        names["NUMBER"] = {p.name: number for number, p in enumerate(machine.patches)}
        names |= {f"K_{name}": constant_value(machine, name) for name in machine.constants}
    return names


def tables_of(machine: Machine) -> tuple[tuple[Table, ...], tuple[Table, ...]]:
    """Placement tables by [flips][patch]."""
    without, with_flips = (tuple(table(p.shape, machine.board, flips) for p in machine.patches) for flips in (False, True))
    return without, with_flips


_texts: dict[tuple[object, ...], tuple[Machine, str, CodeType]] = {}
"""Of Machines with custom set-ups. A Machine is held, so that the identities of its parts are not given to others."""


def _text(machine: Machine, layout: Layout) -> tuple[str, CodeType]:
    """The module and its code. Custom set-ups of one Machine differ in numbers alone, which their text does not hold."""
    shared = (machine.actions, machine.definitions, machine.starts, machine.givens, machine.over, machine.winner, machine.total, machine.score)
    truths = tuple((name, c.value) for name, c in machine.constants.items() if c.type == Type.TRUTH)
    key = (layout, *map(id, shared), truths, machine.board, tuple(machine.constants))
    if machine.custom and key in _texts:
        return _texts[key][1:]
    source = Generator(machine, layout).module()
    code = compile(source, f"<patchwork_ref {machine.digest}>", "exec")
    if machine.custom:
        if len(_texts) > 50:
            _texts.clear()
        _texts[key] = (machine, source, code)
    return source, code


_kept: dict[tuple[str, Layout], Compiled] = {}


def compiled(machine: Machine, layout: Layout) -> Compiled:
    """The back end of a Machine, compiled once in a process."""
    key = (machine.digest, layout)
    if key not in _kept:
        if len(_kept) > 200:  # mutants by the hundred must not pile up
            _kept.clear()
        _kept[key] = Compiled(machine, layout)
    return _kept[key]
