"""What a change costs its readers, in points: length, nesting, guards, names.

0 is as plain as the program was, less is plainer. The points rank programs that are as fast as
each other, and stand beside the gain. Not here: how a text is made plainer (`passes`).
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from se_agent.program.style.changed import names_in, new_lines, rows_of, tree_or_none
from se_agent.program.style.layout import FileLayout, layout_of
from se_agent.program.style.parentheses import without_needless_parentheses

_LINES = 5  # lines of code that cost a reader as much as one odd line
_NUMBERED = re.compile(r".*[^\W\d]_\d+")
_NESTING = (
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.If,
    ast.Try,
    ast.With,
    ast.AsyncWith,
    ast.Match,
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class StyleChange(NamedTuple):
    """How a change looks to who reads it; each figure is new against old.

    Attributes:
        lines: Lines of code, blank ones and comments left out.
        nesting: Levels that the deepest statement of a function is deeper.
        guards: Questions for types, and handlers that do nothing.
        names: Numbered copies of names.
        inlined: Comparisons in the place of `min` and `max`.
        parentheses: Pairs that nothing needs.
        long_lines: Lines beyond the file's length.
        local_imports: Imports within functions.
    """

    lines: int = 0
    nesting: int = 0
    guards: int = 0
    names: int = 0
    inlined: int = 0
    parentheses: int = 0
    long_lines: int = 0
    local_imports: int = 0

    @property
    def points(self) -> float:
        """The sum, weighted by how much each costs a reader."""
        odd = self.inlined + self.parentheses + self.long_lines + self.local_imports
        heavy = 3 * self.guards + 2 * self.nesting + 2 * self.names
        return self.lines / _LINES + heavy + odd


def style_change(old: Mapping[str, str], new: Mapping[str, str]) -> StyleChange:
    """Return how a program reads against the one that it was made of.

    Args:
        old: Complete text by relative path.
        new: Likewise. Texts that are not Python count by their lines.
    """
    each = [_of_file(old.get(path, ""), text) for path, text in new.items()]
    return StyleChange(*map(sum, zip(*each, strict=True))) if each else StyleChange()


def _of_file(old: str, new: str) -> StyleChange:
    lines = _code_lines(new) - _code_lines(old)
    before, after = tree_or_none(old), tree_or_none(new)
    if old == new or before is None or after is None:
        return StyleChange(lines=lines)
    brought = sorted(names_in(after) - names_in(before))
    return StyleChange(
        lines=lines,
        nesting=_deeper(before, after),
        guards=_more(_guards(before), _guards(after)),
        names=sum(bool(_NUMBERED.fullmatch(name)) for name in brought),
        inlined=_more(_inlined(before), _inlined(after)),
        parentheses=_needless(old, new),
        long_lines=_long(old, new, layout_of(old)),
        local_imports=_more(_local_imports(before), _local_imports(after)),
    )


def _code_lines(text: str) -> int:
    rows = (row.strip() for row in rows_of(text))
    return sum(bool(row) and not row.startswith(("#", "//")) for row in rows)


def _more(old: Iterator[str], new: Iterator[str]) -> int:
    """Return how many there are that were not there before."""
    return (Counter(new) - Counter(old)).total()


def _deeper(old: ast.Module, new: ast.Module) -> int:
    """Return by how many levels functions are deeper, in all; new ones count beyond two."""
    before, after = _depths(old), _depths(new)
    return sum(max(0, depth - before.get(name, 2)) for name, depth in after.items())


def _depths(tree: ast.Module) -> dict[str, int]:
    functions = (node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS))
    return {node.name: max(map(_depth, node.body)) for node in functions}


def _depth(node: ast.AST) -> int:
    """Return the levels of statements in statements; an `elif` is as deep as its `if`."""
    below = 0
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                chained = name == "orelse" and isinstance(child, ast.If)
                below = max(below, _depth(child) - chained)
    return below + isinstance(node, _NESTING)


def _guards(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=ast.Call(func=ast.Name(id="type"))):
                yield ast.unparse(node)
            case ast.Call(func=ast.Name(id="isinstance" | "hasattr")):
                yield ast.unparse(node)
            case ast.Compare(left=ast.Set()) if "type" in ast.unparse(node.left):
                yield ast.unparse(node)
            case ast.ExceptHandler(body=[ast.Pass()]):
                yield ast.unparse(node)


def _inlined(tree: ast.Module) -> Iterator[str]:
    """Yield `a if a > b else b` and its like."""
    for node in ast.walk(tree):
        match node:
            case ast.IfExp(test=ast.Compare(left=left, ops=[op], comparators=[right])):
                sides = {ast.unparse(left), ast.unparse(right)}
                chosen = {ast.unparse(node.body), ast.unparse(node.orelse)}
                if isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) and sides == chosen:
                    yield ast.unparse(node)


def _needless(old: str, new: str) -> int:
    return (new.count("(") - without_needless_parentheses(old, new).count("(")) if old else 0


def _long(old: str, new: str, layout: FileLayout) -> int:
    rows = rows_of(new)
    return sum(
        len(rows[number - 1].rstrip("\n")) > layout.line_length
        for number in new_lines(old, new)
    )


def _local_imports(tree: ast.Module) -> Iterator[str]:
    for function in ast.walk(tree):
        if isinstance(function, _FUNCTIONS):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    yield ast.unparse(node)
