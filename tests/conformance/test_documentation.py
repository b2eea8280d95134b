"""Is `docs/PROTOCOL.md` true: do its examples, its tables and its session say what the code does?"""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import jsonschema
import msgspec
import pytest
import yaml

from patchwork_ref.conformance import outcomes, protocol
from patchwork_ref.conformance.limits import CLASS_OF, DEFAULT_LIMITS
from patchwork_ref.conformance.process import ProcessTransport
from patchwork_ref.conformance.schemas import all_schemas
from patchwork_ref.conformance.targets import Command, parse_target


@pytest.fixture(scope="module")
def page(root) -> str:
    """The text of the page."""
    return (root / "docs" / "PROTOCOL.md").read_text()


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of one language."""
    return re.findall(rf"```{language}\n(.*?)\n```", page, re.DOTALL)


def table(page: str, heading: str) -> list[list[str]]:
    """The rows of the last table under a heading, cell by cell, without its own heading."""
    section = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]
    start = max(number for number, row in enumerate(rows) if set(row[0]) == {"-"})
    return rows[start + 1 :]


def talk(engine: str, requests: list[str]) -> list[Any]:
    """The replies of an engine to lines exactly as they stand on the page."""
    target = parse_target(engine)
    assert isinstance(target, Command)
    transport = ProcessTransport.spawn(target.argv)
    assert isinstance(transport, ProcessTransport)
    try:
        return [json.loads(transport.exchange(line.encode() + b"\n", 10)) for line in requests]
    finally:
        transport.kill()


def test_every_example_fits_its_schema(page):
    """Each request, reply and action on the page is valid under the published schema, and every operation has both."""
    schemas = all_schemas()
    seen, op = set(), ""
    action = msgspec.json.schema(protocol.Action)
    for block in blocks(page, "json"):
        message = json.loads(block)
        if "op" in message:
            op = message["op"]
            jsonschema.Draft202012Validator(schemas[f"{op}.request"]).validate(message)
            seen.add(f"{op}.request")
        elif "ok" in message:
            name = "apply" if "reject" in message else op
            jsonschema.Draft202012Validator(schemas[f"{name}.reply"]).validate(message)
            seen.add(f"{name}.reply")
        else:
            jsonschema.Draft202012Validator(action).validate(message)
            seen.add(message["type"])
    assert seen == {*schemas, "advance", "buy", "special"} - {"setup"}


def test_the_examples_are_one_true_game(page, sample_engine):
    """The numbers in the examples of the operations are those of the game that the examples play."""
    examples = [json.loads(block) for block in blocks(page, "json")]
    requests = [example for example in examples if "op" in example]
    replies = dict(zip([r["id"] for r in requests], talk(sample_engine, [json.dumps(r) for r in requests]), strict=True))
    shown = {example["id"]: example for example in reversed(examples) if example.get("ok") is True}
    for number in (2, 3, 6, 8, 9, 10):
        assert replies[number] == shown[number]
    assert all(action in replies[5]["actions"] for action in shown[5]["actions"])
    assert replies[4]["state"]["turn"] == shown[4]["state"]["turn"]
    for mine, theirs in zip(shown[4]["state"]["players"], replies[4]["state"]["players"], strict=True):
        assert mine.items() <= theirs.items()
    assert len(replies[5]["actions"]) == replies[6]["count"]


def test_the_session_is_what_an_engine_says(page, sample_engine):
    """The session on the page, sent line by line to the sample engine, gives the replies on the page."""
    (session,) = blocks(page, "session")
    lines = [line.split(" ", 1) for line in session.splitlines()]
    assert [mark for mark, _ in lines] == [">", "<"] * (len(lines) // 2)
    requests = [text for mark, text in lines if mark == ">"]
    wanted = [json.loads(text) for mark, text in lines if mark == "<"]
    assert json.loads(requests[-1])["op"] == "bye"
    found = talk(sample_engine, requests)
    for reply in (found[0], wanted[0]):
        del reply["engine"], reply["capabilities"]
    assert found == wanted


def test_the_session_fits_the_schemas(page):
    """Every line of the session is valid under the schema of its operation; `undo`, which nobody knows, fits any."""
    schemas = all_schemas()
    (session,) = blocks(page, "session")
    op = ""
    for line in session.splitlines():
        message = json.loads(line[2:])
        op = message.get("op", op)
        if op in protocol.ANSWERS:
            jsonschema.Draft202012Validator(schemas[f"{op}.{'request' if line[0] == '>' else 'reply'}"]).validate(message)


def test_the_tables_say_what_the_code_does(page):
    """Operations, time limits, reject codes, capabilities and fault names on the page are all there are."""
    assert [row[0].strip("`") for row in table(page, "Operations")] == list(protocol.ANSWERS)
    limits = msgspec.structs.asdict(DEFAULT_LIMITS)
    assert {row[0]: float(row[1]) for row in table(page, "Time limits")} == limits
    assert set(CLASS_OF.values()) == set(limits)
    assert {row[0].strip("`") for row in table(page, "Saying no")} == set(protocol.REJECT_CODES)
    faults = page.split("`protocol-error`, with one of the kinds")[1].split("\n- ")[0]
    assert set(re.findall(r"`([a-z0-9-]+)`", faults)) == set(get_args(outcomes.ProtocolFault))
    for name in protocol.CAPABILITIES:
        assert f"`{name}`" in page


def test_the_readings_on_the_page_are_those_of_the_rulebook(page, root):
    """The table of readings names every ambiguity of the shipped rulebook with all its readings, the default first."""
    rulebook = yaml.safe_load((root / "spec" / "patchwork" / "7-ambiguities.yaml").read_text())["ambiguities"]
    shown = {row[0].strip("`"): re.findall(r"`([^`]+)`", row[1]) for row in table(page, "Readings")}
    assert {name: set(readings) for name, readings in shown.items()} == {name: set(body["readings"]) for name, body in rulebook.items()}
    assert {name: readings[0] for name, readings in shown.items()} == {name: body["default"] for name, body in rulebook.items()}


def test_the_page_stands_alone(page, root):
    """Every relative link on the page leads somewhere, and every anchor to a heading."""
    headings = {re.sub(r"[^a-z0-9 -]", "", line[2:].strip().lower()).strip().replace(" ", "-")
                for line in page.splitlines() if line.startswith("## ")}  # fmt: skip
    for target in re.findall(r"\]\(([^)]+)\)", page):
        if target.startswith("#"):
            assert target[1:] in headings
        else:
            assert (root / "docs" / target).exists()
