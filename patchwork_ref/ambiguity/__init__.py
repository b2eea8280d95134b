"""What the sources leave open: the readings, the games on which they part, and which reading an engine follows.

``transcript`` plays a game on an engine and keeps its answers, ``profiles`` says how far a choice of readings explains
them, ``search`` looks for the choice that explains most, ``games`` finds games on which readings part where none is
stored, ``fingerprint`` puts these together, ``faults`` judges the engine by what was found and blames what no reading
explains, ``accepted`` gives a whole check under it; ``laboratory`` holds what is known of each ambiguity, ``walk`` a game
under two readings side by side.

The shortest games known are kept in ``parted``, and made by ``assemble``: ``bounds`` says how many actions such a game has
at least, by the easier game of ``bare`` and the counts of ``blocking``; ``seek`` finds short ones, ``laid`` puts them on
quilts, ``plans`` takes the quilts of known ones into other readings; where nearly everything must be bought, ``liquid`` leaves
open who buys what (``runout``, ``fullquilt``). ``rare`` finds games beside other readings, ``beside`` keeps them.
"""

from patchwork_ref.ambiguity.finding import Fingerprint, Unexplained
from patchwork_ref.ambiguity.fingerprint import fingerprint
from patchwork_ref.ambiguity.laboratory import Laboratory, Pair
from patchwork_ref.ambiguity.profiles import Profiles
from patchwork_ref.ambiguity.walk import Moment, Walk, walk

__all__ = ["Fingerprint", "Laboratory", "Moment", "Pair", "Profiles", "Unexplained", "Walk", "fingerprint", "walk"]
