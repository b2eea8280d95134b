"""Machine to English: a back end of its own. Every node has words, so that the text follows the YAML.

``document`` is the small model of what is written (sections, paragraphs, lists, with names and citations as values),
``phrases`` puts phrases together, ``expressions`` and ``effects`` give every node its words, ``rules`` makes sentences of
rules and actions, ``rulebook`` the whole text. How it looks is decided elsewhere.
"""
