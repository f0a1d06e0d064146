"""What kind of program a text is, in a few words that earlier runs are pooled by.

Pure, and coarse on purpose: a trait that few programs share teaches nothing. Not here: counts
of what is in a text (`se_agent.program.features.features`).
"""

from __future__ import annotations

from collections.abc import Iterator

from se_agent.problem.model import Problem, ProblemKind
from se_agent.program.features import Features, features
from se_agent.program.language import Language

_SETS = frozenset({"dict", "set", "frozenset", "Counter", "defaultdict", ".setdefault"})
_SEARCHES = frozenset({".index", ".count", ".find", "min", "max", "sum", "any", "all"})
_SORTS = frozenset({"sorted", ".sort"})
_TEXTS = frozenset({"str", "chr", "ord", ".join", ".split", ".replace", ".format"})
_LARGE = 400  # nodes of the syntax tree, about 60 lines


def traits(problem: Problem, text: str) -> tuple[str, ...]:
    """Return the traits of a program of a problem, in a fixed order.

    Args:
        problem: Says how it is run, and in which language it is written.
        text: Text of the program.
    """
    kind = () if problem.kind is ProblemKind.FUNCTION else (str(problem.kind),)
    if problem.language is not Language.PYTHON:
        return (*kind, str(problem.language))
    return (*kind, *_of(features(text)))


def _of(found: Features) -> Iterator[str]:
    called = {name for name, _ in found.calls}
    each = {
        "straight line": not found.loops and not found.comprehensions,
        "nested loop": found.loop_depth >= 2,
        "recursion": found.recursive > 0,
        "membership test": found.memberships > 0,
        "numeric loop": found.loops > 0 and "range" in called,
        "dictionary or set": bool(called & _SETS),
        "linear search": bool(called & _SEARCHES),
        "sorting": bool(called & _SORTS),
        "text": bool(called & _TEXTS),
        "slices": found.slices > 0,
        "classes": found.classes > 0,
        "large": found.nodes >= _LARGE,
    }
    yield from (trait for trait, holds in each.items() if holds)
