"""Is the house as the README draws it, and does every room keep the house rules?"""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import patchwork_ref as pr

SIDES = {"cli", "spec", "fixtures", "engines", "docs", "benchmarks", "tests"}


def _picture(root: Path) -> str:
    found = re.search(r"## The house\n(.*?)\n## ", (root / "README.md").read_text(), re.DOTALL)
    assert found is not None
    return found.group(1)


def test_every_room_is_in_the_picture_and_every_box_is_a_room(root: Path) -> None:
    """The folders and files that the README's picture names are exactly those of the package."""
    drawn = set(re.findall(r"\b([a-z_]+)(?:/|\.py\b)", _picture(root)))
    rooms = {p.name for p in (root / "patchwork_ref").iterdir() if p.is_dir() and (p / "__init__.py").exists()}
    rooms |= {p.stem for p in (root / "patchwork_ref").glob("*.py") if not p.stem.startswith("__")}
    assert rooms - drawn == set(), "rooms that the picture does not show"
    assert {box for box in drawn if not (root / box).exists() and not (root / "spec" / box).exists()} - rooms == set(), "boxes without a room"


def test_no_module_is_a_room_of_its_own(root: Path) -> None:
    """No module of the package has more than 400 lines."""
    long = {str(p.relative_to(root)): n for p in (root / "patchwork_ref").rglob("*.py") if (n := len(p.read_text().splitlines())) > 400}
    assert not long


def test_every_module_says_what_it_is_for(root: Path) -> None:
    """Each module of the package and each test module begins with a docstring."""
    mute = [str(p.relative_to(root)) for folder in ("patchwork_ref", "tests", "benchmarks") for p in (root / folder).rglob("*.py")
            if p.read_text().strip() and ast.get_docstring(ast.parse(p.read_text())) is None]
    assert not mute


def test_every_test_states_its_law(root: Path) -> None:
    """Each test function has a docstring of one paragraph that states the law it checks."""
    mute = []
    for path in (root / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                law = ast.get_docstring(node)
                if law is None or "\n\n" in law or not law.endswith((".", "?")):
                    mute.append(f"{path.relative_to(root)}::{node.name}")
    assert not mute


def test_the_project_stands_alone(root: Path) -> None:
    """No text of the project names a path outside of it; what git does not track is no part of it, where there is git."""
    tracked = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True).stdout.split()
    if not tracked:  # a copy without git: all but what a set-up makes
        names = [path.relative_to(root) for path in root.rglob("*")]
        tracked = [str(name) for name in names if not any(part.startswith(".") or part in ("build", "dist", "out", "__pycache__") for part in name.parts)]
    assert "README.md" in tracked
    outside = re.compile(r"\.\./" + r"shared|/" + r"work/")
    assert not [name for name in tracked if (root / name).suffix in (".py", ".md", ".yaml", ".toml", ".mjs", ".jsonl", ".json", "") and (root / name).is_file()
                and outside.search((root / name).read_text(errors="ignore"))]


def test_every_public_name_is_there() -> None:
    """Each name in ``patchwork_ref.__all__`` can be had, and its own documentation says what it is."""
    for name in pr.__all__:
        found = getattr(pr, name)
        assert isinstance(found, str) or found.__doc__


def test_the_rulebook_alone_knows_the_numbers(root: Path) -> None:
    """The modules that play, print or prove hold none of the game's telling numbers."""
    telling = {53, 162, 33, 166}
    found = []
    for folder in ("lang", "machine", "engine", "prose", "symbolic", "fixtures", "conformance", "mutation"):
        for path in (root / "patchwork_ref" / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Constant) and type(node.value) is int and node.value in telling:
                    found.append(f"{path.relative_to(root)}:{node.lineno}: {node.value}")
    assert not found
