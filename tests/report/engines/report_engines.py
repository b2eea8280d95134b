"""Engines with one fault each, made of the plain sample engine."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parents[3] / "engines" / "python" / "engine.py"
_spec = importlib.util.spec_from_file_location("plain_patchwork_for_reports", _FILE)
assert _spec is not None and _spec.loader is not None
plain = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = plain
_spec.loader.exec_module(plain)


class Fine:
    """No fault."""

    fault: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.engine = plain.Engine(frozenset(self.fault))

    def handle(self, request: dict[str, Any]) -> dict[str, Any]:
        reply: dict[str, Any] = self.engine.handle(request)
        return reply


class Once(Fine):
    """Two income spaces in one move pay once."""

    fault = ("income-pays-once",)


class Crashing(Fine):
    """Falls over at perft, with a word that XML cannot hold and one that a terminal would obey."""

    def handle(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["op"] == "perft":
            raise RuntimeError("no perft \x01 \x1b[31m <&>")
        return super().handle(request)


class Skipping(Fine):
    """Knows of a gap: special patches. Its error text tries to be mark-up."""

    def handle(self, request: dict[str, Any]) -> dict[str, Any]:
        actions = request.get("actions", [])
        if any(a.get("type") == "special" for a in actions):
            return {"id": request["id"], "ok": False, "skipped": {"reason": "no special | patches `yet`"}}
        if request["op"] == "perft":
            return {"id": request["id"], "ok": False, "error": {"message": "```\n| <b>oh</b> |"}}
        return super().handle(request)


class Nothing(Fine):
    """Plays no game at all."""

    def handle(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["op"] == "new":
            return {"id": request["id"], "ok": False, "skipped": {"reason": "later"}}
        return super().handle(request)


class Careless(Fine):
    """Takes a purchase that names no patch, which is left open, for an advance."""

    def handle(self, request: dict[str, Any]) -> dict[str, Any]:
        actions = [{"type": "advance"} if a["type"] == "buy" and not a.get("patch") else a for a in request.get("actions", [])]
        return super().handle({**request, "actions": actions} if actions else request)
