"""Run `se-agent` in a process that notes each line of `se_agent/memory` it reaches.

Usage: python -m experiments.memory_lines.traced FILE ARGUMENTS...

What was reached is added to FILE, a line `path:number` each. Processes that the command starts
are not followed; the memory has none.
"""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from experiments.figures.rows import ROOT
from se_agent.cli.app import main

MEMORY = ROOT / "se_agent" / "memory"
Line = tuple[str, int]
Trace = Callable[[FrameType, str, Any], Any]


@dataclass(frozen=True)
class Function:
    """A function of the memory.

    Attributes:
        name: Module and name, such as `graph.paths.tests_of`.
        lines: Lines below its first one that can be reached.
    """

    name: str
    lines: frozenset[Line]


def modules() -> list[Path]:
    """Return the modules of the memory; programs of packs are data."""
    data = MEMORY / "knowledge" / "data"
    return sorted(path for path in MEMORY.rglob("*.py") if data not in path.parents)


@cache
def lines_of(path: Path) -> frozenset[Line]:
    """Return the lines of a module that can be reached; imports for types alone cannot."""
    text = path.read_text(encoding="utf-8")
    left_out = {number for part in _for_types(ast.parse(text)) for number in part}
    code = compile(text, str(path), "exec")
    found = {number for each in _codes(code) for *_, number in each.co_lines() if number}
    return frozenset((str(path), number) for number in found - left_out)


def functions_of(path: Path) -> Iterator[Function]:
    """Yield the functions of a module, the methods of its classes included."""
    reachable = lines_of(path)
    room = ".".join(path.relative_to(MEMORY).with_suffix("").parts)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for name, node in _functions(tree, room):
        span = range(node.body[0].lineno, (node.end_lineno or 0) + 1)
        lines = frozenset(line for line in reachable if line[1] in span)
        if lines:  # a protocol has none
            yield Function(name, lines)


def _functions(
    tree: ast.AST, room: str
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{room}.{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{room}.{node.name}")


def _for_types(tree: ast.Module) -> Iterator[range]:
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield range(node.body[0].lineno, (node.end_lineno or 0) + 1)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


class Reached:
    """Notes lines; a function that was seen whole is not looked at again."""

    def __init__(self) -> None:
        self._folder = f"{MEMORY}/"
        self._lines: dict[CodeType, set[int]] = {}
        self._left: dict[CodeType, set[int]] = {}

    def call(self, frame: FrameType, _event: str, _argument: object) -> Trace | None:
        """Decide whether a call is watched."""
        code = frame.f_code
        if not code.co_filename.startswith(self._folder):
            return None
        if code not in self._left:
            numbers = {number for *_, number in code.co_lines() if number}
            self._left[code] = numbers - {code.co_firstlineno}
            self._lines[code] = {code.co_firstlineno}
        return self._line if self._left[code] else None

    def _line(self, frame: FrameType, event: str, _argument: object) -> Trace:
        if event == "line":
            self._lines[frame.f_code].add(frame.f_lineno)
            self._left[frame.f_code].discard(frame.f_lineno)
        return self._line

    def write(self, path: Path) -> None:
        """Add what was reached to a file."""
        with path.open("a", encoding="utf-8") as file:
            for code, numbers in self._lines.items():
                file.writelines(f"{code.co_filename}:{number}\n" for number in sorted(numbers))


def read(path: Path) -> frozenset[Line]:
    """Return what was reached, of a file."""
    if not path.exists():
        return frozenset()
    found = (line.rpartition(":") for line in path.read_text(encoding="utf-8").splitlines())
    return frozenset((file, int(number)) for file, _, number in found)


if __name__ == "__main__":
    reached, kept = Reached(), Path(sys.argv.pop(1))
    threading.settrace(reached.call)
    sys.settrace(reached.call)
    try:
        main()
    finally:
        sys.settrace(None)
        reached.write(kept)
