"""Words for every effect, as an order: what changes, and into what."""

from __future__ import annotations

from typing import assert_never

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.types import Type
from patchwork_ref.prose.document import Phrase, plain_text
from patchwork_ref.prose.expressions import Speaker
from patchwork_ref.prose.phrases import field_noun, is_plural, say
from patchwork_ref.prose.scope import words


def effect_phrase(speaker: Speaker, effect: t.Effect) -> Phrase:
    """``2 is added to your buttons``: no capital, no full stop."""
    match effect:
        case t.Assign():
            return _becomes(speaker, effect)
        case t.Update():
            return _updated(speaker, effect)
        case t.Transfer():
            amount = speaker.noun(effect.amount)
            comma = "," if ", " in plain_text(amount) else ""
            return say(f"{{}}{comma} goes from {{}} to {{}}", amount, speaker.target(effect.giver), speaker.target(effect.taker))
        case _:
            assert_never(effect)


def _becomes(speaker: Speaker, effect: t.Assign) -> Phrase:
    target, value = effect.target, effect.value
    if isinstance(target, t.OfPlayer) and isinstance(value, t.Truth):
        return say("from now on {}", speaker.held(speaker.player_field(target.name), speaker.tight(target.player), target.player == t.Variable("me"), value.value))
    become = "become" if plural_target(speaker, target) else "becomes"
    return say(f"{{}} {become} {{}}", speaker.target(target), words("empty") if isinstance(value, t.Empty) else speaker.noun(value))


def plural_target(speaker: Speaker, target: t.Target) -> bool:
    """Whether a field is called by a plural where it changes."""
    return is_plural(field_noun(speaker.shared_field(target.name) if isinstance(target, t.Shared) else speaker.player_field(target.name)))


def _updated(speaker: Speaker, effect: t.Update) -> Phrase:
    kind = speaker.type_of(effect.target)
    target, value = speaker.target(effect.target), speaker.noun(effect.value)
    match effect.op:
        case "|=":
            return say(f"{{}} {'become' if speaker.many(effect.value) else 'becomes'} part of {{}}", value, target)
        case "+=":
            return say("{} is added to {}" if kind == Type.INTEGER else "{} is put into {}", value, target)
        case "-=":
            return say("{} is taken off {}" if kind == Type.INTEGER else "{} is taken out of {}", value, target)
        case _:
            assert_never(effect.op)
