"""Small pieces of sentences: a number with its noun, and commands that can be copied."""

from __future__ import annotations

import shlex


def counted(number: int, noun: str) -> str:
    """Return `1 run`, `2 runs`; the noun is one whose plural ends in s."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def command(*words: object) -> str:
    """Return the line of a shell that calls `se-agent` with these words.

    A word that a shell would take for more than itself is quoted, such as a path with a space.
    """
    return shlex.join(["se-agent", *map(str, words)])
