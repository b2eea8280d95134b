"""A crosscheck as text and as JSON."""

from __future__ import annotations

from typing import Any

from patchwork_ref.crosscheck import Crosscheck
from patchwork_ref.machine.codec import dumps, trace_to_json


def crosscheck_text(found: Crosscheck) -> str:
    """A line a topic with who answered, then each disagreement with the game that led to it."""
    games = f"{found.games} game{'' if found.games == 1 else 's'}"
    lines = [f"{games} under {found.ruleset or 'the chosen readings'}"]
    for topic, number in found.asked.items():
        lines.append(f"  {topic:<14} {number:>6} questions   {', '.join(found.voices[topic]) or 'nobody asked'}")
    lines.append("All answers agree." if found.agree else f"{len(found.disagreements)} disagreement{'' if len(found.disagreements) == 1 else 's'}:")
    for disagreement in found.disagreements:
        lines += [f"  {disagreement}", f"    {dumps(trace_to_json(disagreement.trace))}"]
    return "\n".join(lines)


def crosscheck_json(found: Crosscheck) -> dict[str, Any]:
    """``agree``, ``asked`` by topic, ``voices`` by topic, and ``disagreements`` with answers in words and a trace."""
    return {
        "agree": found.agree, "ruleset": found.ruleset, "games": found.games, "asked": dict(found.asked),
        "voices": {topic: list(names) for topic, names in found.voices.items()},
        "disagreements": [
            {"topic": d.topic, "question": d.question, "answers": {who: str(answer) for who, answer in d.answers.items()}, "trace": trace_to_json(d.trace)}
            for d in found.disagreements
        ],
    }
