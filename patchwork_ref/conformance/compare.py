"""Where does what an engine reports differ from what the rules give? What it does not report is not observed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET, Struct, to_builtins

from patchwork_ref.conformance.protocol import GameState

Where = tuple[str, int | None]
"""A field of the protocol's state, and the player whose it is (None for the shared ones)."""


class Difference(Struct, frozen=True):
    """One field, expected and got."""

    field: str
    player: int | None
    expected: Any
    got: Any

    @property
    def where(self) -> Where:
        return (self.field, self.player)

    def __str__(self) -> str:
        owner = "" if self.player is None else f"player {self.player} "
        return f"{owner}{self.field}    expected {_short(self.expected)}    got {_short(self.got)}"


def flat(state: Mapping[str, Any]) -> dict[Where, Any]:
    """The protocol's state by field and player."""
    found: dict[Where, Any] = {(name, None): value for name, value in state.items() if name != "players"}
    for who, player in enumerate(state.get("players", ())):
        found |= {(name, who): value for name, value in player.items()}
    return found


def reported(state: GameState) -> dict[str, Any]:
    """What an engine reports, as plain values; fields it left out are missing."""
    plain = to_builtins(state)
    assert isinstance(plain, dict)
    return {name: list(value) if type(value) is tuple else value for name, value in plain.items()}


def differences(expected: Mapping[str, Any], got: GameState | Mapping[str, Any]) -> tuple[Difference, ...]:
    """The fields that are observed and differ. Lists of spaces are compared as sets; the circle's order counts."""
    plain = reported(got) if isinstance(got, GameState) else got
    if plain == expected:  # the usual case, told without looking at each field; types were checked when it was read
        return ()
    seen = flat(plain)
    return tuple(_compared(flat(expected), seen))


def _compared(expected: Mapping[Where, Any], seen: Mapping[Where, Any]) -> Iterator[Difference]:
    for (field, player), value in expected.items():
        got = seen.get((field, player), UNSET)
        if got is UNSET:
            continue
        same = sorted(value) == sorted(got) if field == "special_spaces" else _plain(value) == _plain(got)
        if not same:
            yield Difference(field, player, value, got)


def _plain(value: Any) -> Any:
    """Tuples as lists; a truth is no number."""
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return (type(value).__name__, value) if isinstance(value, (bool, int)) else value


def _short(value: Any) -> str:
    if value is None:
        return "nobody"
    text = (" ".join(str(item) for item in value) or "none") if isinstance(value, (list, tuple)) else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 90 else text[:87] + "..."
