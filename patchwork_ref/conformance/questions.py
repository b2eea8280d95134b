"""What does `smoke` ask, in which order? One function for each step; the table at the end is the whole list."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from msgspec import UNSET

from patchwork_ref.conformance import protocol
from patchwork_ref.conformance.connection import Connection
from patchwork_ref.conformance.hints import hint_for_failure, hint_for_refusal
from patchwork_ref.conformance.outcomes import Failure
from patchwork_ref.conformance.protocol import Advance, Refusal, Setup, Special
from patchwork_ref.conformance.visit import Stopped, Visit, action_keys, said

FIRST, SECOND, IDLE = "smoke-1", "smoke-2", "smoke-idle"
UNKNOWN = {"x-unknown": {"to be": ["ignored", None, 1]}}
NOT_PENDING = Special((40,))
"""Illegal in any game in which nobody has earned a special patch yet."""


# --- the questions: each returns None or a remark, or raises `Stopped` -------------------------------------------


def starts(visit: Visit) -> str | None:
    found = Connection.start(visit.engine, visit.limits)
    if not isinstance(found, Connection):
        raise Stopped(found.reason, hint_for_failure(found), found)
    visit.open = found
    return None


def answers_hello(visit: Visit) -> str | None:
    visit.identity = visit.need(visit.connection.hello())
    unknown = sorted(set(visit.identity.capabilities) - set(protocol.CAPABILITIES))
    return f"capabilities that version 1 does not know are ignored: {', '.join(unknown)}" if unknown else None


def knows_what_it_does_not_know(visit: Visit) -> str | None:
    reply = visit.connection.raw({"op": "x-smoke-unknown"}, protocol.DoneReply)
    if isinstance(reply, protocol.Unsupported):
        return None
    if isinstance(reply, Failure):
        raise Stopped(reply.reason, hint_for_failure(reply), reply)
    hint = "answer every `op` that you do not know with `ok`: false and `unsupported`: true; later versions rely on it"
    raise Stopped(f"the reply was {said(reply)}", hint)


def opens_a_game(visit: Visit) -> str | None:
    visit.need(visit.connection.new(FIRST, visit.setup))
    return None


def ignores_unknown_fields(visit: Visit) -> str | None:
    setup: Mapping[str, object] = msgspec.to_builtins(visit.setup)
    hint = "read the fields that you know and pass over the rest (in Rust's serde: no deny_unknown_fields)"
    payload: dict[str, object] = {"op": "new", "game": IDLE, "setup": {**setup, **UNKNOWN}, **UNKNOWN}
    reply = visit.connection.raw(payload, protocol.DoneReply)
    if isinstance(reply, Refusal):
        raise Stopped(f"`new` with fields more was refused: {said(reply)}", hint)
    visit.need(reply)
    return None


def reports_the_state(visit: Visit) -> str | None:
    visit.need_capability("state")
    state = visit.need(visit.connection.state(FIRST)).state
    _compare_with_setup(state, visit.setup)
    return None


def applies_an_advance(visit: Visit) -> str | None:
    before = visit.tokens(FIRST)
    visit.advance(FIRST)
    if before is not None and visit.tokens(FIRST) == before:
        raise Stopped("no token and no buttons have changed", "does `apply` play on the game that `state` reports?")
    return None


def lists_legal_actions(visit: Visit) -> str | None:
    visit.need_capability("legal")
    keys = action_keys(visit.need(visit.connection.legal(FIRST)))
    count = visit.need(visit.connection.legal_count(FIRST)).count
    if not keys:
        raise Stopped("no action is legal after the first advance", "the rival may at least advance")
    if len(set(keys)) != len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        hint = "two turns of a patch that cover the same cells are one action"
        raise Stopped(f"{len(keys) - len(set(keys))} actions are listed twice, for example {twice}", hint)
    if count != len(keys):
        raise Stopped(f"form `actions` lists {len(keys)}, form `count` says {count}", "count what you would list")
    return None


def rejects_and_stays(visit: Visit) -> str | None:
    before = visit.observed(FIRST)
    rejected = _need_rejection(visit, [NOT_PENDING], 0)
    if visit.observed(FIRST) != before:
        raise Stopped("the rejected action has changed the game", "check everything before you change anything")
    code = rejected.reject.code
    if code is not UNSET and code not in protocol.REJECT_CODES:
        return f"the code {code!r} is not one of the protocol's and counts as none"
    return None


def stops_a_batch(visit: Visit) -> str | None:
    before = visit.tokens(FIRST)
    _need_rejection(visit, [Advance(), NOT_PENDING, Advance()], 1)
    after = visit.tokens(FIRST)
    if before is not None and after is not None:
        moved = sum(old != new for old, new in zip(before, after, strict=True))
        if moved != 1:
            hint = "what came before the illegal action stays applied, what comes after it does not"
            raise Stopped(f"one advance was to be applied, but the tokens of {moved} players have moved", hint)
    return None


def keeps_games_apart(visit: Visit) -> str | None:
    before = visit.observed(FIRST)
    visit.need(visit.connection.new(SECOND, visit.setup))
    fresh = visit.tokens(SECOND)
    visit.advance(SECOND)
    if visit.observed(FIRST) != before:
        raise Stopped("a second game has changed the first", "keep one game for each name; is something global?")
    visit.advance(FIRST)
    if fresh is not None and visit.tokens(SECOND) == fresh:
        raise Stopped("an action in one game undid the other", "keep one game for each name; is something global?")
    return None


def frees_the_name(visit: Visit) -> str | None:
    before = visit.tokens(FIRST)
    for name in (FIRST, SECOND, IDLE):
        visit.need(visit.connection.end(name))
    visit.need(visit.connection.new(FIRST, visit.setup))
    visit.need(visit.connection.new(SECOND, visit.setup))
    if (before is not None and visit.tokens(FIRST) == before) or visit.observed(FIRST) != visit.observed(SECOND):
        raise Stopped("the reused name does not start afresh", "`new` starts from its set-up, whatever the name was used for")
    visit.need(visit.connection.end(SECOND))
    return None


def tells_the_score(visit: Visit) -> str | None:
    _play_to_the_end(visit)
    reply = visit.need(visit.connection.score(FIRST))
    first, second = reply.scores
    if first != second and reply.winner != int(second > first):
        hint = "players are 0 and 1; `winner` is null for a draw only"
        raise Stopped(f"scores {first} and {second}, but `winner` is {msgspec.json.encode(reply.winner).decode()}", hint)
    visit.need(visit.connection.end(FIRST))
    return None


def says_bye(visit: Visit) -> str | None:
    reply = visit.connection.bye()
    if isinstance(reply, Failure):
        raise Stopped(reply.reason, hint_for_failure(reply), reply)
    if reply is not None:
        raise Stopped(f"the engine said no: {said(reply)}", hint_for_refusal(reply))
    return None


# --- helpers of the questions -------------------------------------------------------------------------------------


def _need_rejection(visit: Visit, actions: list[protocol.Action], applied: int) -> protocol.Rejected:
    reply = visit.connection.apply(FIRST, actions)
    if isinstance(reply, protocol.ApplyReply):
        raise Stopped("a special patch was placed though none is pending", "check an action before applying it")
    if not isinstance(reply, protocol.Rejected):
        visit.need(reply)
        raise AssertionError(reply)
    if reply.applied != applied:
        reason = f"`applied` is {reply.applied}, but {applied} came before the illegal action"
        raise Stopped(reason, "apply the actions in order and stop at the first illegal one; what came before it stays")
    return reply


def _play_to_the_end(visit: Visit) -> None:
    """Advance as long as that is accepted, placing special patches where it is not; neither accepted means over."""
    board = visit.setup.time_board
    cell = 0
    for _ in range(2 * board.last + 2 * len(board.special) + 10):
        reply = visit.connection.apply(FIRST, [Advance()])
        if isinstance(reply, protocol.Rejected):
            refused, reply = reply, visit.connection.apply(FIRST, [Special((cell,))])
            cell += 1
            if isinstance(reply, protocol.Rejected):
                _must_be_over(visit, refused)
                return
        visit.need(reply)
    hint = "a token that reaches the last space stops there; when both are on it, every action is rejected"
    raise Stopped("advances are still accepted long after both players must have finished", hint)


def _must_be_over(visit: Visit, refused: protocol.Rejected) -> None:
    if "state" in visit.connection.capabilities:
        state = visit.need(visit.connection.state(FIRST)).state
        if state.finished is False or state.turn in (0, 1):
            hint = "an advance is legal unless the game is over or a special patch waits to be placed on an empty cell"
            raise Stopped(f"the game goes on, but neither an advance nor a special patch is accepted: {said(refused)}", hint)


def _compare_with_setup(state: protocol.GameState, setup: Setup) -> None:
    """At the start every observed field follows from the set-up."""
    start = setup.neutral_token
    circle: object = UNSET if start is UNSET else setup.circle[start:] + setup.circle[:start]
    expected: dict[str, object] = {
        "turn": setup.first_player, "pending_special": 0, "finished": False, "circle": circle,
    }  # fmt: skip
    player = {"buttons": setup.start_buttons, "space": 0, "income": 0, "quilt": "." * protocol.CELLS, "special_tile": False}
    pairs = [(name, getattr(state, name), value) for name, value in expected.items()]
    if state.special_spaces is not UNSET:
        pairs.append(("special_spaces", tuple(sorted(state.special_spaces)), tuple(sorted(setup.time_board.special))))
    for number, reported in enumerate(() if state.players is UNSET else state.players):
        pairs += [(f"players[{number}].{name}", getattr(reported, name), value) for name, value in player.items()]
    for name, got, wanted in pairs:
        if UNSET not in (got, wanted) and got != wanted:
            shown = [msgspec.json.encode(value).decode() for value in (got, wanted)]
            hint = "start from the numbers of the set-up; `circle` begins with the first patch on offer, circle[neutral_token]"
            raise Stopped(f"`{name}` is {shown[0]}, by the set-up it is {shown[1]}", hint)


STEPS: tuple[tuple[str, str, Callable[[Visit], str | None]], ...] = (
    ("the engine starts", "a process that runs, or an object that can be made", starts),
    ("it answers hello", "protocol 1, its name and version, its capabilities", answers_hello),
    ("it says what it does not support", "an unknown `op` is answered `unsupported`", knows_what_it_does_not_know),
    ("it opens a game", "`ok` for the ordinary set-up", opens_a_game),
    ("it ignores fields that it does not know", "`ok` for a request with fields more", ignores_unknown_fields),
    ("it reports the state", "a state of the right shape that says what the set-up says", reports_the_state),
    ("it applies an advance", "`applied`: 1, and a state that has changed", applies_an_advance),
    ("it lists the legal actions", "every legal action once, and their number", lists_legal_actions),
    ("it rejects an illegal action", "`reject` with `applied`: 0, and a game that has not changed", rejects_and_stays),
    ("it stops a batch at the illegal action", "`reject` with `applied`: 1 for advance, illegal, advance", stops_a_batch),
    ("it keeps two games apart", "an action in one game changes that one alone", keeps_games_apart),
    ("it ends a game", "the name starts a new game afterwards", frees_the_name),
    ("it plays to the end and tells the score", "two scores, and the player with more as the winner", tells_the_score),
    ("it says bye", "a reply, nothing more, exit with status 0", says_bye),
)
"""Title, what is expected, and the question, in order; the number of a step is its place."""
