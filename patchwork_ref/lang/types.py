"""The types of the rule language, and the signatures of its primitives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Type(StrEnum):
    """Every type; the value is the name that rulebooks write."""

    INTEGER = "integer"
    TRUTH = "truth"
    PLAYER = "player"
    MAYBE_PLAYER = "player or nobody"
    PATCH = "patch"
    REGION = "region"  # a set of cells of a quilt board
    SPACES = "set of spaces"
    CIRCLE = "list of patches"
    PATCHES = "set of patches"
    PLACEMENTS = "placements"  # a set of regions
    PLAYERS = "players"  # both


ELEMENT: Mapping[Type, Type] = {
    Type.SPACES: Type.INTEGER,
    Type.CIRCLE: Type.PATCH,
    Type.PATCHES: Type.PATCH,
    Type.PLACEMENTS: Type.REGION,
    Type.PLAYERS: Type.PLAYER,
}
"""What a collection holds."""


@dataclass(frozen=True, slots=True)
class Primitive:
    """A built-in function: ``takes`` lists for each argument the types that it accepts."""

    takes: tuple[tuple[Type, ...], ...]
    gives: Type
    says: str


_I, _R = (Type.INTEGER,), (Type.REGION,)

PRIMITIVES: Mapping[str, Primitive] = {
    "min": Primitive((_I, _I), Type.INTEGER, "the smaller of two integers"),
    "max": Primitive((_I, _I), Type.INTEGER, "the larger of two integers"),
    "other": Primitive(((Type.PLAYER, Type.MAYBE_PLAYER),), Type.PLAYER, "the player who is not this one; nobody's is nobody"),
    "size": Primitive(
        ((Type.REGION, Type.PATCH, Type.CIRCLE, Type.PATCHES, Type.SPACES, Type.PLACEMENTS),),
        Type.INTEGER,
        "how many cells, patches, spaces or placements",
    ),
    "first": Primitive((_I, (Type.CIRCLE,)), Type.CIRCLE, "the first n patches of a list, or all when there are fewer"),
    "place": Primitive(((Type.PATCH,), (Type.CIRCLE,)), Type.INTEGER, "how many patches stand before this one in a list"),
    "turned": Primitive(((Type.CIRCLE,), _I), Type.CIRCLE, "the list that starts n patches later, what stood before going to its end"),
    "placements": Primitive(
        ((Type.PATCH,), (Type.TRUTH,)),
        Type.PLACEMENTS,
        "every region that a patch can cover on an empty quilt board by quarter turns, and by flips too when the second argument is true",
    ),
    "disjoint": Primitive((_R, _R), Type.TRUTH, "the regions share no cell"),
    "fits": Primitive(((Type.PATCH,), _R, (Type.TRUTH,)), Type.TRUTH, "some placement of the patch shares no cell with the region; flips as in placements"),
    "filled_square": Primitive((_R, _I), Type.TRUTH, "the region holds every cell of some square with this side"),
}
"""The whole list. Each back end has its own way to work these out; tests compare them."""

QUANTIFIERS: Mapping[str, Type] = {
    "all": Type.TRUTH,
    "any": Type.TRUTH,
    "sum": Type.INTEGER,
    "count": Type.INTEGER,
    "one": Type.MAYBE_PLAYER,
}
"""``one(p for p in players if ...)`` is the player for whom it holds, or nobody when it holds for none or both."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A definition seen from outside: its parameters in order. Its type is that of its body."""

    takes: Mapping[str, Type]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names of one rulebook that an expression may use."""

    constants: Mapping[str, Type] = field(default_factory=dict)
    definitions: Mapping[str, Signature] = field(default_factory=dict)
    shared: Mapping[str, Type] = field(default_factory=dict)
    player: Mapping[str, Type] = field(default_factory=dict)
    table: Mapping[str, Type] = field(default_factory=dict)
    patch_fields: frozenset[str] = frozenset()
    patches: frozenset[str] = frozenset()
