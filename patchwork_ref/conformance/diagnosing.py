"""Which mutant does a failing engine behave like? Hands a run's failures to the suite's diagnosis."""

from __future__ import annotations

from collections.abc import Sequence

from patchwork_ref.conformance.judge import Verdict
from patchwork_ref.errors import InputError
from patchwork_ref.fixtures.read import read_fixtures, shipped
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.suite import KILLS, Diagnosis, Failure, cases_of, diagnose, read_matrix
from patchwork_ref.suite.matrix import Matrix


def diagnosed(verdicts: Sequence[Verdict], rulebook: Rulebook) -> Diagnosis | None:
    """The mutant or pair that explains the failed cases of a run under the default rules, or None when the stored kill
    matrix is not of this rulebook or nothing failed."""
    failures = [Failure(v.case, v.action, v.kind, _got(v)) for v in verdicts if v.failed and v.failure is None]
    matrix = _matrix(rulebook)
    if not failures or matrix is None:
        return None
    asked = {f.fixture for f in failures}
    passed = [v.case for v in verdicts if v.outcome == "agreed"]
    some = asked | set(passed)
    fixtures = [f for f in read_fixtures() if f.id in some]
    plain = [f for f in fixtures if not f.custom and not f.readings]  # each other set-up costs a program for each suspect
    if any(f.id in asked for f in plain):
        fixtures = plain
    found = diagnose(failures, passed, cases_of(fixtures, rulebook), rulebook, matrix)
    return found if found.kind != "none" else None


def _got(verdict: Verdict) -> dict[tuple[str, int | None], object]:
    return {(d.field, d.player): d.got for d in verdict.differences}


def _matrix(rulebook: Rulebook) -> Matrix | None:
    try:
        found = read_matrix(shipped() / KILLS)
    except InputError:
        return None
    return found if found.rulebook == rulebook.digest else None
