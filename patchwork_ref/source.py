"""Where a text stands: file, line, column. Every node of a rulebook carries one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a file. Lines and columns count from 1; ``file`` is as a person would type it."""

    file: str
    line: int = 1
    column: int = 1

    def right(self, columns: int) -> Position:
        """The place ``columns`` further right on the same line."""
        return Position(self.file, self.line, self.column + columns)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Position("<none>")
