"""``serve``: the reference on standard streams."""

from __future__ import annotations

import sys
from typing import Any

import click

from patchwork_ref.cli.options import machine_of, rulebook_of, rules_options
from patchwork_ref.machine.codec import dumps


@click.command()
@rules_options
def serve(folder: str | None, ruleset: str | None, readings: tuple[str, ...]) -> int:
    """The reference as a protocol engine on standard streams.

    It follows the readings of each set-up; with --ruleset or --reading it plays those, whatever a set-up says.
    """
    from patchwork_ref.conformance.reference import ReferenceEngine, always, follows, prints

    rulebook = rulebook_of(folder)
    chosen = ruleset is not None or bool(readings)
    engine = ReferenceEngine(always(machine_of(rulebook, ruleset, readings), prints(rulebook)) if chosen else follows(rulebook))
    return talk(engine)


def talk(engine: Any) -> int:
    """Requests from standard input to replies on standard output, until ``bye`` or the end of input."""
    from patchwork_ref.errors import InputError
    from patchwork_ref.machine.codec import loads

    for line in sys.stdin.buffer:
        try:
            request = loads(line.decode("utf-8"), "the request")
            if not isinstance(request, dict):
                raise InputError("the request is not an object")
            reply = engine.handle(request)
        except (InputError, UnicodeDecodeError) as error:
            reply = {"id": None, "ok": False, "error": {"message": str(error)}}
        sys.stdout.buffer.write(dumps(reply).encode() + b"\n")
        sys.stdout.buffer.flush()
        if engine.ended:
            break
    return 0
