"""Probes instead of faults, all of them at once, tell which tests come by their places.

A probe stands before the statement that a fault would change; for a constant of a module, in
each function that reads it. Not here: what runs the tests (`bench`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from experiments.faults.bench import Bench
from experiments.faults.draw import Planted

Row = dict[str, object]  # JSON

SEEN = "reached"
"""File in the `/tmp` of the copy that has a line for each place and test."""

_MODULE = f'''"""Notes which test comes by a probe; who may not write notes nothing."""
import builtins, os

_noted = set()

def reached(number):
    try:
        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
        if test and (number, test) not in _noted:
            _noted.add((number, test))
            with open("/tmp/{SEEN}", "a") as out:
                out.write(f"{{number}} {{test}}\\n")
    except Exception:
        pass

builtins.fault_reached = reached
'''
_NAME = "faults_probe"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def install(bench: Bench) -> None:
    """Have all interpreters of the copy know the function that probes call."""
    (packages,) = (bench.copy / ".venv" / "lib").glob("python*/site-packages")
    (packages / f"{_NAME}.py").write_text(_MODULE, encoding="utf-8")
    (packages / f"{_NAME}.pth").write_text(f"import {_NAME}\n", encoding="utf-8")


def reach(faults: Iterable[Planted], tests: list[str], bench: Bench, *, wall: float) -> Row:
    """Run tests with a probe at the place of each fault; return what came by.

    Returns:
        `reached`: tests by the number of a fault; `failed`: tests that fail without a fault.
    """
    install(bench)
    by_file: dict[str, list[Planted]] = {}
    for fault in faults:
        by_file.setdefault(fault.file, []).append(fault)
    texts = {file: probed(bench.text(file), some) for file, some in by_file.items()}
    with bench.changed(texts):
        run = bench.pytest(tests, cpu=int(wall), wall=wall)
    found: dict[int, list[str]] = {}
    for line in _noted(bench.tmp / SEEN):
        number, _, test = line.partition(" ")
        found.setdefault(int(number), []).append(test)
    return {
        "tests": tests,
        "reached": found,
        "failed": list(run.failed),
        "code": run.code,
        "seconds": run.seconds,
        "said": run.said[-200:],
    }


def _noted(path: Path) -> list[str]:
    return path.read_text(errors="replace").splitlines() if path.is_file() else []


def probed(text: str, faults: Iterable[Planted]) -> str:
    """Return a module with a probe for each fault."""
    tree = ast.parse(text)
    lines = text.splitlines(keepends=True)
    places = {
        (line, column, one.number) for one in faults for line, column in at(tree, one.line)
    }
    for line, column, number in sorted(places, reverse=True):
        call = f'getattr(__import__("builtins"), "fault_reached", len)("{number}")'
        lines.insert(line - 1, " " * column + call + "\n")
    return "".join(lines)


def at(tree: ast.Module, line: int) -> Iterator[tuple[int, int]]:
    """Yield line and column of the statements that a probe for a line stands before."""
    outer = [
        node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS) and _has(node, line)
    ]
    if outer:
        yield _before(max(outer, key=lambda node: node.lineno), line)
        return
    names = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign) and _has(node, line)
        for target in ast.walk(node)
        if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS) and _reads(node, names):
            yield _before(node, node.lineno)


def _has(node: ast.stmt, line: int) -> bool:
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    return first <= line <= (node.end_lineno or node.lineno)


def _reads(function: ast.AST, names: set[str]) -> bool:
    own = (node for node in ast.walk(function) if isinstance(node, ast.Name | ast.Attribute))
    return any((node.id if isinstance(node, ast.Name) else node.attr) in names for node in own)


def _before(function: ast.stmt, line: int) -> tuple[int, int]:
    """Return where the innermost statement of a function that has a line begins."""
    assert isinstance(function, _FUNCTIONS)
    body = function.body
    if ast.get_docstring(function) is not None and len(body) > 1:
        body = body[1:]
    best = body[0]
    for node in _statements(body):
        if _has(node, line) and node.lineno >= best.lineno:
            best = node
    return best.lineno, best.col_offset


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    """Yield statements at all depths that another can stand before: no `elif`, no clause."""
    for node in body:
        if isinstance(node, ast.stmt):
            yield node
        yield from _below(node)


def _below(node: ast.AST) -> Iterator[ast.stmt]:
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        parts = getattr(node, name, [])
        if name == "orelse" and len(parts) == 1 and _is_elif(node, parts[0]):
            yield from _below(parts[0])
        elif isinstance(parts, list):  # the body of a lambda is an expression
            yield from _statements(parts)


def _is_elif(node: ast.AST, part: ast.AST) -> bool:
    both = isinstance(node, ast.If) and isinstance(part, ast.If)
    return both and part.col_offset == node.col_offset
