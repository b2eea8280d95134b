"""Do two steps disturb each other? If neither touches what the other writes, their order never matters."""

from __future__ import annotations

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.walk import children, expressions, nodes, substituted, targets
from patchwork_ref.machine.model import Machine, Step


def independent(a: Step, b: Step, machine: Machine) -> bool:
    """Whether the order of two steps cannot matter: neither writes what the other reads, and what both write both only
    add to. Values from before the action are no reads."""
    return not (_writes(a.does) & _reads(b, machine) or _writes(b.does) & _reads(a, machine) or _clash(a.does, b.does))


def independent_effects(a: t.Effect, b: t.Effect, machine: Machine) -> bool:
    """The same of two effects of one step."""
    first, second = ({name for e in expressions(effect) for name in fields_read(e, machine)} for effect in (a, b))
    return not (_writes((a,)) & second or _writes((b,)) & first or _clash((a,), (b,)))


def ordered(steps: tuple[Step, ...], machine: Machine) -> tuple[Step, ...]:
    """The steps in a canonical order: of all orders that differ by exchanging independent neighbours, always the same."""
    left, found = list(steps), []
    while left:
        free = [s for i, s in enumerate(left) if all(independent(s, earlier, machine) for earlier in left[:i])]
        first = min(free, key=lambda s: s.name)
        left.remove(first)
        found.append(first)
    return tuple(found)


def changed_before(rule: str, machine: Machine) -> frozenset[str]:
    """The fields (``me.space``) that some action may have changed when it comes to a step, or while the step runs."""
    found: set[str] = set()
    for form in machine.actions:
        names = [step.name for step in form.steps]
        for at in [i for i, name in enumerate(names) if name == rule]:
            last = form.steps[at]
            earlier = [e for step in form.steps[:at] for e in step.does] + list(last.does if last.each is not None else last.does[:-1])
            found |= {f"{_owner(target)}.{target.name}" for effect in earlier for target in targets(effect) if isinstance(target, t.OfPlayer)}
    return frozenset(found)


def _owner(target: t.OfPlayer) -> str:
    return target.player.name if isinstance(target.player, (t.Variable, t.Use)) else "other"


def _writes(effects: tuple[t.Effect, ...]) -> set[str]:
    return {target.name for effect in effects for target in targets(effect)}


def _reads(step: Step, machine: Machine) -> set[str]:
    found = [*step.when.values(), *(e for effect in step.does for e in expressions(effect))]
    if step.each is not None:
        found.append(step.each[1])
    return {name for node in found for name in fields_read(node, machine)}


def _clash(a: tuple[t.Effect, ...], b: tuple[t.Effect, ...]) -> bool:
    """Whether some field is written by both, and not only added to by both."""
    both = _writes(a) & _writes(b)
    return any(target.name in both and not _adds(effect) for effects in (a, b) for effect in effects for target in targets(effect))


def _adds(effect: t.Effect) -> bool:
    """Whether the effect commutes with others of its kind: sums do, and so does joining regions."""
    return isinstance(effect, t.Transfer) or (isinstance(effect, t.Update) and effect.op in ("|=",)) or (
        isinstance(effect, t.Update) and isinstance(effect.value, (t.Integer, t.OfPatch))
    )


def fields_read(node: t.Expr, machine: Machine) -> set[str]:
    """The fields whose present value an expression asks for, definitions entered."""
    match node:
        case t.Before():
            return set()
        case t.Use(name=name) if name in machine.definitions:
            definition = machine.definitions[name]
            values = dict(zip(definition.takes, node.args, strict=True))
            return fields_read(substituted(definition.body, values), machine)
        case t.Shared() | t.OfPlayer():
            own = {node.name}
            return own.union(*(fields_read(child, machine) for child in children(node)))
        case _:
            return set[str]().union(*(fields_read(child, machine) for child in children(node)))


def definitions_played(machine: Machine) -> frozenset[str]:
    """The definitions on which the course or the end of a game depends; others serve the properties alone."""
    roots: list[t.Expr] = [t.Use(d.name) for d in (machine.over, machine.winner, machine.total, *machine.score.values())]
    roots += [given.otherwise for given in machine.givens.values() if given.otherwise is not None]
    roots += [node for rule in machine.starts for node in rule.starts.values()]
    for form in machine.actions:
        roots += [domain.collection for _, domain in form.choices]
        roots += [guard.condition for guard in form.requires]
        roots += [node for _, node in form.values]
        for step in form.steps:
            roots += [*step.when.values(), *(e for effect in step.does for e in expressions(effect))]
            roots += [step.each[1]] if step.each is not None else []
    found: set[str] = set()
    while roots:
        for node in nodes(roots.pop()):
            if isinstance(node, t.Use) and node.name in machine.definitions and node.name not in found:
                found.add(node.name)
                roots.append(machine.definitions[node.name].body)
    return frozenset(found)
