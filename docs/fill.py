"""Runs the commands of a page and puts in what they print: `python docs/fill.py docs/example-ambiguity.md`.

Commands stand in console blocks behind `$ `, each with what it prints; `...` there stands for any lines, or for anything
within a line, and is kept as long as it fits. What stands between `<!-- FILE -->` and `<!-- end -->` is the text of a file
that a command wrote, and `images/FILE.svg` is a picture that one wrote. A test asks the same with `check=True`: then
nothing is written, and what is not as the page has it is told.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INSERT = re.compile(r"^<!-- (\S+\.md) -->\n(.*?)^<!-- end -->$", re.DOTALL | re.MULTILINE)
PICTURE = re.compile(r"\]\(images/(\S+\.svg)\)")
PARTS = re.compile(r"^\$ ", re.MULTILINE)


def pattern(expected: str) -> re.Pattern[str]:
    """What a printed text must be like."""
    lines = [r"(?:.*\n)*" if line.strip() == "..." else ".*".join(map(re.escape, line.split("..."))) + r"\n" for line in expected.splitlines()]
    return re.compile("".join(lines))


def run(command: str, folder: Path) -> str:
    """What a command prints, on both streams."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "200"}
    for name in ("CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        environment.pop(name, None)
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def fill(page: Path, check: bool = False) -> list[str]:
    """What was not as the page has it; it is so afterwards, unless ``check``."""
    found: list[str] = []
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def ran(block: re.Match[str]) -> str:
            parts = []
            for part in PARTS.split(block.group(1))[1:]:
                command, _, expected = part.partition("\n")
                printed = run(command, folder)
                if not pattern(expected).fullmatch(printed):
                    found.append(f"{command} prints\n{printed}")
                    expected = printed
                parts.append(f"$ {command}\n{expected}")
            return "```console\n" + "".join(parts) + "```"

        def inserted(place: re.Match[str]) -> str:
            written = (folder / place.group(1)).read_text(encoding="utf-8").strip() + "\n"
            if written != place.group(2).strip() + "\n":
                found.append(f"{place.group(1)} is\n{written}")
            return f"<!-- {place.group(1)} -->\n{written}<!-- end -->"

        text = INSERT.sub(inserted, BLOCK.sub(ran, text))
        for picture in PICTURE.findall(text):
            drawn, kept = (folder / picture).read_bytes(), page.parent / "images" / picture
            if not kept.exists() or kept.read_bytes() != drawn:
                found.append(f"images/{picture} is drawn otherwise")
                if not check:
                    kept.parent.mkdir(exist_ok=True)
                    kept.write_bytes(drawn)
    if not check:
        page.write_text(text, encoding="utf-8")
    return found


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        for difference in fill(Path(argument)):
            print(f"{argument}: {difference}")
