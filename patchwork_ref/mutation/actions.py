"""Changes of actions (guards and steps left out, steps in another order) and of the section that names the end."""

from __future__ import annotations

from collections.abc import Iterator

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.walk import nodes
from patchwork_ref.machine.model import ActionForm, Machine
from patchwork_ref.mutation.independence import independent
from patchwork_ref.mutation.model import Candidate, replaced
from patchwork_ref.mutation.rules import Raw, Rewriter, entries, numbered
from patchwork_ref.rulebook.tree import Mapping, Node, Scalar, Sequence, plain


def action_candidates(rewriter: Rewriter, machine: Machine) -> Iterator[Candidate]:
    """Actions that lack a guard or a step, or have their steps in another order that can matter."""
    forms = {form.name: form for form in machine.actions}
    for name, entry in entries(rewriter.tree, "actions"):
        if entry.get("like") is None:
            yield from numbered(f"action/{name}", _action(rewriter, name, entry, forms[name], machine))


def _action(rewriter: Rewriter, name: str, entry: Mapping, form: ActionForm, machine: Machine) -> Iterator[Raw]:
    tree, base = rewriter.tree, ("actions", name)
    requires, steps, values = entry.get("requires"), entry.get("steps"), entry.get("with")
    if isinstance(requires, Sequence):
        for at, item in enumerate(requires.items):
            rule = str(plain(item))
            yield f"without-{rule}", "dropped", f"{name} does not ask {rule}", replaced(tree, (*base, "requires"), _without(requires, at))
    for key, value in values.items if isinstance(values, Mapping) else ():
        yield from rewriter.expression((*base, "with", str(key.value)), value, rewriter.names, rewriter.context, f"{key.value}-")
    if not isinstance(steps, Sequence):
        return
    path = (*base, "steps")
    for at, item in enumerate(steps.items):
        rule = str(plain(item))
        yield f"without-{rule}", "step", f"{name} leaves out {rule}", replaced(tree, path, _without(steps, at))
    for at, (item, following) in enumerate(zip(steps.items, steps.items[1:], strict=False)):
        if not independent(form.steps[at], form.steps[at + 1], machine):
            a, b = plain(item), plain(following)
            yield f"{b}-before-{a}", "order", f"{name} does {b} before {a}", replaced(tree, path, _moved(steps, at, at + 1))
    for at, item in enumerate(steps.items[:-2]):
        if any(not independent(form.steps[at], other, machine) for other in form.steps[at + 1 :]):
            yield f"{plain(item)}-last", "order", f"{name} does {plain(item)} last", replaced(tree, path, _moved(steps, at, len(steps.items) - 1))


def _without(items: Sequence, at: int) -> Node:
    return Sequence((*items.items[:at], *items.items[at + 1 :]), items.pos)


def _moved(items: Sequence, at: int, to: int) -> Node:
    rest = [*items.items[:at], *items.items[at + 1 :]]
    rest.insert(to, items.items[at])
    return Sequence(tuple(rest), items.pos)


def game_candidates(rewriter: Rewriter, machine: Machine) -> Iterator[Candidate]:
    """Another definition of the same kind in the place of the one that ends, totals or decides the game."""
    for key, standing in (("over", machine.over), ("total", machine.total), ("winner", machine.winner)):
        for name, other in machine.definitions.items():
            if name != standing.name and dict(other.takes) == dict(standing.takes) and not _speaks_of_me(name, machine):
                says = f"the game's {key} is {name}"
                yield from numbered(f"game/{key}", iter([(f"is-{name.replace('_', '-')}", "definition", says, replaced(rewriter.tree, ("game", key), Scalar(name)))]))


def _speaks_of_me(name: str, machine: Machine) -> bool:
    """Whether a definition makes sense only inside an action."""
    definition = machine.definitions[name]
    inner = list(nodes(definition.body))
    mine = t.Variable("me") in inner and "me" not in definition.takes
    return mine or any(isinstance(n, t.Use) and n.name in machine.definitions and _speaks_of_me(n.name, machine) for n in inner)
