"""Placements, answers about the square, and theorems, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from patchwork_ref.playfacts.continuing import ASKS, Continuation
from patchwork_ref.polyomino import Board, cells_of, mask_of
from patchwork_ref.report.games import draw
from patchwork_ref.tiling.square import Decision
from patchwork_ref.tiling.theorems import TheoremCheck

DRAWN = 3
"""So many placements are drawn; the others are listed by their cells."""


def fits_text(patch: str, board: Board, quilt: int, placements: Sequence[int]) -> str:
    """How many placements there are, the first drawn side by side."""
    if not placements:
        return f"{patch} does not fit: each of its placements on the empty board covers a filled cell"
    lines = [f"{patch} fits in {len(placements)} place{'s' if len(placements) > 1 else ''}"]
    pictures = [draw(board, quilt, mask) for mask in placements[:DRAWN]]
    lines += ["", *("   ".join(rows) for rows in zip(*pictures, strict=True)), ""]
    lines += [" ".join(map(str, cells_of(mask))) for mask in placements]
    return "\n".join(lines)


def square_text(decision: Decision, out: str | None) -> str:
    """The verdict, what it is about, the witness drawn or what the certificate weighs, and what each route said."""
    question = decision.question
    words = {"possible": "Possible", "impossible": "Impossible", "unknown": "Unknown"}[decision.verdict]
    lines = [f"{words}. The question: {decision.asks}."]
    if decision.placements:
        lines.append("")
        quilt = question.quilt
        for number, placed in enumerate(decision.placements, 1):
            lines.append(f"{number:>2}. {placed.patch} on {' '.join(map(str, cells_of(placed.mask)))}")
        laid = mask_of(cell for placed in decision.placements for cell in cells_of(placed.mask))
        lines += ["", *draw(question.board, quilt, laid)]
    certificate = decision.certificate()
    if decision.verdict == "impossible" and certificate is not None:
        numbers = sum(len(window["tree"]) for window in certificate["windows"])
        lines.append(f"The certificate has {numbers} numbers{f' and is written to {out}' if out else '; write it with --out FILE'}; check it with patchwork-ref certificate.")
    for name, route in decision.routes.items():
        lines.append(f"{name}: {route.verdict} in {route.seconds * 1000:.1f} ms{f' ({route.note})' if route.note else ''}")
    if decision.confirmed:
        lines.append("Z3, from its own statement of the geometry, agrees.")
    if decision.note:
        lines.append(decision.note)
    return "\n".join(lines)


def continuation_text(found: Continuation, out: str | None) -> str:
    """The verdict on question 3, and the actions that were added to the game."""
    words = {"possible": "Possible", "impossible": "Impossible", "unknown": "Unknown"}[found.verdict]
    lines = [f"{words}. The question: {ASKS}.", found.note]
    if found.trace is not None:
        first = len(found.trace.actions) - found.added
        lines += [f"{number:>3}. {action}" for number, action in enumerate(found.trace.actions[first:], first + 1)]
        lines += [f"The whole game is written to {out}."] if out else []
    return "\n".join(lines)


def theorems_text(facts: Sequence[Mapping[str, Any]], checks: Sequence[TheoremCheck] | None) -> str:
    """A line a fact with its bounds; when checked, what was checked."""
    lines = []
    for number, fact in enumerate(facts):
        low, high = fact["bounds"]
        value = str(low) if low == high else f"{low} to {high}, open"
        lines.append(f"{value:<16} {fact['statement']}")
        if checks is not None:
            lines.append(f"    {'holds' if checks[number].holds else 'FAILS'}: {checks[number].says}")
    return "\n".join(lines)
