"""Shrunk games as trace files beside a report, each with the command that plays it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from patchwork_ref.conformance.games import document
from patchwork_ref.conformance.shrink import Shrunk
from patchwork_ref.machine.codec import dumps

FOLDER = "out"
"""Where games go when no folder is named; made only when something failed."""


@dataclass(frozen=True, slots=True)
class Games:
    """``replay`` gives the command that plays a file again. A folder that was asked for must be writable; without the
    other one there are no files."""

    replay: Callable[[str], str]
    folder: str | None = None

    def kept(self, fixture: str, shrunk: Shrunk) -> tuple[str, str] | None:
        """The file and the command; None when there is nowhere to write. Raises OSError for a folder that was asked for."""
        file = Path(self.folder or FOLDER) / f"{slug(fixture)}.json"
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(dumps(document(shrunk.course)) + "\n", encoding="utf-8", newline="\n")
        except OSError:
            if self.folder is not None:
                raise
            return None
        return str(file), self.replay(str(file))


def slug(name: str) -> str:
    """A fixture id as a file's name."""
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in name)
