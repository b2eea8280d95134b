"""Do the commands keep their names, options, JSON fields and exit codes, and is every mistake of the user one line?"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import patchwork_ref as pr
from patchwork_ref.cli.main import COMMANDS

Result = tuple[int, str, str]


Command = Callable[..., Result]


def _json(result: Result) -> Any:
    return json.loads(result[1])


def test_help_lists_every_command_and_loads_no_solver() -> None:
    """``patchwork-ref --help`` names every command and imports neither z3, hypothesis, numpy nor yaml."""
    script = ("import sys; sys.argv = ['patchwork-ref', '--help']\n"
              "from patchwork_ref.__main__ import main\n"
              "try: main()\nexcept SystemExit as end: assert end.code == 0\n"
              "print(sorted({'z3', 'hypothesis', 'numpy', 'yaml', 'pytest'} & set(sys.modules)))")
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert out.strip().endswith("[]") and all(f"  {name}" in out for name in COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help(command: Command, name: str) -> None:
    """Each command of the table exists and explains itself with exit code 0."""
    code, out, _ = command(name, "--help")
    assert code == 0 and out.startswith("Usage:")


@pytest.mark.parametrize("args", [
    ["chek"], ["perft"], ["perft", "--depth", "x"], ["perft", "--depth", "-1"], ["perft", "--depth", "1", "--ruleset", "blue"],
    ["perft", "--depth", "1", "--reading", "tie=win"], ["perft", "--depth", "1", "--reading", "tie"], ["perft", "--depth", "1", "--reading", "colour=red"],
    ["perft", "--depth", "1", "--rulebook", "nowhere"], ["--rulebook", "nowhere", "perft", "--depth", "1"], ["perft", "--depth", "1", "--setup", "nowhere.json"],
    ["play", "--policy", "clever"], ["play", "--games", "0"], ["play", "--out", "no/such/folder/x.jsonl"], ["replay", "nowhere.jsonl"], ["replay"],
    ["rules", "turn/nothing"], ["check"], ["check", ""], ["check", "'unclosed"], ["check", "reference:blue"], ["check", "mutant:nothing"], ["check", "python:nothing"],
    ["check", "reference", "--tier", "huge"], ["check", "reference", "--suite", "nowhere"], ["smoke"], ["serve", "--ruleset", "blue"], ["lint", "nowhere"],
])
def test_a_mistake_of_the_user_is_one_line_and_exit_code_2(command: Command, args: list[str]) -> None:
    """Wrong names, options, files and engines give one line on standard error, nothing on standard output, and exit code 2."""
    code, out, err = command(*args)
    assert code == 2 and out == "" and err.count("\n") == 1 and "Traceback" not in err, (out, err)


def test_perft_counts_the_known_figures(command: Command) -> None:
    """``perft`` gives 639 and 454193 for the circle in letter order, as text, as JSON and by first action."""
    assert command("perft", "--depth", "1", "--ruleset", "original")[1] == "perft(1) = 639\n"
    assert _json(command("perft", "--depth", "2", "--ruleset", "original", "--format", "json")) == {"depth": 2, "nodes": 454193}
    divided = _json(command("perft", "--depth", "1", "--divide", "--format", "json"))
    assert len(divided["divide"]) == divided["nodes"] == 639


def test_perft_takes_the_protocols_set_up(command: Command, tmp_path: Path) -> None:
    """A set-up file holds the protocol's object; its numbers and its token are followed, and defects in it are one line."""
    machine = pr.from_rulebook(pr.load_rulebook())
    message = pr.setup_message(machine, pr.Setup(tuple(p.name for p in machine.regular), 0))
    Path("setup.json").write_text(json.dumps(message))
    assert _json(command("perft", "--depth", "1", "--setup", "setup.json", "--format", "json"))["nodes"] == 657
    Path("setup.json").write_text(json.dumps({**message, "start_buttons": 0}))
    assert _json(command("perft", "--depth", "1", "--setup", "setup.json", "--format", "json"))["nodes"] == 1
    for bad in ({**message, "circle": ["A", "A"]}, {**message, "circle": []}, {**message, "circle": ["?"]}, {**message, "neutral_token": 33}, {**message, "first_player": 2},
                {**message, "start_buttons": -1}, {**message, "time_board": {"last": 10, "income": [11], "special": []}},
                {**message, "patches": {"A": {"shape": ["#.#"], "cost": 1, "time": 1, "income": 0}}}, [], "x"):
        Path("setup.json").write_text(json.dumps(bad))
        code, out, err = command("perft", "--depth", "1", "--setup", "setup.json")
        assert (code, out, err.count("\n")) == (2, "", 1), err
    Path("setup.json").write_text("{")
    assert command("perft", "--depth", "1", "--setup", "setup.json")[0] == 2


def test_play_is_repeatable_and_its_traces_replay(command: Command) -> None:
    """The same seed gives the same games; the traces written by ``play`` replay with the recorded scores."""
    first = command("play", "--games", "3", "--seed", "5", "--policy", "greedy", "--out", "games.jsonl", "--format", "json")
    assert first == command("play", "--games", "3", "--seed", "5", "--policy", "greedy", "--format", "json")
    games = _json(first)
    assert [game["seed"] for game in games] == [5, 6, 7] and set(games[0]) >= {"scores", "winner", "actions", "seed"}
    code, out, _ = command("replay", "games.jsonl", "--format", "json")
    document = json.loads(out)
    assert code == 0 and document["agrees"] and document["scores"] == games[-1]["scores"]


def test_replay_finds_what_was_changed(command: Command) -> None:
    """A trace with an illegal action, or with scores that the rules do not give, does not agree and says where."""
    command("play", "--seed", "1", "--out", "game.jsonl")
    trace = json.loads(Path("game.jsonl").read_text())
    trace["actions"][3] = {"type": "buy", "patch": "A", "cells": [0, 2]}
    Path("bad.json").write_text(json.dumps(trace, indent=1))
    code, out, _ = command("replay", "bad.json", "--format", "json")
    found = json.loads(out)
    assert code == 1 and not found["agrees"] and found["first_difference"]["action"] == 4
    trace = json.loads(Path("game.jsonl").read_text())
    trace["scores"][0] += 1
    Path("bad.json").write_text(json.dumps(trace))
    assert command("replay", "bad.json")[0] == 1


@pytest.mark.parametrize("content", ["", "[]", "{}", "null", '{"setup": 1}', '{"setup": {"circle": ["A"]}, "actions": 3}', "{" * 5000, "\x00",
                                     '{"format": 9, "setup": {"circle": ["A"]}, "actions": []}',
                                     '{"setup": {"circle": ["A"], "first_player": true}, "actions": []}', '{"setup": {"circle": ["zz"]}, "actions": []}',
                                     '{"setup": {"circle": ["A"]}, "actions": [{"type": 3}]}',
                                     '{"setup": {"circle": ["A"]}, "actions": [{"type": "buy", "cells": "x"}]}', '{"a": 1}\n{"b": 2}\n'])
def test_a_file_that_is_no_trace_is_one_line(command: Command, content: str) -> None:
    """Whatever a file holds, ``replay`` says in one line what is wrong with it."""
    Path("bad.json").write_text(content)
    code, out, err = command("replay", "bad.json")
    assert code == 2 and out == "" and err.count("\n") == 1, (out, err)


def test_lint_reports_each_defect_on_a_line(command: Command, tmp_path: Path) -> None:
    """``lint`` gives 0 for the shipped rulebook; for a damaged one 2, a line a defect, and the same as JSON."""
    assert command("lint") == (0, "no defects\n", "")
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "a.yaml").write_text("edition: {name: x}\nrules: {}\nx: 1\n")
    code, out, err = command("lint", "rules")
    assert code == 2 and out == "" and all(line.startswith("rules/a.yaml:") for line in err.splitlines())
    code, out, err = command("lint", "rules", "--format", "json")
    assert code == 2 and err == "" and all(set(d) == {"file", "line", "column", "code", "message", "hint"} for d in json.loads(out)) and len(json.loads(out)) >= 3


def test_another_rulebook_takes_the_place_of_the_shipped_one(command: Command, tmp_path: Path) -> None:
    """A new reading and a new order of two steps, written only in YAML outside the project, take effect through ``--rulebook``."""
    import shutil

    from patchwork_ref.rulebook.rulebook import shipped

    folder = tmp_path / "mine"
    shutil.copytree(shipped(), folder)
    file = folder / "7-ambiguities.yaml"
    file.write_text(file.read_text().replace("ambiguities:\n", """ambiguities:
  purse:
    question: How many buttons does a player start with?
    default: five
    because: It is only an example.
    readings:
      five:
        says: Five.
        supported_by: ["own: example"]
      nine:
        says: Nine, and a special patch is sewn on before it is counted as placed.
        supported_by: ["own: example"]
        changes:
          constants.start_buttons.is: 9
          actions.special.steps: [{swap: turn/special-take, with: turn/special-place}]
""", 1))
    assert command("lint", "mine")[0] == 0
    play = ("play", "--policy", "advance", "--format", "json")
    plain, same = _json(command(*play))[0]["scores"], _json(command(*play, "--rulebook", "mine"))[0]["scores"]
    nine = _json(command("--rulebook", "mine", *play, "--reading", "purse=nine"))[0]["scores"]
    assert plain == same and nine == [score + 4 for score in plain]
    rulebook, orders = pr.load_rulebook(folder), []
    for readings in ({}, {"purse": "nine"}):
        engine = pr.Engine(pr.from_rulebook(rulebook, rulebook.readings(None, readings)))
        state = engine.start(pr.shuffled(engine.machine, 1)).replaced("pending", 0, 1).replaced("turn", None, 0)
        orders.append([f.rule for f in engine.step(state, pr.Action("special", None, (4,))).firings][:2])
    assert orders == [["turn/special-take", "turn/special-place"], ["turn/special-place", "turn/special-take"]]


def test_serve_speaks_the_protocol() -> None:
    """``serve`` answers line by line with the request's id, survives garbage, and ends on bye with status 0."""
    lines = ['{"id":1,"op":"hello","protocol":[1]}', "garbage", '{"id":2,"op":"dance"}', '{"id":3,"op":"state","game":"x"}', '{"id":4,"op":"bye"}', '{"id":5,"op":"hello"}']
    done = subprocess.run([sys.executable, "-m", "patchwork_ref", "serve"], input="\n".join(lines) + "\n", capture_output=True, text=True)
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and done.stderr == "" and [r["id"] for r in replies] == [1, None, 2, 3, 4]
    assert replies[0]["capabilities"] == ["state", "legal", "perft", "finds-token"] and "error" in replies[1] and replies[2]["unsupported"] and "error" in replies[3]


def test_a_closed_pipe_ends_quietly() -> None:
    """A reader that goes away ends the command without a traceback."""
    done = subprocess.run(f"{sys.executable} -m patchwork_ref play --games 400 | head -1", shell=True, capture_output=True, text=True)
    assert done.stderr == "" and done.stdout.startswith("game 0:")
