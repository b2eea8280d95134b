"""Mutants of the rulebook as examples."""

from __future__ import annotations

from hypothesis import strategies as st

from patchwork_ref.errors import InputError
from patchwork_ref.mutation import Mutant
from patchwork_ref.mutation import mutants as all_mutants
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import load_rulebook


def mutants(rulebook: Rulebook | None = None, *, rule: str | None = None, operator: str | None = None) -> st.SearchStrategy[Mutant]:
    """A rulebook with one rule changed: any, or one of this rule or this kind of change. Raises InputError for none such."""
    found = [m for m in all_mutants(rulebook if rulebook is not None else load_rulebook()) if (rule is None or m.rule == rule) and (operator is None or m.operator == operator)]
    if not found:
        raise InputError(f"no mutant has {'the rule ' + rule if rule is not None else 'the operator ' + str(operator)}; `mutate` lists them")
    return st.sampled_from(found)
