"""An engine that misbehaves in one way: `engine.py MODE [TOKEN]`; TOKEN only marks the process, so that tests find it.

Before the moment of its fault it answers like a tiny engine that knows one thing: every `apply` is fine. The table
MODES at the end says which fault strikes where. No imports beyond the standard library, so that it starts fast.
"""

import json
import os
import signal
import sys
import time

GIGABYTES = 10
TOKEN = sys.argv[2] if len(sys.argv) > 2 else ""
IDENTITY = {"protocol": 1, "engine": {"name": "misbehaving", "version": "1"}, "capabilities": ["state", "legal"]}


def healthy(request):
    """The reply of an engine that does nothing wrong."""
    more = {"hello": IDENTITY, "apply": {"applied": len(request.get("actions", []))}, "state": {"state": {}},
            "legal": {"actions": []}, "score": {"scores": [0, 0], "winner": None}}
    known = ("hello", "new", "apply", "state", "legal", "score", "end", "bye")
    if request["op"] not in known:
        return {"id": request["id"], "ok": False, "unsupported": True}
    return {"id": request["id"], "ok": True, **more.get(request["op"], {})}


def write(data, fd=1):
    while data:
        data = data[os.write(fd, data):]


def say(reply, end=b"\n"):
    write(json.dumps(reply).encode() + end)


def answer(request, **changes):
    reply = {**healthy(request), **changes}
    say({key: value for key, value in reply.items() if value is not ...})


def sleep():
    while True:
        time.sleep(1000)


def flood(chunk, fd):
    for _ in range(GIGABYTES * 2**30 // len(chunk)):
        write(chunk, fd)


def child(**how):
    """Start a grandchild that sleeps for long and carries the token."""
    import subprocess  # here, because it is slow to load

    code = "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(1000)"
    process = subprocess.Popen([sys.executable, "-I", "-S", "-c", code, TOKEN], stdout=subprocess.PIPE, **how)
    process.stdout.readline()


# --- faults: each gets the request that it spoils ----------------------------------------------------------------


def exits(status):
    def fault(request):
        write(b"Traceback (most recent call last):\n  ...\nValueError: the tail of stderr\n", 2)
        os._exit(status)
    return fault


def kills_itself(number):
    return lambda request: os.kill(os.getpid(), number)


def is_silent(request):
    sleep()


def prints(text):
    def fault(request):
        write(text)
        answer(request)
    return fault


def replies(**changes):
    return lambda request: answer(request, **changes)


def writes_instead(make):
    def fault(request):
        write(make(json.dumps(healthy(request)).encode()))
    return fault


def half_a_line_then_exit(request):
    write(json.dumps(healthy(request)).encode()[:-1])
    os._exit(0)


def holds_back(request):
    """A full buffer that is written only when the input ends."""
    while sys.stdin.buffer.raw.read(65536):
        pass
    answer(request)


def dribbles(request):
    while True:
        write(b" ")
        time.sleep(0.01)


def floods(chunk, fd):
    return lambda request: flood(chunk, fd)


def chatters(request):
    """A megabyte of log for each request, and a correct reply."""
    write(b"log line\n" * 120_000, 2)
    answer(request)


def says_twice(request):
    answer(request)
    answer(request)


def closes(fd):
    def fault(request):
        os.close(fd)
        sleep()
    return fault


def ignores_sigterm(request):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sleep()


def has_child(request):
    child()
    sleep()


def has_child_with_a_clean_environment(request):
    child(env={})
    sleep()


def has_child_of_its_own_session(request):
    child(start_new_session=True)
    sleep()


def dies_with_child_on_its_output(request):
    import subprocess

    code = "import time; time.sleep(1000)"
    subprocess.Popen([sys.executable, "-I", "-S", "-c", code, TOKEN], start_new_session=True)
    os._exit(5)


def leaves_child(request):
    child()
    answer(request)
    os._exit(0)


def then(what):
    def fault(request):
        answer(request)
        what()
    return fault


def nests_deeply(request):
    write(b'{"id": %d, "ok": true, "applied": 1, "x": ' % request["id"] + b"[" * 500_000 + b"\n")


MODES = {  # mode: (the op where it strikes, what it does)
    "healthy": (None, None),
    "chatters-on-stderr": ("apply", chatters),
    "dies-at-hello": ("hello", exits(3)),
    "silent-at-hello": ("hello", is_silent),
    "refuses-hello": ("hello", replies(ok=False, error={"message": "not today"})),
    "wrong-version": ("hello", replies(protocol=2)),
    "banner": ("hello", prints(b"MyEngine 1.0 ready\n")),
    "exits": ("apply", exits(7)),
    "exits-with-zero": ("apply", exits(0)),
    "segfault": ("apply", kills_itself(signal.SIGSEGV)),
    "stops-itself": ("apply", kills_itself(signal.SIGSTOP)),
    "silent": ("apply", is_silent),
    "buffered": ("apply", holds_back),
    "closes-input": ("apply", closes(0)),
    "ignores-sigterm": ("apply", ignores_sigterm),
    "child": ("apply", has_child),
    "child-with-clean-environment": ("apply", has_child_with_a_clean_environment),
    "child-of-own-session": ("apply", has_child_of_its_own_session),
    "dies-with-child-on-output": ("apply", dies_with_child_on_its_output),
    "debug-print": ("apply", prints(b"DEBUG: player 0 to move\n")),
    "empty-line": ("apply", prints(b"\n")),
    "number": ("apply", prints(b"42\n")),
    "byte-order-mark": ("apply", writes_instead(lambda reply: b"\xef\xbb\xbf" + reply + b"\n")),
    "utf-16": ("apply", writes_instead(lambda reply: (reply + b"\n").decode().encode("utf-16"))),
    "latin-1": ("apply", writes_instead(lambda reply: reply[:-1] + b', "note": "gen\xe4ht"}\n')),
    "endless-line": ("apply", floods(b"x" * 65536, 1)),
    "endless-lines": ("apply", floods(b'{"id": 1}\n' * 6000, 1)),
    "stderr-flood": ("apply", floods(b"log\n" * 16384, 2)),
    "no-line-end": ("apply", lambda request: (say(healthy(request), end=b""), sleep())),
    "dribble": ("apply", dribbles),
    "half-a-line": ("apply", half_a_line_then_exit),
    "closes-output": ("apply", closes(1)),
    "id-of-another": ("apply", replies(id=999)),
    "id-always-one": ("apply", replies(id=1)),
    "id-as-text": ("apply", lambda request: answer(request, id=str(request["id"]))),
    "no-id": ("apply", replies(id=...)),
    "applied-as-text": ("apply", replies(applied="1")),
    "applied-as-float": ("apply", replies(applied=1.0)),
    "applied-wrong": ("apply", replies(applied=5)),
    "no-ok": ("apply", replies(ok=...)),
    "no-without-reason": ("apply", replies(ok=False)),
    "two-noes": ("apply", replies(ok=False, unsupported=True, error={"message": ""})),
    "rejects-new": ("new", replies(ok=False, reject={"code": "unknown"}, applied=0)),
    "nests-deeply": ("apply", nests_deeply),
    "says-twice": ("apply", says_twice),
    "output-after-bye": ("bye", then(lambda: (write(b"good bye\n"), os._exit(0)))),
    "no-exit-after-bye": ("bye", then(sleep)),
    "exits-badly-after-bye": ("bye", then(lambda: os._exit(9))),
    "bye-unanswered": ("bye", lambda request: os._exit(0)),
    "leaves-child": ("bye", leaves_child),
}


def main():
    op, fault = MODES[sys.argv[1]]
    for line in iter(sys.stdin.buffer.readline, b""):
        request = json.loads(line)
        if request["op"] == op:
            fault(request)
        else:
            answer(request)
        if request["op"] == "bye":
            break


if sys.argv[1] == "never-reads":
    say({"id": 1, "ok": True, **IDENTITY})
    sleep()
main()
