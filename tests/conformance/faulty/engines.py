"""Engines with one fault each: the sample engine in Python with one thing wrong, and the rules that may be blamed for it.

The first ones are the sample engine's own ``--fault`` switches; the others change one method. ``row`` is the row of the
survey of engines in the field that the fault comes from, 0 for one of our own.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]


def _sample() -> Any:
    """The sample engine as a module."""
    name = "sample_python_engine"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, ROOT / "engines" / "python" / "engine.py")
        assert spec is not None and spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


sample = _sample()
Game, Illegal = sample.Game, sample.Illegal


class Engine(sample.Engine):
    """The sample engine with another class of games."""

    def __init__(self, game: type = Game, faults: tuple[str, ...] = ()) -> None:
        super().__init__(faults)
        self.game = game

    def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
        if op != "new":
            return super().answer(op, request)
        name = request["game"]
        if name in self.games:
            raise ValueError(f"the game {name!r} is open already")
        self.games[name] = self.game(request["setup"], self.faults)
        return {}


@dataclass(frozen=True)
class Fault:
    """``make`` gives the engine; ``rules`` are those that may be blamed: the first is the one that is wrong."""

    name: str
    make: Callable[[], Any]
    rules: tuple[str, ...]
    row: int = 0


FAULTS: dict[str, Fault] = {}


def switched(name: str, row: int, *rules: str) -> None:
    """A fault that the sample engine has a switch for."""
    FAULTS[name] = Fault(name, lambda: Engine(Game, (name,)), rules, row)


def named(game: type) -> str:
    """A class's name as a fault's. Copies of its games are of the same class from now on."""
    original = Game.copy

    def copy(self: Any) -> Any:
        other = original(self)
        other.__class__ = type(self)
        return other

    game.copy = copy  # type: ignore[attr-defined]
    return "".join("-" + c.lower() if c.isupper() else c for c in game.__name__).lstrip("-")


def fault(row: int, *rules: str) -> Callable[[type], type]:
    """A fault as a class of games."""

    def register(game: type) -> type:
        name = named(game)
        FAULTS[name] = Fault(name, lambda: Engine(game), rules, row)
        return game

    return register


switched("income-pays-once", 1, "track/income")
switched("no-final-income", 2, "track/final-income")
switched("unclamped-advance", 3, "turn/advance-pay")
switched("purchase-pays-no-income", 4, "track/income", "track/final-income")
switched("advance-earns-no-special", 5, "track/special")
switched("special-to-rival", 6, "track/special")
switched("token-stays", 10, "turn/buy-token")
switched("rival-moves-on-shared-space", 11, "turn/next")
switched("tie-is-draw", 12, "end/tie")
switched("tile-needs-81", 13, "tile/claim")
switched("tile-to-both", 13, "tile/claim")
switched("no-flips", 14, "turn/buy-shape")
switched("short-offer-hidden", 15, "turn/offer")
switched("marks-one-early", 16, "track/income", "track/special", "track/crossed", "track/final-income")
switched("mistyped-patch", 17, "turn/buy-pay", "turn/buy-afford")
switched("income-times-buttons", 18, "track/income", "track/final-income")
switched("penalty-one", 21, "end/score-blanks")
switched("reject-changes-state", 24, "turn/buy-shape", "turn/buy-no-overlap", "turn/special-cell", "turn/special-no-overlap")
switched("shared-state", 23, "protocol/isolation", "setup/special-patches", "track/special")


@fault(3, "track/move-token")
class TokenLeavesTheBoard(Game):
    def move(self, who, time):
        super().move(who, time)
        if time and self.space[who] == self.last and self.space[1 - who] == self.last:
            self.space[who] += 1


@fault(7, "track/special", "turn/special-first", "turn/special-place")
class SpecialPlacedByItself(Game):
    def take_special_patches(self, who, old):
        super().take_special_patches(who, old)
        while self.pending[who]:
            self.pending[who] -= 1
            self.place(who, [min(c for c in range(81) if c not in self.quilt[who])], None)


@fault(7, "turn/special-first")
class SpecialMayWait(Game):
    def must_place_special(self):
        return False


@fault(9, "setup/token")
class SmallestPatchFirst(Game):
    def first_on_offer(self, circle, neutral_token):
        return circle.index("A") if neutral_token is None else super().first_on_offer(circle, neutral_token)


@fault(9, "setup/circle")
class CircleStartsAnywhere(Game):
    def first_on_offer(self, circle, neutral_token):
        super().first_on_offer(circle, neutral_token)
        return 0


@fault(11, "turn/next")
class WhoIsAheadMoves(Game):
    def end_of_action(self, who, same_turn=False):
        super().end_of_action(who, same_turn)
        if self.turn is not None and not any(self.pending) and self.space[0] != self.space[1] and self.last not in self.space:
            self.turn = 1 - self.turn


@fault(12, "end/tie")
class LastToFinishWinsTies(Game):
    def score(self):
        scores, winner = super().score()
        return scores, 1 - winner if scores[0] == scores[1] else winner


@fault(12, "track/finish", "end/tie")
class OnlyAnAdvanceFinishesFirst(Game):
    def buy(self, name, cells):
        before = list(self.finishers)
        super().buy(name, cells)
        if len(self.finishers) > len(before) and self.turn is not None:
            self.finishers = [1 - self.finishers[-1]]


@fault(13, "tile/claim")
class NoTile(Game):
    def look_for_square(self, who):
        pass


@fault(13, "tile/claim")
class TileForAnyCells(Game):
    def look_for_square(self, who):
        self.tile[who] = self.tile[who] or (not any(self.tile) and len(self.quilt[who]) >= self.tile_side**2)


@fault(13, "tile/claim")
class TileInTheCornerAlone(Game):
    def look_for_square(self, who):
        if not any(self.tile) and sample.squares(self.tile_side)[0] <= self.quilt[who]:
            self.tile[who] = True


@fault(13, "tile/claim")
class TileLostAgain(Game):
    def look_for_square(self, who):
        had = self.tile[who]
        super().look_for_square(who)
        if had:
            self.tile[who] = False


@fault(13, "tile/claim")
class TilePaysAtOnce(Game):
    def look_for_square(self, who):
        had = self.tile[who]
        super().look_for_square(who)
        if self.tile[who] and not had:
            self.pay(who, self.tile_points)


@fault(13, "tile/claim")
class TileForPurchasesAlone(Game):
    def place(self, who, cells, patch):
        had = list(self.tile)
        super().place(who, cells, patch)
        if patch is None:
            self.tile = had


@fault(13, "end/score-tile")
class TileWorthNothing(Game):
    def score(self):
        self.tile_points = 0
        return super().score()


@fault(15, "turn/offer", "turn/buy-on-offer")
class LastPatchesTwiceOnOffer(Game):
    def offer(self):
        return self.circle[:2] if len(self.circle) == self.on_offer else super().offer()


@fault(17, "turn/buy-place")
class PatchWithoutIncome(Game):
    def __init__(self, setup, faults=()):
        super().__init__(setup, faults)
        if "E" in self.patches:
            self.patches["E"]["income"] = 0


@fault(17, "turn/buy-shape", "turn/buy-no-overlap")
class PatchOfAnotherShape(Game):
    def placements(self, name):
        return sample.placements(("##", "##") if name == "F" else self.patches[name]["shape"], True)


@fault(19, "turn/buy-shape")
class BuyAndDiscard(Game):
    def buy(self, name, cells):
        if cells:
            return super().buy(name, cells)
        if self.turn is None or self.must_place_special() or name not in self.offer() or self.patches[name]["cost"] > self.buttons[self.turn]:
            raise Illegal("unknown")
        who, old = self.turn, self.space[self.turn]
        self.circle.remove(name)
        self.buttons[who] -= self.patches[name]["cost"]
        self.move(who, self.patches[name]["time"])
        self.pay_income(who, old)
        self.take_special_patches(who, old)
        self.pay_income(who, old, last_space=True)
        self.end_of_action(who)


@fault(20, "turn/buy-shape")
class PlacementsListedTwice(Game):
    def legal(self):
        found = super().legal()
        return found + [a for a in found if a.get("patch") in ("A", "D", "I")]


@fault(21, "end/score-blanks")
class NoPenalty(Game):
    def score(self):
        self.blank_penalty = 0
        return super().score()


@fault(23, "turn/buy-token")
class RemovedByIndex(Game):
    def buy(self, name, cells):
        before = list(self.circle)
        super().buy(name, cells)
        at = before.index(name)
        self.circle = before[1:] if at else self.circle


@fault(24, "turn/buy-no-overlap", "turn/buy-shape", "turn/buy-afford", "turn/buy-on-offer", "turn/special-no-overlap", "turn/special-pending",
       "turn/special-first", "turn/offer", "turn/not-over")
class LegalListRemembers(Game):
    def legal(self):
        self.cached = getattr(self, "cached", None) or super().legal()
        return self.cached


@fault(0, "turn/advance-pay")
class AdvancePaysNothing(Game):
    def advance(self):
        who, before = self.turn, self.space[self.turn] if self.turn is not None else 0
        super().advance()
        self.buttons[who] -= self.space[who] - before


@fault(0, "track/move-token")
class AdvanceOntoTheRival(Game):
    def advance(self):
        if self.must_place_special():
            raise Illegal("special-pending")
        who, rival = self.turn, self.space[1 - self.turn]
        old = self.space[who]
        self.move(who, (rival if rival > old else rival + 1) - old)
        self.pay(who, self.space[who] - old)
        self.pay_income(who, old)
        self.take_special_patches(who, old)
        self.pay_income(who, old, last_space=True)
        self.end_of_action(who)


@fault(0, "turn/buy-pay")
class FirstPatchForNothing(Game):
    def buy(self, name, cells):
        who = self.turn
        super().buy(name, cells)
        if not self.space[1 - who] and self.space[who] == self.patches[name]["time"]:
            self.buttons[who] += self.patches[name]["cost"]


@fault(0, "turn/buy-afford")
class MustKeepAButton(Game):
    def buy(self, name, cells):
        if self.turn is not None and name in self.offer() and not self.must_place_special() and self.buttons[self.turn] == self.patches[name]["cost"]:
            raise Illegal("too-few-buttons")
        super().buy(name, cells)


@fault(0, "turn/buy-afford")
class BuysOnCredit(Game):
    def buy(self, name, cells):
        short = 1 if self.turn is not None and name in self.patches and self.buttons[self.turn] == self.patches[name]["cost"] - 1 else 0
        who = self.turn
        if short:
            self.buttons[who] += 1
        try:
            super().buy(name, cells)
        finally:
            if short:
                self.buttons[who] -= 1


@fault(0, "turn/buy-on-offer", "turn/offer")
class FourOnOffer(Game):
    def offer(self):
        return self.circle[: self.on_offer + 1]


@fault(0, "turn/buy-no-overlap")
class OverlapOfOneCell(Game):
    def check_cells(self, cells, allowed):
        if frozenset(cells) in allowed and len(set(cells)) == len(cells) and len(cells) > 1 and len(self.quilt[self.turn] & set(cells)) == 1:
            return
        super().check_cells(cells, allowed)


@fault(0, "turn/special-no-overlap")
class SpecialOnACoveredCell(Game):
    def check_cells(self, cells, allowed):
        if len(cells) == 1 and 0 <= cells[0] < 81:
            return
        super().check_cells(cells, allowed)


@fault(0, "turn/special-pending")
class SpecialForNothing(Game):
    def place_special(self, cells):
        if not self.pending[self.turn]:
            self.pending[self.turn] = 1
        super().place_special(cells)


@fault(0, "turn/not-over")
class ActsAfterTheEnd(Game):
    def apply(self, action):
        if self.turn is None and action.get("type") == "advance":
            return
        super().apply(action)


@fault(0, "end/over")
class EndsWithTheFirst(Game):
    def end_of_action(self, who, same_turn=False):
        super().end_of_action(who, same_turn)
        if self.last in self.space and not any(self.pending):
            self.turn = None


@fault(0, "setup/buttons")
class StartsWithSix(Game):
    def __init__(self, setup, faults=()):
        super().__init__({**setup, "start_buttons": 6}, faults)


@fault(0, "setup/first-player")
class PlayerZeroBegins(Game):
    def __init__(self, setup, faults=()):
        super().__init__({**setup, "first_player": 0}, faults)


@fault(0, "turn/buy-shape")
class RoundTheEdge(Game):
    def check_cells(self, cells, allowed):
        shifted = [c - 1 for c in cells]
        if len(cells) == 2 and all(0 <= c < 81 for c in cells) and frozenset(shifted) in allowed and not self.quilt[self.turn] & set(cells):
            return
        super().check_cells(cells, allowed)


@fault(0, "turn/buy-shape", "turn/special-cell")
class CellsCountedOnce(Game):
    def check_cells(self, cells, allowed):
        super().check_cells(sorted(set(cells)), allowed)


@fault(0, "track/special")
class SpecialStaysOnTheBoard(Game):
    def take_special_patches(self, who, old):
        before = list(self.special_spaces)
        super().take_special_patches(who, old)
        if len(self.special_spaces) < len(before):
            self.special_spaces = before


@fault(0, "track/special")
class SpecialOnlyWhenHit(Game):
    def take_special_patches(self, who, old):
        if self.space[who] in self.special_spaces:
            super().take_special_patches(who, self.space[who] - 1)


@fault(0, "track/income")
class IncomeOfTheRival(Game):
    def pay_income(self, who, old, last_space=False):
        mine = self.income[who]
        self.income[who] = mine if last_space else self.income[1 - who]
        super().pay_income(who, old, last_space)
        self.income[who] = mine


@fault(0, "track/final-income")
class FinalIncomeTwice(Game):
    def pay_income(self, who, old, last_space=False):
        super().pay_income(who, old, last_space)
        if last_space:
            super().pay_income(who, old, last_space)


@fault(0, "turn/buy-place")
class QuiltOfTheRival(Game):
    def place(self, who, cells, patch):
        if patch:
            self.quilt[1 - who] |= frozenset(cells)
            self.income[who] += patch["income"]
        else:
            super().place(who, cells, patch)


@fault(0, "end/winner")
class FewerPointsWin(Game):
    def score(self):
        scores, winner = super().score()
        return scores, winner if scores[0] == scores[1] else 1 - winner


@fault(0, "end/score-blanks", "end/score")
class OnlyTheFirstPlayerPays(Game):
    def score(self):
        scores, _ = super().score()
        scores[1] += self.blank_penalty * (81 - len(self.quilt[1]))
        return scores, 0 if scores[0] > scores[1] else 1


@fault(0, "end/score-buttons")
class ButtonsDoNotCount(Game):
    def score(self):
        scores, _ = super().score()
        scores = [scores[who] - self.buttons[who] for who in (0, 1)]
        return scores, 0 if scores[0] > scores[1] else 1 if scores[1] > scores[0] else self.finishers[0]


@fault(0, "turn/special-take")
class SpecialNotTakenAway(Game):
    def place_special(self, cells):
        who, had = self.turn, self.pending[self.turn]
        super().place_special(cells)
        if had and len(self.quilt[who]) % 2:
            self.pending[who], self.turn = had, who


@fault(8, "track/special-lost", "track/special")
class FallsWithAFullQuilt(Game):
    def take_special_patches(self, who, old):
        if len(self.quilt[who]) == 81 and any(self.crosses(old, self.space[who], m) for m in self.special_spaces):
            raise RuntimeError("no room for the special patch")
        super().take_special_patches(who, old)
