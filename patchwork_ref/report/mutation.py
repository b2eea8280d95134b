"""A kill matrix as text and JSON."""

from __future__ import annotations

from typing import Any

from patchwork_ref.suite import Matrix


def mutation_json(matrix: Matrix) -> dict[str, Any]:
    """The document of ``mutate --format json``."""
    return {
        "mutants": len(matrix.rows), "killed": len(matrix.of("killed")), "survived": len(matrix.of("survived")), "equivalent": len(matrix.of("equivalent")),
        "not_applicable": len(matrix.of("not-applicable")), "timed_out": len(matrix.of("timed-out")), "survivors": [row.mutant for row in matrix.of("survived")],
        "fixtures": len(matrix.fixtures), "rate": round(matrix.rate, 4), "seconds": round(matrix.seconds, 1),
        "equivalents": {row.mutant: row.reason for row in matrix.of("equivalent")},
    }


def mutation_text(matrix: Matrix) -> str:
    """What survived, what is equivalent and why, and the counts with their denominators."""
    lines = [f"SURVIVED   {row.mutant}   played {row.tried} fixtures" for row in matrix.of("survived")]
    lines += [f"TIMED OUT  {row.mutant}" for row in matrix.of("timed-out")]
    lines += [f"equivalent {row.mutant}   {row.reason}" for row in matrix.of("equivalent")]
    wanted = len(matrix.rows) - len(matrix.of("equivalent"))
    lines.append(f"{len(matrix.of('killed'))} of {wanted} mutants killed ({matrix.rate:.1%}) by {len(matrix.fixtures)} fixtures; {len(matrix.rows)} tried, "
                 f"{len(matrix.of('equivalent'))} equivalent, {len(matrix.of('not-applicable'))} not applicable, {len(matrix.of('timed-out'))} timed out; {matrix.seconds:.0f} s")
    return "\n".join(lines)
