"""Properties proved or refuted, where solver and engine meet: what the solver refutes, the engine replays.

The solver's counterexample is a state that meets every invariant; the engine confirms that the property fails there,
and a game that reaches a failure is looked for. Only such a game says that players can see it happen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from patchwork_ref.engine import Engine
from patchwork_ref.engine.properties import PropertyChecker
from patchwork_ref.errors import IllegalAction, InputError
from patchwork_ref.fixtures.read import shipped
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.codec import loads, trace_from_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Trace
from patchwork_ref.machine.state import State
from patchwork_ref.polyomino import cells_of, rows_of
from patchwork_ref.reaching import Player, reach
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import load_rulebook
from patchwork_ref.symbolic.equivalence import equivalent
from patchwork_ref.symbolic.induction import prove
from patchwork_ref.symbolic.results import Counterexample, Proven, Refuted, Result, Unknown
from patchwork_ref.symbolic.solving import TIMEOUT

SEARCH = 5.0
"""Seconds spent on looking for games that reach what was refuted."""


@dataclass(frozen=True, slots=True)
class PropertyVerdict:
    """What is known of one property of one machine.

    ``trace`` is a game whose last action violates it, replayed by the engine; without one, a refuted property fails at
    ``counterexample``, which may be a state that no game reaches, and ``note`` says so in one line.
    """

    property: str
    says: str
    verdict: Literal["proven", "refuted", "unknown"]
    seconds: float
    leaned_on: tuple[str, ...] = ()
    counterexample: Counterexample | None = None
    confirmed: bool = False  # whether the engine, put into the counterexample, violates the property too
    trace: Trace | None = None
    note: str = ""


def prove_properties(machine: Machine, names: Sequence[str] | None = None, search: float = SEARCH, timeout: int = TIMEOUT, seed: int = 0) -> tuple[PropertyVerdict, ...]:
    """The verdict on each named property (all when none are named), in order. Raises InputError for an unknown name.

    ``search`` is in seconds, for games that reach what was refuted; ``timeout`` in milliseconds, for one question.
    """
    for name in names or ():
        if name not in machine.properties:
            raise InputError(f"no property is called {name!r}; list them with prove --list")
    results = prove(machine, names, timeout)
    refuted = [name for name, result in results.items() if isinstance(result, Refuted)]
    traces = games_that_break(machine, refuted, search, seed) if refuted and search > 0 else {}
    return tuple(_verdict(machine, name, result, traces.get(name)) for name, result in results.items())


def games_that_break(machine: Machine, names: Sequence[str], search: float, seed: int = 0) -> dict[str, Trace]:
    """For each property a game whose last action violates it: one that is kept, if any of them does; else one that is found in time."""
    player, found = Player(machine, seed), dict[str, Trace]()
    for name, trace in kept_games():
        if name in names and name not in found and {patch.name for patch in machine.regular} == set(trace.setup.circle):
            actions = player.violates(trace.setup, trace.actions, name)
            if actions is not None:
                found[name] = Trace(machine.ruleset, dict(machine.readings), trace.setup, actions)
    missing = [name for name in names if name not in found]
    return found | (reach(machine, missing, search, seed) if missing else {})


@cache
def kept_games() -> tuple[tuple[str, Trace], ...]:
    """The games that come with the package, each with the property that its last action violates under its rules.

    Some of them play would not find: a quilt is full early, or the supply has run out.
    """
    path = shipped() / "theorems" / "breaks" / "games.json"
    stored = loads(path.read_text(encoding="utf-8"), str(path))["games"] if path.exists() else ()
    return tuple((entry["breaks"], trace_from_json(entry["trace"], f"game {number} of {path}")) for number, entry in enumerate(stored, 1))


def prove_rulesets(rulebook: Rulebook, choices: Mapping[str, Mapping[str, str]], search: float = SEARCH, jobs: int = 2) -> dict[str, tuple[PropertyVerdict, ...]]:
    """The verdicts for several complete choices of readings by name, worked out by ``jobs`` processes."""
    work = [(rulebook.source, dict(readings), search) for readings in choices.values()]
    if jobs < 2 or len(work) < 2:
        return dict(zip(choices, (prove_properties(from_rulebook(rulebook, readings), None, search) for readings in choices.values()), strict=True))
    with ProcessPoolExecutor(jobs) as pool:
        return dict(zip(choices, pool.map(_proved, work), strict=True))


def broken_properties(rulebook: Rulebook, search: float = SEARCH, jobs: int = 2) -> dict[str, tuple[PropertyVerdict, ...]]:
    """For every ruleset, and for each single reading beside the default ruleset, what it breaks: the verdicts that are
    not proven. Keys are rulesets and ``ambiguity=reading``."""
    choices = {name: rulebook.readings(name) for name in rulebook.rulesets}
    for ambiguity in rulebook.ambiguities.values():
        choices |= {f"{ambiguity.name}={r}": rulebook.readings(None, {ambiguity.name: r}) for r in ambiguity.readings if r != ambiguity.default}
    verdicts = prove_rulesets(rulebook, choices, search, jobs)
    return {name: tuple(v for v in found if v.verdict != "proven") for name, found in verdicts.items()}


def compare(a: Machine, b: Machine, timeout: int = TIMEOUT) -> Result:
    """Whether two machines are the same game for all states; see ``symbolic.equivalence``."""
    return equivalent(a, b, timeout)


def confirmed(machine: Machine, name: str, found: Counterexample) -> bool:
    """Whether the engine violates the property in the counterexample's state, or at its action."""
    checker = PropertyChecker(machine)
    if found.before is None:
        return False
    if found.action is None:
        return name in (*checker.start(found.before), *checker.finish(found.before))
    try:
        after = Engine(machine).apply(found.before, found.action)
    except IllegalAction:
        return False
    return name in (*checker.step(found.before, found.action, after), *checker.state(after))


def described(machine: Machine, state: State) -> list[str]:
    """A state in a few lines: the shared fields, each player's, and the quilts side by side."""
    lines = []
    for who in (None, 0, 1):
        fields = machine.shared if who is None else machine.player
        shown = [f"{f.name} {_shown(machine, f.name, state.get(f.name, who))}" for f in fields if f.type != "region"]
        lines.append(f"{'table' if who is None else f'player {who}'}: {', '.join(shown)}")
    for field in (f.name for f in machine.player if f.type == "region"):
        quilts = [rows_of(state.number(field, who), machine.board) for who in (0, 1)]
        lines += [f"  {left}   {right}" for left, right in zip(*quilts, strict=True)]
    return lines


def _shown(machine: Machine, name: str, value: object) -> str:
    kind = next(f.type for f in (*machine.shared, *machine.player) if f.name == name)
    if isinstance(value, tuple):
        return "".join(machine.patches[i].name for i in value) or "none"
    if kind == "set of patches" and isinstance(value, int):
        return "".join(machine.patches[i].name for i in cells_of(value)) or "none"
    if kind == "set of spaces" and isinstance(value, int):
        return "/".join(map(str, cells_of(value))) or "none"
    return "nobody" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _proved(work: tuple[str, dict[str, str], float]) -> tuple[PropertyVerdict, ...]:
    source, readings, search = work
    return prove_properties(from_rulebook(_loaded(source), readings), None, search)


def _loaded(source: str) -> Rulebook:
    """The rulebook again, in another process; the shipped one by its own name."""
    return load_rulebook(source if Path(source).exists() else None)


def _verdict(machine: Machine, name: str, result: Result, trace: Trace | None) -> PropertyVerdict:
    says = machine.properties[name].says
    match result:
        case Proven():
            return PropertyVerdict(name, says, "proven", result.seconds, result.leaned_on)
        case Unknown():
            return PropertyVerdict(name, says, "unknown", result.seconds, note=result.reason)
        case Refuted(counterexample=found, needs=needs):
            note = f"violated by the last of {len(trace.actions)} actions" if trace is not None else _unreached(found, needs)
            return PropertyVerdict(name, says, "refuted", result.seconds, (), found, confirmed(machine, name, found), trace, note)


def _unreached(found: Counterexample, needs: tuple[str, ...]) -> str:
    if needs:
        return f"it leans on {', '.join(needs)}, which does not hold either; no game was found that violates it ({found.case})"
    return f"no game was found that violates it: either one exists, or the induction needs an invariant that rules out the state shown ({found.case})"
