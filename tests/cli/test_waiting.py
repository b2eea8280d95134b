"""Does a person at a terminal see that a long command works, and nobody else anything of it?"""

from __future__ import annotations

import os
import pty
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from patchwork_ref.cli.waiting import bar, spinner, watched

Result = tuple[int, str, str]
Command = Callable[..., Result]

THEOREMS = Path(__file__).parents[2] / "fixtures" / "theorems"


def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Makes standard error a terminal, in the test itself, as pytest sets it anew; what is given tells what was written on it."""
    reader, writer = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    stream = os.fdopen(writer, "w", buffering=1)
    monkeypatch.setattr(sys, "stderr", stream)
    os.set_blocking(reader, False)

    def seen() -> str:
        stream.flush()
        found = b""
        try:
            while block := os.read(reader, 65536):
                found += block
        except OSError:
            pass
        return found.decode("utf-8", "replace")

    return seen


@pytest.mark.parametrize("people", [True, False])
def test_theorems_say_which_they_verify(command: Command, tmp_path: Path, people: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """``theorems verify`` names each fact on a terminal while it verifies it, and elsewhere prints its result alone; the result is the same."""
    shutil.copy(THEOREMS / "largest-lead.json", tmp_path)
    seen = terminal(monkeypatch) if people else None
    code, out, err = command("theorems", "verify", "--folder", str(tmp_path))
    assert code == 0 and "holds: a game of" in out and err == ""
    if seen is not None:
        shown = seen()
        assert "largest-lead" in shown and "0/1" in shown


def test_all_is_given_whoever_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every item comes once and in order, also where names look like mark-up; each is named, and a quiet command shows nothing."""
    seen = terminal(monkeypatch)
    names = ["a", "[red]b", "c"]
    assert list(watched(names, str)) == names
    shown = seen()
    assert all(name in shown for name in names) and "2/3" in shown
    assert list(watched(names, str, quiet=True)) == names and seen() == ""


def test_waiting_is_shown_to_people_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar and a spinner show their words on a terminal and nothing where they are to be quiet; an error goes through them."""
    seen = terminal(monkeypatch)
    with bar("games") as moved:
        assert moved is not None
        moved(3, 10)
    with pytest.raises(ValueError, match="through"), spinner("looking for it"):
        raise ValueError("through")
    shown = seen()
    assert "games" in shown and "3/10" in shown and "looking for it" in shown
    with bar("games", quiet=True) as still, spinner("looking for it", quiet=True):
        assert still is None
    assert seen() == ""
