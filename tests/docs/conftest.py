"""Pages whose blocks are run."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def blocks(root: Path) -> Callable[[str], list[tuple[str, str]]]:
    """`blocks("guide.md")`: language and text of each fenced block, in order."""

    def found(name: str) -> list[tuple[str, str]]:
        return re.findall(r"^```(\w+)\n(.*?)^```$", (root / "docs" / name).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)

    return found
