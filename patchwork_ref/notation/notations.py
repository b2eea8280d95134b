"""The table of notations: recognising one, reading games and writing them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from patchwork_ref.errors import InputError
from patchwork_ref.machine.model import Machine
from patchwork_ref.notation.game import Game, NoGame, Unreadable, one_line
from patchwork_ref.notation.letters import Letters, letters_of
from patchwork_ref.notation.lines import Chunk, chunks, text_of_line
from patchwork_ref.notation.ours import game_from_trace_line, trace_line
from patchwork_ref.notation.student import SEPARATOR, game_from_student, student_line


@dataclass(frozen=True, slots=True)
class Reader:
    """What turns lines into games: the Machine whose pictures the letters mean, and what traces are told of the rules."""

    machine: Machine

    @property
    def letters(self) -> Letters:
        """Raises InputError when the rulebook's patches have no letters."""
        return letters_of(self.machine)

    def check(self, notation: Notation) -> None:
        """Raises InputError when the notation cannot be used with this rulebook at all."""
        if notation.name != "traces":
            letters_of(self.machine)


@dataclass(frozen=True, slots=True)
class Notation:
    """A way to write games down, one a line. ``read`` and ``write`` raise NoGame."""

    name: str
    says: str
    read: Callable[[str, int, Reader], Game]
    write: Callable[[Game, Reader], str]


def _student(with_claims: bool) -> Callable[[str, int, Reader], Game]:
    def read(text: str, line: int, reader: Reader) -> Game:
        return game_from_student(text, line, reader.letters, reader.machine.readings, reader.machine.ruleset, with_claims)

    return read


NOTATIONS: Mapping[str, Notation] = {
    n.name: n
    for n in (
        Notation("traces", "our traces, one JSON object a line", lambda text, line, reader: game_from_trace_line(text, line), lambda game, reader: trace_line(game)),
        Notation("student", "a circle and a string of placements", _student(False), lambda game, reader: student_line(game, reader.letters)),
        Notation("student-csv", "the same with winner and scores", _student(True), lambda game, reader: student_line(game, reader.letters, True)),
    )
}


def notation_named(name: str) -> Notation:
    """Raises InputError."""
    if name not in NOTATIONS:
        raise InputError(f"no notation is called {name!r}; there are {', '.join(NOTATIONS)}")
    return NOTATIONS[name]


def recognised(lines: Iterable[bytes | None]) -> str:
    """The notation of the first lines of a file, by most of them: an opening brace, or letters before a comma.

    Lines that are neither count for nothing; where nothing tells, the student notation is as good as any.
    """
    braces = commas = claims = 0
    for line in lines:
        try:
            text = text_of_line(line)
        except NoGame:
            continue
        before, comma, after = text.partition(SEPARATOR)
        braces += text.startswith("{")
        if comma and before.strip().isalnum():
            commas += 1
            claims += SEPARATOR in after
    return "traces" if braces > commas else "student-csv" if claims else "student"


def games_of(chunk: Chunk, notation: Notation, reader: Reader) -> Iterator[Game | Unreadable]:
    """The games of a chunk in order; blank lines are passed over."""
    for number, line in enumerate(chunk.lines, chunk.first):
        try:
            text = text_of_line(line)
            if text:
                yield notation.read(text, number, reader)
        except NoGame as error:
            yield Unreadable(number, one_line(str(error)))


def read_games(stream: BinaryIO, notation: str | None, machine: Machine) -> Iterator[Game | Unreadable]:
    """The games of a stream of bytes, with physical line numbers from 1. Never raises for what the stream holds.

    Without ``notation`` it is recognised. The student notations' letters are those of ``machine``, whose readings their
    traces carry. Raises InputError when the notation is unknown or has no letters for this rulebook.
    """
    reader, using = Reader(machine), notation_named(notation) if notation is not None else None
    for chunk in chunks(stream):
        using = using or notation_to_read(recognised(chunk.lines))
        reader.check(using)
        yield from games_of(chunk, using, reader)


def notation_to_read(name: str) -> Notation:
    """What reads a file that was recognised: every student line is one of ``student-csv`` that claims nothing."""
    return NOTATIONS["student-csv" if name == "student" else name]


def write_game(game: Game, notation: str, machine: Machine) -> str:
    """A game as one line, without its end. Raises InputError when the notation is unknown or cannot say it."""
    return notation_named(notation).write(game, Reader(machine))
