"""Are the games of two readings played fairly side by side, and are the figures what the games say?"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import isclose
from pathlib import Path
from xml.etree import ElementTree

import pytest

from patchwork_ref.ambiguity import Laboratory, Profiles
from patchwork_ref.ambiguity.impact import WITNESS, Contest, Impact, known_policies, measure, policy_of, replayed, rows_of
from patchwork_ref.ambiguity.impact_figures import BLOCK, digest, figures, wilson
from patchwork_ref.ambiguity.impact_game import Opening, Pair, Result
from patchwork_ref.ambiguity.impact_store import Stored, contest_of, read_impacts, write_impacts
from patchwork_ref.engine.compile import Option
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.policies import POLICIES
from patchwork_ref.errors import InputError
from patchwork_ref.fixtures import Fixture
from patchwork_ref.machine.state import State
from patchwork_ref.report.impact import impact_text, in_short, tables
from patchwork_ref.report.impact_plot import impact_svg
from patchwork_ref.rulebook.model import Rulebook

from .conftest import ROOT

PURCHASE = Contest("purchase-order", ("place-then-move", "move-then-place"))


def sides(profiles: Profiles, ambiguity: str, readings: Sequence[str]) -> Pair:
    a, b = (profiles.engine({**profiles.rulebook.readings(), ambiguity: r}) for r in readings)
    assert a is not None and b is not None
    return Pair(a, b)


def again(rulebook: Rulebook, impact: Impact, policy: str, block: int) -> str:
    """The digest of a stored block, played once more."""
    first = block * BLOCK
    return digest(replayed(rulebook, rulebook.readings(), impact.contest, policy, impact.seed, first, min(BLOCK, impact.games - first)))


@pytest.fixture(scope="module")
def laboratory(rulebook: Rulebook, fixtures: tuple[Fixture, ...]) -> Laboratory:
    return Laboratory(rulebook, fixtures)


@pytest.fixture(scope="module")
def stored(laboratory: Laboratory) -> Stored:
    return read_impacts(laboratory, ROOT / "fixtures" / "impact.json")


@pytest.mark.parametrize("name", ["random", "hoarder", "mixed"])
def test_a_reading_beside_itself_never_parts(profiles: Profiles, name: str) -> None:
    """Under one and the same rules no game parts, no choice would part it, and both sides end alike."""
    pair = sides(profiles, "tie", ("draw", "draw"))
    for number in range(6):
        game = pair.game(3, name, POLICIES[name], number)
        assert (game.parted, game.open, game.what, game.finished) == (None, None, "", True)
        assert game.scores[0] == game.scores[1] and game.winners[0] == game.winners[1]


@pytest.mark.parametrize(("ambiguity", "name"), [("purchase-order", "random"), ("special-spaces", "greedy"), ("marker-trigger", "hoarder")])
def test_each_side_plays_what_its_policy_plays_alone(profiles: Profiles, ambiguity: str, name: str) -> None:
    """Where both readings allow the same, pairing changes neither game: each ends as it does when its own rules stand on both sides."""
    a, b = profiles.rulebook.ambiguities[ambiguity].readings
    both, one, other = (sides(profiles, ambiguity, names) for names in ((a, b), (a, a), (b, b)))
    for number in range(6):
        game = both.game(1, name, POLICIES[name], number)
        assert game.scores == (one.game(1, name, POLICIES[name], number).scores[0], other.game(1, name, POLICIES[name], number).scores[0])


@pytest.mark.parametrize("ambiguity", ["turning", "unplaceable-patch", "special-patch-timing", "purchase-order", "tie"])
def test_the_order_of_the_readings_does_not_matter(profiles: Profiles, ambiguity: str) -> None:
    """With the readings exchanged the same games are played, whichever side allows more."""
    a, b, *_ = profiles.rulebook.ambiguities[ambiguity].readings
    one, other = sides(profiles, ambiguity, (a, b)), sides(profiles, ambiguity, (b, a))
    for number in range(8):
        game, mirrored = (pair.game(0, "random", POLICIES["random"], number) for pair in (one, other))
        assert (game.parted, game.what, game.scores, game.winners) == (mirrored.parted, mirrored.what, mirrored.scores[::-1], mirrored.winners[::-1])


def test_a_larger_choice_is_shared_as_far_as_it_goes(profiles: Profiles) -> None:
    """Where one reading only forbids some actions of the other, the larger side alone chooses until it takes what the other forbids, and there the games part."""
    pair = sides(profiles, "turning", ("turns-and-flips", "turns-only"))
    asked: list[Engine] = []

    def choose(engine: Engine, state: State, options: list[Option], source: random.Random) -> tuple[Option, int]:
        asked.append(engine)
        return POLICIES["random"](engine, state, options, source)

    lengths = set()
    for number in range(12):
        asked.clear()
        game = pair.game(0, "random", choose, number)
        assert game.what == "choice" and game.parted and game.open and game.open <= game.parted
        assert asked[: game.parted + 1] == [pair.sides[0].engine] * game.parted + [pair.sides[1].engine]
        lengths.add(game.parted)
    assert len(lengths) > 2


def test_exploiting_follows_the_reading_that_it_favours(profiles: Profiles) -> None:
    """Who exploits the reading that pays more parts every game at once; who exploits the one that never pays more never parts one."""
    pair = sides(profiles, "purchase-order", PURCHASE.readings)
    for name, parts in (("exploit place-then-move", True), ("exploit move-then-place", False)):
        choose = policy_of(name, PURCHASE, pair)
        games = [pair.game(0, name, choose, number) for number in range(5)]
        assert [game.parted is not None for game in games] == [parts] * 5 and all(game.open is not None for game in games)


def test_an_opening_is_played_in_every_game(laboratory: Laboratory, profiles: Profiles) -> None:
    """Games that begin with a witness part where it does, and go on by chance from there."""
    readings = ("illegal", "discarded")
    found = laboratory.pair("unplaceable-patch", *readings)
    assert found.walk is not None
    opening = Opening(found.walk.setup, found.walk.actions)
    games = [sides(profiles, "unplaceable-patch", readings).game(0, WITNESS, POLICIES["random"], n, opening) for n in range(4)]
    assert {game.parted for game in games} == {len(opening.actions)} and len({game.scores for game in games}) > 1


def test_processes_do_not_change_the_figures(rulebook: Rulebook) -> None:
    """Two processes give the very figures of one, block by block, and tell how far they are."""
    told: list[tuple[int, int]] = []
    runs = [measure(rulebook, rulebook.readings(), [PURCHASE], BLOCK + 10, 7, ("random", "hoarder"), lambda done, total: told.append((done, total)), workers) for workers in (1, 2)]
    assert runs[0] == runs[1] and told[-1] == (2 * (BLOCK + 10),) * 2
    assert len(runs[0][0].figures[0].blocks) == 2


def test_another_seed_plays_other_games(rulebook: Rulebook) -> None:
    """The seed decides the games: the same one gives the same results, another one others."""
    def played(seed: int) -> list[Result]:
        return replayed(rulebook, rulebook.readings(), PURCHASE, "random", seed, 0, 3)

    assert played(5) == played(5) != played(6)


def test_wilson_intervals() -> None:
    """Wilson's interval is the textbook's: 0 of 10 allows 27.8 %, 5 of 10 lies between 23.7 and 76.3 %, 10 of 10 above 72.2 %."""
    for count, low, high in ((0, 0.0, 0.2775), (5, 0.2366, 0.7634), (10, 0.7225, 1.0)):
        found = wilson(count, 10)
        assert isclose(found[0], low, abs_tol=5e-5) and isclose(found[1], high, abs_tol=5e-5)


def test_figures_are_what_the_games_say() -> None:
    """Rates, means, percentiles and the start player's wins of four games worked out by hand; a draw is half a win."""
    games = [
        Result(None, "", None, ((5, 3), (5, 3)), (0, 0), True), Result(2, "state", 1, ((5, 3), (1, 3)), (0, 1), True),
        Result(4, "score", 4, ((2, 2), (2, 2)), (0, None), True), Result(6, "choice", 6, ((1, 9), (1, 11)), (1, 1), False),
    ]
    found = figures("random", games)
    assert (found.open.count, found.parted.count, found.scores.count, found.winner.count, found.at, found.unfinished) == (3, 3, 2, 2, 4, 1)
    assert (found.start.mean, found.start.median, found.other.mean, found.size.mean) == (-1, 0, 0.5, 1.5)
    assert found.wins == (0.75, 0.375) and found.advantage.mean == -0.375
    assert isclose(found.start.interval[0], -1 - 1.959964 * 2 / 2, abs_tol=1e-5)  # deviation 2 of four numbers


def test_nothing_seen_is_never_no_impact() -> None:
    """Where no game parts, the table gives the number of games and an upper bound, and the short line too."""
    impact = Impact(PURCHASE, 10, 0, (figures("random", [Result(None, "", None, ((1, 2), (1, 2)), (1, 1), True)] * 10),))
    (_, often), *_ = tables(impact)
    assert often[1][1:3] == ["0 of 10, at most 27.8 %"] * 2
    assert "no game of 10 parts, at most 27.8 %" in in_short([impact]) and "at most 27.8 points" in impact_text([impact], {}, "revised")


def test_a_policy_that_is_not_known_is_named() -> None:
    """An unknown policy gives one line that lists those there are; without a witness there is no going on from it."""
    with pytest.raises(InputError, match=r"no policy is called 'cautious'.*exploit"):
        rows_of(PURCHASE, ["cautious"])
    assert rows_of(PURCHASE, ["exploit", WITNESS]) == ["exploit place-then-move", "exploit move-then-place"]
    assert set(POLICIES) < set(known_policies())


def test_every_pair_has_stored_figures(laboratory: Laboratory, stored: Stored) -> None:
    """The stored run holds every pair of readings under the rules as they are now, by all standard policies."""
    pairs = [p for name in laboratory.rulebook.ambiguities for p in laboratory.pairs(name)]
    assert {(p.ambiguity, p.readings) for p in pairs} == set(stored)
    for (_, readings), impact in stored.items():
        names = {"random", "greedy", "square", *(f"exploit {r}" for r in readings)} | ({WITNESS} if impact.contest.opening is not None else set())
        assert {f.policy for f in impact.figures} == names and all(f.games == impact.games for f in impact.figures)


def test_stored_figures_are_those_of_the_games(rulebook: Rulebook, stored: Stored) -> None:
    """A sample of stored blocks, another policy for each pair, is played again and has the stored digests."""
    for at, impact in enumerate(stored.values()):
        own = impact.figures[(0, 1, 0, len(impact.figures) - 1)[at % 4]]
        block = at % len(own.blocks)
        assert again(rulebook, impact, own.policy, block) == own.blocks[block], impact.contest


@pytest.mark.slow
def test_stored_figures_of_every_policy(rulebook: Rulebook, stored: Stored) -> None:
    """One block of every stored row is played again and has the stored digest."""
    for at, impact in enumerate(stored.values()):
        for own in impact.figures:
            block = at % len(own.blocks)
            assert again(rulebook, impact, own.policy, block) == own.blocks[block], (impact.contest, own.policy)


def test_what_is_written_is_read(rulebook: Rulebook, laboratory: Laboratory, tmp_path: Path) -> None:
    """Stored figures come back as they were to four decimals, with the opening; other rules have none; what is no such file is one line."""
    contest = contest_of(laboratory.pair("tie", "first-to-finish", "draw"))
    impacts = measure(rulebook, rulebook.readings(), [contest], 5, 2, ("random", WITNESS), workers=1)
    file = tmp_path / "impact.json"
    write_impacts(impacts, laboratory, file)
    (found,) = read_impacts(laboratory, file).values()
    assert (found.contest, found.games, found.seed) == (contest, 5, 2)
    assert [f.to_json() for f in found.figures] == [f.to_json() for f in impacts[0].figures]
    assert read_impacts(Laboratory(rulebook, laboratory.fixtures, "source-000"), file) == {}
    for text in ("{}", "[", '{"format":2}'):
        file.write_text(text)
        with pytest.raises(InputError, match=r"impact\.json"):
            read_impacts(laboratory, file)


def test_the_plot_is_a_picture_of_the_figures(stored: Stored) -> None:
    """The SVG is well formed, names every policy and reading, has styles for dark pages, and draws every rate where its axis says."""
    impact = stored["purchase-order", PURCHASE.readings]
    root = ElementTree.fromstring(impact_svg([impact]))
    texts = [t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "purchase-order: place-then-move or move-then-place" in texts and {"random", "exploiting move-then-place", "after the witness"} <= set(texts)
    assert "prefers-color-scheme:dark" in (root.find("{http://www.w3.org/2000/svg}style").text or "")  # type: ignore[union-attr]
    dots = [(float(c.get("cx", "")), int(c.get("cy", ""))) for c in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert len(dots) == 5 * len(impact.figures)
    zero, full = min(x for x, _ in dots), max(x for x, _ in dots if x < 440)
    shares = [x for x, _ in dots if x <= full]
    assert sorted(round((x - zero) / (full - zero), 3) for x in shares) == sorted(round(f.parted.share, 3) for f in impact.figures)
