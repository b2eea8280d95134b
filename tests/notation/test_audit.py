"""Does the audit find which rules a game was played by, and every planted error where it is?"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from patchwork_ref.engine import Engine
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.codec import dumps, trace_to_json
from patchwork_ref.machine.play import Action, Trace
from patchwork_ref.machine.setup import Setup, setup_from_message, setup_message, shuffled
from patchwork_ref.machine.state import State
from patchwork_ref.notation import Game, NoGame, Unreadable, Verdict, audit_games
from patchwork_ref.notation.judge import Judge
from patchwork_ref.polyomino import cells_of, placements

RULESETS = ("revised", "original", "source-000", "source-002", "source-003", "source-004")
SAME = ("source-002", "source-003", "source-004")
Plainly = Callable[..., tuple[int | None, str | None, tuple[int, int] | None, int | None]]


@pytest.mark.parametrize("notation", ["traces", "student", "student-csv"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_our_own_games_tell_their_rules(table: Any, ruleset: str, notation: str) -> None:
    """Games of our own under a ruleset, in any notation, are legal as recorded under it and no ruleset that differs."""
    traces = [*table.games(ruleset, 8), *table.games(ruleset, 8, "random")]
    report = table.audit(table.lines(traces, notation, ruleset), ruleset=ruleset)
    assert (report.notation, report.games, report.legal, report.finished) == (notation, 16, 16, 16)
    assert report.clean
    assert report.consistent_rulesets == (SAME if ruleset in SAME else (ruleset,))


@pytest.mark.parametrize("notation", ["traces", "student-csv"])
def test_consistency_is_that_of_plain_replay(table: Any, plainly: Plainly, notation: str) -> None:
    """Game by game, the rulesets found are those under which the public engine replays the game to the recorded end."""
    for ruleset in ("revised", "original", "source-000", "source-002"):
        traces = list(table.games(ruleset, 5, "frugal", 0))
        traces += [replace(t, actions=t.actions[:cut], scores=None, winner=None) for t in traces for cut in (0, 3, 12, len(t.actions) // 2)]
        path = table.file(table.lines(traces, notation, ruleset))
        found = list(audit_games(path, table.rulebook, table.rulebook.readings(ruleset)))
        for trace, verdict in zip(traces, found, strict=True):
            assert isinstance(verdict, Verdict) and verdict.legal
            expected = []
            for name in RULESETS:
                machine = table.machine(name)
                tokens = [None] if notation == "traces" else [(trace.setup.circle.index("A") + 1) % len(trace.setup.circle), None]
                ends = [plainly(machine, trace, token) for token in tokens]
                if any(action is None and (trace.scores is None or (scores, winner) == (trace.scores, trace.winner)) for action, _, scores, winner in ends):
                    expected.append(name)
            assert verdict.consistent == tuple(expected)
            assert ruleset in expected


def positions(engine: Engine, trace: Trace) -> list[State]:
    """Before each action."""
    states = [engine.start(trace.setup)]
    for action in trace.actions:
        states.append(engine.apply(states[-1], action))
    return states


def spoiled(engine: Engine, trace: Trace, states: list[State], source: random.Random) -> tuple[str, tuple[Action, ...], int, str | None]:
    """The game with one planted error: what it is, the actions, at which action it is refused, and by which rule."""
    kind = source.choice(["wrong patch", "overlap", "off board", "unaffordable", "after the end", "special too late", "special unearned", "wrong shape"])
    actions = list(trace.actions)
    places = list(range(len(actions)))
    source.shuffle(places)
    for at in places:
        state, own = states[at], actions[at]
        me = state.number("turn")
        pending = state.number("pending", me) > 0
        offered = [engine.machine.patches[n] for n in state.circle()[:3]]
        bought = own.type == "buy"
        if kind == "wrong patch" and bought and len(state.circle()) > 3:
            name = engine.machine.patches[source.choice(state.circle()[3:])].name
            return kind, (*actions[:at], engine_placements(engine, replace(own, patch=name))[0], *actions[at + 1 :]), at + 1, "turn/buy-on-offer"
        if kind == "overlap" and own.cells and state.number("quilt", me):
            quilt = state.number("quilt", me)
            for over in engine_placements(engine, own):
                if any(quilt >> cell & 1 for cell in over.cells or ()):
                    return kind, (*actions[:at], over, *actions[at + 1 :]), at + 1, "turn/buy-no-overlap" if bought else "turn/special-no-overlap"
        if kind == "off board" and bought:
            return kind, (*actions[:at], replace(own, cells=(*(own.cells or ())[:-1], 81)), *actions[at + 1 :]), at + 1, "turn/buy-shape"
        if kind == "wrong shape" and bought and len(own.cells or ()) > 2:
            return kind, (*actions[:at], replace(own, cells=(own.cells or ())[1:]), *actions[at + 1 :]), at + 1, "turn/buy-shape"
        if kind == "unaffordable" and not pending:
            dear = [p for p in offered if p.numbers["cost"] > state.number("buttons", me)]
            if dear:
                cells = next(iter(engine_placements(engine, Action("buy", dear[0].name, ())))).cells
                return kind, (*actions[:at], Action("buy", dear[0].name, cells), *actions[at:]), at + 1, "turn/buy-afford"
        if kind == "special too late" and pending:
            return kind, (*actions[:at], Action("advance"), *actions[at:]), at + 1, "turn/special-first"
        if kind == "special unearned" and not pending:
            return kind, (*actions[:at], Action("special", None, (0,)), *actions[at:]), at + 1, "turn/special-pending"
    return "after the end", (*actions, Action("advance")), len(actions) + 1, "turn/not-over"


def engine_placements(engine: Engine, action: Action) -> list[Action]:
    patch = engine.machine.patches[engine.machine.number(action.patch or "special") or 0]
    return [replace(action, cells=cells_of(mask)) for mask in placements(patch.shape, engine.machine.board, True)]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("notation", ["traces", "student-csv"])
def test_planted_errors(table: Any, notation: str, ruleset: str) -> None:
    """Each planted error is found in its line, at its action, by the rule that it breaks; every other game stays clean."""
    source, kinds = random.Random(f"errors {notation}"), set()
    expected: list[dict[str, object]] = []
    written: list[Trace] = []
    engine = Engine(table.machine(ruleset))
    games = [(trace, positions(engine, trace)) for trace in table.games(ruleset, 6, "mixed", 0)]
    for _ in range(120):
        trace, states = source.choice(games)
        if source.random() < 0.7:
            kind, actions, at, rule = spoiled(engine, trace, states, source)
            if notation != "traces" and kind in ("off board", "wrong shape"):
                continue  # cells that no placement has cannot be written; test_off_the_board plants them in the text
            kinds.add(kind)
            trace = replace(trace, actions=actions)
            expected.append({"line": len(written) + 1, "action": at, "rule": rule})
        written.append(trace)
    report = table.audit(table.lines(written, notation, ruleset), ruleset=ruleset)
    assert report.to_json()["illegal"] == expected
    assert report.legal == report.games - len(expected) and not report.unreadable and not report.score_mismatches
    assert report.consistent_rulesets == ()
    assert len(kinds) >= (8 if notation == "traces" else 6)


def test_off_the_board(table: Any) -> None:
    """A placement moved until its patch hangs over the edge is refused by the rule of the patch's shape."""
    line, trace = table.lines(table.games("revised", 1, "mixed", 0), "student")[0], table.games("revised", 1, "mixed", 0)[0]
    circle, placements = line.split(",")
    at = next(i for i, a in enumerate(trace.actions) if a.type == "buy")
    code = "." * at
    assert placements.startswith(code)
    spoilt = f"{circle},{placements[: at + 1]}II{placements[at + 3 :]}"
    report = table.audit([spoilt])
    assert report.to_json()["illegal"] == [{"line": 1, "action": at + 1, "rule": "turn/buy-shape"}]


def test_wrong_outcomes(table: Any) -> None:
    """A wrong score or winner is a mismatch in its line and rules every ruleset out; a missing one is none."""
    (good,) = table.lines(table.games("revised", 1, "mixed", 0), "student-csv")
    circle, placements, winner, first, second = good.split(",")
    report = table.audit([
        good, f"{circle},{placements},{winner},{int(first) + 1},{second}", f"{circle},{placements},{winner},{first},{int(second) - 1}",
        f"{circle},{placements},{3 - int(winner)},{first},{second}", f"{circle},{placements}", f"{circle},{placements},{winner}", f"{circle},{placements},,{first},",
        f"{circle},{placements},{winner},{second},{first}",
    ])
    assert report.score_mismatches == (2, 3, 4, 8)
    assert report.legal == report.games == 8 and report.illegal == ()
    assert report.consistent_rulesets == () and report.by_ruleset["revised"] == 4


def test_unfinished_games(table: Any) -> None:
    """The beginning of a legal game is legal wherever it is cut, also while a special patch waits; it is not finished."""
    trace = next(t for t in table.games("revised", 6, "mixed", 0) if any(a.type == "special" for a in t.actions))
    cuts = [replace(trace, actions=trace.actions[:n], scores=None, winner=None) for n in range(len(trace.actions))]
    report = table.audit(table.lines(cuts, "student"))
    assert report.legal == report.games == len(cuts) and report.finished == 0 and report.clean
    assert "revised" in report.consistent_rulesets


def test_scores_of_an_unfinished_game(table: Any) -> None:
    """Final scores recorded for a game that stops before its end are a mismatch: its position does not have them."""
    trace = table.games("revised", 1, "mixed", 0)[0]
    report = table.audit(table.lines([replace(trace, actions=trace.actions[:-1])], "student-csv"))
    assert report.score_mismatches == (1,) and report.consistent_rulesets == ()


def test_lines_are_physical(table: Any) -> None:
    """Lines are counted from 1, blank and unreadable ones too, and a line that is no game stops nothing."""
    good = table.lines(table.games("revised", 2, "mixed", 0), "student-csv")
    report = table.audit(("\ufeff\r\ngarbage\r\n" + good[0] + "\r\n\r\n\x00\x01,\xff\r\n" + good[1].replace(",", ",AAAA,", 1) + "\r\n" + good[1]).encode())
    document = report.to_json()
    assert list(document) == ["games", "legal", "illegal", "score_mismatches", "unreadable", "consistent_rulesets"]
    assert (document["games"], document["legal"], document["consistent_rulesets"]) == (2, 2, ["revised"])
    assert [u["line"] for u in document["unreadable"]] == [2, 5, 6] and all("\n" not in u["reason"] for u in document["unreadable"])


def test_the_chosen_rules_decide(table: Any) -> None:
    """`--ruleset` and readings decide what is legal; the consistent rulesets do not depend on them."""
    lines = table.lines(table.games("original", 6), "student-csv", "original")
    own, other = table.audit(lines, ruleset="original"), table.audit(lines, ruleset="revised")
    assert own.clean and not other.clean
    assert own.consistent_rulesets == other.consistent_rulesets == ("original",)
    assert {i.rule for i in other.illegal} <= {"turn/special-pending", "turn/special-first"}


def test_rules_are_those_of_the_engine(table: Any, plainly: Plainly) -> None:
    """For any action whatever, the refusing rule and its place are those that the public engine gives."""
    source = random.Random(11)
    judge = Judge(table.rulebook, table.rulebook.readings(), [])
    strange = [Action("jump"), Action("buy"), Action("buy", "A"), Action("buy", "Q", ()), Action("buy", "nobody", (0, 9)), Action("buy", "A", (0, 0)),
               Action("buy", "A", (-1, 8)), Action("buy", "A", (80, 89)), Action("special", None, (200,)),
               Action("special"), Action("special", "special", (0,)), Action("advance", "A", (1,)), Action("buy", "special", (0,))]
    for trace in table.games("revised", 6) * 10:
        at = source.randrange(len(trace.actions))
        own = trace.actions[at]
        doubled = replace(own, cells=(*own.cells, own.cells[-1])) if own.cells else own
        spoilt = replace(trace, actions=(*trace.actions[:at], source.choice([*strange, doubled, doubled]), *trace.actions[at:]))
        verdict = judge.judge(Game(1, spoilt))
        number, rule, scores, _ = plainly(judge.machine, spoilt, spoilt.setup.neutral_token)
        assert (verdict.illegal.action, verdict.illegal.rule) == (number, rule) if verdict.illegal else verdict.scores == scores


def test_custom_numbers(table: Any) -> None:
    """A trace with numbers of its own is judged by them, and numbers that cannot be make its line unreadable."""
    machine = table.machine("revised")
    message = setup_message(machine, shuffled(machine, 3)) | {"start_buttons": 50, "on_offer": 33}
    custom, setup = setup_from_message(machine, message)
    engine = Engine(custom)
    state, actions = engine.start(setup), []
    for _ in range(4):
        actions.append(max(engine.legal(state), key=lambda a: (a.type == "buy", custom.patches[custom.number(a.patch or "A") or 0].numbers["cost"])))
        state = engine.apply(state, actions[-1])
    numbers = {k: message[k] for k in ("start_buttons", "on_offer")}
    trace = Trace("revised", machine.readings, setup, tuple(actions), numbers=numbers)
    bad = [replace(trace, numbers={"start_buttons": -1}), replace(trace, numbers={"patches": 3}), replace(trace, numbers={"patches": {}})]
    report = table.audit([dumps(trace_to_json(t)) for t in (trace, replace(trace, numbers={}), *bad)], "traces")
    assert report.games == 2 and report.legal == 1 and [i.line for i in report.illegal] == [2]
    assert [u.line for u in report.unreadable] == [3, 4, 5]


@pytest.mark.parametrize("setup", [Setup(()), Setup(("A", "A")), Setup(("A", "special")), Setup(("A", "B"), 2), Setup(("A", "B"), -1), Setup(("A", "zz"))])
def test_set_ups_that_cannot_start(table: Any, setup: Setup) -> None:
    """A trace whose set-up is none makes its line unreadable, with a reason."""
    with pytest.raises(NoGame):
        Judge(table.rulebook, table.rulebook.readings()).judge(Game(1, Trace(None, {}, setup, ())))
    report = table.audit([dumps(trace_to_json(Trace(None, {}, setup, ()))), *table.lines(table.games("revised", 1), "traces")], "traces")
    assert [u.line for u in report.unreadable] == [1] and report.legal == 1


def test_tokens_of_student_games(table: Any) -> None:
    """The notation puts the token behind patch A; a ruleset that puts it elsewhere may also have been played with its own."""
    circle = tuple("QABCDEFGHIJKLMNOPRSTUVWXYZabcdefg")
    text = "".join(circle)
    report = table.audit([f"{text},BAAA", f"{text},DAAA", f"{text},AAAA", f"{text},CAAA"], "student")
    assert [(i.line, i.rule) for i in report.illegal] == [(3, "turn/buy-on-offer")]
    assert report.by_ruleset == {"revised": 3, "original": 3, "source-000": 4, "source-002": 3, "source-003": 3, "source-004": 3}
    own = from_rulebook(table.rulebook, table.rulebook.readings("source-000"))
    assert table.audit([f"{text},AAAA"], "student", ruleset=own.ruleset).clean


def test_readings_change_the_tie(table: Any) -> None:
    """A game that ends level is judged by the chosen reading of a tie, and a recorded draw is one."""
    engine = Engine(table.machine("revised"))
    setup = Setup(tuple(p.name for p in engine.machine.regular))
    state, actions = engine.start(setup), []
    while not engine.is_over(state):
        actions.append(engine.legal(state)[0])
        state = engine.apply(state, actions[-1])
    score = engine.score(state)
    assert score.winner is not None
    draw = Trace("revised", {}, setup, tuple(actions), score.totals, None)
    judged = Judge(table.rulebook, table.rulebook.readings("revised")).judge(Game(1, draw))
    assert judged.as_recorded and judged.scores == score.totals
    claimed = table.audit([dumps(trace_to_json(draw))], "traces")
    assert claimed.score_mismatches == (1,)
    assert isinstance(next(audit_games(table.file(["nothing"]), table.rulebook, table.rulebook.readings())), Unreadable)
