"""Is a file of any size and content audited in a stream, on one core or many, without a traceback?"""

from __future__ import annotations

import io
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from patchwork_ref.errors import InputError
from patchwork_ref.notation import AuditReport, audit_file, audit_games, export_traces, read_games
from patchwork_ref.notation.audit import WAITING, Audit
from patchwork_ref.notation.lines import CHUNK_LINES, LONGEST_LINE, Chunk, chunks
from patchwork_ref.notation.notations import recognised


@pytest.fixture(scope="module")
def long_file(table: Any) -> Path:
    """Some 700 lines, with faults and rubbish among them."""
    source, good = random.Random(3), table.lines(table.games("revised", 6, "mixed", 0), "student-csv")
    lines = []
    for _ in range(700):
        line = source.choice(good)
        lines.append(source.choice([line] * 6 + ["", "rubbish", line.replace(",", ",AAAA", 1), line + "1"]))
    path: Path = table.file(lines, "long.csv")
    return path


def test_workers_change_nothing(table: Any, long_file: Path) -> None:
    """One process or several give the same report and the same verdicts in the order of the file."""
    reports = [audit_file(long_file, table.rulebook, table.rulebook.readings(), workers=n) for n in (1, 2)]
    assert reports[0] == reports[1]
    assert reports[0].illegal and reports[0].unreadable and reports[0].score_mismatches
    found = [list(audit_games(long_file, table.rulebook, table.rulebook.readings("original"), workers=n)) for n in (1, 2)]
    assert found[0] == found[1]
    assert [v.line for v in found[0]] == sorted(v.line for v in found[0])


@pytest.mark.parametrize("workers", [1, 2])
def test_progress(table: Any, long_file: Path, workers: int) -> None:
    """The callback is told bytes done and bytes in all, ever more, up to the whole file."""
    told: list[tuple[int, int]] = []
    audit_file(long_file, table.rulebook, table.rulebook.readings(), progress=lambda done, total: told.append((done, total)), workers=workers)
    size = long_file.stat().st_size
    assert len(told) > 2 and told == sorted(told) and told[-1] == (size, size)


@pytest.mark.parametrize("workers", [1, 2])
def test_no_more_is_read_than_is_needed(table: Any, workers: int) -> None:
    """However long the file, only a bounded number of chunks is read ahead of the verdicts taken."""
    run, pulled = Audit("unused", table.rulebook, table.rulebook.readings(), "student", workers=workers), 0

    def endless() -> Iterator[Chunk]:
        nonlocal pulled
        while True:
            pulled += 1
            yield Chunk(pulled, (b"rubbish\n",), pulled)

    spread = run._spread(endless(), 0)
    for taken in range(1, 60):
        next(spread)
        assert pulled <= taken + workers * (1 + WAITING) + 1


def test_chunks_hold_every_line_once() -> None:
    """Chunks put together are the lines of the file with their numbers, whatever their lengths."""
    source = random.Random(8)
    lines = [b"x" * source.choice([0, 1, 50, 3000, 200_000]) + b"\n" for _ in range(700)] + [b"last, without an end"]
    data = b"".join(lines)
    found: list[bytes | None] = []
    number = 1
    for chunk in chunks(io.BytesIO(data)):
        assert chunk.first == number and 0 < len(chunk.lines) <= CHUNK_LINES
        number += len(chunk.lines)
        found += chunk.lines
        assert chunk.end == sum(len(line or b"") for line in found)
    assert found == lines


def test_a_line_too_long_is_passed_over_in_pieces() -> None:
    """A line longer than the limit is one line that nobody holds; its bytes count."""
    data = b"a\n" + b"y" * (3 * LONGEST_LINE) + b"\nb\n"
    (chunk,) = chunks(io.BytesIO(data))
    assert chunk.lines == (b"a\n", None, b"b\n") and chunk.end == len(data)


def audited(table: Any, data: bytes, notation: str | None = None) -> AuditReport:
    report: AuditReport = table.audit(data, notation)
    assert all(u.reason and "\n" not in u.reason and u.reason.isprintable() for u in report.unreadable)
    return report


@pytest.mark.parametrize("data", [
    bytes(range(256)) * 40,
    os.urandom(20_000),
    b"\x89PNG\r\n\x1a\n" + b"\0" * 5000,
    b"x" * 1_000_000,
    '\ufeff{"a": 1}\n'.encode("utf-16"),
    b"{" * 100_000,
    b"[" * 100_000 + b'\n{}\n[]\n1\nnull\n"x"',
    b'{"setup": {"circle": ["A"]}, "actions": [{"type": "advance"}], "scores": ["a", 2]}',
    b'{"setup": {"circle": ["A"]}, "actions": [], "scores": [1, 2], "winner": []}',
    b'{"setup": {"circle": ["A"], "neutral_token": 99999999999999999999}, "actions": []}',
    b'{"setup": {"circle": ["A"]}, "actions": [{"type": "buy", "patch": "A", "cells": [1e400]}]}',
    b'{"setup": {"circle": ["A"]}, "actions": [], "ruleset": ["x"]}',
    b'{"setup": {"circle": ["A"], "patches": {"A": 1}}, "actions": []}',
    b'{"setup": {"circle": ["A"], "time_board": {"last": "x"}}, "actions": []}',
], ids=range(14))
@pytest.mark.parametrize("notation", [None, "traces", "student", "student-csv"])
def test_rubbish(table: Any, data: bytes, notation: str | None) -> None:
    """A file of anything gives one-line reasons by line, and no game that is none."""
    report = audited(table, data, notation)
    assert report.games == report.legal == 0 and report.unreadable


@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n \t\n"])
@pytest.mark.parametrize("notation", [None, "traces", "student"])
def test_empty_files(table: Any, data: bytes, notation: str | None) -> None:
    """A file without games has none, and no ruleset is ruled out by them."""
    report = audited(table, data, notation)
    assert (report.games, report.unreadable, report.clean) == (0, (), True)
    assert report.consistent_rulesets == tuple(table.rulebook.rulesets)


def test_files_that_cannot_be_read(table: Any, tmp_path: Path) -> None:
    """A missing file, a folder or an unknown notation is an InputError of one line."""
    readings = table.rulebook.readings()
    for path in (tmp_path / "missing", tmp_path, "no\0name"):
        with pytest.raises(InputError) as refused:
            audit_file(path, table.rulebook, readings)
        assert "\n" not in str(refused.value)
        with pytest.raises(InputError):
            list(export_traces(path, "student", table.rulebook, readings))
    for name in ("", "pgn", "Student"):
        with pytest.raises(InputError, match="notation"):
            audit_file(table.file(["x"]), table.rulebook, readings, name)
        with pytest.raises(InputError, match="notation"):
            list(export_traces(table.file(["x"]), name, table.rulebook, readings))


def test_recognition(table: Any) -> None:
    """A notation is recognised by what most lines look like, whatever rubbish stands before, and games are then read alike."""
    games = table.games("revised", 3, "mixed", 0)
    for notation in ("traces", "student", "student-csv"):
        lines = [line.encode() + b"\n" for line in table.lines(games, notation)]
        for rubbish in ([], [b"# a note, or two\n"], [b"{oops\n"], [b"\xff\xfe\n", None, b"\n"]):
            assert recognised([*rubbish, *lines]) == notation
    mixed = [table.lines(games, "student")[0], *table.lines(games[1:], "student-csv")]
    report = table.audit(mixed)
    assert report.notation == "student-csv" and report.clean and report.games == 3


def test_a_first_game_without_claims(table: Any) -> None:
    """A CSV file whose scores begin far down is read whole, though its beginning looks like plain student games."""
    games = table.games("revised", 2, "mixed", 0)
    lines = table.lines(games[:1], "student") * (CHUNK_LINES + 5) + table.lines(games[1:], "student-csv")
    report = table.audit(lines)
    assert report.clean and report.games == CHUNK_LINES + 6


def test_streams(table: Any) -> None:
    """Games are read from any stream of bytes while it goes on."""
    line = table.lines(table.games("revised", 1, "mixed", 0), "student")[0].encode() + b"\n"
    found = read_games(io.BytesIO(line * 450), None, table.machine("revised"))
    assert next(found).line == 1
    assert sum(1 for _ in found) == 449
