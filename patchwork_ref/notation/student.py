"""The student notation: a circle and a string of placements, separated by a comma; in a CSV file the winner and both
scores may follow. One line a game; player 1 of the file, who moves first, is player 0 of the trace."""

from __future__ import annotations

import re
from collections.abc import Mapping

from patchwork_ref.machine.play import Trace
from patchwork_ref.machine.setup import Setup
from patchwork_ref.notation.game import NOTHING_CLAIMED, Claims, Game, NoGame, Scores, shown
from patchwork_ref.notation.letters import ADVANCE, SIGNS, Letters

SEPARATOR = ","
_TOKENS = re.compile(rf"\{ADVANCE}|[^{ADVANCE}]{{1,{SIGNS}}}")
_WINNERS = {"1": 0, "2": 1}
_SCORE = re.compile(r"[+-]?[0-9]{1,9}")
_CLAIMS = ("winner", "score of player 1", "score of player 2")


def game_from_student(text: str, line: int, letters: Letters, readings: Mapping[str, str], ruleset: str | None = None, with_claims: bool = False) -> Game:
    """The game on a line. The trace is given ``readings`` and ``ruleset``, which the notation does not tell; its token
    stands where the notation puts it. ``with_claims`` allows winner and scores. Raises NoGame."""
    fields = text.split(SEPARATOR)
    most = 2 + (len(_CLAIMS) if with_claims else 0)
    if len(fields) < 2:
        raise NoGame(f"no comma separates circle and placements in {shown(text)}")
    if len(fields) > most:
        raise NoGame(f"the line has {len(fields)} fields, this notation has {'at most ' if with_claims else ''}{most}")
    circle = letters.circle(fields[0].strip())
    actions = []
    for code in _TOKENS.findall(fields[1].strip()):
        try:
            actions.append(letters.actions[code])
        except NoGame as error:
            raise NoGame(f"placement {len(actions) + 1}: {error}") from None
    claims = _claims([field.strip() for field in fields[2:]]) if len(fields) > 2 else NOTHING_CLAIMED
    setup = Setup(circle, letters.first_on_offer(circle), 0)
    first, second = claims.scores
    scores = (first, second) if first is not None and second is not None else None
    return Game(line, Trace(ruleset, readings, setup, tuple(actions), scores, claims.winner), claims, own_token=True)


def _claims(fields: list[str]) -> Claims:
    winner, *scores = [*fields, *[""] * (len(_CLAIMS) - len(fields))]
    if winner and winner not in _WINNERS:
        raise NoGame(f"the winner is {shown(winner)}; write {' or '.join(_WINNERS)}, or nothing")
    for name, score in zip(_CLAIMS[1:], scores, strict=True):
        if score and not _SCORE.fullmatch(score):
            raise NoGame(f"the {name} is {shown(score)}, no integer")
    first, second = (int(score) if score else None for score in scores)
    return Claims((first, second), _WINNERS.get(winner), bool(winner))


def student_line(game: Game, letters: Letters, with_claims: bool = False) -> str:
    """The line that a game is written as, without its end. Where the token stands is for the caller to check.

    Raises NoGame when the circle or an action has no sign.
    """
    trace = game.trace
    if unnamed := [patch for patch in trace.setup.circle if patch not in letters.patches]:
        raise NoGame(f"the circle holds {shown(unnamed[0])}, which is no patch of the student notation")
    circle = letters.circle("".join(trace.setup.circle))
    placements = []
    for number, action in enumerate(trace.actions, 1):
        try:
            placements.append(letters.code(action))
        except NoGame as error:
            raise NoGame(f"action {number}: {error}") from None
    fields = ["".join(circle), "".join(placements)]
    if with_claims and game.claims != NOTHING_CLAIMED:
        claims = seen_from(game.claims, trace.setup.first_player)
        winner = next((sign for sign, who in _WINNERS.items() if who == claims.winner), "")
        fields += [winner, *("" if score is None else str(score) for score in claims.scores)]
    return SEPARATOR.join(fields)


def seen_from(claims: Claims, first_player: int) -> Claims:
    """The same with the players renamed so that this one becomes player 0."""
    if first_player == 0:
        return claims
    scores: Scores = (claims.scores[1], claims.scores[0])
    return Claims(scores, None if claims.winner is None else 1 - claims.winner, claims.decided)
