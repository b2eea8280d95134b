"""``fits``, ``square``, ``certificate`` and ``theorems``: placement, and the square of the special tile."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from patchwork_ref.cli.options import emit, emit_json, format_option, machine_of, read_file, rulebook_of, rules_options
from patchwork_ref.cli.waiting import watched
from patchwork_ref.errors import InputError

if TYPE_CHECKING:
    from patchwork_ref.machine.model import Machine
    from patchwork_ref.tiling.question import Piece
    from patchwork_ref.tiling.theorems import TheoremCheck


def board_text(board: str) -> str:
    """BOARD as given, or the text of the file that ``@file`` names."""
    return read_file(board.removeprefix("@")) if board.startswith("@") else board


def pieces(machine: Machine) -> dict[str, Piece]:
    """The regular patches of a Machine, in their order."""
    from patchwork_ref.tiling.question import Piece

    return {p.name: Piece(p.shape, p.numbers["cost"], p.numbers["time"], p.numbers["income"]) for p in machine.regular}


def constant(machine: Machine, name: str) -> Any:
    found = machine.constants.get(name)
    if found is None:
        raise InputError(f"this rulebook has no constant {name!r}, which this command needs")
    return found.value


@click.command()
@rules_options
@format_option()
@click.argument("patch")
@click.option("--quilt", metavar="BOARD", required=True, help="The quilt: rows of # and ., with or without / between them, or @file.")
@click.option("--method", type=click.Choice(["table", "z3", "enumeration"]), default="table", help="How to find out; they agree.")
def fits(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, patch: str, quilt: str, method: str) -> int:
    """Can a patch be placed on a quilt? Every placement, or that there is none (exit code 1)."""
    from patchwork_ref.polyomino import PictureError, board_from_text
    from patchwork_ref.report.tilings import fits_text
    from patchwork_ref.tiling.fits import fits as places

    machine = machine_of(rulebook_of(folder), ruleset, readings)
    known = {p.name: p for p in machine.patches}
    if patch not in known:
        raise InputError(f"unknown patch {patch!r}; known are {','.join(known)}")
    try:
        mask = board_from_text(board_text(quilt), machine.board)
    except PictureError as error:
        raise InputError(str(error)) from None
    found = places(known[patch].shape, machine.board, mask, bool(constant(machine, "flips")), method)
    if form == "json":
        emit_json({"fits": found.fits, "placements": found.cells()})
    else:
        emit(fits_text(patch, machine.board, mask, found.placements))
    return 0 if found.fits else 1


@click.command()
@rules_options
@format_option()
@click.option("--quilt", metavar="BOARD", help="The quilt: rows of # and ., with or without / between them, or @file.")
@click.option("--play", metavar="FILE", help="A trace: can its game be continued so that a square is filled, the opponent cooperating?")
@click.option("--patches", metavar="IDS", help="Patches that may still be placed, separated by commas; all when none are named.")
@click.option("--specials", type=int, default=0, help="How many special patches may still be placed.")
@click.option("--buttons", type=int, help="A bound on the summed cost of the patches placed.")
@click.option("--spaces", type=int, help="A bound on their summed time.")
@click.option("--routes", default="tree,z3", help="tree, z3, or both; both by default.")
@click.option("--seconds", type=click.FloatRange(0.01), default=10.0, help="How long to search.")
@click.option("--z3-seconds", type=click.FloatRange(0.01), default=5.0, help="How long Z3 may take to confirm.")
@click.option("--out", metavar="FILE", help="Also write the certificate.")
def square(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, quilt: str | None, play: str | None,
           patches: str | None, specials: int, buttons: int | None, spaces: int | None, routes: str, seconds: float, z3_seconds: float, out: str | None) -> int:
    """Can the square of the special tile still be filled on a quilt? A witness (exit code 0) or a certificate that it cannot (1)."""
    from patchwork_ref.machine.codec import dumps
    from patchwork_ref.report.tilings import square_text
    from patchwork_ref.tiling.question import ask
    from patchwork_ref.tiling.search import Limits
    from patchwork_ref.tiling.square import square as decide

    machine = machine_of(rulebook_of(folder), ruleset, readings)
    if (quilt is None) == (play is None):
        raise InputError("give either --quilt BOARD or --play FILE")
    if quilt is None:
        return _continued(machine, str(play), seconds, form, out)
    named = None if patches is None else [name for name in patches.split(",") if name]
    question = ask(pieces(machine), machine.board, int(constant(machine, "tile_side")), board_text(quilt), named, specials,
                   flips=bool(constant(machine, "flips")), buttons=buttons, spaces=spaces)
    decision = decide(question, [name for name in routes.split(",") if name], Limits(seconds=seconds), z3_seconds)
    certificate = decision.certificate()
    if out is not None and certificate is not None:
        Path(out).write_text(dumps(certificate) + "\n", encoding="utf-8")
    if form == "json":
        emit_json(decision.document())
    else:
        emit(square_text(decision, out))
    return {"possible": 0, "impossible": 1}.get(decision.verdict, 4)


def _continued(machine: Machine, file: str, seconds: float, form: str, out: str | None) -> int:
    """Question 3, for the state at the end of a trace."""
    from patchwork_ref.machine.codec import dumps, loads, trace_from_json, trace_to_json
    from patchwork_ref.playfacts.continuing import ASKS, continued
    from patchwork_ref.report.tilings import continuation_text

    found = continued(machine, trace_from_json(loads(read_file(file), file), file), seconds)
    trace = None if found.trace is None else trace_to_json(found.trace)
    if out is not None and trace is not None:
        Path(out).write_text(dumps(trace) + "\n", encoding="utf-8")
    if form == "json":
        emit_json({"verdict": found.verdict, "asks": ASKS, "note": found.note, "added": found.added, **({} if trace is None else {"trace": trace})})
    else:
        emit(continuation_text(found, out))
    return {"possible": 0, "impossible": 1}.get(found.verdict, 4)


@click.command()
@format_option()
@click.argument("file")
def certificate(form: str, file: str) -> int:
    """Checks a certificate with the separate checker, which trusts nothing else here; exit code 1 when it is refused."""
    from patchwork_ref.machine.codec import dumps, loads
    from patchwork_ref.tiling.checker import verify
    from patchwork_ref.tiling.theorems import unpacked

    text = read_file(file)
    document = loads(text, file)
    if isinstance(document, dict) and isinstance(document.get("certificate"), dict):
        document = document["certificate"]  # the document of ``square --format json``
    packed = isinstance(document, dict) and isinstance(document.get("windows"), str)
    sound, said = verify(dumps(unpacked(document) if packed else document))
    if form == "json":
        emit_json({"sound": sound, "verdict": said if sound else None, "reason": None if sound else said})
    else:
        emit(f"sound: it proves {said}" if sound else f"refused: {said}")
    return 0 if sound else 1


@click.command()
@rules_options
@format_option()
@click.argument("action", required=False, type=click.Choice(["verify"]))
@click.option("--folder", "shelf", metavar="DIR", help="Other theorems in place of the shipped ones.")
def theorems(folder: str | None, ruleset: str | None, readings: tuple[str, ...], form: str, action: str | None, shelf: str | None) -> int:
    """The extremal facts of the real game; ``theorems verify`` checks witnesses and certificates without the solver that found them."""
    from patchwork_ref.fixtures.read import shipped
    from patchwork_ref.playfacts import facts as played
    from patchwork_ref.report.tilings import theorems_text
    from patchwork_ref.tiling.theorems import stored, verify_theorem

    rulebook = rulebook_of(folder)
    machine = machine_of(rulebook, ruleset, readings)
    place = Path(shelf) if shelf is not None else shipped() / "theorems"
    try:
        facts = list(stored(place))
    except (OSError, ValueError) as error:
        raise InputError(f"{place}: {error}") from None
    if not facts:
        raise InputError(f"{place} holds no theorem; name a folder of *.json files")
    checks: list[TheoremCheck] | None = None
    if action == "verify":  # a fact of play names its own ruleset; what is tiled holds for the patches of the one chosen
        checks = [
            played.verify_play(fact, played.machine_of(fact, rulebook)) if played.is_play(fact) else verify_theorem(fact, pieces(machine), machine.board)
            for fact in watched(facts, lambda fact: str(fact.get("theorem", "?")))
        ]
    if form == "json":
        documents: list[dict[str, Any]] = [{key: fact[key] for key in ("theorem", "kind", "ruleset", "statement", "measure", "sense", "bounds") if key in fact} for fact in facts]
        for document, check in zip(documents, checks or (), strict=False):
            document |= {"holds": check.holds, "says": check.says}
        emit_json(documents)
    else:
        emit(theorems_text(facts, checks))
    return 0 if checks is None or all(check.holds for check in checks) else 1
