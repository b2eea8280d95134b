"""One case of a machine before the solver: what may be assumed, where things happen, and questions about it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import z3

from patchwork_ref.machine.model import ActionForm, Machine
from patchwork_ref.symbolic.obligations import Case, Obligation
from patchwork_ref.symbolic.terms import Terms, Truth, World, conj, neg
from patchwork_ref.symbolic.transition import Move, any_state, form_named, move, setup, some_legal
from patchwork_ref.symbolic.translate import Names, Translator

ALONE = 400_000
"""The solver's own units of work (the same on every box) for the attempt to do without other invariants."""
RETRY = 2_000_000
"""The same for the attempt to do without one of the invariants that a proof has used."""
TIMEOUT = 4_000
"""Milliseconds for one question before it is split, and for each of its parts."""


@dataclass(frozen=True, slots=True)
class Answer:
    """``holds`` is None when the solver gave up; ``core`` names the assumptions that an unsatisfiable question used."""

    holds: bool | None
    core: frozenset[str] = frozenset()
    reason: str = ""


class CaseSolver:
    """Keeps one solver with the assumptions of a case; each question adds a negated goal and takes it back."""

    def __init__(self, machine: Machine, case: Case, invariants: Sequence[str], timeout: int = TIMEOUT) -> None:
        self.machine, self.case, self.timeout = machine, case, timeout
        self.terms = Terms(machine)
        self.translator = Translator(self.terms)
        self.solver = z3.Solver()
        self.solver.set("timeout", timeout)
        self.assumed: dict[str, z3.BoolRef] = {}
        self.move: Move | None = None
        self.names: Names = {}
        self._flushed = 0
        self.start, self.world = self._worlds()
        if case.moment != "setup":
            for name in invariants:
                self.assumed[name] = z3.Bool(f"assume {name}")
                held = self.translator.value(machine.properties[name].body, self.start, {})
                self.solver.add(z3.Implies(self.assumed[name], held))
        self.flush()

    def _worlds(self) -> tuple[World, World]:
        case = self.case
        if case.moment == "setup":
            world = setup(self.translator)
            return world, world
        start = any_state(self.terms, case.me)
        if case.moment == "end":
            self.require(self.translator.value(self.machine.over.body, start, {}))
        if case.moment != "step" or case.me is None:
            return start, start
        self.move = move(self.translator, form_named(self.machine, case.action), case.me, start)
        self.names = self.move.names
        self.require(self.move.legal)
        return start, self.move.world

    @property
    def form(self) -> ActionForm:
        """The action of the case."""
        return form_named(self.machine, self.case.action)

    def require(self, truth: Truth) -> None:
        if truth is not True:
            self.solver.add(z3.BoolVal(False) if truth is False else truth)

    def flush(self) -> None:
        """Hands the lemmas that have come up since to the solver."""
        for fact in self.terms.facts[self._flushed:]:
            self.solver.add(fact)
        self._flushed = len(self.terms.facts)

    def goal(self, obligation: Obligation) -> Truth:
        """What has to hold, in the world after the step."""
        goal: Truth = self.translator.value(obligation.goal, self.world, self.names)
        if not obligation.possible or self.case.me is None:
            return goal
        return neg(conj(goal, *(neg(some_legal(self.translator, form_named(self.machine, name), self.case.me, self.start)) for name in obligation.possible)))

    def ask(self, obligation: Obligation, assume: Collection[str], work: int | None = None) -> Answer:
        """Whether the goal holds under these invariants, found with so much of the solver's work. Leaves the solver as it was."""
        goal = self.goal(obligation)
        self.flush()
        if goal is True:
            return Answer(True)
        self.solver.push()
        try:
            self.solver.add(neg(goal) if goal is not False else z3.BoolVal(True))
            if work is not None:
                return self._limited([self.assumed[name] for name in assume if name in self.assumed], work)
            alone = self._alone(obligation.property, assume)
            return alone if alone is not None else self._checked(assume)
        finally:
            self.solver.pop()

    def _alone(self, name: str, assume: Collection[str]) -> Answer | None:
        """The answer when the property needs no other one: most do not, and a short list of reasons says more."""
        answer = self._limited([self.assumed[name]] if name in assume and name in self.assumed else [], ALONE)
        return answer if answer.holds else None

    def _limited(self, literals: list[z3.BoolRef], work: int) -> Answer:
        self.solver.set("rlimit", work)
        verdict = self.solver.check(*literals)
        self.solver.set("rlimit", 0)
        return Answer(True, self._core()) if verdict == z3.unsat else Answer(False if verdict == z3.sat else None)

    def _checked(self, assume: Collection[str]) -> Answer:
        literals = [self.assumed[name] for name in assume if name in self.assumed]
        verdict = self.solver.check(*literals)
        if verdict == z3.unsat:
            return Answer(True, self._core())
        if verdict == z3.sat:
            return Answer(False)
        return self._split(literals)

    def _core(self) -> frozenset[str]:
        used = {str(literal) for literal in self.solver.unsat_core()}
        return frozenset(name for name, literal in self.assumed.items() if str(literal) in used)

    def _split(self, literals: list[z3.BoolRef]) -> Answer:
        """Where the solver gave up, the same question once for each patch that can have been chosen."""
        reason = self.solver.reason_unknown()
        if "patch" not in self.names:
            return Answer(None, reason=reason)
        core: frozenset[str] = frozenset()
        for index in range(len(self.machine.patches)):
            self.solver.push()
            self.solver.add(self.names["patch"].bits == self.terms.patch(index).bits)
            verdict = self.solver.check(*literals)
            core |= self._core() if verdict == z3.unsat else frozenset()
            self.solver.pop()
            if verdict != z3.unsat:
                return Answer(False if verdict == z3.sat else None, reason=self.solver.reason_unknown())
        return Answer(True, core)

    def satisfiable(self, assume: Collection[str]) -> bool | None:
        """Whether the assumptions of the case can be met at all: what follows from nothing follows from anything."""
        self.flush()
        verdict = self.solver.check(*(self.assumed[name] for name in assume if name in self.assumed))
        return None if verdict == z3.unknown else verdict == z3.sat
