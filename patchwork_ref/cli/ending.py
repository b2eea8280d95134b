"""How a command is ended from outside."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Terminated(BaseException):
    """SIGTERM: whatever is open is closed on the way out, as with Ctrl-C."""


@contextmanager
def remembered() -> Iterator[Callable[[], None]]:
    """Gives a function that raises again what a signal has raised before, for code in which that may get lost: Python ignores
    exceptions in callbacks of its garbage collector, and Hypothesis has one."""
    noted: list[BaseException] = []

    def noting(before: Callable[[int, Any], Any]) -> Callable[[int, Any], None]:
        def handle(number: int, frame: Any) -> None:
            try:
                before(number, frame)
            except BaseException as error:
                noted.append(error)
                raise

        return handle

    def again() -> None:
        if noted:
            raise noted[0]

    if threading.current_thread() is not threading.main_thread():
        yield again
        return
    former = {number: handler for number in (signal.SIGINT, signal.SIGTERM) if callable(handler := signal.getsignal(number))}
    for number, handler in former.items():
        signal.signal(number, noting(handler))
    try:
        yield again
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
