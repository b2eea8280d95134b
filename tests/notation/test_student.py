"""Are lines of the student notation and traces the same games?"""

from __future__ import annotations

import io
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchwork_ref.errors import InputError
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.play import Trace
from patchwork_ref.machine.setup import Setup
from patchwork_ref.notation import Claims, Game, NoGame, Unreadable, read_games, write_game
from patchwork_ref.notation.letters import letters_of
from patchwork_ref.rulebook.rulebook import load_rulebook

MACHINE = from_rulebook(load_rulebook())
LETTERS = letters_of(MACHINE)
IDS = "".join(p.name for p in MACHINE.regular)


def read(text: str | bytes, notation: str | None = None) -> list[Game | Unreadable]:
    return list(read_games(io.BytesIO(text.encode() if isinstance(text, str) else text), notation, MACHINE))


def one(text: str, notation: str | None = None) -> Game:
    (found,) = read(text, notation)
    assert isinstance(found, Game), found
    return found


def reason(text: str, notation: str | None = "student-csv") -> str:
    (found,) = read(text, notation)
    assert isinstance(found, Unreadable), found
    assert "\n" not in found.reason and found.line == 1
    return found.reason


@st.composite
def records(draw: st.DrawFn) -> Game:
    """Any circle, any sequence of actions on the board (legal or not), any claims."""
    circle = tuple(draw(st.permutations(IDS)))
    codes = st.one_of(st.just("."), st.tuples(st.sampled_from(IDS), *[st.sampled_from("ABCDEFGHI")] * 2, st.sampled_from("ABCDEFGH")).map("".join),
                      st.tuples(st.just("h"), *[st.sampled_from("ABCDEFGHI")] * 2, st.just("A")).map("".join))
    actions = tuple(a for a in (LETTERS.actions[code] for code in draw(st.lists(codes, max_size=50))) if MACHINE.board.cells not in (a.cells or ()))
    scores = draw(st.one_of(st.just((None, None)), st.tuples(st.integers(-162, 200), st.integers(-162, 200))))
    winner = draw(st.sampled_from((None, 0, 1)))
    claims = Claims(scores, winner, winner is not None)
    trace = Trace("revised", MACHINE.readings, Setup(circle, LETTERS.first_on_offer(circle), 0), actions, None if scores[0] is None else scores, winner)
    return Game(1, trace, claims, own_token=True)


@settings(max_examples=150, deadline=None)
@given(records())
def test_csv_loses_nothing(game: Game) -> None:
    """What the CSV notation writes it reads back as the same record."""
    assert one(write_game(game, "student-csv", MACHINE), "student-csv") == game


@settings(max_examples=60, deadline=None)
@given(records(), st.data())
def test_reading_then_writing_is_canonical(game: Game, data: Any) -> None:
    """Whatever orientation letters a line uses, it is written with the first ones, and stays so."""
    line = write_game(game, "student", MACHINE)
    again = []
    for action in game.trace.actions:
        code = LETTERS.code(action)
        same = [c for c in ([code] if len(code) == 1 else [code[:3] + turn for turn in "ABCDEFGH" if code[0] != "h" or turn == "A"]) if LETTERS.actions[c] == action]
        again.append(data.draw(st.sampled_from(same)))
    other = one(line.split(",")[0] + "," + "".join(again), "student")
    assert other.trace.actions == game.trace.actions
    assert write_game(other, "student", MACHINE) == line


@settings(max_examples=60, deadline=None)
@given(records())
def test_traces_keep_the_record(game: Game) -> None:
    """A student game written as a trace is the same trace, with the token's place said."""
    found = one(write_game(game, "traces", MACHINE), "traces")
    assert found.trace == replace(game.trace, winner=game.trace.winner if game.trace.scores else None)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode),
                 st.tuples(st.sampled_from(["", IDS, IDS + ","]), st.text(alphabet=IDS + ",.h 12-", max_size=80)).map("".join).map(str.encode),
                 st.text(alphabet='{}[]":,0123456789.eactionsetup ', max_size=80).map(lambda t: ("{" + t).encode())),
       st.sampled_from([None, "traces", "student", "student-csv"]))
def test_anything_is_read(data: bytes, notation: str | None) -> None:
    """No bytes whatever make reading fail: each line that is not blank is a game or has a reason of one line."""
    found = read(data, notation)
    assert [f.line for f in found] == sorted({f.line for f in found})
    assert len(found) <= data.count(b"\n") + 1
    assert all(f.reason.isprintable() and f.reason for f in found if isinstance(f, Unreadable))


def test_random_damage_is_told_by_placement() -> None:
    """A line with one sign changed is read as another record or refused with the number of the damaged placement."""
    source = random.Random(5)
    placements = ["AAAA", ".", "BCDA", "hEEA", ".", "gAAA"]
    for _ in range(400):
        number = source.randrange(len(placements))
        sign = source.choice(IDS + "?!hijJKZ")
        at = source.randrange(len(placements[number]))
        damaged = [*placements[:number], placements[number][:at] + sign + placements[number][at + 1 :], *placements[number + 1 :]]
        if len(placements[number]) == 1:
            continue
        (found,) = read(IDS + "," + "".join(damaged), "student")
        if isinstance(found, Unreadable):
            assert found.reason.startswith(f"placement {number + 1}:")


@pytest.mark.parametrize(("text", "part"), [
    ("hello", "comma"), ("circle,placements,winner,score0,score1", "6 signs"), (IDS[1:] + ",.", "32 signs"), (IDS[1:] + "B,.", "'B' twice"), (IDS[1:] + "?,.", "'?'"),
    (IDS + ",.AA.", "placement 2"), (IDS + ",AAA", "cut short"), (IDS + ",.,3", "winner"), (IDS + ",.,0", "winner"), (IDS + ",.,1,x,2", "score of player 1"),
    (IDS + ",.,1,2,2.5", "score of player 2"), (IDS + ",.,1,2,٣", "score of player 2"), (IDS + ",.,1,2,3,4", "6 fields"), (IDS + ",.;.", "placement 2"),
    (IDS + ",. .", "placement 2"),
    (IDS + ",.,1," + "9" * 5000 + ",1", "score of player 1"), (IDS + ",AAA\0", "NUL"),
])
def test_reasons(text: str, part: str) -> None:
    """A line that is not a game says in one line what is wrong with it."""
    assert part in reason(text)


def test_named_notations_are_kept_apart() -> None:
    """A file named `student` has no fields for winner and scores, and none of them is a trace."""
    assert "fields" in reason(IDS + ",.,1,2,3", "student")
    assert "JSON" in reason(IDS + ",.", "traces")
    with pytest.raises(InputError, match="no notation is called"):
        read("", "pgn")


@pytest.mark.parametrize(("fields", "claims"), [
    ("", Claims()), (",", Claims()), (",,,", Claims()), (",2", Claims((None, None), 1, True)), (",1,-7,12", Claims((-7, 12), 0, True)), (",,3,4", Claims((3, 4))),
    (",,3", Claims((3, None))),
    (", 1 , 5 , +6 ", Claims((5, 6), 0, True)),
])
def test_the_last_three_may_be_missing(fields: str, claims: Claims) -> None:
    """Winner and scores are claimed where they are given, each by itself."""
    assert one(IDS + ",." + fields, "student-csv").claims == claims


@pytest.mark.parametrize("text", ["", "\n\n", "\r\n", "\ufeff", "  \n\t\n"])
def test_nothing_is_no_game(text: str) -> None:
    """A file without a line that says something has no games and no faults."""
    assert read(text) == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", "\r\n\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_marks(end: str, mark: str) -> None:
    """Line ends of either kind, blank lines and a byte-order mark change no game; lines are counted as they stand."""
    text = mark + end.join([IDS + ",.", IDS + ",..", IDS + ",..."])
    found = read(text)
    assert [len(g.trace.actions) for g in found if isinstance(g, Game)] == [1, 2, 3]
    step = end.count("\n")
    assert [g.line for g in found] == [1, 1 + step, 1 + 2 * step]


def test_long_lines_are_counted_and_refused() -> None:
    """A line of a megabyte is one line with one reason, and the lines after it are read."""
    for length in (1_000_000, (1 << 20) + 1, 5_000_000):
        found = read(b"x" * length + b"\n" + (IDS + ",.").encode() + b"\n", "student")
        assert isinstance(found[0], Unreadable) and len(found[0].reason) <= 160
        assert isinstance(found[1], Game) and found[1].line == 2


def test_what_cannot_be_said_is_not_written() -> None:
    """A circle that is not all patches, or an action without a sign, is refused when written."""
    circle = tuple(IDS)
    for trace in (Trace(None, {}, Setup(circle[:-1]), ()), Trace(None, {}, Setup((*circle[:-1], "xy")), ()),
                  Trace(None, {}, Setup(circle), (replace(LETTERS.actions["AAAA"], cells=()),))):
        with pytest.raises(NoGame):
            write_game(Game(1, trace), "student", MACHINE)
