"""SIGTERM as an exception, so that whoever holds an engine or a report puts it away first."""

from __future__ import annotations


class Terminated(BaseException):
    """The process was told to end."""
