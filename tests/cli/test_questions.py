"""Do the commands that answer questions about boards, proofs and recorded games answer them, with their exit codes?"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Result = tuple[int, str, str]
EMPTY = "." * 81


Command = Callable[..., Result]


def _json(result: Result) -> Any:
    return json.loads(result[1])


@pytest.mark.parametrize("method", ["table", "z3", "enumeration"])
def test_fits_lists_every_placement(command: Command, method: str) -> None:
    """The plus T has 49 placements on an empty quilt and none on one whose every other row is filled; each method says so."""
    assert len(_json(command("fits", "T", "--quilt", EMPTY, "--format", "json", "--method", method))["placements"]) == 49
    code, out, _ = command("fits", "T", "--quilt", "/".join(["." * 9, "#" * 9] * 4 + ["." * 9]), "--format", "json", "--method", method)
    assert code == 1 and json.loads(out) == {"fits": False, "placements": []}


def test_fits_follows_the_reading_about_flips(command: Command) -> None:
    """Under turns-only the patch S, which is no mirror image of itself, has half as many placements."""
    both, turns = (len(_json(command("fits", "S", "--quilt", EMPTY, "--format", "json", *more))["placements"]) for more in ([], ["--reading", "turning=turns-only"]))
    assert (both, turns) == (448, 224)


def test_square_answers_with_a_witness_or_a_certificate(command: Command) -> None:
    """All patches can fill the square; four small ones cannot, and the certificate of that is accepted, but not when it is cut."""
    code, out, _ = command("square", "--quilt", EMPTY, "--routes", "tree", "--format", "json")
    assert code == 0 and json.loads(out)["verdict"] == "possible" and json.loads(out)["placements"]
    code, out, _ = command("square", "--quilt", EMPTY, "--patches", "A,B,C,D", "--specials", "2", "--routes", "tree", "--format", "json", "--out", "c.json")
    assert code == 1 and json.loads(out)["verdict"] == "impossible"
    assert command("certificate", "c.json")[:2] == (0, "sound: it proves impossible\n")
    certificate = json.loads(Path("c.json").read_text())
    certificate["windows"].pop()
    Path("c.json").write_text(json.dumps(certificate))
    code, out, _ = command("certificate", "c.json")
    assert code == 1 and out.startswith("refused: ")


@pytest.mark.parametrize("args", [
    ["fits", "T", "--quilt", "..."], ["fits", "zz", "--quilt", EMPTY], ["fits", "T", "--quilt", "x" * 81], ["fits", "T"], ["fits", "T", "--quilt", "@nowhere"],
    ["square", "--quilt", "." * 80], ["square", "--quilt", EMPTY, "--patches", "A,A"], ["square", "--quilt", EMPTY, "--patches", "A,zz"],
    ["square", "--quilt", EMPTY, "--specials", "-1"], ["square", "--quilt", EMPTY, "--buttons", "-1"],
    ["square", "--quilt", EMPTY, "--routes", "oracle"], ["square", "--quilt", EMPTY, "--routes", ""], ["certificate", "nowhere"],
    ["prove", "holds/nothing"], ["prove", "--equivalent", "revised", "blue"], ["theorems", "--folder", "nowhere"],
    ["audit", "nowhere"], ["audit", ".", "--notation", "student"], ["export", "nowhere", "--notation", "student"], ["export", "x", "--notation", "morse"],
])
def test_a_mistake_of_the_user_is_one_line_and_exit_code_2(command: Command, args: list[str]) -> None:
    """Boards, patches, files and names that cannot be used give one line on standard error and exit code 2."""
    code, out, err = command(*args)
    assert code == 2 and out == "" and err.count("\n") == 1 and "Traceback" not in err, (out, err)


def test_prove_proves_refutes_and_compares(command: Command) -> None:
    """The lead is at most six under the default rules; another trigger breaks it with a game; two orders of steps are one game."""
    code, out, _ = command("prove", "holds/lead", "--format", "json")
    found = json.loads(out)
    assert code == 0 and [(p["property"], p["verdict"]) for p in found] == [("holds/lead", "proven")]
    code, out, _ = command("prove", "holds/tile-at-most-once", "--reading", "special-tile=each-player", "--search", "0", "--format", "json")
    assert code == 1 and json.loads(out)[0]["verdict"] == "refuted"
    assert command("prove", "--equivalent", "purchase-steps=pay-token-place", "revised", "--format", "json")[0] == 0
    assert command("prove", "--equivalent", "tie=draw", "revised")[0] == 1
    assert len(_json(command("prove", "--list", "--format", "json"))) > 40


def test_theorems_are_listed_with_their_bounds(command: Command) -> None:
    """The table names the fewest patches for a 7x7, eight, and marks what is open."""
    facts = {fact["theorem"]: fact for fact in _json(command("theorems", "--format", "json"))}
    assert any(fact["measure"] == "patches" and fact["bounds"] == [8, 8] for fact in facts.values()) and len(facts) >= 5


def test_exported_games_are_audited(command: Command) -> None:
    """Games played here, written in the student notation, are legal with their scores, and only under rules that fit them."""
    command("play", "--games", "6", "--ruleset", "original", "--out", "games.jsonl")
    Path("games.csv").write_text(command("export", "games.jsonl", "--notation", "student-csv", "--ruleset", "original")[1])
    code, out, _ = command("audit", "games.csv", "--ruleset", "original", "--format", "json", "--quiet")
    found = json.loads(out)
    assert code == 0 and found["games"] == found["legal"] == 6 and found["consistent_rulesets"] == ["original"]
    assert command("audit", "games.csv", "--quiet")[0] == 1
    Path("empty").write_text("")
    assert command("audit", "empty", "--quiet")[0] in (2, 4)
