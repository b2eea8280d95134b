"""Hypothesis strategies for Patchwork, for the tests of this project and of yours.

    patches  placements  quilts  setups  states  games  illegal_actions  mutants

Arguments describe values (which patches, how many cells, what must happen), never distributions. Everything shrinks
to what is small for a reader: short games, advances, the first placement. Without a Machine the shipped rulebook's
default ruleset is meant. ``state_machine`` puts any engine into a ``RuleBasedStateMachine``; ``Exercise`` says what a
run exercised and fails one that exercised nothing. See docs/strategies.md.
"""

from patchwork_ref.strategies.adapters import Adapter, EngineAdapter, HandlerAdapter, ObjectAdapter
from patchwork_ref.strategies.common import default_engine
from patchwork_ref.strategies.exercise import Exercise
from patchwork_ref.strategies.games import Game, games
from patchwork_ref.strategies.goals import GOALS
from patchwork_ref.strategies.illegal import illegal_actions, near_misses
from patchwork_ref.strategies.machine import state_machine
from patchwork_ref.strategies.mutants import mutants
from patchwork_ref.strategies.states import states
from patchwork_ref.strategies.values import patches, placements, quilts, setups

__all__ = [
    "GOALS", "Adapter", "EngineAdapter", "Exercise", "Game", "HandlerAdapter", "ObjectAdapter", "default_engine", "games", "illegal_actions", "mutants",
    "near_misses", "patches", "placements", "quilts", "setups", "state_machine", "states",
]
