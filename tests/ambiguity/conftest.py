"""What the tests of this room share: the shipped fixtures, machines by profile, and engines with readings of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import patchwork_ref as pr
from patchwork_ref.ambiguity import Fingerprint, Profiles, fingerprint
from patchwork_ref.conformance.reference import ReferenceEngine, always
from patchwork_ref.conformance.targets import Local
from patchwork_ref.fixtures import Fixture, read_fixtures
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.model import Rulebook

ROOT = Path(__file__).parents[2]


class Stubborn(ReferenceEngine):
    """Plays one Machine, whatever readings and time board a set-up tells of; says that it can do ``able`` alone."""

    def __init__(self, machine: Machine, able: tuple[str, ...] | None = None) -> None:
        super().__init__(always(machine))
        self.able = able

    def handle(self, request: dict[str, Any]) -> dict[str, Any]:
        setup = request.get("setup")
        if isinstance(setup, dict):
            request = {**request, "setup": {key: value for key, value in setup.items() if key != "time_board"}}
        if self.able is not None and request["op"] in ("state", "legal", "perft") and request["op"] not in self.able:
            return {"id": request["id"], "ok": False, "unsupported": True}
        reply = super().handle(request)
        return {**reply, "capabilities": list(self.able)} if self.able is not None and request["op"] == "hello" else reply


@pytest.fixture(scope="session")
def rulebook() -> Rulebook:
    return pr.load_rulebook()


@pytest.fixture(scope="session")
def fixtures() -> tuple[Fixture, ...]:
    return read_fixtures(ROOT / "fixtures")


@pytest.fixture(scope="session")
def profiles(rulebook: Rulebook) -> Profiles:
    return Profiles(rulebook)


Taken = Callable[..., Fingerprint]


@pytest.fixture(scope="session")
def taken(rulebook: Rulebook, fixtures: tuple[Fixture, ...], profiles: Profiles) -> Taken:
    """Takes the fingerprint of a target, or of an engine that plays the readings given."""

    def take(target: Any = None, readings: dict[str, str] | None = None, able: tuple[str, ...] | None = None, games: int = 12, sample: int = 250) -> Fingerprint:
        if target is None:
            engine = profiles.engine(rulebook.readings(None, readings or {}))
            assert engine is not None
            target = Local("own", lambda: Stubborn(engine.machine, able))
        return fingerprint(target, "own", rulebook, fixtures, profiles=profiles, sample=sample, random_games=games)

    return take
