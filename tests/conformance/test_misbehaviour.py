"""Is every kind of misbehaviour a named outcome, with evidence, and is nothing of the engine left afterwards?

Every engine here is a real process (`misbehaving/engine.py MODE`). The fixture `engines` checks after each test that
no process of it is alive and none is a zombie.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from patchwork_ref.conformance import protocol
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.limits import TimeLimits
from patchwork_ref.conformance.outcomes import CannotStart, Crashed, Failure, Hung, ProtocolError, outcome_name
from patchwork_ref.conformance.protocol import Advance, Setup

MEBIBYTE = 2**20


def converse(engine: str, limits: TimeLimits, setup: Setup) -> Failure | None:
    """A short visit: hello, new, two advances, end, bye; what went wrong, if anything did."""
    connection = Connection.open(engine, limits)
    if not isinstance(connection, Connection):
        return connection
    with connection:
        connection.new("g", setup)
        connection.apply("g", [Advance()])
        connection.apply("g", [Advance()])
        connection.end("g")
        connection.bye()
        return connection.failure


def resident() -> int:
    """Our resident memory in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


@pytest.mark.parametrize("mode", ["healthy", "chatters-on-stderr"])
def test_a_sound_engine_has_no_outcome(engines, patient, setup, mode):
    """An engine that keeps to the protocol is parted with in peace, a megabyte of log for each request included."""
    assert converse(engines(mode), patient, setup) is None


@pytest.mark.parametrize(
    ("mode", "status", "signal_name"),
    [
        ("exits", 7, None),
        ("exits-with-zero", 0, None),
        ("segfault", None, "SIGSEGV"),
        ("dies-with-child-on-output", 5, None),
        ("exits-badly-after-bye", 9, None),
    ],
)
def test_an_engine_that_ends_by_itself_has_crashed(engines, patient, setup, mode, status, signal_name):
    """A process that ends unasked is `crashed`, with its exit status or its signal, even if a grandchild holds its pipes."""
    failure = converse(engines(mode), patient, setup)
    assert isinstance(failure, Crashed)
    assert (failure.status, failure.signal) == (status, signal_name)


@pytest.mark.parametrize(
    ("mode", "buffered"),
    [
        ("silent", False),
        ("buffered", True),
        ("stops-itself", False),
        ("closes-input", False),
        ("ignores-sigterm", False),
        ("child", False),
        ("child-with-clean-environment", False),
        ("child-of-own-session", False),
        ("silent-at-hello", False),
    ],
)
def test_a_silent_engine_hangs(engines, quick, setup, mode, buffered):
    """Silence beyond the time limit is `hung`; a reply that comes out when its input closes is told apart as buffered."""
    limits = quick if "hello" not in mode else TimeLimits(start=0.25)
    began = time.monotonic()
    failure = converse(engines(mode), limits, setup)
    assert isinstance(failure, Hung)
    assert failure.buffered == buffered
    assert failure.seconds == 0.25
    assert time.monotonic() - began < 4


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        ("wrong-version", "wrong-version"),
        ("banner", "garbage"),
        ("debug-print", "garbage"),
        ("empty-line", "garbage"),
        ("number", "garbage"),
        ("nests-deeply", "garbage"),
        ("byte-order-mark", "byte-order-mark"),
        ("utf-16", "byte-order-mark"),
        ("latin-1", "not-utf-8"),
        ("endless-line", "line-too-long"),
        ("no-line-end", "unfinished-line"),
        ("dribble", "unfinished-line"),
        ("half-a-line", "unfinished-line"),
        ("closes-output", "closed-output"),
        ("id-of-another", "wrong-id"),
        ("id-always-one", "wrong-id"),
        ("id-as-text", "wrong-id"),
        ("no-id", "wrong-id"),
        ("applied-as-text", "invalid-message"),
        ("applied-as-float", "invalid-message"),
        ("applied-wrong", "invalid-message"),
        ("no-ok", "invalid-message"),
        ("no-without-reason", "invalid-message"),
        ("two-noes", "invalid-message"),
        ("rejects-new", "invalid-message"),
        ("says-twice", "extra-output"),
        ("output-after-bye", "output-after-bye"),
        ("no-exit-after-bye", "no-exit-after-bye"),
        ("bye-unanswered", "bye-unanswered"),
    ],
)
def test_an_engine_that_does_not_keep_to_the_protocol_is_told_how(engines, quick, patient, setup, mode, kind):
    """Each way of breaking the protocol is a `protocol-error` of its own kind, whatever the timing."""
    waits = mode in ("no-line-end", "dribble", "no-exit-after-bye")
    failure = converse(engines(mode), quick if waits else patient, setup)
    assert isinstance(failure, ProtocolError), failure
    assert failure.kind == kind
    assert failure.reason and "\n" not in failure.reason and len(failure.reason) < 400


def test_a_wrong_id_is_told_from_a_line_too_many_every_time(engines, patient, setup):
    """Where a second line may come before or after we look for it, the verdict is the same in ten runs."""
    found = {getattr(converse(engines("says-twice"), patient, setup), "kind", None) for _ in range(10)}
    assert found == {"extra-output"}


@pytest.mark.parametrize(
    ("engine", "kind"),
    [
        ("/no/such/engine --fast", "not-found"),
        ("no-such-engine", "not-found"),
        ("/etc/passwd", "not-executable"),
        ("/etc", "not-executable"),
        ("", "bad-command"),
        ("engine 'unbalanced", "bad-command"),
        ("python:", "bad-command"),
    ],
)
def test_an_engine_that_is_not_there_cannot_start(quick, engine, kind):
    """What is no engine at all is `cannot-start` with its kind, and no exception."""
    failure = Connection.open(engine, quick)
    assert isinstance(failure, CannotStart)
    assert failure.kind == kind


def test_a_script_without_its_interpreter_cannot_start(quick, tmp_path):
    """A first line that names a missing interpreter is reported as that, not as a missing file."""
    script = tmp_path / "engine"
    script.write_text("#!/no/such/python\n")
    script.chmod(0o755)
    failure = Connection.open(str(script), quick)
    assert isinstance(failure, CannotStart)
    assert failure.kind == "not-found"
    assert "interpreter" in failure.reason


@pytest.mark.parametrize(("mode", "kind"), [("dies-at-hello", "died-at-hello"), ("refuses-hello", "refused-hello")])
def test_death_at_hello_cannot_start(engines, patient, setup, mode, kind):
    """An engine that dies at hello, or refuses it, cannot start; the evidence says why."""
    failure = converse(engines(mode), patient, setup)
    assert isinstance(failure, CannotStart)
    assert failure.kind == kind
    assert failure.evidence.op == "hello"
    assert "status 3" in failure.reason or "not today" in failure.reason


def test_a_failure_carries_its_evidence(engines, patient, setup):
    """A failure keeps the operation in flight, the last messages in both directions, and the tail of stderr."""
    failure = converse(engines("exits"), patient, setup)
    assert failure is not None
    assert outcome_name(failure) == "crashed"
    assert failure.evidence.op == "apply"
    assert failure.evidence.request == 3
    assert failure.evidence.stderr.endswith("ValueError: the tail of stderr\n")
    last = failure.evidence.messages[-1]
    assert (last.direction, last.size) == ("sent", len(last.text) + 1)
    assert '"apply"' in last.text
    assert [message.direction for message in failure.evidence.messages] == ["sent", "received"] * 2 + ["sent"]


def test_evidence_is_bounded(engines, patient, setup):
    """However long a conversation and its lines are, only the last messages are kept, each cut, its length stated."""
    with Connection.open(engines("healthy"), patient) as connection:
        connection.new("g", setup)
        for _ in range(50):
            connection.apply("g", [Advance()] * 1000)
        kept = connection.messages()
    assert len(kept) == 20
    assert max(len(message.text) for message in kept) <= 2000
    assert max(message.size for message in kept) > 15_000


@pytest.mark.parametrize("mode", ["endless-line", "endless-lines", "stderr-flood", "dribble"])
def test_a_flood_is_cut_off_in_bounded_memory_and_time(engines, quick, setup, mode):
    """Ten gigabytes on either stream cost us neither memory nor more than the time limit."""
    before, began = resident(), time.monotonic()
    failure = converse(engines(mode), quick, setup)
    assert failure is not None
    assert time.monotonic() - began < 4
    assert resident() - before < 16 * MEBIBYTE
    assert len(failure.evidence.stderr) <= 8192


def test_a_request_that_is_not_read_does_not_block_us(engines, quick):
    """A request larger than a pipe, to an engine that never reads, ends in `hung` at its time limit."""
    connection = Connection.open(engines("never-reads"), quick)
    assert isinstance(connection, Connection)
    began = time.monotonic()
    failure = connection.apply("g", [Advance()] * 40_000)
    assert isinstance(failure, Hung)
    assert "not read" in failure.reason
    assert time.monotonic() - began < 4


def test_a_large_request_reaches_a_chattering_engine(engines, quick):
    """A request near the limit goes through although the engine fills its stderr meanwhile."""
    with Connection.open(engines("chatters-on-stderr"), TimeLimits()) as connection:
        reply = connection.apply("g", [Advance()] * 40_000)
    assert isinstance(reply, protocol.ApplyReply)


def test_after_a_failure_every_request_returns_it(engines, patient, setup):
    """A connection that has failed stays failed with the same value, and never talks to a dead process."""
    connection = Connection.open(engines("exits"), patient)
    first = connection.apply("g", [Advance()])
    assert connection.new("g", setup) is first
    assert connection.bye() is first


def test_a_child_left_behind_at_bye_is_ended(engines, patient, setup):
    """A grandchild that outlives a polite exit is ended too (the fixture looks for it)."""
    assert converse(engines("leaves-child"), patient, setup) is None


def test_leaving_without_a_word_ends_the_process(engines, patient):
    """Closing a live connection, twice even, leaves no process."""
    connection = Connection.open(engines("healthy"), patient)
    connection.close()
    connection.close()
    assert engines.alive() == []
    assert engines.zombies() == []
    assert connection.closed


def test_an_engine_has_a_process_group_of_its_own(engines, patient):
    """Ctrl-C in a terminal goes to our process group, and the engine is not in it: ending it is our business alone."""
    with Connection.open(engines("healthy"), patient):
        (found,) = engines.alive()
        pid = int(found.split(":")[0])
        assert os.getpgid(pid) == os.getsid(pid) == pid


def test_an_interrupted_request_ends_its_engine(engines, patient):
    """An interrupt in the middle of a request ends the engine at once, before anybody cleans up."""

    def interrupt(number, frame):
        raise KeyboardInterrupt

    connection = Connection.open(engines("ignores-sigterm"), patient)
    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        with pytest.raises(KeyboardInterrupt):
            connection.apply("g", [Advance()])
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert engines.alive() == []
    assert connection.closed


def test_an_interrupt_leaves_no_child(engines, root):
    """Ctrl-C in the middle of a request ends the program with no engine left, though its owner cleans up nothing."""
    program = textwrap.dedent("""
        import sys
        from patchwork_ref.conformance.connection import Connection
        connection = Connection.open(sys.argv[1])
        print("asking", flush=True)
        connection.apply("g", [])
    """)
    ours = subprocess.Popen(
        [sys.executable, "-c", program, engines("ignores-sigterm")], cwd=root, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert ours.stdout is not None and ours.stderr is not None
    ours.stdout.readline()
    deadline = time.monotonic() + 5
    while not engines.alive() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.1)
    os.kill(ours.pid, signal.SIGINT)
    assert "KeyboardInterrupt" in ours.stderr.read()
    ours.wait(timeout=5)
    ours.stdout.close()
    ours.stderr.close()
    assert engines.alive() == []


def test_our_own_end_takes_an_open_connection_along(engines, root):
    """A program that forgets its connection leaves no engine when it ends, not even one that ignores the end of its input."""
    program = "import sys; from patchwork_ref.conformance.connection import Connection; held = Connection.open(sys.argv[1])"
    subprocess.run([sys.executable, "-c", program, engines("never-reads")], cwd=root, check=True, timeout=20)
    assert engines.alive() == []


def test_the_command_line_goes_through_no_shell(quick, tmp_path):
    """Quotes are honoured, and nothing in an ENGINE text is run by a shell."""
    mark = tmp_path / "run by a shell"
    failure = Connection.open(f"{sys.executable} -c 'pass' ; touch '{mark}'", quick)
    assert isinstance(failure, CannotStart)
    assert not mark.exists()
