"""What a library function owes its oracle: the same answer, and the arguments as they were.

Not here: the oracles, which stand in the test of each library module.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple  # arguments and results are plain data of any type

import pytest
from _pytest.mark import ParameterSet
from hypothesis import strategies as st

from operators.known_functions.archetype import marked
from se_agent.wire.same import same
from se_agent.wire.tolerance import Tolerance

INVALID: Any = "raises"
"""What an oracle returns where the library function must refuse; it may also raise itself."""

REFUSALS = (ValueError, TypeError, LookupError, ArithmeticError)


class Law(NamedTuple):
    """A library function is equal to an oracle over drawn arguments."""

    fast: Callable[..., Any]
    slow: Callable[..., Any]
    arguments: st.SearchStrategy[Any]
    tolerance: float = 0.0


def by_name(laws: list[Law]) -> list[ParameterSet]:
    return [pytest.param(law, id=law.fast.__name__) for law in laws]


def without_law(module: ModuleType, laws: list[Law]) -> set[str]:
    """Archetypes of the module that no law is about."""
    return {found.name for found in marked(module)} - {law.fast.__name__ for law in laws}


def check(law: Law, data: st.DataObject) -> None:
    """Draw arguments (a tuple, or the only one) and compare; types count too."""
    drawn = data.draw(law.arguments)
    agree(law, drawn if isinstance(drawn, tuple) else (drawn,))


def agree(law: Law, arguments: tuple[Any, ...]) -> None:
    """Compare for some arguments; these stay as they are."""
    kept = copy.deepcopy(arguments)
    expected = _expected(law, copy.deepcopy(arguments))
    if isinstance(expected, str) and expected is INVALID:
        with pytest.raises(REFUSALS, match=r"\w"):
            law.fast(*arguments)
    else:
        given = law.fast(*arguments)
        assert same(given, expected, tolerance=Tolerance(law.tolerance, law.tolerance)), (
            given,
            expected,
        )
    assert same(arguments, kept)


def _expected(law: Law, arguments: tuple[Any, ...]) -> Any:
    try:
        return law.slow(*arguments)
    except REFUSALS:
        return INVALID
