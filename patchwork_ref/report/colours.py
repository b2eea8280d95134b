"""Colour for a report's text: on a terminal alone, and never where NO_COLOR is set."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TextIO

_STYLES = (
    (re.compile(r"^(FAIL|DIVERGES|THE ENGINE'S PROCESS FAILED)"), "\x1b[1;31m"),
    (re.compile(r"^(CONFORMS)"), "\x1b[1;32m"),
    (re.compile(r"^(KNOWN|INCONCLUSIVE)"), "\x1b[1;33m"),
    (re.compile(r"^( +Replay:)"), "\x1b[36m"),
    (re.compile(r"^(Every failure is explained|Likely cause)"), "\x1b[1m"),
)
_PLAIN = "\x1b[0m"


def wanted(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to colour what goes to a stream."""
    return stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def coloured(text: str) -> str:
    """The text with the first words of telling lines coloured. What an engine said is printed without its control characters."""
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    for pattern, style in _STYLES:
        if (match := pattern.match(line)) is not None:
            return f"{style}{match[1]}{_PLAIN}{line[match.end() :]}"
    return line


def harmless(text: str) -> str:
    """Without control characters that a terminal would obey; an engine's words are shown, not run."""
    return "".join(c if c in "\n\t" or (c >= " " and not "\x7f" <= c <= "\x9f") else "�" for c in text)
