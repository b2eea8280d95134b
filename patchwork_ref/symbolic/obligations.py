"""What has to be shown for each property, as values: no solver is needed to list it.

A property of every state is shown for the set-up and for each action of each player, from any state that meets the
invariants. A property of a step is shown for each action that it speaks of; one of the end, or of what is possible,
for any state that meets the invariants.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from patchwork_ref.lang import ast as t
from patchwork_ref.machine.model import Machine, Property

Moment = Literal["setup", "state", "step", "end"]


@dataclass(frozen=True, slots=True)
class Case:
    """Where something is to hold: at set-up, in any state, after a step, or at the end; ``me`` moves (or moved)."""

    moment: Moment
    me: int | None = None
    action: str | None = None

    def __str__(self) -> str:
        if self.moment == "step":
            return f"{self.action} by player {self.me}"
        return {"setup": "set-up", "state": f"player {self.me} to move", "end": "the end"}[self.moment]


@dataclass(frozen=True, slots=True)
class Obligation:
    """``goal`` is to hold in ``case``; with ``possible``, one of these actions is to be legal when ``goal`` holds."""

    property: str
    case: Case
    goal: t.Expr
    possible: tuple[str, ...] = ()


def cases(machine: Machine) -> tuple[Case, ...]:
    """Every case of a machine, in the order in which they are asked."""
    steps = tuple(Case("step", me, form.name) for form in machine.actions for me in (0, 1))
    return (Case("setup"), *steps, Case("state", 0), Case("state", 1), Case("end"))


def obligations(machine: Machine, declared: Property) -> tuple[Obligation, ...]:
    """What has to be shown for one property."""
    body = declared.body
    steps = [Case("step", me, form.name) for form in machine.actions for me in (0, 1)]
    name = declared.name
    match declared.kind:
        case "always":
            return (Obligation(name, Case("setup"), body), *(Obligation(name, case, body) for case in steps))
        case "each_step":
            return tuple(Obligation(name, case, body) for case in steps if not declared.actions or case.action in declared.actions)
        case "at_end":
            return (Obligation(name, Case("end"), body),)
        case "possible":
            return tuple(Obligation(name, Case("state", me), body, declared.actions) for me in (0, 1))
        case "falls":
            least = t.Compare(body, ((">=", t.Integer(0)),))
            falls = t.Compare(body, (("<", t.Before(body)),))
            bound = [Obligation(name, Case("setup"), t.Compare(body, (("<=", declared.within),)))] if declared.within is not None else []
            return (*bound, *(Obligation(name, Case("state", me), least) for me in (0, 1)), *(Obligation(name, case, falls) for case in steps))


def invariants(machine: Machine) -> tuple[str, ...]:
    """The properties that an induction may assume of the state before."""
    return tuple(p.name for p in machine.properties.values() if p.kind == "always")
