"""``--accept-readings``: a plan under the readings that the engine itself follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from patchwork_ref.ambiguity import Fingerprint, fingerprint
from patchwork_ref.ambiguity.accepted import accepted, accepted_cases, machine_for, settled, with_unexplained
from patchwork_ref.cli.waiting import spinner
from patchwork_ref.conformance.suite import chosen
from patchwork_ref.conformance.targets import Target
from patchwork_ref.report.lines import Accepted
from patchwork_ref.report.plan import Plan


def accepting(plan: Plan, target: Target, quiet: bool = False, taken: Callable[..., Fingerprint] = fingerprint) -> Plan:
    """The plan with the engine's own readings where they are not those asked for, and with games that no reading explains."""
    base, rulebook = plan.machine, plan.rulebook
    tier = chosen(plan.fixtures, plan.tier)
    with spinner("looking for the engine's readings", quiet):
        found = taken(target, plan.engine, rulebook, plan.fixtures, base.readings, plan.limits)
        own = accepted(found, rulebook, base)
        if found.exit_code == 0:
            own = settled(own, target, plan.engine, rulebook, tier, base, plan.limits)
    if own.followed:
        machine = machine_for(own, rulebook)
        readings = () if own.ruleset is not None else tuple(f"{a}={r}" for a, r in {**dict(pair.split("=", 1) for pair in plan.readings), **own.followed}.items())
        ruleset = own.ruleset if own.ruleset is not None else plan.ruleset
        plan = replace(plan, machine=machine, ruleset=ruleset, readings=readings, cases=accepted_cases(tier, rulebook, machine, base))
    games = {u.fixture: u.rule for u in found.unexplained}
    plan = replace(plan, cases=with_unexplained(plan.cases, plan.fixtures, tuple(games), plan.machine, base))
    elsewhere = games if not games.keys() & {case.fixture.id for case in plan.cases} else {}
    told = tuple(f"{name} ({rule})" if rule else name for name, rule in elsewhere.items())
    failure = found.failure.reason if found.failure is not None and elsewhere else ""
    return replace(plan, accepted=Accepted(own.followed, own.open, own.undecided, told, failure))
