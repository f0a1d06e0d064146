"""A failing program as those who mend it see it, and exact changes of its text.

Not here: what mends which error (`table`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from se_agent.program.editable import names_of
from se_agent.program.error_template import ErrorTemplate
from se_agent.program.parsing import tree_of
from se_agent.values.session import KnownFix

_PLACE = re.compile(r":(\d+) in ")
Function = ast.FunctionDef | ast.AsyncFunctionDef
_NAMED = Function | ast.ClassDef


class Mended(NamedTuple):
    """A text, and what was done to make it, such as "Add `import heapq`"."""

    text: str
    change: str


@dataclass(frozen=True, kw_only=True)
class FailingProgram:
    """A program that is not right, and what was seen of it.

    Attributes:
        text: The program.
        parent: The right program that it was made from.
        error: Template of what it says; without words where it only answers wrongly.
        told: All that it says, with the places of its frames.
        is_none: Whether it returns None where something else is right.
        entry_point: Function that is called; empty: none.
        imports: Packages that it may import besides the standard library.
        fixes: What mended errors in this run before, and was seen to.
    """

    text: str
    parent: str
    error: ErrorTemplate
    told: str = ""
    is_none: bool = False
    entry_point: str = ""
    imports: tuple[str, ...] = ()
    fixes: tuple[KnownFix, ...] = ()

    @cached_property
    def tree(self) -> ast.Module | None:
        """Its syntax tree; None: it is no Python."""
        return parsed(self.text)

    @cached_property
    def parent_tree(self) -> ast.Module:
        """The syntax tree of its parent; an empty one where that is no Python."""
        return parsed(self.parent) or ast.Module([], [])

    @property
    def line(self) -> int:
        """Line in which it fails, from 1; 0: not said."""
        places = _PLACE.findall(self.told)
        return int(places[-1]) if places else 0

    def functions(self) -> Iterator[Function]:
        """Yield its functions, outer ones first."""
        for node in ast.walk(self.tree) if self.tree else ():
            if isinstance(node, Function):
                yield node

    def around(self) -> Function | None:
        """Return the innermost function in which it fails."""
        found = [f for f in self.functions() if f.lineno <= self.line <= (f.end_lineno or 0)]
        return found[-1] if found else None


Fix = Callable[[FailingProgram], Iterator[Mended]]
"""What may mend a failing program: yields the likeliest text first; it may not even parse."""


class Change(NamedTuple):
    """A node's text is replaced."""

    node: ast.expr | ast.stmt
    new: str


def parsed(text: str) -> ast.Module | None:
    """Return the tree of a text; None: it is no Python."""
    try:
        return tree_of(text)
    except (SyntaxError, ValueError):
        return None


def with_changes(text: str, changes: Sequence[Change]) -> str:
    """Return a text with nodes of its tree replaced, none of which is part of another."""
    lines = text.encode("utf-8").split(b"\n")
    for node, new in sorted(changes, key=lambda c: (-c.node.lineno, -c.node.col_offset)):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        tail = lines[last][node.end_col_offset :]
        whole = lines[first][: node.col_offset] + new.encode("utf-8") + tail
        lines[first : last + 1] = whole.split(b"\n")
    return b"\n".join(lines).decode("utf-8")


def source(text: str, node: ast.expr | ast.stmt) -> str:
    """Return the text of a node, without decorators."""
    return ast.get_source_segment(text, node) or ""


def with_lines_before(text: str, node: ast.stmt, *lines: str) -> str:
    """Return a text with lines in front of a statement, indented as it is."""
    rows = text.split("\n")
    rows[node.lineno - 1 : node.lineno - 1] = [" " * node.col_offset + line for line in lines]
    return "\n".join(rows)


def with_top_lines(text: str, lines: Sequence[str]) -> str:
    """Return a text with lines behind its docstring and its imports from the future."""
    tree, place = parsed(text), 0
    for node in tree.body if tree else ():
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not (is_future or is_text):
            break
        place = node.end_lineno or node.lineno
    rows = text.split("\n")
    rows[place:place] = lines
    return "\n".join(rows)


def is_same_outside(text: str, other: str, editable: str) -> bool:
    """Say whether two texts differ at most in what may change; see `program.editable`."""
    rests = [_without(tree, editable) for one in (text, other) if (tree := parsed(one))]
    return len(rests) == 2 and rests[0] == rests[1]


def _without(tree: ast.Module, editable: str) -> str:
    """Return the form of a module without the functions and classes that may change."""
    for editable_name in names_of(editable):
        owner, _, name = editable_name.rpartition(".")
        bodies = [tree.body]
        bodies += [n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name == owner]
        for body in bodies[1:] if owner else bodies[:1]:
            body[:] = [n for n in body if not (isinstance(n, _NAMED) and n.name == name)]
    return ast.dump(tree)
