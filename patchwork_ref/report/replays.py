"""Replayed traces as text and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from patchwork_ref.conformance.replaying import Replay
from patchwork_ref.report.check import evidence
from patchwork_ref.report.games import action_line, boards, winner_words


def replay_json(results: Sequence[Replay]) -> dict[str, Any]:
    """The document of ``replay --format json``; of several traces the last one's, with all of them under ``traces``."""
    parts = [_json(result) for result in results]
    if len(parts) == 1:
        return parts[0]
    return {**parts[-1], "agrees": all(p["agrees"] for p in parts), "traces": [{"name": r.name, "agrees": r.agrees} for r in results]}


def _json(result: Replay) -> dict[str, Any]:
    course, number = result.course, len(result.course.actions)
    found: dict[str, Any] = {"agrees": result.agrees, "state": course.seen(number), "scores": list(course.score.totals), "winner": course.score.winner if course.over else None,
                             "actions": number}
    difference = _first(result)
    if difference is not None:
        found["first_difference"] = difference
    return found


def _first(result: Replay) -> dict[str, Any] | None:
    if result.refusal is not None:
        return {"action": result.refused_at, "rule": result.refusal.rule, "code": result.refusal.code, "text": result.refusal.detail}
    if result.verdict is not None and result.verdict.outcome != "agreed":
        v = result.verdict
        return {"action": v.action, "outcome": v.outcome, "text": v.text,
                "differences": [{"field": d.field, "player": d.player, "expected": d.expected, "got": d.got} for d in v.differences]}
    if result.recorded:
        return {"action": len(result.course.actions), "text": "the recorded result is not what the rules give",
                "differences": [{"field": d.field, "player": d.player, "expected": d.expected, "got": d.got} for d in result.recorded]}
    return None


def replay_text(results: Sequence[Replay]) -> str:
    """One trace action by action; of many a line each."""
    if len(results) > 1:
        return "\n".join(f"{'agrees ' if r.agrees else 'DIFFERS'}  {r.name}{_why(r)}" for r in results)
    return "\n".join(_lines(results[0]))


def _why(result: Replay) -> str:
    found = _first(result)
    return "" if found is None else f": action {found['action']}: {found['text']}"


def _lines(result: Replay) -> list[str]:
    course, engine = result.course, result.course.engine
    lines = [f"{result.name}    ruleset {engine.machine.ruleset or 'custom'}, {len(course.actions)} actions"]
    state = course.start
    upto = result.verdict.action if result.verdict is not None and result.verdict.failed else len(course.steps)
    for number, step in enumerate(course.steps[:upto], 1):
        lines.append(action_line(engine, number, state, step))
        state = step.state
    lines += ["", *boards(engine, state), ""]
    if result.refusal is not None:
        lines.append(f"Action {result.refused_at} is illegal: {result.refusal.code}, by {result.refusal.rule}: {result.refusal.detail}")
    lines += [f"recorded {d}" for d in result.recorded]
    if course.over and result.refusal is None:
        lines.append(f"scores {course.score.totals[0]} : {course.score.totals[1]}, {winner_words(course.score.winner)}")
    verdict = result.verdict
    if verdict is not None and verdict.outcome == "agreed":
        lines.append("The engine agrees.")
    elif verdict is not None:
        lines.append(f"The engine differs: {verdict.outcome} at {f'action {verdict.action}' if verdict.action else 'the set-up'}: {verdict.text}")
        lines += [f"    {d}" for d in verdict.differences]
        if verdict.failure is not None:
            lines += evidence(verdict.failure)
    return lines
