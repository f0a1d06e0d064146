"""What a prompt shows of a program too long for it: what may change or costs, and its needs.

Pure. Lines are shown as they stand, so that a diff can repeat them, and a note in brackets says
where some are left out. Not here: how a program becomes a block of a prompt (`rendering`).
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from se_agent.chat.escaping import inline
from se_agent.program.editable import names_of
from se_agent.program.features import EVOLVE_MARK
from se_agent.program.parsing import tree_of

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*_FUNCTIONS, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_TOLD = 6  # names in a note
_NOTED = 3  # lines that a note stands for, at least
_WIDTH = 40  # characters of a name in a note


@dataclass(frozen=True)
class _Unit:
    """Lines that belong together: a function, a class to its first method, a statement.

    Attributes:
        start: First line, from 1; decorators count.
        end: Last line.
        defines: What others may call it by; a method's name also with that of its class.
        uses: Names in it.
        imports: Whether it is an import.
    """

    start: int
    end: int
    defines: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()
    imports: bool = False


def excerpt(
    text: str, room: int, *, editable: str = "", entry: str = "", hot: Sequence[int] = ()
) -> str:
    """Return a program, or as much of it as there is room for.

    Of what has no room as a whole the lines are shown that are nearest to hot ones. Programs in
    other languages than Python, and those that cannot be read, are one such whole.

    Args:
        text: The program.
        room: Characters of it that may be shown; notes come on top.
        editable: What may change, see `program.editable`, which is shown first; empty: all may.
        entry: Name of the function that is called, which is shown after what is hot.
        hot: Lines that matter most, first things first, from 1.
    """
    if len(text) <= room:
        return text
    lines, units = text.split("\n"), _units(text)
    order = list(_ordered(units, _marked(lines), editable, entry, hot))
    # A table on one line has no room beside others; a program of such lines has nothing else.
    taken = _taken(lines, order, hot, room, most=room // 4) or _taken(lines, order, hot, room)
    if not taken:
        return f"{text[:room]}\n" + _note(range(1, len(lines) + 1), units)
    return "\n".join(_shown(lines, taken, units))


def _taken(
    lines: Sequence[str], units: Iterable[_Unit], hot: Sequence[int], room: int, most: int = 0
) -> set[int]:
    """Return the numbers of the lines for which there is room; none is longer than `most`."""
    left, taken = room, set[int]()
    for unit in units:
        for number in _near(unit, hot):
            size = 0 if number in taken else len(lines[number - 1]) + 1
            if most and size > most:
                continue
            if size > left:
                break
            left -= size
            taken.add(number)
    return taken


def _ordered(
    units: Sequence[_Unit],
    marked: Sequence[_Unit],
    editable: str,
    entry: str,
    hot: Sequence[int],
) -> Iterator[_Unit]:
    """Yield units, what matters most first; all in order where nothing is known to matter."""
    around = [u for m in marked for u in units if u.start <= m.end and m.start <= u.end]
    changing = [unit for unit in units if unit.defines.intersection(names_of(editable))]
    warm = [unit for line in hot for unit in units if unit.start <= line <= unit.end]
    called = [unit for unit in units if entry in unit.defines]
    imports = [unit for unit in units if unit.imports]
    known = [*marked, *changing, *warm, *around, *called]
    queue = deque([*known, *imports] if known else units)
    makers: dict[str, list[_Unit]] = {}
    for unit in units:
        for name in sorted(unit.defines):
            makers.setdefault(name, []).append(unit)
    seen: set[_Unit] = set()
    while queue:
        unit = queue.popleft()
        if unit not in seen:
            seen.add(unit)
            yield unit
            queue.extend(maker for name in sorted(unit.uses) for maker in makers.get(name, ()))


def _near(unit: _Unit, hot: Iterable[int]) -> list[int]:
    """Return the lines of a unit, those first that are nearest to a hot one, or to its top."""
    inside = [line for line in hot if unit.start <= line <= unit.end] or [unit.start]
    numbers = range(unit.start, unit.end + 1)
    return sorted(numbers, key=lambda number: min(abs(number - line) for line in inside))


def _marked(lines: Sequence[str]) -> list[_Unit]:
    """Return what may change, where only that may: each EVOLVE block with its marks."""
    found, start = list[_Unit](), 0
    for number, line in enumerate(lines, start=1):
        mark = EVOLVE_MARK.search(line)
        if mark and mark[1] == "START":
            start = number
        elif mark and start:
            found.append(_Unit(start, number))
            start = 0
    return [*found, *([_Unit(start, len(lines))] if start else [])]


@lru_cache(maxsize=64)  # each program is shown for many slots
def _units(text: str) -> tuple[_Unit, ...]:
    """Return the units of a program in order; one that cannot be read is a single unit."""
    whole = (_Unit(1, text.count("\n") + 1),)
    if "\r" in text:  # another end of line for Python
        return whole
    try:
        body = tree_of(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return whole
    return tuple(unit for node in body for unit in _of(node))


def _of(node: ast.stmt, around: str = "") -> Iterator[_Unit]:
    """Yield the units of a statement: of a class its head, then what follows, method by method.

    Args:
        node: The statement.
        around: Qualified name of its class; all in it use that, so its head is shown with them.
    """
    behind = _behind_head(node)
    inner = {part for one in behind for part in ast.walk(one)}
    end = _start(behind[0]) - 1 if behind else node.end_lineno or node.lineno
    names, uses = {*_defined(node)}, {*_used(ast.walk(node), inner)}
    yield _Unit(
        start=_start(node),
        end=max(end, _start(node)),
        defines=frozenset(names | {f"{around}.{name}" for name in names if around}),
        uses=frozenset(uses | {around} if around else uses),
        imports=any(isinstance(one, _IMPORTS) for one in _outer(node)),
    )
    for one in behind:
        assert isinstance(node, ast.ClassDef), "only a class has a head"
        yield from _of(one, f"{around}.{node.name}" if around else node.name)


def _behind_head(node: ast.stmt) -> list[ast.stmt]:
    """Return the statements of a class from its first method on."""
    body = node.body if isinstance(node, ast.ClassDef) else []
    first = next((n for n, one in enumerate(body) if isinstance(one, _FUNCTIONS)), len(body))
    return body[first:]


def _start(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])


def _outer(node: ast.stmt) -> Iterator[ast.AST]:
    """Yield the parts of a statement, but for what is inside a function or a class."""
    todo: list[ast.AST] = [node]
    while todo:
        part = todo.pop()
        yield part
        if not isinstance(part, _DEFINITIONS):
            todo.extend(ast.iter_child_nodes(part))


def _defined(node: ast.stmt) -> Iterator[str]:
    for part in _outer(node):
        if isinstance(part, _DEFINITIONS):
            yield part.name
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        elif isinstance(part, ast.alias):
            yield part.asname or part.name.partition(".")[0]


def _used(parts: Iterable[ast.AST], left_out: Collection[ast.AST]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, ast.Name) and part not in left_out:
            yield part.id
        elif isinstance(part, ast.Attribute) and part not in left_out:
            yield part.attr


def _shown(lines: Sequence[str], taken: set[int], units: Sequence[_Unit]) -> Iterator[str]:
    """Yield the lines that were taken, and notes for those between; a short gap is none."""
    ends = [0, *sorted(taken), len(lines) + 1]
    for before, number in pairwise(ends):
        gap = range(before + 1, number)
        if 0 < len(gap) < _NOTED and all(len(lines[n - 1]) < 2 * _WIDTH for n in gap):
            yield from (lines[n - 1] for n in gap)
        elif gap:
            yield _note(gap, units)
        if number <= len(lines):
            yield lines[number - 1]


def _shortest(unit: _Unit) -> str:
    return min(unit.defines, key=lambda name: (len(name), name))


def _note(gap: range, units: Sequence[_Unit]) -> str:
    names = [_shortest(unit) for unit in units if unit.start in gap and unit.defines]
    told = ", ".join(inline(name[:_WIDTH]) for name in names[:_TOLD])
    more = ", ..." if len(names) > _TOLD else ""
    what = f": {told}{more}" if told else ""
    return f"[... lines {gap[0]} to {gap[-1]} are not shown{what} ...]"
