"""Does `smoke` pass sound adapters, and does it stop an unsound one at the right step with a useful hint?"""

from __future__ import annotations

import copy
import importlib.util
from typing import get_args

import pytest

from patchwork_ref.conformance.hints import hint_for_failure
from patchwork_ref.conformance.outcomes import CannotStart, ProtocolError, ProtocolFault, StartFault
from patchwork_ref.conformance.questions import STEPS
from patchwork_ref.conformance.smoke import smoke, smoke_steps
from patchwork_ref.conformance.targets import Local

TITLES = [title for title, _, _ in STEPS]


@pytest.fixture(scope="module")
def make_sample(root):
    """The class of the sample engine, which is a handler as it stands."""
    spec = importlib.util.spec_from_file_location("sample_engine", root / "engines" / "python" / "engine.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Engine


class Twisted:
    """A sample engine between whose requests and replies something goes wrong."""

    def __init__(self, engine, twist):
        self.engine, self.twist, self.memory = engine, twist, {}

    def handle(self, request):
        return self.twist(self, request, self.engine.handle)


def no_capabilities(self, request, answer):
    reply = answer(request)
    return {**reply, "capabilities": []} if request["op"] == "hello" else reply


def only(*fields):
    """Report these fields of the state and no others; and no legal actions."""

    def twist(self, request, answer):
        reply = answer(request)
        if request["op"] == "hello":
            reply["capabilities"] = ["state", "sings"]
        if "state" in reply:
            reply["state"] = {name: reply["state"][name] for name in fields}
        return reply

    return twist


def only_quilts(self, request, answer):
    reply = only("players")(self, request, answer)
    if "state" in reply:
        reply["state"]["players"] = [{"quilt": player["quilt"]} for player in reply["state"]["players"]]
    return reply


def refuses_hello(self, request, answer):
    return {"id": request["id"], "ok": False, "error": {"message": "go away"}}


def errors_at_unknown_op(self, request, answer):
    if request["op"].startswith("x-"):
        return {"id": request["id"], "ok": False, "error": {"message": "bad op"}}
    return answer(request)


def skips_new(self, request, answer):
    return {"id": request["id"], "ok": False, "skipped": {"reason": "no"}} if request["op"] == "new" else answer(request)


def denies_unknown_fields(self, request, answer):
    if "x-unknown" in request:
        return {"id": request["id"], "ok": False, "error": {"message": "unknown field `x-unknown`"}}
    return answer(request)


def counts_turns_from_one(self, request, answer):
    reply = answer(request)
    if "state" in reply and reply["state"]["turn"] is not None:
        reply["state"]["turn"] += 1
    return reply


def has_its_own_start(self, request, answer):
    reply = answer(request)
    if "state" in reply:
        reply["state"]["circle"] = sorted(reply["state"]["circle"])
    return reply


def never_plays(self, request, answer):
    if request["op"] == "apply" and all(action["type"] == "advance" for action in request["actions"]):
        return {"id": request["id"], "ok": True, "applied": len(request["actions"])}
    return answer(request)


def lists_twice(self, request, answer):
    reply = answer(request)
    if "actions" in reply:
        reply["actions"] = reply["actions"] + [{**reply["actions"][-1], "cells": reply["actions"][-1]["cells"][::-1]}]
    return reply


def counts_wrong(self, request, answer):
    reply = answer(request)
    return {**reply, "count": 1} if "count" in reply else reply


def accepts_all(self, request, answer):
    return {"id": request["id"], "ok": True, "applied": len(request["actions"])} if request["op"] == "apply" and "special" in str(
        request) else answer(request)  # fmt: skip


def pays_before_it_looks(self, request, answer):
    reply = answer(request)
    if "reject" in reply:
        answer({"id": 0, "op": "apply", "game": request["game"], "actions": [{"type": "advance"}]})
    return reply


def undoes_the_batch(self, request, answer):
    if request["op"] == "apply" and len(request["actions"]) > 1:
        saved = copy.deepcopy(self.engine.games)
        reply = answer(request)
        if "reject" in reply:
            self.engine.games = saved
        return reply
    return answer(request)


def counts_the_illegal_one(self, request, answer):
    reply = answer(request)
    return {**reply, "applied": reply["applied"] + 1} if "reject" in reply and len(request["actions"]) > 2 else reply


def has_one_game(self, request, answer):
    if request["op"] == "new":
        self.engine.games.clear()
    return answer({**request, "game": "the game"} if "game" in request else request)


def shares_the_board(self, request, answer):
    """`apply` to the first game opens the second anew."""
    if request["op"] == "apply" and request["game"] == "smoke-1" and "smoke-2" in self.engine.games and not self.memory:
        self.memory["done"] = True
        self.engine.games["smoke-2"] = copy.deepcopy(self.engine.games["smoke-idle"])
    return answer(request)


def forgets_nothing(self, request, answer):
    if request["op"] == "end":
        return {"id": request["id"], "ok": True}
    if request["op"] == "new" and request["game"] in self.engine.games:
        return {"id": request["id"], "ok": True}
    return answer(request)


def cannot_score(self, request, answer):
    return {"id": request["id"], "ok": False, "unsupported": True} if request["op"] == "score" else answer(request)


def counts_winners_wrong(self, request, answer):
    reply = answer(request)
    return {**reply, "winner": 1 - reply["winner"]} if "winner" in reply else reply


def cannot_place_specials(self, request, answer):
    if request["op"] == "apply" and request["actions"][0]["type"] == "special":
        return {"id": request["id"], "ok": False, "reject": {"code": "unknown"}, "applied": 0}
    return answer(request)


def never_ends(self, request, answer):
    reply = answer(request)
    return {"id": request["id"], "ok": True, "applied": 1} if reply.get("reject", {}).get("code") == "finished" else reply


@pytest.mark.parametrize("command", ["sample", "node"])
def test_sound_adapters_pass(command, sample_engine, root, setup, request):
    """The sample engines, as processes, pass every step."""
    engine = sample_engine if command == "sample" else f"{request.getfixturevalue('node')} {root / 'engines' / 'javascript' / 'engine.mjs'}"
    result = smoke(engine, setup)
    assert [step.reason for step in result.steps if step.status == "failed"] == []
    assert result.passed
    assert [(step.number, step.title) for step in result.steps] == list(enumerate(TITLES, 1))
    assert result.engine is not None and "state" in result.capabilities


@pytest.mark.parametrize(
    ("twist", "not_applicable"),
    [
        (None, []),
        (no_capabilities, [6, 8]),
        (only("circle"), [8]),
        (only("turn", "players"), [8]),
        (only_quilts, [8]),
        (only(), [8]),
    ],
)
def test_partial_engines_pass(make_sample, setup, twist, not_applicable):
    """An engine that observes little or nothing is sound; what it lacks is not applicable and not held against it."""
    target = Local("sample", make_sample if twist is None else lambda: Twisted(make_sample(), twist))
    result = smoke(target, setup)
    assert result.passed, result.steps[-1]
    assert [step.number for step in result.steps if step.status == "not-applicable"] == not_applicable


@pytest.mark.parametrize(
    ("twist", "number", "says"),
    [
        (refuses_hello, 2, "go away"),
        (errors_at_unknown_op, 3, "bad op"),
        (skips_new, 4, "skipped"),
        (denies_unknown_fields, 5, "x-unknown"),
        (counts_turns_from_one, 6, "`turn` is 1"),
        (has_its_own_start, 6, "`circle` is"),
        (never_plays, 7, "no token"),
        (lists_twice, 8, "twice"),
        (counts_wrong, 8, "`count` says 1"),
        (accepts_all, 9, "none is pending"),
        (pays_before_it_looks, 9, "has changed the game"),
        (counts_the_illegal_one, 10, "`applied` is 2"),
        (undoes_the_batch, 10, "0 players"),
        (has_one_game, 11, "second game"),
        (shares_the_board, 11, "undid the other"),
        (forgets_nothing, 12, "afresh"),
        (cannot_score, 13, "unsupported"),
        (counts_winners_wrong, 13, "`winner`"),
        (cannot_place_specials, 13, "goes on"),
        (never_ends, 13, "still accepted"),
    ],
)
def test_an_unsound_adapter_stops_at_its_step(make_sample, setup, twist, number, says):
    """The first failure is the last step; it says what was sent, expected and received, what is wrong, and one hint."""
    result = smoke(Local("twisted", lambda: Twisted(make_sample(), twist)), setup)
    assert not result.passed
    last = result.steps[-1]
    assert (last.number, last.status) == (number, "failed"), last
    assert len(result.steps) == number
    assert all(step.status != "failed" for step in result.steps[:-1])
    assert says in last.reason
    assert last.sent and last.received and last.expected
    assert last.hint and "\n" not in last.hint
    assert last.failure is None


@pytest.mark.parametrize(
    ("mode", "number", "outcome", "hint"),
    [
        ("dies-at-hello", 2, "cannot-start", "ValueError: the tail of stderr"),
        ("silent-at-hello", 2, "hung", "flush"),
        ("banner", 2, "protocol-error", "standard output"),
        ("wrong-version", 2, "protocol-error", "versions"),
        ("buffered", 7, "hung", "held back"),
        ("byte-order-mark", 7, "protocol-error", "byte-order mark"),
        ("no-line-end", 7, "protocol-error", "line feed"),
        ("id-as-text", 7, "protocol-error", "`id`"),
        ("says-twice", 7, "protocol-error", "one line for each request"),
        ("applied-as-text", 7, "protocol-error", "apply.reply.json"),
        ("exits", 7, "crashed", "ValueError: the tail of stderr"),
    ],
)
def test_a_misbehaving_process_gets_its_hint(engines, quick, setup, mode, number, outcome, hint):
    """A failure of the process stops at the step where it shows, carries its outcome, and the hint names the usual cause."""
    limits = quick if mode != "silent-at-hello" else quick.scaled(0.02)
    last = smoke(engines(mode), setup, limits).steps[-1]
    if mode == "says-twice":
        assert last.number in (7, 8)
    else:
        assert last.number == number
    assert last.status == "failed"
    assert type(last.failure).__struct_config__.tag == outcome
    assert hint in last.hint
    assert last.failure.evidence.messages


def test_what_cannot_start_fails_the_first_step(setup):
    """A command that is not there fails at step 1 with a hint, before anything is sent."""
    result = smoke("./no-such-engine", setup)
    (step,) = result.steps
    assert (step.number, step.status, step.sent) == (1, "failed", ())
    assert "path" in step.hint


def test_every_parting_fault_fails_the_last_step(engines, quick, setup, make_sample):
    """An engine that is fine until bye, and then does not exit with status 0, fails at the last step."""

    def fails_at_bye(self, request, answer):
        if request["op"] == "bye":
            raise SystemExit(0)
        return answer(request)

    result = smoke(Local("twisted", lambda: Twisted(make_sample(), fails_at_bye)), setup)
    assert len(result.steps) == len(STEPS)
    assert not result.passed
    assert result.steps[-1].failure.kind == "bye-unanswered"


@pytest.mark.parametrize("kind", get_args(ProtocolFault))
def test_every_protocol_fault_has_a_hint(kind):
    """No kind of protocol error is without its hint."""
    assert hint_for_failure(ProtocolError(kind, "reason"))


@pytest.mark.parametrize("kind", get_args(StartFault))
def test_every_start_fault_has_a_hint(kind):
    """No kind of failed start is without its hint."""
    assert hint_for_failure(CannotStart(kind, "reason"))


def test_steps_come_one_by_one(engines, quick, setup):
    """The steps can be watched as they are taken, and leaving early leaves no process."""
    steps = smoke_steps(engines("healthy"), setup, quick)
    assert next(steps).title == TITLES[0]
    assert next(steps).title == TITLES[1]
    assert len(engines.alive()) == 1
    steps.close()
    assert engines.alive() == []
