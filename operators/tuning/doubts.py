"""Marks for tuning that do not count, or do little, and why: what `check` tells.

Not here: what a sound mark means (`constants`).
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from operators.tuning.constants import (
    RANGE,
    Constant,
    constants,
    dictionaries_in,
    marks_in,
    numbers_in,
)
from se_agent.program.parsing import tree_of

_NO_COLON = re.compile(r"#[ \t]*tune[ \t]+[-+.\w]*[ \t]*[-+.\d]*\.\.")


class TunerDoubt(NamedTuple):
    """A mark that does not count, or is not what was meant.

    Attributes:
        path: Path of its file.
        line: Its line, from 1.
        why: What is wrong, to be read after its place.
    """

    path: str
    line: int
    why: str

    def __str__(self) -> str:
        """Return it with its place."""
        return f"{self.path}:{self.line}: {self.why}"


def doubts(files: Mapping[str, str]) -> tuple[TunerDoubt, ...]:
    """Return one doubt for each mark that does not count, with why; by file and line.

    Also for one whose value lies outside its range, and for one of a name that nothing reads.
    A text that is not Python has no marks.

    Args:
        files: Texts by path.
    """
    texts = {path: text for path, text in files.items() if path.endswith(".py")}
    trees = {path: tree for path, text in texts.items() if (tree := _tree(text))}
    read = {name for tree in trees.values() for name in _read(tree)}
    return tuple(
        TunerDoubt(path, line, why)
        for path, tree in sorted(trees.items())
        for line, why in sorted(_in_file(path, files[path], tree, read))
    )


def _tree(text: str) -> ast.Module | None:
    """Return the tree of a text, if it is Python; its lines are those of `constants`."""
    try:
        return tree_of("\n".join(text.splitlines()))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _in_file(
    path: str, text: str, tree: ast.Module, read: set[str]
) -> Iterator[tuple[int, str]]:
    lines = text.splitlines()
    found = constants(path, text)
    on_line = [number.line for number in numbers_in(lines, tree)]
    opened = {node.lineno: node.end_lineno or 0 for node in dictionaries_in(tree)}
    try:
        marks = marks_in(lines)
    except tokenize.TokenError:
        return
    for line, ranges in marks.items():
        numbers = on_line.count(line)
        last = line if numbers else opened.get(line, line)
        numbers = numbers or sum(line <= number <= last for number in on_line)
        counted = [one for one in found if line <= one.line <= last]
        whys = (*_of_ranges(ranges, numbers), *_of_constants(counted, read))
        if not counted:
            whys = (*whys, "it is outside the EVOLVE-BLOCK marks, or its range holds no value")
        if whys:
            yield line, whys[0]
    for line, code in enumerate(lines, 1):
        if line not in marks and line in on_line and _NO_COLON.search(code):
            yield line, "a colon is missing: write `# tune: LOW..HIGH`"


def _of_ranges(ranges: list[str], numbers: int) -> Iterator[str]:
    if not numbers:
        yield "no plain number with a name is on its line; a list or a text has none"
    for said in map(str.strip, ranges):
        match = RANGE.fullmatch(said)
        if match is None:
            yield f"`{said}` is no range; write LOW..HIGH"
        elif float(match["low"]) >= float(match["high"]):
            yield f"the range {said} is empty: LOW must be below HIGH"
        elif match["log"] and float(match["low"]) <= 0:
            yield f"the range {said} must begin above 0 for `log`"
    if len(ranges) not in (1, numbers):
        yield f"{len(ranges)} ranges are for {numbers} numbers"


def _of_constants(found: list[Constant], read: set[str]) -> Iterator[str]:
    for one in found:
        if not one.low <= one.value <= one.high:
            yield f"{one}: the value lies outside its range, so it is never tried itself"
        if one.name not in read:
            yield f"nothing reads {one.name}"


def _read(tree: ast.Module) -> Iterator[str]:
    """Yield every name that may be read: as a name, an attribute, an argument or a key."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name):
                yield name
            case ast.keyword(arg=str(name)) | ast.alias(name=name):
                yield name
            case ast.Constant(value=str(name)):
                yield name
