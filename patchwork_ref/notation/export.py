"""Recorded games from one notation into another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from patchwork_ref.errors import ChoiceError, RulebookError, SetupError
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.play import Trace
from patchwork_ref.machine.setup import customised
from patchwork_ref.notation.game import Claims, Game, NoGame, Unreadable, one_line
from patchwork_ref.notation.lines import opened
from patchwork_ref.notation.notations import Reader, notation_named, read_games
from patchwork_ref.notation.player import Player
from patchwork_ref.rulebook.model import Rulebook


def export_traces(path: str | Path, notation: str, rulebook: Rulebook, readings: Mapping[str, str], source: str | None = None) -> Iterator[str | Unreadable]:
    """The games of a file in another notation, a line each without its end; Unreadable for what is no game, or is one
    that the notation cannot say.

    ``source`` is the file's own notation, recognised when None. ``readings`` are those that student games are taken to
    follow, and traces that name none. Raises InputError for a file or a notation that cannot be used, RulebookError.
    """
    exporter = Exporter(rulebook, readings, notation)
    with opened(path) as stream:
        for item in read_games(stream, source, exporter.machine):
            if isinstance(item, Unreadable):
                yield item
                continue
            try:
                yield exporter.line(item)
            except NoGame as error:
                yield Unreadable(item.line, one_line(str(error)))


class Exporter:
    """Writes games in one notation. The student notations cannot say who moved first, the numbers of a custom set-up,
    or a neutral token elsewhere than behind the smallest patch or where the game's own rules put it."""

    def __init__(self, rulebook: Rulebook, readings: Mapping[str, str], notation: str) -> None:
        self.rulebook, self.notation = rulebook, notation_named(notation)
        self.machine = from_rulebook(rulebook, readings)
        self.reader = Reader(self.machine)
        self.reader.check(self.notation)
        self._players: dict[tuple[tuple[str, str], ...], Player] = {}

    def line(self, game: Game) -> str:
        """Raises NoGame when the notation cannot say it."""
        if self.notation.name == "traces":
            return self.notation.write(self._decided(game), self.reader)
        self._check_table(game.trace)
        return self.notation.write(game, self.reader)

    def _check_table(self, trace: Trace) -> None:
        player = self._player(trace)
        try:
            if trace.numbers and customised(player.machine, trace.numbers).custom:
                raise NoGame("the game has numbers of its own, which the student notation cannot say")
            setup = trace.setup
            start = player.start(setup.circle, setup.neutral_token, setup.first_player)
            anchor = self.reader.letters.anchor
            behind = self.reader.letters.first_on_offer(setup.circle) if anchor in setup.circle else None
            if start not in [player.start(setup.circle, place, setup.first_player) for place in (behind, None)]:
                raise NoGame(f"the neutral token starts elsewhere than behind patch {anchor}, which the student notation cannot say")
        except SetupError as error:
            raise NoGame(str(error)) from None

    def _decided(self, game: Game) -> Game:
        """Scores without a winner get the one that the rules give, as a trace has no winner only when it is a draw."""
        trace, claims = game.trace, game.claims
        if trace.scores is None or claims.decided:
            return game
        player = self._player(trace)
        moves = [player.moves[action] for action in trace.actions]
        replay = player.replay([player.start(trace.setup.circle, trace.setup.neutral_token, trace.setup.first_player)], moves)
        first, second = trace.scores
        winner = player.end(replay.states[-1])[2] if first == second else int(second > first)
        return replace(game, trace=replace(trace, winner=winner), claims=Claims(claims.scores, winner, True))

    def _player(self, trace: Trace) -> Player:
        """By the trace's own readings, those of its ruleset, or else the chosen ones."""
        key = tuple(sorted(trace.readings.items())) or (("", str(trace.ruleset)),)
        if key not in self._players:
            self._players[key] = Player(self._machine(trace))
        return self._players[key]

    def _machine(self, trace: Trace) -> Machine:
        try:
            if trace.readings:
                return from_rulebook(self.rulebook, self.rulebook.readings(None, trace.readings))
            return from_rulebook(self.rulebook, None, trace.ruleset) if trace.ruleset is not None else self.machine
        except (ChoiceError, RulebookError) as error:
            raise NoGame(f"the trace's rules are none of this rulebook: {error}") from None
