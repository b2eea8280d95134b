"""Which fixtures suffice? Quick, gate and full by set cover over the kill matrix, and what is decisive for each fixture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from patchwork_ref.fixtures.model import Tier
from patchwork_ref.suite.cases import Case
from patchwork_ref.suite.matrix import Matrix

QUICK_SHARE, GATE_TIMES = 0.93, 2
"""Of the mutants that the full tier kills, the quick tier kills at least so many; the gate kills each so many times, where
so many fixtures do."""
RARE = 3
"""A mutant that at most so many fixtures kill is named by each of them; so is every mutant for which one was chosen."""


@dataclass(frozen=True, slots=True)
class Tiers:
    """``tier``, ``decisive`` (rules) and ``kills`` (mutants) by fixture id; ``rates`` the kill rate of each tier."""

    tier: Mapping[str, Tier]
    decisive: Mapping[str, tuple[str, ...]]
    kills: Mapping[str, tuple[str, ...]]
    rates: Mapping[Tier, float]
    sizes: Mapping[Tier, int]

    def measured(self) -> dict[str, dict[str, object]]:
        """What ``fixtures.build`` reads: ``{id: {tier, decisive, kills}}``."""
        return {name: {"tier": self.tier[name], "decisive": list(self.decisive[name]), "kills": list(self.kills[name])} for name in sorted(self.tier)}


def tiers_of(matrix: Matrix, cases: Sequence[Case]) -> Tiers:
    """Chooses the tiers: each holds the one before. Fixtures that every engine can play are preferred for ``quick``."""
    names = [row.mutant for row in matrix.rows]
    killers = [frozenset(row.kills) for row in matrix.rows]
    killable = frozenset(i for i, by in enumerate(killers) if by)
    columns = [frozenset(i for i in killable if at in killers[i]) for at in range(len(cases))]
    cost = [case.cost for case in cases]
    plain = [at for at, case in enumerate(cases) if case.required]
    quick, chosen_for = _cover(plain, columns, cost, killable, QUICK_SHARE)
    gate = list(quick)
    for times in range(1, GATE_TIMES + 1):
        wanted = frozenset(i for i in killable if len(killers[i]) >= times and len(killers[i] & set(gate)) < times)
        more, for_these = _cover([at for at in range(len(cases)) if at not in gate], columns, cost, wanted, 1.0)
        gate += more
        for at, mutants in for_these.items():
            chosen_for.setdefault(at, mutants)
    tier: dict[str, Tier] = {case.name: "quick" if at in quick else "gate" if at in gate else "full" for at, case in enumerate(cases)}
    kills = {
        case.name: tuple(names[i] for i in sorted(columns[at]) if len(killers[i]) <= RARE or i in chosen_for.get(at, frozenset()))
        for at, case in enumerate(cases)
    }
    decisive = {case.name: _decisive([names[i] for i in sorted(columns[at])], case) for at, case in enumerate(cases)}
    wanted_all = len(matrix.rows) - len(matrix.of("equivalent"))
    held: dict[Tier, list[int]] = {"quick": quick, "gate": gate, "full": list(range(len(cases)))}
    rates: dict[Tier, float] = {t: len(frozenset().union(*(columns[at] for at in places))) / max(wanted_all, 1) for t, places in held.items()}
    return Tiers(tier, decisive, kills, rates, {t: len(places) for t, places in held.items()})


def _cover(places: Sequence[int], columns: Sequence[frozenset[int]], cost: Sequence[int], wanted: frozenset[int], share: float) -> tuple[list[int], dict[int, frozenset[int]]]:
    """Greedy set cover: always the fixture that kills most of what is left for its cost."""
    left = set(wanted)
    allowed = len(wanted) * (1 - share)
    chosen: list[int] = []
    chosen_for: dict[int, frozenset[int]] = {}
    while len(left) > allowed:
        best = max(places, key=lambda at: (len(columns[at] & left) / (3 + cost[at]) ** 0.5, -at), default=None)
        if best is None or not columns[best] & left:
            break
        chosen_for[best] = columns[best] & left
        left -= columns[best]
        chosen.append(best)
    return chosen, chosen_for


def _decisive(mutants: Sequence[str], case: Case) -> tuple[str, ...]:
    """The rules that the fixture exercises and whose mutants it notices."""
    rules = {name.partition("~")[0] for name in mutants}
    return tuple(rule for rule in case.rules if rule in rules)
