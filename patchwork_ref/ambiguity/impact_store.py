"""The figures of the standard run, beside the fixtures: every pair of readings of the default ruleset, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from patchwork_ref.ambiguity.impact import Contest, Impact
from patchwork_ref.ambiguity.impact_figures import DIGEST, Figures, Spread, rate, rounded
from patchwork_ref.ambiguity.impact_game import Opening
from patchwork_ref.ambiguity.laboratory import Laboratory, Pair
from patchwork_ref.errors import InputError
from patchwork_ref.fixtures.read import shipped
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.codec import dumps, loads, trace_from_json, trace_to_json
from patchwork_ref.machine.play import Trace

STORED = "impact.json"
"""The file's name in the folder of fixtures."""
FORMAT = 1
GAMES = 500
"""Of each policy, in the standard run."""

RATES, SPREADS = ("open", "parted", "scores", "winner"), ("start", "other", "size", "advantage")

Stored = dict[tuple[str, tuple[str, str]], Impact]
"""By ambiguity and pair of readings."""


def contest_of(pair: Pair) -> Contest:
    """A pair of the laboratory, with the game on which it parts."""
    return Contest(pair.ambiguity, pair.readings, Opening(pair.walk.setup, tuple(pair.walk.actions)) if pair.walk is not None else None)


def write_impacts(impacts: Sequence[Impact], laboratory: Laboratory, file: Path) -> None:
    """``{format, games, seed, pairs: [{ambiguity, readings, machines, opening?, figures}]}``. ``machines`` are the digests of the
    two rules: figures of other ones are out of date."""
    known = _Digests(laboratory)
    lines = [dumps(_entry(impact, known)) for impact in impacts]
    head = f'"format":{FORMAT},"games":{impacts[0].games},"seed":{impacts[0].seed}'
    file.write_text("{" + head + ',"pairs":[\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8", newline="\n")


def read_impacts(laboratory: Laboratory, file: Path | None = None, ambiguity: str | None = None) -> Stored:
    """The stored figures of the pairs (of one ambiguity, if named) whose rules, beside the laboratory's base, are those that
    were played. Raises InputError."""
    path = file if file is not None else shipped() / STORED
    try:
        found = loads(path.read_text(encoding="utf-8"), path.name)
        if found["format"] != FORMAT:
            raise InputError(f"{path.name} has format {found['format']!r}; this version reads format {FORMAT}")
        entries, known = (e for e in found["pairs"] if ambiguity in (None, e["ambiguity"])), _Digests(laboratory)
        impacts = [impact for entry in entries if (impact := _impact(entry, found, known)) is not None]
        return {(i.contest.ambiguity, i.contest.readings): i for i in impacts}
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; run 'ambiguity impact --store' to make it") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"{path.name} holds no figures of impact; run 'ambiguity impact --store' to make it anew") from None


def _entry(impact: Impact, known: _Digests) -> dict[str, Any]:
    contest = impact.contest
    entry: dict[str, Any] = {
        "ambiguity": contest.ambiguity, "readings": list(contest.readings), "machines": known.of(contest), "figures": [_row(f) for f in impact.figures]}
    if contest.opening is not None:
        entry["opening"] = trace_to_json(Trace(None, {}, contest.opening.setup, contest.opening.actions))
    return entry


def _impact(entry: dict[str, Any], file: dict[str, Any], known: _Digests) -> Impact | None:
    a, b = entry["readings"]
    opening = None
    if "opening" in entry:
        trace = trace_from_json(entry["opening"])
        opening = Opening(trace.setup, trace.actions)
    contest = Contest(entry["ambiguity"], (a, b), opening)
    if known.of(contest) != entry["machines"]:
        return None
    return Impact(contest, file["games"], file["seed"], tuple(_figures(row, file["games"]) for row in entry["figures"]))


def _row(f: Figures) -> dict[str, Any]:
    """A policy's figures without what follows from the others: intervals of rates are worked out again."""
    counts = {name: getattr(f, name).count for name in RATES}
    spreads = {name: [s.mean, *s.interval, *s.percentiles] for name in SPREADS for s in [getattr(f, name)]}
    found: dict[str, Any] = rounded(
        {"policy": f.policy, **counts, **spreads, "at": f.at, "wins": f.wins, "blocks": "".join(f.blocks), "unfinished": f.unfinished, "opening": f.opening})
    return found


def _figures(row: dict[str, Any], games: int) -> Figures:
    opened, parted, scores, winner = (rate(row[name], games) for name in RATES)
    start, other, size, advantage = (Spread(mean, (low, high), (p[0], p[1], p[2], p[3], p[4])) for name in SPREADS for mean, low, high, *p in [row[name]])
    blocks = tuple(row["blocks"][at:at + DIGEST] for at in range(0, len(row["blocks"]), DIGEST))
    wins = row["wins"][0], row["wins"][1]
    return Figures(row["policy"], games, opened, parted, scores, winner, row["at"], start, other, size, wins, advantage, row["unfinished"], blocks, row["opening"])


class _Digests:
    """The digests of Machines, each worked out once; no engine is made for this."""

    def __init__(self, laboratory: Laboratory) -> None:
        self.rulebook, self.base = laboratory.rulebook, laboratory.base
        self.known: dict[tuple[str, str] | None, str] = {}

    def of(self, contest: Contest) -> list[str]:
        """Those of the two rules; none where the rulebook has no such readings."""
        book = self.rulebook.ambiguities
        if contest.ambiguity not in book or any(r not in book[contest.ambiguity].readings for r in contest.readings):
            return []
        return [self.digest(contest.ambiguity, reading) for reading in contest.readings]

    def digest(self, ambiguity: str, reading: str) -> str:
        key = (ambiguity, reading) if self.base[ambiguity] != reading else None
        if key not in self.known:
            self.known[key] = from_rulebook(self.rulebook, {**self.base, ambiguity: reading}).digest
        return self.known[key]
