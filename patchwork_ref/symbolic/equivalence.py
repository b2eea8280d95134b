"""Two machines compared for all states: same set-up, same legal actions, same successors, same end.

Compared are the fields that can be observed and those that a rule of either machine reads; what only properties read
may differ, and has its own variables on each side. Assumed are the invariants of both, which are proved first.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import z3

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.walk import expressions, nodes
from patchwork_ref.machine.model import ActionForm, Machine
from patchwork_ref.polyomino import placements
from patchwork_ref.symbolic.guesses import guessed
from patchwork_ref.symbolic.induction import Induction
from patchwork_ref.symbolic.measures import Unsupported
from patchwork_ref.symbolic.obligations import Case, Obligation, invariants
from patchwork_ref.symbolic.results import Counterexample, Proven, Refuted, Result, Unknown
from patchwork_ref.symbolic.solving import TIMEOUT, CaseSolver
from patchwork_ref.symbolic.terms import SEATS, Terms, Truth, World, conj, disj, neg, same
from patchwork_ref.symbolic.transition import any_state, form_named, legality, move, setup
from patchwork_ref.symbolic.translate import Translator
from patchwork_ref.symbolic.witness import counterexample

OBSERVED = ("turn", "pending", "buttons", "space", "income", "quilt", "special_tile", "circle", "special_spaces")
"""The fields that the protocol shows."""


def equivalent(a: Machine, b: Machine, timeout: int = TIMEOUT, show: bool = True) -> Result:
    """Whether nobody can tell two machines apart by playing: Proven, Refuted with the first difference, or Unknown.

    A refutation names a state that meets the invariants of both, the action (None for set-up and end) and what
    differs: "legal", a field, "over", "winner", "total". The order in which guards refuse is not compared. When the declared
    invariants leave a difference, those guessed from the rules' own conditions are tried too. Without ``show`` a difference is Unknown.
    """
    found = _equivalent(a, b, timeout, show)
    if isinstance(found, Proven):
        return found
    more = guessed(a), guessed(b)
    if more[0] is a and more[1] is b:
        return found
    again = _equivalent(*more, timeout, show)
    return again if isinstance(again, Proven) else found


def proved_equivalent(a: Machine, b: Machine, timeout: int = TIMEOUT) -> bool:
    """Whether ``equivalent`` proves it; quicker where it does not, as no difference is made exact."""
    return isinstance(equivalent(a, b, timeout, show=False), Proven)


def _equivalent(a: Machine, b: Machine, timeout: int, show: bool) -> Result:
    results = compared(a, b, timeout, first=True, show=show).values()
    seconds = sum(r.seconds for r in results)
    for result in results:
        if not isinstance(result, Proven):
            return replace(result, seconds=seconds)
    leaned = {name for r in results if isinstance(r, Proven) for name in r.leaned_on}
    return Proven(tuple(n for n in {**a.properties, **b.properties} if n in leaned), seconds)


def compared(a: Machine, b: Machine, timeout: int = TIMEOUT, first: bool = False, show: bool = True) -> dict[str, Result]:
    """The same for each case by itself: set-up, end, and each action of each player; only up to the first difference
    when ``first``."""
    start = time.perf_counter()
    apart = _components(a, b)
    if apart:
        return {"the components": Refuted(Counterexample("the components", None, None, True, apart), (), time.perf_counter() - start)}
    holding = {"a": set(invariants(a)), "b": set(invariants(b))}
    inductions = {"a": Induction(a, timeout), "b": Induction(b, timeout)}
    while True:
        used: dict[str, set[str]] = {"a": set(), "b": set()}
        results: dict[str, Result] = {}
        for case in _cases(a, b):
            assume = [*holding["a"], *(f"b: {name}" for name in holding["b"])]
            start = time.perf_counter()
            try:
                result, core = _case(a, b, case, timeout, assume, show)
            except Unsupported as error:
                result, core = Unknown(f"{case}: no term for {error}", 0.0), frozenset()
            sides = {"a": {n for n in core if not n.startswith("b: ")}, "b": {n[3:] for n in core if n.startswith("b: ")}}
            if isinstance(result, Proven):
                result = replace(result, leaned_on=tuple(n for n in {**a.properties, **b.properties} if n in sides["a"] | sides["b"]))
            results[str(case)] = replace(result, seconds=time.perf_counter() - start)
            for side in used:
                used[side] |= sides[side]
            if first and not isinstance(result, Proven):
                return results
        fallen = {side: {n for n, r in inductions[side].prove(sorted(names)).items() if not isinstance(r, Proven)} for side, names in used.items()}
        if not any(fallen.values()):
            return results
        for side, names in fallen.items():
            holding[side] -= names


def _case(a: Machine, b: Machine, case: Case, timeout: int, assume: list[str], show: bool) -> tuple[Result, frozenset[str]]:
    """One case, with the assumptions that a proof used."""
    pair = Comparison(a, b, case, timeout)
    core: frozenset[str] = frozenset()
    for aspect in pair.aspects:
        answer = pair.ask(pair.obligation(aspect), assume)
        if answer.holds is None:
            return Unknown(f"{case}, {aspect}: {answer.reason or 'the solver gave up'}", 0.0), core
        if not answer.holds and not show:
            return Unknown(f"{case}, {aspect}: a difference is possible", 0.0), core
        if not answer.holds:
            found = replace(counterexample(pair, pair.obligation(aspect), assume), differs=(aspect,))
            if not found.exact:
                return Unknown(f"{case}, {aspect}: a difference was found for some counts and shapes, but none that fits the real ones", 0.0), core
            return Refuted(found, (), 0.0), core
        core |= answer.core
    ours = [name for name in assume if not name.startswith("b: ")]
    if len(ours) < len(assume) and pair.empty(assume) and not pair.empty(ours):
        return _case(a, b, case, timeout, ours, show)  # no state meets the invariants of both: those of the first machine remain
    return Proven((), 0.0), core


def _components(a: Machine, b: Machine) -> tuple[str, ...]:
    """What keeps two machines from having states in common."""
    found = []
    if a.board != b.board:
        found.append("quilt_board")
    if [(p.name, p.regular) for p in a.patches] != [(p.name, p.regular) for p in b.patches]:
        found.append("patches")
    if [(f.name, f.type) for f in (*a.shared, *a.player)] != [(f.name, f.type) for f in (*b.shared, *b.player)]:
        found.append("state")
    if {n: g.type for n, g in a.givens.items()} != {n: g.type for n, g in b.givens.items()}:
        found.append("table")
    return tuple(found)


def _cases(a: Machine, b: Machine) -> list[Case]:
    names = dict.fromkeys([*(f.name for f in a.actions), *(f.name for f in b.actions)])
    return [Case("setup"), Case("end"), *(Case("step", me, name) for name in names for me in (0, 1))]


class Comparison(CaseSolver):
    """Both machines side by side in one case; an aspect is something that must agree."""

    def __init__(self, a: Machine, b: Machine, case: Case, timeout: int) -> None:
        self.other = b
        self.aspects: dict[str, Truth] = {}
        self.allowed: Truth = True  # whether one of the machines allows the action
        super().__init__(a, case, invariants(a), timeout)
        if case.moment != "setup":
            for name in invariants(b):
                literal = self.assumed[f"b: {name}"] = z3.Bool(f"assume b: {name}")
                self.solver.add(z3.Implies(literal, self.second.value(b.properties[name].body, self.start_b, {})))
        self.flush()

    def obligation(self, aspect: str) -> Obligation:
        return Obligation(aspect, self.case, t.Truth(True))

    @property
    def form(self) -> ActionForm:
        return next(f for m in (self.machine, self.other) for f in m.actions if f.name == self.case.action)

    def goal(self, obligation: Obligation) -> Truth:
        return self.aspects[obligation.property]

    def empty(self, assume: list[str]) -> bool:
        """Whether no state that meets the assumptions allows the action in either machine."""
        self.flush()
        self.solver.push()
        self.require(self.allowed)
        found = self.satisfiable(assume)
        self.solver.pop()
        return found is False

    def _worlds(self) -> tuple[World, World]:
        self.terms = Terms(self.machine, self.other)
        self.translator = Translator(self.terms, self.machine, placed="placed a")
        self.second = Translator(self.terms, self.other, placed="placed b")
        if self.case.moment == "setup":
            return self._setups()
        start = any_state(self.terms, self.case.me)
        self.start_b = self._beside(start)
        if self.case.moment == "end":
            self._ends(start)
        else:
            self._moves(start)
        return start, start

    def _beside(self, start: World) -> World:
        """The same state for the second machine, with its own values where nobody can see them."""
        own = any_state(self.terms, self.case.me, "b ")
        seen = visible(self.machine, self.other)
        now = {key: value if key[0] in seen else own.now[key] for key, value in start.now.items()}
        return World(self.terms, now, now)

    def _setups(self) -> tuple[World, World]:
        first = setup(self.translator)
        self.start_b = setup(self.second)
        for name, given in self.machine.givens.items():
            ours, theirs = given.otherwise, self.other.givens[name].otherwise
            if ours is None or theirs is None:
                self.aspects[f"table {name}"] = ours is theirs
            else:
                self.aspects[f"table {name}"] = same(self.translator.value(ours, first, {}), self.second.value(theirs, first, {}))
        self._fields(first, self.start_b, True)
        return first, first

    def _ends(self, start: World) -> None:
        overs = [tr.value(tr.machine.over.body, world, {}) for tr, world in ((self.translator, start), (self.second, self.start_b))]
        self.aspects["over"] = same(*overs)
        over = conj(*overs)
        winners = [tr.value(tr.machine.winner.body, world, {}) for tr, world in ((self.translator, start), (self.second, self.start_b))]
        self.aspects["winner"] = neg(conj(over, neg(same(*winners))))
        for who in SEATS:
            names = {"who": who}
            totals = [tr.value(t.Use(tr.machine.total.name, (t.Variable("who"),)), world, names) for tr, world in ((self.translator, start), (self.second, self.start_b))]
            self.aspects[f"total {who:d}"] = neg(conj(over, neg(same(*totals))))

    def _moves(self, start: World) -> None:
        """Legality must agree; where both allow the action, so must every visible field."""
        forms = [next((f for f in machine.actions if f.name == self.case.action), None) for machine in (self.machine, self.other)]
        assert self.case.me is not None
        if forms[0] is None or forms[1] is None:
            only = self.translator if forms[0] is not None else self.second
            world = start if forms[0] is not None else self.start_b
            legal, self.names, _ = legality(only, form_named(only.machine, self.case.action), self.case.me, world)
            self.aspects["legal"] = neg(legal)
            self.allowed = legal
            return
        first, second = move(self.translator, forms[0], self.case.me, start), move(self.second, forms[1], self.case.me, self.start_b)
        self.names = {**second.names, **first.names}
        self._same_placements()
        self.aspects["legal"] = same(first.legal, second.legal)
        self.allowed = disj(first.legal, second.legal)
        self._fields(first.world, second.world, conj(first.legal, second.legal))

    def _same_placements(self) -> None:
        """Patches that both machines place alike are placed alike; only others can make a difference."""
        for (m, p, cells, ours), (n, q, others, theirs) in product(self.terms.placed_tests, repeat=2):
            if m is self.machine and n is self.other and cells.eq(others) and isinstance(p.flips, bool) and isinstance(q.flips, bool):
                alike = sum(
                    1 << i for i, (a, b) in enumerate(zip(m.patches, n.patches, strict=True))
                    if set(placements(a.shape, m.board, p.flips)) == set(placements(b.shape, n.board, q.flips))
                )
                self.terms.facts.append(z3.Implies(z3.And(p.patch.bits == q.patch.bits, p.patch.bits & alike != 0), ours == theirs))

    def _fields(self, first: World, second: World, when: Truth) -> None:
        seen = visible(self.machine, self.other)
        for (name, who), value in sorted(first.now.items(), key=lambda item: item[0][0] not in OBSERVED):
            if name in seen:
                agree = same(value, second.now[name, who])
                self.aspects[name if who is None else f"{name} {who}"] = True if agree is True else neg(conj(when, neg(agree)))


def visible(*machines: Machine) -> frozenset[str]:
    """The fields that the protocol shows or a rule of one of the machines reads."""
    known = {f.name for m in machines for f in (*m.shared, *m.player)}
    read = {n.name for m in machines for e in _read(m) for n in _entered(m, e) if isinstance(n, (t.Shared, t.OfPlayer))}
    return frozenset(known & (read | set(OBSERVED)))


def _read(machine: Machine) -> Iterator[t.Expr]:
    """Every expression that decides something; that an update reads its own target does not count."""
    yield from (machine.over.body, machine.winner.body, machine.total.body)
    for form in machine.actions:
        yield from (domain.collection for _, domain in form.choices)
        yield from (guard.condition for guard in form.requires)
        yield from (value for _, value in form.values)
        for step in form.steps:
            yield from step.when.values()
            yield from ([step.each[1]] if step.each is not None else [])
            yield from (e for effect in step.does for e in expressions(effect))


def _entered(machine: Machine, node: t.Expr) -> Iterator[t.Expr]:
    """The nodes of an expression and of the definitions that it uses."""
    for inner in nodes(node):
        yield inner
        if isinstance(inner, t.Use) and inner.name in machine.definitions:
            yield from _entered(machine, machine.definitions[inner.name].body)
