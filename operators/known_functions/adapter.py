"""How a library function is called in the place of another: small expressions, one law.

The same text is evaluated when calls are compared and written into the program, so that what
was compared is what runs. Parameters of the replaced function are `a0`, `a1` ...; what the
library function returned is `r`. Not here: which expressions to try (`sources`, `forms`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any  # arguments and results are plain data of any type

from se_agent.program.parsing import expression_tree, literal_of

FAILURES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    NameError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What a library function or an expression may end with on values that it is not made for."""

_SOLVED = re.compile(r"\[[-\d\s,\[\]]*\]")


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """How to call a library function instead of another one.

    Attributes:
        arguments: An expression over `a0`, `a1` ... for each of its parameters.
        result: An expression over `r`: what is returned.
        effect: Expression over `r` that is assigned to all of the list `target`; empty: none.
        target: The parameter that is changed, such as `a0`.
        guard: An expression over `a0`, `a1` ...: when it holds; empty: always.
        types: An expression over `a0`, `a1` ...: whether they have the types that were seen;
            asked before `guard`, which then cannot fail. Empty in edits of old runs.
    """

    arguments: tuple[str, ...]
    result: str = "r"
    effect: str = ""
    target: str = ""
    guard: str = ""
    types: str = ""

    @property
    def plainness(self) -> int:
        """Number of parts that are not simply passed on; the fewer, the more is explained."""
        odd = [
            one for one in self.arguments if not (one.isidentifier() or _SOLVED.fullmatch(one))
        ]
        return len(odd) + (self.result != "r") + self.guard.count(" and ") + bool(self.guard)

    @property
    def solved(self) -> list[Any]:
        """The arguments that were solved from the calls: lists of whole numbers."""
        return [literal_of(one) for one in self.arguments if _SOLVED.fullmatch(one)]


def evaluated(expression: str, arguments: Sequence[Any]) -> Any:
    """Return the value of an expression over `a0`, `a1` ...; raise one of `FAILURES`."""
    return _over_arguments(expression, len(arguments))(*arguments)


@lru_cache(maxsize=4096)
def of_result(expression: str) -> Callable[[Any], Any]:
    """Return the function of `r` that an expression is."""
    function: Callable[[Any], Any] = eval(f"lambda r: {expression}")  # noqa: S307 - our own text
    return function


@lru_cache(maxsize=4096)
def _over_arguments(expression: str, arity: int) -> Callable[..., Any]:
    names = ", ".join(f"a{i}" for i in range(arity))
    function: Callable[..., Any] = eval(f"lambda {names}: {expression}")  # noqa: S307 - our own
    return function


def renamed(expression: str, names: Mapping[str, str]) -> str:
    """Return an expression with other names, or expressions, in the place of names."""
    return ast.unparse(_Renaming(names).visit(expression_tree(expression)))


class _Renaming(ast.NodeTransformer):
    """Puts expressions in the place of names; brackets come where they are needed."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return expression_tree(self._names[node.id]) if node.id in self._names else node


def mentions(expression: str, name: str) -> int:
    """Return how often an expression names something."""
    nodes = ast.walk(expression_tree(expression))
    return sum(isinstance(node, ast.Name) and node.id == name for node in nodes)
