"""Does a converted game stay the same game?"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from patchwork_ref.engine import Engine
from patchwork_ref.machine.codec import dumps, trace_from_json, trace_to_json
from patchwork_ref.machine.play import Action, Trace
from patchwork_ref.machine.setup import Setup
from patchwork_ref.notation import Unreadable, export_traces
from patchwork_ref.polyomino import cells_of, placements


def converted(table: Any, lines: list[str], notation: str, ruleset: str = "revised") -> list[str]:
    found = list(export_traces(table.file(lines), notation, table.rulebook, table.rulebook.readings(ruleset)))
    assert all(isinstance(line, str) for line in found), found
    return found  # type: ignore[return-value]


def refused(table: Any, trace: Trace) -> str:
    (found,) = export_traces(table.file([dumps(trace_to_json(trace))]), "student", table.rulebook, table.rulebook.readings())
    assert isinstance(found, Unreadable) and found.line == 1 and "\n" not in found.reason
    return found.reason


@pytest.mark.parametrize("ruleset", ["revised", "original", "source-000", "source-002"])
def test_there_and_back(table: Any, ruleset: str) -> None:
    """A trace written as a student game and back has the same actions and scores, with player 0 as the first mover."""
    traces = table.games(ruleset, 6)
    lines = converted(table, table.lines(traces, "traces"), "student-csv", ruleset)
    back = [trace_from_json(json.loads(line)) for line in converted(table, lines, "traces", ruleset)]
    for trace, found in zip(traces, back, strict=True):
        first = trace.setup.first_player
        assert found.actions == trace.actions and found.setup.circle == trace.setup.circle and found.setup.first_player == 0
        assert found.scores == (trace.scores[first], trace.scores[1 - first])
        assert found.winner == (None if trace.winner is None else trace.winner ^ first)
        assert dict(found.readings) == dict(trace.readings)
    assert converted(table, [dumps(trace_to_json(t)) for t in back], "student-csv", ruleset) == lines


def test_the_first_mover_is_player_one(table: Any) -> None:
    """Scores and winner are written as the first mover's first, whoever that is in the trace."""
    trace = table.games("revised", 1, "mixed", 1)[0]
    (line,) = converted(table, table.lines([trace], "traces"), "student-csv")
    winner, first, second = line.split(",")[2:]
    assert (int(first), int(second)) == (trace.scores[1], trace.scores[0])
    assert int(winner) == (1 if trace.winner == 1 else 2)
    assert table.audit([line]).clean


def test_every_patch_and_orientation(table: Any) -> None:
    """Purchases of all patches in all orientations go into the student notation and back."""
    machine = table.machine("revised")
    engine, circle = Engine(machine), tuple(p.name for p in machine.regular)
    traces = []
    for at, patch in enumerate(circle):
        turned = circle[at:] + circle[:at]
        setup = Setup(turned, (turned.index("A") + 1) % len(turned), 0)
        legal = [a for a in engine.legal(engine.start(Setup(turned, 0, 0))) if a.patch == patch]
        masks = placements(machine.patches[at].shape, machine.board, True)
        assert not legal or [a.cells for a in legal] == [cells_of(mask) for mask in masks]
        traces += [Trace("revised", machine.readings, setup, (Action("buy", patch, cells_of(mask)),)) for mask in masks[::5]]
    lines = converted(table, [dumps(trace_to_json(t)) for t in traces], "student")
    back = [trace_from_json(json.loads(line)) for line in converted(table, lines, "traces")]
    assert [b.actions for b in back] == [t.actions for t in traces]
    assert {line.split(",")[1][3] for line in lines} == set("ABCDEFGH")


def test_what_the_notation_cannot_say(table: Any) -> None:
    """Another token, fewer patches, numbers of its own or a discarded patch are refused, each with its reason."""
    trace = table.games("revised", 1, "mixed", 0)[0]
    circle = trace.setup.circle
    assert "neutral token" in refused(table, replace(trace, setup=Setup(circle, (circle.index("A") + 2) % len(circle), 0)))
    assert "circle" in refused(table, replace(trace, setup=Setup(circle[:5], None, 0)))
    assert "numbers" in refused(table, replace(trace, numbers={"start_buttons": 6}))
    assert "action 1" in refused(table, replace(trace, actions=(Action("buy", circle[0], ()),)))
    assert "rules" in refused(table, replace(trace, readings={"tie": "coin"}))
    assert "rules" in refused(table, replace(trace, readings={}, ruleset="none"))
    same = replace(trace, numbers={"start_buttons": 5})
    assert converted(table, [dumps(trace_to_json(same))], "student") == table.lines([trace], "student")


def test_bad_lines_do_not_stop_the_rest(table: Any) -> None:
    """Each line comes out in order, as a game or as the reason why it is none."""
    good = table.lines(table.games("revised", 2, "mixed", 0), "student-csv")
    found = list(export_traces(table.file([good[0], "rubbish", "", good[1]]), "traces", table.rulebook, table.rulebook.readings()))
    assert [type(f) for f in found] == [str, Unreadable, str]
    assert found[1].line == 2  # type: ignore[union-attr]


def test_scores_without_a_winner(table: Any) -> None:
    """A trace made of scores without a winner names the one that they give, so that it claims no draw."""
    good = table.lines(table.games("revised", 4, "mixed", 0), "student-csv")
    without = [",".join([*line.split(",")[:2], "", *line.split(",")[3:]]) for line in good]
    traces = converted(table, without, "traces")
    assert table.audit(traces, "traces").clean
    machine = table.machine("revised")
    engine, circle = Engine(machine), "".join(p.name for p in machine.regular)
    state = engine.start(Setup(tuple(circle), 1, 0))
    level = engine.score(state).totals
    (line,) = converted(table, [f"{circle},,,{level[0]},{level[1]}"], "traces")
    assert table.audit([line], "traces").clean
