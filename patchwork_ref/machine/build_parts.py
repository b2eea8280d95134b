"""Board, patches, constants, what the table gives, the state's fields, and definitions."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from types import MappingProxyType

from patchwork_ref.lang import ast as t
from patchwork_ref.lang.read import Unreadable, read_expression
from patchwork_ref.lang.types import Type, Vocabulary
from patchwork_ref.machine.model import Constant, Definition, Field, Given, Patch, Value
from patchwork_ref.machine.reading import Reader, cites, items, maps, text
from patchwork_ref.polyomino import Board, PictureError, shape_from_picture
from patchwork_ref.rulebook.tree import Mapping, Scalar, Sequence, plain

LARGEST_SIDE = 16
"""Rows or columns of a quilt board; the row tables have 2 ** columns entries."""
NUMBERS = ("cost", "time", "income")


def build_board(tree: Mapping, reader: Reader) -> Board:
    node = tree.get("quilt_board")
    sides = []
    for key in ("rows", "columns"):
        value = node.get(key) if isinstance(node, Mapping) else None
        side = value.value if isinstance(value, Scalar) else None
        if not isinstance(side, int) or not 1 <= side <= LARGEST_SIDE:
            where = value.pos if value else (node or tree).pos
            reader.collector.add(where, "board", f"the quilt board has no usable number of {key}", f"give {key} between 1 and {LARGEST_SIDE}")
            side = 1
        sides.append(int(side))
    return Board(sides[0], sides[1])


def build_patches(tree: Mapping, board: Board, reader: Reader) -> tuple[Patch, ...]:
    """Regular patches in the order of the file, then special ones."""
    found: list[Patch] = []
    for section in ("patches", "special_patches"):
        for key, node in maps(tree.get(section)):
            picture = tuple(str(plain(row)) for row in items(node.get("picture")))
            try:
                shape = shape_from_picture(picture)
            except PictureError as error:
                reader.collector.add(key.pos, "shape", f"patch {key.value}: {error}", "draw one connected shape with rows of '#' and '.'")
                continue
            if len(picture) > board.rows or len(picture[0]) > board.columns:
                reader.collector.add(key.pos, "shape", f"patch {key.value} is larger than the quilt board", "draw a smaller one")
            if any(p.name == key.value for p in found):
                reader.collector.add(key.pos, "duplicate-key", f"two patches are called {key.value!r}", "rename one")
            numbers = {name: _integer(node.get(name)) for name in NUMBERS}
            for name in [n for n, number in numbers.items() if number is not None and number < 0]:
                reader.collector.add(key.pos, "negative", f"patch {key.value} has a negative {name}", "write 0 or more")
            found.append(Patch(name=str(key.value), says=text(node, "says"), pos=key.pos, shape=shape, picture=picture,
                               numbers=MappingProxyType({n: v or 0 for n, v in numbers.items()}), regular=section == "patches"))
    return tuple(found)


def _integer(node: object) -> int | None:
    value = node.value if isinstance(node, Scalar) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def build_constants(tree: Mapping, board: Board, patches: tuple[Patch, ...], reader: Reader) -> AbstractMapping[str, Constant]:
    """Constants in the order of the file; one may be worked out from those before it and from rows and columns."""
    found: dict[str, Constant] = {
        "rows": Constant(name="rows", says="The rows of a quilt board.", type=Type.INTEGER, value=board.rows),
        "columns": Constant(name="columns", says="The columns of a quilt board.", type=Type.INTEGER, value=board.columns),
    }
    for key, node in maps(tree.get("constants")):
        kind, value, expr = _constant(key, node, found, patches, reader)
        found[str(key.value)] = Constant(name=str(key.value), says=text(node, "says"), cite=cites(node), pos=key.pos, type=kind, value=value, expr=expr,
                                         sends=text(node, "sends") or None)
    last = found.get("last_space")
    for name, constant in found.items():
        if constant.type == Type.SPACES and last is not None and isinstance(last.value, int) and isinstance(constant.value, tuple):
            for space in constant.value:
                if isinstance(space, int) and not 0 <= space <= last.value:
                    reader.collector.add(constant.pos, "off-the-board", f"{name} names space {space}, the time board ends at {last.value}", "name a space of the board")
    return MappingProxyType(found)


def _constant(key: Scalar, node: Mapping, known: dict[str, Constant], patches: tuple[Patch, ...], reader: Reader) -> tuple[Type, Value, t.Expr | None]:
    written, value = node.get("is"), plain(node.get("is") or Scalar(0))
    kind = reader.type_named(node.get("type"), key) if node.get("type") is not None else None
    if kind == Type.PATCH:
        if value not in {p.name for p in patches}:
            reader.collector.add((written or key).pos, "unknown-patch", f"no patch is called {value!r}", "name a patch by its id")
        return Type.PATCH, str(value), None
    if isinstance(written, Sequence):
        spaces = [i for i in value if isinstance(i, int) and not isinstance(i, bool)] if isinstance(value, list) else []
        if len(spaces) != len(written.items) or len(set(spaces)) != len(spaces):
            reader.collector.add(written.pos, "spaces", f"{key.value} is not a list of different space numbers", "list integers, each once")
        return Type.SPACES, tuple(sorted(spaces)), None
    if isinstance(value, bool):
        return Type.TRUTH, value, None
    if isinstance(value, int):
        return Type.INTEGER, value, None
    try:
        expr = read_expression(str(value), written.text_pos if isinstance(written, Scalar) else key.pos, Vocabulary({n: c.type for n, c in known.items()}))
        return Type.INTEGER, folded(expr, known), expr
    except Unreadable as error:
        d = error.diagnostic
        reader.collector.add(d.position, d.code, d.message, d.hint)
    except ValueError as error:
        reader.collector.add(key.pos, "constant", f"{key.value}: {error}", "use integers, + - * and constants above it")
    return Type.INTEGER, 0, None


def folded(expr: t.Expr, known: AbstractMapping[str, Constant]) -> int:
    """The value of an integer expression over constants. Raises ValueError when it is something else."""
    match expr:
        case t.Integer(value=value):
            return value
        case t.Use(name=name) if name in known and isinstance(known[name].value, int):
            return int(known[name].value)  # type: ignore[arg-type]
        case t.Arithmetic(op=op, left=left, right=right):
            a, b = folded(left, known), folded(right, known)
            return a + b if op == "+" else a - b if op == "-" else a * b
    raise ValueError("not a sum or product of integers and constants")


def build_givens(tree: Mapping, reader: Reader) -> AbstractMapping[str, Given]:
    return MappingProxyType({
        str(key.value): Given(name=str(key.value), says=text(node, "says"), pos=key.pos, type=reader.vocabulary.table[str(key.value)],
                              otherwise=reader.expression(node.get("otherwise"), {}, reader.vocabulary.table[str(key.value)]))
        for key, node in maps(tree.get("table"))
    })


def build_fields(tree: Mapping, reader: Reader) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """The fields of the shared state and of a player's state, in the order of the file."""
    state = tree.get("state")
    groups = []
    for group in ("shared", "player"):
        found = []
        for key, node in maps(state.get(group) if isinstance(state, Mapping) else None):
            kind = reader.type_named(node.get("type"), key)
            if kind in (Type.PLAYERS, Type.PLACEMENTS):
                reader.collector.add(key.pos, "type", f"a field of the state cannot be of type {kind}", "choose another type")
            found.append(Field(name=str(key.value), says=text(node, "says"), pos=key.pos, type=kind))
        groups.append(tuple(found))
    for name in sorted({f.name for f in groups[0]} & {f.name for f in groups[1]}):
        reader.collector.add(next(f.pos for f in groups[1] if f.name == name), "duplicate-key", f"{name!r} is a shared field too", "rename one")
    return groups[0], groups[1]


def build_definitions(tree: Mapping, reader: Reader) -> AbstractMapping[str, Definition]:
    nodes = {str(k.value): (k, v) for k, v in maps(tree.get("definitions"))}
    bodies: dict[str, t.Expr] = {}
    reader.checker.bodies = bodies
    for name, (_, node) in nodes.items():
        takes = reader.vocabulary.definitions[name].takes
        written = node.get("is")
        body = _read_body(written, {"me": Type.PLAYER, **takes}, reader)
        if body is not None:
            bodies[name] = body
    found = {}
    for name, body in bodies.items():
        key, node = nodes[name]
        kind = reader.checker.definition(name, key.pos)
        if name in reader.vocabulary.constants:
            reader.collector.add(key.pos, "duplicate-key", f"a constant is called {name!r} too", "rename one")
        if kind is not None:
            found[name] = Definition(name=name, says=text(node, "says"), cite=cites(node), pos=key.pos, takes=reader.vocabulary.definitions[name].takes,
                                     body=body, type=kind, rule=text(node, "rule") or None)
    return MappingProxyType(found)


def _read_body(written: object, names: dict[str, Type], reader: Reader) -> t.Expr | None:
    """Reads without typing: the types of definitions that call each other come once all are read."""
    if not isinstance(written, Scalar):
        return None
    value = str(written.value).lower() if isinstance(written.value, bool) else str(written.value)
    try:
        return read_expression(value, written.text_pos, reader.vocabulary, names)
    except Unreadable as error:
        d = error.diagnostic
        reader.collector.add(d.position, d.code, d.message, d.hint)
        return None

