"""Are the rulesets complete games, and does the table say where they differ?"""

from __future__ import annotations

import json
import random

import pytest

import patchwork_ref as pr
from patchwork_ref.ambiguity import Profiles
from patchwork_ref.cli.main import run
from patchwork_ref.engine.policies import POLICIES, played
from patchwork_ref.machine.setup import shuffled
from patchwork_ref.rulebook.model import Rulebook

BOOK = pr.load_rulebook()


@pytest.mark.parametrize("ruleset", BOOK.rulesets)
@pytest.mark.parametrize("name", ["random", "advance", "greedy", "hoarder", "jumper"])
def test_every_ruleset_plays_complete_games(profiles: Profiles, ruleset: str, name: str) -> None:
    """Under each ruleset games by several policies come to their end: both tokens on the last space, the totals those of their parts, a winner."""
    engine = profiles.engine(BOOK.readings(ruleset))
    assert engine is not None
    last = engine.machine.constants["last_space"].value
    for number in range(4):
        actions, state, outcome = played(engine, shuffled(engine.machine, f"{ruleset} {number}"), POLICIES[name], random.Random(number))
        score = engine.score(state)
        assert outcome == "finished" and actions and {state.number("space", who) for who in (0, 1)} == {last}
        assert engine.legal(state) == () and score.winner in (0, 1)
        more = [who for who in (0, 1) if score.totals[who] > score.totals[1 - who]]
        assert more in ([], [score.winner])


def test_the_table_is_the_rulebooks(capfd: pytest.CaptureFixture[str], rulebook: Rulebook) -> None:
    """The table has every ambiguity on which two rulesets differ and no other, each reading as the rulebook chooses it; --all has every ambiguity."""
    assert run(["ambiguity", "table", "--format", "json"]) == 0
    found = {entry["ambiguity"]: entry["rulesets"] for entry in json.loads(capfd.readouterr().out)}
    chosen = {name: rulebook.readings(name) for name in rulebook.rulesets}
    assert found == {a: {r: chosen[r][a] for r in chosen} for a in rulebook.ambiguities if len({chosen[r][a] for r in chosen}) > 1}
    assert run(["ambiguity", "table", "--all", "--format", "json"]) == 0
    assert [entry["ambiguity"] for entry in json.loads(capfd.readouterr().out)] == list(rulebook.ambiguities)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_the_table_can_be_read(capfd: pytest.CaptureFixture[str], form: str) -> None:
    """Text and Markdown have a column for each ruleset, a dot for each default, and say which rulesets are the same."""
    assert run(["ambiguity", "table", "--format", form]) == 0
    out = capfd.readouterr().out
    assert all(name in out for name in BOOK.rulesets) and "source-002, source-003 and source-004 choose the same readings" in out
    (row,) = [line for line in out.splitlines() if "special-spaces" in line]
    assert row.replace("|", " ").replace("`", "").split() == ["special-spaces", "revised", "·", "original", "·", "·", "·", "·"]
