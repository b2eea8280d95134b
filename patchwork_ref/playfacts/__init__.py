"""Extremal facts of play, and how they are verified: ``facts`` replays and measures, ``bounds`` counts, ``solo`` exhausts an easier game."""
