"""Is a Python object judged by the same verdicts as a process?"""

from __future__ import annotations

import os
import sys
import threading
import time

import pytest
from msgspec import structs

from patchwork_ref.conformance import protocol
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.limits import DEFAULT_LIMITS
from patchwork_ref.conformance.outcomes import CannotStart, Crashed, Hung, ProtocolError
from patchwork_ref.conformance.protocol import Advance
from patchwork_ref.conformance.targets import Local

SHORT = structs.replace(DEFAULT_LIMITS, apply=0.1)


class Tiny:
    """A sound handler; `spoil` turns its reply to `apply` into something else."""

    def __init__(self, spoil=lambda request, reply: reply):
        self.spoil = spoil
        self.seen = []

    def handle(self, request):
        self.seen.append(request)
        reply = {"id": request["id"], "ok": True}
        if request["op"] == "hello":
            reply |= {"protocol": 1, "engine": {"name": "tiny", "version": "1"}, "capabilities": ()}
        if request["op"] == "apply":
            return self.spoil(request, reply | {"applied": len(request["actions"])})
        return reply


def visit(spoil, limits=DEFAULT_LIMITS):
    """Hello, one advance, bye: the reply to the advance, and what went wrong."""
    with Connection.open(Local("tiny", lambda: Tiny(spoil)), limits) as connection:
        reply = connection.apply("g", [Advance()])
        connection.bye()
        return reply, connection.failure


def raises(error):
    """A spoiler that raises."""

    def spoil(request, reply):
        raise error

    return spoil


def test_a_sound_object_is_a_sound_engine():
    """An object that answers as the page says has no outcome; tuples stand for lists."""
    reply, failure = visit(lambda request, reply: reply)
    assert reply == protocol.ApplyReply(2, 1)
    assert failure is None


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        (ValueError("no such patch"), None, "ValueError: no such patch"),
        (RecursionError("deep"), None, "RecursionError"),
        (KeyboardInterrupt(), None, "KeyboardInterrupt"),
        (SystemExit(4), 4, "status 4"),
        (SystemExit(), 0, "status 0"),
    ],
)
def test_an_exception_is_a_crash(error, status, says):
    """What an engine raises, an exit included, is `crashed`, with its traceback where standard error would be."""
    _, failure = visit(raises(error))
    assert isinstance(failure, Crashed)
    assert failure.status == status
    assert says in failure.reason
    assert "in spoil" in failure.evidence.stderr


def endless(request, reply):
    while True:
        pass


def stubborn(request, reply):
    while True:
        try:
            time.sleep(0.01)
        except SystemExit:
            return reply


@pytest.mark.parametrize("spoil", [endless, stubborn])
def test_an_object_that_does_not_return_hangs(spoil):
    """A call beyond the time limit is `hung`, and its thread does not go on using the processor."""
    before = threading.active_count()
    _, failure = visit(spoil, SHORT)
    assert isinstance(failure, Hung)
    deadline = time.monotonic() + 2
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before


@pytest.mark.parametrize(
    ("spoil", "kind"),
    [
        (lambda request, reply: None, "garbage"),
        (lambda request, reply: "{}", "garbage"),
        (lambda request, reply: protocol.ApplyReply(2, 1), "garbage"),
        (lambda request, reply: reply | {"id": 9}, "wrong-id"),
        (lambda request, reply: reply | {"id": "2"}, "wrong-id"),
        (lambda request, reply: reply | {"applied": "1"}, "invalid-message"),
        (lambda request, reply: reply | {"applied": 1.0}, "invalid-message"),
        (lambda request, reply: reply | {"x": object()}, "invalid-message"),
        (lambda request, reply: reply | {"x": "\ud800"}, "not-utf-8"),
        (lambda request, reply: reply | {"x": "y" * 2**20}, "line-too-long"),
    ],
)
def test_a_wrong_reply_is_a_protocol_error(spoil, kind):
    """A reply that is none gets the same kind as over the pipe."""
    _, failure = visit(spoil)
    assert isinstance(failure, ProtocolError)
    assert failure.kind == kind


def test_what_an_engine_prints_is_not_ours(capsys):
    """A print goes to the evidence and not to our standard output, which belongs to reports."""

    def prints(request, reply):
        print("thinking")
        raise ValueError

    _, failure = visit(prints)
    assert failure.evidence.stderr.startswith("thinking\nTraceback")
    assert capsys.readouterr().out == ""
    assert sys.stdout is not None


def test_requests_are_not_shared():
    """An engine that writes into its request changes nothing of ours, nor the next request."""
    tiny = Tiny(lambda request, reply: request["actions"].clear() or reply)
    with Connection.open(Local("tiny", lambda: tiny)) as connection:
        actions = [Advance()]
        assert connection.apply("g", actions) == protocol.ApplyReply(2, 1)
        assert actions == [Advance()]
        connection.apply("g", actions)
    assert type(tiny.seen[0]["protocol"]) is list


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module in the working directory, as a user has it."""
    (tmp_path / "my_quilt.py").write_text(
        "class Engine:\n"
        "    def handle(self, request):\n"
        "        return {'id': request['id'], 'ok': True, 'protocol': 1, 'capabilities': [],\n"
        "                'engine': {'name': 'mine', 'version': '1'}}\n"
        "class Broken:\n"
        "    def __init__(self):\n"
        "        raise OSError('no table')\n"
        "class Mute: pass\n"
        "number = 3\n"
    )
    (tmp_path / "bad_quilt.py").write_text("import no_such_library\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path not in ("", os.getcwd())])
    yield
    sys.modules.pop("my_quilt", None)


def test_a_class_is_found_in_the_working_directory(module):
    """`python:module:Class` imports from where the user stands, and says who answers."""
    with Connection.open("python:my_quilt:Engine") as connection:
        assert connection.engine.name == "mine"
        assert connection.bye() is None


@pytest.mark.parametrize(
    ("engine", "kind", "says"),
    [
        ("python:no_such_module:Engine", "not-found", "no_such_module"),
        ("python:my_quilt.sub:Engine", "not-found", "my_quilt"),
        ("python:my_quilt:Missing", "not-found", "Missing"),
        ("python:my_quilt:number", "not-executable", "no class"),
        ("python:my_quilt:Mute", "not-executable", "handle"),
        ("python:my_quilt:Broken", "died-at-hello", "no table"),
        ("python:bad_quilt:Engine", "died-at-hello", "no_such_library"),
        ("python:my_quilt", "bad-command", "python:module:Class"),
        ("python:my-quilt:Engine", "bad-command", "python:module:Class"),
    ],
)
def test_what_is_no_engine_cannot_start(module, engine, kind, says):
    """A module, class or method that is missing, or fails to load, is `cannot-start` and names the culprit."""
    found = Connection.open(engine)
    assert isinstance(found, CannotStart), found
    assert found.kind == kind
    assert says in found.reason
    assert ("Traceback" in found.evidence.stderr) == (kind == "died-at-hello")
