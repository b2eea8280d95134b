"""Machine to Z3: the declared properties by induction, and two machines compared for all states.

``results`` and ``obligations`` are plain values and import no solver; ``terms`` gives every type its terms, ``measures``
counts without counting, ``translate`` turns expressions into terms and ``transition`` actions into successor states;
``induction`` asks the solver, ``witness`` makes a state and an action of its model, ``equivalence`` compares machines.

The engine is never imported here, nor this room by the engine: their agreement is evidence.
"""
