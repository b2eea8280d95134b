"""What a speaker knows: the Machine, the types of the names in scope, and what they and the fields are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from patchwork_ref.diagnostics import Collector
from patchwork_ref.lang import ast as t
from patchwork_ref.lang.check import Checker
from patchwork_ref.lang.types import Type
from patchwork_ref.machine.model import Field, Machine
from patchwork_ref.machine.vocabulary import vocabulary_of
from patchwork_ref.prose.document import Name, Phrase, Text
from patchwork_ref.prose.phrases import field_noun, is_plural, negated, predicate, say, second_person, spaced


def words(text: str) -> Phrase:
    return (Text(text),)


@dataclass(frozen=True)
class Scope:
    """``types`` and ``nouns`` are those of the names in scope."""

    machine: Machine
    checker: Checker
    types: Mapping[str, Type]
    nouns: Mapping[str, str]

    @classmethod
    def of(cls, machine: Machine, types: Mapping[str, Type]) -> Self:
        """With names in scope: ``me`` is you, a player called otherwise is that player, all else goes by its name."""
        checker = Checker(vocabulary_of(machine), {name: d.body for name, d in machine.definitions.items()}, Collector())
        return cls(machine, checker, {}, {}).knowing(types)

    def knowing(self, types: Mapping[str, Type]) -> Self:
        """With more names in scope. A second player, or the same noun again, goes by the letter too."""
        nouns = dict(self.nouns)
        for name, kind in types.items():
            noun = "you" if name == "me" else "that player" if kind == Type.PLAYER else f"the {spaced(name)}"
            if kind == Type.PLAYER and noun in (n for other, n in nouns.items() if other != name):
                noun = f"player {name}"
            nouns[name] = noun
        return replace(self, types={**self.types, **types}, nouns=nouns)

    def type_of(self, node: t.Expr) -> Type | None:
        """The type of an expression here."""
        return self.checker.type_of(node, self.types)

    def shared_field(self, name: str) -> Field:
        """The shared field of that name."""
        return next(f for f in self.machine.shared if f.name == name)

    def player_field(self, name: str) -> Field:
        """The player's field of that name."""
        return next(f for f in self.machine.player if f.name == name)

    def called(self, field: Field) -> Phrase:
        """What a field is called after ``your`` or ``the``."""
        return (Name("field", field.name, field_noun(field)),)

    def many(self, node: t.Expr) -> bool:
        """Whether the noun of a value is a plural: a collection or region called by a plural name."""
        match node:
            case t.Variable(name=name):
                return self.types.get(name) != Type.INTEGER and is_plural(spaced(name))
            case t.Shared(name=name):
                return self.shared_field(name).type != Type.INTEGER and is_plural(field_noun(self.shared_field(name)))
            case t.OfPlayer(name=name):
                return self.player_field(name).type != Type.INTEGER and is_plural(field_noun(self.player_field(name)))
            case t.Use(name=name) if name in self.machine.constants:
                return self.machine.constants[name].type == Type.SPACES and is_plural(spaced(name))
            case _:
                return False

    def held(self, field: Field, player: Phrase, you: bool, holds: bool) -> Phrase:
        """``you hold the special tile``, from the words of the field; or that it holds."""
        said = predicate(field)
        if said is None:
            return say(f"{{}}'s {{}} {'holds' if holds else 'does not hold'}", player, self.called(field))
        verb = negated(said, you) if not holds else second_person(said) if you else said
        return say("{} {}", player, (Name("field", field.name, verb),))
