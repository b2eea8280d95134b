"""The figures of an ambiguity as one SVG picture: how often, and by how much, with 95 % intervals; for light and dark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log10

from patchwork_ref.ambiguity.impact import Impact
from patchwork_ref.ambiguity.impact_figures import Figures, Interval
from patchwork_ref.report.impact import label

ROW, LEFT, PANEL, GAP, TOP = 30, 214, 204, 44, 90
PLAYERS = (("start player", "one", -6), ("other player", "two", 6))
STYLE = """
.page{fill:#ffffff}.band{fill:#f4f5f7}text{font:12px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2328}
.title{font-size:15px;font-weight:600}.head{font-weight:600}.soft,.axis{fill:#59636e}.axis{font-size:11px}
.grid{stroke:#d8dee4;stroke-width:1}.zero{stroke:#818b98;stroke-width:1}
.one{stroke:#0969da;fill:#0969da}.two{stroke:#bc4c00;fill:#bc4c00}.span{stroke-opacity:.35;stroke-width:6;stroke-linecap:round}.bar{stroke-width:2}
text.one,text.two{stroke:none}
@media(prefers-color-scheme:dark){.page{fill:#0d1117}.band{fill:#161b22}text{fill:#e6edf3}.soft,.axis{fill:#9198a1}.grid{stroke:#30363d}.zero{stroke:#6e7681}
.one{stroke:#58a6ff;fill:#58a6ff}.two{stroke:#f0883e;fill:#f0883e}}
"""


def impact_svg(impacts: Sequence[Impact]) -> str:
    """All pairs of readings below one another, a row for each policy."""
    width = LEFT + 4 * (PANEL + GAP)
    parts, y = [], 16
    points = _round(max((abs(x) for i in impacts for f in i.figures for s in (f.start, f.other) for x in (*s.interval, s.percentiles[0], s.percentiles[4])), default=1))
    shift = _round(max((abs(100 * x) for i in impacts for f in i.figures for x in _advantage(f)), default=1))
    for impact in impacts:
        drawn, height = _pair(impact, y, points, shift)
        parts += drawn
        y += height + 22
    foot = f"{impacts[0].games} games by each policy, seed {impacts[0].seed}. Bars: 95 % intervals. Pale: 5th to 95th percentile of the games."
    parts.append(f'<text class="soft" x="16" y="{y + 4}">{escape(foot)}</text>')
    names = ", ".join(dict.fromkeys(i.contest.ambiguity for i in impacts))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y + 20}" width="{width}" height="{y + 20}" role="img">'
            f"<title>{escape(f'How much it matters: {names}')}</title><style>{STYLE}</style>"
            f'<rect class="page" width="{width}" height="{y + 20}" rx="6"/>{"".join(parts)}</svg>\n')


def _pair(impact: Impact, y: int, points: float, shift: float) -> tuple[list[str], int]:
    a, b = impact.contest.readings
    rows = impact.figures
    parts = [f'<text class="title" x="16" y="{y + 10}">{escape(f"{impact.contest.ambiguity}: {a} or {b}")}</text>',
             f'<text class="soft" x="16" y="{y + 28}">{escape(f"A change is what {b} gives, less what {a} gives in the same game.")}</text>']
    top, bottom = y + TOP, y + TOP + ROW * len(rows)
    for number, f in enumerate(rows):
        if number % 2 == 0:
            parts.append(f'<rect class="band" x="8" y="{top + ROW * number}" width="{LEFT + 4 * (PANEL + GAP) - 16}" height="{ROW}"/>')
        parts.append(f'<text x="16" y="{top + ROW * number + 19}">{escape(label(f.policy))}</text>')
    parts += _panel(0, "games part", "% of games", top, bottom, 0, 100)
    parts += _panel(1, "the winner changes", "% of games", top, bottom, 0, 100)
    parts += _panel(2, "change of the final score", "points", top, bottom, -points, points)
    parts += _panel(3, "change of the start player's wins", "percentage points", top, bottom, -shift, shift)
    for at, (words, kind, _) in enumerate(PLAYERS):
        parts.append(f'<text class="axis {kind}" x="{_left(2) + at * (PANEL // 2)}" y="{top - 6}">{"●"} {words}</text>')
    for number, f in enumerate(rows):
        middle = top + ROW * number + ROW // 2
        parts += _rate(0, 100 * f.parted.share, f.parted.interval, middle)
        parts += _rate(1, 100 * f.winner.share, f.winner.interval, middle)
        parts += _scores(f, middle, _scale(2, -points, points))
        share = _scale(3, -shift, shift)
        low, high = _advantage(f)
        parts += _mark(share(100 * f.advantage.mean), share(100 * low), share(100 * high), middle, "one")
    return parts, bottom + 34 - y


def _advantage(f: Figures) -> Interval:
    """The interval of the change of the start player's wins; where no winner changes, as far as that can hide one."""
    return f.advantage.interval if f.winner.count else (-f.winner.interval[1], f.winner.interval[1])


def _panel(number: int, title: str, unit: str, top: int, bottom: int, low: float, high: float) -> list[str]:
    left, at = _left(number), _scale(number, low, high)
    step = _step(high - low)
    ticks = [step * n for n in range(ceil(low / step), floor(high / step) + 1)]
    parts = [f'<text class="head" x="{left}" y="{top - 38}">{escape(title)}</text>', f'<text class="soft axis" x="{left}" y="{top - 22}">{escape(unit)}</text>']
    for tick in ticks:
        x = at(tick)
        parts.append(f'<line class="{"zero" if tick == 0 else "grid"}" x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}"/>')
        parts.append(f'<text class="axis" x="{x:.1f}" y="{bottom + 15}" text-anchor="middle">{f"{tick:+g}" if low < 0 and tick else f"{tick:g}"}</text>')
    return parts


def _rate(panel: int, share: float, interval: Interval, y: int) -> list[str]:
    at = _scale(panel, 0, 100)
    return _mark(at(share), at(100 * interval[0]), at(100 * interval[1]), y, "one")


def _scores(f: Figures, y: int, at: Callable[[float], float]) -> list[str]:
    """Both players' changes: the spread of the games pale, the mean with its interval on it."""
    parts = []
    for spread, (_, kind, shift) in zip((f.start, f.other), PLAYERS, strict=True):
        if f.scores.count:
            parts.append(f'<line class="{kind} span" x1="{at(spread.percentiles[0]):.1f}" y1="{y + shift}" x2="{at(spread.percentiles[4]):.1f}" y2="{y + shift}"/>')
        parts += _mark(at(spread.mean), at(spread.interval[0]), at(spread.interval[1]), y + shift, kind)
    return parts


def _mark(x: float, low: float, high: float, y: int, kind: str) -> list[str]:
    """A dot with its interval."""
    parts = [f'<line class="{kind} bar" x1="{low:.1f}" y1="{y}" x2="{high:.1f}" y2="{y}"/>']
    parts += [f'<line class="{kind} bar" x1="{end:.1f}" y1="{y - 4}" x2="{end:.1f}" y2="{y + 4}"/>' for end in (low, high)]
    return [*parts, f'<circle class="{kind}" cx="{x:.1f}" cy="{y}" r="3.5"/>']


def _left(number: int) -> int:
    return LEFT + number * (PANEL + GAP)


def _scale(panel: int, low: float, high: float) -> Callable[[float], float]:
    left = _left(panel)
    return lambda value: left + (value - low) / (high - low) * PANEL


def _round(value: float) -> float:
    """A little more than a number, for the end of an axis."""
    if value <= 0:
        return 1.0
    unit = 10 ** floor(log10(value))
    return float(next(unit * n for n in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if unit * n >= value))


def _step(width: float) -> float:
    """Between three and six ticks."""
    unit = 10 ** floor(log10(width / 4))
    return float(next(unit * n for n in (1, 2, 5, 10) if width / (unit * n) <= 6))
