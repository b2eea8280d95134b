"""Does the text follow the YAML: every reading, every number, every order?"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import patchwork_ref as pr
from patchwork_ref.diagnostics import Collector
from patchwork_ref.errors import InputError
from patchwork_ref.lang.show import show
from patchwork_ref.machine.build import machine_of_tree
from patchwork_ref.machine.model import Definition, Domain, Guard, Machine, Step
from patchwork_ref.prose.document import Listing, plain_text, words_of
from patchwork_ref.prose.rulebook import citations, rulebook_prose
from patchwork_ref.prose.rules import action_prose, exact, rule_prose
from patchwork_ref.rulebook.edits import at
from patchwork_ref.rulebook.model import Rulebook
from patchwork_ref.rulebook.tree import Mapping, Scalar, Sequence

UNSAID = {"edition.players", "edition.format"}
"""Numbers of the rulebook that make no rule."""


def text(machine: Machine) -> str:
    return "\n".join(words_of(section) for section in rulebook_prose(machine))


def choices(rulebook: Rulebook) -> Iterator[tuple[str | None, dict[str, str]]]:
    for ruleset in rulebook.rulesets:
        yield ruleset, {}
    for ambiguity in rulebook.ambiguities.values():
        for reading in ambiguity.readings:
            yield None, {ambiguity.name: reading}


def test_every_ruleset_and_reading_has_its_prose(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """The whole text can be made under every ruleset and every reading, and a reading with changes changes it."""
    default = text(machine_of())
    for ruleset, readings in choices(rulebook):
        said = text(machine_of(ruleset, **readings))
        for ambiguity, reading in readings.items():
            assert (said != default) == bool(rulebook.reading(ambiguity, reading).changes.items), f"{ambiguity}={reading}"


def test_no_two_rules_have_the_same_prose(machine_of: Callable[..., Machine]) -> None:
    """A rule's text belongs to it alone."""
    machine = machine_of()
    names = [*machine.rules, *machine.definitions]
    assert len({words_of(rule_prose(machine, n)).partition("\n")[2] for n in names}) == len(names)


def body(rule: object) -> str:
    """What the exact words of a rule may depend on."""
    match rule:
        case Guard():
            return f"{show(rule.condition)} {rule.refuse}"
        case Domain():
            return f"{show(rule.collection)} {rule.refuse} {rule.outside}"
        case Step():
            each = f"{rule.each[0]} {show(rule.each[1])}" if rule.each else ""
            return f"{each} {[show(e) for e in rule.when.values()]} {[show(e) for e in rule.does]}"
        case Definition():
            return f"{rule.name} {show(rule.body)}"
    return str(getattr(rule, "starts", {}))


def test_rules_with_different_bodies_have_different_exact_words(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """The exact words are the same only where the formula is the same, over all readings."""
    seen: dict[str, str] = {}
    for ruleset, readings in choices(rulebook):
        machine = machine_of(ruleset, **readings)
        for rule in [r for r in (*machine.rules.values(), *machine.definitions.values()) if isinstance(r, (Guard, Domain, Step, Definition))]:
            said = plain_text(exact(machine, rule))
            if "flips" not in body(rule) and "special_spaces_printed" not in body(rule):  # these are said by their value
                assert seen.setdefault(said, body(rule)) == body(rule), said


def altered(rulebook: Rulebook, path: tuple[str, ...], value: object) -> Machine | None:
    """The Machine of the default tree with one leaf replaced (left out when ``value`` is None)."""
    def change(node: object, rest: tuple[str, ...]) -> object:
        if not rest:
            return Scalar(value)  # type: ignore[arg-type]
        if isinstance(node, Mapping):
            gone = value is None and len(rest) == 1
            return Mapping(tuple((k, change(v, rest[1:]) if k.value == rest[0] else v) for k, v in node.items if not (gone and k.value == rest[0])), node.pos)  # type: ignore[misc]
        assert isinstance(node, Sequence)
        items = list(node.items)
        if value is None and len(rest) == 1:
            del items[int(rest[0])]
        else:
            items[int(rest[0])] = change(items[int(rest[0])], rest[1:])  # type: ignore[call-overload]
        return Sequence(tuple(items), node.pos)

    collector = Collector()
    tree = change(rulebook.tree, path)
    assert isinstance(tree, Mapping)
    return machine_of_tree(tree, collector, rulebook.readings(), None)


def numbers(rulebook: Rulebook) -> Iterator[tuple[tuple[str, ...], int]]:
    from patchwork_ref.rulebook.tree import leaves

    for path, scalar in leaves(rulebook.tree):
        if isinstance(scalar.value, int) and not isinstance(scalar.value, bool) and path[0] not in ("ambiguities", "combinations", "rulesets") and ".".join(path) not in UNSAID:
            yield path, scalar.value


def test_every_number_shows_in_the_text(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """A changed number of the rulebook changes its text."""
    default, tried = text(machine_of()), 0
    for path, number in numbers(rulebook):
        if path[0] in ("patches", "special_patches") and path[1] not in ("A", "special"):
            continue  # said in the same way as these; the next test goes over all of them
        machine = altered(rulebook, path, number + 1) or altered(rulebook, path, number - 1)
        assert machine is not None, path
        assert text(machine) != default, path
        tried += 1
    assert tried > 25


def test_every_number_of_a_patch_is_said(machine_of: Callable[..., Machine]) -> None:
    """The cost, time and income of each patch stand in the text."""
    said = text(machine_of()).split("\n")
    for patch in machine_of().patches:
        assert any(line.startswith(f"{patch.name} ") and all(f"{name} {number}" in line for name, number in patch.numbers.items()) for line in said), patch.name


def test_every_order_and_every_part_of_a_rule_shows_in_the_text(rulebook: Rulebook, machine_of: Callable[..., Machine]) -> None:
    """Two steps or guards changed over, or a condition or effect left out, change the text."""
    default, tried = text(machine_of()), 0
    for action in ("advance", "buy", "special"):
        for key in ("requires", "steps"):
            listed = at(rulebook.tree, f"actions.{action}.{key}")
            assert isinstance(listed, Sequence)
            for i in range(len(listed.items) - 1):
                items = list(listed.items)
                items[i], items[i + 1] = items[i + 1], items[i]
                tree = replaced(rulebook.tree, ("actions", action, key), Sequence(tuple(items), listed.pos))
                machine = machine_of_tree(tree, Collector(), rulebook.readings(), None)
                assert machine is not None and text(machine) != default, (action, key, i)
                tried += 1
    rules = rulebook.tree.get("rules")
    assert isinstance(rules, Mapping)
    for name, rule in rules.items:
        for key in ("when", "does"):
            inside = rule.get(key) if isinstance(rule, Mapping) else None
            parts = inside.keys() if isinstance(inside, Mapping) else map(str, range(len(inside.items))) if isinstance(inside, Sequence) and len(inside.items) > 1 else ()
            for part in parts:
                machine = altered(rulebook, ("rules", str(name.value), key, part), None)
                assert machine is not None and text(machine) != default, (name.value, part)
                tried += 1
    assert tried > 35


def replaced(tree: Mapping, path: tuple[str, ...], value: object) -> Mapping:
    if not path:
        return value  # type: ignore[return-value]
    inner = tree.get(path[0])
    return tree.with_(path[0], replaced(inner, path[1:], value))  # type: ignore[arg-type]


def test_the_steps_of_an_action_stand_numbered_in_their_order(machine_of: Callable[..., Machine]) -> None:
    """The last list of an action has its rules in the Machine's order."""
    for ruleset in ("revised", "source-000"):
        machine = machine_of(ruleset)
        for form in machine.actions:
            steps = [b for b in action_prose(machine, form.name).blocks if isinstance(b, Listing)][-1]
            assert steps.ordered
            assert [next(part.name for b in item for part in b.content if getattr(part, "kind", "") == "rule") for item in steps.items] == [s.name for s in form.steps]  # type: ignore[union-attr]


def test_a_rule_carries_its_citations(machine_of: Callable[..., Machine]) -> None:
    """The citations of a rule are values of its section, as the YAML has them."""
    machine = machine_of()
    for rule in machine.rules.values():
        assert tuple(c.text for c in citations(rule_prose(machine, rule.name))) == rule.cite


def test_an_unknown_rule_is_one_line(machine_of: Callable[..., Machine]) -> None:
    """Asking for what is not there is an error of one line."""
    for ask in (rule_prose, action_prose):
        with pytest.raises(InputError, match=r"^no (rule|action) is called 'nothing/at-all'[^\n]*$"):
            ask(machine_of(), "nothing/at-all")


def test_a_machine_of_another_game_has_prose(tmp_path: Path) -> None:
    """Nothing in the words is tied to the shipped rulebook: a small game of its own can be said."""
    (tmp_path / "all.yaml").write_text(SMALL)
    said = text(pr.from_rulebook(pr.load_rulebook(tmp_path)))
    assert "your stones become 0" not in said and "1 is added to your stones" in said
    assert "the game is over" in said and "last stone (3)" in said


SMALL = """
edition: {name: small, title: Stones, format: 1}
chapters: {turn: The turn}
quilt_board: {rows: 3, columns: 3}
patches: {A: {picture: ["#"], cost: 0, time: 0, income: 0}}
constants:
  last_stone: {is: 3, says: Three stones end the game., cite: ["own: small"]}
table:
  first_player: {type: player, says: Who begins.}
state:
  shared: {turn: {type: player, says: Whose turn it is.}}
  player: {stones: {type: integer, says: The stones that a player has laid.}}
definitions:
  over: {is: any(p.stones >= last_stone for p in players), says: The game is over when somebody has laid enough.}
  total: {takes: {who: player}, is: who.stones, says: Each stone counts.}
  winner: {is: one(p for p in players if p.stones >= last_stone), says: who has laid enough}
rules:
  turn/start: {says: The first player begins., cite: ["own: small"], starts: {turn: table.first_player, player.stones: 0}}
  turn/going-on: {says: The game goes on., cite: ["own: small"], guard: not over, refuse: finished}
  turn/lay: {says: Lay a stone., cite: ["own: small"], does: [me.stones += 1, turn = other(me)]}
actions:
  lay: {says: Lay a stone., sends: {type: lay}, requires: [turn/going-on], steps: [turn/lay]}
game: {over: over, score: {stones: total}, total: total, winner: winner}
"""


def test_the_room_sees_neither_engine_nor_prover_nor_yaml(root: Path) -> None:
    """The prose imports no other back end, and nothing that reads YAML."""
    for file in sorted((root / "patchwork_ref" / "prose").glob("*.py")):
        names = {n.module or "" for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.ImportFrom)} | {
            a.name for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.Import) for a in n.names}
        assert not {n for n in names if n.startswith(("patchwork_ref.engine", "patchwork_ref.symbolic", "patchwork_ref.rulebook", "z3", "yaml"))}, file.name
