"""What edits brought and nothing in a program uses any more: functions, imports, tables.

An edit that changes a helper's only caller leaves the helper behind, and so does one that is
dropped. What the initial program has is its author's, used or not. Pure. Not here: locals of
a function (a rule tidies up behind itself), and whether the smaller program is right.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from se_agent.syntax import tree_of
from se_agent.types import Edit

RULE = "unused"
"""Rule of an edit that takes out what nothing uses."""

_SEEING = {
    "__import__",
    "eval",
    "exec",
    "getattr",
    "globals",
    "import_module",
    "locals",
    "vars",
}
"""Functions that may read a name without its being written."""

_PLAIN = {"cache", "functools.cache", "functools.lru_cache", "lru_cache"}
"""Decorators that keep no record of a function elsewhere."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Tidied(NamedTuple):
    """A program without what nothing uses, and the names that went."""

    files: Mapping[str, str]
    names: tuple[str, ...]

    @property
    def edit(self) -> Edit:
        """The edit that takes these names out."""
        told = (("names", ", ".join(self.names)),)
        return Edit(rule=RULE, function="", node="0", parameters=told)


def tidied(initial: Mapping[str, str], files: Mapping[str, str]) -> Tidied:
    """Return a program without the names of its modules that edits brought and nothing uses.

    Args:
        initial: Texts of the program that the edits were made of, by path.
        files: Texts of the program; those that are not Python stay as they are.
    """
    gone: list[str] = []
    while True:
        trees = {path: tree for path, text in files.items() if (tree := _tree(path, text))}
        used = sum((_used(tree) for tree in trees.values()), Counter[str]())
        if _SEEING & used.keys():
            return Tidied(files, tuple(gone))
        for path, tree in trees.items():
            old = _tree(path, initial.get(path, ""))
            known = {name for each in old.body for name in _bound(each)} if old else set()
            if found := _unused(tree, known, used):
                files = {**files, path: _without(files[path], found)}
                gone += [name for names in found.values() for name in names]
                break
        else:
            return Tidied(files, tuple(gone))


def _tree(path: str, text: str) -> ast.Module | None:
    try:
        return tree_of(text) if path.endswith(".py") else None
    except (SyntaxError, ValueError, RecursionError):
        return None


def _used(node: ast.AST) -> Counter[str]:
    """Return how often each name is read, or may be: attributes and texts count, too."""
    found: Counter[str] = Counter()
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name, ctx=ast.Load() | ast.Del()) | ast.Attribute(attr=name):
                found[name] += 1
            case ast.Constant(value=str(text)):
                found.update({text} if text.isidentifier() else ())
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
            case ast.ImportFrom(names=aliases):
                found.update(alias.name for alias in aliases if alias.name != alias.asname)
    return found


def _unused(
    tree: ast.Module, known: set[str], used: Counter[str]
) -> dict[ast.stmt, tuple[str, ...]]:
    """Return the new statements that bind names which nothing else reads, with these names."""
    times = Counter(name for each in tree.body for name in _bound(each))
    found: dict[ast.stmt, tuple[str, ...]] = {}
    for statement in tree.body:
        own = _used(statement)
        names = tuple(
            name
            for name in _bound(statement)
            if name not in known
            and times[name] == 1
            and used[name] == own[name]
            and not name.startswith("__")
        )
        whole = not isinstance(statement, ast.Import | ast.ImportFrom)
        if names and not (whole and len(names) < len(list(_bound(statement)))):
            found[statement] = names
    return found


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a plain statement of a module binds, and does nothing else."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            if all(_decorator(each) in _PLAIN for each in statement.decorator_list):
                yield statement.name
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            for alias in aliases:
                yield alias.asname or alias.name.partition(".")[0]
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name


def _decorator(node: ast.expr) -> str:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node)


def _without(text: str, found: Mapping[ast.stmt, tuple[str, ...]]) -> str:
    """Return a text without statements, or without what they import of these names."""
    lines = text.splitlines(keepends=True)
    for statement, names in [*found.items()][::-1]:
        starts = [each.lineno for each in getattr(statement, "decorator_list", ())]
        first, last = min([statement.lineno, *starts]) - 1, statement.end_lineno or 0
        left = _left(statement, names)
        if not left:
            while last < len(lines) and not lines[last].strip():
                last += 1  # the lines below it go with it, those above stay
        lines[first:last] = [f"{left}\n"] if left else []
    return "".join(lines).rstrip("\n") + "\n"


def _left(statement: ast.stmt, names: tuple[str, ...]) -> str:
    """Return what is left of a statement; empty: nothing."""
    if not isinstance(statement, ast.Import | ast.ImportFrom):
        return ""
    kept = copy.copy(statement)
    kept.names = [
        one for one in kept.names if (one.asname or one.name.partition(".")[0]) not in names
    ]
    return ast.unparse(kept) if kept.names else ""
