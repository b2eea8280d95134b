"""Who brings a fallen engine back, and how often?

A `Supervisor` holds at most one live connection and starts a fresh one after a failure; such restarts are counted and
bounded. Games do not survive a restart, so it is asked once for each case, never in the middle of one.
"""

from __future__ import annotations

from types import TracebackType

from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.limits import DEFAULT_LIMITS, TimeLimits
from patchwork_ref.conformance.outcomes import Failure
from patchwork_ref.conformance.targets import Target

RESTARTS = 10
FAILED_STARTS = 2
"""So many failed starts in a row are the end, however many restarts are left."""


class Supervisor:
    """Keeps an engine at hand. Use it in a `with` block, which leaves no process behind.

    `starts` counts processes, `restarts` those that followed a failure, `last_failure` is the last one seen.
    """

    def __init__(self, engine: str | Target, limits: TimeLimits = DEFAULT_LIMITS, allowed: int = RESTARTS) -> None:
        self.engine = engine
        self.limits = limits
        self.allowed = allowed
        self.starts = 0
        self.restarts = 0
        self.last_failure: Failure | None = None
        self._connection: Connection | None = None
        self._fallen = False
        self._failed_starts = 0

    @property
    def exhausted(self) -> bool:
        """The engine is down and may not be started again; `ready` and `fresh` return `last_failure`."""
        self._notice()
        return self._fallen and (self.restarts >= self.allowed or self._failed_starts >= FAILED_STARTS)

    def ready(self) -> Connection | Failure:
        """The live connection; else a fresh one; else why there is none."""
        self._notice()
        return self._connection or self._start()

    def fresh(self) -> Connection | Failure:
        """A fresh process even if one is alive: that one is told bye first."""
        self.part()
        return self._start()

    def part(self) -> Failure | None:
        """Say bye to the live engine, if there is one; the failure if it does not part as it should."""
        self._notice()
        connection, self._connection = self._connection, None
        if connection is None:
            return None
        connection.bye()
        connection.close()
        if connection.failure is not None:
            self.last_failure = connection.failure
        return connection.failure

    def close(self) -> None:
        """End what still runs, without a word. Idempotent."""
        if self._connection is not None:
            self._connection.close()
            self._notice()

    def _notice(self) -> None:
        """Let go of a connection that has ended."""
        connection = self._connection
        if connection is None or not (connection.closed or connection.failure):
            return
        self._connection = None
        if connection.failure is not None:
            self._fallen, self.last_failure = True, connection.failure

    def _start(self) -> Connection | Failure:
        if self.exhausted and self.last_failure is not None:
            return self.last_failure
        self.starts += 1
        self.restarts += self._fallen
        connection = Connection.open(self.engine, self.limits)
        if isinstance(connection, Connection):
            self._connection, self._fallen, self._failed_starts = connection, False, 0
        else:
            self._fallen, self.last_failure = True, connection
            self._failed_starts += 1
        return connection

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
