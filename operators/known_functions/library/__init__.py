"""The library of known functions: plain Python texts that are inserted into programs.

`MODULES` names the modules that hold them; each function bears the decorator `archetype`,
and is written for the eyes of whoever finds it in a program: short, self-contained, without
annotations. Not here: how a function is recognised.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from operators.known_functions.archetype import Archetype, marked

MODULES: tuple[str, ...] = (
    "trees",
    "choices",
    "queries",
    "grids",
    "alignment",
    "subsequences",
    "neighbours",
    "routes",
    "graphs",
    "palindromes",
    "substrings",
    "brackets",
    "codes",
    "words",
    "characters",
    "intervals",
    "stacks",
    "climbs",
    "stretches",
    "windows",
    "lists",
    "membership",
    "pairs",
    "searching",
    "selection",
    "sorting",
    "triples",
    "primes",
    "prime_patterns",
    "factors",
    "divisors",
    "divisor_sieves",
    "arithmetic",
    "roots",
    "digits",
    "digit_kinds",
    "bases",
    "recurrences",
    "recurrence_kin",
    "collatz",
    "series",
    "progressions",
    "combinatorics",
    "counting_ways",
    "knapsack",
    "tables",
    "bits",
    "single_bits",
    "pair_sums",
    "large_numbers",
    "named_numbers",
    "dates",
    "matrices",
    "squares",
    "puzzles",
    "points",
    "figures",
    "arrangements",
    "rationals",
)


@cache
def library() -> dict[str, Archetype]:
    """Return every archetype by name; the modules are imported when it is first asked for.

    Raises:
        ValueError: Two functions bear the same name.
    """
    known: dict[str, Archetype] = {}
    for name in MODULES:
        for found in marked(import_module(f"{__name__}.{name}")):
            if found.name in known:
                raise ValueError(f"{found.name}: a name of two archetypes, one in {name}")
            known[found.name] = found
    return known
