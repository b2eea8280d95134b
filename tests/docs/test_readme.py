"""Is what the README shows what happens?"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path


def test_the_transcript_is_what_the_command_prints(root: Path, tmp_path: Path) -> None:
    """Every line of the README's transcript stands in the output of its command, in that order."""
    block = re.search(r"```\n\$ (patchwork-ref check .*?)\n(.*?)```", (root / "README.md").read_text(), re.DOTALL)
    assert block is not None
    (tmp_path / "engines").symlink_to(root / "engines")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment.pop("GITHUB_ACTIONS", None)
    done = subprocess.run(["bash", "-c", block.group(1)], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr  # on a slow box progress is told there
    at = 0
    for line in block.group(2).splitlines():
        if line and line != "...":
            assert line in done.stdout[at:], line
            at += done.stdout[at:].index(line) + len(line)


def test_every_link_leads_somewhere(root: Path) -> None:
    """Each file that the README and the pages in docs/ link to is there."""
    missing = []
    for page in [root / "README.md", *(root / "docs").rglob("*.md"), root / "fixtures" / "README.md"]:
        for link in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
            if "://" not in link and not (page.parent / link).exists():
                missing.append(f"{page.relative_to(root)}: {link}")
    assert not missing
