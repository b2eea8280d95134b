"""Are the lemmas about counting true?"""

from __future__ import annotations

import random

import pytest
import z3

from patchwork_ref.symbolic.measures import Sets, counted, lemma_cells

WIDTH = 11


@pytest.mark.parametrize("name", sorted(lemma_cells()))
def test_a_lemma_holds_for_one_cell(name: str) -> None:
    """Each lemma about measures holds for a single cell of any weight."""
    solver = z3.Solver()
    solver.add(z3.Not(lemma_cells()[name]))
    assert solver.check() == z3.unsat


def test_a_wrong_lemma_would_be_found() -> None:
    """A union that adds up without being disjoint is refuted for one cell."""
    a, b, w = z3.Bool("a"), z3.Bool("b"), z3.Int("w")
    solver = z3.Solver()
    solver.add(w >= 0, z3.If(z3.Or(a, b), w, 0) != z3.If(a, w, 0) + z3.If(b, w, 0))
    assert solver.check() == z3.sat


@pytest.mark.parametrize("seed", range(12))
def test_true_counts_meet_every_lemma(seed: int) -> None:
    """Sets with their true counts satisfy all lemmas that unions, removals and choices of them bring."""
    source = random.Random(seed)
    weights = tuple(source.randrange(4) for _ in range(WIDTH))
    facts: list[z3.BoolRef] = []
    sets = Sets(facts)
    a, b, c = z3.BitVec("a", WIDTH), z3.BitVec("b", WIDTH), z3.Bool("c")
    terms = [sets.union(a, b), sets.minus(a, b), sets.within(a, b), sets.choice(c, a, b), sets.union(sets.minus(a, b), b)]
    for term in terms:
        sets.measure(term, weights)
    solver = z3.Solver()
    solver.add(*facts, a == source.getrandbits(WIDTH), b == source.getrandbits(WIDTH), c == bool(source.getrandbits(1)))
    for term, found in sets.applied.values():
        solver.add(found == z3.Sum([z3.If(held, w, 0) for held, w in counted(term, weights)]))
    assert solver.check() == z3.sat
