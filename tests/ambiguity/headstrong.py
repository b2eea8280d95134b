"""A plain engine with readings of its own: the sample engine in Python, which is told them whatever a set-up says.

Run as a program it is a process of that kind: ``headstrong.py [AMBIGUITY=READING ...] [--special N,N,...] [--fault NAME]
[--dies N] [--hangs N]``; it dies or hangs at its Nth game, which a new process counts anew.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).parents[2] / "engines" / "python" / "engine.py"


class Headstrong:
    """Hands requests to another engine, with ``readings`` in place of those of the set-ups; where ``special`` is given, its
    special patches lie there, whatever a set-up says."""

    def __init__(self, inner: Any, readings: Mapping[str, str], special: Sequence[int] | None = None) -> None:
        self.inner, self.readings, self.special = inner, dict(readings), special

    def handle(self, request: dict[str, Any]) -> Any:
        setup = request.get("setup")
        if isinstance(setup, dict):
            setup = {**setup, "readings": self.readings}
            if self.special is not None:
                setup["time_board"] = {**setup["time_board"], "special": list(self.special)}
            request = {**request, "setup": setup}
        return self.inner.handle(request)


def plain(faults: Sequence[str] = ()) -> Any:
    """The sample engine, loaded from its file."""
    spec = importlib.util.spec_from_file_location("sample_python_engine_alone", SAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Engine(faults)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("readings", nargs="*")
    parser.add_argument("--special")
    parser.add_argument("--fault", action="append", default=[])
    parser.add_argument("--dies", type=int, default=0)
    parser.add_argument("--hangs", type=int, default=0)
    options = parser.parse_args()
    special = [int(number) for number in options.special.split(",")] if options.special else None
    engine = Headstrong(plain(options.fault), dict(pair.split("=") for pair in options.readings), special)
    games = 0
    for line in sys.stdin:
        request = json.loads(line)
        games += request["op"] == "new"
        if games == options.dies > 0:
            raise SystemExit(7)
        while games == options.hangs > 0:
            time.sleep(1000)
        print(json.dumps(engine.handle(request)), flush=True)
        if request["op"] == "bye":
            return


if __name__ == "__main__":
    main()
