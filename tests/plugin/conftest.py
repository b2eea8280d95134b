"""A project of somebody else: a small suite and a Python engine with single faults, in a folder of its own."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import hypothesis.extra  # noqa: F401
import pytest

import patchwork_ref.testing  # noqa: F401 - what is loaded before a run in this process need not be loaded in it again
from patchwork_ref.rulebook.model import Rulebook

IDS = ("illegal/one-button-short", "perft/letter-order-depth-1", "track-income/two-in-one-move", "track-special/landing-by-advance", "illegal/no-patch-field")


@pytest.fixture(scope="session")
def small_suite(suite_of: Callable[..., Path]) -> Path:
    """A folder with a few of the shipped fixtures."""
    return suite_of(*IDS)


@pytest.fixture
def project(pytester: pytest.Pytester, root: Path, rulebook: Rulebook, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """With `my_engine.py`: `Fine`, `Once`, `Generous` (buys on credit), `Crashing`, `Staying`, `Skipping`; the engine also runs as `python my_engine.py CLASS`."""
    monkeypatch.syspath_prepend(str(pytester.path))
    monkeypatch.setenv("PYTHONPATH", str(pytester.path))
    monkeypatch.setattr("patchwork_ref.rulebook.rulebook.load_rulebook", lambda folder=None: rulebook)  # read once for all
    monkeypatch.setattr("patchwork_ref.report.plan.load_rulebook", lambda folder=None: rulebook)
    pytester.makeini("[pytest]")
    monkeypatch.setenv("PYTEST_ADDOPTS", f"-p no:cacheprovider --rootdir={pytester.path}")
    pytester.makepyfile(my_engine=textwrap.dedent(f"""
        import importlib.util, json, os, sys, time
        spec = importlib.util.spec_from_file_location("plain_patchwork_for_plugin", {str(root / "engines" / "python" / "engine.py")!r})
        plain = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = plain
        spec.loader.exec_module(plain)

        class Fine:
            fault = ()
            def __init__(self):
                self.engine = plain.Engine(frozenset(self.fault))
            def handle(self, request):
                return self.engine.handle(request)

        class Once(Fine):
            fault = ("income-pays-once",)

        class Generous(Fine):
            def handle(self, request):
                reply = super().handle(request)
                code = reply.get("reject", {{}}).get("code")
                return {{"id": request["id"], "ok": True, "applied": len(request["actions"])}} if code == "too-few-buttons" else reply

        class Crashing(Fine):
            def handle(self, request):
                if request["op"] == "perft":
                    raise RuntimeError("no perft")
                return super().handle(request)

        class Skipping(Fine):
            def handle(self, request):
                if request["op"] == "perft":
                    return {{"id": request["id"], "ok": False, "skipped": {{"reason": "no perft yet"}}}}
                return super().handle(request)

        if __name__ == "__main__":
            engine = globals().get(sys.argv[1], Fine)()
            open(f"started-{{os.getpid()}}", "w").close()
            for line in sys.stdin:
                print(json.dumps(engine.handle(json.loads(line))), flush=True)
                if json.loads(line)["op"] == "bye" and sys.argv[1] != "Staying":
                    break
            while sys.argv[1] == "Staying":
                time.sleep(1)
    """))
    return pytester


@pytest.fixture
def run(project: pytest.Pytester, small_suite: Path) -> Callable[..., pytest.RunResult]:
    """`run("Once", "-k", "income")`: pytest with that engine in-process and the small suite."""

    def ran(engine: str, *more: str) -> pytest.RunResult:
        text = engine if ":" in engine or " " in engine else f"python:my_engine:{engine}"
        return project.runpytest_inprocess("--patchwork-engine", text, "--patchwork-suite", str(small_suite), *more)

    return ran
