"""Is the YAML alive: does every number and every order in it change what the engine does?"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import patchwork_ref as pr
from patchwork_ref.diagnostics import Collector
from patchwork_ref.engine.policies import POLICIES
from patchwork_ref.fixtures.read import read_fixtures
from patchwork_ref.machine.build import machine_of_tree
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.tree import Mapping, Node, Scalar, Sequence

SECTIONS = ("quilt_board", "patches", "special_patches", "constants", "definitions", "rules", "actions")
WORDS = ("says", "cite", "name", "picture")

NO_EFFECT = {
    "special_patches.special.cost": "special patches are won, never bought",
    "special_patches.special.time": "special patches are won, never bought",
    "special_patches.special.income": "sewing one on reads only its cell",
    "constants.button_total.is": "with an endless supply only its own count changes; the reading supply=finite makes it matter",
    "actions.advance.requires swap 0": "an action after the end is refused either way, with another code only when a special patch waits, which then never does",
    "actions.buy.requires swap 0": "as for the advance",
    "actions.buy.requires swap 1": "the two are asked after different choices, whatever their order in the list",
    "actions.buy.requires swap 2": "the two are asked after different choices, whatever their order in the list",
    "actions.special.requires swap 1": "the two are asked after different choices, whatever their order in the list",
    "actions.buy.steps swap 0": "the token and the price do not concern each other: reading purchase-steps",
    "actions.buy.steps swap 1": "the price and the placing do not concern each other",
    "actions.buy.steps swap 3": "the special tile does not depend on the time token",
    "actions.buy.steps swap 5": "income and special patches do not concern each other: reading event-order",
    "actions.buy.steps swap 7": "a lost special patch changes no income",
    "actions.buy.steps swap 8": "income does not depend on who finished",
    "actions.buy.steps swap 9": "who finished does not depend on whose turn it is",
    "actions.advance.steps swap 1": "what an advance pays does not depend on income",
    "actions.advance.steps swap 2": "income and special patches do not concern each other: reading event-order",
    "actions.advance.steps swap 4": "a lost special patch changes no income",
    "actions.advance.steps swap 5": "income does not depend on who finished",
    "actions.advance.steps swap 6": "who finished does not depend on whose turn it is",
    "actions.special.steps swap 0": "taking the patch and sewing it on do not concern each other",
    "actions.special.steps swap 2": "the tile does not depend on patches that are lost",
    "actions.special.steps swap 3": "it would need two special patches waiting, which no move wins on the real time board",
    "rules.setup/special-patches.starts.player.specials": "counted for the properties alone",
    "rules.turn/special-place.does.1 number 0": "counted for the properties alone",
    "rules.turn/special-place.does swap 0": "effects on different fields",
    "rules.turn/buy-place.does swap 0": "effects on different fields",
    "rules.turn/buy-place.does swap 1": "effects on different fields",
    "rules.track/special.does swap 0": "effects on different fields",
}
"""Leaves whose change no observer sees, each with the reason."""


def _numbers(node: Node, path: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...], Scalar]]:
    """Integers and truths, and integers inside expressions: name, path, and the changed scalar."""
    if isinstance(node, Scalar):
        if isinstance(node.value, bool):
            yield ".".join(path), path, Scalar(not node.value, node.pos, node.text_pos)
        elif isinstance(node.value, int):
            yield ".".join(path), path, Scalar(node.value + 1, node.pos, node.text_pos)
        elif isinstance(node.value, str):
            for number, found in enumerate(re.finditer(r"(?<![\w'])\d+", node.value)):
                text = node.value[: found.start()] + str(int(found.group()) + 1) + node.value[found.end() :]
                yield ".".join(path) + (f" number {number}" if path[0] != "constants" else ""), path, Scalar(text, node.pos, node.text_pos)
    elif isinstance(node, Mapping):
        for key, value in node.items:
            if key.value not in WORDS:
                yield from _numbers(value, (*path, str(key.value)))
    else:
        for index, value in enumerate(node.items):
            yield from _numbers(value, (*path, str(index)))


def _orders(node: Node, path: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...], Node]]:
    """Neighbours exchanged in the lists whose order is part of the rules."""
    if isinstance(node, Mapping):
        for key, value in node.items:
            yield from _orders(value, (*path, str(key.value)))
    elif isinstance(node, Sequence) and path[-1] in ("steps", "requires", "does"):
        for i in range(len(node.items) - 1):
            items = list(node.items)
            items[i], items[i + 1] = items[i + 1], items[i]
            yield f"{'.'.join(path)} swap {i}", path, Sequence(tuple(items), node.pos)


def _put(node: Node, path: tuple[str, ...], value: Node) -> Node:
    if not path:
        return value
    if isinstance(node, Mapping):
        inner = node.get(path[0])
        assert inner is not None
        return node.with_(path[0], _put(inner, path[1:], value))
    assert isinstance(node, Sequence)
    items = list(node.items)
    items[int(path[0])] = _put(items[int(path[0])], path[1:], value)
    return Sequence(tuple(items), node.pos)


def _leaves() -> list[Any]:
    tree = pr.load_rulebook().tree
    found = []
    for section in SECTIONS:
        node = tree.get(section)
        assert node is not None
        for name, path, value in [*_numbers(node, (section,)), *_orders(node, (section,))]:
            found.append(pytest.param(name, path, value, id=name))
    return found


@cache
def _machine() -> Machine:
    return pr.from_rulebook(pr.load_rulebook())


Seen = list[Any]


def _watched(engine: pr.Engine, setup: pr.Setup, actions: tuple[pr.Action, ...] | None, policy: str, seed: int) -> tuple[tuple[pr.Action, ...], Seen]:
    """What an observer sees of a game: states, numbers of legal actions, refusal codes of near misses, the end."""
    source, state, played = random.Random(seed), engine.start(setup), []
    seen: Seen = [pr.observed(engine.machine, state, False)]
    probes = [pr.Action("advance"), pr.Action("special", None, (0,)), pr.Action("buy", "I", (0, 1, 9, 10)), pr.Action("buy", "A", (0, 9)), pr.Action("buy", "A", (0, 2))]
    for number in range(200):
        options = engine.backend.options(state.values)
        seen.append(sum(o[3].bit_count() for o in options))
        for probe in probes:
            refusal = engine.explain(state, probe)
            seen.append(refusal.code if refusal is not None else "")
        if actions is None:
            if not options:
                break
            action = engine.action(*POLICIES[policy](engine, state, options, source))
        elif number < len(actions):
            action = actions[number]
        else:
            break
        refusal = engine.explain(state, action)
        if refusal is not None:
            seen.append(refusal.code)
            break
        played.append(action)
        state = engine.apply(state, action)
        seen.append(pr.observed(engine.machine, state, engine.is_over(state)))
    score = engine.score(state)
    seen.append((score.totals, score.winner))
    return tuple(played), seen


@cache
def _games() -> list[tuple[pr.Setup, tuple[pr.Action, ...], Seen]]:
    engine, found = pr.Engine(_machine()), []
    for seed in range(4):
        for policy in ("random", "greedy", "frugal", "square", "jumper", "advance", "hoarder"):
            setup = pr.shuffled(engine.machine, f"{policy} {seed}")
            found.append((setup, *_watched(engine, setup, None, policy, seed)))
    for fixture in read_fixtures():
        if fixture.base == "revised" and not fixture.custom:
            found.append((fixture.setup, *_watched(engine, fixture.setup, fixture.actions, "random", 0)))
    return found


def _tree_with(path: tuple[str, ...], value: Node) -> Mapping:
    tree = _put(pr.load_rulebook().tree, path, value)
    assert isinstance(tree, Mapping)
    return tree


def _differs(machine: Machine) -> bool:
    engine = pr.Engine(machine)
    for setup, actions, seen in _games():
        try:
            if _watched(engine, setup, actions, "random", 0)[1] != seen:
                return True
        except pr.PatchworkRefError:
            return True
    return False


@pytest.mark.parametrize(("name", "path", "value"), _leaves())
def test_every_number_and_order_matters(name: str, path: tuple[str, ...], value: Node) -> None:
    """A number raised by one, or two neighbours exchanged, shows in some game, or stands in the list with its reason."""
    collector = Collector()
    machine = machine_of_tree(_tree_with(path, value), collector, _machine().readings, None)
    if machine is None:
        assert collector.found, "refused without a diagnostic"
        return
    assert machine.digest != _machine().digest
    if name in NO_EFFECT:
        assert not _differs(machine), f"{name} matters after all: take it off the list"
    else:
        assert _differs(machine), f"{name} changes nothing that an observer sees"


def test_the_list_of_exceptions_is_not_stale() -> None:
    """Every name in the list of exceptions is a leaf of the rulebook."""
    known = {parameter.id for parameter in _leaves()}
    assert set(NO_EFFECT) <= known, sorted(set(NO_EFFECT) - known)
