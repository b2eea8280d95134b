"""Placement and the filled square: what fits where, what can still be filled, and how to know without trusting us."""
