"""Rulebook plus one reading for each ambiguity = Machine: the only thing a back end sees.

``model`` names the parts, ``build`` makes and checks one, ``state`` and ``play`` hold the values that all rooms
exchange (State, Action, Step, Trace), ``setup`` translates the protocol's set-up, ``observe`` its state, ``codec`` JSON.
"""
