"""Which messages does protocol version 1 have, and what may stand in each?

One frozen struct for each request and each reply; `docs/schemas/` is generated from them (see `schemas.py`).
Unknown fields are ignored. A field whose type allows `UNSET` may be missing, which means "not observed".
What the protocol itself fixes (81 cells, players 0 and 1) is checked here; every other number belongs to the
set-up and is compared by the rooms that know the rules, so that a wrong number is shown as a wrong move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

VERSION = 1
CELLS = 81
LINE_LIMIT = 1024 * 1024
"""The longest line either side may send, in bytes, its line end included."""

Capability = Literal["state", "legal", "perft", "finds-token"]
RejectCode = Literal[
    "not-your-phase", "not-on-offer", "too-few-buttons", "wrong-shape", "overlap",
    "off-board", "special-pending", "no-special-pending", "finished", "unknown",
]  # fmt: skip
CAPABILITIES: tuple[str, ...] = get_args(Capability)
REJECT_CODES: tuple[str, ...] = get_args(RejectCode)

# Bounds under `extra_json_schema` are published but not enforced: a near-miss request breaks them on purpose,
# and a reply that breaks them is a wrong answer about the game, not a broken message.
Cell = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": CELLS - 1})]
Cells = Annotated[tuple[Cell, ...], Meta(description="9*row + column, ascending, no repeats")]
Count = Annotated[int, Meta(ge=0)]
Player = Literal[0, 1]
GameName = Annotated[str, Meta(description="the name under which `new` opened the game")]
Quilt = Annotated[str, Meta(min_length=CELLS, max_length=CELLS, pattern=f"^[#.]{{{CELLS}}}$")]
Row = Annotated[str, Meta(pattern="^[#.]+$")]
ReplyOk = Annotated[bool, Meta(extra_json_schema={"const": True})]
ReplyNotOk = Annotated[bool, Meta(extra_json_schema={"const": False})]


# --- the set-up of a game ------------------------------------------------------------------------------------


class Patch(Struct, frozen=True):
    """One patch: its picture row by row (`#` filled), its price in buttons and time, the income it adds."""

    shape: Annotated[tuple[Row, ...], Meta(min_length=1)]
    cost: Count
    time: Count
    income: Count


class TimeBoard(Struct, frozen=True):
    """The last space, and the spaces that carry a mark."""

    last: Annotated[int, Meta(ge=1)]
    income: tuple[Count, ...]
    special: tuple[Count, ...]


class SpecialTile(Struct, frozen=True):
    """The side of the square that earns the special tile, and the points it is worth."""

    side: Annotated[int, Meta(ge=1)]
    points: int


class Setup(Struct, frozen=True):
    """Everything a game starts from. `neutral_token` is left out only for an engine with `finds-token`."""

    ruleset: str
    readings: Annotated[Mapping[str, str], Meta(description="ambiguity -> reading; information")]
    patches: Annotated[Mapping[str, Patch], Meta(description="patch id -> patch")]
    circle: Annotated[tuple[str, ...], Meta(description="patch ids, clockwise")]
    time_board: TimeBoard
    first_player: Player
    start_buttons: Count
    special_tile: SpecialTile
    blank_penalty: int
    on_offer: Count
    neutral_token: Annotated[int, Meta(ge=0, description="index into circle of the first patch on offer")] | UnsetType = UNSET


# --- actions and states --------------------------------------------------------------------------------------


class Advance(Struct, frozen=True, tag="advance", tag_field="type"):
    """Move to the space after the rival's token and receive buttons."""


class Buy(Struct, frozen=True, tag="buy", tag_field="type"):
    """Buy a patch on offer and place it on these cells."""

    patch: str
    cells: Cells


class Special(Struct, frozen=True, tag="special", tag_field="type"):
    """Place a special patch on this one cell."""

    cells: Cells


Action = Advance | Buy | Special


class PlayerState(Struct, frozen=True):
    """What an engine reports of one player; a missing field is not observed."""

    buttons: int | UnsetType = UNSET
    space: int | UnsetType = UNSET
    income: int | UnsetType = UNSET
    quilt: Quilt | UnsetType = UNSET
    special_tile: bool | UnsetType = UNSET


class GameState(Struct, frozen=True):
    """What an engine reports of a game; a missing field is not observed. `turn` is null when the game is over."""

    turn: Player | UnsetType | None = UNSET
    pending_special: Count | UnsetType = UNSET
    finished: bool | UnsetType = UNSET
    players: tuple[PlayerState, PlayerState] | UnsetType = UNSET
    circle: Annotated[tuple[str, ...], Meta(description="the first on offer first")] | UnsetType = UNSET
    special_spaces: Annotated[tuple[int, ...], Meta(description="special patches still on the time board")] | UnsetType = UNSET


# --- requests ------------------------------------------------------------------------------------------------


class HelloRequest(Struct, frozen=True, tag="hello", tag_field="op"):
    """The first request of every connection: the versions the harness speaks."""

    id: int
    protocol: tuple[int, ...]


class NewRequest(Struct, frozen=True, tag="new", tag_field="op"):
    """Open a game under a name."""

    id: int
    game: GameName
    setup: Setup


class ApplyRequest(Struct, frozen=True, tag="apply", tag_field="op"):
    """Apply the actions in order; stop before the first illegal one."""

    id: int
    game: GameName
    actions: tuple[Action, ...]


class StateRequest(Struct, frozen=True, tag="state", tag_field="op"):
    """Ask what the engine observes of the game."""

    id: int
    game: GameName


class LegalRequest(Struct, frozen=True, tag="legal", tag_field="op"):
    """Ask for the legal actions, or only for how many there are."""

    id: int
    game: GameName
    form: Literal["actions", "count"] = "actions"


class ScoreRequest(Struct, frozen=True, tag="score", tag_field="op"):
    """Ask for the result of a game that is over."""

    id: int
    game: GameName


class PerftRequest(Struct, frozen=True, tag="perft", tag_field="op"):
    """Ask how many sequences of `depth` actions there are from here."""

    id: int
    game: GameName
    depth: Count


class EndRequest(Struct, frozen=True, tag="end", tag_field="op"):
    """Forget the game; its name may be used again."""

    id: int
    game: GameName


class ByeRequest(Struct, frozen=True, tag="bye", tag_field="op"):
    """The last request: answer, then exit with status 0."""

    id: int


Request = (
    HelloRequest | NewRequest | ApplyRequest | StateRequest | LegalRequest
    | ScoreRequest | PerftRequest | EndRequest | ByeRequest
)  # fmt: skip


# --- replies when ok is true ---------------------------------------------------------------------------------


class EngineIdentity(Struct, frozen=True):
    """Who is answering."""

    name: str
    version: str
    language: str | UnsetType = UNSET
    url: str | UnsetType = UNSET


class HelloReply(Struct, frozen=True):
    """The version chosen, who the engine is, and which optional operations it has."""

    id: int
    protocol: int
    engine: EngineIdentity
    capabilities: Annotated[tuple[str, ...], Meta(description="state, legal, perft, finds-token; others are ignored")]
    ok: ReplyOk = True


class DoneReply(Struct, frozen=True):
    """Done; nothing more to say (`new`, `end`, `bye`)."""

    id: int
    ok: ReplyOk = True


class ApplyReply(Struct, frozen=True):
    """All actions were legal and are applied."""

    id: int
    applied: Count
    ok: ReplyOk = True


class StateReply(Struct, frozen=True):
    """What the engine observes of the game."""

    id: int
    state: GameState
    ok: ReplyOk = True


class LegalReply(Struct, frozen=True):
    """Every legal action once, in any order (form `actions`)."""

    id: int
    actions: tuple[Action, ...]
    ok: ReplyOk = True


class LegalCountReply(Struct, frozen=True):
    """How many legal actions there are (form `count`)."""

    id: int
    count: Count
    ok: ReplyOk = True


class ScoreReply(Struct, frozen=True):
    """Final scores of players 0 and 1, and the winner (null for a draw)."""

    id: int
    scores: tuple[int, int]
    winner: Player | None
    ok: ReplyOk = True


class PerftReply(Struct, frozen=True):
    """How many sequences of actions there are."""

    id: int
    nodes: Count
    ok: ReplyOk = True


Answer = (
    HelloReply | DoneReply | ApplyReply | StateReply | LegalReply | LegalCountReply | ScoreReply | PerftReply
)  # fmt: skip


# --- replies when ok is false --------------------------------------------------------------------------------


class Reject(Struct, frozen=True):
    """Why an action is illegal; a code that is not in the list counts as none."""

    code: Annotated[str, Meta(extra_json_schema={"enum": list(REJECT_CODES)})] | UnsetType = UNSET


class Skip(Struct, frozen=True):
    """Why the engine passes this by, and where one can read about it."""

    reason: str
    url: str | UnsetType = UNSET


class Fault(Struct, frozen=True):
    """What the engine says of its own fault; never compared."""

    message: str


class Rejected(Struct, frozen=True):
    """An action is illegal. `applied` actions before it were carried out; the state is that after those."""

    id: int
    reject: Reject
    applied: Count
    ok: ReplyNotOk = False


class Skipped(Struct, frozen=True):
    """A gap that the engine knows of."""

    id: int
    skipped: Skip
    ok: ReplyNotOk = False


class EngineError(Struct, frozen=True):
    """The engine caught a fault of its own."""

    id: int
    error: Fault
    ok: ReplyNotOk = False


class Unsupported(Struct, frozen=True):
    """The operation or capability is not there."""

    id: int
    unsupported: Annotated[bool, Meta(extra_json_schema={"const": True})] = True
    ok: ReplyNotOk = False


Refusal = Rejected | Skipped | EngineError | Unsupported
Reply = Answer | Refusal

REFUSALS: Mapping[str, type[Refusal]] = {
    "reject": Rejected, "skipped": Skipped, "error": EngineError, "unsupported": Unsupported,
}  # fmt: skip
"""The field that tells a refusal, exactly one of which stands in a reply whose `ok` is false."""

REQUESTS: Mapping[str, type[Request]] = {str(kind.__struct_config__.tag): kind for kind in get_args(Request)}
"""The request of each operation."""

ANSWERS: Mapping[str, tuple[type[Answer], ...]] = {
    "hello": (HelloReply,),
    "new": (DoneReply,),
    "apply": (ApplyReply,),
    "state": (StateReply,),
    "legal": (LegalReply, LegalCountReply),
    "score": (ScoreReply,),
    "perft": (PerftReply,),
    "end": (DoneReply,),
    "bye": (DoneReply,),
}
"""Which answers an operation may get when `ok` is true; `Rejected` besides answers `apply` alone."""
