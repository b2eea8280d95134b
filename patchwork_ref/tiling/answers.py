"""What can be answered: possible with placements, impossible with a certificate, unknown with how far it came."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from patchwork_ref.polyomino import cells_of
from patchwork_ref.tiling.question import Question

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Placement:
    """A patch (its name, or ``special``) and the mask that it covers."""

    patch: str
    mask: int

    def document(self) -> dict[str, Any]:
        return {"patch": self.patch, "cells": list(cells_of(self.mask))}


@dataclass(frozen=True, slots=True)
class Possible:
    """The placements, in an order, after which the window with this number is filled."""

    question: Question
    placements: tuple[Placement, ...]
    window: int
    nodes: int = 0

    @property
    def verdict(self) -> str:
        return "possible"

    def certificate(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "question": self.question.document(),
            "verdict": self.verdict,
            "placements": [placed.document() for placed in self.placements],
            "window": self.question.corner(self.window),
        }


@dataclass(frozen=True, slots=True)
class Impossible:
    """The proof trees of all windows, flat, window by window."""

    question: Question
    trees: tuple[tuple[int, ...], ...] = field(repr=False)
    nodes: int = 0

    @property
    def verdict(self) -> str:
        return "impossible"

    def certificate(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "question": self.question.document(),
            "verdict": self.verdict,
            "windows": [
                {**self.question.corner(window), "tree": list(tree)} for window, tree in enumerate(self.trees)
            ],
        }


@dataclass(frozen=True, slots=True)
class Unknown:
    """Undecided, and why; ``closed`` of the windows were shown to be impossible before the search stopped."""

    question: Question
    reason: str
    closed: int = 0
    nodes: int = 0

    @property
    def verdict(self) -> str:
        return "unknown"


Answer = Possible | Impossible | Unknown
