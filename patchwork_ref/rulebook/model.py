"""A Rulebook: the merged tree of its files, its ambiguities with their readings, and its rulesets."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence as AbstractSequence
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType

from patchwork_ref.errors import ChoiceError
from patchwork_ref.rulebook.edits import EditError, apply_changes
from patchwork_ref.rulebook.tree import Mapping, digest
from patchwork_ref.source import Position

DEFAULT_RULESET = "revised"


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read an ambiguity: a small change of rules. The default changes nothing."""

    ambiguity: str
    name: str
    says: str
    supported_by: tuple[str, ...]
    changes: Mapping
    pos: Position = field(compare=False)


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A question that the sources leave open; ``readings`` in order, the default among them."""

    name: str
    question: str
    default: str
    because: str
    readings: AbstractMapping[str, Reading]
    pos: Position = field(compare=False)


@dataclass(frozen=True, slots=True)
class Combination:
    """Two readings that touch the same entry: the order in which they apply, and what else then changes."""

    first: str  # ambiguity=reading
    then: str
    changes: Mapping
    pos: Position = field(compare=False)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A named choice of readings; ambiguities not named take their default."""

    name: str
    says: str
    readings: AbstractMapping[str, str]
    pos: Position = field(compare=False)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All that the files say. ``tree`` holds the sections of every file under the default readings."""

    tree: Mapping
    ambiguities: AbstractMapping[str, Ambiguity]
    combinations: tuple[Combination, ...]
    rulesets: AbstractMapping[str, Ruleset]
    source: str  # the folder as given

    @property
    def digest(self) -> str:
        """Of the whole content: 16 hexadecimal digits."""
        return digest(self.tree)

    @property
    def rule_digests(self) -> dict[str, str]:
        """For each rule the hash of its entry."""
        rules = self.tree.get("rules")
        return {name: digest(rules.get(name)) for name in rules.keys()} if isinstance(rules, Mapping) else {}  # type: ignore[arg-type]

    def readings(self, ruleset: str | None = None, chosen: AbstractSequence[str] | AbstractMapping[str, str] = ()) -> AbstractMapping[str, str]:
        """The complete choice: a ruleset's readings, then the ``AMBIGUITY=READING`` given, defaults for the rest.

        Raises ChoiceError when a name is unknown.
        """
        name = ruleset if ruleset is not None else (DEFAULT_RULESET if DEFAULT_RULESET in self.rulesets else None)
        if name is not None and name not in self.rulesets:
            raise ChoiceError(f"no ruleset is called {name!r}; there are {', '.join(self.rulesets) or 'none'}")
        result = {a.name: a.default for a in self.ambiguities.values()}
        result.update(self.rulesets[name].readings if name is not None else {})
        pairs = chosen.items() if isinstance(chosen, AbstractMapping) else [_pair(text) for text in chosen]
        for ambiguity, reading in pairs:
            self.reading(ambiguity, reading)
            result[ambiguity] = reading
        return MappingProxyType(result)

    def reading(self, ambiguity: str, reading: str) -> Reading:
        """One reading by its two names. Raises ChoiceError when there is none."""
        if ambiguity not in self.ambiguities:
            raise ChoiceError(f"no ambiguity is called {ambiguity!r}; there are {', '.join(self.ambiguities) or 'none'}")
        known = self.ambiguities[ambiguity].readings
        if reading not in known:
            raise ChoiceError(f"{ambiguity} has no reading {reading!r}; it has {', '.join(known)}")
        return known[reading]

    def resolved(self, readings: AbstractMapping[str, str]) -> Mapping:
        """The tree under a complete choice of readings. Raises EditError when a change cannot be made."""
        chosen = [self.reading(a, r) for a, r in readings.items() if a in self.ambiguities]
        chosen = [r for a in self.ambiguities for r in chosen if r.ambiguity == a and r.changes.items]
        tree = self.tree
        for reading in self._ordered(chosen):
            tree = apply_changes(tree, reading.changes)
        names = {f"{r.ambiguity}={r.name}" for r in chosen}
        for combination in self.combinations:
            if {combination.first, combination.then} <= names:
                tree = apply_changes(tree, combination.changes)
        return tree

    def _ordered(self, chosen: list[Reading]) -> list[Reading]:
        """In the order of the ambiguities, but as ``combinations`` demands where it speaks."""
        order = list(chosen)
        for _ in order:  # at most so many rounds; validate refuses circles
            for combination in self.combinations:
                names = [f"{r.ambiguity}={r.name}" for r in order]
                if combination.first in names and combination.then in names:
                    i, j = names.index(combination.first), names.index(combination.then)
                    if i > j:
                        order.insert(i, order.pop(j))
        return order

    def unsettled(self) -> list[tuple[Reading, Reading]]:
        """Pairs of readings whose result depends on the order in which they apply, or which cannot both apply."""
        settled = {frozenset((c.first, c.then)) for c in self.combinations}
        alternatives = [r for a in self.ambiguities.values() for r in a.readings.values() if r.changes.items]
        found = []
        for a, b in combinations(alternatives, 2):
            apart = a.ambiguity == b.ambiguity or not _touch(a.changes, b.changes)
            if not apart and frozenset((f"{a.ambiguity}={a.name}", f"{b.ambiguity}={b.name}")) not in settled:
                try:
                    if apply_changes(apply_changes(self.tree, a.changes), b.changes) != apply_changes(apply_changes(self.tree, b.changes), a.changes):
                        found.append((a, b))
                except EditError:
                    found.append((a, b))
        return found


def _touch(a: Mapping, b: Mapping) -> bool:
    """Whether two changes concern the same entry, or one an entry inside the other's."""
    return any(p == q or p.startswith(q + ".") or q.startswith(p + ".") for p in a.keys() for q in b.keys())


def _pair(text: str) -> tuple[str, str]:
    ambiguity, sign, reading = text.partition("=")
    if not sign or not ambiguity or not reading:
        raise ChoiceError(f"{text!r} is no choice of a reading; write AMBIGUITY=READING")
    return ambiguity, reading
