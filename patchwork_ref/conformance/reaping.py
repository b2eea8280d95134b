"""How do we make sure that nothing of an engine stays behind: no process, no grandchild, no zombie?

An engine runs in a session and process group of its own. Ending it means SIGTERM to the group, a short grace, SIGKILL
to the group, and only then reaping its leader: as long as the leader is a zombie, the group's number cannot be given
to anyone else. A grandchild that left the group is found by a mark in its environment (where /proc exists).
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
import uuid

GRACE = 0.3
"""Seconds between SIGTERM and SIGKILL."""

_MARK = "PATCHWORK_REF_ENGINE_"

_GONE = 2.0
"""Seconds in which processes that were sent SIGKILL are waited for."""


def new_mark() -> str:
    """The name of an environment variable that marks one engine and everything it starts."""
    return _MARK + uuid.uuid4().hex


def has_exited(pid: int) -> bool:
    """Has our child ended? It is left unreaped, so that its number stays its own."""
    try:
        return _look(pid) is not None
    except ChildProcessError:
        return True


def how_it_ended(pid: int) -> os.waitid_result | None:
    """Status or signal of our ended child, left unreaped; None where somebody else has reaped it."""
    try:
        return _look(pid)
    except ChildProcessError:
        return None


def _look(pid: int) -> os.waitid_result | None:
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)


def wait_for_exit(pid: int, seconds: float) -> bool:
    """Wait until our child has ended, still unreaped; False when it has not within `seconds`."""
    deadline = time.monotonic() + seconds
    pause = 0.0005
    while not has_exited(pid):
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(pause, left))
        pause = min(2 * pause, 0.02)
    return True


def end_process(process: subprocess.Popen[bytes], mark: str) -> None:
    """End the process, its group and its marked descendants, and reap it. Safe to call at any time, and twice."""
    if process.returncode is not None:
        return
    if not has_exited(process.pid):
        _signal_group(process.pid, signal.SIGTERM)
        wait_for_exit(process.pid, GRACE)
    _end_the_rest(process.pid, mark)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=5)


def _signal_group(leader: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def _end_the_rest(leader: int, mark: str) -> None:
    """SIGKILL the group and whoever carries the mark, and wait until all are gone: being sent a signal is not being dead."""
    deadline = time.monotonic() + _GONE
    while True:
        _signal_group(leader, signal.SIGKILL)
        alive = _alive(leader, f"{mark}=".encode())
        for pid in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not alive or time.monotonic() > deadline:
            return
        time.sleep(0.002)


def _alive(leader: int, wanted: bytes) -> list[int]:
    """The processes of the group, or with the mark in their environment, that are not dead; none where there is no /proc."""
    found = []
    with contextlib.suppress(OSError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):  # it ended while we looked, or is not ours to look at
                state, _, group = _read(f"/proc/{name}/stat").rpartition(b")")[2].split()[:3]
                if state not in b"ZX" and (int(group) == leader or wanted in _read(f"/proc/{name}/environ")):
                    found.append(int(name))
    return found


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
