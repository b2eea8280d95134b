"""Where fixtures are not what a rulebook gives: for a person, each as a game."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from patchwork_ref.fixtures.verify import Difference

WIDTH = 100
SHOWN = 12
"""Differences that are shown as games; of the rest only the names."""


def differences_text(found: Sequence[Difference]) -> str:
    """Each difference in a few lines, with the game that leads to it; the shortest game first."""
    ordered = sorted(found, key=lambda difference: len(difference.game))
    blocks = [_block(difference) for difference in ordered[:SHOWN]]
    if rest := [difference.fixture for difference in ordered[SHOWN:]]:
        blocks.append("\n".join(_wrapped(f"and {len(rest)} more: {', '.join(rest)}", "")))
    return "\n\n".join([*blocks, f"{len(found)} differences"])


def differences_json(found: Sequence[Difference]) -> list[dict[str, Any]]:
    return [{"fixture": d.fixture, "step": d.step, "expected": d.expected, "now": d.now, "game": list(d.game), "text": str(d)} for d in found]


def _block(difference: Difference) -> str:
    step = f", step {difference.step}" if difference.step is not None else ""
    lines = [f"{difference.fixture}{step}", *_wrapped(difference.expected, "  the file says: "), *_wrapped(difference.now, "  the rulebook gives: ")]
    if difference.game:
        lines += _wrapped("; ".join(difference.game), f"  after {len(difference.game)} actions: ")
    return "\n".join(lines)


def _wrapped(text: str, head: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent="    ", break_on_hyphens=False)
