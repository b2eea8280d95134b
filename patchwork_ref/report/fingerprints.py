"""A fingerprint as Markdown, for a comment or a report; the text and JSON forms are beside the ambiguities'."""

from __future__ import annotations

from collections.abc import Mapping

from patchwork_ref.ambiguity import Fingerprint
from patchwork_ref.report.impact import markdown_table


def fingerprint_markdown(found: Fingerprint, defaults: Mapping[str, str]) -> str:
    """What the engine follows, as a table; readings other than the default's are in bold. Then what no reading explains."""
    title = f"## The readings of `{found.engine}`"
    if found.failure is not None and not found.games:
        return f"{title}\n\nNo game was played: {found.failure.reason}."
    rows = [["ambiguity", "reading", "why it is open"]]
    for ambiguity, reading in found.readings.items():
        words = "undecided" if reading is None else reading if isinstance(reading, str) else " or ".join(reading)
        other = isinstance(reading, str) and reading != defaults.get(ambiguity)
        rows.append([f"`{ambiguity}`", f"**{words}**" if other else words, _cell(found.why.get(ambiguity, ""))])
    lines = [title, "", _ruleset(found), "", *markdown_table(rows)]
    if found.ignored:
        lines += ["", f"It lays out its own {' and '.join(f'`{name}`' for name in found.ignored)}, whatever a set-up says."]
    if found.unexplained:
        lines += ["", f"No reading explains {len(found.unexplained)} games:", ""]
        lines += markdown_table([["game", "action", "rule", "how it looks"], *(
            [f"`{u.fixture}`", str(u.action), f"`{u.rule}`" if u.rule else "?", _cell("; ".join(words for words in (u.how, u.text) if words))] for u in found.unexplained)])
    if found.failure is not None:
        lines += ["", f"The engine failed: {found.failure.reason}."]
    return "\n".join([*lines, "", f"{found.games} games, {found.actions} actions."])


def _ruleset(found: Fingerprint) -> str:
    if found.ruleset is None:
        return "No ruleset can be named."
    return f"This is the ruleset {' or '.join(found.rulesets)}." if found.exact else f"The nearest ruleset is {found.ruleset}."


def _cell(words: str) -> str:
    return words.replace("|", "\\|").replace("\n", " ")
