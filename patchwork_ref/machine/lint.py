"""Every defect of a rulebook at once: its files, its layout, and the Machines of every reading and ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from patchwork_ref.diagnostics import Collector, Diagnostic
from patchwork_ref.machine.build import build_machine
from patchwork_ref.machine.model import Machine
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.rulebook import read_rulebook
from patchwork_ref.rulebook.sources import read_sources

_UNREAD = frozenset({"file", "file-size", "encoding", "yaml", "yaml-tag", "yaml-alias", "yaml-depth", "empty", "top-level", "missing-section"})
"""After these, what the rules say would only be a guess."""


def lint(path: str | Path | None = None) -> tuple[Diagnostic, ...]:
    """The defects of the rulebook in a folder (the shipped one when none is named), by file and line.

    A file is looked at together with the other files of its folder, and only its own defects are reported.
    """
    collector = Collector()
    given = Path(path) if path is not None else None
    if given is not None and given.is_file():
        folder = Collector()
        _lint(given.parent, folder)
        for found in folder.found:
            if Path(found.position.file).name == given.name:
                collector.add(found.position, found.code, found.message, found.hint)
        if given.suffix != ".yaml":
            read_rulebook(path, collector)
    else:
        _lint(path, collector)
    return collector.sorted()


def _lint(path: str | Path | None, collector: Collector) -> None:
    rulebook = read_rulebook(path, collector)
    if rulebook is None or any(d.code in _UNREAD for d in collector.found):
        return
    some = choices(rulebook) if not collector.found else [next(iter(choices(rulebook)))]
    built = [build_machine(rulebook, readings, collector) for readings in some]
    read_sources(rulebook, collector)
    if not collector.found:
        _unused(rulebook, [m for m in built if m is not None], collector)


def choices(rulebook: Rulebook) -> Iterator[Mapping[str, str]]:
    """The default readings, each other reading alone, each pair that is combined, and each ruleset."""
    default = {a.name: a.default for a in rulebook.ambiguities.values()}
    yield default
    for ambiguity in rulebook.ambiguities.values():
        for name in ambiguity.readings:
            if name != ambiguity.default:
                yield {**default, ambiguity.name: name}
    for combination in rulebook.combinations:
        yield {**default, **dict(side.split("=", 1) for side in (combination.first, combination.then))}
    for ruleset in rulebook.rulesets:
        yield dict(rulebook.readings(ruleset))


def _unused(rulebook: Rulebook, machines: list[Machine], collector: Collector) -> None:
    """Rules that no action uses under any reading: they look alive and are not."""
    used: set[str] = set()
    for machine in machines:
        used |= {rule.name for rule in machine.starts}
        for form in machine.actions:
            used |= {d.name for _, d in form.choices} | {g.name for g in form.requires} | {s.name for s in form.steps}
    for rule in machines[0].rules.values() if machines else ():
        if rule.name not in used:
            collector.add(rule.pos, "unused-rule", f"no action uses {rule.name} under any reading", "name it in an action, or remove it")
