"""Rulebooks with one rule changed, each with a property that it breaks."""

from __future__ import annotations

from patchwork_ref.diagnostics import Collector
from patchwork_ref.machine.build import machine_of_tree
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.edits import apply_changes
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.tree import Mapping, from_plain

BREAKS: dict[str, tuple[dict[str, object], str]] = {
    "advance-pays-one-more": ({"rules.turn/advance-pay.does": ["transfer(paid(me.space - before(me.space) + 1), supply, me.buttons)"]}, "holds/advance-pays"),
    "advance-pays-nothing": ({"actions.advance.steps": [{"drop": "turn/advance-pay"}]}, "holds/advance-pays"),
    "advance-pays-from-nowhere": ({"rules.turn/advance-pay.does": ["me.buttons += me.space - before(me.space)"]}, "holds/buttons-conserved"),
    "advance-onto": ({"actions.advance.with.distance": "rival.space - me.space"}, "holds/advance-length"),
    "advance-two-past": ({"actions.advance.with.distance": "rival.space + 2 - me.space"}, "holds/advance-to-next"),
    "advance-sews": ({"rules.turn/advance-pay.does": ["transfer(paid(me.space - before(me.space)), supply, me.buttons)", "me.income += 1"]}, "holds/income-of-patches"),
    "price-from-rival": ({"rules.turn/buy-pay.does": ["transfer(patch.cost, rival.buttons, supply)"]}, "holds/buttons-never-negative"),
    "price-vanishes": ({"rules.turn/buy-pay.does": ["me.buttons -= patch.cost"]}, "holds/buttons-conserved"),
    "price-is-time": ({"rules.turn/buy-pay.does": ["transfer(patch.time, me.buttons, supply)"]}, "holds/buy-pays"),
    "no-price-check": ({"actions.buy.requires": [{"drop": "turn/buy-afford"}]}, "holds/price-in-hand"),
    "price-check-off-by-one": ({"rules.turn/buy-afford.guard": "me.buttons >= patch.cost - 1"}, "holds/price-in-hand"),
    "start-buttons-not-from-supply": ({"rules.setup/buttons.starts": {"player.buttons": "start_buttons", "supply": "button_total"}}, "holds/buttons-conserved"),
    "overlap-allowed": ({"actions.buy.requires": [{"drop": "turn/buy-no-overlap"}]}, "holds/no-overlap"),
    "special-overlap-allowed": ({"actions.special.requires": [{"drop": "turn/special-no-overlap"}]}, "holds/cells-of-patches"),
    "income-doubled": ({"rules.turn/buy-place.does": ["me.quilt |= cells", "me.income += patch.income * 2", "me.owned += patch"]}, "holds/income-of-patches"),
    "patch-not-owned": ({"rules.turn/buy-place.does": ["me.quilt |= cells", "me.income += patch.income"]}, "holds/patches-conserved"),
    "patch-to-rival": ({"rules.turn/buy-place.does": ["me.quilt |= cells", "me.income += patch.income", "rival.owned += patch"]}, "holds/rival-untouched"),
    "patch-stays-in-circle": ({"rules.turn/buy-token.does": ["circle = turned(circle, place(patch, circle))"]}, "holds/patch-in-one-place"),
    "four-on-offer": ({"constants.offer_size.is": 4}, "holds/bought-from-offer"),
    "last-space-not-the-end": ({"rules.track/move-token.does": ["me.space = me.space + distance"]}, "holds/tokens-on-board"),
    "token-goes-back": ({"rules.track/move-token.does": ["me.space = min(me.space - distance, last_space)"]}, "holds/tokens-never-back"),
    "time-doubled": ({"actions.buy.with.distance": "patch.time + patch.time"}, "holds/lead"),
    "income-every-other-space": ({"constants.income_spaces.is": [1, 3, 5, 7, 9, 53]}, "holds/two-incomes-a-move"),
    "income-twice": ({"rules.track/income.does": ["transfer(paid(me.income), supply, me.buttons)", "transfer(paid(me.income), supply, me.buttons)"]}, "holds/advance-pays"),
    "income-onto-only": ({"rules.track/income.when.crossed": "mark == me.space"}, "holds/buy-pays"),
    "specials-close": ({"constants.special_spaces_printed.is": [26, 29, 38, 44, 50]}, "holds/one-special-a-move"),
    "special-not-taken-away": ({"rules.track/special.does": ["me.pending += 1"]}, "holds/specials-ahead"),
    "special-to-rival": ({"rules.track/special.does": ["special_spaces -= mark", "rival.pending += 1"]}, "holds/rival-untouched"),
    "special-vanishes": ({"rules.track/special.does": ["special_spaces -= mark"]}, "holds/specials-conserved"),
    "special-not-taken": ({"rules.turn/special-take.does": ["me.specials += 0"]}, "holds/game-ends"),
    "special-always-lost": ({"rules.track/special-lost.when.full": "size(me.quilt) < quilt_cells"}, "holds/specials-conserved"),
    "special-never-lost": ({"actions.advance.steps": [{"drop": "track/special-lost"}]}, "holds/special-has-room"),
    "special-waits": ({"actions.buy.requires": [{"drop": "turn/special-first"}]}, "holds/special-alone"),
    "turn-while-special-waits": ({"rules.turn/next.when": [{"drop": "no-special-waits"}]}, "holds/turn-after"),
    "turn-always-passes": ({"rules.turn/next.does": ["turn = rival"]}, "holds/mover-behind"),
    "turn-never-passes": ({"rules.turn/next.does": ["turn = me"]}, "holds/mover-behind"),
    "turn-to-the-one-ahead": ({"rules.turn/next.does": ["turn = rival if me.space < rival.space else me"]}, "holds/turn-after"),
    "tile-for-both": ({"rules.tile/claim.when.unclaimed": True}, "holds/tile-at-most-once"),
    "tile-without-square": ({"rules.tile/claim.when": [{"drop": "filled"}]}, "holds/tile-needs-square"),
    "tile-for-smaller-square": ({"rules.tile/claim.when.filled": "filled_square(me.quilt, tile_side - 1)"}, "holds/tile-needs-square"),
    "tile-for-larger-square": ({"rules.tile/claim.when.filled": "filled_square(me.quilt, tile_side + 1)"}, "holds/tile-never-missed"),
    "tile-to-rival": ({"rules.tile/claim.does": ["rival.special_tile = true"]}, "holds/tile-needs-square"),
    "tile-given-back": ({"rules.turn/advance-pay.does": ["transfer(paid(me.space - before(me.space)), supply, me.buttons)", "me.special_tile = false"]}, "holds/tile-kept"),
    "last-finisher": ({"rules.track/finish.when": [{"drop": "first"}]}, "holds/finisher-kept"),
    "finisher-is-rival": ({"rules.track/finish.does": ["first_finisher = rival"]}, "holds/first-finisher"),
    "over-when-one-is-there": ({"definitions.over.is": "any(p.space == last_space and p.pending == 0 for p in players)"}, "holds/both-finished"),
    "over-never": ({"definitions.over.is": "all(p.space > last_space for p in players)"}, "holds/game-ends"),
    "advance-with-special-only": ({"rules.turn/special-first.guard": "me.pending > 0"}, "holds/never-stuck"),
    "tile-worth-eight": ({"constants.tile_points.is": 8}, "holds/score-tile"),
    "blanks-cost-one": ({"constants.blank_penalty.is": 1}, "holds/score-blanks"),
    "blanks-count": ({"definitions.total.is": "button_points(who) + tile_part(who) + blank_part(who)"}, "holds/score-parts"),
    "score-without-tile": ({"definitions.total.is": "button_points(who) - blank_part(who)"}, "holds/score-parts"),
    "score-doubles-buttons": ({"definitions.button_points.is": "who.buttons + who.buttons"}, "holds/score-buttons"),
    "lower-score-wins": ({"definitions.leader.is": "one(p for p in players if total(p) < total(other(p)))"}, "holds/winner-has-more"),
    "ties-to-the-last": ({"definitions.tie_winner.is": "other(first_finisher)"}, "holds/tie-to-first"),
    "nobody-wins-ties": ({"definitions.tie_winner.is": "nobody"}, "holds/somebody-wins"),
    "patch-without-time": ({"patches.A.time": 0}, "holds/game-ends"),
    "patch-with-long-time": ({"patches.A.time": 9}, "holds/lead"),
}
"""Name: changes by address, and the property that must be refuted."""


def altered(rulebook: Rulebook, changes: dict[str, object], ruleset: str = "revised") -> Machine:
    """The machine of a ruleset with changes on top."""
    readings, collector = rulebook.readings(ruleset), Collector()
    node = from_plain(changes)
    assert isinstance(node, Mapping)
    machine = machine_of_tree(apply_changes(rulebook.resolved(readings), node), collector, readings, None)
    assert machine is not None, collector.found
    return machine
