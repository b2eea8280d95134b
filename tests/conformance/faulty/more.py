"""More engines with one fault each, of kinds that ``engines`` has none of: off by one in a single rule, steps in another
order, questions that change something, games that remember, lists and actions that disagree, one patch that is wrong.
"""

from __future__ import annotations

from typing import Any

from tests.conformance.faulty.engines import Engine, Fault, Game, Illegal, named, sample

MORE: dict[str, Fault] = {}


def fault(*rules: str, engine: type = Engine) -> Any:
    """A fault as a class of games."""

    def register(game: type) -> type:
        name = named(game)
        MORE[name] = Fault(name, lambda: engine(game), rules)
        return game

    return register


# ---- set-up


@fault("setup/first-player")
class PlayerOneBegins(Game):
    def __init__(self, setup, faults=()):
        super().__init__({**setup, "first_player": 1}, faults)


@fault("setup/circle")
class TokenCountedFromOne(Game):
    def first_on_offer(self, circle, neutral_token):
        first = super().first_on_offer(circle, neutral_token)
        return first if neutral_token is None else (first + 1) % len(circle)


@fault("setup/circle")
class CircleAgainstTheClock(Game):
    def __init__(self, setup, faults=()):
        super().__init__(setup, faults)
        self.circle = self.circle[:1] + self.circle[:0:-1]


@fault("setup/token")
class TokenBehindTheSixCells(Game):
    def first_on_offer(self, circle, neutral_token):
        return (circle.index("R") + 1) % len(circle) if neutral_token is None and "R" in circle else super().first_on_offer(circle, neutral_token)


@fault("setup/quilts")
class StartsWithIncome(Game):
    def __init__(self, setup, faults=()):
        super().__init__(setup, faults)
        self.income = [1, 1]


@fault("setup/special-patches")
class OneSpecialPatchIsMissing(Game):
    def __init__(self, setup, faults=()):
        super().__init__(setup, faults)
        self.special_spaces = self.special_spaces[:-1]


@fault("setup/time-tokens")
class SecondPlayerStartsAhead(Game):
    def __init__(self, setup, faults=()):
        super().__init__(setup, faults)
        self.space[1 - self.turn] = 1


# ---- buying


@fault("turn/offer")
class OfferStopsAtTheEndOfTheTable(Game):
    def __init__(self, setup, faults=()):
        super().__init__(setup, faults)
        self.home = {name: at for at, name in enumerate(setup["circle"])}

    def offer(self):
        found = super().offer()
        places = [self.home[name] for name in found]
        return [name for at, name in enumerate(found) if places[:at + 1] == sorted(places[:at + 1])]


@fault("turn/buy-token")
class TokenOneTooFar(Game):
    def buy(self, name, cells):
        super().buy(name, cells)
        self.circle = self.circle[1:] + self.circle[:1]


@fault("turn/buy-pay")
class PaysTwice(Game):
    def buy(self, name, cells):
        who = self.turn
        super().buy(name, cells)
        self.buttons[who] -= self.patches[name]["cost"]


@fault("turn/buy-pay")
class PaysTheTime(Game):
    def buy(self, name, cells):
        who = self.turn
        super().buy(name, cells)
        self.buttons[who] += self.patches[name]["cost"] - self.patches[name]["time"]


@fault("turn/buy-place")
class IncomeCountsTwice(Game):
    def place(self, who, cells, patch):
        super().place(who, cells, patch)
        if patch:
            self.income[who] += patch["income"]


@fault("turn/buy-place")
class LastCellIsForgotten(Game):
    def place(self, who, cells, patch):
        super().place(who, sorted(cells)[:-1] if patch and len(cells) > 6 else cells, patch)


@fault("track/move-token")
class OnePatchTakesLonger(Game):
    def __init__(self, setup, faults=()):
        super().__init__(setup, faults)
        if "X" in self.patches:
            self.patches["X"]["time"] += 1


@fault("turn/buy-pay", "turn/buy-afford")
class OnePatchIsDearer(Game):
    def __init__(self, setup, faults=()):
        super().__init__(setup, faults)
        if "e" in self.patches:
            self.patches["e"]["cost"] += 1


@fault("turn/buy-shape")
class OnePatchCannotBeFlipped(Game):
    def placements(self, name):
        return sample.placements(self.patches[name]["shape"], name != "Z")


@fault("turn/buy-shape")
class OneOrientationIsMissing(Game):
    def placements(self, name):
        found = super().placements(name)
        if name != "L":
            return found
        shape = next(iter(found.values()))
        corner = {tuple(sorted((c // 9 - shape[0] // 9, c % 9 - min(x % 9 for x in shape)) for c in shape))}
        return {spot: cells for spot, cells in found.items()
                if tuple(sorted((c // 9 - cells[0] // 9, c % 9 - min(x % 9 for x in cells)) for c in cells)) not in corner}


@fault("turn/buy-shape")
class LastColumnIsLeftOut(Game):
    def placements(self, name):
        return {spot: cells for spot, cells in super().placements(name).items() if not any(c % 9 == 8 for c in cells)}


@fault("turn/buy-no-overlap")
class LooksAtTheRivalsQuilt(Game):
    def check_cells(self, cells, allowed):
        mine, who = self.quilt[self.turn], self.turn
        if len(cells) > 1:
            self.quilt[who] = self.quilt[1 - who]
        try:
            super().check_cells(cells, allowed)
        finally:
            self.quilt[who] = mine


@fault("turn/special-cell")
class CellEightyOneIsOnTheBoard(Game):
    def check_cells(self, cells, allowed):
        if cells != [81]:
            super().check_cells(cells, allowed)


# ---- what is refused changes something


@fault("turn/buy-afford")
class TokenMovesBeforeThePriceIsAsked(Game):
    def buy(self, name, cells):
        if self.turn is not None and name in self.offer() and not self.must_place_special() and self.buttons[self.turn] < self.patches[name]["cost"]:
            at = self.circle.index(name)
            self.circle = self.circle[at:] + self.circle[:at]
        super().buy(name, cells)


@fault("turn/buy-no-overlap", "turn/special-no-overlap")
class RefusedCellsStay(Game):
    def check_cells(self, cells, allowed):
        try:
            super().check_cells(cells, allowed)
        except Illegal as refusal:
            if refusal.code == "overlap":
                self.quilt[self.turn] |= frozenset(cells)
            raise


@fault("turn/special-first")
class RefusalLosesTheSpecialPatch(Game):
    def advance(self):
        try:
            super().advance()
        except Illegal:
            self.pending[self.turn] -= 1
            raise


# ---- lists and actions disagree


@fault("turn/buy-afford")
class ListsWithoutTheLastButton(Game):
    def legal(self):
        return [a for a in super().legal() if a["type"] != "buy" or self.patches[a["patch"]]["cost"] < self.buttons[self.turn]]


@fault("turn/buy-afford")
class ListsOneButtonShort(Game):
    def legal(self):
        if self.turn is None or self.must_place_special():
            return super().legal()
        self.buttons[self.turn] += 1
        found = super().legal()
        self.buttons[self.turn] -= 1
        return found


@fault("turn/special-no-overlap")
class ListsCoveredCells(Game):
    def legal(self):
        if self.turn is not None and self.must_place_special():
            return [{"type": "special", "cells": [c]} for c in range(81)]
        return super().legal()


@fault("turn/not-over")
class ListsAnAdvanceAfterTheEnd(Game):
    def legal(self):
        return super().legal() or [{"type": "advance"}]


@fault("turn/special-first")
class ListsAnAdvanceWhileOneWaits(Game):
    def legal(self):
        found = super().legal()
        return found if self.turn is None or not self.pending[self.turn] else [*found, {"type": "advance"}]


class CountsOneMore(Engine):
    """Counts otherwise than it lists."""

    def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
        found = super().answer(op, request)
        return {"count": found["count"] + 1} if "count" in found and found["count"] > 1 else found


MORE["counts-one-more"] = Fault("counts-one-more", CountsOneMore, ("protocol/legal-count",))


class ListingChangesTheGame(Engine):
    """A list of actions is made by playing on, and is not taken back."""

    def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
        found = super().answer(op, request)
        if op == "legal":
            game = self.games[request["game"]]
            if game.turn is not None:
                game.buttons[game.turn] += 1
        return found


MORE["listing-changes-the-game"] = Fault("listing-changes-the-game", ListingChangesTheGame, ("protocol/questions",))


class PerftForgetsToCopy(Engine):
    """Counting plays on the game itself."""

    def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
        found = super().answer(op, request)
        if op == "perft" and request["depth"] == 1 and self.games[request["game"]].turn is not None:
            game = self.games[request["game"]]
            game.apply(game.legal()[0])
        return found


MORE["perft-forgets-to-copy"] = Fault("perft-forgets-to-copy", PerftForgetsToCopy, ("protocol/questions",))


# ---- the time board


@fault("turn/advance-pay")
class AdvancePaysOneLess(Game):
    def advance(self):
        who = self.turn
        super().advance()
        self.buttons[who] -= 1


@fault("turn/advance-pay")
class AdvancePaysTheSpacesBetween(Game):
    def advance(self):
        who, gap = self.turn, None if self.turn is None else self.space[1 - self.turn] - self.space[self.turn]
        super().advance()
        if gap is not None and gap > 2:
            self.buttons[who] -= 1


@fault("track/income", "track/crossed")
class LandingByAdvanceDoesNotPay(Game):
    def advance(self):
        self.advancing = True
        try:
            super().advance()
        finally:
            self.advancing = False

    def pay_income(self, who, old, last_space=False):
        if getattr(self, "advancing", False) and not last_space and self.space[who] in self.income_spaces:
            marks, self.income_spaces = self.income_spaces, [m for m in self.income_spaces if m != self.space[who]]
            super().pay_income(who, old, last_space)
            self.income_spaces = marks
        else:
            super().pay_income(who, old, last_space)


@fault("track/income")
class IncomeTwiceWhereItLands(Game):
    def pay_income(self, who, old, last_space=False):
        super().pay_income(who, old, last_space)
        if not last_space and self.space[who] != old and self.space[who] in self.income_spaces and self.space[who] != self.last:
            self.pay(who, self.income[who])


@fault("track/income")
class IncomeOfTheSecondPlayerIsLost(Game):
    def pay_income(self, who, old, last_space=False):
        if who == 0 or last_space:
            super().pay_income(who, old, last_space)


@fault("track/final-income")
class OnlyAnAdvancePaysAtTheEnd(Game):
    def buy(self, name, cells):
        self.buying = True
        try:
            super().buy(name, cells)
        finally:
            self.buying = False

    def pay_income(self, who, old, last_space=False):
        if not (last_space and getattr(self, "buying", False)):
            super().pay_income(who, old, last_space)


@fault("track/special")
class OfTwoSpecialPatchesOneIsTaken(Game):
    def take_special_patches(self, who, old):
        first = [m for m in self.special_spaces if self.crosses(old, self.space[who], m)][:1]
        rest = [m for m in self.special_spaces if m not in first]
        self.special_spaces = first
        super().take_special_patches(who, old)
        self.special_spaces = sorted([*self.special_spaces, *rest])


@fault("track/special")
class OfTwoPassedOneIsLost(Game):
    def take_special_patches(self, who, old):
        before = self.pending[who]
        super().take_special_patches(who, old)
        self.pending[who] = min(self.pending[who], before + 1)


@fault("track/special")
class NoneOnASharedSpace(Game):
    def take_special_patches(self, who, old):
        if old != self.space[1 - who]:
            super().take_special_patches(who, old)


@fault("turn/special-place")
class SpecialPatchHasAButton(Game):
    def place(self, who, cells, patch):
        super().place(who, cells, patch)
        if patch is None:
            self.income[who] += 1


@fault("turn/special-take", "track/special-lost")
class AllWaitingPatchesGoAtOnce(Game):
    def place_special(self, cells):
        who = self.turn
        super().place_special(cells)
        if self.pending[who]:
            self.pending[who] = 0
            self.end_of_action(who)


# ---- whose turn it is


@fault("turn/next")
class PlayersAlternate(Game):
    def end_of_action(self, who, same_turn=False):
        super().end_of_action(who, same_turn)
        if self.turn is not None and not any(self.pending) and self.space[1 - who] != self.last:
            self.turn = 1 - who


@fault("turn/next")
class PlayerZeroMovesOnASharedSpace(Game):
    def end_of_action(self, who, same_turn=False):
        super().end_of_action(who, same_turn)
        if self.turn is not None and not any(self.pending) and self.space[0] == self.space[1]:
            self.turn = 0


@fault("turn/next")
class AnotherTurnAfterASpecialPatch(Game):
    def place_special(self, cells):
        who = self.turn
        super().place_special(cells)
        if self.turn is not None and not self.pending[who] and self.space[who] != self.last:
            self.turn = who


# ---- the special tile


@fault("tile/claim")
class TileForSixBySix(Game):
    def __init__(self, setup, faults=()):
        super().__init__(setup, faults)
        self.tile_side -= 1


@fault("tile/claim")
class TileToTheOther(Game):
    def look_for_square(self, who):
        if not any(self.tile) and any(square <= self.quilt[who] for square in sample.squares(self.tile_side)):
            self.tile[1 - who] = True


@fault("tile/claim")
class TileIsTakenOver(Game):
    def look_for_square(self, who):
        if not self.tile[who] and any(square <= self.quilt[who] for square in sample.squares(self.tile_side)):
            self.tile = [False, False]
            self.tile[who] = True


@fault("tile/claim")
class TileOneCellTooEarly(Game):
    def look_for_square(self, who):
        if not any(self.tile) and any(len(square - self.quilt[who]) <= 1 for square in sample.squares(self.tile_side)):
            self.tile[who] = True


@fault("tile/claim")
class TileAtTheNextPlacement(Game):
    def place(self, who, cells, patch):
        if not any(self.tile):
            self.look_for_square(who)
        had = list(self.tile)
        super().place(who, cells, patch)
        self.tile = had


@fault("tile/claim")
class TileNeverOnTheLowerEdge(Game):
    def look_for_square(self, who):
        squares = [square for square in sample.squares(self.tile_side) if max(square) < 72]
        if not any(self.tile) and any(square <= self.quilt[who] for square in squares):
            self.tile[who] = True


# ---- the end and the score


@fault("end/tie")
class PlayerZeroWinsTies(Game):
    def score(self):
        scores, winner = super().score()
        return scores, 0 if scores[0] == scores[1] else winner


@fault("end/tie")
class MoreButtonsWinTies(Game):
    def score(self):
        scores, winner = super().score()
        return scores, winner if scores[0] != scores[1] or self.buttons[0] == self.buttons[1] else int(self.buttons[1] > self.buttons[0])


@fault("end/over")
class EndsOneSpaceEarly(Game):
    def end_of_action(self, who, same_turn=False):
        super().end_of_action(who, same_turn)
        if min(self.space) >= self.last - 1 and not any(self.pending):
            self.turn = None


@fault("end/score-tile")
class TileWorthEight(Game):
    def score(self):
        self.tile_points += 1
        found = super().score()
        self.tile_points -= 1
        return found


@fault("end/score-blanks")
class SpecialPatchesCountAsEmpty(Game):
    def place(self, who, cells, patch):
        super().place(who, cells, patch)
        if patch is None:
            self.__dict__.setdefault("small", [0, 0])
            self.small = [n + (player == who) for player, n in enumerate(self.small)]

    def score(self):
        scores, _ = super().score()
        scores = [scores[who] - self.blank_penalty * getattr(self, "small", [0, 0])[who] for who in (0, 1)]
        return scores, 0 if scores[0] > scores[1] else 1 if scores[1] > scores[0] else self.finishers[0]


@fault("end/score-blanks")
class FullQuiltPaysForOneCell(Game):
    def score(self):
        scores, _ = super().score()
        scores = [scores[who] - self.blank_penalty * (len(self.quilt[who]) == 81) for who in (0, 1)]
        return scores, 0 if scores[0] > scores[1] else 1 if scores[1] > scores[0] else self.finishers[0]


@fault("end/score-buttons")
class ButtonsCountHalf(Game):
    def score(self):
        scores, _ = super().score()
        scores = [scores[who] - self.buttons[who] + self.buttons[who] // 2 for who in (0, 1)]
        return scores, 0 if scores[0] > scores[1] else 1 if scores[1] > scores[0] else self.finishers[0]


# ---- games that remember others


class RemembersTheSetup(Engine):
    """A game with a set-up that was played before goes on where that one stopped."""

    def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
        found = super().answer(op, request)
        if op == "new":
            kept = self.__dict__.setdefault("kept", {})
            self.games[request["game"]] = kept.setdefault(repr(sorted(request["setup"].items())), self.games[request["game"]])
        return found


MORE["remembers-the-setup"] = Fault("remembers-the-setup", RemembersTheSetup, ("protocol/isolation",))


class TileIsTakenInEveryGame(Engine):
    """Once the tile is taken in one game, nobody gets it in the next."""

    def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
        engine = self

        class Remembering(Game):
            def look_for_square(self, who: int) -> None:
                if not engine.__dict__.get("taken"):
                    super().look_for_square(who)
                    engine.taken = any(self.tile)

        if op == "new":
            self.game = Remembering
        return super().answer(op, request)


MORE["tile-is-taken-in-every-game"] = Fault("tile-is-taken-in-every-game", TileIsTakenInEveryGame, ("protocol/isolation",))


class FinishersOfAllGames(Engine):
    """Who finished first is remembered from one game to the next."""

    def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
        found = super().answer(op, request)
        if op == "new":
            game = self.games[request["game"]]
            game.finishers = self.__dict__.setdefault("finishers", game.finishers)
        return found


MORE["finishers-of-all-games"] = Fault("finishers-of-all-games", FinishersOfAllGames, ("protocol/isolation",))
