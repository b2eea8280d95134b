"""Properties by induction: every invariant at set-up and after each action, from any state that meets the others.

All invariants are candidates at first. One that fails is put aside, and whatever leaned on it is asked again, until what
is left carries itself; what fell only then says which invariants it would need.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from patchwork_ref.machine.model import Machine
from patchwork_ref.symbolic.measures import Unsupported
from patchwork_ref.symbolic.obligations import Case, Obligation, cases, invariants, obligations
from patchwork_ref.symbolic.results import Proven, Refuted, Result, Unknown
from patchwork_ref.symbolic.solving import RETRY, TIMEOUT, Answer, CaseSolver
from patchwork_ref.symbolic.witness import counterexample


@dataclass(slots=True)
class _Progress:
    """What is known of one property."""

    seconds: float = 0.0
    answers: dict[Obligation, Answer] = field(default_factory=dict)
    failed: Obligation | None = None
    lost: frozenset[str] = frozenset()  # what its earlier proof leaned on and has fallen since
    reason: str = ""


class Induction:
    """Proves the properties of one machine; keeps its solvers, so that further questions are cheap."""

    def __init__(self, machine: Machine, timeout: int = TIMEOUT) -> None:
        self.machine, self.timeout = machine, timeout
        self.holding = list(invariants(machine))  # the invariants not fallen yet
        self._solvers: dict[Case, CaseSolver] = {}
        self._progress: dict[str, _Progress] = {}

    def prove(self, names: Iterable[str] | None = None) -> dict[str, Result]:
        """The result for each named property (all when none are named), in the order given."""
        wanted = list(names) if names is not None else list(self.machine.properties)
        needed = dict.fromkeys(wanted)
        while True:
            for name in list(needed):
                self._attempt(name)
                needed.update(dict.fromkeys(self._leaned_on(name)))
            if all(self._settled(name) for name in needed):
                return {name: self._result(name) for name in wanted}

    def solver(self, case: Case) -> CaseSolver:
        """The solver of a case, with every invariant ready to be assumed. Raises Unsupported."""
        if case not in self._solvers:
            self._solvers[case] = CaseSolver(self.machine, case, invariants(self.machine), self.timeout)
        return self._solvers[case]

    def satisfiable(self) -> dict[Case, bool | None]:
        """Whether the assumptions of each case can be met; where they cannot, its proofs say nothing."""
        return {case: self.solver(case).satisfiable(self.holding) for case in cases(self.machine)}

    def _attempt(self, name: str) -> None:
        """Asks what is not known yet of a property; a failure puts an invariant aside."""
        progress = self._progress.setdefault(name, _Progress())
        if progress.failed is not None or progress.reason:
            return
        start = time.perf_counter()
        for obligation in obligations(self.machine, self.machine.properties[name]):
            known = progress.answers.get(obligation)
            if known is not None and known.core <= set(self.holding):
                continue
            try:
                answer = self.solver(obligation.case).ask(obligation, self.holding)
            except Unsupported as error:
                answer = Answer(None, reason=f"no term for {error}")
            if answer.holds:
                progress.answers[obligation] = answer
                continue
            if answer.holds is None:
                progress.reason = f"{obligation.case}: {answer.reason or 'the solver gave up'}"
            progress.failed = obligation
            progress.lost = known.core - set(self.holding) if known is not None else frozenset()
            if name in self.holding:
                self.holding.remove(name)
            break
        progress.seconds += time.perf_counter() - start

    def _leaned_on(self, name: str) -> frozenset[str]:
        return frozenset[str]().union(*(a.core for a in self._progress[name].answers.values()))

    def _reduced(self, name: str) -> frozenset[str]:
        """The invariants without any of which the proof is not found again: each is left out once, and what leaned on it asked anew."""
        answers = self._progress[name].answers
        for dropped in sorted(self._leaned_on(name) - {name}):
            assume = self._leaned_on(name) - {dropped} | ({name} & set(self.holding))
            again = {}
            for obligation, answer in answers.items():
                if dropped in answer.core:
                    again[obligation] = self.solver(obligation.case).ask(obligation, assume, RETRY)
                    if not again[obligation].holds:
                        break
            else:
                answers |= again
        return self._leaned_on(name) - {name}

    def _settled(self, name: str) -> bool:
        progress = self._progress.get(name)
        return progress is not None and (progress.failed is not None or self._leaned_on(name) <= set(self.holding) | {name})

    def _result(self, name: str) -> Result:
        progress = self._progress[name]
        if progress.reason:
            return Unknown(progress.reason, progress.seconds)
        if progress.failed is not None:
            found = counterexample(self.solver(progress.failed.case), progress.failed, self.holding)
            return Refuted(found, tuple(sorted(progress.lost)), progress.seconds)
        start = time.perf_counter()
        leaned = self._reduced(name)
        progress.seconds += time.perf_counter() - start
        return Proven(tuple(n for n in self.machine.properties if n in leaned), progress.seconds)


def prove(machine: Machine, names: Iterable[str] | None = None, timeout: int = TIMEOUT) -> dict[str, Result]:
    """Each named property of a machine (all when none are named): Proven, Refuted or Unknown.

    ``timeout`` is in milliseconds, for one question to the solver.
    """
    return Induction(machine, timeout).prove(names)
