"""What ``fuzz`` found, as terminal text and as a JSON document."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any, TextIO

from patchwork_ref.conformance.fuzz import Counterexample, Fuzzed
from patchwork_ref.conformance.games import game_of
from patchwork_ref.report.progress import PAUSE

WORDS = {"conforms": "NOTHING FOUND", "diverges": "DIVERGES", "adapter-failure": "THE ENGINE'S PROCESS FAILED", "inconclusive": "INCONCLUSIVE"}

Files = Mapping[str, tuple[str, str, str]]
"""By rule: the fixture file, the file of raw lines, and the command that plays the trace again."""


def fuzz_json(found: Fuzzed, about: dict[str, Any], files: Files) -> dict[str, Any]:
    """The document of ``fuzz --format json``."""
    document: dict[str, Any] = {
        "verdict": found.result, "games": found.games, "skipped": found.skipped, "actions": found.actions, "seconds": round(found.seconds, 3),
        "counterexamples": [_one_json(c, files) for c in found.found.values()],
        "exercised": dict(sorted(found.exercised.items())), "never_exercised": list(found.never),
        "engine": {"command": found.engine, **found.identity}, **about,
    }
    if found.failure is not None:
        document["failure"] = {"reason": found.failure.reason}
    return document


def _one_json(found: Counterexample, files: Files) -> dict[str, Any]:
    _course, verdict = found.shortest
    document: dict[str, Any] = {
        "rule": found.blame.rule, "outcome": verdict.outcome, "kind": verdict.kind, "action": verdict.action, "text": verdict.text, "how": found.blame.how, "seen": found.seen,
        "differences": [{"field": d.field, "player": d.player, "expected": d.expected, "got": d.got} for d in verdict.differences],
    }
    if found.blame.position is not None:
        document["position"] = f"{found.blame.position.file}:{found.blame.position.line}"
    if found.shrunk is not None:
        document["shrunk"] = {"from": found.shrunk.before, "to": found.shrunk.actions, "confirmed": found.shrunk.confirmed}
    if found.blame.rule in files:
        document |= dict(zip(("file", "lines", "replay"), files[found.blame.rule], strict=True))
    return document


def fuzz_text(found: Fuzzed, files: Files) -> str:
    """What a person reads: the counterexamples, then what was exercised, the verdict last."""
    lines: list[str] = []
    for counterexample in found.found.values():
        lines += [*_one_text(counterexample, files), ""]
    if found.failure is not None:
        lines += [f"The engine's process failed: {found.failure.reason}", ""]
    if found.games:
        lines.append(f"{len(found.exercised)} of {len(found.exercised) + len(found.never)} rules exercised in play that agreed" + (f"; {_never(found)}" if found.never else ""))
    if found.found:
        lines.append("A game ends with its first difference: put that right and run again to see what lies behind it.")
    if found.games and not found.actions and not found.found:
        lines.append(f"Nothing was exercised: {'the engine skipped every game' if found.skipped == found.games else 'no action was agreed on'}")
    counts = [f"{found.games} games", *([f"{found.skipped} of them skipped"] if found.skipped else []), f"{found.actions} actions", _number(len(found.found), "counterexample")]
    early = " (ended early)" if found.ended_early else ""
    lines.append(f"{WORDS[found.result]}{early}: {', '.join(counts)}; {found.seconds:.1f} s")
    return "\n".join(lines)


def _never(found: Fuzzed) -> str:
    return f"never: {', '.join(found.never)}"


def _number(number: int, word: str) -> str:
    return f"{number} {word}" + ("s" if number != 1 else "")


def _one_text(found: Counterexample, files: Files) -> list[str]:
    course, verdict = found.shortest
    blame = found.blame
    where = f" ({blame.position.file.rsplit('/', 1)[-1]}:{blame.position.line})" if blame.position is not None else ""
    lines = [f"FOUND rule {blame.rule}{where}, in {found.seen} game{'s' if found.seen > 1 else ''}"]
    if found.shrunk is not None:
        lines.append(f"  game shrunk from {found.shrunk.before} to {found.shrunk.actions} actions" + ("" if found.shrunk.confirmed else "; a fresh process did not show it again"))
    lines.append(f"  {verdict.outcome} {f'at action {verdict.action}' if verdict.action else 'at the set-up'}: {verdict.text}")
    lines += [f"    {difference}" for difference in verdict.differences[:8]]
    lines += [f"    missing: {a}" for a in verdict.missing[:3]] + [f"    not legal: {a}" for a in verdict.extra[:3]]
    if game_of(course, verdict).length <= 12:
        lines += [f"    {number}. player {course.state(number - 1).number('turn')}: {action}" for number, action in enumerate(course.actions, 1)]
    if blame.how:
        lines.append(f"  It looks like {blame.rule} {blame.how}." if not blame.how.startswith("as in") else f"  It plays {blame.how}.")
    if blame.rule in files:
        _, raw, replay = files[blame.rule]
        lines += [f"  Replay:  {replay}", f"  Raw lines for the engine's standard input:  {raw}"]
    return lines


class Ticker:
    """How far a run is: one line that is written over on a terminal, a line now and then elsewhere. On standard error."""

    def __init__(self, quiet: bool, stream: TextIO | None = None) -> None:
        self.out = stream if stream is not None else sys.stderr
        self.quiet, self.terminal = quiet, self.out.isatty()
        self.last = time.monotonic()

    def __enter__(self) -> Ticker:
        return self

    def __call__(self, found: Fuzzed) -> None:
        words = f"{found.games} games, {_number(len(found.found), 'counterexample')}"
        if self.terminal and not self.quiet:
            print(f"\r{words} ", end="", file=self.out, flush=True)
        elif not self.quiet and time.monotonic() - self.last >= PAUSE:
            self.last = time.monotonic()
            print(words, file=self.out, flush=True)

    def __exit__(self, *error: object) -> None:
        if self.terminal and not self.quiet:
            print("\r" + " " * 50 + "\r", end="", file=self.out, flush=True)
