"""Is a changed verdict told as a game that a person can play?"""

from __future__ import annotations

from patchwork_ref.fixtures.verify import Difference
from patchwork_ref.report.differences import SHOWN, differences_json, differences_text


def test_the_shortest_game_comes_first_and_nothing_is_left_out() -> None:
    """Differences are told by the length of their games, no line is wide, every name is there, and the rest are counted."""
    found = [Difference(f"made-up/game-{n}", n, "one thing", "another", ("buy Q on 0,1,10,11,18,19",) * n) for n in range(SHOWN + 5, 0, -1)]
    text = differences_text(found)
    assert text.startswith("made-up/game-1, step 1\n  the file says: one thing\n  the rulebook gives: another\n  after 1 actions: buy Q on")
    assert max(map(len, text.splitlines())) <= 100 and text.endswith(f"{len(found)} differences")
    assert all(f"made-up/game-{n}" in text for n in range(1, SHOWN + 6)) and "and 5 more" in text
    assert [entry["game"] for entry in differences_json(found)] == [list(d.game) for d in found]
