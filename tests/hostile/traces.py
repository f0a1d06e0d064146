"""Attacks that know where they run, or leave behind what makes them fast. Data only."""

from __future__ import annotations

from tests.hostile.attack import HARMLESS, NO_GAIN, Attack, Place

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


def _leaves(name: str, tries: str, before: str, says: str) -> Attack:
    """Return a program that changes what its caller has to live with."""
    return Attack(
        name=name,
        tries=tries,
        program=f"import decimal, gc, signal, sys, warnings\ndef distinct(xs):\n    {before}\n"
        "    return list(dict.fromkeys(xs))\n",
        place=Place.FUNCTION,
        ends="WA",
        says=says,
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
    _leaves(
        "gc-kept-off",
        "switches the collector off, and leaves it so",
        "gc.disable()",
        "the collector: switched off",
    ),
    _leaves(
        "gc-made-lazy",
        "has the collector come by once in a million objects",
        "gc.set_threshold(1_000_000)",
        "or of another pace",
    ),
    _leaves(
        "leaves-coarse-decimals",
        "leaves a decimal context of four digits behind",
        "decimal.getcontext().prec = 4",
        "the decimal context: (4, 'ROUND_HALF_EVEN'",
    ),
    _leaves(
        "leaves-deep-recursion",
        "leaves a recursion limit behind at which its caller ends by a signal",
        "sys.setrecursionlimit(10**6)",
        "the recursion limit: 1000000",
    ),
    _leaves(
        "leaves-no-warnings",
        "leaves all warnings off",
        "warnings.simplefilter('ignore')",
        "filters of warnings",
    ),
    _leaves(
        "leaves-an-alarm",
        "leaves an alarm behind that ends its caller a minute later",
        "signal.alarm(60)",
        "an alarm to come: True",
    ),
    _leaves(
        "leaves-no-output",
        "leaves its caller without standard output",
        "sys.stdout = None",
        "standard streams or hooks of sys",
    ),
    _leaves(
        "leaves-all-frozen",
        "has the collector never see again what there is",
        "gc.freeze()",
        "frozen objects: True",
    ),
    Attack(
        name="gc-off-meanwhile",
        tries="switches the collector off while it works, and on again: that is its own affair",
        program="import gc\ndef distinct(xs):\n    gc.disable()\n    try:\n"
        "        return list(dict.fromkeys(xs))\n    finally:\n        gc.enable()\n",
        place=Place.FUNCTION,
        ends=HARMLESS,
    ),
    Attack(
        name="raises-look-alike",
        tries="raises a class of its own that has the name of the right one",
        program="class Lacking(Exception): pass\ndef distinct(xs): raise Lacking(xs)\n",
        place=Place.FUNCTION,
        ends="WA",
        says="another class of the same name is raised",
    ),
)
