"""Calls of a function, written down as an evaluator that watches it would."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

from se_agent.values.observation import Call
from se_agent.wire.same import same


def watched(
    function: Callable[..., Any], inputs: Iterable[tuple[Any, ...]]
) -> tuple[Call, ...]:
    """Call a function with each tuple of arguments, and return the distinct calls."""
    calls = []
    for given in inputs:
        arguments = copy.deepcopy(given)
        result = function(*arguments)
        after = None if same(given, arguments) else arguments
        calls.append(Call.of(given, result, after))
    return tuple(dict.fromkeys(calls))


def function_of(text: str, name: str) -> Callable[..., Any]:
    """Return a function of a program."""
    names: dict[str, Any] = {}
    exec(text, names)
    function: Callable[..., Any] = names[name]
    return function
