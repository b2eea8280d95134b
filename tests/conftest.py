"""What many tests need: the shipped rulebook, Machines by choice of readings, and the plain oracle."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

import patchwork_ref as pr
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.model import Rulebook

ROOT = Path(__file__).parents[1]

settings.register_profile("house", deadline=None, print_blob=True)  # time decides no test
settings.load_profile("house")


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def rulebook() -> Rulebook:
    """The shipped rulebook."""
    return pr.load_rulebook()


@pytest.fixture(scope="session")
def machine_of(rulebook: Rulebook) -> Callable[..., Machine]:
    """``machine_of("original")`` or ``machine_of(**{"tie": "draw"})``; each Machine is built once."""
    kept: dict[tuple[object, ...], Machine] = {}

    def make(ruleset: str | None = None, **readings: str) -> Machine:
        key = (ruleset, *sorted(readings.items()))
        if key not in kept:
            kept[key] = pr.from_rulebook(rulebook, rulebook.readings(ruleset, readings))
        return kept[key]

    return make


@pytest.fixture(scope="session")
def oracle() -> ModuleType:
    """The plain engine in ``engines/python``, loaded from its file: it shares no code with the package."""
    spec = importlib.util.spec_from_file_location("plain_patchwork", ROOT / "engines" / "python" / "engine.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def node() -> str:
    """The Node program; without it a test is skipped, but where PATCHWORK_REF_NEED_NODE is set (CI) it fails."""
    found = shutil.which("node")
    if found is None:
        if os.environ.get("PATCHWORK_REF_NEED_NODE"):
            pytest.fail("Node is not installed, and PATCHWORK_REF_NEED_NODE is set")
        pytest.skip("Node is not installed: the JavaScript engine is not tested here")
    return found


@pytest.fixture(scope="session")
def suite_of(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """``suite_of(id, ...)``: a folder with these of the shipped fixtures, in the files that they belong to."""

    def make(*ids: str) -> Path:
        folder = tmp_path_factory.mktemp("suite")
        for file in sorted((root / "fixtures").glob("*.jsonl")):
            lines = [line for line in file.read_text(encoding="utf-8").splitlines() if json.loads(line)["id"] in ids]
            if lines:
                (folder / file.name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return folder

    return make
