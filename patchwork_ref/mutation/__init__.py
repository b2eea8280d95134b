"""A rulebook with one rule changed = a mutant: what a suite should notice. Since the rulebook drives the engine, every
mutant is an engine.

``expressions``, ``effects``, ``rules``, ``actions``, ``parts`` and ``readings`` list the changes, each with a permanent
name; ``mutants`` builds the Machines and leaves out what is no rulebook or no new one; ``playing`` sets a mutant up
for a game; ``equivalence`` tells which mutants provably play like the rulebook.
"""

from patchwork_ref.mutation.model import Mutant
from patchwork_ref.mutation.mutants import mutant, mutants

__all__ = ["Mutant", "mutant", "mutants"]
