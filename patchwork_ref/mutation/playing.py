"""A mutant at the table: it keeps its own numbers, as an engine with fixed tables does, and takes what a set-up really changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from patchwork_ref.errors import SetupError
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.setup import Setup, customised, setup_from_message, setup_message
from patchwork_ref.mutation.mutants import find_mutant
from patchwork_ref.rulebook.model import Rulebook


def unmasked(message: Mapping[str, Any], own: Machine, changed: Machine) -> dict[str, Any]:
    """A set-up message without the numbers that are those of the unchanged rules, so that they do not hide a mutant's.

    ``own`` is the Machine of the rulebook under the same readings, ``changed`` the mutant's.
    """
    plain = setup_message(own, Setup(()))
    found = {key: value for key, value in message.items() if key not in plain or key in ("circle", "first_player", "neutral_token")}
    for key, value in message.items():
        if key in plain and key not in found and key != "patches" and value != plain[key]:
            inner = plain[key]
            found[key] = {k: v for k, v in value.items() if v != inner.get(k)} if isinstance(value, Mapping) and isinstance(inner, Mapping) else value
    patches = message.get("patches")
    if isinstance(patches, Mapping) and patches != plain["patches"]:
        theirs, ours = plain["patches"], setup_message(changed, Setup(()))["patches"]
        assert isinstance(theirs, dict) and isinstance(ours, dict)
        found["patches"] = {name: ours[name] if entry == theirs.get(name) and name in ours else entry for name, entry in patches.items()}
    return found


def seated(message: Mapping[str, Any], own: Machine, changed: Machine) -> tuple[Machine, Setup]:
    """The mutant's Machine and Setup for a set-up message. Raises SetupError."""
    return setup_from_message(changed, unmasked(message, own, changed))


def renumbered(changed: Machine, own: Machine, numbers: Mapping[str, Any]) -> Machine:
    """The mutant's Machine with the numbers of a custom set-up. Raises SetupError."""
    return customised(changed, unmasked(numbers, own, changed)) if numbers else changed


def seat_for(rulebook: Rulebook, name: str) -> Callable[[Mapping[str, Any]], tuple[Machine, Setup]]:
    """How the mutant of this name sits down at a table: for a set-up message, its Machine under the message's readings
    and the Setup. What it gives raises SetupError when the rule reads otherwise under these readings, so that the mutant
    does not exist, or when the message cannot be used."""
    kept: dict[tuple[tuple[str, str], ...], tuple[Machine, Machine]] = {}

    def seat(message: Mapping[str, Any]) -> tuple[Machine, Setup]:
        given = message.get("readings")
        chosen = {a: r for a, r in given.items() if a in rulebook.ambiguities} if isinstance(given, Mapping) else {}
        readings = rulebook.readings(None, chosen)
        key = tuple(sorted(readings.items()))
        if key not in kept:
            found = find_mutant(rulebook, name, readings)
            if found is None:
                raise SetupError(f"there is no mutant {name} under these readings")
            kept[key] = from_rulebook(rulebook, readings), found.bare
        return seated(message, *kept[key])

    return seat
