"""The second route to an answer: Z3, from a statement of the geometry of its own.

For every window a fresh solver reads one text: DIMACS clauses, or SMT-LIB 2 with pseudo-Boolean sums where there are
budgets. Placements are derived here from coordinates, not taken from ``polyomino`` or the tables, and no bound of the
tree search is told to Z3. Where only the areas decide, clauses hide what it would have to count; so it is asked first,
in a text about areas alone, how many cells of each patch must lie inside the square, and what it proves there is added.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache

import z3

from patchwork_ref.polyomino import Shape
from patchwork_ref.tiling.answers import Placement
from patchwork_ref.tiling.question import SPECIAL, Question

Cell = tuple[int, int]
Lying = tuple[str, frozenset[Cell]]


@dataclass(frozen=True, slots=True)
class Z3Answer:
    """``verdict`` is possible, impossible or unknown; placements and window go with possible."""

    verdict: str
    placements: tuple[Placement, ...] = ()
    window: int = -1
    closed: int = 0
    reason: str = ""


def decide(question: Question, seconds: float) -> Z3Answer:
    """What Z3 says about the question within the time."""
    deadline = time.monotonic() + seconds
    filled = {divmod(cell, question.board.columns) for cell in range(question.board.cells) if question.quilt >> cell & 1}
    lying = [(name, cells) for name, piece in question.pieces for cells in _laid(piece.shape, question, filled)]
    corners = [
        (r, c)
        for r in range(question.board.rows - question.side + 1)
        for c in range(question.board.columns - question.side + 1)
    ]
    closed = unknown = 0
    for window, (top, left) in enumerate(corners):
        square = {(top + r, left + c) for r in range(question.side) for c in range(question.side)}
        statement = Statement(question, sorted(square - filled), lying)
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            return Z3Answer("unknown", closed=closed, reason=f"Z3 closed {closed} of {len(corners)} windows in {seconds:g} s")
        true = statement.solve(remaining)
        if true is None:
            unknown += 1
        elif true is False:
            closed += 1
        else:
            return Z3Answer("possible", statement.placements(true), window, closed)
    if unknown:
        return Z3Answer("unknown", closed=closed, reason=f"Z3 closed {closed} of {len(corners)} windows in {seconds:g} s")
    return Z3Answer("impossible", closed=closed)


def _laid(shape: Shape, question: Question, filled: set[Cell]) -> list[frozenset[Cell]]:
    """The cell sets the shape can cover on the board beside the filled cells."""
    found: set[frozenset[Cell]] = set()
    for mirror in (1, -1) if question.flips else (1,):
        for turn in range(4):
            cells = [(r, c * mirror) for r, c in shape]
            for _ in range(turn):
                cells = [(c, -r) for r, c in cells]
            first = cells[0]
            for row in range(question.board.rows):
                for column in range(question.board.columns):
                    moved = frozenset((r - first[0] + row, c - first[1] + column) for r, c in cells)
                    if all(0 <= r < question.board.rows and 0 <= c < question.board.columns for r, c in moved):
                        found.add(moved)
    return [cells for cells in found if not cells & filled]


@cache
def least_inside(sizes: tuple[int, ...], specials: int, needed: int) -> dict[int, int] | None:
    """For sizes of patches how many of their cells must at least lie inside the square, each number proved by Z3 from areas alone.

    None when the areas cannot suffice. Sizes that may be left out altogether are missing.
    """
    spare = sum(sizes) + specials - needed
    text = f"(declare-const s Int)(assert (<= 0 s {specials}))\n"
    text += "".join(f"(declare-const i{n} Int)(assert (<= 0 i{n} {size}))\n" for n, size in enumerate(sizes))
    text += f"(assert (>= (+ s {' '.join(f'i{n}' for n in range(len(sizes)))}) {needed}))\n"
    if spare < 0:
        return None if _refuted(text) else {}
    return {size: size - spare for size in set(sizes) if size > spare and _refuted(text + f"(assert (< i{sizes.index(size)} {size - spare}))\n")}


def _refuted(text: str) -> bool:
    solver = z3.SolverFor("QF_LIA", ctx=z3.Context())
    solver.from_string(text)
    return bool(solver.check() == z3.unsat)


class Statement:
    """Clauses: every needed cell is covered, no cell twice, no patch twice, no more special patches than there are, what areas imply."""

    def __init__(self, question: Question, needed: list[Cell], lying: list[Lying]) -> None:
        self.question = question
        wanted = set(needed)
        self.meaning: list[Lying] = [entry for entry in lying if entry[1] & wanted]
        patches = len(self.meaning)
        inside = least_inside(tuple(sorted(piece.size for _, piece in question.pieces)), question.specials, len(needed))
        if question.specials:
            self.meaning += [(SPECIAL, frozenset((cell,))) for cell in needed]
        self.variables = len(self.meaning)
        self.clauses: list[list[int]] = []
        over: dict[Cell, list[int]] = {}
        of: dict[str, list[int]] = {}
        for number, (name, cells) in enumerate(self.meaning, 1):
            if number <= patches:
                of.setdefault(name, []).append(number)
            for cell in cells:
                over.setdefault(cell, []).append(number)
        for cell in needed:
            self.clauses.append(over.get(cell, []))
        for numbers in (*over.values(), *of.values()):
            self._at_most(1, numbers)
        self._at_most(question.specials, list(range(patches + 1, len(self.meaning) + 1)))
        self.of = of
        if inside is None:
            self.clauses.append([])
            return
        for name, piece in question.pieces:
            if inside.get(piece.size):
                numbers = of.get(name, [])
                self.clauses.append(numbers)
                self.clauses += [[-n] for n in numbers if len(self.meaning[n - 1][1] & wanted) < inside[piece.size]]

    def _at_most(self, bound: int, numbers: list[int]) -> None:
        """A sequential counter: ``count[k]`` says that more than k of the numbers so far are true."""
        if len(numbers) <= bound:
            return
        count: list[int] = []
        for number in numbers:
            following = [self._fresh() for _ in range(bound)]
            for k, variable in enumerate(following):
                if k < len(count):
                    self.clauses.append([-count[k], variable])
                if k == 0:
                    self.clauses.append([-number, variable])
                elif k - 1 < len(count):
                    self.clauses.append([-number, -count[k - 1], variable])
            if count:
                self.clauses.append([-number, -count[-1]])
            count = following

    def _fresh(self) -> int:
        self.variables += 1
        return self.variables

    def dimacs(self) -> str:
        """The clauses as DIMACS text; budgets cannot be said so."""
        lines = [f"p cnf {self.variables} {len(self.clauses)}"]
        lines += [" ".join(map(str, [*clause, 0])) for clause in self.clauses]
        return "\n".join(lines) + "\n"

    def smtlib(self) -> str:
        """The clauses and the budgets as SMT-LIB 2 text."""
        lines = [f"(declare-const v{number} Bool)" for number in range(1, self.variables + 1)]
        for clause in self.clauses:
            terms = [f"v{n}" if n > 0 else f"(not v{-n})" for n in clause]
            lines.append(f"(assert (or false {' '.join(terms)}))")
        for bound, key in ((self.question.buttons, "cost"), (self.question.spaces, "time")):
            pieces = dict(self.question.pieces)
            priced = [(getattr(pieces[name], key), n) for name, numbers in self.of.items() for n in numbers]
            if bound is not None and priced:
                weights = " ".join(str(price) for price, _ in priced)
                lines.append(f"(assert ((_ pble {bound} {weights}) {' '.join(f'v{n}' for _, n in priced)}))")
        return "\n".join(lines) + "\n"

    def solve(self, seconds: float) -> set[int] | bool | None:
        """The true variables; False when there is no solution; None when the time is up."""
        if [] in self.clauses:
            return False
        if not self.clauses:
            return set()
        solver = z3.SolverFor("QF_FD", ctx=z3.Context())
        solver.set("timeout", max(1, int(seconds * 1000)))
        solver.from_string(self.smtlib() if self.question.budgeted else self.dimacs())
        result = solver.check()
        if result == z3.unsat:
            return False
        if result != z3.sat:
            return None
        model = solver.model()
        return {int(entry.name().lstrip("kv!")) for entry in model.decls() if z3.is_true(model[entry])}

    def placements(self, true: set[int] | bool) -> tuple[Placement, ...]:
        """What the true variables lay."""
        if isinstance(true, bool):
            return ()
        columns = self.question.board.columns
        return tuple(
            Placement(name, sum(1 << (r * columns + c) for r, c in cells))
            for number, (name, cells) in enumerate(self.meaning, 1)
            if number in true
        )
