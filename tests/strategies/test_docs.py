"""The guide is executed: what it shows works as it stands."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_every_block_of_the_guide_runs() -> None:
    """The Python blocks of docs/strategies.md run one after the other in one program."""
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / "strategies.md").read_text(encoding="utf-8"), re.S)
    assert len(blocks) >= 6
    names: dict[str, object] = {"__name__": "guide"}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"docs/strategies.md, block {number}", "exec"), names)


def test_the_mutants_that_the_guide_names_exist() -> None:
    """Every RULE~CHANGE in docs/mutants.md is a mutant of the shipped rulebook."""
    from patchwork_ref.mutation import mutant
    from patchwork_ref.rulebook.rulebook import load_rulebook

    book = load_rulebook()
    found = set(re.findall(r"[a-z]+/[A-Za-z-]+~[a-z0-9/-]+", (DOCS / "mutants.md").read_text(encoding="utf-8")))
    assert found and all(mutant(book, name) for name in found)
