"""Counting without counting. The number of cells of a region, or the sum of numbers over a set of patches, is an
uninterpreted function of the set; what is known of it is one lemma for each union, removal and choice that occurs.

A measure m with weights w >= 0 obeys, for sets a and b of the same kind:

    m({i}) = w[i]      m(a | b) = m(a) + m(b) when disjoint      m(a - b) = m(a) - m(b) when b is inside a
    0 <= m(a) <= m(all)      m(a) = 0 exactly when a holds nothing that weighs      m(a) = m(all) exactly when it holds all

``lemma_cells`` states the lemmas for one cell; a sum over the cells of what holds cell by cell holds of the whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import z3


class Unsupported(Exception):
    """The translation has no term for something; the message says for what."""


@dataclass(slots=True)
class Shape:
    """How a set's term came about: union, removal, choice, or one that stands for itself."""

    kind: str
    parts: tuple[z3.ExprRef, ...]


@dataclass(slots=True)
class Sets:
    """Sets as bit vectors of one width, and the measures on them; ``facts`` gathers the lemmas to assert."""

    facts: list[z3.BoolRef]
    shapes: dict[int, Shape] = field(default_factory=dict)
    applied: dict[tuple[int, tuple[int, ...]], tuple[z3.ExprRef, z3.ArithRef]] = field(default_factory=dict)
    _functions: dict[tuple[int, ...], z3.FuncDeclRef] = field(default_factory=dict)
    _kept: list[z3.ExprRef] = field(default_factory=list)

    def _made(self, term: z3.ExprRef, kind: str, *parts: z3.ExprRef) -> z3.ExprRef:
        self._kept.append(term)  # an id belongs to a term only as long as the term lives
        self.shapes.setdefault(term.get_id(), Shape(kind, parts))
        return term

    def union(self, a: z3.ExprRef, b: z3.ExprRef) -> z3.ExprRef:
        return self._made(a | b, "union", a, b)

    def minus(self, a: z3.ExprRef, b: z3.ExprRef) -> z3.ExprRef:
        return self._made(a & ~b, "minus", a, b)

    def within(self, a: z3.ExprRef, b: z3.ExprRef) -> z3.ExprRef:
        return self._made(a & b, "within", a, b)

    def choice(self, c: z3.BoolRef, a: z3.ExprRef, b: z3.ExprRef) -> z3.ExprRef:
        return a if a.eq(b) else self._made(z3.If(c, a, b), "choice", c, a, b)

    def single(self, term: z3.ExprRef) -> z3.ExprRef:
        """Declares that a set holds exactly one element."""
        self.facts.append(z3.And(term != 0, term & (term - 1) == 0))
        return self._made(term, "single")

    def measure(self, term: z3.ExprRef, weights: tuple[int, ...]) -> z3.ArithRef | int:
        """The sum of the weights of a set's elements."""
        if min(weights, default=0) < 0:
            raise Unsupported("a sum of negative numbers over a set")
        plain = z3.simplify(term)
        if z3.is_bv_value(plain):
            value = plain.as_long()
            return sum(w for i, w in enumerate(weights) if value >> i & 1)
        key = (term.get_id(), weights)
        if key in self.applied:
            return self.applied[key][1]
        if weights not in self._functions:
            self._functions[weights] = z3.Function(f"measure{len(self._functions)}_{len(weights)}", term.sort(), z3.IntSort())
        found = self._functions[weights](term)
        self.applied[key] = (term, found)
        self._kept.append(term)
        self._lemmas(term, found, weights)
        return found

    def _lemmas(self, term: z3.ExprRef, found: z3.ArithRef, weights: tuple[int, ...]) -> None:
        total, support = sum(weights), z3.BitVecVal(sum(1 << i for i, w in enumerate(weights) if w), len(weights))
        shape = self.shapes.get(term.get_id())
        add = self.facts.append
        if shape is not None and shape.kind == "single":
            add(found == by_value(term, weights))
            return
        add(z3.And(found >= 0, found <= total))
        add((found == 0) == (term & support == 0))
        add((found == total) == (term & support == support))
        if shape is None:
            return
        if shape.kind == "choice":
            c, a, b = shape.parts
            add(found == z3.If(c, self.measure(a, weights), self.measure(b, weights)))
            return
        a, b = shape.parts
        of_a, of_b = self.measure(a, weights), self.measure(b, weights)
        if shape.kind == "union":
            add(z3.Implies(a & b == 0, found == of_a + of_b))
            add(z3.And(found >= of_a, found >= of_b, found <= of_a + of_b))
        elif shape.kind == "minus":
            add(z3.Implies(b & ~a == 0, found == of_a - of_b))
            add(z3.Implies(a & b == 0, found == of_a))
            add(z3.And(found <= of_a, found >= of_a - of_b))
        else:
            add(z3.And(found <= of_a, found <= of_b))


def by_value(term: z3.ExprRef, weights: tuple[int, ...]) -> z3.ArithRef | int:
    """The weight of the one element of a set, by cases on the values that occur."""
    values = sorted(set(weights))
    result: z3.ArithRef | int = values[0]
    for value in values[1:]:
        group = sum(1 << i for i, w in enumerate(weights) if w == value)
        result = z3.If(term & z3.BitVecVal(group, len(weights)) != 0, value, result)
    return result


def counted(term: z3.ExprRef, weights: tuple[int, ...]) -> list[tuple[z3.BoolRef, int]]:
    """Each element that weighs, as the truth that the set holds it, with its weight: the exact sum, for witnesses."""
    return [(z3.Extract(i, i, term) == 1, w) for i, w in enumerate(weights) if w]


def lemma_cells() -> dict[str, z3.BoolRef]:
    """The lemmas for one cell with any weight w >= 0; each is valid.

    m is a sum over cells, and a sum of equations (or of inequalities of one sense) that hold for every cell holds for
    the sums. The two equivalences about 0 and the whole: a sum of terms >= 0 is 0 exactly when each of them is.
    """
    a, b, w = z3.Bool("a"), z3.Bool("b"), z3.Int("w")

    def m(held: z3.BoolRef) -> z3.ArithRef:
        return z3.If(held, w, 0)

    some = w >= 0
    return {
        "union": z3.Implies(z3.And(some, z3.Not(z3.And(a, b))), m(z3.Or(a, b)) == m(a) + m(b)),
        "union bounds": z3.Implies(some, z3.And(m(z3.Or(a, b)) >= m(a), m(z3.Or(a, b)) >= m(b), m(z3.Or(a, b)) <= m(a) + m(b))),
        "removal of a part": z3.Implies(z3.And(some, z3.Implies(b, a)), m(z3.And(a, z3.Not(b))) == m(a) - m(b)),
        "removal of nothing": z3.Implies(z3.And(some, z3.Not(z3.And(a, b))), m(z3.And(a, z3.Not(b))) == m(a)),
        "removal bounds": z3.Implies(some, z3.And(m(z3.And(a, z3.Not(b))) <= m(a), m(z3.And(a, z3.Not(b))) >= m(a) - m(b))),
        "intersection bounds": z3.Implies(some, z3.And(m(z3.And(a, b)) <= m(a), m(z3.And(a, b)) <= m(b))),
        "bounds": z3.Implies(some, z3.And(m(a) >= 0, m(a) <= w)),
        "nothing": z3.Implies(some, (m(a) == 0) == z3.Not(z3.And(a, w > 0))),
        "everything": z3.Implies(some, (w - m(a) == 0) == z3.Implies(w > 0, a)),
    }
