"""Does a folder that is used again tell of the last run alone?"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from patchwork_ref.fixtures import expected, fixture_to_json, read_fixtures
from patchwork_ref.report.derived import NAMES, derived
from patchwork_ref.report.record import read_record
from patchwork_ref.report.shrunken import forget, mark
from patchwork_ref.rulebook.rulebook import load_rulebook

GAME = "track-income-two-in-one-move.json"


def test_the_games_of_an_earlier_run_are_taken_away(check: Callable[..., tuple[int, Any]], tmp_path: Path) -> None:
    """A shrunk game goes when a later run with the same folder begins; what others put there stays."""
    check("Once", "--report", str(tmp_path), "--shrink-seconds", "4")
    assert (tmp_path / GAME).exists()
    (tmp_path / "notes.json").write_text('{"from": "me"}')
    (tmp_path / "list.json").write_text("[]")
    check("Fine", "--report", str(tmp_path))
    assert not (tmp_path / GAME).exists()
    assert (tmp_path / "notes.json").exists() and (tmp_path / "list.json").exists()


def test_a_shrunk_game_is_a_fixture(check: Callable[..., tuple[int, Any]], tmp_path: Path) -> None:
    """It is what the rulebook gives, and names what it came from."""
    check("Once", "--report", str(tmp_path), "--shrink-seconds", "4")
    fixture = read_fixtures(tmp_path / GAME)[0]
    assert expected(fixture, load_rulebook()) == fixture
    assert fixture.id.startswith("shrunk/") and json.loads((tmp_path / GAME).read_text()) == fixture_to_json(fixture)


def test_in_the_shared_folder_only_the_same_engine_s_games_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two engines checked in one place do not take each other's games."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    for name in ("mine", "other"):
        (tmp_path / "out" / f"{name}.json").write_text(json.dumps({"from": "shrunk from x" + mark("check", name)}))
    forget(None, "check", "mine")
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["other.json"]
    forget(None, "fuzz", "other")
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["other.json"]


def test_a_killed_run_is_not_spoken_for_by_an_earlier_one(check: Callable[..., tuple[int, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is derived from a report is taken away when the next run begins."""
    check("Fine", "--report", str(tmp_path))
    assert tuple(derived(read_record(tmp_path))) == NAMES and all((tmp_path / name).exists() for name in NAMES)

    def killed(*known: Any, **options: Any) -> None:
        raise SystemExit(9)

    monkeypatch.setattr("patchwork_ref.conformance.run.run", killed)
    with pytest.raises(SystemExit):
        check("Fine", "--report", str(tmp_path))
    assert not any((tmp_path / name).exists() for name in NAMES)
