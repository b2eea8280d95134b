"""Physical lines of a file, counted and bounded: whatever the file holds, a piece of it at a time is in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from patchwork_ref.errors import InputError
from patchwork_ref.notation.game import NoGame

LONGEST_LINE = 1 << 20
"""Bytes; as in the protocol."""
CHUNK_LINES, CHUNK_BYTES = 200, 1 << 18
"""A chunk ends with whichever is reached first."""
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive lines with their ends, the first one's number, and where the chunk ends in the file.

    None stands for a line that is too long to be kept.
    """

    first: int
    lines: tuple[bytes | None, ...]
    end: int


def opened(path: str | Path) -> BinaryIO:
    """Raises InputError when the file cannot be read."""
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}; name a readable file") from None
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{str(path)!r} names no file: {error}") from None


def chunks(stream: BinaryIO) -> Iterator[Chunk]:
    """The lines of a stream, without a byte-order mark. Raises InputError when reading fails."""
    first, end, held, size = 1, 0, [], 0
    for line, length in _lines(stream):
        end += length
        held.append(line)
        size += len(line or b"")
        if len(held) >= CHUNK_LINES or size >= CHUNK_BYTES:
            yield Chunk(first, tuple(held), end)
            first, held, size = first + len(held), [], 0
    if held:
        yield Chunk(first, tuple(held), end)


def _lines(stream: BinaryIO) -> Iterator[tuple[bytes | None, int]]:
    """Each line, or None for one too long, with its length in the file."""
    start = True
    try:
        while line := stream.readline(LONGEST_LINE + 1):
            length = len(line)
            if start and line.startswith(_MARK):
                line = line[len(_MARK) :]
            start = False
            if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
                yield line, length
                continue
            while rest := stream.readline(LONGEST_LINE):
                length += len(rest)
                if rest.endswith(b"\n"):
                    break
            yield None, length
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror or error}") from None


def text_of_line(line: bytes | None) -> str:
    """The line as text without white space around it; empty when it is blank. Raises NoGame."""
    if line is None:
        raise NoGame(f"the line is longer than {LONGEST_LINE} bytes")
    try:
        text = line.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise NoGame(f"byte {error.start + 1} of the line is not UTF-8 text") from None
    if "\0" in text:
        raise NoGame("the line holds a NUL byte; this is not a text")
    return text
