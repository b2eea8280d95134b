"""Coded messages about a rulebook: data, collected and never printed here."""

from __future__ import annotations

from dataclasses import dataclass, field

from patchwork_ref.source import Position


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One defect: where, a permanent code, what is wrong, and what to do about it."""

    position: Position
    code: str
    message: str
    hint: str

    def __str__(self) -> str:
        return f"{self.position}: {self.code}: {self.message}; {self.hint}"


@dataclass(slots=True)
class Collector:
    """Gathers diagnostics so that one run reports every defect; equal ones are kept once."""

    found: list[Diagnostic] = field(default_factory=list)

    def add(self, position: Position, code: str, message: str, hint: str) -> None:
        diagnostic = Diagnostic(position, code, message, hint)
        if diagnostic not in self.found:
            self.found.append(diagnostic)

    def sorted(self) -> tuple[Diagnostic, ...]:
        return tuple(sorted(self.found, key=lambda d: (d.position.file, d.position.line, d.position.column, d.code)))
