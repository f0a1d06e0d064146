"""A number and what it counts, as a sentence has it."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return `1 run`, `2 runs`; the noun is one whose plural ends in s."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
