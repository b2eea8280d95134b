"""YAML to Rulebook, ambiguities still open. The only room that knows YAML.

``tree`` is the document as data with positions, ``load`` reads the files, ``model`` names the parts of a Rulebook,
``edits`` applies the changes of readings and mutants, ``validate`` reports what is wrong with the whole.
"""
