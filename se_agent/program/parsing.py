"""Python's own parser, asked by one thread at a time.

Before 3.11.8 and 3.12.2 two threads that parse at the same time miscount how deep they are, and
one of them fails with a `SystemError` (CPython issue 106905). The engine has several threads,
and Debian 12 has Python 3.11.2. A signature of what is written in C is text that is parsed, so
it is asked for here, too. What it would warn of is for who runs a program: nothing is
printed here. Not here: what is done with a tree.
"""

from __future__ import annotations

import ast
import inspect
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_DEEPEST = 300  # nodes within each other; 450 are too many
_TOO_DEEP = "nested deeper than Python reads"
_guard = threading.Lock()


def tree_of(text: str, name: str = "<unknown>") -> ast.Module:
    """Return the tree of a program.

    Args:
        text: The program.
        name: What errors call its file.

    Raises:
        SyntaxError: It is none, or nested deeper than Python reads.
        ValueError: It is one that Python cannot take.
    """
    with _alone():
        return ast.parse(text, filename=name)


def expression_tree(text: str) -> ast.expr:
    """Return the tree of an expression.

    Raises:
        SyntaxError: It is none; or one of the errors of `tree_of`.
    """
    with _alone():
        return ast.parse(text, mode="eval").body


def is_deep(text: str) -> bool:
    """Say whether a program is nested too deep for what walks it node by node.

    No stack of Python's is large enough for that, however right the program is.

    Raises:
        SyntaxError: It is none; or one of the errors of `tree_of`.
    """
    level: list[ast.AST] = [tree_of(text)]
    for _ in range(_DEEPEST):
        level = [inner for node in level for inner in ast.iter_child_nodes(node)]
    return bool(level)


def literal_of(text: str) -> object:
    """Return the value of a Python literal.

    Raises:
        ValueError: It is an expression of another kind, or has no value.
        SyntaxError: It is none; or one of the errors of `tree_of`.
    """
    try:
        return ast.literal_eval(expression_tree(text.lstrip(" \t")))
    except TypeError as err:  # such as a set of lists
        raise ValueError(f"no value: {err}") from err


def signature_of(function: Callable[..., object]) -> inspect.Signature:
    """Return the signature of anything that can be called.

    Raises:
        ValueError: It has none, as some that are written in C.
        TypeError: Its kind is not supported.
    """
    with _alone():
        return inspect.signature(function)


@contextmanager
def _alone() -> Iterator[None]:
    """Keep other threads out: of the parser, and of the one list of filters for warnings."""
    with _guard, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        except (RecursionError, MemoryError) as err:
            raise SyntaxError(_TOO_DEEP) from err
