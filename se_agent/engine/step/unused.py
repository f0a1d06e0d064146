"""What edits brought and nothing in a program uses any more: functions, imports, tables.

An edit that changes a helper's only caller leaves the helper behind, and so does one that is
dropped. What the initial program has is its author's, used or not. Pure. Not here: locals of
a function (a rule tidies up behind itself), and whether the smaller program is right.
"""

from __future__ import annotations

import ast
import copy
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from se_agent.program.parsing import tree_of
from se_agent.values.solution import Edit

RULE = "unused"
"""Rule of an edit that takes out what nothing uses."""

_SEEING = {
    "__dict__",
    "__import__",
    "dir",
    "eval",
    "exec",
    "getattr",
    "getmembers",
    "globals",
    "import_module",
    "locals",
    "vars",
}
"""Functions that may read a name without its being written."""

_QUIET = {
    *("bool", "bytearray", "bytes", "dict", "enumerate", "float", "frozenset", "int", "len"),
    *("list", "map", "max", "min", "range", "reversed", "set", "sorted", "str", "sum", "tuple"),
    *("zip", "collections.Counter", "collections.defaultdict", "collections.deque", "Counter"),
    *("defaultdict", "deque", "re.compile", "str.maketrans", "bytes.maketrans"),
}
"""Functions whose call does nothing but return a value."""

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


def tidied_files(initial: Mapping[str, str], files: Mapping[str, str]) -> Tidied:
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
            known = set(_named(old)) if old else set()
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
    """Return how often each name is read, or may be: attributes and texts count, too.

    Texts that are values, that is: what documentation says is no use of a name.
    """
    found: Counter[str] = Counter()
    told = {id(one.value) for one in ast.walk(node) if isinstance(one, ast.Expr)}
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name, ctx=ast.Load() | ast.Del()) | ast.Attribute(attr=name):
                found[name] += 1
            case ast.Constant(value=str(text)) if id(each) not in told:
                found.update(set(re.findall(r"\w+", text)))
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
    lines = Counter(line for each in tree.body for line in _lines(each))
    found: dict[ast.stmt, tuple[str, ...]] = {}
    for statement in tree.body:
        if any(lines[line] > 1 for line in _lines(statement)):
            continue  # others stand there, too
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
        case ast.FunctionDef(args=given) | ast.AsyncFunctionDef(args=given):
            defaults = (*given.defaults, *(one for one in given.kw_defaults if one))
            decorators = map(_called, statement.decorator_list)
            if _PLAIN.issuperset(decorators) and all(map(_is_quiet, defaults)):
                yield statement.name
        case ast.ImportFrom(module="__future__") | ast.ImportFrom(names=[ast.alias(name="*")]):
            return
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            yield from map(_imported, aliases)
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ) if value is None or _is_quiet(value):
            yield name


def _named(tree: ast.AST) -> Iterator[str]:
    """Yield all names that are bound anywhere in a program, in whatever way."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name):
                yield name
            case ast.alias():
                yield _imported(node)


def _imported(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _lines(statement: ast.stmt) -> range:
    """Return the numbers of the lines that a statement takes, its decorators with it."""
    starts = [each.lineno for each in getattr(statement, "decorator_list", ())]
    return range(min([statement.lineno, *starts]), (statement.end_lineno or 0) + 1)


def _is_quiet(value: ast.expr) -> bool:
    """Say whether to work out a value does nothing else."""
    calls = (node for node in ast.walk(value) if isinstance(node, ast.Call))
    return all(_called(call) in _QUIET for call in calls)


def _called(node: ast.expr) -> str:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node)


def _without(text: str, found: Mapping[ast.stmt, tuple[str, ...]]) -> str:
    """Return a text without statements, or without what they import of these names."""
    lines = io.StringIO(text).readlines()  # as Python counts them: a form feed ends none
    for statement, names in [*found.items()][::-1]:
        first, last = _lines(statement).start - 1, _lines(statement).stop - 1
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
    kept.names = [one for one in kept.names if _imported(one) not in names]
    return ast.unparse(kept) if kept.names else ""
