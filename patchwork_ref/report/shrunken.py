"""Shrunk games as fixtures in files beside a report, each with the command that plays it again."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from patchwork_ref.conformance.recorded import fixture_of
from patchwork_ref.fixtures.model import fixture_to_json
from patchwork_ref.machine.codec import dumps
from patchwork_ref.rulebook.model import Rulebook

if TYPE_CHECKING:
    from patchwork_ref.conformance.shrink import Shrunk

FOLDER = "out"
"""Where games go when no folder is named; made only when something failed."""
LARGEST = 4_000_000
"""Bytes of a file that may be a game of ours."""


@dataclass(frozen=True, slots=True)
class Games:
    """``replay`` gives the command that plays a file again. A folder that was asked for must be writable; without the
    other one there are no files."""

    replay: Callable[[str], str]
    rulebook: Rulebook
    engine: str
    folder: str | None = None

    def kept(self, fixture: str, title: str, shrunk: Shrunk) -> tuple[str, str] | None:
        """The file and the command; None when there is nowhere to write. Raises OSError for a folder that was asked for."""
        file = Path(self.folder or FOLDER) / f"{slug(fixture)}.json"
        game = fixture_of(shrunk.course, self.rulebook, f"shrunk/{fixture}", title, f"shrunk from {fixture}{mark('check', self.engine)}")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(dumps(fixture_to_json(game)) + "\n", encoding="utf-8", newline="\n")
        except OSError:
            if self.folder is not None:
                raise
            return None
        return str(file), self.replay(str(file))


def mark(command: str, engine: str = "") -> str:
    """What the origin of a game ends with, so that a later run knows it for its own."""
    return f" by patchwork-ref {command} of {engine}"


def forget(folder: str | None, command: str, engine: str) -> None:
    """Takes away the games that earlier runs of a command left: what is there after a run is of that run.

    In a folder that was asked for all of them, in the other one, which runs share, those of the same engine.
    """
    for file in [*Path(folder or FOLDER).glob("*.json"), *Path(folder or FOLDER).glob("*.jsonl")]:
        with suppress(OSError, ValueError, RecursionError):
            if file.stat().st_size > LARGEST:
                continue
            found = json.loads(file.read_bytes())
            origin = found.get("from") if isinstance(found, dict) else None
            if isinstance(origin, str) and (mark(command) in origin if folder is not None else origin.endswith(mark(command, engine))):
                file.with_suffix(".lines").unlink(missing_ok=True)
                file.unlink()


def slug(name: str) -> str:
    """A fixture id as a file's name."""
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in name)
