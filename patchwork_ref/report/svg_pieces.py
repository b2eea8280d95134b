"""Pieces of the game as SVG: patches, quilts, the time board, and the style that they share; for light and dark pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from patchwork_ref.machine.model import Machine, Patch
from patchwork_ref.report.walk_parts import SPECIAL

COLOURS = ("#8fb8de", "#f2b880", "#a3c9a8", "#e4a3a3", "#c5b0dd", "#e6d37a", "#9fd3d3", "#d9a7c7")
STYLE = """
.page{fill:#ffffff}.card{fill:#f6f8fa;stroke:#d1d9e0}text{font:13px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2328}
.title{font-size:17px;font-weight:600}.head{font-weight:600}.soft{fill:#59636e}.small{font-size:11px}.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12px}
.differs{font-weight:600;fill:#bc4c00}.mark{fill:#ffe8d9}.board{fill:#ffffff;stroke:#818b98}.line{stroke:#c5ccd3;stroke-width:.7}.on{font-size:9px;fill:#1f2328}
.other{fill:#d1d9e0;stroke:#818b98;stroke-width:.5}.edge{stroke:#1f2328;stroke-width:.8}.track{stroke:#818b98;stroke-width:2}.pawn{fill:#1f2328}
.income{fill:#0969da}.special{fill:#9a6700}.p0{fill:#0969da;stroke:#ffffff}.p1{fill:#bc4c00;stroke:#ffffff}.token{fill:#ffffff;font-size:10px;font-weight:600}
@media(prefers-color-scheme:dark){.page{fill:#0d1117}.card{fill:#151b23;stroke:#3d444d}text{fill:#e6edf3}.soft{fill:#9198a1}.differs{fill:#f0883e}.mark{fill:#3d2410}
.board{fill:#0d1117;stroke:#6e7681}.line{stroke:#30363d}.other{fill:#3d444d;stroke:#6e7681}.edge{stroke:#0d1117}.track{stroke:#6e7681}.pawn{fill:#e6edf3}
.income{fill:#58a6ff}.special{fill:#d29922}.p0{fill:#58a6ff;stroke:#0d1117}.p1{fill:#f0883e;stroke:#0d1117}.token{fill:#0d1117}}
"""


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """A line of text; ``kind`` are classes."""
    where = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}{where}>{escape(words)}</text>'


def colours_of(used: Sequence[Patch]) -> dict[str, str]:
    """A colour for each patch that comes into play, and for special patches."""
    return {patch.name: COLOURS[at % len(COLOURS)] for at, patch in enumerate(used)} | {SPECIAL: "#b5895b"}


def patch_svg(patch: Patch, x: float, y: float, cell: float, colour: str | None) -> str:
    """A patch with its middle at a point; grey without a colour."""
    height, width = max(r for r, _ in patch.shape) + 1, max(c for _, c in patch.shape) + 1
    left, top = x - width * cell / 2, y - height * cell / 2
    style = f'class="edge" fill="{colour}"' if colour is not None else 'class="other"'
    return "".join(f'<rect {style} x="{left + c * cell:.1f}" y="{top + r * cell:.1f}" width="{cell}" height="{cell}"/>' for r, c in patch.shape)


def quilt_svg(pieces: Mapping[int, str], machine: Machine, colours: Mapping[str, str], x: float, y: float, cell: float) -> str:
    """A quilt board with its top left at a point; patches in their colours with their letters."""
    board = machine.board
    wide, high = board.columns * cell, board.rows * cell
    parts = [f'<rect class="board" x="{x}" y="{y}" width="{wide}" height="{high}"/>']
    parts += [f'<line class="line" x1="{x + n * cell}" y1="{y}" x2="{x + n * cell}" y2="{y + high}"/>' for n in range(1, board.columns)]
    parts += [f'<line class="line" x1="{x}" y1="{y + n * cell}" x2="{x + wide}" y2="{y + n * cell}"/>' for n in range(1, board.rows)]
    for at, name in sorted(pieces.items()):
        row, column = divmod(at, board.columns)
        parts.append(f'<rect class="edge" fill="{colours.get(name, COLOURS[0])}" x="{x + column * cell}" y="{y + row * cell}" width="{cell}" height="{cell}"/>')
        parts.append(f'<text class="small" style="fill:#1f2328" x="{x + (column + .5) * cell}" y="{y + (row + .5) * cell + 4}" text-anchor="middle">{escape(name)}</text>')
    return "".join(parts)


def track_svg(state: Mapping[str, Any], machine: Machine, x: float, y: float, width: float) -> str:
    """The time board as a line from the first space to the last: income spaces as dots, special patches as squares, the tokens above."""
    constants = machine.constants
    last = constants["last_space"].value if "last_space" in constants else max([1, *(p["space"] for p in state["players"])])
    assert isinstance(last, int)
    income = constants["income_spaces"].value if "income_spaces" in constants else ()
    step = width / last
    parts = [f'<line class="track" x1="{x}" y1="{y}" x2="{x + width}" y2="{y}"/>']
    parts += [f'<line class="track" style="stroke-width:1" x1="{x + n * step:.1f}" y1="{y - 3}" x2="{x + n * step:.1f}" y2="{y + 3}"/>' for n in range(last + 1)]
    for mark in income if isinstance(income, tuple) else ():
        parts.append(f'<circle class="income" cx="{x + int(mark) * step:.1f}" cy="{y}" r="4"/>{text(x + int(mark) * step, y + 16, str(mark), "small soft", "middle")}')
    for mark in state["special_spaces"]:
        parts.append(f'<rect class="special" x="{x + mark * step - 4:.1f}" y="{y - 4}" width="8" height="8"/>{text(x + mark * step, y + 16, str(mark), "small soft", "middle")}')
    for who, player in enumerate(state["players"]):
        at = x + player["space"] * step
        shift = 19 * who if len({p["space"] for p in state["players"]}) == 1 else 0
        parts.append(f'<circle class="p{who}" cx="{at:.1f}" cy="{y - 14 - shift}" r="9"/>{text(at, y - 10.5 - shift, str(who), "token", "middle")}')
    return "".join(parts)
