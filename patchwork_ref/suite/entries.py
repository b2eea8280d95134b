"""A witness as an entry of the fixtures' ``cases`` files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from patchwork_ref.machine.play import Action
from patchwork_ref.suite.pair import Witness


def case_entry(name: str, found: Witness, title: str, refusal: tuple[str, str] | None = None) -> dict[str, Any]:
    """The witness as an entry of the fixtures' ``cases`` files: permanent id ``mutant/...``, circle, moves."""
    entry: dict[str, Any] = {"id": fixture_id(name), "title": title, "circle": " ".join(found.setup.circle)}
    if found.numbers:
        entry["numbers"] = {key: dict(value) if isinstance(value, Mapping) else value for key, value in found.numbers.items()}
        if "patches" in found.numbers:
            entry["only"] = True
    if found.setup.neutral_token is None:
        entry["token"] = "find"
    elif found.setup.neutral_token:
        entry["token"] = found.setup.neutral_token
    if found.setup.first_player:
        entry["first"] = found.setup.first_player
    return entry | {"from": f"shortest game found that tells apart {name}", "moves": moves_text(found, refusal)}


def fixture_id(name: str) -> str:
    """The permanent id of the fixture made for a mutant."""
    slug = "".join(c if c.isalnum() else "-" for c in name)
    return "mutant/" + "-".join(part for part in slug.split("-") if part)


def moves_text(found: Witness, refusal: tuple[str, str] | None = None) -> str:
    """The actions as ``cases`` files write them; the last one is refused with (code, rule) where the rulebook refuses it."""
    texts = [_move(action) for action in found.actions]
    if found.last is not None:
        texts.append(f"refuse {_move(found.last)}: {refusal[0]} {refusal[1]}" if refusal is not None else _move(found.last))
    return "; ".join(texts)


def _move(action: Action) -> str:
    parts = [action.type, *([action.patch] if action.patch is not None else [])]
    if action.cells is not None:
        parts.append(",".join(map(str, action.cells)) or "[]")
    return " ".join(parts)
