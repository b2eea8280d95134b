"""Shorter games that end like a given one: searched breadth first on the reference, with the circle left open.

Every patch can be bought at any time (the circle is laid afterwards), each is sewn on in the first place where it fits,
and of patches with the same numbers one stands for all. The levels of the search are cut to a width, so that it may be
asked again with a larger one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from patchwork_ref.conformance.course import Course
from patchwork_ref.conformance.games import Game, moved_to_corner
from patchwork_ref.conformance.traits import Choice, Traits, agreement, likeness, refusal_traits, state_traits, step_traits
from patchwork_ref.engine.compile import RawFiring
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.tables import Table
from patchwork_ref.engine.tables import table as table_of
from patchwork_ref.errors import PatchworkRefError
from patchwork_ref.lang.types import Type
from patchwork_ref.machine.play import Action
from patchwork_ref.machine.setup import Setup
from patchwork_ref.machine.state import State, Values
from patchwork_ref.polyomino import bits, cells_of, mask_of
from patchwork_ref.suite.cases import resolved

TRIED = 14
"""So many likely games of one length are offered, of different agreements first."""
OFFERED = 4
PROMISING = 4
"""An agreement that did not show the failure in so many games is not tried again."""


Likely = tuple[int, tuple[str, ...], "Node", "Action | str | int | None", "Action | None"]
"""How alike, what is shared, and the game: up to a moment, with its last question and a last action."""


EARLY, SOON = 8, 6
"""The first ``SOON`` levels may be so many times as wide: most failures show early, if at all."""


@dataclass(slots=True)
class Node:
    """A moment of a game that is searched, with the way to it."""

    values: Values
    left: tuple[int, ...]  # the patches that nobody has bought; in the values themselves only some of them are kept
    parent: Node | None = None
    action: Action | None = None

    def actions(self) -> tuple[Action, ...]:
        found, node = [], self
        while node.parent is not None:
            assert node.action is not None
            found.append(node.action)
            node = node.parent
        return tuple(reversed(found))


class Target:
    """What is looked for: the traits of the last step of a game, or of its last moment."""

    def __init__(self, engine: Engine, game: Game) -> None:
        self.engine, self.game = engine, game
        states = [engine.start(game.setup)]
        for action in game.actions:
            states.append(engine.apply(states[-1], action))
        self.scored = game.last is None and engine.is_over(states[-1])
        self.action: Action | None = None
        self.traits: Traits
        if isinstance(game.last, Action):
            self.action, self.before = game.last, states[-1]
            self.traits = self.refused(self.before.values, game.last) or {}
        elif game.last is not None or not game.actions:
            self.before = states[-1]
            self.traits = state_traits(engine, self.before.values)
        else:
            self.action, self.before = game.actions[-1], states[-2]
            self.traits = self._stepped()

    def _stepped(self) -> Traits:
        assert self.action is not None
        choice = resolved(self.engine, self.before, self.action)
        assert choice is not None
        after, raw = self.engine.backend.record(choice[0], self.before.values, choice[1], choice[2])
        return step_traits(self.engine, self.before.values, Choice(*choice), after, raw)

    def refused(self, values: Values, action: Action) -> Traits | None:
        """The traits of the refusal of an action; None when it is legal."""
        state = State(values, self.engine.layout)
        refusal = self.engine.explain(state, action)
        if refusal is None:
            return None
        choice = resolved(self.engine, state, action) or (-1, None, None)
        return refusal_traits(self.engine, values, Choice(*choice), refusal.rule)


class Search:
    """Looks for games shorter than one; keeps what it learnt about agreements that promise nothing.

    ``rule`` must take effect where it did; ``plays`` is what the engine seems to play: where that and the reference do
    the same there is nothing to ask.
    """

    def __init__(self, engine: Engine, game: Game, scored: bool, failed: dict[tuple[str, ...], int], rule: str, plays: Engine | None) -> None:
        self.engine, self.game, self.scored, self.failed = engine, game, scored, failed
        self.target = Target(engine, game)
        self.rule = rule if rule in self.target.traits.get("fired", ()) else None
        self.plays = plays if plays is not None and plays.layout == engine.layout else None
        if scored:
            self.target.traits = state_traits(engine, self._last(game))
        self.complete = False
        self._listed: dict[int, tuple[int, ...]] = {}

    def _last(self, game: Game) -> Values:
        state = self.engine.start(game.setup)
        for action in game.actions:
            state = self.engine.apply(state, action)
        return state.values

    def games(self, shorter_than: int, width: int, deadline: float) -> Iterator[tuple[Game, tuple[str, ...]]]:
        """Likely games with fewer actions, the shortest first, each with its agreement (to be told to ``missed``)."""
        setup = Setup(self.game.setup.circle, 0, self.game.setup.first_player)
        start = self.engine.start(setup)
        level = [Node(start.values, start.circle())]
        seen = {self.key(level[0].values)}
        self.complete = True
        isolated = isinstance(self.game.last, Action)
        for depth in range(shorter_than - isolated):
            likely: list[Likely] = []
            following: list[Node] = []
            for node in level:
                if time.monotonic() > deadline:
                    self.complete = False
                    return
                self._questions(node, likely)
                if depth + 1 < shorter_than:
                    self._expand(node, following, seen, likely)
            yield from self._chosen(likely)
            room = width * (EARLY if depth < SOON else 1)
            if len(following) > room:
                self.complete = False
                following = self._kept(following, room)
            level = following

    def missed(self, shared: tuple[str, ...]) -> None:
        """A game with this agreement did not show the failure."""
        self.failed[shared] = self.failed.get(shared, 0) + 1

    def _chosen(self, likely: list[Likely]) -> Iterator[tuple[Game, tuple[str, ...]]]:
        likely.sort(key=lambda entry: -entry[0])
        used: dict[tuple[str, ...], int] = {}
        given = 0
        for _, shared, node, last, action in likely:
            if self.failed.get(shared, 0) >= PROMISING or used.get(shared, 0) >= 2:
                continue
            used[shared] = used.get(shared, 0) + 1
            given += 1
            yield self._game(node, last, action), shared
            if given >= TRIED:
                return

    def _note(self, likely: list[Likely], traits: Traits, node: Node, last: Action | str | int | None, action: Action | None = None) -> None:
        like = likeness(self.target.traits, traits)
        if like and self.failed.get(shared := agreement(self.target.traits, traits), 0) < PROMISING:
            likely.append((like, shared, node, last, action))

    def _questions(self, node: Node, likely: list[Likely]) -> None:
        """The failure's own question asked here."""
        last = self.game.last
        if isinstance(last, Action):
            for asked in {last, moved_to_corner(self.engine, last)}:
                values = self._offering(node, asked)
                traits = self.target.refused(values, asked)
                if traits is not None and traits["fired"] == self.target.traits["fired"]:
                    self._note(likely, traits, node, asked)
        elif last is not None or (self.scored and self._scores_apart(node.values)):
            self._note(likely, state_traits(self.engine, node.values), node, last)

    def _offering(self, node: Node, action: Action) -> Values:
        number = self.engine.machine.number(action.patch or "")
        return self._with_circle(node.values, self._offer(number, node.left) if number in node.left else node.left)

    @staticmethod
    def _offer(patch: int | None, left: tuple[int, ...]) -> tuple[int, ...]:
        """The patch with some others behind it, as many as any offer shows."""
        assert patch is not None
        return (patch, *[p for p in left[:OFFERED] if p != patch])

    def _with_circle(self, values: Values, circle: tuple[int, ...]) -> Values:
        return (*values[: self._circle], circle, *values[self._circle + 1 :])

    def _game(self, node: Node, last: Action | str | int | None, extra: Action | None) -> Game:
        actions = (*node.actions(), extra) if extra is not None else node.actions()
        bought = [a.patch for a in actions if a.patch is not None]
        wanted = [last.patch] if isinstance(last, Action) and last.patch in self.game.setup.circle and last.patch not in bought else []
        circle = dict.fromkeys([*bought, *wanted, *self.game.setup.circle])
        return Game(Setup(tuple(p for p in circle if p is not None), 0, self.game.setup.first_player), actions, last)

    def _expand(self, node: Node, following: list[Node], seen: set[Values], likely: list[Likely]) -> None:
        engine, backend = self.engine, self.engine.backend
        steps = self.game.last is None and not self.scored
        form_wanted = self.target.traits.get("form")
        for values, choice, action in self._choices(node):
            after, raw = backend.record(choice.form, values, choice.patch, choice.cells)
            if steps and choice.form == form_wanted and self._apart(values, choice, after, raw):
                self._note(likely, step_traits(engine, values, choice, after, raw), node, None, action)
            key = self.key(after)
            if key not in seen:
                seen.add(key)
                left = node.left if choice.patch is None else tuple([p for p in node.left if p != choice.patch])
                following.append(Node(after, left, node, action))

    def _apart(self, values: Values, choice: Choice, after: Values, raw: list[RawFiring]) -> bool:
        """Whether a step may show the failure, by all that is known of it."""
        if self.rule is not None and all(rule != self.rule for rule, _ in raw):
            return False
        if self.plays is None:
            return True
        try:
            backend = self.plays.backend
            return backend.check(choice.form, values, choice.patch, choice.cells) is not None \
                or backend.run(choice.form, values, choice.patch, choice.cells) != after or backend.over(after) != self.engine.backend.over(after)
        except (PatchworkRefError, ArithmeticError, LookupError, TypeError, ValueError):
            return True

    def _scores_apart(self, values: Values) -> bool:
        if self.plays is None or not self.engine.backend.over(values):
            return True
        backend, own = self.plays.backend, self.engine.backend
        return backend.totals(values) != own.totals(values) or backend.winner(values) != own.winner(values)

    def _choices(self, node: Node) -> Iterator[tuple[Values, Choice, Action]]:
        values = node.values
        backend, quilt = self.engine.backend, values[self._quilt(values)]
        assert isinstance(quilt, int)
        for number, form in enumerate(self.engine.machine.actions):
            names = [name for name, _ in form.choices]
            if names == []:
                if backend.check(number, values, None, None) is None:
                    yield values, Choice(number, None, None), Action(form.type)
            elif "patch" in names:
                known: set[tuple[int, ...]] = set()
                for patch in node.left:
                    kind = self._kinds[patch]
                    wanted = self.target.action is not None and self.engine.machine.patches[patch].name == self.target.action.patch
                    if kind in known and not wanted:
                        continue
                    known.add(kind)
                    cells = self._place(patch, quilt, wanted) if "cells" in names else None
                    if "cells" in names and cells is None:
                        continue
                    offered = self._with_circle(values, self._offer(patch, node.left))
                    if backend.check(number, offered, patch, cells) is None:
                        listed = self._cells(cells) if cells is not None else ()
                        yield offered, Choice(number, patch, cells), Action(form.type, self.engine.machine.patches[patch].name, listed)
            else:
                for cell in bits(self.engine.machine.board.full & ~quilt):
                    if backend.check(number, values, None, 1 << cell) is None:
                        yield values, Choice(number, None, 1 << cell), Action(form.type, None, (cell,))
                    break

    def _place(self, patch: int, quilt: int, wanted: bool) -> int | None:
        """The first place where it fits; the failing action's patch in that action's own orientation if that fits."""
        if wanted and self.target.action is not None and self.target.action.cells:
            moved = mask_of(moved_to_corner(self.engine, self.target.action).cells or ())
            if moved in self._tables[patch].index:
                for mask in (moved, mask_of(self.target.action.cells)):
                    if not mask & quilt:
                        return mask
        free = self._tables[patch].free(quilt)
        return self._tables[patch].masks[(free & -free).bit_length() - 1] if free else None

    def _cells(self, mask: int) -> tuple[int, ...]:
        if mask not in self._listed:
            self._listed[mask] = cells_of(mask)
        return self._listed[mask]

    @cached_property
    def _tables(self) -> list[Table]:
        flips = self.engine.machine.constants.get("flips")
        return [table_of(p.shape, self.engine.machine.board, bool(flips.value) if flips is not None else True) for p in self.engine.machine.patches]

    @cached_property
    def _kinds(self) -> list[tuple[int, ...]]:
        return [(*p.numbers.values(), len(p.shape)) for p in self.engine.machine.patches]

    @cached_property
    def _circle(self) -> int:
        return self.engine.layout.places["circle", None]

    def _quilt(self, values: Values) -> int:
        who = values[self.engine.layout.places["turn", None]]
        assert isinstance(who, int)
        return self.engine.layout.places["quilt", who]

    @cached_property
    def _counted(self) -> list[tuple[int, bool]]:
        """Which values make a moment its own: not which patches are left or where they lie, but how much is covered."""
        types: dict[tuple[str, int | None], Type] = {(f.name, None): f.type for f in self.engine.machine.shared}
        types |= {(f.name, who): f.type for f in self.engine.machine.player for who in (0, 1)}
        found = []
        for at, name in enumerate(self.engine.layout.names):
            if types[name] not in (Type.PATCHES, Type.CIRCLE) and name[0] != "supply":
                found.append((at, types[name] == Type.REGION))
        return found

    def key(self, values: Values) -> Values:
        """Equal for moments that may stand for one another."""
        return tuple(values[at].bit_count() if region else values[at] for at, region in self._counted)  # type: ignore[union-attr]

    def _kept(self, nodes: list[Node], width: int) -> list[Node]:
        """Those nearest to the target, with some of every kind."""
        places = self.engine.layout.places
        at = [places[name, who] for who in (0, 1) for name in ("space", "income", "buttons")]
        wanted = self.target.before.values if not self.scored else self._last(self.game)
        goal = [wanted[at[0]], wanted[at[3]]]
        kinds: dict[tuple[object, ...], int] = {}
        ranked = []
        for node in nodes:
            v = [node.values[i] for i in at]
            apart = sum(max(0, g - s) if isinstance(g, int) and isinstance(s, int) else 0 for g, s in zip(goal, (v[0], v[3]), strict=True))
            rich = sum(n for n in (v[2], v[5]) if isinstance(n, int))
            ranked.append((apart, -rich, node, (v[0], v[3], bool(v[1]), bool(v[4]))))
        ranked.sort(key=lambda entry: entry[:2])
        kept = []
        for apart, poor, node, kind in ranked:
            kinds[kind] = kinds.get(kind, 0) + 1
            kept.append((kinds[kind] * 2 + apart, poor, node))
        kept.sort(key=lambda entry: entry[:2])
        return [node for _, _, node in kept[:width]]


def stored(engine: Engine, target: Traits, courses: list[Course], shorter_than: int, scored: bool) -> list[Game]:
    """Beginnings of known games whose last step is like the target, the likeliest of the shortest first."""
    found: list[tuple[int, int, Game]] = []
    for course in courses:
        if course.engine.machine is not engine.machine or course.setup.neutral_token is None:
            continue
        state = course.start
        if scored:
            if course.over and len(course.actions) < shorter_than and (like := likeness(target, state_traits(engine, course.state(len(course.actions)).values))):
                found.append((len(course.actions), -like, Game(course.setup, course.actions)))
            continue
        for number, action in enumerate(course.actions[: shorter_than - 1], 1):
            choice = resolved(engine, state, action)
            assert choice is not None
            after, raw = engine.backend.record(choice[0], state.values, choice[1], choice[2])
            like = likeness(target, step_traits(engine, state.values, Choice(*choice), after, raw))
            if like > 12:
                found.append((number, -like, Game(course.setup, course.actions[:number])))
            state = State(after, engine.layout)
    found.sort(key=lambda entry: entry[:2])
    return [game for _, _, game in found]
