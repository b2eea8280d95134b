"""The shortest known game for every killed mutant, stored beside the fixtures: what blame and the minimiser start from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from patchwork_ref.engine import Engine
from patchwork_ref.errors import InputError
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.codec import action_from_json, action_to_json, dumps, loads, setup_to_json
from patchwork_ref.machine.setup import Setup, customised
from patchwork_ref.mutation.mutants import find_mutant
from patchwork_ref.mutation.playing import renumbered
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.suite.cases import Case, Played
from patchwork_ref.suite.matrix import Matrix, Row, mutant_engine
from patchwork_ref.suite.pair import Witness
from patchwork_ref.suite.witnesses import breadth_first, chosen_setups, replayed, shrunk

WITNESSES = "witnesses.json"
"""The file's name in the folder of fixtures: one line for each mutant."""
WHOLE_GAMES = 6
"""So many of the shortest whole games are tried for a mutant whose own is longer."""
SHRINK_BELOW = 70
"""Actions; a longer game is kept as it is."""


def shortest(row: Row, cases: Sequence[Case], rulebook: Rulebook) -> tuple[Witness, Mapping[str, str]] | None:
    """A game that tells the mutant apart and the readings under which it is played: the shortest of a breadth-first search
    from the chosen circles, or the killing fixture cut at its first difference and shrunk. None for a mutant not killed."""
    found = find_mutant(rulebook, row.mutant, rulebook.readings())
    if found is not None:
        own = Engine(from_rulebook(rulebook))
        try:
            changed = Engine(found.bare)
        except Exception:  # a program that does not even compile is told apart by any game
            return Witness(next(chosen_setups(own)), (), "setup"), dict(rulebook.readings())
        if (quick := breadth_first(own, changed, list(chosen_setups(own)))) is not None:
            return quick, dict(rulebook.readings())
    for at in sorted(row.kills, key=lambda at: (row.kills[at] or cases[at].length, cases[at].length, at)):
        case = cases[at]
        engine = mutant_engine(rulebook, row.mutant, case)
        if not isinstance(engine, Engine):
            return Witness(case.setup, (), "setup", numbers=case.numbers), case.readings
        game = replayed(case.engine, engine, case.setup, [task.action for task in case.tasks if isinstance(task, Played)])
        if game is not None:  # None where the difference shows in a count of what could follow
            small = shrunk(case.engine, engine, game) if game.length < SHRINK_BELOW else game
            return replace(small, numbers=case.numbers), case.readings
    return None


def holds(name: str, found: Witness, readings: Mapping[str, str], rulebook: Rulebook) -> bool:
    """Whether a stored witness still tells its mutant apart, after as many actions and in the same way."""
    chosen = rulebook.readings(None, readings)
    changed = find_mutant(rulebook, name, chosen)
    if changed is None:
        return False
    own = from_rulebook(rulebook, chosen)
    try:
        ours = Engine(customised(own, found.numbers) if found.numbers else own)
        theirs = Engine(renumbered(changed.bare, own, found.numbers) if found.numbers else changed.bare)
    except Exception:  # a program that does not even compile
        return found.kind == "setup"
    again = replayed(ours, theirs, found.setup, found.actions)
    return again is not None and (again.kind, again.length) == (found.kind, found.length)


def completed(matrix: Matrix, cases: Sequence[Case], rulebook: Rulebook, stored: Mapping[str, tuple[Witness, Mapping[str, str]]],
              each: Callable[[str], None] = lambda name: None) -> dict[str, dict[str, Any]]:
    """What ``write_witnesses`` takes: for each killed mutant the stored witness where it still holds, else one searched anew.
    ``each`` is told every mutant."""
    found: dict[str, tuple[Witness, Mapping[str, str]]] = {}
    for row in matrix.of("killed"):
        kept = stored.get(row.mutant)
        made = kept if kept is not None and holds(row.mutant, *kept, rulebook) else shortest(row, cases, rulebook)
        if made is not None:
            found[row.mutant] = made
        each(row.mutant)
    own = rulebook.readings()
    whole = sorted((w for w, readings in found.values() if w.kind == "score" and not w.numbers and rulebook.readings(None, readings) == own), key=lambda w: w.length)
    for name, (old, _) in found.items():
        if whole and old.length > whole[0].length + 1 and (less := _borrowed(name, old, whole[:WHOLE_GAMES], rulebook)) is not None:
            found[name] = less, own
    return {name: witness_to_json(*made, rulebook) for name, made in found.items()}


def _borrowed(name: str, old: Witness, games: Sequence[Witness], rulebook: Rulebook) -> Witness | None:
    """The same difference or another in a short whole game that was found for another mutant, when that is shorter."""
    changed = find_mutant(rulebook, name, rulebook.readings())
    if changed is None or old.kind == "setup":
        return None
    own, theirs = Engine(from_rulebook(rulebook)), Engine(changed.bare)
    made = (replayed(own, theirs, game.setup, game.actions) for game in games)
    return min((w for w in made if w is not None and w.length < old.length), key=lambda w: w.length, default=None)


def witness_to_json(found: Witness, readings: Mapping[str, str], rulebook: Rulebook) -> dict[str, Any]:
    """As a trace with what differs: ``kind``, and the action that only one of the two accepts."""
    default = rulebook.readings()
    entry: dict[str, Any] = {
        "setup": setup_to_json(found.setup, found.numbers), "actions": [action_to_json(a) for a in found.actions], "kind": found.kind,
        "readings": {a: r for a, r in readings.items() if default.get(a) != r},
    }
    if found.last is not None:
        entry |= {"last": action_to_json(found.last), "refused": found.refused}
    return entry


def write_witnesses(found: Mapping[str, dict[str, Any]], file: Path) -> None:
    """One line for each mutant, in the order given."""
    file.write_text("{\n" + ",\n".join(f"{dumps(name)}:{dumps(entry)}" for name, entry in found.items()) + "\n}\n", encoding="utf-8")


def read_witnesses(file: Path) -> dict[str, tuple[Witness, dict[str, str]]]:
    """By mutant: the witness, and the readings in which it differs from the default. Raises InputError."""
    try:
        entries = loads(file.read_text(encoding="utf-8"), file.name)
        return {name: (_witness(entry), dict(entry["readings"])) for name, entry in entries.items()}
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"{file.name} holds no witnesses; run 'mutate --write' to make them anew") from None


def _witness(entry: Mapping[str, Any]) -> Witness:
    setup = entry["setup"]
    numbers = {k: v for k, v in setup.items() if k not in ("circle", "first_player", "neutral_token")}
    last = action_from_json(entry["last"]) if "last" in entry else None
    return Witness(
        Setup(tuple(setup["circle"]), setup.get("neutral_token"), setup["first_player"]), tuple(action_from_json(a) for a in entry["actions"]),
        entry["kind"], last, bool(entry.get("refused", False)), numbers,
    )
