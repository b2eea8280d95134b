"""One of two rules that are played side by side, in the fast form: raw values, and moves that both understand."""

from __future__ import annotations

from patchwork_ref.engine.compile import Option
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.policies import nth_bit
from patchwork_ref.machine.state import Values

LOOKED_AT = 3
"""Placements of each patch that are looked at to see whether some choice would part the readings."""

Move = tuple[int, int | None, int | None]
"""A form's number, a patch's number, the covered cells as a mask."""


class Side:
    """An Engine for the fast path, with what an observer sees of its states."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.layout = engine, engine.layout
        backend = engine.backend
        self.options, self.over, self.totals, self.winner = backend.options, backend.over, backend.totals, backend.winner
        self.forms = {(f.type, f.discards): i for i, f in enumerate(engine.machine.actions)}
        self.names = [(f.type, f.discards) for f in engine.machine.actions]
        place = self.layout.places
        fields = [(name, who) for who in (0, 1) for name in ("buttons", "space", "income", "quilt", "special_tile")]
        self._always = [place[field] for field in (*fields, ("circle", None), ("special_spaces", None))]
        self._turn, self._pending = place["turn", None], (place["pending", 0], place["pending", 1])

    def seen(self, values: Values) -> tuple[object, ...]:
        """What the protocol's ``state`` shows."""
        shown = tuple(values[at] for at in self._always)
        return shown if self.over(values) else (*shown, values[self._turn], values[self._pending[self.mover(values)]])

    def outcome(self, values: Values) -> tuple[object, ...]:
        """What is seen of a state, and totals and winner where it is the end."""
        return (self.seen(values), self.totals(values), self.winner(values)) if self.over(values) else (self.seen(values),)

    def mover(self, values: Values) -> int:
        return 1 if values[self._turn] else 0

    def waiting(self, values: Values, who: int) -> int:
        """The special patches that a player has won and not placed."""
        held = values[self._pending[who]]
        return held if isinstance(held, int) else 0

    def run(self, values: Values, move: Move) -> Values:
        return self.engine.backend.run(move[0], values, move[1], move[2])

    def named(self, move: Move) -> tuple[object, ...]:
        """The move in terms that both sides share."""
        return self.names[move[0]], move[1], move[2]

    def from_other(self, other: Side, values: Values) -> Values:
        """A state of the other side in this side's layout."""
        if other.layout == self.layout:
            return values
        known = dict(zip(other.layout.names, values, strict=True))
        return tuple(known.get(name, 0) for name in self.layout.names)

    def translated(self, other: Side, move: Move, options: list[Option]) -> Move | None:
        """The other side's move among this side's options; None where it is not legal."""
        form = self.forms.get(other.names[move[0]])
        for option in options:
            if option[0] == form and option[1] == move[1]:
                if option[2] is None or move[2] is None:
                    return (option[0], move[1], None) if option[2] is None and move[2] is None else None
                bit = option[2].index.get(move[2])
                return (option[0], move[1], move[2]) if bit is not None and option[3] >> bit & 1 else None
        return None


def move_of(option: Option, bit: int) -> Move:
    return option[0], option[1], option[2].masks[bit] if option[2] is not None else None


def same_options(one: Side, mine: list[Option], other: Side, theirs: list[Option]) -> bool:
    """Whether both sides allow the same."""
    return len(mine) == len(theirs) and all(
        one.names[a[0]] == other.names[b[0]] and a[1] == b[1] and a[2] is b[2] and a[3] == b[3] for a, b in zip(mine, theirs, strict=True))


def spread(held: int, number: int, shift: int = 0) -> list[int]:
    """Up to so many of the set bits, evenly among them; ``shift`` moves the choice on."""
    size = held.bit_count()
    number = min(size, number)
    return [nth_bit(held, (k * size + shift % size) // number) for k in range(number)]


def parting_choice(one: Side, left: Values, options: list[Option], other: Side, right: Values) -> bool:
    """Whether one of some legal actions, allowed on both sides alike, would part the readings at once."""
    for option in options:
        form = other.forms[one.names[option[0]]]
        for bit in spread(option[3], LOOKED_AT):
            _, patch, cells = move_of(option, bit)
            a, b = one.run(left, (option[0], patch, cells)), other.run(right, (form, patch, cells))
            if differ(one, a, other, b):
                return True
    return False


def differ(one: Side, a: Values, other: Side, b: Values) -> bool:
    """Whether an observer could tell two states apart, by the end too. Most are equal to the last value, and cost little."""
    return (a != b or one.over(a) or other.over(b)) and one.outcome(a) != other.outcome(b)
