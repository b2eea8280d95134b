"""The guide: its engine is written, its commands are run, and they print what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path


def commands(block):
    """The commands of a console block, each with what it should print."""
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]


def pattern(expected):
    """`...` on a line of its own stands for any lines, elsewhere for anything within a line."""
    lines = [r"(?:.*\n)*" if line.strip() == "..." else ".*".join(map(re.escape, line.split("..."))) + r"\n" for line in expected.splitlines()]
    return re.compile("".join(lines))


def patched(text, diff):
    """A file with the lines of a diff's minus replaced by those of its plus; the old ones must stand there exactly once."""
    old = "".join(line[1:] + "\n" for line in diff.splitlines() if line.startswith("-"))
    new = "".join(line[1:] + "\n" for line in diff.splitlines() if line.startswith("+"))
    assert text.count(old) == 1 and old and new
    return text.replace(old, new)


def test_the_walk_goes_as_the_page_says(blocks, tmp_path):
    """Every command of the guide, in order, in an empty folder, gives the exit code and the text that the page shows."""
    bin_folder = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "200"}
    for name in ("CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        environment.pop(name, None)
    engine = tmp_path / "tiny.py"
    seen = []
    for language, text in blocks("guide.md"):
        if language == "python":
            assert text.startswith("# tiny.py\n") and not engine.exists()
            engine.write_text(text, encoding="utf-8")
        elif language == "diff":
            engine.write_text(patched(engine.read_text(encoding="utf-8"), text), encoding="utf-8")
        else:
            assert language == "console"
            for command, expected in commands(text):
                ran = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=200)
                assert pattern(expected).fullmatch(ran.stdout), f"{command}\n{ran.stdout}{ran.stderr}"
                seen.append(command.split()[1])
    assert seen == ["smoke", "smoke", "check", "replay", "replay", "check", "compare"]
    assert {path.name for path in tmp_path.iterdir()} == {"tiny.py", "before", "after"}


def test_a_page_that_lies_is_found_out():
    """A pattern of the page accepts what it shows and nothing else."""
    page = pattern("a ... c\n...\nend\n")
    assert page.fullmatch("a b c\nx\ny\nend\n") and page.fullmatch("a b c\nend\n")
    assert not page.fullmatch("a b d\nend\n") and not page.fullmatch("a b c\nend\nmore\n") and not page.fullmatch("a b\nc\nend\n")
