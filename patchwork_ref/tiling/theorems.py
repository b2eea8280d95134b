"""Extremal facts of a set of patches, and how to check them without the solver that found them.

A theorem is a JSON object: ``statement`` in words, ``measure`` (patches, time, buttons or income), ``sense`` (least or
most), ``bounds`` (both equal when it is settled), a ``witness`` (a possible certificate) for the attained bound and a
``refutation`` for the other. This module imports the checker and arithmetic, no search.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from patchwork_ref.polyomino import Board, cells_of, placements
from patchwork_ref.tiling.checker import verify as check_certificate
from patchwork_ref.tiling.question import SPECIAL, Piece, picture

LARGEST_TREES = 1 << 28
"""Bytes that packed trees may unfold to."""


@dataclass(frozen=True, slots=True)
class TheoremCheck:
    """Whether the evidence in the file proves the statement; ``says`` names what was checked, or the first flaw."""

    name: str
    holds: bool
    says: str


class _Flaw(Exception):
    """The evidence does not prove the statement."""


def stored(folder: Path) -> Iterator[dict[str, Any]]:
    """The theorems in the files of a folder, by file name."""
    for path in sorted(folder.glob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))


def verify_theorem(theorem: Mapping[str, Any], library: Mapping[str, Piece], board: Board) -> TheoremCheck:
    """Checks witness and refutation of a theorem about these patches on the empty board; never raises."""
    name = str(theorem.get("theorem", "?"))
    try:
        return TheoremCheck(name, True, _Check(theorem, library, board).run())
    except _Flaw as flaw:
        return TheoremCheck(name, False, str(flaw))
    except Exception as error:
        return TheoremCheck(name, False, f"the file is malformed: {type(error).__name__}: {error}")


def packed(certificate: Mapping[str, Any]) -> dict[str, Any]:
    """The certificate with its windows as base64 of zlib of JSON: long trees shrink some thirtyfold."""
    text = json.dumps(certificate["windows"], separators=(",", ":")).encode()
    return {**certificate, "windows": base64.b64encode(zlib.compress(text, 9)).decode()}


def packed_all(certificates: Sequence[Mapping[str, Any]]) -> str:
    """Many certificates as one text, base64 of zlib of JSON."""
    return base64.b64encode(zlib.compress(json.dumps(certificates, separators=(",", ":")).encode(), 9)).decode()


def unpacked_all(certificates: str | Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The certificates as the checker reads them; undoes ``packed_all`` and ``packed`` where they were done."""
    listed = json.loads(zlib.decompressobj().decompress(base64.b64decode(certificates), LARGEST_TREES)) if isinstance(certificates, str) else certificates
    return [unpacked(certificate) for certificate in listed]


def unpacked(certificate: Mapping[str, Any]) -> dict[str, Any]:
    """The certificate as the checker reads it; undoes ``packed`` where it was done."""
    windows = certificate.get("windows")
    if not isinstance(windows, str):
        return dict(certificate)
    text = zlib.decompressobj().decompress(base64.b64decode(windows), LARGEST_TREES)
    return {**certificate, "windows": json.loads(text)}


def proved(certificate: Mapping[str, Any], verdict: str) -> Mapping[str, Any]:
    """The question of a certificate that the checker accepts. Raises ValueError when it refuses it, or when it proves another verdict."""
    sound, said = check_certificate(json.dumps(certificate))
    if not sound or said != verdict:
        raise ValueError(f"a certificate proves {said}" if sound else f"a certificate is refused: {said}")
    asked: Mapping[str, Any] = certificate["question"]
    return asked


class _Check:
    def __init__(self, theorem: Mapping[str, Any], library: Mapping[str, Piece], board: Board) -> None:
        self.theorem, self.library, self.board = theorem, library, board
        self.side = int(theorem["side"])
        self.low, self.high = (int(bound) for bound in theorem["bounds"])
        measure = theorem["measure"]
        self.price = {name: _price(piece, measure) for name, piece in library.items()}
        self.pictures = {name: picture(piece.shape) for name, piece in library.items()}

    def run(self) -> str:
        attained = self.high if self.theorem["sense"] == "least" else self.low
        value = self._witness(self.theorem["witness"])
        _need(value == attained, f"the witness has {value}, the statement says {attained}")
        if self.theorem["sense"] == "most":
            best = most_value(list(self.library.values()), list(self.price.values()), self.board.cells)
            _need(best <= self.high, f"by areas {best} is not excluded")
            return f"witness {value}; more than {self.high} excluded by areas"
        return f"witness {value}; less than {self.low} excluded by {self._refutation(self.theorem['refutation'])}"

    def _witness(self, certificate: Mapping[str, Any]) -> int:
        self._proves(certificate, "possible")
        names = [placed["patch"] for placed in certificate["placements"]]
        _need(self.theorem["sense"] == "most" or SPECIAL not in names, "the witness uses special patches")
        return sum(self.price[name] for name in names if name != SPECIAL)

    def _proves(self, certificate: Mapping[str, Any], verdict: str, empty: bool = True) -> Mapping[str, Any]:
        """The certificate holds, and it speaks of these patches, on the empty board unless a quilt is allowed."""
        try:
            asked = proved(certificate, verdict)
        except ValueError as error:
            raise _Flaw(str(error)) from None
        _need([asked["rows"], asked["columns"], asked["side"]] == [self.board.rows, self.board.columns, self.side], "another board or square")
        _need((asked["quilt"] == "." * self.board.cells or not empty) and asked.get("flips", True) is True, "the quilt is not empty, or no flips")
        _need(all(self.pictures.get(name) == drawn for name, drawn in asked["patches"].items()), "another picture of a patch")
        return asked

    def _refutation(self, refutation: Mapping[str, Any]) -> str:
        area, limit = self.side**2, self.low - 1
        sizes = [piece.size for piece in self.library.values()]
        if refutation["by"] == "areas":
            _need(not list(affordable_sets(sizes, list(self.price.values()), limit, area)), "the areas do not exclude it")
            return "areas"
        if refutation["by"] == "first":
            return self._laid_first(refutation, limit)
        asked = [self._proves(certificate, "impossible") for certificate in unpacked_all(refutation["certificates"])]
        _need(all(question["specials"] == 0 for question in asked), "a certificate has special patches")
        if refutation["by"] == "budget":
            (question,) = asked
            _need(list(question["patches"]) == list(self.library), "the certificate leaves patches out")
            bound, key = ("buttons", "cost") if self.theorem["measure"] == "buttons" else ("spaces", "time")
            _need(question["budget"] == {bound: limit} and question[key] == self.price, "another budget or other prices")
            return "a certificate with a budget"
        _need(refutation["by"] == "sets" and not any("budget" in question for question in asked), "no certificates without budget")
        refuted = [frozenset(question["patches"]) for question in asked]
        names = list(self.library)
        sets = [frozenset(names[index] for index in one) for one in affordable_sets(sizes, list(self.price.values()), limit, area)]
        for one in sets:
            _need(any(one <= done for done in refuted), f"nothing excludes {','.join(sorted(one))}")
        return f"{len(refuted)} certificates, which cover all {len(sets)} sets of patches that are cheap and large enough"


    def _laid_first(self, refutation: Mapping[str, Any], limit: int) -> str:
        """Every set of patches that is cheap enough and exactly as large as the board has a certificate for each way to lay one of its patches
        first. Ways that a turn or reflection of the board carries into each other need one certificate: it carries the whole filling."""
        _need(self.side == self.board.rows == self.board.columns, "only the whole board can be filled exactly")
        first, names = refutation["first"], list(self.library)
        ways = {min(moved(mask, self.board)) for mask in placements(self.library[first].shape, self.board, True)}
        refuted: dict[frozenset[str], set[int]] = {}
        for certificate in unpacked_all(refutation["certificates"]):
            asked = self._proves(certificate, "impossible", empty=False)
            _need(asked["specials"] == 0 and "budget" not in asked and first not in asked["patches"], "a certificate asks something else")
            quilt = sum(1 << cell for cell, filled in enumerate(asked["quilt"]) if filled == "#")
            refuted.setdefault(frozenset(asked["patches"]), set()).add(min(moved(quilt, self.board)))
        sizes = [piece.size for piece in self.library.values()]
        sets = [one for one in affordable_sets(sizes, list(self.price.values()), limit, self.board.cells) if sum(sizes[i] for i in one) == self.board.cells]
        for one in sets:
            others = frozenset(names[index] for index in one) - {first}
            _need(len(others) < len(one), f"{first} is not among {','.join(sorted(others))}")
            _need(any(others <= done and ways <= laid for done, laid in refuted.items()), f"nothing excludes {first} with {','.join(sorted(others))}")
        return f"{sum(map(len, refuted.values()))} certificates, for {len(sets)} sets of patches and {len(ways)} ways to lay {first} first"


def moved(mask: int, board: Board) -> list[int]:
    """Where the turns and reflections of a square board carry a mask."""
    cells, end = [divmod(cell, board.columns) for cell in cells_of(mask)], board.rows - 1
    found = []
    for down, right, across in product((False, True), repeat=3):
        turned = [(end - r if down else r, end - c if right else c) for r, c in cells]
        found.append(sum(1 << (c * board.columns + r if across else r * board.columns + c) for r, c in turned))
    return found


def affordable_sets(sizes: Sequence[int], costs: Sequence[int], price: int, area: int) -> Iterator[tuple[int, ...]]:
    """Every set of indices with cost at most ``price`` and size at least ``area``; by plain recursion with a bound."""

    @cache
    def reach(place: int, money: int) -> int:
        if place == len(sizes):
            return 0
        skip = reach(place + 1, money)
        return max(skip, sizes[place] + reach(place + 1, money - costs[place])) if costs[place] <= money else skip

    def choose(place: int, money: int, missing: int) -> Iterator[tuple[int, ...]]:
        if money < 0 or reach(place, money) < missing:
            return
        if place == len(sizes):
            yield ()
            return
        for rest in choose(place + 1, money - costs[place], missing - sizes[place]):
            yield (place, *rest)
        yield from choose(place + 1, money, missing)

    return choose(0, price, area)


def _price(piece: Piece, measure: str) -> int:
    return {"patches": 1, "time": piece.time, "buttons": piece.cost, "income": piece.income}[measure]


def most_value(pieces: Sequence[Piece], values: Sequence[int], cells: int) -> int:
    """The largest sum of values of pieces whose sizes together are at most ``cells``."""
    best = [0] * (cells + 1)
    for piece, value in zip(pieces, values, strict=True):
        for area in range(cells, piece.size - 1, -1):
            best[area] = max(best[area], best[area - piece.size] + value)
    return best[cells]


def _need(holds: bool, reason: str) -> None:
    if not holds:
        raise _Flaw(reason)
