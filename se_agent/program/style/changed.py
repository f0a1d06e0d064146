"""What of a text is new: its lines and its names, against the text that it was made of."""

from __future__ import annotations

import ast
import difflib
import io
import tokenize
from collections.abc import Iterator
from functools import lru_cache

from se_agent.program.parsing import tree_of


def tree_or_none(text: str) -> ast.Module | None:
    """Return the tree of a text; None for one that is not Python, or nested too deep."""
    try:
        return tree_of(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


@lru_cache(maxsize=64)
def new_lines(old: str, new: str) -> frozenset[int]:
    """Return the numbers, from 1, of the lines of a text that the old one has not there."""
    before, after = rows_of(old), rows_of(new)
    codes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return frozenset(
        row + 1
        for tag, _, _, first, last in codes
        if tag != "equal"
        for row in range(first, last)
    )


def rows_of(text: str) -> list[str]:
    """Return the lines of a text as Python counts them: a form feed ends none."""
    return io.StringIO(text).readlines()


def tokens_of(text: str) -> list[tokenize.TokenInfo]:
    """Return the tokens of a text; none for one that has none."""
    try:
        return list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return []


def names_in(node: ast.AST) -> frozenset[str]:
    """Return every name that is bound or read below a node, whatever it stands for."""
    return frozenset(_names(node))


def _names(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name) | ast.arg(arg=name):
                yield name
    yield from names_bound_aside(node)


def names_bound_aside(node: ast.AST) -> Iterator[str]:
    """Yield the names below a node that have no `ast.Name`: of imports, errors, patterns."""
    for each in ast.walk(node):
        match each:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name.partition(".")[0]
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name


def same_code(one: str, other: str) -> bool:
    """Say whether two texts are the same program, layout and comments aside."""
    first, second = tree_or_none(one), tree_or_none(other)
    if first is None or second is None:
        return False
    return ast.dump(first) == ast.dump(second)
