"""Do all that answer questions about the game agree, and would it be seen if one did not?"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from patchwork_ref import crosscheck as room
from patchwork_ref.cli.main import run
from patchwork_ref.crosscheck import TOPICS, Voices, crosscheck, plain_oracle
from patchwork_ref.engine import Engine
from patchwork_ref.engine.replay import replay
from patchwork_ref.machine.model import Machine
from patchwork_ref.symbolic.concrete import Concrete
from patchwork_ref.tiling.fits import Fit, fits

MachineOf = Callable[..., Machine]
RULESETS = ("revised", "original", "source-000", "source-002", "source-003", "source-004")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_all_voices_agree(machine_of: MachineOf, ruleset: str) -> None:
    """Under every ruleset, engine, interpreter, Z3, enumeration and oracle give the same answers to all kinds of questions."""
    found = crosscheck(machine_of(ruleset), games=1, seed=RULESETS.index(ruleset))
    assert found.agree, "\n".join(map(str, found.disagreements))
    assert all(found.asked[topic] for topic in TOPICS), found.asked
    assert all("z3" in found.voices[topic] for topic in ("legality", "fields", "placement", "filled square", "over", "score", "winner"))
    if plain_oracle() is not None:
        assert all("oracle" in found.voices[topic] for topic in TOPICS if topic != "fields")


def _planted(voices: Voices, seeds: int = 4) -> room.Disagreement:
    for seed in range(seeds):
        found = crosscheck(voices.machine, 1, seed, voices)
        if not found.agree:
            return found.disagreements[0]
    raise AssertionError("nobody saw it")


@pytest.mark.parametrize("fault", ["unclamped-advance", "special-to-rival", "token-stays", "penalty-one", "no-flips"])
def test_a_fault_of_the_oracle_is_a_disagreement(machine_of: MachineOf, fault: str) -> None:
    """A planted fault of the oracle is named with question and answers, and its trace leads to a state of a game."""
    machine = machine_of()
    found = _planted(Voices(machine, plain_oracle(), [fault]))
    assert found.answers["oracle"] != found.answers["compiled"] and found.topic in str(found)
    assert replay(Engine(machine), found.trace.setup, found.trace.actions).refused_at is None


def test_a_translation_of_other_rules_is_a_disagreement(machine_of: MachineOf) -> None:
    """Z3 put to a machine with another reading disagrees with the engine about the fields after a step."""
    voices = Voices(machine_of())
    voices.z3 = Concrete(machine_of(**{"purchase-order": "move-then-place", "shared-space": "bottom-moves"}))
    found = _planted(voices)
    assert found.topic == "fields" and found.answers["z3"] != found.answers["compiled"] == found.answers["interpreted"]


def test_a_back_end_of_other_rules_is_a_disagreement(machine_of: MachineOf) -> None:
    """An interpreter of another ruleset disagrees with the compiled engine."""
    voices = Voices(machine_of())
    voices.interpreted = Engine(machine_of(**{"turning": "turns-only"}), "interpreted")
    assert "interpreted" in _planted(voices).answers


def test_a_lost_placement_is_a_disagreement(machine_of: MachineOf) -> None:
    """A placement table that leaves one placement out disagrees with Z3 and plain enumeration."""
    voices = Voices(machine_of())

    def careless(*asked: object) -> Fit:
        found = fits(*asked)  # type: ignore[arg-type]
        return Fit(found.placements[1:]) if asked[-1] == "table" else found

    voices.fits = careless
    found = _planted(voices)
    assert found.topic == "placement" and found.answers["z3"] == found.answers["enumeration"] != found.answers["table"]


def test_the_command_says_who_answered(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The command ends with 0 and names the voices; it does without the oracle; with a disagreement it ends with 1."""
    monkeypatch.setattr(room, "plain_oracle", lambda: None)
    assert run(["crosscheck", "--games", "1", "--format", "json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told["agree"] and told["disagreements"] == [] and "oracle" not in told["voices"]["outcome"] and told["asked"]["outcome"] > 20
    oracle = plain_oracle()
    monkeypatch.setattr(room, "Voices", lambda machine, _: Voices(machine, oracle, ["penalty-one"]))
    if oracle is not None:
        assert run(["crosscheck", "--games", "1"]) == 1
        assert "score, what are the scores?" in capfd.readouterr().out
