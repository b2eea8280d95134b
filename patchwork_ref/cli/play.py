"""``play``, ``replay`` and ``perft``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click

from patchwork_ref.cli.options import emit, emit_json, format_option, machine_of, read_json, rulebook_of, rules_options, seed_option
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.perft import divide as perft_divide
from patchwork_ref.engine.perft import perft as count
from patchwork_ref.engine.policies import POLICIES, Policy, played
from patchwork_ref.engine.policies import policy as policy_named
from patchwork_ref.errors import InputError
from patchwork_ref.machine.codec import action_to_json, dumps, trace_to_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Trace
from patchwork_ref.machine.setup import Setup, setup_from_message, shuffled


@click.command()
@rules_options
@seed_option
@format_option()
@click.option("--games", type=click.IntRange(1, 1_000_000), default=1, help="How many games.")
@click.option("--policy", default="random", metavar="P", help=f"How to play: {', '.join(POLICIES)}.")
@click.option("--setup", metavar="FILE", help="A set-up (the protocol's object) in place of a random one.")
@click.option("--out", metavar="FILE", help="Also write the traces, one JSON line a game.")
def play(folder: str | None, ruleset: str | None, readings: tuple[str, ...], seed: int, form: str, games: int, policy: str, setup: str | None, out: str | None) -> int:
    """Plays games: a transcript of one, or a line for each of many."""
    choose = policy_named(policy)
    machine = machine_of(rulebook_of(folder), ruleset, readings)
    laid: Setup | None = None
    numbers: dict[str, object] = {}
    if setup is not None:
        message = read_json(setup)
        machine, laid = setup_from_message(machine, message)
        numbers = _numbers(message) if machine.custom else {}
    engine = Engine(machine)
    with _written(out) as file:
        documents = [_game(engine, laid, number, policy, choose, numbers, file, form, games == 1) for number in range(seed, seed + games)]
    if form == "json":
        emit_json(documents)
    return 0


def _game(engine: Engine, laid: Setup | None, number: int, name: str, choose: Policy, numbers: dict[str, object], file: TextIO | None, form: str,
          alone: bool) -> dict[str, object]:
    """Plays one game, writes and prints it as asked, and gives its JSON document."""
    from patchwork_ref.report.games import game_line, transcript

    machine = engine.machine
    at = laid if laid is not None else shuffled(machine, number)
    actions, state, outcome = played(engine, at, choose, random.Random(f"{name} {number}"))
    score = engine.score(state)
    trace = Trace(machine.ruleset, machine.readings, at, actions, score.totals, score.winner, number, numbers)
    if file is not None:
        file.write(dumps(trace_to_json(trace)) + "\n")
    if form == "text":
        emit(transcript(engine, trace) if alone else game_line(trace, outcome))
    return {"scores": list(score.totals), "winner": score.winner, "actions": len(actions), "seed": number, "outcome": outcome}


@contextmanager
def _written(path: str | None) -> Iterator[TextIO | None]:
    """A file to write to that takes its name only when it is whole; none when no path is given."""
    if path is None:
        yield None
        return
    target = Path(path)
    beside = target.with_name(target.name + ".part")
    try:
        file = beside.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; name a file that can be written") from None
    try:
        with file:
            yield file
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


@click.command()
@rules_options
@format_option()
@click.option("--depth", type=click.IntRange(0, 8), required=True, help="How many actions.")
@click.option("--setup", metavar="FILE", help="A set-up (the protocol's object); the circle in the order of the patches when none is given.")
@click.option("--divide", is_flag=True, help="By first action.")
def perft(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, depth: int, setup: str | None, divide: bool) -> int:
    """Counts the sequences of legal actions of a given length."""
    machine, laid = setup_of(machine_of(rulebook_of(folder), ruleset, readings), setup)
    engine = Engine(machine)
    start = engine.start(laid)
    parts = perft_divide(engine, start, depth) if divide else []
    nodes = sum(n for _, n in parts) if divide and depth > 0 else count(engine, start, depth)
    if form == "json":
        emit_json({"depth": depth, "nodes": nodes} | ({"divide": [{"action": action_to_json(a), "nodes": n} for a, n in parts]} if divide else {}))
        return 0
    for action, number in parts:
        emit(f"{number:>12,}  {action}")
    emit(f"perft({depth}) = {nodes}")
    return 0


def setup_of(machine: Machine, path: str | None) -> tuple[Machine, Setup]:
    """The set-up in a file with the Machine of its numbers; without a file the circle in the order of the patches."""
    if path is None:
        return machine, Setup(tuple(p.name for p in machine.regular))
    message = read_json(path)
    if not isinstance(message, dict):
        raise InputError(f"{path} holds no set-up object")
    return setup_from_message(machine, message)


def _numbers(message: dict[str, object]) -> dict[str, object]:
    """What a set-up message changes beyond circle, token and first player."""
    return {k: v for k, v in message.items() if k not in ("circle", "neutral_token", "first_player", "ruleset", "readings")}


@click.command()
@rules_options
@format_option()
@click.argument("file")
@click.option("--engine", "engine_text", metavar="ENGINE", help="Replay against an engine instead of the reference.")
@click.option("--suite", metavar="DIR", help="Other fixtures in place of the shipped ones, when FILE is a fixture's id.")
@click.option("--timeout-scale", type=click.FloatRange(0.01, 1000), default=1.0, help="Multiplies every time limit.")
def replay(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, file: str, engine_text: str | None, suite: str | None, timeout_scale: float) -> int:
    """Replays the traces or fixtures of a file, or the fixture whose id FILE is, on the reference or against an engine."""
    from patchwork_ref.conformance.replaying import replay_file
    from patchwork_ref.report.replays import replay_json, replay_text

    results = replay_file(file, rulebook_of(folder), ruleset, readings, engine_text, timeout_scale, suite)
    if form == "json":
        emit_json(replay_json(results))
    else:
        emit(replay_text(results))
    return max(int(result.exit_code) for result in results)


