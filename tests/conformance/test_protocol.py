"""Is a message read exactly as strictly as the protocol is, and is what is wrong with it said in one line?"""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import msgspec
import pytest
from msgspec import UNSET

from patchwork_ref.conformance import limits, outcomes, protocol, schemas, smoke, targets, visit, wire
from patchwork_ref.conformance.protocol import Advance, ApplyReply, Buy, DoneReply, HelloReply, ScoreReply, Special, StateReply
from patchwork_ref.conformance.wire import Malformed, UnknownOp, decode_reply, decode_request, encode, setup_from

QUILT = "#" * 40 + "." * 41


def line(**fields: Any) -> bytes:
    """A reply to request 7."""
    return json.dumps({"id": 7, "ok": True, **fields}).encode()


REQUESTS = [
    protocol.HelloRequest(1, (1,)),
    protocol.ApplyRequest(3, "g", (Advance(), Buy("A", (0, 1)), Special((40,)))),
    protocol.StateRequest(4, "g"),
    protocol.LegalRequest(5, "g"),
    protocol.LegalRequest(5, "g", "count"),
    protocol.ScoreRequest(6, "g"),
    protocol.PerftRequest(7, "g", 3),
    protocol.EndRequest(8, "g"),
    protocol.ByeRequest(9),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda r: type(r).__name__)
def test_a_request_survives_the_wire(request_):
    """What one end encodes, the other end decodes to the same value; the line is valid under its schema."""
    text = encode(request_)
    assert text.endswith(b"\n") and text.count(b"\n") == 1
    assert decode_request(text) == request_
    op = type(request_).__struct_config__.tag
    jsonschema.Draft202012Validator(schemas.all_schemas()[f"{op}.request"]).validate(json.loads(text))


def test_a_setup_survives_the_wire(setup, setup_data):
    """A set-up is read and written without loss, from an object or from the text of a file."""
    assert decode_request(encode(protocol.NewRequest(2, "g", setup))) == protocol.NewRequest(2, "g", setup)
    assert json.loads(msgspec.json.encode(setup)) == setup_data
    assert setup_from(json.dumps(setup_data).encode()) == setup
    jsonschema.Draft202012Validator(schemas.all_schemas()["setup"]).validate(setup_data)


def test_a_missing_neutral_token_stays_missing(setup_data):
    """A set-up without `neutral_token` is sent without it."""
    data = {key: value for key, value in setup_data.items() if key != "neutral_token"}
    found = setup_from(data)
    assert found.neutral_token is UNSET
    assert b"neutral_token" not in encode(protocol.NewRequest(1, "g", found))


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"first_player": 2}, "first_player"),
        ({"start_buttons": "5"}, "start_buttons"),
        ({"patches": {"A": {"shape": ["#x"], "cost": 1, "time": 1, "income": 0}}}, "patches"),
        ({"circle": "ABC"}, "circle"),
        ({"time_board": {"last": 53, "income": []}}, "special"),
    ],
)
def test_a_wrong_setup_names_the_field(setup_data, change, where):
    """What is wrong with a set-up is a value whose reason names the field."""
    found = setup_from({**setup_data, **change})
    assert isinstance(found, Malformed)
    assert where in found.reason


GOOD = [
    (line(extra={"unknown": [1]}), DoneReply),
    (line(applied=3), ApplyReply),
    (line(protocol=1, engine={"name": "e", "version": "1", "mood": "fine"}, capabilities=["state", "new-one"]), HelloReply),
    (line(state={}), StateReply),
    (line(state={"turn": None, "finished": True, "players": [{"quilt": QUILT}, {}], "x": 1}), StateReply),
    (line(scores=[-162, 7], winner=None), ScoreReply),
    (b' {"ok" : true,\t"id":7} \r', DoneReply),
]


@pytest.mark.parametrize(("text", "kind"), GOOD)
def test_a_sound_reply_is_read(text, kind):
    """A reply with the fields of its operation is read; fields that are not known are passed over."""
    assert isinstance(decode_reply(text, 7, kind), kind)


def test_what_is_not_reported_is_not_observed():
    """A field that an engine leaves out is UNSET, which is neither null nor any value."""
    reply = decode_reply(line(state={"turn": None, "players": [{"buttons": 3}, {}]}), 7, StateReply)
    assert reply.state.turn is None
    assert reply.state.circle is UNSET
    assert reply.state.players[0].buttons == 3
    assert reply.state.players[1].buttons is UNSET


def test_wrong_game_values_are_answers():
    """A number that the rules forbid is no broken message: it is read, to be shown as a wrong answer."""
    state = decode_reply(line(state={"players": [{"buttons": -3, "space": 99}, {}]}), 7, StateReply)
    assert state.state.players[0].buttons == -3
    legal = decode_reply(line(actions=[{"type": "buy", "patch": "A", "cells": [85, 3]}]), 7, protocol.LegalReply)
    assert legal.actions == (Buy("A", (85, 3)),)


BAD = [
    (line(applied="3"), ApplyReply, "invalid-message", "applied"),
    (line(applied=3.0), ApplyReply, "invalid-message", "applied"),
    (line(applied=-1), ApplyReply, "invalid-message", "applied"),
    (line(applied=True), ApplyReply, "invalid-message", "applied"),
    (line(), ApplyReply, "invalid-message", "applied"),
    (line(state={"turn": 2}), StateReply, "invalid-message", "state.turn"),
    (line(state={"circle": None}), StateReply, "invalid-message", "state.circle"),
    (line(state={"players": [{}]}), StateReply, "invalid-message", "state.players"),
    (line(state={"players": [{}, {"quilt": "." * 80}]}), StateReply, "invalid-message", "players[1].quilt"),
    (line(state={"players": [{}, {"quilt": "x" * 81}]}), StateReply, "invalid-message", "players[1].quilt"),
    (line(state={"players": [{}, {"quilt": "." * 80 + "\n"}]}), StateReply, "invalid-message", "players[1].quilt"),
    (line(scores=[1, 2]), ScoreReply, "invalid-message", "winner"),
    (line(scores=[1, 2], winner=2), ScoreReply, "invalid-message", "winner"),
    (line(scores=[1], winner=0), ScoreReply, "invalid-message", "scores"),
    (line(actions=[{"type": "pass"}]), protocol.LegalReply, "invalid-message", "actions[0].type"),
    (line(ok="yes"), DoneReply, "invalid-message", "ok"),
    (b'{"id": 7}', DoneReply, "invalid-message", "no field `ok`"),
    (line(ok=False), DoneReply, "invalid-message", "none"),
    (line(ok=False, error={"message": ""}, unsupported=True), DoneReply, "invalid-message", "error and unsupported"),
    (line(ok=False, error=None, unsupported=True), DoneReply, "invalid-message", "error and unsupported"),
    (line(ok=False, unsupported=False), DoneReply, "invalid-message", "unsupported"),
    (line(ok=False, error="oops"), DoneReply, "invalid-message", "error"),
    (line(ok=False, skipped={}), DoneReply, "invalid-message", "reason"),
    (line(ok=False, reject={"code": "overlap"}, applied=0), DoneReply, "invalid-message", "apply"),
    (line(id=8), DoneReply, "wrong-id", "8"),
    (line(id="7"), DoneReply, "wrong-id", "id"),
    (line(id=None), DoneReply, "wrong-id", "id"),
    (line(id=10**400), DoneReply, "wrong-id", "digits"),
    (b'{"ok": true}', DoneReply, "wrong-id", "no id"),
    (b"", DoneReply, "garbage", "empty"),
    (b"Hello, world", DoneReply, "garbage", "Hello"),
    (b"[1, 2]", DoneReply, "garbage", "object"),
    (b"7", DoneReply, "garbage", "object"),
    (b'{"id": 7, "ok": true', DoneReply, "garbage", "truncated"),
    (b'{"id": 7, "ok": true} {"id": 8}', DoneReply, "garbage", "trailing"),
    (b'{"id": 7, "ok": true, "x": NaN}', DoneReply, "garbage", "NaN"),
    (b"{'id': 7}", DoneReply, "garbage", "keys"),
    (b"[" * 600_000, DoneReply, "garbage", "deeply"),
    (b"\xef\xbb\xbf" + line(), DoneReply, "byte-order-mark", "mark"),
    (line(x="a").replace(b"a", b"\xe4"), DoneReply, "not-utf-8", "0xe4"),
    (line(x="a" * 2**20), DoneReply, "line-too-long", "1048576"),
]


@pytest.mark.parametrize(("text", "expected", "kind", "says"), BAD, ids=lambda value: str(value)[:40])
def test_a_wrong_reply_is_told_in_one_line(text, expected, kind, says):
    """A line that is not the reply gives its kind and one short sentence that points at the place; nothing raises."""
    found = decode_reply(text, 7, expected)
    assert isinstance(found, Malformed)
    assert found.kind == kind
    assert says in found.reason
    assert "\n" not in found.reason and len(found.reason) < 300


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"reject": {"code": "overlap"}, "applied": 0}, protocol.Rejected),
        ({"reject": {}, "applied": 2}, protocol.Rejected),
        ({"reject": {"code": "house-rule"}, "applied": 0}, protocol.Rejected),
        ({"skipped": {"reason": "fixed table"}}, protocol.Skipped),
        ({"error": {"message": "oops"}, "trace": "..."}, protocol.EngineError),
        ({"unsupported": True}, protocol.Unsupported),
    ],
)
def test_the_four_ways_to_say_no_are_told_apart(fields, kind):
    """`reject`, `skipped`, `error` and `unsupported` are four different values."""
    assert isinstance(decode_reply(line(ok=False, **fields), 7, ApplyReply, rejectable=True), kind)


def test_a_rejection_counts_what_came_before():
    """`reject` without `applied` leaves the state unknown, and is no reply."""
    found = decode_reply(line(ok=False, reject={"code": "overlap"}), 7, ApplyReply, rejectable=True)
    assert isinstance(found, Malformed)
    assert "applied" in found.reason


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b'{"op": "undo", "id": 3}', UnknownOp(3, "undo")),
        (b'{"op": "bye", "id": 3, "why": "tired"}', protocol.ByeRequest(3)),
        (b'{"op": "legal", "id": 3, "game": "g"}', protocol.LegalRequest(3, "g", "actions")),
    ],
)
def test_an_engine_reads_requests_as_the_page_says(text, found):
    """The engine's side tells an unknown operation from a request, and passes over unknown fields."""
    assert decode_request(text) == found


@pytest.mark.parametrize("text", [b"", b"x", b"[]", b'{"op": "bye"}', b'{"op": 1, "id": 1}', b'{"op": "end", "id": 1}', b"\xff"])
def test_a_request_that_is_none_is_a_value(text):
    """Whatever arrives on the engine's side, reading it raises nothing."""
    assert isinstance(decode_request(text), Malformed)


@pytest.mark.parametrize("module", [protocol, wire, outcomes, limits, targets, smoke, visit], ids=lambda module: module.__name__)
def test_values_cannot_be_changed(module):
    """Every message, outcome and result of the room is frozen."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    kinds.remove(msgspec.Struct)
    assert kinds
    assert [kind.__name__ for kind in kinds if not kind.__struct_config__.frozen] == []


def test_the_published_schemas_are_what_the_structs_give(root):
    """`docs/schemas/` holds exactly the files that `rendered` gives (write them with `write_schemas`)."""
    folder = root / "docs" / "schemas"
    assert {path.name: path.read_text() for path in folder.iterdir()} == schemas.rendered()


def test_the_published_schemas_are_sound():
    """Each published schema is itself valid, and there is one for the request and the reply of every operation."""
    found = schemas.all_schemas()
    for schema in found.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    assert set(found) == {"setup"} | {f"{op}.{way}" for op in protocol.ANSWERS for way in ("request", "reply")}


@pytest.mark.parametrize(("text", "expected"), [bad[:2] for bad in BAD if bad[2] == "invalid-message" and b"3.0" not in bad[0]])
def test_schemas_and_structs_refuse_the_same(text, expected):
    """What the reader refuses as a message, the published schema of the reply refuses too (`5.0` aside, which JSON Schema calls an integer)."""
    op = next(op for op, kinds in protocol.ANSWERS.items() if expected in kinds)
    validator = jsonschema.Draft202012Validator(schemas.all_schemas()[f"{op}.reply"])
    assert not validator.is_valid(json.loads(text))


@pytest.mark.parametrize(("text", "kind"), GOOD)
def test_schemas_and_structs_accept_the_same(text, kind):
    """What the reader accepts, the published schema of the reply accepts too."""
    op = next(op for op, kinds in protocol.ANSWERS.items() if kind in kinds)
    jsonschema.Draft202012Validator(schemas.all_schemas()[f"{op}.reply"]).validate(json.loads(text))
