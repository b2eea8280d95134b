"""Is `docs/proofs.md` true?"""

from __future__ import annotations

import re
from pathlib import Path

from patchwork_ref.rulebook.model import Rulebook

from .test_proving import BROKEN


def test_the_examples_run(root: Path) -> None:
    """The Python blocks run, one after the other, as they stand."""
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", (root / "docs" / "proofs.md").read_text(), re.DOTALL)
    assert len(blocks) >= 2
    for block in blocks:
        exec(compile(block, "docs/proofs.md", "exec"), names)


def test_the_table_of_broken_properties_is_the_tested_one(root: Path) -> None:
    """The table names exactly the readings that break something, with the properties that they break."""
    told: dict[str, set[str]] = {}
    for line in (root / "docs" / "proofs.md").read_text().splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if len(cells) == 3 and "=" in cells[0]:
            first, *others = re.findall(r"`([^`]+)`", cells[0])
            ambiguity = first.partition("=")[0]
            for reading in (first, *(ambiguity + other for other in others)):
                told[reading] = {f"holds/{name}" for name in re.findall(r"`([^`]+)`", cells[1])}
    assert told == {name: set(broken) for name, broken in BROKEN.items() if broken and "=" in name}


def test_every_property_has_its_words(rulebook: Rulebook) -> None:
    """Every property says in one line what holds, and in one line why a player would care."""
    from patchwork_ref.machine.build import from_rulebook

    for ruleset in rulebook.rulesets:
        for declared in from_rulebook(rulebook, rulebook.readings(ruleset)).properties.values():
            assert declared.says.endswith(".") and declared.why.endswith("."), declared.name
            assert len(declared.says) < 160 and "\n" not in declared.says + declared.why
