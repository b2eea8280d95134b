"""How is a Python object judged by the same verdicts as a process?

The object's calls run on one thread of its own, so that a call that never returns can be given up. Requests and
replies pass through JSON like everything else: the engine gets fresh values and cannot share ours. What it prints
on standard output, and the traceback of what it raises, take the place of standard error.
"""

from __future__ import annotations

import ctypes
import importlib
import io
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

import msgspec

from patchwork_ref.conformance.outcomes import CannotStart, Crashed, Evidence, Failure, Hung, ProtocolError
from patchwork_ref.conformance.process import STDERR_TAIL
from patchwork_ref.conformance.targets import Handler, Local, PythonClass

_GIVE_UP = 0.2  # seconds in which an abandoned call is asked to stop


class InProcessTransport:
    """One in-process engine. A crash or a hang ends it; a fresh one is a new object of the same class."""

    def __init__(self) -> None:
        self._log = _Tail()
        self._jobs: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="in-process engine", daemon=True)
        self._handler: Handler | None = None
        self._thread.start()

    @classmethod
    def start(cls, target: PythonClass | Local, seconds: float) -> InProcessTransport | Failure:
        """Import, construct, and be ready for hello."""
        transport = cls()
        made = transport._run(target.make if isinstance(target, Local) else lambda: _construct(target), seconds)
        if isinstance(made, CannotStart | Hung):
            transport.kill()
            return made
        if isinstance(made, Crashed):
            transport.kill()
            evidence = Evidence("hello", stderr=transport.stderr_tail())
            return CannotStart("died-at-hello", f"the engine could not be made: {made.reason}", evidence)
        if not callable(getattr(made, "handle", None)):
            transport.kill()
            return CannotStart("not-executable", f"{type(made).__name__} has no method `handle`")
        transport._handler = made
        return transport

    def exchange(self, line: bytes, seconds: float) -> bytes | Failure:
        """Hand over one request and return the reply as a line."""
        handler = self._handler
        if handler is None:
            return Crashed("the engine was ended")
        request = msgspec.json.decode(line)
        reply = self._run(lambda: handler.handle(request), seconds)
        if isinstance(reply, Crashed | Hung):
            return reply
        if type(reply) is not dict:
            return ProtocolError("garbage", f"`handle` returned {type(reply).__name__}, a reply is a dict")
        try:
            return msgspec.json.encode(reply)
        except UnicodeEncodeError:
            return ProtocolError("not-utf-8", "the reply holds text that UTF-8 cannot write")
        except Exception as error:  # whatever an engine's own types raise when they are written
            return ProtocolError("invalid-message", f"the reply cannot be written as JSON: {error}")

    def peek(self, seconds: float) -> bytes | None:
        """A call returns one reply: there is never another."""
        return None

    def farewell(self, seconds: float) -> Failure | None:
        """Nothing has to exit."""
        return None

    def stderr_tail(self) -> str:
        """The end of what it printed, and the traceback of what it raised."""
        return self._log.text()

    def kill(self) -> None:
        """Let the thread go. Idempotent."""
        self._handler = None
        self._jobs.put(None)
        if self._thread.is_alive():
            self._thread.join(0.01)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                result = True, job()
            except BaseException as error:  # SystemExit and all: an engine must not end our thread unseen
                result = False, error
            self._results.put(result)

    def _run(self, job: Callable[[], object], seconds: float) -> Any:
        """The job's result, or `Crashed`, or `Hung`."""
        stdout, sys.stdout = sys.stdout, self._log
        try:
            self._jobs.put(job)
            fine, result = self._results.get(timeout=seconds)
        except queue.Empty:
            self._abandon()
            return Hung(f"no reply within {seconds:g} s", seconds)
        except BaseException:
            self._abandon()
            raise
        finally:
            sys.stdout = stdout
        return result if fine else self._crashed(result)

    def _crashed(self, error: BaseException) -> Crashed:
        self._log.write("".join(traceback.format_exception(error)))
        if isinstance(error, SystemExit):
            status = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
            return Crashed(f"the engine asked to exit with status {status}", status=status)
        return Crashed(f"the engine raised {''.join(traceback.format_exception_only(error)).strip().splitlines()[0]}")

    def _abandon(self) -> None:
        """Raise in the engine's thread until it lets go; a call blocked in C code stays behind as a daemon thread."""
        self._handler = None
        self._jobs.put(None)
        for _ in range(4):
            if self._thread.is_alive() and self._thread.ident is not None:
                ident = ctypes.c_ulong(self._thread.ident)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(SystemExit))
                self._thread.join(_GIVE_UP / 4)


class _Tail(io.TextIOBase):
    """A text stream that remembers only its end."""

    def __init__(self) -> None:
        self._text = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._text = (self._text + text)[-STDERR_TAIL:]
        return len(text)

    def text(self) -> str:
        return self._text


def _construct(target: PythonClass) -> object:
    """Import the module, from the working directory too, and call the class."""
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found: object = importlib.import_module(target.module)
    except ModuleNotFoundError as error:
        if error.name is not None and (target.module + ".").startswith(error.name + "."):
            return CannotStart("not-found", f"there is no Python module {error.name!r}")
        raise
    for part in target.name.split("."):
        missing = CannotStart("not-found", f"module {target.module!r} has no class {target.name!r}")
        found = getattr(found, part, missing)
        if found is missing:
            return missing
    if not callable(found):
        return CannotStart("not-executable", f"{target.module}:{target.name} is no class")
    return found()


