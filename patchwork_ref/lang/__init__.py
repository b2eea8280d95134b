"""The rule language: a closed set of typed expressions and effects, read with Python's own ``ast`` module.

``types`` names the types, ``ast`` the nodes, ``read`` turns text into nodes, ``check`` types them, ``walk`` goes over
them and ``show`` writes them back as text. It makes sense for any game: nothing here knows a patch's price.
"""
