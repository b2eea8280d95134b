"""For each declared property a mutant that breaks it, and the shortest known game in which it does.

``python -m tests.mutation.breaking`` searches the games anew and writes them to ``breaches.json``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from patchwork_ref.engine import Engine
from patchwork_ref.engine.properties import PropertyChecker
from patchwork_ref.machine.build import from_rulebook
from patchwork_ref.machine.codec import action_from_json, action_to_json, dumps, loads, setup_to_json
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.setup import Setup
from patchwork_ref.mutation import mutant
from patchwork_ref.mutation.playing import renumbered
from patchwork_ref.rulebook.rulebook import load_rulebook
from patchwork_ref.suite.breaches import Breach, shortest_breach

FILE = Path(__file__).with_name("breaches.json")
BOOK = load_rulebook()

BREAKS = {
    "holds/turn-after": "turn/next~in-turns", "holds/advance-pays": "reading/advance-near-end~not-clamped", "holds/buy-pays": "action/buy~without-all-income",
    "holds/patches-conserved": "turn/buy-token~patch-stays", "holds/score-parts": "end/score~floored-blanks", "holds/nothing-waits": "reading/special-patch-timing~kept",
    "holds/special-at-once": "setup/special-patches~starts-pending-0-to-1", "holds/special-alone": "turn/special-first~dropped",
    "holds/special-waits-ahead": "track/special~to-the-rival-at-once", "holds/specials-ahead": "track/crossed~every-mark-late",
    "holds/rival-untouched": "turn/advance-pay~does-to-me-buttons-of-the-other", "holds/specials-conserved": "turn/special-take~does-dropped",
    "holds/patch-in-one-place": "action/buy~without-turn/buy-token", "holds/cells-of-patches": "setup/special-patches~starts-specials-0-to-1",
    "holds/income-of-patches": "turn/buy-place~income-before-printed", "holds/shape-of-patch": "action/buy~without-turn/buy-place",
    "holds/special-winner-ahead": "action/advance~without-track/special", "holds/lead": "track/move-token~does-min-to-max",
    "holds/buttons-never-negative": "turn/next~the-one-ahead",
    "holds/tokens-never-back": "track/move-token~does-plus-to-minus", "holds/advance-length": "turn/next~the-one-ahead", "holds/game-ends": "track/move-token~does-dropped",
    "holds/mover-behind": "turn/next~the-one-ahead", "holds/advance-gives-turn": "track/move-token~does-dropped", "holds/advance-to-next": "track/move-token~does-dropped",
    "holds/buy-length": "track/move-token~does-dropped", "holds/buttons-conserved": "setup/buttons~starts-buttons-start-buttons-plus-1",
    "holds/specials-counted": "setup/special-patches~starts-pending-0-to-1", "holds/tile-needs-square": "tile/claim~when-filled-dropped",
    "holds/tile-at-most-once": "setup/special-tile~starts-special-tile-false-to-true", "holds/never-stuck": "turn/not-over~negated",
    "holds/first-finisher": "turn/special-first~dropped", "holds/price-in-hand": "turn/buy-afford~dropped", "holds/no-overlap": "turn/buy-no-overlap~dropped",
    "holds/two-incomes-a-move": "track/move-token~does-min-to-max", "holds/one-special-a-move": "track/move-token~does-min-to-max",
    "holds/tokens-on-board": "turn/advance-pay~does-also-space-plus-1", "holds/finisher-kept": "track/finish~when-first-dropped",
    "holds/bought-from-offer": "turn/offer~all-for-first", "holds/both-finished": "end/over~all-to-any", "holds/somebody-wins": "reading/tie~draw",
    "holds/score-buttons": "end/score-buttons~buttons-to-income", "holds/score-tile": "end/score-tile~always-then", "holds/score-blanks": "end/score-blanks~times-to-plus",
    "holds/winner-has-more": "definition/level~eq-to-ne", "holds/tile-never-missed": "action/buy~without-tile/claim", "holds/tile-kept": "tile/claim~lost-again",
    "holds/tie-to-first": "end/winner~always-else", "holds/special-has-room": "track/special-lost~never",
    "holds/special-is-free": "turn/special-place~does-also-buttons-plus-1", "holds/special-takes-no-time": "turn/special-place~does-also-space-plus-1",
    "holds/quilt-on-board": "constant/quilt-cells~minus-1", "holds/advance-sews-nothing": "turn/advance-pay~does-also-circle-turned",
    "holds/specials-printed": "setup/special-patches~starts-special-spaces-special-spaces-printed-to-income-spaces",
}
"""The property and the mutant."""


@cache
def own() -> Machine:
    return from_rulebook(BOOK)


def seated(breach: Breach) -> tuple[Engine, PropertyChecker]:
    """The mutant under the game's numbers, and what watches it."""
    machine = renumbered(mutant(BOOK, BREAKS[breach.declared]).machine, own(), breach.numbers)
    return Engine(machine), PropertyChecker(machine)


def stored() -> dict[str, Breach]:
    found = {}
    for declared, entry in loads(FILE.read_text(encoding="utf-8"), FILE.name).items():
        laid = dict(entry["setup"])
        setup = Setup(tuple(laid.pop("circle")), laid.pop("neutral_token", None), laid.pop("first_player"))
        found[declared] = Breach(declared, setup, tuple(action_from_json(a) for a in entry["actions"]), laid)
    return found


def searched(declared: str) -> Breach:
    found = shortest_breach(own(), mutant(BOOK, BREAKS[declared]).machine, declared)
    assert found is not None, declared
    return found


def main() -> None:
    lines = []
    for declared in own().properties:
        found = searched(declared)
        lines.append(f"{dumps(declared)}:{dumps({'setup': setup_to_json(found.setup, found.numbers), 'actions': [action_to_json(a) for a in found.actions]})}")
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
