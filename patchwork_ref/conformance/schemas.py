"""What do the messages look like as JSON Schemas, for readers and validators in any language?

One self-contained schema (draft 2020-12) for the request and one for the reply of every operation, and one for the
set-up by itself. They are made from the structs of `protocol.py`; the files in `docs/schemas/` are what `all_schemas`
gives, and a test says so.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from patchwork_ref.conformance import protocol

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SETUP = "setup"

def all_schemas() -> dict[str, dict[str, Any]]:
    """Every schema by the name of its file, without `.json`."""
    found = {SETUP: _document(SETUP, "The set-up of a game", [protocol.Setup])}
    for op, request in protocol.REQUESTS.items():
        found[f"{op}.request"] = _document(f"{op}.request", f"Request `{op}`", [request])
        replies: list[type[Struct]] = [*protocol.ANSWERS[op]]
        replies += [kind for kind in protocol.REFUSALS.values() if kind is not protocol.Rejected or op == "apply"]
        found[f"{op}.reply"] = _document(f"{op}.reply", f"Reply to `{op}`", replies)
    return found


def rendered() -> dict[str, str]:
    """Every schema file by its name, with the text that belongs in it."""
    return {f"{name}.json": json.dumps(schema, indent=2) + "\n" for name, schema in all_schemas().items()}


def write_schemas(folder: Path) -> tuple[Path, ...]:
    """Write every schema file into the folder; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in rendered().items():
        path = folder / name
        path.write_text(text, encoding="utf-8", newline="\n")
        paths.append(path)
    return tuple(paths)


def _document(name: str, title: str, kinds: list[type[Struct]]) -> dict[str, Any]:
    """One file: its alternatives by reference, their definitions beside them."""
    schemas, definitions = msgspec.json.schema_components(kinds)
    for kind in kinds:
        _require(definitions[kind.__name__], kind)
    one = dict(schemas[0]) if len(schemas) == 1 else {"anyOf": list(schemas)}
    return {"$schema": DIALECT, "$id": f"{name}.json", "title": f"{title}, protocol {protocol.VERSION}", **one, "$defs": definitions}


def _require(definition: dict[str, Any], kind: type[Struct]) -> None:
    """Fields that our structs fill in by themselves must all the same be in the message."""
    properties = definition["properties"]
    filled = [name for name in ("ok", "unsupported") if name in properties]
    for name in filled:
        properties[name].pop("default", None)
    definition["required"] = [*definition.get("required", ()), *(name for name in filled if name not in definition["required"])]
    if kind in protocol.REFUSALS.values():
        others = [name for name, other in protocol.REFUSALS.items() if other is not kind]
        definition["not"] = {"anyOf": [{"required": [name]} for name in others]}
