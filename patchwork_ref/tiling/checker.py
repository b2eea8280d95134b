"""Checks a certificate (format 1, explained in docs/square.md) with the standard library alone: python checker.py FILE"""
import json
import sys
from pathlib import Path
from typing import Any


def need(holds: object, reason: str) -> None:
    if not holds:
        raise ValueError(reason)

def whole(value: Any, low: int, high: int) -> int:
    need(type(value) is int and low <= value <= high, f"a whole number from {low} to {high} is needed")
    return int(value)
def placements(rows: int, columns: int, drawn: Any, flips: bool) -> dict[int, list[int]]:
    """For each cell the masks with which the drawn patch, turned and perhaps flipped, covers it, by ascending cell lists."""
    need(type(drawn) is list and len(drawn) <= 20 and all(type(row) is str and len(row) <= 20 and {*row} <= {*"#."} for row in drawn), "a patch is no picture of # and .")
    cells, found, through = [(r, c) for r, row in enumerate(drawn) for c, sign in enumerate(row) if sign == "#"], set(), dict[int, list[int]]()
    for turn in range(8 if flips else 4):
        cells = [(r, -c) for r, c in cells] if turn == 4 else [(c, -r) for r, c in cells]
        downs, rights = range(-min(r for r, _ in cells), rows - max(r for r, _ in cells)), range(-min(c for _, c in cells), columns - max(c for _, c in cells))
        found |= {tuple(sorted((r + down) * columns + c + right for r, c in cells)) for down in downs for right in rights}
    for listed in sorted(found):
        for cell in listed:
            through.setdefault(cell, []).append(sum(1 << c for c in listed))
    return through
def check(document: Any) -> str:
    """The verdict that the certificate proves; any exception says that it proves none."""
    asked, verdict, _ = document["question"], document["verdict"], whole(document["format"], 1, 1)
    rows, columns, quilt, flips = whole(asked["rows"], 1, 20), whole(asked["columns"], 1, 20), asked["quilt"], asked.get("flips", True)
    side, most, patches = whole(asked["side"], 1, min(rows, columns)), whole(asked["specials"], 0, 400), asked["patches"]
    need(type(quilt) is str and len(quilt) == rows * columns and {*quilt} <= {*"#."} and type(flips) is bool, "the quilt or flips are wrong")
    fits = {name: placements(rows, columns, drawn, flips) for name, drawn in patches.items()}
    size = {name: "".join(drawn).count("#") for name, drawn in patches.items()}
    kinds = [(whole(asked["budget"][bound], 0, 10**9), key) for bound, key in (("buttons", "cost"), ("spaces", "time")) if bound in asked.get("budget", {})]
    prices, money = {name: [whole(asked[key][name], 0, 10**6) for _, key in kinds] for name in patches}, [bound for bound, _ in kinds]
    lying, ends = sum(1 << cell for cell, sign in enumerate(quilt) if sign == "#"), (rows - side + 1, columns - side + 1)
    windows = {(r, c): sum(1 << i * columns + j for i in range(r, r + side) for j in range(c, c + side)) for r in range(ends[0]) for c in range(ends[1])}
    def walk(tree: Any, hole: int, taken: int, left: list[str], specials: int, money: list[int]) -> None:
        """Takes one subtree off the tree: ``hole`` is still needed, ``left`` are the patches, ``money`` what the budgets still allow."""
        mark, goal = next(tree), hole.bit_count() - specials
        need(type(mark) is int and (hole or mark == -2), "a tree ends early, goes on where nothing is needed, or holds no whole number")
        if mark == -1:
            return need(goal > sum(size[name] for name in left), "a -1 where the areas suffice")
        if mark == -2:  # for some budget even the cheapest patches with so many cells, wherever they lie, cost too much
            least = [[0] + [10**9 + 1] * max(goal, 0) for _ in money]
            for name, area in ((name, area) for name in left for area in range(goal, 0, -1)):
                for row, price in zip(least, prices[name], strict=True):
                    row[area] = min(row[area], row[max(area - size[name], 0)] + price)
            return need(any(row[-1] > m for row, m in zip(least, money, strict=True)), "a -2 within the budgets")
        need(mark >= 0 and hole >> mark & 1, "a branch on a cell that is not needed")
        for name in left:
            for mask in [m for m in fits[name].get(mark, []) if not m & taken]:
                walk(tree, hole & ~mask, taken | mask, [n for n in left if n != name], specials, [m - p for m, p in zip(money, prices[name], strict=True)])
        if specials:
            walk(tree, hole & ~(1 << mark), taken | 1 << mark, left, specials - 1, money)
    if verdict == "impossible":
        need([(given["row"], given["column"]) for given in document["windows"]] == [*windows], "not every window, or not in order")
        for given, window in zip(document["windows"], windows.values(), strict=True):
            walk(tree := iter([*given["tree"], None]), window & ~lying, lying, [*patches], most, money)
            need(next(tree, 0) is None, "a tree goes on after its end")
        return "impossible"
    need(verdict == "possible", "the verdict is neither possible nor impossible")
    for name, cells in ((placed["patch"], [whole(cell, 0, rows * columns - 1) for cell in placed["cells"]]) for placed in document["placements"]):
        mask, most = sum(1 << cell for cell in cells), most - (name == "special")
        need(most >= 0 and len(cells) == 1 if name == "special" else mask in fits.pop(name).get(cells[0], []), f"patch {name} cannot lie so")
        need(not lying & mask, f"patch {name} lies on filled cells")
        lying, money = lying | mask, [m - p for m, p in zip(money, prices.get(name, [0, 0]), strict=False)]
    row, column = whole(document["window"]["row"], 0, 19), whole(document["window"]["column"], 0, 19)
    need(min([0, *money]) == 0 and not windows[row, column] & ~lying, "the square is not filled, or a budget is exceeded")
    return "possible"
def verify(source: str | bytes | Path) -> tuple[bool, str]:
    try:  # whether the JSON proves its verdict, and that verdict or why it proves none; never raises
        return True, check(json.loads(source.read_bytes() if isinstance(source, Path) else source))
    except Exception as error:
        return False, " ".join(f"{type(error).__name__}: {error}".split())[:200]
if __name__ == "__main__":
    sound, said = verify(Path(sys.argv[1]))
    sys.exit(0 if sound and not print(said) else f"refused: {said}")
