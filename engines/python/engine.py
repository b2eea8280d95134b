#!/usr/bin/env python3
"""Patchwork, written plainly from the rules: a sample engine that speaks protocol version 1 (JSON lines).

A quilt is a frozenset of cells, and a cell is the number 9*row + column. Nothing here is clever, so that it can be
read beside the rulebook. Where the rulebook can be read in several ways, one `if` asks `self.readings`.
Lines marked `# fault:` are deliberate mistakes, switched on with `--fault NAME`. Run: python engine.py
"""
import argparse
import functools
import json
import sys

SIZE = 9  # the quilt board is 9x9
CELLS = SIZE * SIZE
ALL_BUTTONS = 162  # what the box holds: 32x1, 12x5, 5x10, 1x20
NUMBERS = ("cost", "time", "income")  # of a patch

READINGS = {  # every ambiguity of the rules with the readings known here; the first one is the default
    "neutral-token-start": ("clockwise", "counter-clockwise"),
    "two-one-patch": ("smallest", "six-cells"),
    "purchase-order": ("place-then-move", "move-then-place"),
    "special-spaces": ("revised", "original"),  # nothing to do: the set-up carries the spaces
    "marker-trigger": ("onto-or-past", "strictly-past"),
    "shared-space": ("top-moves", "bottom-moves"),
    "advance-near-end": ("clamped", "not-clamped"),
    "final-income": ("paid", "not-paid"),
    "special-tile": ("first-player", "absent", "each-player"),
    "tile-value": ("points-at-end", "buttons-at-once"),
    "tile-check": ("each-placement", "purchases-only", "end-of-turn"),
    "tie": ("first-to-finish", "draw", "last-to-finish"),
    "supply": ("endless", "finite"),
    "unplaceable-patch": ("illegal", "discarded"),
    "full-quilt-special": ("lost", "stays"),
    "turning": ("turns-and-flips", "turns-only"),
    "negative-score": ("allowed", "floored"),
    "special-patch-timing": ("at-once", "kept"),
    "short-offer": ("all-remaining", "none"),
    "purchase-steps": ("token-pay-place", "pay-token-place"),  # no observable effect
    "event-order": ("income-first", "special-first"),  # no observable effect
}

FAULTS = {
    "income-pays-once": "two income spaces crossed in one move pay only once",
    "no-final-income": "the income on the last space is not paid",
    "unclamped-advance": "an advance that stops on the last space pays as if the board went on",
    "purchase-pays-no-income": "the move of a purchase pays no income",
    "advance-earns-no-special": "an advance never takes a special patch",
    "special-to-rival": "a special patch goes to the other player",
    "token-stays": "the neutral token does not move: patches passed over stay in front",
    "rival-moves-on-shared-space": "after landing on the rival's space the rival moves",
    "tie-is-draw": "equal scores are a draw",
    "tile-needs-81": "the special tile needs the whole board",
    "tile-to-both": "both players can get the special tile",
    "no-flips": "patches can be turned but not flipped",
    "short-offer-hidden": "when fewer patches remain than should be on offer, none is",
    "marks-one-early": "every mark on the time board triggers one space early",
    "mistyped-patch": "patch B costs 3 instead of 1",
    "income-times-buttons": "income is multiplied by the buttons in hand",
    "penalty-one": "an empty cell costs one point less than it should",
    "reject-changes-state": "a placement refused for its cells costs a button all the same",
    "shared-state": "games in one process share the special patches on the time board",
}
shared = {}  # used by the fault shared-state alone


class Illegal(Exception):
    """The rules refuse an action; `code` is one of the protocol's reject codes."""

    code = property(lambda self: self.args[0])


class Skipped(Exception):
    """The set-up asks for something this engine knows it does not play."""


def orientations(shape, flips):
    """All ways to turn (and flip) a shape, each a frozenset of (row, column) touching row 0 and column 0."""
    found = set()
    cells = {(r, c) for r, row in enumerate(shape) for c, sign in enumerate(row) if sign == "#"}
    for flip in (False, True) if flips else (False,):
        now = {(r, -c) for r, c in cells} if flip else cells
        for _ in range(4):
            now = {(c, -r) for r, c in now}  # a quarter turn clockwise
            top, left = min(r for r, _ in now), min(c for _, c in now)
            found.add(frozenset((r - top, c - left) for r, c in now))
    return found


@functools.lru_cache(maxsize=4096)
def placements(shape, flips):
    """All placements on an empty quilt: {the cells covered: the same, ascending}. The same cells are one placement."""
    found = set()
    for cells in orientations(shape, flips):
        height, width = max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1
        for top in range(SIZE - height + 1):
            for left in range(SIZE - width + 1):
                found.add(tuple(sorted(SIZE * (top + r) + left + c for r, c in cells)))
    return {frozenset(cells): cells for cells in sorted(found)}


@functools.lru_cache(maxsize=64)
def squares(side):
    """All squares of this side on the quilt board."""
    starts = range(SIZE - side + 1)
    return [frozenset(SIZE * (top + r) + left + c for r in range(side) for c in range(side))
            for top in starts for left in starts]


def whole(value):
    """A number of a request: an integer, and `true` is none."""
    if type(value) is not int:
        raise ValueError(f"not an integer: {value!r}")
    return value


def is_cells(value):
    return isinstance(value, list) and all(type(c) is int for c in value)


class Game:
    """One game: legal, perft, apply, state, score, copy. Players are 0 and 1."""

    def __init__(self, setup, faults=()):
        self.faults = frozenset(faults)
        self.readings = {name: known[0] for name, known in READINGS.items()}
        for name, reading in (setup.get("readings") or {}).items():
            if name in READINGS and reading not in READINGS[name]:
                raise Skipped(f"this engine does not know the reading {name}={reading}")
            self.readings[name] = reading

        board, tile = setup["time_board"], setup["special_tile"]
        self.last, self.income_spaces = whole(board["last"]), sorted(map(whole, board["income"]))
        self.tile_side, self.tile_points = whole(tile["side"]), whole(tile["points"])
        self.blank_penalty, self.on_offer = whole(setup["blank_penalty"]), whole(setup["on_offer"])
        self.patches = {name: {"shape": tuple(patch["shape"]), **{key: whole(patch[key]) for key in NUMBERS}}
                        for name, patch in setup["patches"].items()}
        if "mistyped-patch" in self.faults and "B" in self.patches:  # fault: mistyped-patch
            self.patches["B"]["cost"] = 3

        circle = list(setup["circle"])
        if len(set(circle)) < len(circle) or not set(circle) <= set(self.patches):
            raise ValueError("the circle names a patch twice, or one that is not there")
        first = self.first_on_offer(circle, setup.get("neutral_token"))
        self.circle = circle[first:] + circle[:first]  # always begins just after the neutral token
        self.special_spaces = sorted(map(whole, board["special"]))  # where special patches still lie
        if "shared-state" in self.faults:  # fault: shared-state
            self.special_spaces = shared.setdefault("special_spaces", self.special_spaces)

        self.turn = (0, 1).index(setup["first_player"])  # None when the game is over
        self.finishers = []  # who reached the last space, in order
        # What each player has: pairs, indexed by the player.
        self.buttons = [whole(setup["start_buttons"])] * 2
        self.supply = ALL_BUTTONS - sum(self.buttons)
        self.quilt = [frozenset(), frozenset()]
        self.space = [0, 0]
        self.income = [0, 0]
        self.tile = [False, False]
        self.pending = [0, 0]  # special patches taken and not yet placed

    def first_on_offer(self, circle, neutral_token):
        """Where in the circle the first patch on offer is: the token stands just before it."""
        if neutral_token is not None:
            if whole(neutral_token) not in range(max(1, len(circle))):
                raise ValueError("neutral_token is not a place in the circle")
            return neutral_token
        # Two patches cost 2 and take 1 time: the 1x2 (A) and one of six cells (R).
        marked = "A" if self.readings["two-one-patch"] == "smallest" else "R"
        if self.readings["neutral-token-start"] == "counter-clockwise":
            return circle.index(marked)
        return (circle.index(marked) + 1) % len(circle)  # the token stands just after it: it comes last

    def copy(self):
        other = Game.__new__(Game)
        for name, value in vars(self).items():
            setattr(other, name, list(value) if isinstance(value, list) else value)
        return other

    # ---- legal actions

    def offer(self):
        """The patches on offer: the next three clockwise from the neutral token."""
        short = len(self.circle) < self.on_offer
        if short and (self.readings["short-offer"] == "none" or "short-offer-hidden" in self.faults):
            return []  # fault: short-offer-hidden
        return self.circle[:self.on_offer]

    def placements(self, name):
        flips = self.readings["turning"] == "turns-and-flips" and "no-flips" not in self.faults  # fault: no-flips
        return placements(self.patches[name]["shape"], flips)

    def fitting(self, name):
        """The placements of a patch that overlap nothing on the quilt of the player to move."""
        free = self.quilt[self.turn].isdisjoint
        found = [cells for spot, cells in self.placements(name).items() if free(spot)]
        if not found and self.readings["unplaceable-patch"] == "discarded":
            return [()]  # bought without being placed
        return found

    def must_place_special(self):
        """A special patch is placed before anything else, unless it may be kept."""
        return self.pending[self.turn] > 0 and self.readings["special-patch-timing"] == "at-once"

    def legal(self):
        if self.turn is None:
            return []
        who, actions = self.turn, []
        if self.pending[who]:
            actions = [{"type": "special", "cells": [c]} for c in range(CELLS) if c not in self.quilt[who]]
        if self.must_place_special():
            return actions
        actions.append({"type": "advance"})
        for name in self.offer():
            if self.patches[name]["cost"] <= self.buttons[who]:
                actions += [{"type": "buy", "patch": name, "cells": list(cells)} for cells in self.fitting(name)]
        return actions

    def perft(self, depth):
        """How many sequences of `depth` legal actions there are."""
        if depth <= 1:
            return len(self.legal()) if depth == 1 else 1
        nodes = 0
        for action in self.legal():
            after = self.copy()
            after.apply(action)
            nodes += after.perft(depth - 1)
        return nodes

    # ---- actions

    def apply(self, action):
        """Carry out an action of the player to move, or raise Illegal; then nothing has changed."""
        if self.turn is None:
            raise Illegal("finished")
        kind = action.get("type") if isinstance(action, dict) else None
        if kind == "advance":
            self.advance()
        elif kind == "buy" and isinstance(action.get("patch"), str) and is_cells(action.get("cells")):
            self.buy(action["patch"], action["cells"])
        elif kind == "special" and is_cells(action.get("cells")):
            self.place_special(action["cells"])
        else:
            raise Illegal("unknown")

    def advance(self):
        """Move to the space after the rival's token; one button for each space moved."""
        if self.must_place_special():
            raise Illegal("special-pending")
        who = self.turn
        old, target = self.space[who], self.space[1 - who] + 1
        self.move(who, target - old)
        if self.readings["advance-near-end"] == "clamped" and "unclamped-advance" not in self.faults:
            target = self.space[who]  # the pay stops where the token does  # fault: unclamped-advance
        self.pay(who, target - old)
        self.pay_income(who, old)
        if "advance-earns-no-special" not in self.faults:  # fault: advance-earns-no-special
            self.take_special_patches(who, old)
        self.pay_income(who, old, last_space=True)
        self.end_of_action(who)

    def buy(self, name, cells):
        """Take a patch on offer: move the neutral token, pay, place the patch, move the time token."""
        if self.must_place_special():
            raise Illegal("special-pending")
        if name not in self.patches:
            raise Illegal("unknown")
        if name not in self.offer():
            raise Illegal("not-on-offer")
        who, patch, old = self.turn, self.patches[name], self.space[self.turn]
        if self.buttons[who] < patch["cost"]:
            raise Illegal("too-few-buttons")
        placed = cells or self.fitting(name) != [()]  # otherwise it is bought and discarded
        if placed:
            self.check_cells(cells, self.placements(name))

        # The neutral token goes to where the patch was; the circle now begins with the one after it.
        at = self.circle.index(name)
        passed, ahead = self.circle[:at], self.circle[at + 1:]
        self.circle = passed + ahead if "token-stays" in self.faults else ahead + passed  # fault: token-stays
        self.buttons[who] -= patch["cost"]
        self.supply += patch["cost"]

        # Place, then move; or the other way round, and then the new patch counts for the last space's income alone.
        move_first = self.readings["purchase-order"] == "move-then-place"
        if placed and not move_first:
            self.place(who, cells, patch)
        self.move(who, patch["time"])
        since = self.space[who] if "purchase-pays-no-income" in self.faults else old  # fault: purchase-pays-no-income
        self.pay_income(who, since)
        if placed and move_first:
            self.place(who, cells, patch)
        self.take_special_patches(who, old)
        self.pay_income(who, since, last_space=True)
        self.end_of_action(who)

    def place_special(self, cells):
        """Place a special patch taken before: one cell anywhere."""
        who = self.turn
        if not self.pending[who]:
            raise Illegal("no-special-pending")
        self.check_cells(cells, placements(("#",), False))
        self.pending[who] -= 1
        self.place(who, cells, None)
        if len(self.quilt[who]) == CELLS:
            self.pending[who] = 0  # what still waits can never be placed
        # A kept special patch is placed beside the action of the turn and does not end the turn.
        self.end_of_action(who, same_turn=self.readings["special-patch-timing"] == "kept")

    def check_cells(self, cells, allowed):
        code = None
        if not all(0 <= c < CELLS for c in cells):
            code = "off-board"
        elif len(set(cells)) < len(cells) or frozenset(cells) not in allowed:
            code = "wrong-shape"
        elif not self.quilt[self.turn].isdisjoint(cells):
            code = "overlap"
        if code:
            self.buttons[self.turn] -= "reject-changes-state" in self.faults  # fault: reject-changes-state
            raise Illegal(code)

    # ---- the steps of an action

    def place(self, who, cells, patch):
        """Put a patch, or a special patch (None), on the quilt and look for the filled square."""
        self.quilt[who] |= frozenset(cells)
        if patch:
            self.income[who] += patch["income"]
        when = self.readings["tile-check"]
        if when == "each-placement" or (when == "purchases-only" and patch):
            self.look_for_square(who)

    def look_for_square(self, who):
        """The special tile goes to the first player who has filled a square of its side completely."""
        rule = "each-player" if "tile-to-both" in self.faults else self.readings["special-tile"]  # fault: tile-to-both
        taken = self.tile[who] if rule == "each-player" else any(self.tile)
        side = SIZE if "tile-needs-81" in self.faults else self.tile_side  # fault: tile-needs-81
        if rule == "absent" or taken or not any(square <= self.quilt[who] for square in squares(side)):
            return
        self.tile[who] = True
        if self.readings["tile-value"] == "buttons-at-once":
            self.pay(who, self.tile_points)

    def pay(self, who, amount):
        """Buttons from the supply to a player: never more than are left, when the supply is finite."""
        if self.readings["supply"] == "finite":
            amount = min(amount, max(0, self.supply))
        self.supply -= amount
        self.buttons[who] += amount

    def move(self, who, time):
        """Move the time token, which never leaves the last space."""
        self.space[who] = min(self.space[who] + time, self.last)
        if self.space[who] == self.last and who not in self.finishers:
            self.finishers.append(who)

    def crosses(self, old, new, mark, pays=False):
        """Does a move from `old` to `new` trigger a mark? The last space, which nobody leaves, `pays` on arriving."""
        if "marks-one-early" in self.faults:  # fault: marks-one-early
            mark -= 1
        if self.readings["marker-trigger"] == "strictly-past" and not (pays and mark == self.last):
            return old <= mark < new
        return old < mark <= new

    def pay_income(self, who, old, last_space=False):
        """Each income space crossed pays the income of the quilt: those before the last space, or the last space."""
        marks = [mark for mark in self.income_spaces if self.crosses(old, self.space[who], mark, pays=True)]
        if self.readings["final-income"] == "not-paid" or "no-final-income" in self.faults:  # fault: no-final-income
            marks = [mark for mark in marks if mark != self.last]
        if "income-pays-once" in self.faults:  # fault: income-pays-once
            marks = marks[:1]
        for mark in marks:
            if (mark == self.last) == last_space:
                times = self.buttons[who] if "income-times-buttons" in self.faults else 1  # fault: income-times-buttons
                self.pay(who, self.income[who] * times)

    def take_special_patches(self, who, old):
        """The mover takes every special patch his token has crossed."""
        taker = 1 - who if "special-to-rival" in self.faults else who  # fault: special-to-rival
        for mark in [m for m in self.special_spaces if self.crosses(old, self.space[who], m)]:
            if len(self.quilt[taker]) < CELLS:
                self.pending[taker] += 1
            elif self.readings["full-quilt-special"] == "stays":
                continue  # no room for it: it remains on the time board
            self.special_spaces.remove(mark)  # taken, or lost

    def end_of_action(self, who, same_turn=False):
        """Who moves next: the player furthest behind; on a shared space the one on top, who came last."""
        if self.readings["special-patch-timing"] == "at-once" and any(self.pending):
            self.turn = 0 if self.pending[0] else 1  # the mover, who places it before anything else
            return
        if self.readings["tile-check"] == "end-of-turn":
            self.look_for_square(who)
        rival, on_top = 1 - who, who
        if self.readings["shared-space"] == "bottom-moves" or "rival-moves-on-shared-space" in self.faults:
            on_top = rival  # fault: rival-moves-on-shared-space
        if self.space == [self.last, self.last]:
            self.turn = None  # the game is over
        elif not same_turn:
            ahead = self.space[who] - self.space[rival]
            self.turn = on_top if ahead == 0 else rival if ahead > 0 else who

    # ---- what can be asked

    def score(self):
        """([points of 0, points of 1], the winner, or None for a draw)."""
        penalty = self.blank_penalty - ("penalty-one" in self.faults)  # fault: penalty-one
        scores = []
        for who in (0, 1):
            points = self.buttons[who] - penalty * (CELLS - len(self.quilt[who]))
            if self.tile[who] and self.readings["tile-value"] == "points-at-end":
                points += self.tile_points
            scores.append(max(0, points) if self.readings["negative-score"] == "floored" else points)
        if scores[0] != scores[1]:
            return scores, 0 if scores[0] > scores[1] else 1
        if len(self.finishers) < 2 or self.readings["tie"] == "draw" or "tie-is-draw" in self.faults:
            return scores, None  # fault: tie-is-draw
        return scores, self.finishers[0 if self.readings["tie"] == "first-to-finish" else 1]

    def state(self):
        over = self.turn is None
        return {"turn": self.turn, "pending_special": 0 if over else self.pending[self.turn], "finished": over,
                "players": [{"buttons": self.buttons[who], "space": self.space[who], "income": self.income[who],
                             "quilt": "".join("#" if c in self.quilt[who] else "." for c in range(CELLS)),
                             "special_tile": self.tile[who]} for who in (0, 1)],
                "circle": list(self.circle), "special_spaces": list(self.special_spaces)}


class Engine:
    """Many games by name, and one reply object to each request object."""

    def __init__(self, faults=()):
        self.faults, self.games = frozenset(faults), {}

    def handle(self, request):
        if not isinstance(request, dict):
            return {"id": None, "ok": False, "error": {"message": "a request is one JSON object on one line"}}
        number = request.get("id")
        head = {"id": number if type(number) is int else None, "ok": True}
        try:
            return {**head, **self.answer(request.get("op"), request)}
        except Skipped as gap:
            return {**head, "ok": False, "skipped": {"reason": str(gap)}}
        except Exception as fault:  # whatever it was, the next request gets its reply
            return {**head, "ok": False, "error": {"message": f"{type(fault).__name__}: {fault}"}}

    def answer(self, op, request):
        if op == "hello":
            if 1 not in request["protocol"]:
                raise ValueError("this engine speaks protocol 1")
            return {"protocol": 1, "capabilities": ["state", "legal", "perft", "finds-token"],
                    "engine": {"name": "patchwork-plain-python", "version": "1.0.0", "language": "Python"}}
        if op == "bye":
            return {}
        if op not in ("new", "apply", "state", "legal", "score", "perft", "end"):
            return {"ok": False, "unsupported": True}
        name = request["game"]
        if (name in self.games) == (op == "new"):
            raise ValueError(f"the game {name!r} is open already" if op == "new" else f"no game {name!r} is open")
        if op == "new":
            self.games[name] = Game(request["setup"], self.faults)
            return {}
        game = self.games[name]
        if op == "apply":
            for applied, action in enumerate(list(request["actions"])):
                try:
                    game.apply(action)
                except Illegal as refused:
                    return {"ok": False, "reject": {"code": refused.code}, "applied": applied}
            return {"applied": len(request["actions"])}
        if op == "state":
            return {"state": game.state()}
        if op == "legal":
            form = request.get("form", "actions")
            if form not in ("actions", "count"):
                raise ValueError(f"no such form: {form!r}")
            return {"count": len(game.legal())} if form == "count" else {"actions": game.legal()}
        if op == "score":
            scores, winner = game.score()
            return {"scores": scores, "winner": winner}
        if op == "perft":
            return {"nodes": game.perft(max(0, whole(request["depth"])))}
        del self.games[name]  # end
        return {}


def main():
    parser = argparse.ArgumentParser(description="A plain Patchwork engine: JSON lines on standard input and output.")
    parser.add_argument("--fault", choices=FAULTS, metavar="NAME", help="start with a deliberate fault")
    parser.add_argument("--list-faults", action="store_true", help="print the faults and stop")
    options = parser.parse_args()
    if options.list_faults:
        print("\n".join(f"{name:28} {what}" for name, what in FAULTS.items()))
        return
    engine = Engine([options.fault] if options.fault else [])
    for line in sys.stdin.buffer:
        try:
            request = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            request = None  # no JSON at all
        print(json.dumps(engine.handle(request), separators=(",", ":")), flush=True)
        if isinstance(request, dict) and request.get("op") == "bye":
            return


if __name__ == "__main__":
    main()
