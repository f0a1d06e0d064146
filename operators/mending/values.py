"""Values of a wrong kind: methods of other languages, halves, lists as keys, no answer."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from operators.mending.failing import (
    Change,
    FailingProgram,
    Function,
    Mended,
    source,
    with_changes,
)
from operators.mending.standard import METHODS, SIZES

_HAS = {"set": "add", "list": "append", "collections.deque": "append"}
_PUTTING = frozenset({"add", "append", "push", "insert"})


def mended_method(program: FailingProgram) -> Iterator[Mended]:
    """Yield the program with Python's own method in place of one that an object lacks."""
    if len(program.error.slots) < 2:
        return
    kind, name = program.error.slots[:2]
    uses = _uses(program, name)
    new = METHODS.get(name, "")
    if name in _PUTTING and kind in _HAS:
        new = _HAS[kind]
    if name in ("shift", "pop_front") and kind == "list":
        changes = [
            Change(call, f"{source(program.text, use.value)}.pop(0)")
            for use, call in uses
            if call is not None
        ]
        yield from _changed(program, changes, f"Replace `{name}()` by `pop(0)`")
    elif name == "has_key":
        yield from _changed(program, list(_asked(program, uses)), "Replace `has_key` by `in`")
    elif name in SIZES:
        changes = [
            Change(call or use, f"len({source(program.text, use.value)})") for use, call in uses
        ]
        yield from _changed(program, changes, f"Replace `.{name}` by `len()`")
    elif new:
        changes = [Change(use, f"{source(program.text, use.value)}.{new}") for use, _ in uses]
        yield from _changed(program, changes, f"Replace `.{name}` by `.{new}`")


def mended_half(program: FailingProgram) -> Iterator[Mended]:
    """Yield the program with whole quotients: in the function where it fails, or everywhere."""
    for place in (program.around(), program.tree):
        divisions = [
            node
            for node in (ast.walk(place) if place else ())
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
        ]
        gaps = [_between(d) for d in divisions]
        changes = [Change(g, source(program.text, g).replace("/", "//", 1)) for g in gaps]
        yield from _changed(program, changes, "Replace `/` by `//`")


def mended_key(program: FailingProgram) -> Iterator[Mended]:
    """Yield the program with a tuple in place of a list that is looked up or put in."""
    if program.error.slots[:1] != ("list",):
        return
    changes = []
    for node in ast.walk(program.tree) if program.tree else ():
        if getattr(node, "lineno", 0) == program.line:
            changes += [Change(key, _tuple(program.text, key)) for key in _keys(node)]
    yield from _changed(program, changes, "Replace a list that is a key by a tuple")


def mended_self(program: FailingProgram) -> Iterator[Mended]:
    """Yield the program with `self` as first argument of the methods that lack it."""
    named = program.error.slots[0].rpartition(".") if program.error.slots else ("", "", "")
    for node in ast.walk(program.tree) if program.tree else ():
        if isinstance(node, ast.ClassDef) and node.name == named[0].rpartition(".")[2]:
            lacking = [f for f in node.body if isinstance(f, Function) and _lacks_self(f)]
            text = program.text
            for function in sorted(lacking, key=lambda f: -f.lineno):
                text = _with_argument(text, function)
            if text != program.text:
                yield Mended(text, "Add `self`")


def mended_return(program: FailingProgram) -> Iterator[Mended]:
    """Yield the program with the `return` that a function lacks at its end.

    The one that is called comes first; else those whose answer others use.
    """
    functions = list(program.functions())
    if not program.error.words:
        functions = [f for f in functions if f.name == program.entry_point]
    calls = (
        [n for n in ast.walk(program.tree) if isinstance(n, ast.Call)] if program.tree else []
    )
    called = {n.func.id for n in calls if isinstance(n.func, ast.Name)}
    for function in functions:
        if function.name not in called and function.name != program.entry_point:
            continue
        last = function.body[-1]
        if line := _last_return(program, function):
            text = _with_line_behind(program.text, last, line)
            yield Mended(text, f"Add `{line}`")
        if isinstance(last, ast.Expr) and not isinstance(last.value, ast.Constant):
            new = f"return {source(program.text, last)}"
            what = f"Add the `return` of `{function.name}`"
            yield from _changed(program, [Change(last, new)], what)


def _changed(program: FailingProgram, changes: Sequence[Change], what: str) -> Iterator[Mended]:
    if changes:
        yield Mended(with_changes(program.text, changes), what)


def _uses(program: FailingProgram, name: str) -> list[tuple[ast.Attribute, ast.Call | None]]:
    """Return where a member is used of what lacks it, each with the call that it is part of.

    That is the object of the line that fails; where no line is known, any object.
    """
    nodes = list(ast.walk(program.tree)) if program.tree else []
    calls = {id(n.func): n for n in nodes if isinstance(n, ast.Call)}
    uses = [n for n in nodes if isinstance(n, ast.Attribute) and n.attr == name]
    here = {ast.unparse(use.value) for use in uses if use.lineno == program.line}
    found = [use for use in uses if not here or ast.unparse(use.value) in here]
    return [(use, calls.get(id(use))) for use in found]


def _asked(
    program: FailingProgram, uses: Sequence[tuple[ast.Attribute, ast.Call | None]]
) -> Iterator[Change]:
    for use, call in uses:
        if call is not None and len(call.args) == 1:
            key = source(program.text, call.args[0])
            yield Change(call, f"({key} in {source(program.text, use.value)})")


def _keys(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what has to be hashable in an expression."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in ("add", "discard", "get", "setdefault") and node.args:
            yield node.args[0]
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
        yield node.left
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.List):
        yield node.slice


def _tuple(text: str, key: ast.expr) -> str:
    if isinstance(key, ast.List) and len(key.elts) > 1:
        return f"({source(text, key)[1:-1]})"
    return f"tuple({source(text, key)})"


def _between(division: ast.BinOp) -> ast.expr:
    """Return what stands between both sides of a quotient, as a node."""
    left, right = division.left, division.right
    return ast.Constant(
        value=None,
        lineno=left.end_lineno or left.lineno,
        col_offset=left.end_col_offset or 0,
        end_lineno=right.lineno,
        end_col_offset=right.col_offset,
    )


def _lacks_self(function: Function) -> bool:
    """Say whether a method has not the argument that it is called with."""
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Name) and decorator.id in ("staticmethod", "classmethod"):
            return False
    first = function.args.args[0].arg if function.args.args else ""
    return first not in ("self", "cls", "this", "_")


def _with_argument(text: str, function: Function) -> str:
    rows = text.split("\n")
    row = function.lineno - 1
    head, sign, tail = rows[row].partition("(")
    comma = "" if tail.lstrip().startswith(")") else ", "
    rows[row] = f"{head}{sign}self{comma}{tail}"
    return "\n".join(rows)


def _last_return(program: FailingProgram, function: Function) -> str:
    """Return the line that ends the parent's function, if this one has what it returns."""
    for node in ast.walk(program.parent_tree):
        if isinstance(node, Function) and node.name == function.name:
            last = node.body[-1]
            if isinstance(last, ast.Return) and isinstance(last.value, ast.Name):
                name = last.value.id
                own = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
                is_end = isinstance(function.body[-1], ast.Return)
                return f"return {name}" if name in own and not is_end else ""
    return ""


def _with_line_behind(text: str, node: ast.stmt, line: str) -> str:
    rows = text.split("\n")
    end = node.end_lineno or node.lineno
    return "\n".join([*rows[:end], " " * node.col_offset + line, *rows[end:]])
