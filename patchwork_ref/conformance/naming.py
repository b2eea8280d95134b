"""ENGINE texts that need the rulebook: ``reference``, ``reference:RULESET``, ``mutant:NAME``; others name a process or class."""

from __future__ import annotations

from patchwork_ref.conformance.outcomes import CannotStart
from patchwork_ref.conformance.reference import ReferenceEngine, always, follows, prints
from patchwork_ref.conformance.targets import Local, Target, parse_target
from patchwork_ref.errors import InputError
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.model import Rulebook


def target_of(text: str, rulebook: Rulebook, machine: Machine) -> Target:
    """What an ENGINE text names. Raises InputError or ChoiceError when it names nothing.

    ``reference`` follows the set-up's readings, ``reference:RULESET`` plays that ruleset whatever the set-up says, a
    mutant is one of the chosen Machine's rulebook.
    """
    if text == "reference":
        return Local(text, lambda: ReferenceEngine(follows(rulebook), text))
    if text.startswith("reference:"):
        chosen = from_rulebook(rulebook, rulebook.readings(text.removeprefix("reference:")))
        return Local(text, lambda: ReferenceEngine(always(chosen, prints(rulebook)), text))
    if text.startswith("mutant:"):
        from patchwork_ref.mutation import mutant
        from patchwork_ref.mutation.playing import seat_for

        name = text.removeprefix("mutant:")
        mutant(rulebook, name, machine.readings)
        return Local(text, lambda: ReferenceEngine(seat_for(rulebook, name), text))
    found = parse_target(text)
    if isinstance(found, CannotStart):
        raise InputError(f"{found.reason}; ENGINE is a command line in quotes, python:module:Class, reference, reference:RULESET or mutant:NAME")
    return found
