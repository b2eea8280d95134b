"""What a person sees on a terminal while a command works: gone at the end, and nothing where nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from patchwork_ref.cli.options import progress

T = TypeVar("T")


@contextmanager
def bar(words: str, quiet: bool = False) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on standard error, moved by the function given: so many done, so many in all. None where nobody watches."""
    if not progress(quiet):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(BarColumn(), MofNCompleteColumn(), TextColumn(words), TimeRemainingColumn(), console=Console(file=sys.stderr), transient=True) as shown:
        task = shown.add_task(words, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


def watched(items: Sequence[T], name: Callable[[T], str], quiet: bool = False) -> Iterator[T]:
    """Gives the items one after another; a bar on standard error says which is worked at, and for how long."""
    if not progress(quiet):
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as shown:
        task = shown.add_task("", total=len(items))
        for number, item in enumerate(items):
            shown.update(task, completed=number, description=name(item), refresh=True)
            yield item


@contextmanager
def spinner(words: str, quiet: bool = False) -> Iterator[None]:
    """A sign of life with the time that went by."""
    if not progress(quiet):
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    with Progress(SpinnerColumn(), TextColumn(words), TimeElapsedColumn(), console=Console(file=sys.stderr), transient=True) as shown:
        shown.add_task(words, total=None)
        yield
