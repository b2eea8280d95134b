"""Machine to an engine. ``Engine(machine)`` plays; the compiled back end is a generated Python module, the interpreter
walks the same nodes plainly, and tests play the two against each other.

``fold`` simplifies nodes, ``emit`` writes expressions as Python, ``generate`` whole functions, ``tables`` holds
placements, ``interpreter`` is the other back end, ``engine`` the public face, ``count`` perft and random play.
"""

from patchwork_ref.engine.engine import Engine

__all__ = ["Engine"]
