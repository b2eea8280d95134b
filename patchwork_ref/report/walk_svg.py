"""A game under two readings as one picture: the circle laid out, each action, and the two outcomes side by side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import cos, pi, sin

from patchwork_ref.report.svg_pieces import STYLE, colours_of, patch_svg, quilt_svg, text, track_svg
from patchwork_ref.report.walk_parts import Parts, aligned, lines_of, numbers_of

WIDTH, EDGE, LINE, CELL = 1120, 20, 19, 17
RING = 150
"""The radius of the circle of patches."""
LONGEST = 150
"""Letters of the line that says where they part."""
FITTING = 92
"""Letters of an action with what lies before its player, beside the circle."""
COLUMN = 30
"""Actions in a column of the list."""


def walk_svg(title: str, told: str, parts: Parts) -> str:
    """``told`` says in a line where the readings part."""
    drawn = [text(EDGE, 34, title, "title"), text(EDGE, 56, told if len(told) <= LONGEST else f"{told[:LONGEST]}...", "soft")]
    ring, below = _circle(parts, 72), 72
    drawn += ring
    drawn += _actions(parts, 2 * EDGE + 2 * RING + 80, below + 18)
    y = below + 2 * RING + 96
    y = max(y, below + 40 + LINE * (2 + len(parts.used) + min(COLUMN, len(lines_of(parts.rows)))))
    width = (WIDTH - 3 * EDGE) / 2
    heights = []
    for side in (0, 1):
        panel, height = _outcome(parts, side, EDGE + side * (width + EDGE), y, width)
        drawn += panel
        heights.append(height)
    height = y + max(heights) + EDGE
    cards = [f'<rect class="card" x="{EDGE + side * (width + EDGE)}" y="{y}" width="{width}" height="{max(heights)}" rx="8"/>' for side in (0, 1)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" height="{height:.0f}" role="img">'
            f"<title>{escape(title)}</title><style>{STYLE}</style>"
            f'<rect class="page" width="{WIDTH}" height="{height:.0f}" rx="8"/>{"".join(cards)}{"".join(drawn)}</svg>\n')


def _circle(parts: Parts, y: float) -> list[str]:
    """The patches clockwise from the top, those that come into play in colour, and the neutral token where it starts."""
    colours = colours_of(parts.used)
    patches = {p.name: p for p in parts.machine.regular}
    middle_x, middle_y = EDGE + RING + 40, y + RING + 40
    drawn, count = [], len(parts.circle)
    for at, name in enumerate(parts.circle):
        angle = 2 * pi * at / count - pi / 2
        x, z = middle_x + RING * cos(angle), middle_y + RING * sin(angle)
        drawn.append(patch_svg(patches[name], x, z, 5, colours.get(name)))
        kind = "small head" if name in colours else "small soft"
        drawn.append(text(middle_x + (RING + 29) * cos(angle), middle_y + (RING + 29) * sin(angle) + 4, name, kind, "middle"))
    for side, state in enumerate(parts.walk.moments[0].states):
        first = parts.circle.index(state["circle"][0])
        angle = 2 * pi * (first - .5) / count - pi / 2
        drawn.append(f'<circle class="pawn" cx="{middle_x + (RING - 34) * cos(angle):.1f}" cy="{middle_y + (RING - 34) * sin(angle):.1f}" r="6"/>')
        if state["circle"] == parts.walk.moments[0].states[1 - side]["circle"]:
            break
        inner = 56 + 22 * side
        drawn.append(text(middle_x + (RING - inner) * cos(angle), middle_y + (RING - inner) * sin(angle) + 4, parts.sides[side].reading, "small", "middle"))
    lines = ("clockwise", "● the neutral token", f"player {parts.walk.setup.first_player} moves first")
    return [*drawn, *(text(middle_x, middle_y + LINE * (n - 1), words, "soft", "middle") for n, words in enumerate(lines))]


def _actions(parts: Parts, x: float, y: float) -> list[str]:
    """The patches that come into play with their numbers, and every action."""
    colours = colours_of(parts.used)
    drawn = [text(x, y, "Patches that come into play", "head")] if parts.used else []
    for at, patch in enumerate(parts.used):
        height = y + LINE * (at + 1)
        drawn.append(f'<rect class="edge" fill="{colours[patch.name]}" x="{x}" y="{height - 11}" width="13" height="13"/>')
        drawn.append(text(x + 20, height, f"{patch.name}: {numbers_of(patch)}"))
    y += LINE * (len(parts.used) + 1.5) if parts.used else 0
    if not parts.rows:
        return [*drawn, text(x, y, "They part before the first action.", "head")]
    drawn.append(text(x, y, "The game", "head"))
    room = WIDTH - EDGE - x
    lines = lines_of(parts.rows)
    columns = -(-len(lines) // COLUMN)
    for at, line in enumerate(lines):
        column, row = divmod(at, COLUMN)
        words, after = f"{line.label}. {line.words}", f"   ({line.standing})" if line.standing else ""
        words += after if columns == 1 and len(words + after) <= FITTING else ""
        drawn.append(text(x + column * room / columns, y + LINE * (row + 1), words, "mono" if line.standing else "mono head"))
    return drawn


def _outcome(parts: Parts, side: int, x: float, y: float, width: float) -> tuple[list[str], float]:
    """One side: both quilts, the time board, what is there, and the rules of the last action; and its height."""
    top, own = y, parts.sides[side]
    x, room = x + 16, width - 32
    drawn = [text(x, y + 28, own.reading, "title")]
    colours = colours_of(parts.used)
    size = CELL * parts.machine.board.columns
    for who in (0, 1):
        left = x + who * (size + 40)
        drawn += [text(left, y + 54, f"player {who}", "head"), quilt_svg(own.pieces[who], parts.machine, colours, left, y + 62, CELL)]
    y += 62 + CELL * parts.machine.board.rows
    drawn.append(track_svg(own.state, parts.machine, x + 8, y + 52, room - 16))
    y += 96
    drawn, y = _lines(drawn, [pair[side] for pair in _facts(parts)], _differing(_facts(parts)), x, y, room)
    why = aligned(parts.sides[0].why, parts.sides[1].why)
    if why:
        drawn.append(text(x, y + 8, "Rules of the last action, in order", "head"))
        drawn, y = _lines(drawn, [pair[side] for pair in why], _differing(why), x, y + 8 + LINE, room)
    return drawn, y - top


def _facts(parts: Parts) -> list[tuple[str, str]]:
    return aligned(parts.sides[0].facts, parts.sides[1].facts)


def _differing(pairs: Sequence[tuple[str, str]]) -> list[bool]:
    return [a != b for a, b in pairs]


def _lines(drawn: list[str], lines: Sequence[str], marked: Sequence[bool], x: float, y: float, room: float) -> tuple[list[str], float]:
    for words, differs in zip(lines, marked, strict=True):
        if differs:
            drawn.append(f'<rect class="mark" x="{x - 6}" y="{y - 14}" width="{room + 12}" height="{LINE}" rx="4"/>')
        drawn.append(text(x, y, words or "–", "differs" if differs else ""))
        y += LINE
    return drawn, y
