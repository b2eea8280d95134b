"""A test suite from one call, for engines written in Python (or named as ``check`` names them).

    from patchwork_ref.testing import conformance_tests
    from my_engine import MyEngine            # a class with handle(request: dict) -> dict

    TestMyEngine = conformance_tests(MyEngine)

pytest then collects one test a fixture: ``test_conforms[track-income/two-in-one-move]``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from patchwork_ref.conformance.blame import Spectrum, suspects
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.naming import target_of
from patchwork_ref.conformance.outcomes import Failure, outcome_name
from patchwork_ref.conformance.run import judged
from patchwork_ref.conformance.suite import Case
from patchwork_ref.conformance.supervisor import Supervisor
from patchwork_ref.conformance.targets import Handler, Local, Target
from patchwork_ref.errors import InputError
from patchwork_ref.report.baseline import Baseline, read_baseline
from patchwork_ref.report.check import failure_text, known_text, said
from patchwork_ref.report.lines import CaseLine, Said
from patchwork_ref.report.plan import Plan, planned


class NotConforming(Exception):
    """An engine that does not follow a fixture; the text is the blame block."""


class KnownFailure(NotConforming):
    """The same, where the baseline foretold it: a strict ``xfail``."""


class Bench:
    """One engine at hand, and fixtures to play on it one by one. ``close`` ends its process."""

    def __init__(self, plan: Plan, target: Target, baseline: Baseline | None = None) -> None:
        self.plan, self.baseline = plan, baseline or Baseline()
        self.cases = {case.fixture.id: case for case in plan.cases}
        self.supervisor = Supervisor(target, plan.limits)
        self.spectrum = Spectrum()
        self.teller = plan.teller()

    def check(self, name: str) -> CaseLine:
        """Plays one fixture. Raises ``NotConforming`` or ``KnownFailure``; ``pytest.skip`` where it does not apply."""
        case = self.cases[name]
        connection = self.supervisor.ready()
        if not isinstance(connection, Connection):
            raise NotConforming("\n".join(_fallen(name, connection)))
        if not connection.capabilities & {"state", "legal"}:
            case = replace(case, course=case.course.ended())
        verdict = judged(connection, self.supervisor, case, self.cases)
        self.spectrum.add(case.course, len(case.course.actions) if not verdict.failed else max(verdict.action - 1, 0), not verdict.failed)
        blame = suspects(verdict, case.course, self.plan.rulebook, self.spectrum)[0] if verdict.failed else None
        line = self.teller.case(case, verdict, blame)
        known = self.baseline.known(name, line.outcome, line.failed)
        if known is not None and known.state == "expired":
            raise NotConforming("\n".join([known_text(CaseLine(name, line.outcome, line.level, known=known)), *(failure_text(line) if line.failed else [])]))
        if line.failed:
            raise (KnownFailure if known is not None and known.state == "known" else NotConforming)("\n".join(failure_text(line)))
        if line.outcome != "agreed":
            pytest.skip(line.text or line.outcome if line.level != "unspecified" else f"left open by the rules; the engine: {line.outcome}, {line.text}")
        return line

    def xfail(self, name: str) -> pytest.MarkDecorator | None:
        """The strict ``xfail`` of a fixture that is known to fail; none for an entry that has expired."""
        known = self.baseline.known(name, "agreed", False)
        if known is None or known.state == "expired":
            return None
        why = known.reason + (f" ({known.link})" if known.link else "")
        return pytest.mark.xfail(reason=why, raises=KnownFailure, strict=True)

    def close(self) -> Failure | None:
        """Says bye; what went wrong with that, if anything did."""
        try:
            return self.supervisor.part()
        finally:
            self.supervisor.close()


def conformance_tests(engine: type[Handler] | Callable[[], Handler] | str, *, tier: str = "gate", ruleset: str | None = None, readings: Sequence[str] = (),
                      rules: Sequence[str] = (), baseline: str | Path | None = None, suite: str | None = None, timeout_scale: float = 1.0) -> type:
    """A class for pytest with one test a fixture; assign it to a name that begins with ``Test``.

    ``engine`` is a class or function that is called without arguments for a fresh engine, or an ENGINE text.
    ``rules`` keeps the fixtures that exercise one of these. Raises InputError when no fixture is left.
    """
    name = engine if isinstance(engine, str) else f"python:{engine.__module__}:{engine.__qualname__}"
    plan = planned(name, tier, ruleset, readings, suite, scale=timeout_scale).about(rules)
    if not plan.cases:
        raise InputError("no fixture is left to test; choose another tier, other rules or another suite")
    target = target_of(name, plan.rulebook, plan.machine) if isinstance(engine, str) else Local(name, engine)
    bench = Bench(plan, target, read_baseline(baseline) if baseline is not None else None)

    class ConformanceTests:
        """One test a fixture."""

        @pytest.fixture(scope="class", autouse=True)
        def _engine(self) -> Iterator[None]:
            yield
            bench.supervisor.close()

        @pytest.mark.parametrize("fixture", [_parameter(bench, case) for case in plan.cases])
        def test_conforms(self, fixture: str) -> None:
            """The engine does what the fixture says."""
            __tracebackhide__ = True
            try:
                bench.check(fixture)
            except KnownFailure:
                raise
            except NotConforming as error:
                pytest.fail(str(error), pytrace=False)

    return ConformanceTests


def _parameter(bench: Bench, case: Case) -> Any:
    mark = bench.xfail(case.fixture.id)
    return pytest.param(case.fixture.id, id=case.fixture.id, marks=[mark] if mark is not None else [])


def _fallen(name: str, failure: Failure) -> list[str]:
    """Of an engine that cannot be used any more."""
    evidence = failure.evidence
    return [f"FAIL {name}: {outcome_name(failure)}: {failure.reason}", *said([Said(m.direction, m.text, m.size) for m in evidence.messages], evidence.stderr)]
