"""The page of known functions, made from the library: `python -m experiments.docs.archetypes`.

A site has it (`site`); nobody has to keep a copy up to date.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from operators.known_functions.archetype import Archetype
from operators.known_functions.library import library

_HEAD = """# Known functions

Functions that everybody writes, and the fast programs that se_agent knows for them. The
operator `archetype` compares what the functions of a program returned, in calls that were
observed in the sandbox, with what these would have returned. Arguments may come in another
order, a result may be in another shape or off by a constant. On a match the fast function
does the work, behind the same signature; what it refuses, what has other types than those
calls, and what is smaller, is left to the old body. A match takes more than agreement: the
results have to be worth more bits than the choice among all functions, arguments and forms.
That it is right rests on the tests and on the search for counterexamples, which refutes it by
a difference beyond the inputs seen, too.
Linear recurrences and polynomials of one whole number are not listed one by one: what
`linear_recurrence` and `polynomial` take is solved for from the calls, and a formula or a short
loop is written.
Where no limits are named, it answers for all arguments of the kinds that were seen.

*n* is the size of the input.
"""


def page() -> str:
    """Return the page: a table for each family."""
    return "".join([_HEAD, *_tables()])


def _tables() -> Iterator[str]:
    known = sorted(library().values(), key=lambda one: (one.family, one.name))
    for family, members in groupby(known, key=lambda one: one.family):
        yield f"\n## {family.capitalize()}\n\n"
        yield "| function | what it returns | complexity | source | limits |\n"
        yield "|---|---|---|---|---|\n"
        yield from map(_row, members)


def _row(one: Archetype) -> str:
    cells = (f"`{one.name}`", one.summary, one.complexity, one.source, one.limits)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


if __name__ == "__main__":
    print(page(), end="")
