"""How strong are the fixtures? Every mutant plays every fixture; what none notices is a hole in the suite.

``cases`` turns fixtures into what can be replayed fast, ``trial`` lets a mutant play one, ``matrix`` all of them on
several cores, ``store`` keeps the outcome beside the fixtures, ``tiers`` chooses quick, gate and full by set cover,
``diagnosis`` names the mutant that a failing engine behaves like, ``witnesses`` searches games that tell a mutant apart
(``exhaust`` all games, where they are few), ``entries`` writes them as cases for the fixtures.
"""

from patchwork_ref.suite.cases import Case, cases_of
from patchwork_ref.suite.diagnosis import Diagnosis, Failure, diagnose
from patchwork_ref.suite.entries import case_entry
from patchwork_ref.suite.exhaust import exhausted
from patchwork_ref.suite.matrix import Matrix, Row, measure, sampled
from patchwork_ref.suite.pair import Witness
from patchwork_ref.suite.store import KILLS, read_matrix, write_matrix
from patchwork_ref.suite.tiers import Tiers, tiers_of
from patchwork_ref.suite.trial import Kill, first_difference
from patchwork_ref.suite.witnesses import propose

__all__ = [
    "KILLS", "Case", "Diagnosis", "Failure", "Kill", "Matrix", "Row", "Tiers", "Witness", "case_entry", "cases_of", "diagnose", "exhausted", "first_difference", "measure",
    "propose", "read_matrix", "sampled", "tiers_of", "write_matrix",
]
