"""Does a run go on with a fresh engine after a failure, and does it stop after a bounded number of them?"""

from __future__ import annotations

from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.outcomes import CannotStart, Crashed, ProtocolError
from patchwork_ref.conformance.protocol import Advance, ApplyReply, DoneReply
from patchwork_ref.conformance.supervisor import FAILED_STARTS, Supervisor


def test_a_live_engine_is_kept(engines, patient, setup):
    """As long as nothing fails, every case talks to the same process."""
    with Supervisor(engines("healthy"), patient) as supervisor:
        first = supervisor.ready()
        assert isinstance(first.apply("g", [Advance()]), ApplyReply)
        assert supervisor.ready() is first
        assert (supervisor.starts, supervisor.restarts) == (1, 0)
        assert supervisor.part() is None
    assert engines.alive() == []


def test_a_fallen_engine_is_started_again_so_often(engines, patient, setup):
    """Each failure is followed by one fresh process, until the restarts are used up; then the last failure remains."""
    with Supervisor(engines("exits"), patient, allowed=3) as supervisor:
        seen = []
        while isinstance(connection := supervisor.ready(), Connection):
            assert isinstance(connection.new("g", setup), DoneReply)
            seen.append(connection.apply("g", [Advance()]))
        assert len(seen) == 4
        assert all(isinstance(failure, Crashed) for failure in seen)
        assert (supervisor.starts, supervisor.restarts) == (4, 3)
        assert supervisor.exhausted
        assert connection is seen[-1]
        assert supervisor.fresh() is seen[-1]
        assert supervisor.starts == 4


def test_an_engine_that_cannot_start_is_not_tried_for_long(patient):
    """Two failed starts in a row are the end, however many restarts are left."""
    with Supervisor("/no/such/engine", patient) as supervisor:
        for _ in range(5):
            assert isinstance(supervisor.ready(), CannotStart)
        assert supervisor.starts == FAILED_STARTS
        assert supervisor.exhausted


def test_a_fresh_process_on_purpose_does_not_count(engines, patient):
    """`fresh` parts from the live engine and starts another; nothing has failed, so no restart is used up."""
    with Supervisor(engines("healthy"), patient, allowed=0) as supervisor:
        first = supervisor.ready()
        second = supervisor.fresh()
        assert isinstance(second, Connection) and second is not first
        assert first.closed and first.failure is None
        assert (supervisor.starts, supervisor.restarts) == (2, 0)
        assert len(engines.alive()) == 1


def test_a_bad_parting_is_a_failure(engines, patient):
    """What goes wrong at bye is told, and stays as the last failure."""
    with Supervisor(engines("output-after-bye"), patient) as supervisor:
        supervisor.ready()
        failure = supervisor.part()
        assert isinstance(failure, ProtocolError)
        assert supervisor.last_failure is failure
        assert isinstance(supervisor.ready(), Connection)


def test_leaving_the_block_leaves_nothing(engines, patient):
    """However the block is left, no process stays behind (the fixture looks)."""
    try:
        with Supervisor(engines("ignores-sigterm"), patient) as supervisor:
            supervisor.ready()
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    assert engines.alive() == []
