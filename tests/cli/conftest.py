"""Runs command lines as a user would type them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from patchwork_ref.cli.main import run

Result = tuple[int, str, str]


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs one command line in a folder of its own: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*args: str) -> Result:
        code = run(list(args))
        out, err = capfd.readouterr()
        return code, out, err

    return call
