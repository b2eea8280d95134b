"""How much a reading matters: as text, Markdown and JSON. The plot is in ``impact_plot``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from patchwork_ref.ambiguity.impact import EXPLOIT, WITNESS, Impact
from patchwork_ref.ambiguity.impact_figures import Figures, Rate, Spread
from patchwork_ref.ambiguity.impact_store import Stored

Rows = list[list[str]]
WORDS = {"random": "random", "greedy": "greedy", "square": "racing for the square"}
METHOD = (
    "Both readings play the same games: the same circle and start player, and the same choices until an observer sees a difference. Choice n of a game draws "
    "from the stream (seed, policy, game, n), before that and after it; where one reading allows more, the choice is made there, and the other takes it too if it can. "
    "Games that have parted take other courses, so a changed winner shows that the reading can decide a game, not that it favours anyone; that is what the last table tells.")
INTERVALS = "In brackets 95 % intervals: Wilson's for rates, normal ones for means."
FEW = 30
"""Games below which a normal interval is not to be trusted."""
UNKNOWN = "its impact is not stored under these rules; 'ambiguity impact ID' measures it"
OPEN = "Open: games in which some legal action, of the few placements looked at, would have parted the readings."
AFTER = "After the witness: games that begin with the one on which the readings part, and go on by another policy for each action."


def impact_json(impacts: Sequence[Impact]) -> list[dict[str, Any]]:
    """One entry a pair of readings."""
    return [
        {"ambiguity": i.contest.ambiguity, "readings": list(i.contest.readings), "games": i.games, "seed": i.seed, "policies": [f.to_json() for f in i.figures]}
        for i in impacts]


def impact_text(impacts: Sequence[Impact], reasons: Mapping[tuple[str, str], str], beside: str, markdown: bool = False) -> str:
    """Each pair of readings with its three tables. ``reasons`` say why a pair cannot part; ``beside`` names the other readings."""
    parts = []
    for impact in impacts:
        a, b = impact.contest.readings
        lines = [f"### {impact.contest.ambiguity}: {a} or {b}" if markdown else f"{impact.contest.ambiguity}: {a} or {b}", "", summary(impact)]
        if (a, b) in reasons:
            lines += ["", reasons[a, b]]
        for title, rows in tables(impact):
            lines += ["", f"**{title}**" if markdown else title, "", *(markdown_table(rows) if markdown else text_table(rows))]
        parts.append("\n".join(lines))
    foot = [f"{impacts[0].games} games by each policy, seed {impacts[0].seed}, beside the readings of {beside}. {INTERVALS}", OPEN, METHOD]
    if any(f.policy == WITNESS for i in impacts for f in i.figures):
        foot.insert(2, AFTER)
    if impacts[0].games < FEW:
        foot.insert(1, "So few games make the intervals of means too narrow.")
    return "\n\n".join([*parts, "\n".join(foot)])


def summary(impact: Impact) -> str:
    """The answer in a sentence: the range over the policies."""
    free = _free(impact)
    if not free:
        return "Nothing was played."
    after = next((f for f in impact.figures if f.policy == WITNESS), None)
    if not any(f.parted.count for f in free):
        seen, games = sum(f.open.count for f in free), sum(f.games for f in free)
        chance = f"a choice that would part them was open in {seen}" if seen else "a choice that would part them was never seen"
        words = f"No game of {games} parts these readings (at most {percent(max(f.parted.interval[1] for f in free))} by any policy); {chance}."
    else:
        often = (_ranged({label(f.policy): getattr(f, name) for f in free}) for name in ("parted", "scores", "winner"))
        words = "Games part in {}, the scores differ in {}, and the winner changes in {}.".format(*often)
    return words + (f" Once the witness has been played, {_after(after)}." if after is not None and len(free) < len(impact.figures) else "")


def in_short(impacts: Sequence[Impact]) -> str:
    """One line for lists, over one pair of readings or more: by which policy it matters most. Of at least one pair."""
    free = [f for impact in impacts for f in _free(impact)]
    parts = max(free, key=lambda f: f.parted.share)
    if not parts.parted.count:
        after = [_after(f) for impact in impacts for f in impact.figures if f.policy == WITNESS]
        known = f"; after the witness {after[0]}" if after else ""
        return f"no game of {sum(f.games for f in free)} parts, at most {percent(max(f.parted.interval[1] for f in free))} by any policy{known}"
    wins, score = max(free, key=lambda f: f.winner.share), max((s.mean for f in free for s in (f.start, f.other)), key=abs)
    changed = f"the winner changes in up to {percent(wins.winner.share)} ({label(wins.policy)})" if wins.winner.count else f"the winner in none of {sum(f.games for f in free)}"
    scores = f"a score by up to {score:+.1f} in the mean" if any(f.scores.count for f in free) else "no score does"
    return f"games part in up to {percent(parts.parted.share)} ({label(parts.policy)}), {changed}, {scores}"


def played(stored: Stored) -> str:
    """How the stored figures were made."""
    impact = next(iter(stored.values()))
    return f"{impact.games} games by each policy, seed {impact.seed}; 'ambiguity impact ID' has the intervals, and plays them with other numbers"


def _after(f: Figures) -> str:
    """What follows once the readings have parted as they do in the witness."""
    score = max((f.start.mean, f.other.mean), key=abs)
    return f"the scores differ in {percent(f.scores.share)} (by up to {score:+.1f} in the mean), and the winner changes in {percent(f.winner.share)}"


def _free(impact: Impact) -> list[Figures]:
    """Without the games that are begun by the witness, if there are others."""
    return [f for f in impact.figures if f.policy != WITNESS] or list(impact.figures)


def _ranged(rates: Mapping[str, Rate]) -> str:
    low, high = (choose(rates, key=lambda name: rates[name].share) for choose in (min, max))
    if rates[low].share == rates[high].share:
        return percent(rates[low].share)
    return f"{percent(rates[low].share)} ({low}) to {percent(rates[high].share)} ({high})"


def tables(impact: Impact) -> list[tuple[str, Rows]]:
    """How often, how much, and what it does to the start player; the first row is the head."""
    a, b = impact.contest.readings
    often: Rows = [["policy", "open", "games part", "at action", "scores differ", "winner changes"]]
    much: Rows = [["policy", "start player: mean", "median", "5 to 95 %", "other player: mean", "median", "5 to 95 %", "larger of both: mean"]]
    start: Rows = [["policy", a, b, "difference"]]
    for f in impact.figures:
        name = label(f.policy) + (f" ({f.unfinished} games given up)" if f.unfinished else "")
        often.append([name, rated(f.open), rated(f.parted), "-" if f.at is None else f"{f.at:g}", rated(f.scores), rated(f.winner)])
        much.append([name, *_spread(f.start, f), *_spread(f.other, f), f"{f.size.mean:.1f}" if f.scores.count else "0"])
        start.append([name, percent(f.wins[0]), percent(f.wins[1]), _difference(f)])
    return [
        ("How often", often), (f"By how much the score under {b} is higher than under {a}, in points, over all games", much),
        ("How often the start player wins (a draw is half a win)", start)]


def label(policy: str) -> str:
    """What a row is called."""
    kind, _, reading = policy.partition(" ")
    return f"exploiting {reading}" if kind == EXPLOIT else f"after the {WITNESS}" if kind == WITNESS else WORDS.get(policy, policy)


def rated(found: Rate) -> str:
    """A rate with its interval; nothing seen is told by what it may hide."""
    low, high = found.interval
    if not found.count:
        return f"0 of {found.games}, at most {percent(high)}"
    return f"{percent(found.share)} ({100 * low:.1f}-{100 * high:.1f})"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def text_table(rows: Rows) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def markdown_table(rows: Rows) -> list[str]:
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return [head, "|" + "---|" * len(rows[0]), *body]


def _spread(found: Spread, f: Figures) -> list[str]:
    if not f.scores.count:
        return ["no difference", "0", "-"]
    if f.games == 1:
        return [f"{found.mean:+.2f}", f"{found.median:+g}", "-"]
    low, high = found.interval
    return [f"{found.mean:+.2f} ({low:+.2f} to {high:+.2f})", f"{found.median:+g}", f"{found.percentiles[0]:+.3g} to {found.percentiles[4]:+.3g}"]


def _difference(f: Figures) -> str:
    if not f.winner.count:
        return f"none seen; at most {100 * f.winner.interval[1]:.1f} points"
    low, high = f.advantage.interval
    return f"{100 * f.advantage.mean:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f})"
