"""Verdicts on properties, and comparisons of rules, as text and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from patchwork_ref.machine.codec import trace_to_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.proving import PropertyVerdict, described
from patchwork_ref.symbolic.results import Counterexample, Proven, Refuted, Result, Unknown


def list_text(machine: Machine) -> str:
    """A line a property."""
    width = max((len(name) for name in machine.properties), default=0)
    return "\n".join(f"{p.name:<{width}}  {p.says}" for p in machine.properties.values())


def verdict_json(verdict: PropertyVerdict) -> dict[str, Any]:
    """One entry of ``prove --format json``."""
    found: dict[str, Any] = {"property": verdict.property, "verdict": verdict.verdict, "seconds": round(verdict.seconds, 4)}
    if verdict.leaned_on:
        found["leaned_on"] = list(verdict.leaned_on)
    if verdict.trace is not None:
        found["trace"] = trace_to_json(verdict.trace)
    if verdict.note:
        found["note"] = verdict.note
    return found


def verdicts_text(machine: Machine, verdicts: Sequence[PropertyVerdict]) -> str:
    """A line a property; of a refuted one the game or the state that shows it."""
    width = max((len(v.property) for v in verdicts), default=0)
    lines = []
    for v in verdicts:
        leaned = f"   by {', '.join(v.leaned_on)}" if v.leaned_on else ""
        lines.append(f"{v.verdict:<8} {v.property:<{width}} {v.seconds:>6.2f} s{leaned}")
        if v.verdict == "proven":
            continue
        lines += [f"    {v.says}", *([f"    {v.note}"] if v.note else [])]
        if v.trace is not None:
            lines.append(f"    circle {' '.join(v.trace.setup.circle)}, player {v.trace.setup.first_player} first")
            lines += [f"    {n:>3}. {action}" for n, action in enumerate(v.trace.actions, 1)]
        elif v.counterexample is not None and v.counterexample.before is not None:
            lines += [f"    {line}" for line in counterexample_lines(machine, v.counterexample)]
    count = {word: sum(v.verdict == word for v in verdicts) for word in ("proven", "refuted", "unknown")}
    total = sum(v.seconds for v in verdicts)
    lines.append(f"{len(verdicts)} properties: {', '.join(f'{n} {word}' for word, n in count.items() if n)}, in {total:.1f} s")
    return "\n".join(lines)


def counterexample_lines(machine: Machine, found: Counterexample) -> list[str]:
    """The state before, and the action that breaks it."""
    if found.before is None:
        return [found.case]
    action = f"; the action: {found.action}" if found.action is not None else ""
    return [f"at {found.case}, from this state{action}", *(f"  {line}" for line in described(machine, found.before))]


def equivalence_json(sides: tuple[str, str], result: Result) -> dict[str, Any]:
    """The entry of ``prove --equivalent A B --format json``."""
    words = {Proven: "proven", Refuted: "refuted", Unknown: "unknown"}
    found: dict[str, Any] = {"property": f"{sides[0]} is {sides[1]}", "verdict": words[type(result)], "seconds": round(result.seconds, 4)}
    if isinstance(result, Refuted):
        found["case"], found["differs"] = result.counterexample.case, list(result.counterexample.differs)
    if isinstance(result, Unknown):
        found["note"] = result.reason
    return found


def equivalence_text(sides: tuple[str, str], machine: Machine, result: Result) -> str:
    """Whether two choices of rules are one game, for all states."""
    a, b = sides
    if isinstance(result, Proven):
        return f"proven: no state, action or end tells {a} and {b} apart, in {result.seconds:.1f} s"
    if isinstance(result, Unknown):
        return f"unknown whether {a} and {b} differ: {result.reason}"
    found = result.counterexample
    return "\n".join([f"refuted: {a} and {b} differ in {', '.join(found.differs) or 'what they allow'}", *counterexample_lines(machine, found)])
