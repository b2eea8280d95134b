"""Engines and a set-up for the questions asked of `conformance`; fixtures, so that any import mode finds them."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from patchwork_ref.conformance.limits import TimeLimits
from patchwork_ref.conformance.protocol import Setup
from patchwork_ref.conformance.wire import setup_from

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

PATIENT = TimeLimits().scaled(2)
QUICK = structs.replace(PATIENT, apply=0.25, end=0.25)
"""Short where the misbehaving engines are silent on purpose; whoever answers gets time enough on a busy machine."""


class Engines:
    """Command lines of misbehaving engines, all marked with one token, and a look at what is left of them."""

    def __init__(self, token: str) -> None:
        self.token = token

    def __call__(self, mode: str) -> str:
        return shlex.join([sys.executable, "-I", "-S", str(HERE / "misbehaving" / "engine.py"), mode, self.token])

    def alive(self) -> list[str]:
        """Processes that carry the token (dead ones have an empty command line)."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                line = Path("/proc", name, "cmdline").read_bytes()
            except OSError:
                continue
            if self.token.encode() in line and int(name) != os.getpid():
                found.append(f"{name}: {line!r}")
        return found

    def zombies(self) -> list[int]:
        """Children of ours that ended and were not reaped."""
        found = []
        for children in Path("/proc/self/task").glob("*/children"):
            for pid in map(int, children.read_text().split()):
                if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                    found.append(pid)
        return found


@pytest.fixture
def engines(request: pytest.FixtureRequest) -> Iterator[Engines]:
    """Misbehaving engines by mode; whatever the test did, none of their processes may outlive it."""
    found = Engines(f"token-{os.getpid()}-{time.monotonic_ns()}-")
    yield found
    assert found.alive() == []
    assert found.zombies() == []


@pytest.fixture
def quick() -> TimeLimits:
    """Time limits for engines that are silent on purpose."""
    return QUICK


@pytest.fixture
def patient() -> TimeLimits:
    """Time limits for engines that answer."""
    return PATIENT


@pytest.fixture(scope="session")
def setup_data() -> dict[str, Any]:
    """A set-up of the ordinary game as the JSON object of the protocol, circle in letter order."""
    data: dict[str, Any] = json.loads((HERE / "setup.json").read_text())
    return data


@pytest.fixture(scope="session")
def setup(setup_data: dict[str, Any]) -> Setup:
    """The same as a value."""
    found = setup_from(setup_data)
    assert isinstance(found, Setup), found
    return found


@pytest.fixture(scope="session")
def sample_engine() -> str:
    """The sample engine of the repository: the healthy one."""
    return shlex.join([sys.executable, str(ROOT / "engines" / "python" / "engine.py")])


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder that holds `docs/` and `engines/`."""
    return ROOT


