"""Programs as values: address, difference, functions and features of a text. Pure.

Not here: how two texts are found to mean the same (`se_agent.program.normal_form`), nor
anything that changes a program (`operators`). A text that is not Python has an address too.
"""

from __future__ import annotations

import ast
import copy
import difflib
import hashlib
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from se_agent.program.added_constants import (
    caches_of,
    is_cache,
    is_plain_note,
    notes,
    rebound_by_imports,
    without_added_constants,
)
from se_agent.program.editable import names_of
from se_agent.program.normal_form import normal_form, parse

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*_FUNCTIONS, ast.ClassDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Place = tuple[ast.AST, int, tuple[_Function, ...]]
"""A node, how deep in loops it is, and the functions around it."""


def content_address(files: Mapping[str, str]) -> str:
    """Return the SHA-256 of a program, equal up to layout, comments and names of locals.

    Docstrings count: a program may read them. Programs of different meaning differ; texts in
    other languages than Python are taken as they stand.

    Args:
        files: Complete text by relative path.
    """
    forms = sorted(
        (path, _read(text).form if path.endswith(".py") else text)
        for path, text in files.items()
    )
    return hashlib.sha256(repr(forms).encode()).hexdigest()


class _Read(NamedTuple):
    """What is kept of a text when its tree is gone: a lesson of it comes many steps later."""

    form: str
    spans: tuple[tuple[int, int, str], ...]  # first line, last line and name of all functions


@lru_cache(maxsize=256)
def _read(text: str) -> _Read:
    tree = parse(text)
    if tree is None:
        return _Read(text, ())
    spans = ((d.lineno, d.end_lineno or d.lineno, name) for name, d in definitions(tree))
    return _Read(normal_form(tree), tuple(spans))


def node_hash(code: str) -> str:
    """Return 12 hex digits for a piece of code, equal up to layout and comments."""
    tree = parse(textwrap.dedent(code).strip())
    form = " ".join(code.split()) if tree is None else normal_form(tree, rename=False)
    return hashlib.sha256(form.encode()).hexdigest()[:12]


def unified_diff(old: str, new: str, path: str) -> str:
    """Return the unified diff of two texts of the file `path`; empty for equal texts."""
    found = _hunks(old, new)
    return f"--- a/{path}\n+++ b/{path}\n{found}" if found else ""


@lru_cache(maxsize=64)  # lessons, prompts and cards show the same few changes again and again
def _hunks(old: str, new: str) -> str:
    if old == new:
        return ""
    before, after = (text.splitlines(keepends=True) for text in (old, new))
    _, _, *lines = difflib.unified_diff(before, after)
    return "".join(map(_ended, lines))


def _ended(line: str) -> str:
    return line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"


@dataclass(frozen=True, kw_only=True)
class ChangeSummary:
    """What a change did to a text.

    Attributes:
        added: Lines added.
        removed: Lines removed.
        functions: Qualified names of the functions it touched, in order of appearance;
            empty when only module level changed.
    """

    added: int
    removed: int
    functions: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = ", ".join(f"`{name}`" for name in self.functions) or "module level"
        return f"+{self.added} -{self.removed} in {where}"


@lru_cache(maxsize=64)
def summary(old: str, new: str) -> ChangeSummary:
    """Return the size of the change from `old` to `new`, and the functions it touched."""
    from unidiff.patch import PatchSet

    lines = [
        line for file in PatchSet(unified_diff(old, new, "text")) for h in file for line in h
    ]
    gone = {line.source_line_no for line in lines if line.is_removed}
    come = {line.target_line_no for line in lines if line.is_added}
    touched = [*_innermost(new, come), *_innermost(old, gone)]
    return ChangeSummary(
        added=len(come), removed=len(gone), functions=tuple(dict.fromkeys(touched))
    )


def _innermost(text: str, lines: set[int | None]) -> list[str]:
    """Return the innermost function around each of the lines, in their order."""
    found, opened = [], list[tuple[int, int, str]]()
    waiting = sorted(_read(text).spans, reverse=True)
    for line in sorted(number for number in lines if number):
        while waiting and waiting[-1][0] <= line:
            opened.append(waiting.pop())
        while opened and opened[-1][1] < line:  # functions lie in each other, or apart
            opened.pop()
        found += [opened[-1][2]] if opened else []
    return found


def changed_outside(old: str, new: str, editable: str) -> bool:
    """Say whether two programs differ in more than what may change, or is new and no work.

    New are imports, constants, functions of new names, and caches of `functools`.

    Args:
        old: A program.
        new: Another; one that is not Python is not judged here.
        editable: Names of the functions, methods and classes whose bodies may differ, see
            `program.editable`. Other decorators and defaults of a function may not: they run
            when the module is loaded; nor may bases, keywords and decorators of a class. A
            function may get more arguments that are None where they are left out.
    """
    old_tree, new_tree = parse(old), parse(new)
    if old_tree is None or new_tree is None:
        return False
    names = frozenset(names_of(editable))
    caches = caches_of([*old_tree.body, *new_tree.body])
    left = without_added_constants(new_tree.body, old_tree, caches)
    before, after = (_without(body, names, caches) for body in (old_tree.body, left))
    if before != after or rebound_by_imports(old_tree, new_tree):
        return True
    had, has = (_left_out(tree, names) for tree in (old_tree, new_tree))
    return any(has.get(name, count) < count for name, count in had.items())


def _left_out(tree: ast.Module, names: frozenset[str]) -> dict[str, int]:
    """Return how many arguments of functions of these names may be left out."""
    found = ((name, node.args) for name, node in definitions(tree) if name in names)
    return {name: len(arguments.defaults) for name, arguments in found}


def _without(
    body: Sequence[ast.stmt], names: frozenset[str], caches: frozenset[str], prefix: str = ""
) -> list[str]:
    """Return statements as texts, without the bodies and caches of what is named."""
    found = []
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom) and not prefix:
            continue
        name = f"{prefix}{node.name}" if isinstance(node, _DEFINITIONS) else ""
        if name in names:
            found.append(_head(node, caches))
        elif isinstance(node, ast.ClassDef) and any(n.startswith(f"{name}.") for n in names):
            inside = _without(node.body, names, caches, f"{name}.")
            found += [_head(node, caches), *inside, "end"]
        else:
            found.append(_dumped(node))
    return found


def _head(node: ast.stmt, caches: frozenset[str]) -> str:
    """Return what runs when a function or class is defined, and is not in its body."""
    if isinstance(node, ast.ClassDef):
        own = [*node.decorator_list, *node.bases, *(word.value for word in node.keywords)]
        return f"the class {node.name} {[_dumped(part) for part in own]}"
    assert isinstance(node, _FUNCTIONS), "only definitions have a head"
    decorators = node.decorator_list
    if len(decorators) == 1 and is_cache(decorators[0], caches):
        decorators = []
    running = [each for each in notes(node) if not is_plain_note(each)]
    defaults = [*node.args.defaults]
    while defaults and isinstance(defaults[-1], ast.Constant) and defaults[-1].value is None:
        del defaults[-1]
    parts = (decorators, defaults, filter(None, node.args.kw_defaults), running)
    told = [[*map(_dumped, part)] for part in parts]
    return f"the {type(node).__name__} {node.name} {told}"


def _dumped(node: ast.AST) -> str:
    try:
        return ast.dump(node)
    except ValueError:  # an integer of more digits than Python writes
        return ast.dump(_Hexadecimal().visit(copy.deepcopy(node)))


class _Hexadecimal(ast.NodeTransformer):
    """Puts a name in the place of each integer, such as no name can be."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Name(f"{node.value:#x}") if type(node.value) is int else node


def functions(text: str) -> tuple[str, ...]:
    """Return the qualified names of all functions, such as `solve`, `solve.go`, `Vec.add`."""
    return tuple(name for _, _, name in _read(text).spans)


def definitions(tree: ast.Module) -> Iterator[tuple[str, _Function]]:
    """Yield the functions with their qualified names, in order of appearance."""
    todo: list[tuple[str, ast.AST]] = [("", tree)]
    while todo:
        prefix, node = todo.pop()
        if isinstance(node, _DEFINITIONS):
            prefix = f"{prefix}.{node.name}" if prefix else node.name
            if not isinstance(node, ast.ClassDef):
                yield prefix, node
        todo += [(prefix, statement) for statement in reversed(list(_statements(node)))]


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements inside of one, with what holds some; expressions define nothing."""
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        yield from getattr(node, field, ())


@dataclass(frozen=True, kw_only=True)
class Features:
    """Counts that say what kind of program a text is; a prior is pooled by them.

    Attributes:
        nodes: Nodes of the syntax tree.
        functions: Function definitions.
        classes: Class definitions.
        loops: `for` and `while` statements.
        loop_depth: Deepest nesting of loops and comprehensions, within a function.
        comprehensions: Comprehensions and generator expressions.
        recursive: Functions that call themselves by name.
        branches: `if` statements and conditional expressions.
        memberships: `in` and `not in` comparisons.
        subscripts: Subscripts.
        slices: Slices among them.
        calls: Number of calls by the name called (`len`, or `.append` for a method),
            sorted by name.
        imports: Top-level packages that are imported, sorted.
    """

    nodes: int = 0
    functions: int = 0
    classes: int = 0
    loops: int = 0
    loop_depth: int = 0
    comprehensions: int = 0
    recursive: int = 0
    branches: int = 0
    memberships: int = 0
    subscripts: int = 0
    slices: int = 0
    calls: tuple[tuple[str, int], ...] = ()
    imports: tuple[str, ...] = ()


def features(text: str) -> Features:
    """Return the features of a text; all zero for one that is not Python."""
    tree = parse(text)
    if tree is None:
        return Features()
    kinds, calls, imports = Counter[str](), Counter[str](), set[str]()
    recursive, deepest = set[ast.AST](), 0
    todo: list[_Place] = [(tree, 0, ())]
    while todo:
        node, depth, around = todo.pop()
        kinds[type(node).__name__] += 1
        imports.update(_imported(node))
        if isinstance(node, ast.Call) and (name := _called(node)):
            calls[name] += 1
            own = name.removeprefix(".")
            recursive.update(one for one in around if one.name == own)
        elif isinstance(node, _FUNCTIONS):
            around = (*around, node)
        depth = _depth(node, depth)
        deepest = max(deepest, depth)
        todo += [(child, depth, around) for child in ast.iter_child_nodes(node)]
    return Features(
        nodes=kinds.total(),
        functions=kinds["FunctionDef"] + kinds["AsyncFunctionDef"],
        classes=kinds["ClassDef"],
        loops=kinds["For"] + kinds["AsyncFor"] + kinds["While"],
        loop_depth=deepest,
        comprehensions=sum(kinds[kind.__name__] for kind in _COMPREHENSIONS),
        recursive=len(recursive),
        branches=kinds["If"] + kinds["IfExp"],
        memberships=kinds["In"] + kinds["NotIn"],
        subscripts=kinds["Subscript"],
        slices=kinds["Slice"],
        calls=tuple(sorted(calls.items())),
        imports=tuple(sorted(imports)),
    )


def _depth(node: ast.AST, depth: int) -> int:
    """Return how deep in loops the inside of a node is; a definition begins anew."""
    if isinstance(node, _DEFINITIONS):
        return 0
    if isinstance(node, _LOOPS):
        return depth + 1
    return depth + len(node.generators) if isinstance(node, _COMPREHENSIONS) else depth


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return f".{call.func.attr}"
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module.partition(".")[0]


EVOLVE_MARK = re.compile(r"(?:#|//)\s*EVOLVE-BLOCK-(START|END)\b")
"""Mark of a program's author: only the code between START and END may change."""


def evolve_lines(text: str) -> frozenset[int] | None:
    """Return the numbers, from 1, of the lines between EVOLVE-BLOCK-START and -END comments.

    None for a text without marks: all of it may change.
    """
    inside, inner = False, set()
    marks = [EVOLVE_MARK.search(line) for line in text.splitlines()]
    for number, mark in enumerate(marks, start=1):
        if mark:
            inside = mark[1] == "START"
        elif inside:
            inner.add(number)
    return frozenset(inner) if any(marks) else None
