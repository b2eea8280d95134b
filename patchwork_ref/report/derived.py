"""The files that are derived from a report, beside it in its folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from patchwork_ref.errors import InputError
from patchwork_ref.machine.codec import dumps
from patchwork_ref.report.annotations import annotations_json
from patchwork_ref.report.badge import badge
from patchwork_ref.report.check import check_json
from patchwork_ref.report.junit import junit_xml
from patchwork_ref.report.record import Record
from patchwork_ref.report.step_summary import step_summary

SUMMARY_LIMIT = 1_000_000
"""Bytes that GitHub takes as the summary of a step."""


NAMES = ("junit.xml", "summary.md", "annotations.json", "badge.json", "check.json")


def derived(record: Record) -> dict[str, str]:
    """Each file's name and text."""
    texts = (junit_xml(record), step_summary(record), *(dumps(found) + "\n" for found in (annotations_json(record), badge(record), check_json(record))))
    return dict(zip(NAMES, texts, strict=True))


def write_derived(record: Record, folder: str | Path) -> None:
    """Writes them all, each whole or not at all. Raises InputError when the folder cannot be written."""
    for name, text in derived(record).items():
        write_whole(Path(folder) / name, text)


def forget_derived(folder: str | Path) -> None:
    """Takes away those of an earlier run, which would speak for this one if it were killed."""
    for name in NAMES:
        with suppress(OSError):
            (Path(folder) / name).unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Written beside and moved into place; a character that UTF-8 cannot write as a question mark."""
    try:
        beside = path.with_name(path.name + ".part")
        beside.write_bytes(text.encode("utf-8", "replace"))
        beside.replace(path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; name a place that can be written") from None


def append_summary(record: Record, environment: Mapping[str, str] = os.environ) -> None:
    """Adds the summary to the page of the step, where GitHub Actions offers one. A summary is worth no failed run."""
    file = environment.get("GITHUB_STEP_SUMMARY")
    if not file:
        return
    try:
        with open(file, "ab") as page:
            page.write(step_summary(record).encode("utf-8", "replace")[:SUMMARY_LIMIT])
    except OSError:
        return
