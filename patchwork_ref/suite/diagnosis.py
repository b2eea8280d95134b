"""What is wrong with a failing engine? The single changed rule, or the pair, that fails the same fixtures in the same way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from patchwork_ref.engine import Engine
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.setup import customised
from patchwork_ref.mutation.mutants import BOTH, find_mutant, mutants
from patchwork_ref.polyomino import cells_of, text_of
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.suite.cases import Case, Refused
from patchwork_ref.suite.matrix import Matrix, mutant_engine
from patchwork_ref.suite.trial import Field, Kill, Looks, first_difference

CLOSE_LOOKS = 40
"""So many suspects are replayed; the stored matrix says which."""
LOOKED_AT = 30
"""So many failures and so many passes are replayed with each suspect."""
PAIRED, REPLAYED = 25, 4
"""Of so many suspects pairs are made, and so many of them are replayed with both changes in one rulebook."""
ENOUGH = 0.5
"""Of the failures a mutant must explain so many to be named."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One fixture that an engine failed, in the terms of ``Kill``: after how many actions (0 for the set-up) and of what
    kind, and what it reported there by field and player, where that differs (protocol values). ``agreed`` are the fields
    that it reported as they should be."""

    fixture: str
    action: int
    kind: str = "state"
    got: Mapping[Field, Any] = field(default_factory=dict)
    agreed: frozenset[Field] = frozenset()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """``names`` are mutants (``ruleset/NAME`` for another ruleset); ``explained`` of ``failures`` looked at fail in just
    this way; ``contradicted`` counts the passed fixtures that such an engine would fail. ``alternatives`` explain as much."""

    kind: Literal["mutant", "pair", "none"]
    names: tuple[str, ...]
    says: tuple[str, ...]
    explained: int
    failures: int
    contradicted: int = 0
    explains: frozenset[str] = frozenset()
    alternatives: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.kind == "none":
            return f"no single mutant and no pair explains the {self.failures} failures"
        return f"behaves like {'mutant' if self.kind == 'mutant' else 'mutants'} {' and '.join(self.names)}, which explains {self.explained} of {self.failures} failures"


@dataclass(slots=True)
class _Suspect:
    name: str
    says: str
    explains: set[str]
    contradicts: set[str]


def diagnose(failures: Sequence[Failure], passed: Iterable[str], cases: Sequence[Case], rulebook: Rulebook, matrix: Matrix | None = None,
             shown: frozenset[Field] | None = None) -> Diagnosis:
    """The mutant, ruleset or pair that fails the same fixtures at the same action with the same values.

    ``matrix`` is the stored one; without it every mutant is replayed, which takes some ten seconds. ``shown`` are the
    fields of the state that the engine shows at all, None for every one. Where an engine accepts or refuses what it should
    not, and yet all its lists are right, the lists of the mutants are not looked at: it checks actions in another place.
    """
    known, kinds = {case.name: case for case in cases}, {f.kind for f in failures}
    asked = sorted((f for f in failures if f.fixture in known), key=lambda f: (known[f.fixture].length, f.fixture))[:LOOKED_AT]
    if not asked:
        return Diagnosis("none", (), (), 0, len(failures))
    fine = [known[name] for name in passed if name in known]
    fine = sorted(fine, key=lambda case: case.length)[:: max(1, len(fine) // LOOKED_AT)][:LOOKED_AT]
    looks = Looks(shown, not kinds & {"accepted-illegal", "rejected-legal"} or bool(kinds & {"legal", "perft"}))
    suspects = [_examined(name, says, asked, fine, known, rulebook, looks) for name, says in _lineup(failures, fine, known, rulebook, matrix)]
    suspects = [s for s in suspects if s.explains]
    if not suspects:
        return Diagnosis("none", (), (), 0, len(asked))
    suspects.sort(key=_worth, reverse=True)
    best = suspects[0]
    if len(best.explains) == len(asked) and not best.contradicts:
        return _named("mutant", best, asked, suspects, rulebook)
    pairs = [_examined(name, "", asked, fine, known, rulebook, looks) for name in _pairs(suspects)]
    if pairs and _worth(both := max(pairs, key=_worth))[0] > _worth(best)[0] + 1:
        return _named("pair", both, asked, [], rulebook)
    return _named("mutant", best, asked, suspects, rulebook) if len(best.explains) >= ENOUGH * len(asked) else Diagnosis("none", (), (), 0, len(asked))


def _says(name: str, rulebook: Rulebook) -> str:
    found = find_mutant(rulebook, name, rulebook.readings())
    return found.says if found is not None else ""


def _named(kind: Literal["mutant", "pair"], who: _Suspect, asked: Sequence[Failure], suspects: Sequence[_Suspect], rulebook: Rulebook) -> Diagnosis:
    names = tuple(who.name.split(BOTH))
    others = tuple(s.name for s in suspects if s is not who and s.explains == who.explains and s.contradicts == who.contradicts)
    says = (who.says,) if who.says else tuple(_says(name, rulebook) for name in names)
    return Diagnosis(kind, names, says, len(who.explains), len(asked), len(who.contradicts), frozenset(who.explains), others)


def _worth(suspect: _Suspect) -> tuple[float, int, int]:
    """What it explains less what speaks against it; a reading before another mutant, a shorter name before a longer one."""
    return len(suspect.explains) - 1.5 * len(suspect.contradicts), suspect.name.startswith(("reading/", "ruleset/")), -len(suspect.name)


def _pairs(suspects: Sequence[_Suspect]) -> list[str]:
    """The pairs worth replaying, by name: those that would explain most if neither hid the other."""
    single = [s for s in suspects[:PAIRED] if not s.name.startswith("ruleset/")]
    pairs = [(a, b) for i, a in enumerate(single) for b in single[i + 1 :] if b.explains - a.explains]

    def worth(pair: tuple[_Suspect, _Suspect]) -> float:
        a, b = pair
        return len(a.explains | b.explains) - 1.5 * len(a.contradicts | b.contradicts)

    return [f"{a.name}{BOTH}{b.name}" for a, b in sorted(pairs, key=worth, reverse=True)[:REPLAYED]]


def _lineup(failures: Sequence[Failure], fine: Sequence[Case], cases: Mapping[str, Case], rulebook: Rulebook, matrix: Matrix | None) -> list[tuple[str, str]]:
    """Names to look at closely: all, or those whose stored kills are most like the failures."""
    default = dict(rulebook.readings())
    others = [(f"ruleset/{name}", r.says) for name, r in rulebook.rulesets.items() if dict(rulebook.readings(name)) != default]
    if matrix is None:
        return [*others, *((m.name, m.says) for m in mutants(rulebook))]
    every = [(row.mutant, "") for row in matrix.of("killed")]  # their words are looked up for whoever is named
    place = {name: at for at, name in enumerate(matrix.fixtures)}
    failed = {place[f.fixture] for f in failures if f.fixture in place}
    good = {place[case.name] for case in fine if case.name in place}
    likeness = {row.mutant: len(failed & set(row.kills)) - 1.5 * len(good & set(row.kills)) * (len(failed) or 1) / (len(good) or 1) for row in matrix.rows}
    partly = {row.mutant: len(failed & set(row.kills)) - 3.0 * len(good & set(row.kills)) for row in matrix.rows}
    asked = _rules_asked(failures, cases)
    accused = [m for m in every if m[0].partition("~")[0] in asked or m[0].partition("~without-")[2] in asked]
    half = CLOSE_LOOKS // 2
    best = sorted(every, key=lambda m: -likeness.get(m[0], 0.0))[:half]
    best += [m for m in sorted(every, key=lambda m: -partly.get(m[0], 0.0)) if m not in best][: CLOSE_LOOKS - half]
    return [*others, *accused, *(m for m in best if m not in accused)]


def _rules_asked(failures: Sequence[Failure], cases: Mapping[str, Case]) -> set[str]:
    """The rules that refuse what the engine accepts, and the actions that these rules guard."""
    found: set[str] = set()
    for failure in failures:
        for task in cases[failure.fixture].tasks if failure.kind == "accepted-illegal" and failure.fixture in cases else ():
            if isinstance(task, Refused) and task.action == failure.got.get(("refused", None)):
                found |= {task.rule, f"action/{task.action.type}"}
    return found


def _examined(name: str, says: str, asked: Sequence[Failure], fine: Sequence[Case], known: Mapping[str, Case], rulebook: Rulebook,
              looks: Looks) -> _Suspect:
    engines: dict[object, Engine | Exception | None] = {}

    def trial(case: Case) -> tuple[Kill | None, Engine | None]:
        if case.group not in engines:
            engines[case.group] = _engine(name, case, rulebook)
        engine = engines[case.group]
        if isinstance(engine, Exception):
            return Kill(0, "setup"), None
        return (first_difference(engine, case, looks), engine) if engine is not None else (None, None)

    explains = {failure.fixture for failure in asked if _same(failure, *trial(known[failure.fixture]))}
    contradicts = {case.name for case in fine if trial(case)[0] is not None} if explains else set()
    return _Suspect(name, says, explains, contradicts)


def _engine(name: str, case: Case, rulebook: Rulebook) -> Engine | Exception | None:
    if not name.startswith("ruleset/"):
        return mutant_engine(rulebook, name, case)
    machine = from_rulebook(rulebook, rulebook.readings(name.partition("/")[2]))
    return Engine(customised(machine, case.numbers) if case.numbers else machine)


def _same(failure: Failure, kill: Kill | None, engine: Engine | None) -> bool:
    """The same action, kind and values; a field that the engine reported as it should be must not differ."""
    if kill is None or (kill.actions, kill.kind) != (failure.action, failure.kind):
        return False
    if engine is None:
        return True
    mine = {name: _shown(name, value, engine) for name, value in zip(kill.fields, kill.got, strict=True)}
    return not failure.agreed & set(mine) and all(name in mine and _plain(mine[name]) == _plain(value) for name, value in failure.got.items())


def _shown(name: Field, value: Any, engine: Engine) -> Any:
    """An engine's own value as the protocol writes it."""
    match name[0]:
        case "circle":
            return [engine.machine.patches[i].name for i in value]
        case "special_spaces":
            return list(cells_of(value))
        case "quilt":
            return text_of(value, engine.machine.board)
        case "special_tile":
            return bool(value)
    return value


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, (tuple, list)) else value


def exists(rulebook: Rulebook, name: str) -> bool:
    """Whether a name stands for a mutant of the default rules."""
    return find_mutant(rulebook, name, rulebook.readings()) is not None
