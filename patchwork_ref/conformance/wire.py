"""How does a message become a line, and what exactly is wrong with a line that is not a message?

Both ends use this room: the harness encodes requests and decodes replies, `serve` the other way round. A bad line
gives a `Malformed` value whose reason is one sentence; nothing here raises because of what a peer sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from patchwork_ref.conformance import protocol
from patchwork_ref.conformance.outcomes import ProtocolFault
from patchwork_ref.conformance.protocol import (
    LINE_LIMIT,
    Answer,
    Refusal,
    Reply,
    Request,
    Setup,
    Unsupported,
)

A = TypeVar("A", bound=Answer)

_ENCODER = msgspec.json.Encoder()
_REQUEST = msgspec.json.Decoder(Request)
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


class Malformed(Struct, frozen=True):
    """A line that is not the message it should be. `id` is its id where one could be read."""

    kind: ProtocolFault
    reason: str
    id: int | None = None


class UnknownOp(Struct, frozen=True):
    """A well-formed request for an operation that version 1 does not have; the answer is `unsupported`."""

    id: int
    op: str


class _Head(Struct, frozen=True):
    """What is common to all replies; the rest of the line is only skipped over at first."""

    id: int | UnsetType = UNSET
    ok: bool | UnsetType = UNSET
    reject: Raw | UnsetType = UNSET
    skipped: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET
    unsupported: Raw | UnsetType = UNSET


class _RequestHead(Struct, frozen=True):
    id: int
    op: str


_HEAD = msgspec.json.Decoder(_Head)
_REQUEST_HEAD = msgspec.json.Decoder(_RequestHead)
_KINDS: tuple[type[Struct], ...] = tuple({kind for kinds in protocol.ANSWERS.values() for kind in kinds})
_DECODERS: dict[type[Struct], msgspec.json.Decoder[Any]] = {
    kind: msgspec.json.Decoder(kind) for kind in (*_KINDS, *protocol.REFUSALS.values())
}


def encode(message: Request | Reply | Mapping[str, object]) -> bytes:
    """The message as one line, its line end included."""
    return _ENCODER.encode(message) + b"\n"


def decode_reply(line: bytes, request_id: int, expected: type[A], *, rejectable: bool = False) -> A | Refusal | Malformed:
    """Read the reply to request `request_id`: the `expected` answer, a refusal, or what is wrong with it.

    `rejectable`: the request was an `apply`, the only one that `reject` answers.
    """
    fault = _bytes_fault(line)
    if fault is not None:
        return fault
    try:
        head = _HEAD.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        return _head_fault(line, error)
    if head.id is UNSET:
        return Malformed("wrong-id", "the reply has no id")
    if head.id != request_id:
        return Malformed("wrong-id", f"the reply carries id {_short(head.id)}, the request had id {request_id}")
    if head.ok is UNSET:
        return Malformed("invalid-message", "the reply has no field `ok`", request_id)
    kind: type[Struct] = expected
    if not head.ok:
        named = [name for name in protocol.REFUSALS if getattr(head, name) is not UNSET]
        if len(named) != 1:
            found = " and ".join(named) or "none"
            return Malformed(
                "invalid-message", f"`ok` is false: exactly one of {', '.join(protocol.REFUSALS)} belongs here, found {found}", request_id
            )
        if named[0] == "reject" and not rejectable:
            return Malformed("invalid-message", "`reject` answers `apply` alone", request_id)
        kind = protocol.REFUSALS[named[0]]
    try:
        reply = _DECODERS[kind].decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        return Malformed("invalid-message", _sentence(error), request_id)
    if type(reply) is Unsupported and reply.unsupported is not True:
        return Malformed("invalid-message", "`unsupported`, where it stands, is true", request_id)
    return reply  # type: ignore[no-any-return]


def reply_id(line: bytes) -> int | None:
    """The id of a reply, or None where there is none to read."""
    try:
        head = _HEAD.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    return None if head.id is UNSET else head.id


def decode_request(line: bytes) -> Request | UnknownOp | Malformed:
    """Read a request, on the engine's side."""
    fault = _bytes_fault(line)
    if fault is not None:
        return fault
    try:
        head = _REQUEST_HEAD.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        return _head_fault(line, error)
    if head.op not in protocol.ANSWERS:
        return UnknownOp(head.id, head.op)
    try:
        return _REQUEST.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        return Malformed("invalid-message", _sentence(error), head.id)


def setup_from(data: Mapping[str, object] | bytes) -> Setup | Malformed:
    """Read a set-up: the object itself, or the JSON text of a file."""
    try:
        return msgspec.json.decode(data, type=Setup) if isinstance(data, bytes) else msgspec.convert(data, Setup)
    except msgspec.ValidationError as error:
        return Malformed("invalid-message", _sentence(error))
    except (msgspec.DecodeError, RecursionError) as error:
        return Malformed("garbage", _sentence(error))


def _bytes_fault(line: bytes) -> Malformed | None:
    if len(line) > LINE_LIMIT:
        return Malformed("line-too-long", f"a line of {len(line)} bytes, {LINE_LIMIT} are allowed")
    if line.startswith(_BOMS):
        return Malformed("byte-order-mark", "the line starts with a byte-order mark")
    if not line.isascii():
        try:
            line.decode()
        except UnicodeDecodeError as error:
            return Malformed("not-utf-8", f"byte {error.start} of the line is not UTF-8: 0x{line[error.start]:02x}")
    return None


def _head_fault(line: bytes, error: Exception) -> Malformed:
    """Tell apart: no JSON object at all, an id that is no integer, another field of the wrong type."""
    try:
        whole = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError) as broken:
        if not line.strip():
            return Malformed("garbage", "an empty line")
        return Malformed("garbage", f"the line is not JSON ({_sentence(broken)}): {_excerpt(line)}")
    if not isinstance(whole, dict):
        return Malformed("garbage", f"the line is JSON, but not an object: {_excerpt(line)}")
    kind: ProtocolFault = "wrong-id" if "$.id" in str(error) else "invalid-message"
    given = whole.get("id")
    return Malformed(kind, _sentence(error), given if type(given) is int else None)


def _sentence(error: Exception) -> str:
    """msgspec's own message, which names the path; a line nested too deeply has none."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return str(error).replace(" - at `$.", " at `").replace("\n", " ")


def _excerpt(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _short(number: int) -> str:
    text = str(number) if number.bit_length() < 200 else "of many digits"
    return text
