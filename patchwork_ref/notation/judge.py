"""Judges recorded games: under the chosen rules, and under every ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from patchwork_ref.errors import SetupError
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.codec import dumps
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.setup import customised
from patchwork_ref.notation.game import Game, NoGame, Unreadable, one_line
from patchwork_ref.notation.lines import Chunk
from patchwork_ref.notation.notations import Notation, Reader, games_of
from patchwork_ref.notation.player import Move, Player, Replay
from patchwork_ref.notation.sharing import Likeness, likeness, replay_beside
from patchwork_ref.notation.verdict import Illegal, Verdict
from patchwork_ref.rulebook.model import Rulebook

MOST_CUSTOM = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game under one Machine. ``end`` is None when it is illegal."""

    replay: Replay
    end: tuple[bool, tuple[int, int], int | None] | None
    as_recorded: bool

    @property
    def rank(self) -> tuple[bool, int]:
        """Of two ways to lay the game out the better one is as recorded, or else goes on longer."""
        return self.as_recorded, len(self.replay.states)


@dataclass(frozen=True, slots=True)
class Beside:
    """A Machine other than the leading one, the rulesets that it stands for, and what it shares with the leader."""

    player: Player
    rulesets: tuple[str, ...]
    alike: Likeness | None


class Judge:
    """The chosen readings of a rulebook, and its rulesets beside them (all of them, or those named)."""

    def __init__(self, rulebook: Rulebook, readings: Mapping[str, str], rulesets: Sequence[str] | None = None, share: bool = True) -> None:
        """``share`` false replays every game under each Machine by itself. Raises RulebookError or ChoiceError."""
        self.machine = from_rulebook(rulebook, readings)
        self.rulesets = tuple(rulebook.rulesets if rulesets is None else rulesets)
        self.machines = {name: from_rulebook(rulebook, None, name) for name in self.rulesets}
        self.reader, self.share = Reader(self.machine), share
        self._custom: dict[str, Panel] = {}

    @cached_property
    def panel(self) -> Panel:
        return Panel(self.machine, self.machines, self.share)

    def judge(self, game: Game) -> Verdict:
        """Raises NoGame when the set-up is none that the chosen rules can start."""
        return self._panel(game.trace.numbers).verdict(game)

    def judged(self, chunk: Chunk, notation: Notation) -> Iterator[Verdict | Unreadable]:
        """The lines of a chunk in order; a line that is not a game becomes Unreadable."""
        for item in games_of(chunk, notation, self.reader):
            if isinstance(item, Unreadable):
                yield item
                continue
            try:
                yield self.judge(item)
            except NoGame as error:
                yield Unreadable(item.line, one_line(str(error)))

    def _panel(self, numbers: Mapping[str, object]) -> Panel:
        """The Machines with the numbers of a custom set-up in place of their own."""
        if not numbers:
            return self.panel
        try:
            key = dumps(dict(numbers))
            if key not in self._custom:
                if len(self._custom) >= MOST_CUSTOM:
                    self._custom.clear()
                changed = customised(self.machine, numbers)
                self._custom[key] = Panel(changed, {name: customised(m, numbers) for name, m in self.machines.items()}, self.share)
        except SetupError as error:
            raise NoGame(str(error)) from None
        return self._custom[key]


class Panel:
    """The leading Machine and the others, each Machine once however many rulesets it stands for."""

    def __init__(self, machine: Machine, machines: Mapping[str, Machine], share: bool = True) -> None:
        self.leader = Player(machine)
        names: dict[str, list[str]] = {machine.digest: []}
        kinds = {machine.digest: machine}
        for name, other in machines.items():
            names.setdefault(other.digest, []).append(name)
            kinds.setdefault(other.digest, other)
        self.order = {name: place for place, name in enumerate(machines)}
        self.led = tuple(names.pop(machine.digest))
        players = [(Player(kinds[digest]), tuple(found)) for digest, found in names.items()]
        self.beside = [Beside(player, found, likeness(self.leader, player) if share else None) for player, found in players]
        for player, _ in players:
            if player.moves.key == self.leader.moves.key:
                player.moves = self.leader.moves

    def verdict(self, game: Game) -> Verdict:
        """Raises NoGame when the leading Machine cannot start the set-up."""
        known: dict[int | None, Replay] = {}
        moves = _moves(self.leader, game)
        best = self._best(self.leader, game, moves, known)
        consistent = list(self.led) if best.as_recorded else []
        for other in self.beside:
            own = moves if other.player.moves is self.leader.moves else _moves(other.player, game)
            try:
                if self._best(other.player, game, own, known, other.alike).as_recorded:
                    consistent += other.rulesets
            except NoGame:
                continue  # a circle that this ruleset cannot start
        replay = best.replay
        illegal = Illegal(game.line, replay.refused + 1, replay.rule or "") if replay.refused is not None else None
        over, scores, winner = best.end if best.end is not None else (False, None, None)
        return Verdict(game.line, len(game.trace.actions), illegal, over, scores, winner, game.claims, best.as_recorded,
                       tuple(sorted(consistent, key=self.order.__getitem__)))

    def _best(self, player: Player, game: Game, moves: Sequence[Move], known: dict[int | None, Replay], alike: Likeness | None = None) -> Outcome:
        """The outcome where the token stands as recorded; where the notation alone says so, and that does not fit, the
        better one of this and the player's own place. The leader's replays are kept in ``known``."""
        setup = game.trace.setup
        found: Outcome | None = None
        for token in (setup.neutral_token, None) if game.own_token else (setup.neutral_token,):
            try:
                start = player.start(setup.circle, token, setup.first_player)
            except SetupError as error:
                raise NoGame(str(error)) from None
            if found is not None and start == found.replay.states[0]:
                break
            if alike is not None and token in known:
                replay = replay_beside(player, start, moves, known[token], alike)
            else:
                replay = player.replay([start], moves)
            if player is self.leader:
                known[token] = replay
            end = player.end(replay.states[-1]) if replay.refused is None else None
            outcome = Outcome(replay, end, end is not None and game.claims.met_by(*end))
            if found is None or outcome.rank > found.rank:
                found = outcome
            if found.as_recorded:
                break
        assert found is not None
        return found


def _moves(player: Player, game: Game) -> list[Move]:
    known = player.moves
    return [known[action] for action in game.trace.actions]
