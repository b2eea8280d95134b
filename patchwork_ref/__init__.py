"""The rules of Patchwork, pinned down, proved and tested.

    import patchwork_ref as pr

    rulebook = pr.load_rulebook()                      # or a folder of YAML files
    machine = pr.from_rulebook(rulebook, rulebook.readings("original"))
    engine = pr.Engine(machine)
    state = engine.start(pr.shuffled(machine, seed=1))
    for action in engine.legal(state)[:3]:
        print(action)
    step = engine.step(state, pr.Action("advance"))    # step.state, and step.firings: which rules took effect

Names are loaded when first used, so that importing this package is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "Action": "machine.play", "Change": "machine.play", "Firing": "machine.play", "Refusal": "machine.play", "Score": "machine.play",
    "Step": "machine.play", "Trace": "machine.play", "State": "machine.state", "Machine": "machine.model", "Setup": "machine.setup",
    "shuffled": "machine.setup", "setup_message": "machine.setup", "setup_from_message": "machine.setup", "observed": "machine.observe",
    "from_rulebook": "machine.build", "lint": "machine.lint", "trace_to_json": "machine.codec", "trace_from_json": "machine.codec",
    "Rulebook": "rulebook.model", "load_rulebook": "rulebook.rulebook", "Engine": "engine.engine", "perft": "engine.perft", "divide": "engine.perft",
    "played": "engine.policies", "policy": "engine.policies", "replay": "engine.replay",
    "PatchworkRefError": "errors", "RulebookError": "errors", "ChoiceError": "errors", "SetupError": "errors", "IllegalAction": "errors", "InputError": "errors",
}

__all__ = sorted([*_HOMES, "__version__"])
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'patchwork_ref' has no attribute {name!r}")
    return getattr(import_module(f"patchwork_ref.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__


if TYPE_CHECKING:
    from patchwork_ref.engine.engine import Engine as Engine
    from patchwork_ref.machine.build import from_rulebook as from_rulebook
    from patchwork_ref.rulebook.rulebook import load_rulebook as load_rulebook
