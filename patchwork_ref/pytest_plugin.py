"""The pytest plugin: with ``--patchwork-engine``, every fixture is a test item whose name is the fixture's id.

    pytest --patchwork-engine "./quilt" --patchwork-tier gate --patchwork-baseline known-failures.jsonl -m patchwork

The fixtures' folder is added to what pytest collects; ``-m patchwork`` leaves them alone. Without the option nothing
happens, and nothing but this module is loaded. With pytest-xdist each worker has an engine of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from patchwork_ref.testing import Bench

BENCH = pytest.StashKey["Bench"]()
PARTING = pytest.StashKey[str]()


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    # pytest rewrites the assertions of every package that brings a plugin; ours are no tests, and it takes seconds.
    getattr(getattr(pluginmanager, "rewrite_hook", None), "_must_rewrite", set()).discard("patchwork_ref")
    group = parser.getgroup("patchwork", "conformance of a Patchwork engine")
    group.addoption("--patchwork-engine", metavar="ENGINE", help="A command line in quotes, python:module:Class, or what else 'patchwork-ref check' takes.")
    group.addoption("--patchwork-tier", choices=("quick", "gate", "full"), default="gate", help="How many fixtures; gate by default.")
    group.addoption("--patchwork-rules", metavar="NAMES", default="",
                    help="Comma-separated: a ruleset (original), readings (tie=draw), and rules (track/income, track) whose fixtures are kept.")
    group.addoption("--patchwork-baseline", metavar="FILE", help="Known failures; they become strict xfail.")
    group.addoption("--patchwork-suite", metavar="DIR", help="Other fixtures in place of the shipped ones.")
    group.addoption("--patchwork-timeout-scale", type=float, default=1.0, metavar="X", help="Multiplies every time limit.")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "patchwork: a conformance fixture, played on --patchwork-engine")
    if config.option.patchwork_engine:
        config.stash[BENCH] = bench = _bench(config)
        folder = _folder(config)
        config.args[:] = [_placed(argument, folder, bench, config) for argument in config.args]
        if not any(_holds(argument, folder, config) for argument in config.args):
            config.args.append(str(folder))
        if not bench.cases:
            raise pytest.UsageError("no Patchwork fixture is left: choose another --patchwork-tier, other --patchwork-rules or another --patchwork-suite")


def _bench(config: pytest.Config) -> Bench:
    """The engine and the fixtures chosen. Whatever cannot be used is one line, as for every wrong option."""
    from patchwork_ref.conformance.naming import target_of
    from patchwork_ref.errors import PatchworkRefError
    from patchwork_ref.report.baseline import read_baseline
    from patchwork_ref.report.plan import planned
    from patchwork_ref.rulebook.rulebook import load_rulebook
    from patchwork_ref.testing import Bench

    option = config.option
    names = [name.strip() for name in option.patchwork_rules.split(",") if name.strip()]
    try:
        rulebook = load_rulebook()
        ruleset = next((name for name in names if name in rulebook.rulesets), None)
        readings = [name for name in names if "=" in name]
        plan = planned(option.patchwork_engine, option.patchwork_tier, ruleset, readings, option.patchwork_suite, scale=option.patchwork_timeout_scale, rulebook=rulebook)
        plan = plan.about(name for name in names if name not in readings and name != ruleset)
        baseline = read_baseline(option.patchwork_baseline) if option.patchwork_baseline else None
        return Bench(plan, target_of(plan.engine, plan.rulebook, plan.machine), baseline)
    except PatchworkRefError as error:
        raise pytest.UsageError(str(error)) from None


def _folder(config: pytest.Config) -> Path:
    """Where the fixtures lie."""
    from patchwork_ref.fixtures.read import shipped

    suite = config.option.patchwork_suite
    return Path(config.invocation_params.dir, suite).resolve() if suite else shipped().resolve()


def _placed(argument: str, folder: Path, bench: Bench, config: pytest.Config) -> str:
    """A fixture's id, or an item as pytest prints it, as the file and item that it means."""
    if argument in bench.cases:
        return f"{folder / bench.cases[argument].fixture.file}.jsonl::{argument}"
    file = argument.partition("::")[0]
    return str(folder / argument) if not Path(config.invocation_params.dir, file).exists() and (folder / file).is_file() else argument


def _holds(argument: str, folder: Path, config: pytest.Config) -> bool:
    """Whether an argument names the fixtures or some of them already."""
    path = Path(config.invocation_params.dir, argument.split("::")[0]).resolve()
    return path == folder or folder in path.parents


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    bench = parent.config.stash.get(BENCH, None)
    if bench is None or file_path.suffix != ".jsonl":
        return None
    folder = _folder(parent.config)
    if file_path.resolve() != folder and file_path.resolve().parent != folder:
        return None
    elsewhere: dict[str, Any] = {} if parent.config.rootpath in file_path.parents else {"nodeid": file_path.name}
    return FixtureFile.from_parent(parent, path=file_path, **elsewhere)


class FixtureFile(pytest.File):
    """A file of fixtures."""

    def collect(self) -> Iterator[FixtureItem]:
        bench = self.config.stash[BENCH]
        for name, case in bench.cases.items():
            if case.fixture.file == self.path.stem:
                yield FixtureItem.from_parent(self, name=name)


class FixtureItem(pytest.Item):
    """One fixture, played on the engine."""

    def __init__(self, **known: Any) -> None:
        super().__init__(**known)
        bench = self.config.stash[BENCH]
        self.add_marker("patchwork")
        if (mark := bench.xfail(self.name)) is not None:
            self.add_marker(mark)
        self.user_properties += [("rule", rule) for rule in bench.cases[self.name].fixture.rules]

    def runtest(self) -> None:
        self.config.stash[BENCH].check(self.name)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any, **known: Any) -> Any:
        from patchwork_ref.testing import NotConforming

        return str(excinfo.value) if isinstance(excinfo.value, NotConforming) else super().repr_failure(excinfo, *args, **known)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.config.stash[BENCH].teller.lines[self.name] - 1, self.name


def pytest_collection_finish(session: pytest.Session) -> None:
    bench = session.config.stash.get(BENCH, None)
    errors = session.testsfailed or session.config.option.collectonly
    if bench is not None and not errors and not any(isinstance(item, FixtureItem) for item in session.items) and not _narrowed(session.config) and session.items:
        raise pytest.UsageError("no Patchwork fixture was collected, though --patchwork-engine is given")


def _narrowed(config: pytest.Config) -> bool:
    """Whether the user chose among the items himself."""
    return bool(config.option.keyword or config.option.markexpr or config.getoption("deselect", None) or config.getoption("lf", False))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Every engine is told bye; one that does not part as it should makes the run fail."""
    bench = session.config.stash.get(BENCH, None)
    failure = bench.close() if bench is not None else None
    worker = getattr(session.config, "workeroutput", None)
    if failure is not None and worker is not None:
        worker["patchwork_parting"] = failure.reason
    elif failure is not None:
        session.config.stash[PARTING] = failure.reason
    if session.config.stash.get(PARTING, "") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """What an xdist worker's engine did when it was told bye."""
    reason = getattr(node, "workeroutput", {}).get("patchwork_parting")
    if reason:
        node.config.stash[PARTING] = reason


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> Iterator[None]:
    yield
    if reason := config.stash.get(PARTING, ""):
        terminalreporter.write_line(f"the Patchwork engine did not part as it should: {reason}", red=True)


def pytest_unconfigure(config: pytest.Config) -> None:
    bench = config.stash.get(BENCH, None)
    if bench is not None:
        bench.supervisor.close()
