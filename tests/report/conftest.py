"""A small suite, engines with single faults, and a way to run ``check`` on them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from patchwork_ref.cli.main import run

HERE = Path(__file__).parent

IDS = (
    "buy/third-on-offer", "custom/many-income-spaces-in-one-move", "end/tie-won-by-player-0", "illegal/no-patch-field", "illegal/one-button-short", "illegal/special-none-won",
    "perft/letter-order-depth-1", "track-income/two-in-one-move", "track-income/two-in-one-move-later", "track-special/landing-by-advance",
)


@pytest.fixture(scope="session")
def small_suite(suite_of: Callable[..., Path]) -> Path:
    """A folder with a few of the shipped fixtures."""
    return suite_of(*IDS)


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """No CI around us, and the faulty engines where Python finds them."""
    for name in ("CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.syspath_prepend(str(HERE / "engines"))
    monkeypatch.setattr("patchwork_ref.conformance.run.explanation", lambda *known: None)  # slow, and not what is asked here


@pytest.fixture
def check(small_suite: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, Any]]:
    """``check("Once", "--baseline", file)``: the exit code, and the JSON document (the text with ``form="text"``)."""

    def checked(engine: str, *more: str, form: str = "json") -> tuple[int, Any]:
        capsys.readouterr()
        name = engine if ":" in engine else f"python:report_engines:{engine}"
        code = run(["check", name, "--suite", str(small_suite), "--format", form, "--shrink-seconds", "0", *more])
        out = capsys.readouterr().out
        return code, json.loads(out) if form == "json" and out else out

    return checked


@pytest.fixture(scope="session")
def written(small_suite: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """``written("Once")``: the folder of that engine's report, made once."""
    made: dict[str, Path] = {}

    def report(engine: str) -> Path:
        if engine not in made:
            made[engine] = tmp_path_factory.mktemp(engine)
            with pytest.MonkeyPatch.context() as patch:
                patch.syspath_prepend(str(HERE / "engines"))
                patch.setattr("patchwork_ref.conformance.run.explanation", lambda *known: None)
                run(["check", f"python:report_engines:{engine}", "--tier", "gate", "--suite", str(small_suite), "--report", str(made[engine]), "--shrink-seconds", "0"])
        return made[engine]

    return report
