"""Comments that a change has made untrue: they go with what they described.

A comment belongs to the statement below it, or on its line. It goes where that one is gone and
another one of the author's has moved up below it, and where it names what the function has
no more. Pure.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from se_agent.program.style.changed import names_in, rows_of, same_code, tokens_of, tree_or_none

_KEPT = re.compile(
    r"#\s*(?:noqa|type:|pragma|pylint|fmt:|mypy|nosec|EVOLVE-BLOCK|tune:|!|-\*-)"
)
_CODE = re.compile(r"(\w+)\(|`(\w+)`|\b(\w*_\w+)")  # names, surely
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_WORD = re.compile(r"[^\W\d]\w*")


class _Comment(NamedTuple):
    """A comment, where it stands, and the code that it belongs to.

    Attributes:
        row: Its row, from 0.
        column: Its first column.
        text: The comment.
        about: Dump of the statement that it belongs to; empty: there is none.
    """

    row: int
    column: int
    text: str
    about: str


def with_true_comments(old: str, new: str) -> str:
    """Return a text without the author's comments on what is not there any more.

    Args:
        old: The text that it was made of.
        new: The text.
    """
    before, after = tree_or_none(old), tree_or_none(new)
    if before is None or after is None or old == new:
        return new
    about: dict[str, set[str]] = {}
    for comment in _comments(old, before):
        about.setdefault(comment.text, set()).add(comment.about)
    there = {_dump(each) for each in ast.walk(before) if isinstance(each, ast.stmt)}
    gone = names_in(before) - names_in(after)
    lost = {*_lost(before, after)}
    rows, stale = rows_of(new), list[_Comment]()
    for comment in _comments(new, after):
        if (known := about.get(comment.text)) is None:
            continue
        names = {each for one in _CODE.findall(comment.text) for each in one if each}
        if comment.about in known:
            if any((comment.row, name) in lost for name in names):
                stale.append(comment)
            continue
        moved = bool(comment.about) and comment.about in there
        told = {*_WORD.findall(comment.text)}
        if moved or told & gone or not comment.about:
            stale.append(comment)
    for comment in reversed(stale):
        code = rows[comment.row][: comment.column].rstrip()
        rows[comment.row : comment.row + 1] = [f"{code}\n"] if code else []
    text = "".join(rows)
    return text if same_code(new, text) else new


def _lost(before: ast.Module, after: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield each row of a function with each name that stood in it before, and does no more."""
    old = {
        each.name: _all_names(each) for each in ast.walk(before) if isinstance(each, _FUNCTIONS)
    }
    for each in ast.walk(after):
        if isinstance(each, _FUNCTIONS) and each.name in old:
            for name in old[each.name] - _all_names(each):
                for row in range(each.lineno - 1, each.end_lineno or each.lineno):
                    yield row, name


def _all_names(node: ast.AST) -> frozenset[str]:
    called = (each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute))
    return names_in(node) | frozenset(called)


def _comments(text: str, tree: ast.Module) -> Iterator[_Comment]:
    """Yield the comments of a text, but for those that tools read."""
    starts = _statements(tree)
    lines = sorted(starts)
    code = {token.start[0] for token in tokens_of(text) if token.type not in _LAYOUT}
    for token in tokens_of(text):
        if token.type != tokenize.COMMENT or _KEPT.match(token.string):
            continue
        row = token.start[0]
        if row in code:
            at = max((line for line in lines if line <= row), default=0)
        else:
            at = min((line for line in lines if line > row), default=0)
        yield _Comment(row - 1, token.start[1], token.string, starts.get(at, ""))


_LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER,
}  # fmt: skip


def _statements(tree: ast.Module) -> Mapping[int, str]:
    """Return the statements of a program by the line that they begin on."""
    found: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            found.setdefault(node.lineno, _dump(node))
    return found


def _dump(node: ast.stmt) -> str:
    """Return what a statement is: of one that holds others, its own line."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return f"def {name}"
        case ast.ClassDef(name=name):
            return f"class {name}"
        case ast.If(test=test) | ast.While(test=test):
            return f"{type(node).__name__} {ast.dump(test)}"
        case ast.For(target=target, iter=items) | ast.AsyncFor(target=target, iter=items):
            return f"for {ast.dump(target)} in {ast.dump(items)}"
        case ast.With() | ast.AsyncWith() | ast.Try() | ast.Match():
            return type(node).__name__
    return ast.dump(node)
