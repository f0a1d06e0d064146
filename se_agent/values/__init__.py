"""Frozen values that travel between the stages: no I/O, units in their docstrings."""
