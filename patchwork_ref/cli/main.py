"""The table of commands, and what happens to errors: one line on standard error, exit code 2, no traceback."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

import click

from patchwork_ref import __version__
from patchwork_ref.cli.ending import Terminated
from patchwork_ref.errors import PatchworkRefError

COMMANDS: dict[str, tuple[str, str]] = {
    "check": ("check", "does an engine conform? the main job"),
    "smoke": ("check", "is an engine's adapter sound?"),
    "compare": ("compare", "two reports: what changed"),
    "report": ("compare", "show a report again, in any form"),
    "baseline": ("baseline", "write down what is known to fail"),
    "fuzz": ("fuzz", "random games against the reference, made short where they differ"),
    "replay": ("play", "replay a trace or fixture, here or on an engine"),
    "play": ("play", "play games, as transcript or traces"),
    "perft": ("play", "count sequences of legal actions"),
    "serve": ("serve", "the reference as an engine on standard streams"),
    "rules": ("rules", "the rulebook, or one rule, from the YAML"),
    "lint": ("rules", "every defect of a rulebook"),
    "mutate": ("mutate", "how strong is the suite? mutants of the rulebook against it"),
    "prove": ("prove", "the rulebook's properties, by induction with Z3"),
    "crosscheck": ("crosscheck", "engine, Z3, enumeration and oracle on the same questions"),
    "fits": ("square", "can a patch be placed on a quilt?"),
    "square": ("square", "can the square of the special tile still be filled?"),
    "certificate": ("square", "check a certificate with the separate checker"),
    "theorems": ("square", "the extremal facts, and their verification"),
    "audit": ("audit", "check recorded games"),
    "export": ("audit", "write games in another notation"),
    "fingerprint": ("ambiguity", "which reading of each ambiguity an engine follows"),
    "ambiguity": ("ambiguity", "what the sources leave open, and where readings part"),
    "fixtures": ("fixtures", "build or verify the golden data"),
}
"""Each command with its module in this package and one line; modules are imported only when their command is used."""


class _Lazy(click.Group):
    """Lists the table; loads the one command that is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found = getattr(import_module(f"patchwork_ref.cli.{COMMANDS[name][0]}"), name.replace("-", "_"))
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            raise click.UsageError(f"no command is called {args[0]!r}; {f'did you mean {near[0]}?' if near else 'see patchwork-ref --help'}")
        return super().resolve_command(ctx, args)


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}, no_args_is_help=False, invoke_without_command=True)
@click.option("--rulebook", metavar="DIR", help="Another rulebook in place of the shipped one; every command takes it too.")
@click.version_option(__version__, prog_name="patchwork-ref")
@click.pass_context
def cli(ctx: click.Context, rulebook: str | None) -> None:
    """The rules of Patchwork, pinned down, proved and tested.

    Main job: patchwork-ref check "./my-engine"
    """
    ctx.obj = {"rulebook": rulebook}
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(args: Sequence[str]) -> int:
    """Runs one command line. The exit code: 0 holds, 1 does not, 2 usage or rulebook, 3 engine process, 4 inconclusive."""
    try:
        with _ends_on_sigterm():
            result = cli.main(args=list(args), prog_name="patchwork-ref", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx is not None else "patchwork-ref"
        return _complain(f"{where}: {_line(error.format_message())}")
    except click.ClickException as error:
        return _complain(f"patchwork-ref: {_line(error.format_message())}")
    except PatchworkRefError as error:
        return _complain(str(error) if "\n" in str(error) else f"patchwork-ref: {error}")
    except Terminated:
        return _complain("patchwork-ref: ended by SIGTERM", 143)
    except (KeyboardInterrupt, click.Abort):
        return _complain("patchwork-ref: interrupted", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the flush at exit is quiet
        return 0
    except OSError as error:
        return _complain(f"patchwork-ref: {error.filename or 'a file'}: {error.strerror or error}")


@contextmanager
def _ends_on_sigterm() -> Iterator[None]:
    """Turns the first SIGTERM into ``Terminated``; only a main thread may."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the way out is not to be cut short
        raise Terminated("SIGTERM")

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _line(text: str) -> str:
    return " ".join(text.split())


def _complain(text: str, code: int = 2) -> int:
    print(text, file=sys.stderr)
    return code
