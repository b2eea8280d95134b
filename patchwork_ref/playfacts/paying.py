"""How a Machine pays: read off its own rules, part by part, so that a bound on buttons holds for whatever is recognised.

Every part that a button, a token's space, an income or the turn depends on must be one of those listed here, in its own
words; a rulebook with any other gets no ``Paying``, and nothing is said of it. What is not listed may change none of them.

What the listed parts leave out can only help the players, and so a bound that is counted without it holds:

- where the neutral token starts, how many patches are on offer, whether they may be flipped, who moves on a shared space
  and when a special patch is placed: the easier game has every patch on offer, no shapes, no rival and no special patches;
- a patch that is discarded brings no income: single steps over the same spaces bring more, and leave the patch to be bought;
- an income or price that is paid in another order within one action: the price comes first in all of them, so that the
  players never hold more within an action than at its end;
- an advance that is paid beyond the last space: it needs a rival who stands there, ends on the last space itself, and
  nobody moves after it. So it happens once in a game at most, brings one button more, and buys nothing;
- a finite supply: it pays less than an endless one only after the two have held more than there is together;
- special tiles that pay at once: each is had as soon as a player has as many cells as the square, whatever their shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.show import show
from patchwork_ref.machine.model import ActionForm, Machine, Step

_INCOME = "transfer(paid(me.income), supply, me.buttons)"
_CLAIMED = "me.special_tile = true"
_AT_ONCE = "transfer(paid(tile_points), supply, me.buttons)"
_STEPS = {
    ("", "", "me.space = min(me.space + distance, last_space)"): "move",
    ("", "", "transfer(paid(me.space - before(me.space)), supply, me.buttons)"): "walk",
    ("", "", "transfer(paid(distance), supply, me.buttons)"): "walk-beyond",
    ("mark in income_spaces", "crossed(mark); mark < last_space", _INCOME): "income",
    ("", "arrived; last_space in income_spaces", _INCOME): "final",
    ("", "", "transfer(patch.cost, me.buttons, supply)"): "price",
    ("", "", "circle = turned(circle, place(patch, circle)); circle -= patch"): "take",
    ("", "", "me.quilt |= cells; me.income += patch.income; me.owned += patch"): "place",
    **{("", when, f"turn = rival if me.space {sign} rival.space else me"): kind for when, kind in (("", "next"), ("me.pending == 0", "next-placed")) for sign in (">", ">=")},
}
"""What a step is, by what it goes over, its conditions and its effects."""
_TOUCHED = frozenset({"turn", "circle", "supply", "buttons", "space", "income", "quilt", "special_tile"})
"""Fields that no other step may change, but that a quilt may grow."""
_Way = tuple[str, tuple[str, ...], tuple[str, ...]]
_ORDERS: Mapping[str, Mapping[tuple[str, ...], _Way]] = {
    "advance": {("move", walk, "income", *final, "next"): (walk, final, ()) for walk in ("walk", "walk-beyond") for final in ((), ("final",))},
    "buy": {
        **{(*first, "place", "move", "income", *final, "next"): ("", final, ()) for first in (("take", "price"), ("price", "take")) for final in ((), ("final",))},
        **{(*first, "move", "income", "place", *final, "next"): ("", final, ("late",)) for first in (("take", "price"), ("price", "take")) for final in ((), ("final",))},
    },
    "discard": {(*first, "move", "income", *final, "next"): ("", final, ()) for first in (("take", "price"), ("price", "take")) for final in ((), ("final",))},
    "special": {("next",): ("", (), ()), (): ("", (), ())},
}
"""The orders of these steps in an action, with the way an advance pays, whether the last space does, and whether the patch comes late."""
_BY_TIME = {"distance": "patch.time"}
_VALUES: Mapping[str, Mapping[str, str]] = {"advance": {"distance": "rival.space + 1 - me.space"}, "buy": _BY_TIME, "discard": _BY_TIME, "special": {}}
_GUARDS = {
    "advance": {"not over"}, "buy": {"not over", "me.buttons >= patch.cost", "disjoint(cells, me.quilt)"}, "discard": {"not over", "me.buttons >= patch.cost"},
    "special": {"not over"},
}
"""Guards that each action needs; any further one only forbids."""
_CHOICES = {"patch": "on_offer", "cells": "placements(patch, flips)"}
_ONTO, _PAST = "before(me.space) < mark <= me.space", "before(me.space) <= mark < me.space"
_DEFINITIONS = {
    "rival": {"other(me)"}, "paid": {"amount", "min(amount, supply)"}, "crossed": {_ONTO, _PAST}, "arrived": {"before(me.space) < last_space and me.space == last_space"},
    "on_offer": {"first(offer_size, circle)", "first(offer_size if size(circle) >= offer_size else 0, circle)"},
    "over": {"all(p.space == last_space and p.pending == 0 for p in players)", "all(p.space == last_space for p in players)"},
}
_STARTS = {
    "player.buttons": "start_buttons", "supply": "button_total - sum(start_buttons for p in players)", "player.space": "0", "player.income": "0",
    "circle": "turned(table.circle, table.neutral_token)", "player.special_tile": "false", "player.quilt": "no_cells",
}
_UNCLAIMED = {"not any(p.special_tile for p in players)": 1, "not me.special_tile": 2}


@dataclass(frozen=True, slots=True, order=True)
class Paying:
    """How play is paid. ``final``: the last space pays; ``past``: a mark is resolved when it is left, not when it is reached;
    ``late``: a new patch counts on the last space alone; ``tiles``: so many special tiles pay at once; ``beyond``: an advance
    is paid beyond the last space; ``bought``: a purchase alone wins a tile."""

    final: bool = True
    past: bool = False
    late: bool = False
    tiles: int = 0
    beyond: bool = False
    bought: bool = False


def paying(machine: Machine) -> Paying | None:
    """How the Machine pays; None when its rules are not among those that are known here."""
    starts = {field: show(value) for start in machine.starts for field, value in start.starts.items()}
    bodies = {name: show(definition.body) for name, definition in machine.definitions.items()}
    if any(starts.get(field) != text for field, text in _STARTS.items()) or any(bodies.get(name) not in texts for name, texts in _DEFINITIONS.items()):
        return None
    if bodies["over"] != show(machine.over.body) or not _mover_behind(machine):
        return None
    found = [_form(form) for form in machine.actions]
    ways = [way for way in found if way is not None]
    if len(ways) < len(found) or not {"advance", "buy"} <= {form.name for form in machine.actions}:
        return None
    finals = {bool(final) for form, (_, final, _) in zip(machine.actions, ways, strict=True) if form.name != "special"}
    tiles = [_tiles(step) for form in machine.actions for step in form.steps if _claims(step)]
    if len(finals) > 1 or None in tiles:
        return None
    most = max((number for number in tiles if number is not None), default=0)
    elsewhere = any(_claims(step) for form in machine.actions if form.name != "buy" for step in form.steps)
    return Paying(
        final=finals.pop(), past=bodies["crossed"] == _PAST, late=any(late for _, _, late in ways), tiles=most,
        beyond=any(walk == "walk-beyond" for walk, _, _ in ways), bought=most > 0 and not elsewhere,
    )


def recognised(machine: Machine) -> Paying:
    """As ``paying``; raises ValueError when that is not known."""
    way = paying(machine)
    if way is None:
        raise ValueError("how the machine pays is not known")
    return way


def _form(form: ActionForm) -> _Way | None:
    """How an action pays: a row of ``_ORDERS``."""
    if form.name not in _ORDERS or {name: show(value) for name, value in form.values} != _VALUES[form.name]:
        return None
    if not _GUARDS[form.name] <= {show(guard.condition) for guard in form.requires}:
        return None
    if form.name in ("buy", "discard") and any(_CHOICES.get(name) != show(domain.collection) for name, domain in form.choices):
        return None
    order: list[str] = []
    for step in form.steps:
        kind = _STEPS.get(_text(step))
        if kind is not None:
            order.append(kind)
        elif _claims(step):
            if form.name == "buy" and "price" not in order:  # the tile's buttons come after the price is paid
                return None
        elif _TOUCHED & set(_written(step)) or ("next-placed" in order and "pending" in _written(step)):
            return None
    return _ORDERS[form.name].get(tuple("next" if kind == "next-placed" else kind for kind in order))


def _mover_behind(machine: Machine) -> bool:
    """Whether nobody advances who is ahead, and so backwards: who has a special patch to place, and stays on move for it, only places."""
    kinds = {_STEPS.get(_text(step)) for form in machine.actions for step in form.steps}
    if "next-placed" not in kinds:
        return True
    if "next" in kinds or any("me.pending == 0" not in {show(guard.condition) for guard in form.requires} for form in machine.actions if form.name == "advance"):
        return False
    return all(any(_STEPS.get(_text(step)) == "next-placed" for step in form.steps) for form in machine.actions)


def _text(step: Step) -> tuple[str, str, str]:
    each = f"{step.each[0]} in {show(step.each[1])}" if step.each is not None else ""
    return each, "; ".join(sorted(map(show, step.when.values()))), "; ".join(map(show, step.does))


def _claims(step: Step) -> bool:
    return step.each is None and [show(effect) for effect in step.does] in ([_CLAIMED], [_CLAIMED, _AT_ONCE])


def _tiles(step: Step) -> int | None:
    """How many tiles a step that claims one can pay for at once in a game; None when that is not known. More conditions make them fewer."""
    when = {show(condition) for condition in step.when.values()}
    if len(step.does) == 1 or "false" in when:
        return 0
    return min((_UNCLAIMED[text] for text in when & set(_UNCLAIMED)), default=None)


def _written(step: Step) -> Iterator[str]:
    """The names of the fields that a step changes."""
    for effect in step.does:
        if isinstance(effect, t.Transfer):
            yield from (effect.giver.name, effect.taker.name)
        elif not (isinstance(effect, t.Update) and effect.op == "|="):  # a quilt that grows only leaves less room
            yield effect.target.name
