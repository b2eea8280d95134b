"""What does an ENGINE text name: a command line to spawn, or a Python class to hold in-process?"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

from patchwork_ref.conformance.outcomes import CannotStart

PYTHON_PREFIX = "python:"


class Handler(Protocol):
    """An in-process engine: one method that takes a request object and returns the reply object.

    Both are plain JSON values (dict, list, str, int, bool, None), the same as over the pipe, `id` and all.
    """

    def handle(self, request: dict[str, Any]) -> dict[str, Any]: ...


class Command(Struct, frozen=True):
    """A process that speaks the protocol on its standard streams; spawned as this argument list, never by a shell."""

    argv: tuple[str, ...]


class PythonClass(Struct, frozen=True):
    """`python:module:Class`: the class is called without arguments and gives a `Handler`."""

    module: str
    name: str


class Local(Struct, frozen=True):
    """A handler made by our own code (the reference, a mutant): same verdicts, no process."""

    name: str
    make: Callable[[], Handler]


Target = Command | PythonClass | Local


def parse_target(engine: str) -> Command | PythonClass | CannotStart:
    """Read an ENGINE text: a command line in shell quoting, or `python:module:Class`."""
    if engine.startswith(PYTHON_PREFIX):
        module, _, name = engine.removeprefix(PYTHON_PREFIX).partition(":")
        if not module or not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
            return CannotStart("bad-command", f"{engine!r} is not of the form python:module:Class")
        return PythonClass(module, name)
    try:
        argv = tuple(shlex.split(engine))
    except ValueError as error:
        return CannotStart("bad-command", f"the command line {engine!r} cannot be read: {error}")
    if not argv or not argv[0]:
        return CannotStart("bad-command", "the command line of the engine is empty")
    if "\0" in engine:
        return CannotStart("bad-command", "the command line holds a NUL character")
    return Command(argv)
