"""Commands that a person is told to give next: they can be copied as they stand."""

from __future__ import annotations

import shlex


def command(*words: object) -> str:
    """Return the line of a shell that calls `se-agent` with these words.

    A word that a shell would take for more than itself is quoted, such as a path with a space.
    """
    return shlex.join(["se-agent", *map(str, words)])
