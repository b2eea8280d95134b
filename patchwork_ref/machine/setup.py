"""Set-ups: what the table decides, and the protocol's ``setup`` object."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from patchwork_ref.errors import SetupError
from patchwork_ref.lang.types import Type
from patchwork_ref.machine.build_parts import NUMBERS, folded
from patchwork_ref.machine.model import Constant, Machine, Patch, Value
from patchwork_ref.polyomino import PictureError, shape_from_picture


@dataclass(frozen=True, slots=True)
class Setup:
    """The circle clockwise as laid out (patch ids), where the token stands (None: by the rules), who moves first."""

    circle: tuple[str, ...]
    neutral_token: int | None = None
    first_player: int = 0


def shuffled(machine: Machine, seed: int | str, first_player: int | None = None) -> Setup:
    """A set-up at random, the same for the same seed: the circle, and the first player unless given."""
    source = random.Random(f"setup {seed}")
    ids = [p.name for p in machine.regular]
    source.shuffle(ids)
    first = source.randrange(2)
    return Setup(tuple(ids), None, first if first_player is None else first_player)


def setup_message(machine: Machine, setup: Setup, ruleset: str | None = None) -> dict[str, object]:
    """The protocol's ``setup`` object; without ``neutral_token`` when the set-up leaves it to the rules."""
    message: dict[str, object] = {
        "ruleset": ruleset or machine.ruleset or "custom",
        "readings": dict(machine.readings),
        "patches": {p.name: {"shape": list(p.picture), **p.numbers} for p in machine.regular},
        "circle": list(setup.circle),
        "first_player": setup.first_player,
    }
    if setup.neutral_token is not None:
        message["neutral_token"] = setup.neutral_token
    for constant in machine.constants.values():
        if constant.sends is not None:
            value = list(constant.value) if isinstance(constant.value, tuple) else constant.value
            owner, dot, name = constant.sends.rpartition(".")
            if dot:
                message.setdefault(owner, {})[name] = value  # type: ignore[index]
            else:
                message[name] = value
    return message


def setup_from_message(machine: Machine, message: Mapping[str, object]) -> tuple[Machine, Setup]:
    """The Machine with the message's numbers, and the Setup. Raises SetupError with one line about the first defect.

    Numbers that the message leaves out are the Machine's own; ``readings`` is information and not looked at here.
    """
    if not isinstance(message, Mapping):
        raise SetupError("the set-up is not an object")
    changed = customised(machine, message)
    circle = message.get("circle")
    if not isinstance(circle, (list, tuple)) or not circle or not all(isinstance(p, str) for p in circle):
        raise SetupError("setup.circle is not a list of patch ids; give the patches clockwise")
    known = {p.name for p in changed.regular}
    for patch in circle:
        if patch not in known:
            raise SetupError(f"setup.circle names {patch!r}, which setup.patches does not hold")
    if len(set(circle)) != len(circle):
        raise SetupError("setup.circle names a patch twice; each stands in the circle once")
    token, first = message.get("neutral_token"), message.get("first_player", 0)
    if token is not None and (not isinstance(token, int) or isinstance(token, bool) or not 0 <= token < len(circle)):
        raise SetupError(f"setup.neutral_token is {token!r}; give an index into the circle, 0 to {len(circle) - 1}")
    if first not in (0, 1) or isinstance(first, bool):
        raise SetupError(f"setup.first_player is {first!r}; give 0 or 1")
    return changed, Setup(tuple(circle), token, int(first))


def customised(machine: Machine, message: Mapping[str, object]) -> Machine:
    """The Machine with the numbers that a set-up message gives. Raises SetupError."""
    constants: dict[str, Constant] = {}
    for name, constant in machine.constants.items():
        value = constant.value
        if constant.sends is not None and (sent := _sent(message, constant.sends)) is not None:
            value = _checked(constant, sent)
        elif constant.expr is not None:
            value = folded(constant.expr, constants)
        constants[name] = replace(constant, value=value) if value != constant.value else constant
    _check_spaces(constants)
    patches = _patches(machine, message.get("patches"))
    if patches == machine.patches and constants == dict(machine.constants):
        return machine
    key = repr([(p.name, p.shape, sorted(p.numbers.items())) for p in patches]) + repr(sorted((n, c.value) for n, c in constants.items()))
    digest = hashlib.sha256(f"{machine.digest} {key}".encode()).hexdigest()[:16]
    return replace(machine, constants=MappingProxyType(constants), patches=patches, digest=digest, custom=True)


def _sent(message: Mapping[str, object], path: str) -> object:
    node: object = message
    for part in path.split("."):
        node = node.get(part) if isinstance(node, Mapping) else None
    return node


def _checked(constant: Constant, sent: object) -> Value:
    if constant.type == Type.SPACES:
        if not isinstance(sent, (list, tuple)) or not all(isinstance(s, int) and not isinstance(s, bool) for s in sent) or len(set(sent)) != len(sent):
            raise SetupError(f"setup.{constant.sends} is not a list of different spaces")
        return tuple(sorted(sent))
    if not isinstance(sent, int) or isinstance(sent, bool) or not 0 <= sent <= 10_000:
        raise SetupError(f"setup.{constant.sends} is {sent!r}; give an integer from 0 to 10000")
    return sent


def _check_spaces(constants: Mapping[str, Constant]) -> None:
    last = constants["last_space"].value if "last_space" in constants else None
    for constant in constants.values():
        if constant.type == Type.SPACES and isinstance(last, int) and isinstance(constant.value, tuple):
            for space in constant.value:
                if isinstance(space, int) and not 0 <= space <= last:
                    raise SetupError(f"setup.{constant.sends} names space {space}; the time board ends at {last}")


def _patches(machine: Machine, given: object) -> tuple[Patch, ...]:
    """The message's patches in place of the regular ones; an unchanged one keeps its number."""
    if given is None:
        return machine.patches
    if not isinstance(given, Mapping):
        raise SetupError("setup.patches is not an object")
    own = {p.name: p for p in machine.regular}
    found = []
    for name, entry in given.items():
        if not isinstance(entry, Mapping):
            raise SetupError(f"setup.patches.{name} is not an object")
        picture = entry.get("shape")
        numbers: dict[str, int] = {}
        for key in NUMBERS:
            number = entry.get(key)
            if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= 10_000:
                raise SetupError(f"setup.patches.{name}.{key} is {number!r}; give an integer from 0")
            numbers[key] = number
        try:
            if not isinstance(picture, (list, tuple)) or not all(isinstance(row, str) for row in picture):
                raise PictureError("the shape is not a list of texts")
            shape = shape_from_picture(picture)
        except PictureError as error:
            raise SetupError(f"setup.patches.{name}: {error}") from None
        if len(picture) > machine.board.rows or len(picture[0]) > machine.board.columns:
            raise SetupError(f"setup.patches.{name} is larger than the quilt board")
        patch = Patch(name=str(name), shape=shape, picture=tuple(picture), numbers=MappingProxyType(numbers))
        old = own.get(str(name))
        found.append(old if old is not None and (old.shape, dict(old.numbers)) == (patch.shape, dict(patch.numbers)) else patch)
    if {p.name for p in found} == set(own):
        found.sort(key=lambda p: list(own).index(p.name))
    return (*found, *(p for p in machine.patches if not p.regular))
