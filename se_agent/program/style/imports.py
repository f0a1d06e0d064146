"""Imports that edits brought: at the top of the file, sorted into the block that is there.

Pure. Imports that the author wrote stay where they are, in whatever order.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from se_agent.program.features import evolve_lines
from se_agent.program.parsing import tree_of
from se_agent.program.style.changed import names_in, rows_of, tree_or_none

_Import = ast.Import | ast.ImportFrom
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class _Line(NamedTuple):
    """An import that is new: its rows, and where it stands."""

    node: _Import
    text: str
    first: int
    last: int


def with_sorted_imports(old: str, new: str) -> str:
    """Return a text whose new imports stand at the top, each at its place.

    Names of a module that is imported from already go into that line. Texts with EVOLVE-BLOCK
    marks stay as they are: nothing may move across those.

    Args:
        old: The text that it was made of.
        new: The text.
    """
    before, tree = tree_or_none(old), tree_or_none(new)
    if before is None or tree is None or evolve_lines(new) is not None:
        return new
    known = {ast.unparse(each) for each in ast.walk(before) if isinstance(each, _Import)}
    found = [line for line in _imports(tree, new) if line.text not in known]
    if not found:
        return new
    rows = rows_of(new)
    for line in sorted(found, key=lambda each: each.first, reverse=True):
        _cut(rows, line)
    text = "".join(rows)
    if tree_or_none(text) is None:
        return new
    for told in sorted({each.text for each in found}):
        text = _with(text, told)
    return text if tree_or_none(text) is not None else new


def _cut(rows: list[str], line: _Line) -> None:
    """Take an import out, with the blank rows on the side of it that has fewer."""
    first, last = line.first, line.last
    above, below = first, last
    while above and not rows[above - 1].strip():
        above -= 1
    while below < len(rows) and not rows[below].strip():
        below += 1
    if not above or (first > above and below > last and below - last < first - above):
        last = below
    elif first > above and below > last:
        first = above
    rows[first:last] = []


def _imports(tree: ast.Module, text: str) -> Iterator[_Line]:
    """Yield the imports of a module and its functions that can be moved to its top."""
    taken = {id(each) for each in tree.body}
    top = {name for each in tree.body for name in _bound(each)}
    rows = rows_of(text)
    for node in ast.walk(tree):
        if not isinstance(node, _Import):
            continue
        if isinstance(node, ast.ImportFrom) and (node.module == "__future__" or node.level):
            continue
        first, last = node.lineno - 1, node.end_lineno or node.lineno
        alone = ast.unparse(node) == "".join(rows[first:last]).strip()
        inside = id(node) not in taken
        names = {each.asname or each.name for each in node.names}
        if alone and not (inside and (names & top or not _is_free(tree, names))):
            yield _Line(node, ast.unparse(node), first, last)


def _is_free(tree: ast.Module, names: set[str]) -> bool:
    """Say whether no function uses names for anything else than an import of its own.

    A name of Python's own, such as `pow`, would be another one for all other functions.
    """
    stored = {
        each.id
        for each in ast.walk(tree)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    given = {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
    return not names & (stored | given | {*dir(builtins)})


def _bound(node: ast.stmt) -> frozenset[str]:
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return frozenset({node.name})
    return names_in(node) if isinstance(node, ast.Assign | ast.AnnAssign) else frozenset()


def _with(text: str, line: str) -> str:
    """Return a text with one more import."""
    tree = tree_or_none(text)
    new = tree_of(line).body[0]
    assert tree is not None
    assert isinstance(new, _Import)
    block = [*_block(tree)]
    rows = rows_of(text)
    if any(ast.unparse(each) == line for each in block):
        return text
    if isinstance(new, ast.ImportFrom):
        for each in block:
            if isinstance(each, ast.ImportFrom) and (each.module, each.level) == (
                new.module,
                0,
            ):
                merged = _merged(each, new, rows)
                if merged:
                    rows[each.lineno - 1 : each.end_lineno] = [f"{merged}\n"]
                    return "".join(rows)
    place, above, below = _place(tree, block, new, rows)
    rows[place:place] = [*above, f"{line}\n", *below]
    return "".join(rows)


def _merged(old: ast.ImportFrom, new: ast.ImportFrom, rows: Sequence[str]) -> str:
    """Return one line for both, if the old one is a plain line of its own."""
    if old.lineno != old.end_lineno or rows[old.lineno - 1].strip() != ast.unparse(old):
        return ""
    names = [*dict.fromkeys((each.name, each.asname) for each in (*old.names, *new.names))]
    ordered = sorted(names, key=lambda pair: _case(pair[0]))
    if [(each.name, each.asname) for each in old.names] != sorted(
        ((each.name, each.asname) for each in old.names), key=lambda pair: _case(pair[0])
    ):
        ordered = names
    told = ", ".join(name + (f" as {other}" if other else "") for name, other in ordered)
    return f"from {old.module} import {told}"


def _case(name: str) -> tuple[int, str]:
    """Return the order of names as formatters have it: constants, classes, all others."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name


def _block(tree: ast.Module) -> Iterator[_Import]:
    """Yield the imports that a module begins with."""
    for number, statement in enumerate(tree.body):
        if isinstance(statement, _Import):
            yield statement
        elif number or not _is_text(statement):
            return


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _place(
    tree: ast.Module, block: Sequence[_Import], new: _Import, rows: Sequence[str]
) -> tuple[int, list[str], list[str]]:
    """Return the row that a new import goes before, and blank rows around it."""
    standard = [each for each in block if _is_standard(each)]
    if standard:
        later = [each for each in standard if _order(each, standard) > _order(new, standard)]
        if later:
            return later[0].lineno - 1, [], []
        return standard[-1].end_lineno or standard[-1].lineno, [], []
    others = [each for each in block if not _is_future(each)]
    if others:
        return others[0].lineno - 1, [], ["\n"]
    if block:
        last = block[-1].end_lineno or block[-1].lineno
        return last, ["\n"], []
    first = tree.body[0] if tree.body else None
    if first is not None and _is_text(first):
        return first.end_lineno or first.lineno, ["\n"], []
    start = next((n for n, row in enumerate(rows) if not row.startswith("#")), 0)
    blank = start < len(rows) and not rows[start].strip()
    return start, [], [] if blank else ["\n", "\n"]


def _is_future(node: _Import) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _is_standard(node: _Import) -> bool:
    if _is_future(node):
        return False
    name = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
    relative = isinstance(node, ast.ImportFrom) and node.level
    return not relative and (name or "").partition(".")[0] in sys.stdlib_module_names


def _order(node: _Import, block: Sequence[_Import]) -> tuple[int, str]:
    """Return the place of an import: plain ones first, unless the block mixes both kinds."""
    kinds = [isinstance(each, ast.ImportFrom) for each in block]
    mixed = kinds != sorted(kinds)
    module = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
    return (0 if mixed else int(isinstance(node, ast.ImportFrom))), (module or "").lower()
