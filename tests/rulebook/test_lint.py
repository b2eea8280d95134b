"""Is every defect of a rulebook reported at once, with its place, and is a sound rulebook left alone?"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import patchwork_ref as pr
from patchwork_ref.rulebook.rulebook import shipped

Copy = Callable[..., Path]


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """``copy("3-turn.yaml", old, new)`` gives a folder with the shipped rulebook and one text replaced."""
    def make(file: str | None = None, old: str = "", new: str = "") -> Path:
        folder = tmp_path / "rules"
        shutil.copytree(shipped(), folder, dirs_exist_ok=True)
        if file is not None:
            text = (folder / file).read_text()
            assert old in text, f"{old!r} is not in {file}"
            (folder / file).write_text(text.replace(old, new, 1))
        return folder

    return make


def test_the_shipped_rulebook_has_no_defect() -> None:
    """The rulebook that ships is sound under every reading and ruleset."""
    assert pr.lint() == ()


BAD = [
    ("3-turn.yaml", "me.buttons >= patch.cost", "me.buttons >= patch.price", "unknown-name", "price"),
    ("3-turn.yaml", "me.buttons >= patch.cost", "me.buttons + patch.cost", "type", ""),
    ("3-turn.yaml", "refuse: overlap", "refuse: overlapping", "reject-code", ""),
    ("3-turn.yaml", "turn/buy-pay, turn/buy-place", "turn/buy-pays, turn/buy-place", "unknown-rule", "turn/buy-pays"),
    ("3-turn.yaml", "    guard: not over\n", "", "rule-kind", "turn/not-over"),
    ("3-turn.yaml", "  turn/advance-pay:\n", "  turn/buy-pay:\n", "duplicate-key", "turn/buy-pay"),
    ("1-components.yaml", 'A: {picture: ["#", "#"]', 'A: {picture: ["#.", ".#"]', "shape", "not connected"),
    ("1-components.yaml", 'A: {picture: ["#", "#"]', 'A: {picture: ["#", "x"]', "shape", "'x'"),
    ("1-components.yaml", 'A: {picture: ["#", "#"]', 'A: {picture: ["#.", "#."]', "shape", "border"),
    ("1-components.yaml", "[5, 11, 17, 23, 29, 35, 41, 47, 53]", "[5, 11, 17, 23, 29, 35, 41, 47, 54]", "off-the-board", "54"),
    ("1-components.yaml", "is: 53, sends", "is: fifty, sends", "unknown-name", ""),
    ("1-components.yaml", "cost: 2, time: 1, income: 0", "cost: 2, tiem: 1, income: 0", "unknown-key", "tiem"),
    ("1-components.yaml", "type: patch, is: A", "type: patch, is: Q9", "unknown-patch", "Q9"),
    ("1-components.yaml", "cost: 2, time: 1, income: 0", "cost: -2, time: 1, income: 0", "negative", ""),
    ("2-setup.yaml", "turn: {type: player,", "turn: {type: gamer,", "unknown-type", "gamer"),
    ("2-setup.yaml", "player.special_tile: false", "player.special_tail: false", "unknown-name", "special_tail"),
    ("2-setup.yaml", "    starts: {turn: table.first_player}", "    starts: {turn: 3}", "type", ""),
    ("4-track.yaml", "for_each: mark in income_spaces", "for_each: mark of income_spaces", "syntax", ""),
    ("4-track.yaml", "me.pending += 1]", "me.pending += mark, me.quilt += 1]", "type", ""),
    ("4-track.yaml", "    says: The time token moves on, and stops on the last space.\n", "", "missing-key", "says"),
    ("5-end.yaml", "winner: winner", "winner: total", "type", ""),
    ("5-end.yaml", "is: first_finisher", "is: winner", "circular", "leads back"),
    ("5-end.yaml", "cite: [source-002 p5.1, rulebook Special tile]", "cite: [somewhere]", "citation", "somewhere"),
    ("7-ambiguities.yaml", "default: clockwise", "default: clockwize", "missing-reading", "clockwize"),
    ("7-ambiguities.yaml", "after: track/income}", "after: track/incomes}", "change", "track/incomes"),
    ("7-ambiguities.yaml", "definitions.token_place.is:", "definitions.token.is:", "change", "leads nowhere"),
    ("7-ambiguities.yaml", "  - first: purchase-order=move-then-place\n    then: tile-check=end-of-turn\n"
     "    says: The square is looked for at the end of the turn, wherever the placement stands.\n", "", "combine", ""),
    ("8-rulesets.yaml", "special-spaces: original", "special-spaces: ancient", "missing-reading", "ancient"),
    ("0-edition.yaml", "title: Patchwork", "titel: Patchwork", "missing-key", "title"),
    ("0-edition.yaml", "edition:", "editions:", "unknown-key", "editions"),
    ("0-edition.yaml", "  players: 2", "  players: !!python/object/apply:os.system [ls]", "yaml-tag", ""),
    ("0-edition.yaml", "  players: 2", "  players: &a 2\n  more: *a", "yaml-alias", ""),
    ("0-edition.yaml", "  players: 2", "  players: yes", "spelling", ""),
    ("0-edition.yaml", "  players: 2", "  players: 2\n players: 3", "yaml", ""),
    ("0-edition.yaml", "  players: 2", "  players: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[2]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", "yaml-depth", ""),
]


@pytest.mark.parametrize(("file", "old", "new", "code", "word"), BAD)
def test_each_defect_is_reported_where_it_stands(copy: Copy, file: str, old: str, new: str, code: str, word: str) -> None:
    """A defect gives a diagnostic with its code, naming the file it stands in, on one line with a hint."""
    found = pr.lint(copy(file, old, new))
    assert code in [d.code for d in found], [str(d) for d in found]
    hit = next(d for d in found if d.code == code and (not word or word in str(d)))
    assert hit.position.file.endswith(file) and hit.position.line >= 1 and hit.hint
    assert all("\n" not in str(d) for d in found)


def test_all_defects_come_at_once(copy: Copy) -> None:
    """Three unrelated mistakes give at least three diagnostics, ordered by file and line."""
    folder = copy("1-components.yaml", 'A: {picture: ["#", "#"]', 'A: {picture: ["#.", ".#"]')
    turn = folder / "3-turn.yaml"
    turn.write_text(turn.read_text().replace("me.buttons >= patch.cost", "me.coins >= 1").replace("refuse: overlap", "refuse: bad"))
    found = pr.lint(folder)
    assert len({d.position.line for d in found if d.position.file.endswith("3-turn.yaml")}) >= 2
    assert any(d.code == "shape" for d in found)
    assert list(found) == sorted(found, key=lambda d: (d.position.file, d.position.line, d.position.column))


@pytest.mark.parametrize(("content", "code"), [
    (b"", "empty"), (b"- a\n- b\n", "top-level"), (b"\xff\xfe\x00", "encoding"), (b"a: [1, 2\nb: }", "yaml"), (b"{", "yaml"), (b"a: 'x", "yaml"),
    (b"\x00\x01\x02", "yaml"), (b"just a text", "top-level"), (b"? [a, b]\n: 1\n", "key"), (b"a: {f(x, y)}\n", "key-without-value"),
])
def test_a_file_that_is_no_rulebook_is_a_diagnostic(tmp_path: Path, content: bytes, code: str) -> None:
    """Whatever bytes a file holds, lint says in its name what is wrong and never raises."""
    (tmp_path / "0-edition.yaml").write_bytes(content)
    found = pr.lint(tmp_path)
    assert code in [d.code for d in found] and all(d.position.file.endswith("0-edition.yaml") for d in found if d.code == code)


def test_a_file_of_fifty_megabytes_is_refused_unread(tmp_path: Path) -> None:
    """A file beyond the limit gives one diagnostic at once."""
    with (tmp_path / "big.yaml").open("wb") as file:
        file.truncate(50_000_000)
    assert "file-size" in [d.code for d in pr.lint(tmp_path)]


def test_an_anchor_bomb_is_refused_at_its_first_anchor(tmp_path: Path) -> None:
    """Anchors and aliases are refused before anything is expanded."""
    (tmp_path / "bomb.yaml").write_text("a: &a [x, x]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(20)))
    assert next(iter(pr.lint(tmp_path))).code == "yaml-alias"


def test_a_folder_that_is_not_there_is_a_diagnostic(tmp_path: Path) -> None:
    """A missing folder and a folder without YAML give a diagnostic, not an exception."""
    assert [d.code for d in pr.lint(tmp_path / "nowhere")] == ["file"] and [d.code for d in pr.lint(tmp_path)] == ["file"]


def test_no_damage_to_the_files_raises_anything_but_a_rulebook_error(copy: Copy) -> None:
    """Random damage (cut, doubled, swapped or emptied lines and characters) never gives a traceback."""
    folder, source = copy(), random.Random(7)
    files = sorted(folder.glob("*.yaml"))
    originals = {file: file.read_text() for file in files}
    for _ in range(50):
        file = source.choice(files)
        lines = originals[file].splitlines(keepends=True)
        for _ in range(source.randint(1, 3)):
            i = source.randrange(len(lines))
            match source.randrange(5):
                case 0:
                    lines.pop(i)
                case 1:
                    lines.insert(i, lines[i])
                case 2:
                    j = source.randrange(len(lines))
                    lines[i], lines[j] = lines[j], lines[i]
                case 3:
                    at = source.randrange(len(lines[i]))
                    lines[i] = lines[i][:at] + source.choice("{}[]:,'\"#&*!|>-?x0 ") + lines[i][at + 1 :]
                case _:
                    lines[i] = lines[i][: source.randrange(len(lines[i]))] + "\n"
            if not lines:
                break
        file.write_text("".join(lines))
        for diagnostic in pr.lint(folder):
            assert "\n" not in str(diagnostic)
        file.write_text(originals[file])
