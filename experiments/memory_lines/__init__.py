"""Measure which lines of the memory real runs reach: `python -m experiments.memory_lines`."""
