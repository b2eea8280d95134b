"""The kill matrix beside the fixtures: one short line for each mutant, so that changes can be read in a diff."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from patchwork_ref.errors import InputError
from patchwork_ref.machine.codec import dumps, loads
from patchwork_ref.polyomino import cells_of, mask_of
from patchwork_ref.suite.matrix import Matrix, Row

KILLS = "kills.json"
"""The file's name in the folder of fixtures."""
FORMAT = 1


def write_matrix(matrix: Matrix, file: Path) -> None:
    """``{format, rulebook, fixtures: [ids], mutants: {name: {verdict, by?, first?, reason?}}}``.

    ``by`` is a hexadecimal number whose bit i says that fixture i kills; ``first`` is ``[fixture, actions]`` of the one
    that needs the fewest actions.
    """
    lines = [f"{dumps(row.mutant)}:{dumps(_entry(row))}" for row in matrix.rows]
    head = f'"format":{FORMAT},"rulebook":{dumps(matrix.rulebook)},\n"fixtures":{dumps(list(matrix.fixtures))}'
    file.write_text("{" + head + ',\n"mutants":{\n' + ",\n".join(lines) + "\n}}\n", encoding="utf-8")


def read_matrix(file: Path) -> Matrix:
    """The stored matrix; of each row it knows which fixtures kill, and after how many actions the quickest does (0 for
    the others). Raises InputError."""
    try:
        found = loads(file.read_text(encoding="utf-8"), file.name)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}; run 'mutate' to make it") from None
    try:
        if found["format"] != FORMAT:
            raise InputError(f"{file.name} has format {found['format']!r}; this version reads format {FORMAT}")
        rows = tuple(_row(name, entry) for name, entry in found["mutants"].items())
        return Matrix(found["rulebook"], tuple(found["fixtures"]), rows)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"{file.name} is no kill matrix; run 'mutate' to make it anew") from None


def _entry(row: Row) -> dict[str, Any]:
    entry: dict[str, Any] = {"verdict": row.verdict, "tried": row.tried}
    if row.kills:
        first = min(row.kills, key=lambda index: (row.kills[index], index))
        entry |= {"by": f"{mask_of(row.kills):x}", "first": [first, row.kills[first]]}
    if row.reason:
        entry["reason"] = row.reason
    return entry


def _row(name: str, entry: dict[str, Any]) -> Row:
    kills = dict.fromkeys(cells_of(int(entry.get("by", "0"), 16)), 0)
    if "first" in entry:
        kills[int(entry["first"][0])] = int(entry["first"][1])
    return Row(name, entry["verdict"], kills, int(entry["tried"]), entry.get("reason", ""))


def disagreements(stored: Matrix, measured: Matrix) -> list[str]:
    """Where a fresh measurement of some mutants contradicts the stored matrix, one line each."""
    by_name = {row.mutant: row for row in stored.rows}
    if stored.fixtures != measured.fixtures:
        return ["the stored matrix is of other fixtures; run 'mutate' to measure it anew"]
    return [line for row in measured.rows for line in _told(by_name.get(row.mutant), row)]


def _told(old: Row | None, new: Row) -> Iterable[str]:
    if old is None:
        yield f"{new.mutant} is not in the stored matrix"
    elif old.verdict != new.verdict:
        yield f"{new.mutant} was {old.verdict}, now it is {new.verdict}"
    elif set(old.kills) != set(new.kills):
        yield f"{new.mutant} is killed by other fixtures than before"
