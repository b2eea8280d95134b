"""Cases that Hypothesis draws: whole games under a mix of policies, with near misses and lists of legal actions on the way."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir

from patchwork_ref.conformance.course import Course, Do, Legal, Refuse, Task
from patchwork_ref.engine.engine import Engine
from patchwork_ref.engine.policies import POLICIES
from patchwork_ref.machine.setup import Setup
from patchwork_ref.strategies import Game, games, near_misses, setups
from patchwork_ref.strategies.common import ByteSource

LISTS, MISSES = 10, 64
"""Of 256 moments, in so many the legal actions are asked for, and a near miss is tried."""
TOLD = 3
"""Of four games, in so many an engine that finds the token's place is told it all the same."""
GOALS = ("two-income-spaces", "special-tile")
"""What one game in ``RARE`` reaches on purpose. The other goals of ``strategies`` need a set-up that the ruleset has not, or
come by themselves."""
RARE = 8
QUESTIONS = 800
"""Bytes for all that is chosen in a game but the circle and the actions: eight for each moment of a long one."""
NEVER = 2**30
"""Games, when only the time ends a run."""

See = Callable[[int, Course], None]
"""Told of every case, with its number from 0."""


class Enough(BaseException):
    """Ends a run of Hypothesis from within. No Exception: Hypothesis would take it for a failing test and try it again."""


def mixes() -> tuple[tuple[str, ...], ...]:
    """Every policy together; each with uniform play; each alone."""
    others = [name for name in POLICIES if name != "random"]
    return (tuple(POLICIES), *(("random", name) for name in others), *((name,) for name in others), ("random",))


def courses(engine: Engine, capabilities: frozenset[str]) -> st.SearchStrategy[Course]:
    """Whole games of the ruleset as cases for an engine with these capabilities.

    Only long strings of bytes are drawn, here and in ``strategies``. Where integers are asked for, Hypothesis now and then takes one that stands in
    the modules loaded so far, and the same seed would give other games beside another engine.
    """
    @st.composite
    def course(draw: st.DrawFn) -> Course:
        source = ByteSource(draw(st.binary(min_size=QUESTIONS, max_size=QUESTIONS)))
        told = source.randrange(4) < TOLD or "finds-token" not in capabilities
        if source.randrange(RARE) == RARE - 1:
            game = draw(games(engine, reaching=GOALS[source.randrange(len(GOALS))]))
        else:
            mix = mixes()[source.randrange(len(mixes()))]
            game = draw(games(engine, policies=mix, whole=True, setup=setups(engine)))
        setup = game.setup if not told else Setup(game.setup.circle, engine.neutral_token(game.setup), game.setup.first_player)
        return Course("drawn", engine, setup, tuple(_tasks(game, source, "legal" in capabilities)), setup.neutral_token is not None)

    return course()


def _tasks(game: Game, source: ByteSource, lists: bool) -> list[Task]:
    """The actions with the questions between them; after the last one there always is a near miss."""
    tasks: list[Task] = []
    states = game.states
    for number, state in enumerate(states):
        if number:
            tasks.append(Do(number, game.actions[number - 1]))
        if source.randrange(256) >= 256 - LISTS and lists:
            tasks.append(Legal(number))
        if source.randrange(256) >= 256 - MISSES or number == len(states) - 1:
            missed = [action for action, _ in near_misses(game.engine, state)]
            tasks += [Refuse(number, missed[source.randrange(len(missed))])] if missed else []
    return tasks


def drawn(engine: Engine, capabilities: frozenset[str], chosen: int | str, most: int | None, see: See) -> None:
    """Lets Hypothesis draw cases and shows each with its number, until there were so many or ``see`` raises ``Enough``.

    The same for the same seed. Hypothesis only draws here: a failing case is no failing test for it, as shrinking is
    done by ``shrink``. That one knows the game, so that what it keeps is a legal game on a set-up of the ruleset, and
    it keeps the first divergent rule, where Hypothesis would go over from one fault to another as bytes get smaller.
    """
    number = 0

    @seed(chosen)
    @settings(max_examples=NEVER if most is None else most, phases=[Phase.generate], database=None, deadline=None, derandomize=False, print_blob=False,
              suppress_health_check=list(HealthCheck), verbosity=Verbosity.quiet)
    @given(courses(engine, capabilities))
    def run(course: Course) -> None:
        nonlocal number
        see(number, course)
        number += 1

    with tempfile.TemporaryDirectory(prefix="patchwork-ref-") as folder:  # Hypothesis keeps files; the user's folder is not for them
        set_hypothesis_home_dir(Path(folder))
        try:
            run()
        except Enough:
            return
        finally:
            set_hypothesis_home_dir(None)
