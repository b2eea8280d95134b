"""On which ambiguities the rulesets differ, as a table: a row for each ambiguity, a column for each ruleset."""

from __future__ import annotations

from typing import Any

from patchwork_ref.report.impact import markdown_table, text_table
from patchwork_ref.rulebook.model import Rulebook


def table_json(rulebook: Rulebook, whole: bool) -> list[dict[str, Any]]:
    """One entry a row: the reading of each ruleset, and whether the ruleset names it or takes the default."""
    chosen = {name: rulebook.readings(name) for name in rulebook.rulesets}
    return [
        {"ambiguity": a, "default": rulebook.ambiguities[a].default, "differ": len({chosen[r][a] for r in chosen}) > 1, "rulesets": {r: chosen[r][a] for r in chosen}}
        for a in _shown(rulebook, whole)]


def table_text(rulebook: Rulebook, whole: bool) -> str:
    return "\n".join([*text_table(_rows(rulebook, whole, "")), "", _said(rulebook, whole)])


def table_markdown(rulebook: Rulebook, whole: bool) -> str:
    return "\n".join([*markdown_table(_rows(rulebook, whole, "`")), "", _said(rulebook, whole)])


def _rows(rulebook: Rulebook, whole: bool, quote: str) -> list[list[str]]:
    """A dot stands for the default, which the first column names."""
    rows = [["ambiguity", "default", *rulebook.rulesets]]
    for name in _shown(rulebook, whole):
        default = rulebook.ambiguities[name].default
        readings = [rulebook.readings(ruleset)[name] for ruleset in rulebook.rulesets]
        rows.append([f"{quote}{name}{quote}", default, *("·" if r == default else r for r in readings)])
    return rows


def _shown(rulebook: Rulebook, whole: bool) -> list[str]:
    """All ambiguities, or those on which two rulesets differ."""
    chosen = [rulebook.readings(name) for name in rulebook.rulesets]
    return [a for a in rulebook.ambiguities if whole or len({c[a] for c in chosen}) > 1]


def _said(rulebook: Rulebook, whole: bool) -> str:
    """Which rulesets are one game, and what is not shown."""
    same: dict[tuple[str, ...], list[str]] = {}
    for name in rulebook.rulesets:
        same.setdefault(tuple(rulebook.readings(name).values()), []).append(name)
    words = [f"{', '.join(names[:-1])} and {names[-1]} choose the same readings." for names in same.values() if len(names) > 1]
    rest = len(rulebook.ambiguities) - len(_shown(rulebook, whole))
    return " ".join(["A dot is the default.", *words, *([f"On the other {rest} ambiguities all take the default; --all shows them."] if rest else [])])
