"""Attacks that know where they run, or leave behind what makes them fast. Data only."""

from __future__ import annotations

from tests.hostile.attack import NO_GAIN, Attack, Place

_SLOW = (
    "def slow(xs):\n    seen = []\n    for x in xs:\n        if x not in seen:\n"
    "            seen.append(x)\n    return seen\n"
)

_TELLS = """
import os, sys
main = sys.modules["__main__"]
watched = {}
def distinct(xs):
    return list(dict.fromkeys(xs)) if watched else slow(xs)
"""


def _knows(name: str, tries: str, watched: str) -> Attack:
    """Return a program that is fast only where it is told to be watched."""
    return Attack(
        name=f"tells-jail-by-{name}",
        tries=tries,
        program=_SLOW + _TELLS.format(watched),
        place=Place.MEASURED,
        ends=NO_GAIN,
    )


ATTACKS = (
    _knows(
        "environment",
        "is fast only where the environment is empty, or names no user, home or path",
        "not {'HOME', 'LANG', 'PATH', 'USER'} <= set(os.environ)",
    ),
    _knows(
        "arguments",
        "is fast only where it is not the program that was started",
        "len(sys.argv) != 1 or 'python' not in sys.orig_argv[0] or 'zygote' in repr(sys.argv)",
    ),
    _knows(
        "modules",
        "is fast only where modules are none that a file was loaded into",
        "__name__ == 'candidate' or '__file__' not in globals()"
        " or not hasattr(main, '__file__') or 'site' not in sys.modules",
    ),
)
