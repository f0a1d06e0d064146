"""What the tests of rules share: a text before and after, and both of them executed."""

from __future__ import annotations

import copy
import textwrap
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import entry_points
from types import CodeType
from typing import Any

from operators.rewrite.rule import Rule
from se_agent import registry
from se_agent.values.solution import Edit

RULES = tuple(
    point.name
    for point in entry_points(group="se_agent.operators")
    if point.value.startswith("operators.rewrite.")
)


def rule(name: str) -> Rule:
    """Return the rule that is registered under this name."""
    made = registry.load("operator", name)()
    assert isinstance(made, Rule)
    return made


def edits_of(name: str, text: str) -> list[Edit]:
    """Return the edits that a rule makes of a text."""
    return [candidate.edit for candidate in rule(name).candidates(text)]


def dedented(text: str) -> str:
    return textwrap.dedent(text).lstrip("\n")


def rewritten(rule: Rule, text: str) -> list[str]:
    """Return all that the rule makes of a text that may be indented."""
    return [candidate.text for candidate in rule.candidates(dedented(text))]


def answer(text: str, args: tuple[Any, ...], entry: str = "solve") -> Any:
    """Return the result of the program's entry point on its own copy of the arguments."""
    namespace: dict[str, Any] = {}
    exec(_compiled(text), namespace)
    function: Callable[..., Any] = namespace[entry]
    given = copy.deepcopy(args)
    return function(*given), given


@lru_cache(maxsize=64)
def _compiled(text: str) -> CodeType:
    return compile(dedented(text), "main.py", "exec")


def assert_equivalent(rule: Rule, text: str, *args: Any) -> None:
    """Every candidate answers as the text does, and leaves the arguments in the same state."""
    expected = answer(text, args)
    candidates = rewritten(rule, text)
    assert candidates
    for candidate in candidates:
        assert answer(candidate, args) == expected, candidate
