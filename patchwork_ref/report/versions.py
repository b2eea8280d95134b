"""The four independent versions that every artefact states: protocol, format, rulebook and suite."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from patchwork_ref import __version__
from patchwork_ref.conformance.protocol import VERSION as PROTOCOL
from patchwork_ref.fixtures.model import Fixture, hashed
from patchwork_ref.machine.codec import FORMAT
from patchwork_ref.rulebook.model import Rulebook

SUITE = "1.0.0"
"""Of the shipped fixtures. Major: another format or interpretation; minor: more is covered; patch: a wrong fixture corrected."""

REPORT = 1
"""Of the lines of a report; fields may be added without a new number."""


def versions(rulebook: Rulebook) -> dict[str, Any]:
    """As every artefact states them; the rulebook by the digest of the whole."""
    return {"tool": __version__, "protocol": PROTOCOL, "format": FORMAT, "report": REPORT, "suite": SUITE, "rulebook": rulebook.digest}


def suite_digest(fixtures: Iterable[Fixture]) -> str:
    """Of the fixtures' ids and contents, whatever their order."""
    return hashed("\n".join(sorted(f"{f.id} {f.digest}" for f in fixtures)))


def versions_line(stated: dict[str, Any]) -> str:
    """The same in one line for people."""
    order = ("tool", "protocol", "format", "suite", "rulebook")
    return ", ".join(f"{'patchwork-ref' if name == 'tool' else name} {stated[name]}" for name in order if name in stated)
