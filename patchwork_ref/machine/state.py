"""State: the values of every field of the rulebook's state, as one immutable tuple."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from patchwork_ref.machine.model import Machine

Cell = int | bool | None | tuple[int, ...]
"""What a field holds: an integer, a truth, a player (0, 1 or None for nobody); a region, a set of spaces or a set of
patches as a mask of bits; a list of patches as a tuple of their numbers in ``Machine.patches``."""

Values = tuple[Cell, ...]


@dataclass(frozen=True)
class Layout:
    """Where each field stands in the tuple: the shared ones, then player 0's, then player 1's."""

    shared: tuple[str, ...]
    player: tuple[str, ...]

    @cached_property
    def places(self) -> dict[tuple[str, int | None], int]:
        """From (field, player or None) to the index."""
        found: dict[tuple[str, int | None], int] = {(name, None): i for i, name in enumerate(self.shared)}
        for who in (0, 1):
            found |= {(name, who): len(self.shared) + who * len(self.player) + i for i, name in enumerate(self.player)}
        return found

    @cached_property
    def names(self) -> tuple[tuple[str, int | None], ...]:
        """From the index to (field, player or None)."""
        return tuple(sorted(self.places, key=lambda name: self.places[name]))

    @classmethod
    def of(cls, machine: Machine) -> Layout:
        return cls(tuple(f.name for f in machine.shared), tuple(f.name for f in machine.player))


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a game. Equal values are equal states."""

    values: Values
    layout: Layout

    def get(self, field: str, player: int | None = None) -> Cell:
        """The value of a shared field, or of a player's field. Raises KeyError when there is none."""
        return self.values[self.layout.places[field, player]]

    def number(self, field: str, player: int | None = None) -> int:
        """The same for fields that hold an integer or a mask."""
        value = self.get(field, player)
        if not isinstance(value, int):
            raise TypeError(f"{field} holds {value!r}, no integer")
        return int(value)

    def circle(self, field: str = "circle") -> tuple[int, ...]:
        """The same for a list of patches, by their numbers."""
        value = self.get(field)
        if not isinstance(value, tuple):
            raise TypeError(f"{field} holds {value!r}, no list")
        return value

    def replaced(self, field: str, player: int | None, value: Cell) -> State:
        """The same state with one field changed."""
        at = self.layout.places[field, player]
        return State((*self.values[:at], value, *self.values[at + 1 :]), self.layout)
