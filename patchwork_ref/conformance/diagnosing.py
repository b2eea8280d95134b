"""Which mutant does a failing engine behave like? Hands a run's failures to the suite's diagnosis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from patchwork_ref.conformance.compare import flat
from patchwork_ref.conformance.judge import Verdict
from patchwork_ref.errors import InputError
from patchwork_ref.fixtures.read import read_fixtures, shipped
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.suite import KILLS, Diagnosis, Failure, cases_of, diagnose, read_matrix
from patchwork_ref.suite.matrix import Matrix
from patchwork_ref.suite.trial import Field


def diagnosed(verdicts: Sequence[Verdict], rulebook: Rulebook) -> Diagnosis | None:
    """The mutant or pair that explains the failed cases of a run under the default rules, or None when the stored kill
    matrix is not of this rulebook or nothing failed."""
    failures = [_failure(v) for v in verdicts if v.failed and v.failure is None]
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
    found = diagnose(failures, passed, cases_of(fixtures, rulebook), rulebook, matrix, _shown(verdicts))
    return found if found.kind != "none" else None


def _failure(verdict: Verdict) -> Failure:
    """The verdict as the suite tells a mutant's first difference."""
    got: dict[Field, Any] = {(d.field, d.player): d.got for d in verdict.differences}
    match verdict.kind:
        case "rejection" if verdict.outcome == "accepted-illegal":
            return Failure(verdict.case, verdict.action - 1, verdict.outcome, {("refused", None): verdict.refused})
        case "rejection":
            return Failure(verdict.case, verdict.action, verdict.outcome)
        case "legal":
            return Failure(verdict.case, verdict.action, "legal", {("extra", None): set(verdict.extra), ("missing", None): set(verdict.missing)})
        case "score":
            return Failure(verdict.case, verdict.action, "score", got, SCORES - set(got))
        case "state":
            return Failure(verdict.case, verdict.action, "state", got, frozenset(flat(verdict.reported or {})) - set(got))
        case kind:  # a rejected action that changes something, games that disturb each other: no rule can say that
            return Failure(verdict.case, verdict.action, kind, got)


SCORES: frozenset[Field] = frozenset({("score", 0), ("score", 1), ("winner", None)})


def _shown(verdicts: Sequence[Verdict]) -> frozenset[Field] | None:
    """The fields of the state that the engine shows, as far as can be told; None for all."""
    told = next((v.reported for v in verdicts if v.reported is not None), None)
    return frozenset(flat(told)) if told is not None else None if all(v.observed for v in verdicts) else frozenset()


def _matrix(rulebook: Rulebook) -> Matrix | None:
    try:
        found = read_matrix(shipped() / KILLS)
    except InputError:
        return None
    return found if found.rulebook == rulebook.digest else None
