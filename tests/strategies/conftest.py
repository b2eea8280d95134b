"""Shared by the tests of random games: the plain oracle, engines by ruleset, and settings that suit a busy machine."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parents[2]

GAMES = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True, max_examples=60)
"""The same examples every time, however slow the machine."""


@cache
def plain_engine() -> ModuleType:
    """engines/python/engine.py: written from the rules alone, without the rulebook's YAML."""
    spec = importlib.util.spec_from_file_location("plain_engine", ROOT / "engines" / "python" / "engine.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["plain_engine"] = module
    spec.loader.exec_module(module)
    return module
