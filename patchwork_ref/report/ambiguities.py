"""Ambiguities, witnesses as walk-throughs of a table, and fingerprints: as text, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from patchwork_ref.ambiguity import Fingerprint, Laboratory, Pair
from patchwork_ref.ambiguity.impact_store import Stored
from patchwork_ref.machine.codec import action_to_json, setup_to_json
from patchwork_ref.report.impact import UNKNOWN, impact_json, in_short, played
from patchwork_ref.report.links import Links
from patchwork_ref.report.rules import rules_json, rules_markdown, rules_text
from patchwork_ref.report.walk_parts import Parts, parts_of
from patchwork_ref.report.walk_svg import walk_svg
from patchwork_ref.report.walk_text import walk_lines
from patchwork_ref.rulebook.model import Ambiguity
from patchwork_ref.symbolic.results import Proven, Refuted, Result

Proofs = Mapping[tuple[str, str], Result]
"""By pair of readings, what Z3 says about the two rulebooks."""


def list_json(laboratory: Laboratory, stored: Stored) -> list[dict[str, Any]]:
    """One entry for each ambiguity."""
    return [_entry(laboratory, a, stored) for a in laboratory.rulebook.ambiguities.values()]


def list_text(laboratory: Laboratory, stored: Stored) -> str:
    """Each ambiguity with its question, its readings (the default is starred), and how much it matters."""
    width = max((len(name) for name in laboratory.rulebook.ambiguities), default=0)
    lines = []
    for a in laboratory.rulebook.ambiguities.values():
        lines += [f"{a.name:<{width}}  {a.question}", f"{'':<{width}}  {', '.join(_starred(a))}", f"{'':<{width}}  impact: {_matters(a.name, stored)}"]
    return "\n".join([*lines, *([f"\n{played(stored)}"] if stored else [])])


def list_markdown(laboratory: Laboratory, stored: Stored) -> str:
    rows = [
        f"| `{a.name}` | {a.question} | {', '.join(_starred(a))} | {', '.join(_choosing(laboratory, a)) or '-'} | {_matters(a.name, stored)} |"
        for a in laboratory.rulebook.ambiguities.values()]
    head = ["| ambiguity | question | readings (* default) | rulesets that read otherwise | how much it matters |", "|---|---|---|---|---|"]
    return "\n".join([*head, *rows, *([f"\n{played(stored)}"] if stored else [])])


def show(laboratory: Laboratory, name: str, form: str, pairs: Sequence[Pair], proofs: Proofs, stored: Stored) -> Any:
    """All that is known of one ambiguity: the rulebook's own entry with witnesses, proofs and impact beside it. JSON values
    for ``json``, else a text."""
    engine = laboratory.profiles.engine(laboratory.base)
    assert engine is not None
    known = {pair.readings: stored[name, pair.readings] for pair in pairs if (name, pair.readings) in stored}
    facts = {
        "witnesses": tuple(f"{' or '.join(p.readings)}: {_told(p, proofs)}" for p in pairs),
        "proofs": tuple(f"{' or '.join(p.readings)}: {_proved(p, proofs)}" for p in pairs),
        "impact": tuple(f"{' or '.join(p.readings)}: {in_short([known[p.readings]]) if p.readings in known else UNKNOWN}" for p in pairs),
    }
    if known:
        facts["measured by"] = (played(stored),)
    lines = Links({name: facts})
    if form == "json":
        found = dict(_entry(laboratory, laboratory.ambiguity(name), stored))
        own = impact_json(list(known.values()))
        return found | {"rulebook": rules_json(laboratory.rulebook, engine.machine, name, lines), "witnesses": witness_json(pairs, proofs), "impact": own}
    return (rules_markdown if form == "markdown" else rules_text)(laboratory.rulebook, engine.machine, name, lines)


def witness_json(pairs: Sequence[Pair], proofs: Proofs) -> list[dict[str, Any]]:
    """One entry a pair. ``equivalent`` is there when it was asked of the solver, and is null when that gave up."""
    found = []
    for pair in pairs:
        entry: dict[str, Any] = {"readings": list(pair.readings), "actions": [], "observed": None}
        if pair.walk is not None and pair.walk.shown is not None:
            entry |= {
                "actions": [action_to_json(a) for a in pair.walk.actions], "observed": pair.walk.observed, "what": pair.walk.shown.what,
                "setup": setup_to_json(pair.walk.setup, {}), "fixture": pair.fixture,
                "differences": [{"field": d.field, "player": d.player, "values": [d.expected, d.got]} for d in pair.walk.moments[-1].differs],
            }
        if pair.reason:
            entry["reason"] = pair.reason
        if (proof := proofs.get(pair.readings)) is not None:
            entry["equivalent"] = True if isinstance(proof, Proven) else False if isinstance(proof, Refuted) else None
        found.append(entry)
    return found


def witness_text(laboratory: Laboratory, pairs: Sequence[Pair], proofs: Proofs, markdown: bool = False) -> str:
    """Each pair as a game to be laid out on a table, or as a proof that there is none."""
    found = []
    for pair in pairs:
        title = f"{pair.ambiguity}: {' or '.join(pair.readings)}"
        lines = [_told(pair, proofs), *([pair.reason] if pair.reason else [])]
        laid = walk_lines(parts_of_pair(laboratory, pair)) if pair.walk is not None else []
        if markdown:
            found.append("\n".join([f"## {title}", "", *lines, *(["", "```text", *laid, "```"] if laid else [])]))
        else:
            found.append("\n".join([title, *(f"  {line}".rstrip() for line in [*lines, *([""] if laid else []), *laid])]))
    return "\n\n".join(found)


def witness_svg(laboratory: Laboratory, pair: Pair) -> str:
    """The game of a pair that has one, as a picture."""
    return walk_svg(f"{pair.ambiguity}: {' or '.join(pair.readings)}", _told(pair, {}), parts_of_pair(laboratory, pair))


def parts_of_pair(laboratory: Laboratory, pair: Pair) -> Parts:
    """A pair's game, taken apart for drawing. The pair has one."""
    assert pair.walk is not None
    one, other = (laboratory.engine(pair.ambiguity, reading) for reading in pair.readings)
    return parts_of(pair.walk, pair.readings, (one, other))


def fingerprint_json(found: Fingerprint) -> dict[str, Any]:
    """``fingerprint --format json``."""
    result: dict[str, Any] = {
        "engine": found.engine, "readings": {a: list(r) if isinstance(r, tuple) else r for a, r in found.readings.items()}, "why": dict(found.why),
        "ruleset": found.ruleset, "exact": found.exact, "rulesets": list(found.rulesets), "games": found.games, "actions": found.actions, "ignored": list(found.ignored),
        "unexplained": [{"fixture": u.fixture, "action": u.action, "rule": u.rule, "how": u.how, "text": u.text} for u in found.unexplained],
    }
    if found.failure is not None:
        result["failure"] = found.failure.reason
    return result


def fingerprint_text(found: Fingerprint, defaults: Mapping[str, str]) -> str:
    """A line for each ambiguity; readings other than the default's are marked."""
    if found.failure is not None and not found.games:
        return f"no game was played: {found.failure.reason}"
    width = max((len(a) for a in found.readings), default=0)
    lines = []
    for ambiguity, reading in found.readings.items():
        mark = "*" if isinstance(reading, str) and reading != defaults.get(ambiguity) else " "
        words = reading if isinstance(reading, str) else "undecided" if reading is None else " or ".join(reading)
        why = f"   ({found.why[ambiguity]})" if ambiguity in found.why else ""
        lines.append(f"{mark} {ambiguity:<{width}}  {words}{why}")
    lines.append("")
    if found.ruleset is None:
        lines.append("no ruleset can be named")
    else:
        lines.append(f"this is the ruleset {' or '.join(found.rulesets)}" if found.exact else f"nearest ruleset: {found.ruleset}")
    lines += [f"it lays out its own {' and '.join(found.ignored)}, whatever a set-up says"] if found.ignored else []
    if found.unexplained:
        lines.append(f"no reading explains {len(found.unexplained)} games:")
        lines += [f"  {u.fixture}, action {u.action}: {u.rule or '?'}{f' ({u.how})' if u.how else ''}{f'; {u.text}' if u.text else ''}" for u in found.unexplained]
    if found.failure is not None:
        lines.append(f"the engine failed: {found.failure.reason}")
    lines.append(f"{found.games} games, {found.actions} actions")
    return "\n".join(lines)


def _entry(laboratory: Laboratory, a: Ambiguity, stored: Stored) -> dict[str, Any]:
    return {
        "ambiguity": a.name, "question": a.question, "default": a.default, "because": a.because,
        "readings": {r.name: {"says": r.says, "supported_by": list(r.supported_by)} for r in a.readings.values()}, "rulesets": _choosing(laboratory, a),
        "matters": _matters(a.name, stored),
    }


def _matters(name: str, stored: Stored) -> str:
    """In one line, over all its pairs of readings."""
    known = [impact for (ambiguity, _), impact in stored.items() if ambiguity == name]
    return in_short(known) if known else UNKNOWN


def _choosing(laboratory: Laboratory, a: Ambiguity) -> dict[str, str]:
    """The rulesets that read otherwise than the default."""
    book = laboratory.rulebook
    return {name: chosen for name in book.rulesets if (chosen := book.readings(name)[a.name]) != a.default}


def _starred(a: Ambiguity) -> list[str]:
    return [f"{r}{'*' if r == a.default else ''}" for r in a.readings]


def _told(pair: Pair, proofs: Proofs) -> str:
    if pair.walk is not None and pair.walk.shown is not None:
        number = len(pair.walk.actions)
        when = f"after {number} action{'s' if number > 1 else ''}" if number else "at the set-up"
        return f"part {when}: {pair.walk.observed}" + (f" (fixture {pair.fixture})" if pair.fixture is not None else "")
    proof = proofs.get(pair.readings)
    if isinstance(proof, Proven):
        return f"proven: no game tells them apart; for all states, by Z3, in {proof.seconds:.1f} s"
    if isinstance(proof, Refuted):
        return f"no game is stored that tells them apart, but there is a state in which they differ: {proof.counterexample.case}"
    if proof is not None:
        return f"unknown to the solver: {proof.reason}"
    return "no game tells them apart" if pair.silent else "no game is stored that tells them apart"


def _proved(pair: Pair, proofs: Proofs) -> str:
    """What is proved of a pair: a game on which they part is a proof too."""
    if pair.walk is not None and pair.walk.shown is not None:
        return "not one game: the witness shows it"
    return _told(pair, proofs)
