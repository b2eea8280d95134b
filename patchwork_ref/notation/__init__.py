"""Recorded games: notations that others write, read and written; and the audit of a file of them.

``game`` is one record, ``letters`` the signs of the student notation, ``student`` and ``ours`` the lines of each notation,
``lines`` the bytes of a file, ``notations`` the table of all; ``player`` replays fast, ``sharing`` says when rulesets share
a replay, ``judge`` gives verdicts, ``audit`` runs over a file on all cores, ``export`` converts.
"""

from patchwork_ref.notation.audit import audit_file, audit_games
from patchwork_ref.notation.export import export_traces
from patchwork_ref.notation.game import Claims, Game, NoGame, Unreadable
from patchwork_ref.notation.notations import NOTATIONS, read_games, write_game
from patchwork_ref.notation.verdict import AuditReport, Illegal, Verdict

__all__ = [
    "NOTATIONS", "AuditReport", "Claims", "Game", "Illegal", "NoGame", "Unreadable", "Verdict",
    "audit_file", "audit_games", "export_traces", "read_games", "write_game",
]
