"""What a proof can come to. Plain values; the solver stays out of them."""

from __future__ import annotations

from dataclasses import dataclass

from patchwork_ref.machine.play import Action
from patchwork_ref.machine.state import State


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A state, an action in it (None when the state alone is at fault), and what it leads to.

    ``case`` says which obligation failed. The state meets every invariant that the proof may use, and may still be
    one that no game reaches: only a replayed game shows that.
    """

    case: str
    before: State | None
    action: Action | None
    exact: bool  # False when the state could not be made to fit what the solver assumed about counts and shapes
    differs: tuple[str, ...] = ()  # where two machines are compared: what differs between them


@dataclass(frozen=True, slots=True)
class Proven:
    """It holds in every reachable state. ``leaned_on`` are the invariants that the induction used, itself excepted."""

    leaned_on: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Refuted:
    """The induction fails at ``counterexample``.

    ``needs`` names invariants that would carry the proof but do not hold themselves: when it is not empty, the property
    fell with them.
    """

    counterexample: Counterexample
    needs: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Unknown:
    """The solver gave up, or the translation has no term for something."""

    reason: str
    seconds: float


Result = Proven | Refuted | Unknown
