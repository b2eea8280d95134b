"""Is question 3 answered by games that can be replayed, and never wrongly?"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from patchwork_ref.cli.main import run
from patchwork_ref.engine import Engine
from patchwork_ref.engine.replay import replay
from patchwork_ref.fixtures.read import shipped
from patchwork_ref.machine.codec import dumps, trace_from_json, trace_to_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Action, Trace
from patchwork_ref.machine.setup import shuffled
from patchwork_ref.playfacts.continuing import continued


def _game() -> Trace:
    """The stored game that wins the special tile with its last action."""
    fact = json.loads((shipped() / "theorems" / "fewest-actions-to-the-special-tile.json").read_text(encoding="utf-8"))
    return trace_from_json(fact["witness"])


def test_a_game_on_its_way_is_continued(machine_of: Callable[..., Machine]) -> None:
    """From a few actions before the square of a known game a continuation is found, and the engine replays it to a filled square."""
    machine, game = machine_of(), _game()
    found = continued(machine, Trace(game.ruleset, game.readings, game.setup, game.actions[:-3]), 20)
    assert found.verdict == "possible" and found.trace is not None and found.added > 0
    last = replay(Engine(machine), found.trace.setup, found.trace.actions)
    assert last.refusal is None and any(last.state.get("special_tile", who) for who in (0, 1))


def test_what_cannot_be_is_impossible(machine_of: Callable[..., Machine]) -> None:
    """Late in a game without purchases no player can still fill a square, and question 2 says so."""
    machine = machine_of()
    engine, setup = Engine(machine), shuffled(machine, 5)
    state, actions = engine.start(setup), list[Action]()
    while state.number("space", 0) < 47:
        actions.append(next((a for a in engine.legal(state) if a.type in ("special", "advance")), Action("advance")))
        state = engine.apply(state, actions[-1])
    assert continued(machine, Trace(None, {}, setup, tuple(actions)), 5).verdict == "impossible"


def test_the_command_answers_for_a_trace(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """``square --play`` ends with 0 for a filled square; a trace that is illegal, and both questions at once, are one line and exit code 2."""
    game = _game()
    (tmp_path / "t").write_text(dumps(trace_to_json(game)))
    assert run(["square", "--play", str(tmp_path / "t"), "--format", "json"]) == 0
    assert json.loads(capfd.readouterr().out)["verdict"] == "possible"
    (tmp_path / "t").write_text(dumps(trace_to_json(Trace(None, {}, game.setup, game.actions[1:]))))
    for args in (["--play", str(tmp_path / "t")], ["--play", str(tmp_path / "t"), "--quilt", "." * 81], []):
        assert run(["square", *args]) == 2
        assert capfd.readouterr().err.count("\n") == 1
