"""How do lines go to and from an engine's process, whatever that process does?

One `poll` loop moves all three pipes under one deadline: a request is written as far as the engine takes it, the reply
is read up to its line end, standard error is drained into a short tail. So no pipe can fill up and block the other
side, nothing here grows with what the engine prints, and no thread stands between a request and its reply.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import shutil
import signal
import subprocess
import time
import weakref

from patchwork_ref.conformance import reaping
from patchwork_ref.conformance.outcomes import CannotStart, Crashed, Failure, Hung, ProtocolError
from patchwork_ref.conformance.protocol import LINE_LIMIT

STDERR_TAIL = 8192
_CHUNK = 65536
_SLICE = 0.1  # seconds: how often a silent engine's process is looked at
_MOMENT = 0.005  # seconds: the same, while its end is expected
_LINGER = 0.3  # seconds: how long we wait for what should follow at once (an exit after its output closed, a flush)

_live: weakref.WeakSet[ProcessTransport] = weakref.WeakSet()


class ProcessTransport:
    """One spawned engine and its three pipes. Every method returns within its time; none raises for the engine's sake."""

    def __init__(self, process: subprocess.Popen[bytes], mark: str) -> None:
        assert process.stdin and process.stdout and process.stderr
        self._process = process
        self._mark = mark
        self._in, self._out, self._err = (pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr))
        self._poll = select.poll()
        for fd in (self._in, self._out, self._err):
            os.set_blocking(fd, False)
        for fd in (self._out, self._err):
            self._poll.register(fd, select.POLLIN)
        self._outgoing = b""
        self._writing = False
        self._received = bytearray()
        self._searched = 0
        self._stderr = bytearray()
        self._out_open = self._err_open = True
        _live.add(self)

    @classmethod
    def spawn(cls, argv: tuple[str, ...]) -> ProcessTransport | CannotStart:
        """Start the process in a session of its own."""
        mark = reaping.new_mark()
        try:
            process = subprocess.Popen(
                argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                start_new_session=True, env={**os.environ, mark: ""},
            )  # fmt: skip
        except FileNotFoundError:
            return CannotStart("not-found", _why_not_found(argv[0]))
        except PermissionError:
            return CannotStart("not-executable", f"{argv[0]!r} is there, but may not be executed")
        except OSError as error:
            return CannotStart("not-executable", f"{argv[0]!r} cannot be executed: {error.strerror}")
        return cls(process, mark)

    def exchange(self, line: bytes, seconds: float) -> bytes | Failure:
        """Send one line and return the line that comes back, without its line end."""
        deadline = time.monotonic() + seconds
        self._outgoing = line
        self._write()
        while True:
            reply = self._take_line()
            if reply is not None:
                if self._outgoing:
                    return ProtocolError("extra-output", "a line came before the request had been read")
                return reply
            if len(self._received) > LINE_LIMIT:
                return self._line_too_long()
            if not self._out_open:
                return self._ended()
            if not self._wait(deadline):
                return self._timed_out(seconds)

    def peek(self, seconds: float) -> bytes | None:
        """One more line, if one comes within `seconds`; asked only when something is wrong already."""
        deadline = time.monotonic() + seconds
        while (line := self._take_line()) is None:
            if not self._out_open or len(self._received) > LINE_LIMIT or not self._wait(deadline):
                return None
        return line

    def farewell(self, seconds: float) -> Failure | None:
        """After the reply to bye: the process must fall silent and exit with status 0."""
        deadline = time.monotonic() + seconds
        while not self._received and not reaping.has_exited(self._process.pid):
            if not self._wait(deadline, _MOMENT):
                reason = f"the process did not exit within {seconds:g} s after bye"
                return ProtocolError("no-exit-after-bye", reason)
        self._drain()
        if self._received:
            return ProtocolError("output-after-bye", f"after the reply to bye it printed {_excerpt(self._received)}")
        crashed = self._crashed()
        return crashed if crashed.status or crashed.signal else None

    def stderr_tail(self) -> str:
        """The end of what the engine wrote to standard error."""
        return self._stderr.decode(errors="replace")

    def kill(self) -> None:
        """End the process and all it started, and close the pipes. Idempotent."""
        reaping.end_process(self._process, self._mark)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                if pipe:
                    pipe.close()
        self._out_open = self._err_open = False
        self._received.clear()
        _live.discard(self)

    # --- moving bytes --------------------------------------------------------------------------------------------

    def _wait(self, deadline: float, longest: float = _SLICE) -> bool:
        """Move what can be moved; False when the deadline has passed."""
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        events = self._poll.poll(min(left, longest) * 1000)
        for fd, _ in events:
            if fd == self._out:
                self._read_out()
            elif fd == self._err:
                self._read_err()
            else:
                self._write()
        if not events and reaping.has_exited(self._process.pid):
            self._drain()
            self._out_open = False  # a grandchild may hold the pipe open: nobody will answer on it
        return True

    def _write(self) -> None:
        """Write as much of the request as the pipe takes; poll for room while some is left."""
        try:
            while self._outgoing:
                self._outgoing = self._outgoing[os.write(self._in, self._outgoing) :]
        except BlockingIOError:
            if not self._writing:
                self._poll.register(self._in, select.POLLOUT)
                self._writing = True
            return
        except OSError:
            self._outgoing = b""  # it reads no more: what follows (its end, or silence) is the verdict
        if self._writing:
            self._poll.unregister(self._in)
            self._writing = False

    def _read_out(self) -> bool:
        chunk = _read(self._out)
        if chunk:
            self._received += chunk
        elif chunk is not None and self._out_open:
            self._poll.unregister(self._out)
            self._out_open = False
        return bool(chunk)

    def _read_err(self) -> bool:
        chunk = _read(self._err)
        if chunk:
            self._stderr += chunk
            del self._stderr[:-STDERR_TAIL]
        elif chunk is not None and self._err_open:
            self._poll.unregister(self._err)
            self._err_open = False
        return bool(chunk)

    def _drain(self) -> None:
        """Read what a dead process left in its pipes, which is at most what a pipe holds."""
        while self._out_open and len(self._received) <= LINE_LIMIT and self._read_out():
            pass
        for _ in range(64):
            if not (self._err_open and self._read_err()):
                break

    def _take_line(self) -> bytes | None:
        end = self._received.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._received)
            return None
        line = bytes(memoryview(self._received)[:end])
        del self._received[: end + 1]
        self._searched = 0
        return line

    # --- verdicts ------------------------------------------------------------------------------------------------

    def _line_too_long(self) -> Failure:
        reason = f"more than {LINE_LIMIT} bytes without a line end, starting {_excerpt(self._received)}; the rest was cut off"
        return ProtocolError("line-too-long", reason)

    def _ended(self) -> Failure:
        """Its output is closed: say how the process ended, or that it did not."""
        deadline = time.monotonic() + _LINGER
        while not reaping.has_exited(self._process.pid):
            if not self._wait(deadline, _MOMENT):
                return ProtocolError("closed-output", "standard output was closed, but the process lives on")
        self._drain()
        crashed = self._crashed()
        if self._received and crashed.status == 0:
            reason = f"exit with status 0 in the middle of a line: {_excerpt(self._received)}"
            return ProtocolError("unfinished-line", reason)
        return crashed

    def _crashed(self) -> Crashed:
        info = reaping.how_it_ended(self._process.pid)
        if info is None:
            return Crashed("the process is gone, and how it ended is not known")
        if info.si_code == os.CLD_EXITED:
            return Crashed(f"the process exited with status {info.si_status}", status=info.si_status)
        name = _signal_name(info.si_status)
        return Crashed(f"the process was ended by signal {name}", signal=name)

    def _timed_out(self, seconds: float) -> Failure:
        """Tell apart: half a line, a reply held back in a buffer, silence."""
        if self._received:
            reason = f"{len(self._received)} bytes without a line end within {seconds:g} s: {_excerpt(self._received)}"
            return ProtocolError("unfinished-line", reason)
        if self._outgoing:
            return Hung(f"the request was not read within {seconds:g} s", seconds)
        with contextlib.suppress(OSError):
            if self._process.stdin:
                self._process.stdin.close()  # a program that buffers its output writes it when it ends
        deadline = time.monotonic() + _LINGER
        while self._out_open and not self._received and self._wait(deadline, 0.05):
            pass
        buffered = bool(self._received)
        when = "; a reply came only after we closed its input" if buffered else ""
        return Hung(f"no reply within {seconds:g} s{when}", seconds, buffered)


def _read(fd: int) -> bytes | None:
    """What is there: b"" at the end of the stream, None when there is nothing yet."""
    try:
        return os.read(fd, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _excerpt(data: bytes | bytearray) -> str:
    return repr(data[:60].decode(errors="replace")) + ("..." if len(data) > 60 else "")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _why_not_found(program: str) -> str:
    if os.sep not in program and os.path.exists(program):
        return f"there is no command {program!r}; the file of that name in this folder is run as ./{program}"
    if os.path.exists(program) or shutil.which(program):
        return f"{program!r} is there, but not the interpreter that its first line names"
    return f"there is no command {program!r}"


@atexit.register
def _end_all() -> None:
    for transport in list(_live):
        transport.kill()
