"""Ambiguities, witnesses as walk-throughs of a table, and fingerprints: as text, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from patchwork_ref.ambiguity import Fingerprint, Laboratory, Moment, Pair, Walk
from patchwork_ref.machine.codec import action_to_json, setup_to_json
from patchwork_ref.report.links import Links
from patchwork_ref.report.rules import rules_json, rules_markdown, rules_text
from patchwork_ref.rulebook.model import Ambiguity
from patchwork_ref.symbolic.results import Proven, Refuted, Result

SHOWN = 6
"""Patches of the circle that are shown in an outcome."""

Proofs = Mapping[tuple[str, str], Result]
"""By pair of readings, what Z3 says about the two rulebooks."""


def list_json(laboratory: Laboratory) -> list[dict[str, Any]]:
    """One entry for each ambiguity."""
    return [_entry(laboratory, a) for a in laboratory.rulebook.ambiguities.values()]


def list_text(laboratory: Laboratory) -> str:
    """Each ambiguity with its question and readings; the default is starred."""
    width = max((len(name) for name in laboratory.rulebook.ambiguities), default=0)
    return "\n".join(f"{a.name:<{width}}  {a.question}\n{'':<{width}}  {', '.join(_starred(a))}" for a in laboratory.rulebook.ambiguities.values())


def list_markdown(laboratory: Laboratory) -> str:
    rows = [f"| `{a.name}` | {a.question} | {', '.join(_starred(a))} | {', '.join(_choosing(laboratory, a)) or '-'} |" for a in laboratory.rulebook.ambiguities.values()]
    return "\n".join(["| ambiguity | question | readings (* default) | rulesets that read otherwise |", "|---|---|---|---|", *rows])


def show(laboratory: Laboratory, name: str, form: str, pairs: Sequence[Pair], proofs: Proofs) -> Any:
    """All that is known of one ambiguity: the rulebook's own entry with its witnesses and proofs beside it. JSON values
    for ``json``, else a text."""
    engine = laboratory.profiles.engine(laboratory.base)
    assert engine is not None
    lines = Links({name: {"witnesses": tuple(f"{' or '.join(p.readings)}: {_told(p, proofs)}" for p in pairs)}})
    if form == "json":
        found = dict(_entry(laboratory, laboratory.ambiguity(name)))
        return found | {"rulebook": rules_json(laboratory.rulebook, engine.machine, name, lines), "witnesses": witness_json(pairs, proofs)}
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
    parts = []
    engine = laboratory.profiles.engine(laboratory.base)
    columns = engine.machine.board.columns if engine is not None else 1
    for pair in pairs:
        title = f"{pair.ambiguity}: {' or '.join(pair.readings)}"
        lines = [f"{_told(pair, proofs)}", *([pair.reason] if pair.reason else [])]
        if pair.walk is not None:
            lines = [*lines, "", *_laid(pair.walk, pair.readings, columns)]
        parts.append("\n".join([f"## {title}", "", "```", *lines, "```"] if markdown else [title, *(f"  {line}".rstrip() for line in lines)]))
    return "\n\n".join(parts)


def fingerprint_json(found: Fingerprint) -> dict[str, Any]:
    """``fingerprint --format json``."""
    result: dict[str, Any] = {
        "engine": found.engine, "readings": {a: list(r) if isinstance(r, tuple) else r for a, r in found.readings.items()}, "why": dict(found.why),
        "ruleset": found.ruleset, "exact": found.exact, "rulesets": list(found.rulesets), "games": found.games, "actions": found.actions,
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
    if found.unexplained:
        lines.append(f"no reading explains {len(found.unexplained)} games:")
        lines += [f"  {u.fixture}, action {u.action}: {u.rule or '?'}{f' ({u.how})' if u.how else ''}{f'; {u.text}' if u.text else ''}" for u in found.unexplained]
    if found.failure is not None:
        lines.append(f"the engine failed: {found.failure.reason}")
    lines.append(f"{found.games} games, {found.actions} actions")
    return "\n".join(lines)


def _entry(laboratory: Laboratory, a: Ambiguity) -> dict[str, Any]:
    return {
        "ambiguity": a.name, "question": a.question, "default": a.default, "because": a.because,
        "readings": {r.name: {"says": r.says, "supported_by": list(r.supported_by)} for r in a.readings.values()}, "rulesets": _choosing(laboratory, a),
    }


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


def _laid(walk: Walk, names: tuple[str, str], columns: int) -> list[str]:
    setup = walk.setup
    token = f"the neutral token just before {setup.circle[setup.neutral_token]}" if setup.neutral_token is not None else "the neutral token where the rules put it"
    lines = [f"circle, clockwise: {' '.join(setup.circle)}", f"{token}; player {setup.first_player} moves first"]
    mover = walk.moments[0].states[0]["turn"]
    for moment in walk.moments[1:]:
        state = moment.states[0]
        last = moment is walk.moments[-1]
        after = "" if last or mover is None else "   " + _standing(state["players"][mover])
        lines.append(f"{moment.number:>4}. player {mover}: {moment.action}{after}")
        mover = state["turn"]
    return [*lines, "", *_beside(walk, walk.moments[-1], names, columns)]


def _beside(walk: Walk, last: Moment, names: tuple[str, str], columns: int) -> list[str]:
    """The two outcomes, side by side."""
    sides = [_outcome(walk, last, side, columns) for side in (0, 1)]
    width = max(len(line) for line in (names[0], *sides[0])) + 4
    height = max(map(len, sides))
    left, right = ([names[i], *sides[i], *[""] * (height - len(sides[i]))] for i in (0, 1))
    return [f"{a:<{width}}{b}".rstrip() for a, b in zip(left, right, strict=True)]


def _outcome(walk: Walk, last: Moment, side: int, columns: int) -> list[str]:
    state, rule = last.states[side], last.refused[side]
    lines = [f"refused by {rule}" if rule is not None else "legal"] if any(last.refused) else []
    for who, player in enumerate(state["players"]):
        lines.append(f"player {who}: {_standing(player)}{', special tile' if player['special_tile'] else ''}")
    turn = "the game is over" if state["turn"] is None else f"player {state['turn']} moves" + (", a special patch waits" if state["pending_special"] else "")
    lines += [turn, f"circle from the neutral token: {' '.join(state['circle'][:SHOWN])} ...", f"special patches at {' '.join(map(str, state['special_spaces'])) or 'no space'}"]
    if walk.listed is not None:
        lines.append(f"{walk.listed[side]} legal actions")
    if walk.scores is not None:
        winner = walk.scores[side]["winner"]
        lines.append(f"scores {' to '.join(map(str, walk.scores[side]['scores']))}, {'a draw' if winner is None else f'player {winner} wins'}")
    quilts = [[p["quilt"][at:at + columns] for at in range(0, len(p["quilt"]), columns)] for p in state["players"]]
    return [*lines, *(f"{a}   {b}" for a, b in zip(*quilts, strict=True))]


def _standing(player: Mapping[str, Any]) -> str:
    return f"buttons {player['buttons']}, space {player['space']}, income {player['income']}"
