"""How many actions must a game have at least before two readings can be told apart?

Each bound is the optimum of an easier game, worked out from the Machines' own numbers: nothing is typed. *Exhausted* means
that every schedule on the time board (``bare``) was looked at; *argued*, that patches, cells and spaces were counted first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from patchwork_ref.ambiguity.bare import NEVER, Goal, Move, Penniless, Track, ending, parting
from patchwork_ref.ambiguity.blocking import fewest_blockers
from patchwork_ref.machine.model import Machine
from patchwork_ref.machine.state import Values
from patchwork_ref.playfacts.bounds import Numbers, fewest_in_time, fewest_patches, least_if_lost
from patchwork_ref.playfacts.early import earliest_tile
from patchwork_ref.playfacts.paying import paying

KEPT = 3
"""Tables of distances that are kept, some hundred thousand numbers each."""
_guides: dict[tuple[object, ...], Penniless] = {}
SMALL = 4
"""Games so short are looked at with their money too."""


@dataclass(frozen=True, slots=True)
class Bound:
    """No game of fewer actions tells the two apart. ``how`` is exhausted or argued."""

    least: int
    how: str
    says: str


def bound(ambiguity: str, readings: tuple[str, str], a: Machine, b: Machine) -> Bound:
    """A lower bound for a pair of readings, given its two Machines; 0 where the set-up itself may differ."""
    found = QUESTIONS.get((ambiguity, readings)) or QUESTIONS.get((ambiguity, None))
    return found(a, b) if found is not None else Bound(0, "exhausted", "the set-up itself, or what is legal in it, differs")


def on_the_track(a: Machine, b: Machine, goal: Goal = parting) -> Bound:
    """All schedules on the time board; and those games beside, in which a special patch is lost on a full quilt."""
    least = guide(a, b, goal).least()
    if least <= SMALL and goal is parting:
        return Bound(with_money(a, b), "exhausted", "every schedule of fewer actions was tried, money counted")
    return _or_with_a_full_quilt(a, b, goal, least)


def _or_with_a_full_quilt(a: Machine, b: Machine, goal: Goal, least: int) -> Bound:
    if goal in LOSING:
        full = LOSING[goal](a)
        if full >= least:
            lost = f"a quilt so full that some are lost takes {full} or more, by purchases and moves"
            return Bound(least, "argued", f"with all special patches sewn on, {least} are needed by exhaustion; {lost}")
    full = _with_a_full_quilt(a, b, goal, least)
    if full >= least:
        return Bound(least, "exhausted", "every schedule of fewer actions on the time board was tried, patches of the longest times counted")
    return Bound(full, "argued", f"with all special patches sewn on, {least} are needed by exhaustion; {full} if a quilt is full so early that some are lost")


def arrival(a: Machine, b: Machine) -> Bound:
    """A token reaches the last space."""
    return _or_with_a_full_quilt(a, a, arriving, guide(a, a, arriving).least())


def beyond(a: Machine, b: Machine) -> Bound:
    """An advance while the rival stands on the last space. It brings the second token there, so that a quilt that is full before
    it takes as many moves as to the end of the game, and the special patches sewn on before the first one that is lost are so by then."""
    return _or_with_a_full_quilt(a, b, _advancing, guide(a, a, _advancing).least())


def guide(a: Machine, b: Machine, goal: Goal = parting) -> Penniless:
    """The distances of a pair on the time board, kept: they take up to half a minute. Which tie is whose does not matter to the end."""
    key = (a.digest, b.digest if goal is parting else None, goal)
    if key not in _guides:
        if len(_guides) > KEPT:
            _guides.clear()
        _guides[key] = Penniless(Track(a, b), goal)
    return _guides[key]


def with_money(a: Machine, b: Machine) -> int:
    """The least number of actions that parts the two, by breadth first search on the time board with money."""
    track = Track(a, b)
    level = {track.start(0), track.start(1)}
    for number in range(1, SMALL + 1):
        reached: set[Values] = set()
        for state in level:
            for move in track.moves(state):
                after = track.after(state, move)
                if parting(track, state, move, after):
                    return number
                reached.add(after)
        level = reached
    return SMALL + 1


def square(a: Machine, b: Machine) -> Bound:
    """One player fills a square, by a purchase or a special patch."""
    return _filling(a, lambda track, before, move, after: before[track.turn] == 0 and move[0] in track.buys | track.placing)


def by_special(a: Machine, b: Machine) -> Bound:
    """A special patch fills a square."""
    return _filling(a, _special)


def while_waiting(a: Machine, b: Machine) -> Bound:
    """A square is filled, and a special patch waits then."""
    return _filling(a, _waiting)


def by_special_or_waiting(a: Machine, b: Machine) -> Bound:
    return min(by_special(a, b), while_waiting(a, b), key=lambda found: found.least)


def two_squares(a: Machine, b: Machine) -> Bound:
    """Both players fill a square: so many cells must be sewn on, and a special patch is an action for one cell."""
    least = fewest_patches(Numbers(a), 2 * _number(a, "tile_side") ** 2)
    return Bound(least, "argued", "the largest patches cover two squares with so many purchases")


def full_quilt(a: Machine, b: Machine) -> Bound:
    """A special patch is reached with a full quilt."""
    asked: dict[int, int] = {}  # the earliest space for each number of patches
    for taken, mark in enumerate(_specials(a)):
        asked.setdefault(_in_time(a, a.board.cells - taken, mark), mark)
    track = Track(a)
    return Bound(min(Penniless(track, _reaches(mark), 1).least((patches, 0)) for patches, mark in asked.items() if patches < NEVER), "argued",
                 "so many patches, by cells and times, fill a quilt before a special patch is reached, and the rival has to keep up")


def short_offer(a: Machine, b: Machine) -> Bound:
    """Two patches are left, or as many as are one too few. The others took so many spaces that special patches were passed.

    Those that are passed before a quilt can be full are sewn on, an action each. Of the others the purchase that fills the
    quilt may pass one, and each later advance of its owner, who buys no more, as many as lie in its length.
    """
    times, marks = sorted(p.numbers["time"] for p in a.regular), _specials(a)
    sold = len(times) - _number(a, "offer_size") + 1
    reached = -(-sum(times[:sold]) // 2)  # by the token that is ahead; one that was stopped on the last space has passed them all
    passed = [mark for mark in marks if mark < reached]
    sewn = sum(_in_time(a, a.board.cells - taken, mark) >= NEVER for taken, mark in enumerate(passed))
    longest = max(times) + 1
    at_once = max(sum(first <= mark < first + longest for mark in marks) for first in marks)
    least = sold + sewn + -(-max(0, len(passed) - sewn - 1) // at_once)
    return Bound(least, "argued", f"{sold} purchases; they take {sum(times[:sold])} spaces or more, which pass {len(passed)} special patches")


def blocked(a: Machine, b: Machine) -> Bound:
    """A patch has no placement: so many patches must lie on the quilt of the player to move."""
    fewest = fewest_blockers(a)
    guide = Penniless(Track(a), lambda track, before, move, after: after[track.turn] == 0, 1)
    return Bound(guide.least((fewest, 0)), "argued", f"no {fewest - 1} patches leave another one without a placement, and the rival has to move in between")


def short_supply(a: Machine, b: Machine) -> Bound:
    """A payment is larger than the supply. Both players together earn at each button space at most the income of all patches
    bought, and a button for each space of an advance, which is at most one longer than the longest patch."""
    start, total = _number(a, "start_buttons"), _number(a, "button_total")
    longest = max(p.numbers["time"] for p in a.regular) + 1
    incomes = sorted((p.numbers["income"] for p in a.regular), reverse=True)
    marks = _spaces(a, "income_spaces")
    reached = [Penniless(Track(a), partial(_at, mark), 1).least() for mark in marks]
    number = 0
    while True:
        number += 1
        passed = sum(first <= number for first in reached)
        most = max(longest * (number - bought) + passed * sum(incomes[:bought]) for bought in range(number + 1))
        if 2 * start + most > total:
            return Bound(number, "argued", f"{number - 1} actions cannot bring {total} buttons into play, whatever is bought")


def _in_time(machine: Machine, cells: int, mark: int) -> int:
    """How many patches have so many cells, if all but the last one are bought before the token passes the space; it may stand there
    before it does, where a mark is resolved when it is left."""
    way = paying(machine)
    return fewest_in_time(Numbers(machine), cells, mark + (way is None or way.past))


def _filling(machine: Machine, goal: Goal) -> Bound:
    """One player (0) fills a square; some of its cells may be special patches, which have to be won."""
    area, specials = _number(machine, "tile_side") ** 2, _specials(machine)
    asked: dict[int, int] = {}
    for taken in range(len(specials) + 1):
        asked.setdefault(fewest_patches(Numbers(machine), area - taken), taken)
    track = Track(machine)
    held = len(specials)
    least = NEVER
    for patches, taken in asked.items():
        def reached(track: Track, before: Values, move: Move, after: Values, taken: int = taken) -> bool:
            return held - track.get(after, "special_spaces").bit_count() >= taken and goal(track, before, move, after)
        least = min(least, Penniless(track, reached, 1).least((patches, 0)))
    known = earliest_tile(machine)
    if known >= least:
        return Bound(known, "argued", "no patches that could be had in fewer actions fill a square: there is a certificate for each set of them that is large enough")
    return Bound(least, "argued", f"{min(asked)} to {max(asked)} patches, by their cells, are needed with or without special patches, and the rival has to keep up")


def _with_a_full_quilt(a: Machine, b: Machine, goal: Goal, enough: int) -> int:
    """The least number of actions of a game in which a special patch is lost; at most ``enough``. One player has filled a quilt
    before the special patch; those before it were sewn on."""
    track, found = Track(a, b, specials=False), enough
    asked: dict[int, int] = {}
    for taken, mark in enumerate(_specials(a)):
        patches = _in_time(a, a.board.cells - taken, mark)
        if patches + taken < found and patches not in asked.values():
            asked[taken] = patches
    if asked:
        guide = Penniless(track, goal, 1)
        for taken, patches in asked.items():
            found = min(found, taken + min(guide.least((patches, 0)), guide.least((0, patches))))
    return found


def _reaches(mark: int) -> Goal:
    return lambda track, before, move, after: before[track.turn] == 0 and bool((track.get(before, "special_spaces") & ~track.get(after, "special_spaces")) >> mark & 1)


def _at(mark: int, track: Track, before: Values, move: Move, after: Values) -> bool:
    return max(track.get(after, "space", who) for who in (0, 1)) >= mark


def _special(track: Track, before: Values, move: Move, after: Values) -> bool:
    return before[track.turn] == 0 and move[0] in track.placing


def _waiting(track: Track, before: Values, move: Move, after: Values) -> bool:
    return before[track.turn] == 0 and move[0] in track.buys | track.placing and track.get(after, "pending", 0) > 0


def _number(machine: Machine, name: str) -> int:
    value = machine.constants[name].value
    assert isinstance(value, int)
    return int(value)


def _spaces(machine: Machine, name: str) -> list[int]:
    value = machine.constants[name].value
    assert isinstance(value, tuple)
    return sorted(int(space) for space in value)


def _specials(machine: Machine) -> list[int]:
    return _spaces(machine, "special_spaces_printed")


def arriving(track: Track, before: Values, move: Move, after: Values) -> bool:
    last = track.plain.machine.constants["last_space"].value
    return any(track.get(after, "space", who) == last for who in (0, 1))


def _advancing(track: Track, before: Values, move: Move, after: Values) -> bool:
    last = track.plain.machine.constants["last_space"].value
    return track.machine.actions[move[0]].type == "advance" and track.get(before, "space", 1 - before[track.turn]) == last  # type: ignore[operator]


LOSING: Mapping[Goal, Callable[[Machine], int]] = {ending: least_if_lost, _advancing: least_if_lost, arriving: partial(least_if_lost, arriving=True)}
"""What a game takes at least until then in which a special patch is lost."""


def _ends(a: Machine, b: Machine) -> Bound:
    return on_the_track(a, b, ending)


Question = Callable[[Machine, Machine], Bound]
QUESTIONS: Mapping[tuple[str, tuple[str, str] | None], Question] = {
    **{(name, None): on_the_track for name in ("purchase-order", "marker-trigger", "shared-space", "special-patch-timing")},
    ("final-income", None): arrival, ("advance-near-end", None): beyond,
    ("tie", None): _ends, ("negative-score", None): _ends,
    ("special-tile", None): square, ("special-tile", ("first-player", "each-player")): two_squares, ("tile-value", None): square,
    ("tile-check", ("each-placement", "purchases-only")): by_special, ("tile-check", ("each-placement", "end-of-turn")): while_waiting,
    ("tile-check", ("purchases-only", "end-of-turn")): by_special_or_waiting,
    ("full-quilt-special", None): full_quilt, ("short-offer", None): short_offer, ("unplaceable-patch", None): blocked, ("supply", None): short_supply,
}
"""What has to happen before the readings of an ambiguity (or of one pair) can part; for the others the set-up may tell."""
