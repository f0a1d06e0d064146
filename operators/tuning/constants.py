"""Constants that a program marks for tuning: where they stand, and what they may be.

A mark stands at the end of a line and names the range of each number on it that is assigned, or
is the value of a dictionary or an argument. Several ranges are for as many numbers, in order;
one behind the line that opens a dictionary is for all its numbers, but for lines of their own:

    ROUNDS = 60  # tune: 20..200
    RATE = 0.1  # tune: 0.001..1.0 log
    SIZES = {"width": 3, "height": 5}  # tune: 1..9
    STEPS = {"first": 0.5, "rounds": 20}  # tune: 0.01..1.0 log, 5..50
    WEIGHTS = {  # tune: 0.0..1.0
        "near": 0.3,
        "far": 0.7,
        "depth": 3,  # tune: 1..9
    }

Where both ends and the number are written without a point, only whole numbers will do; `int`
before the range says the same. `log` means that ratios matter, not differences. Not here: which
value to try.
"""

from __future__ import annotations

import ast
import io
import math
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from se_agent.program.features import evolve_lines
from se_agent.program.parsing import tree_of

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
RANGE = re.compile(
    rf"\s*(?P<int>int\s+)?(?P<low>{_NUMBER})\s*\.\.\s*(?P<high>{_NUMBER})(?P<log>\s+log)?\s*"
)
_MARK = re.compile(r"#\s*tune:(.*)")
_PLAIN = re.compile(_NUMBER)
_WHOLE = re.compile(r"[-+]?\d+")
_NAME = re.compile(r"\w+")
_DIGITS = 4  # that a number has at least
_FINE = 0.0005  # share of the range that rounding may move a number by


@dataclass(frozen=True)
class Constant:
    """A marked constant: where it stands, what it is, and what it may be.

    Attributes:
        path: Path of its file.
        line: Its line, from 1.
        column: Where it begins on its line, from 0.
        end: Where it ends.
        name: Name that it is assigned to, or its key.
        occurrence: Its place among the marked constants of this name in this file, from 0.
        value: The number that stands there; it may lie outside the range.
        low: Least value.
        high: Largest value.
        whole: Whether only whole numbers will do; then both ends are whole.
        log: Whether steps are even over the logarithm.
    """

    path: str
    line: int
    column: int
    end: int
    name: str
    occurrence: int
    value: float
    low: float
    high: float
    whole: bool
    log: bool

    @property
    def share(self) -> float:
        """Where its value lies in its range, from 0 to 1; the nearer end if it is outside."""
        low, high = self._scaled(self.low), self._scaled(self.high)
        inside = min(max(self.value, self.low), self.high)
        return (self._scaled(inside) - low) / (high - low)

    def at(self, share: float) -> float:
        """Return the value at this place of its range, written with few digits.

        Args:
            share: From 0 to 1; the nearer end if it lies outside.
        """
        low, high = self._scaled(self.low), self._scaled(self.high)
        value = low + share * (high - low)
        found = min(max(math.exp(value) if self.log else value, self.low), self.high)
        return float(round(found)) if self.whole else self._short(found)

    def written(self, value: float) -> str:
        """Return a value as it stands in the program."""
        return str(int(value)) if self.whole else repr(value)

    def __str__(self) -> str:
        """Return it as it is marked."""
        ends = f"{self.written(self.low)}..{self.written(self.high)}"
        return f"{self.name} = {self.written(self.value)} ({ends}{' log' * self.log})"

    def _short(self, value: float) -> float:
        """Return the number with the fewest digits that is near enough, and in the range."""
        near = _FINE * (self.high - self.low)
        for digits in range(_DIGITS, 17):
            short = float(f"{value:.{digits}g}")
            if self.low <= short <= self.high and abs(short - value) <= near:
                return short
        return value

    def _scaled(self, value: float) -> float:
        return math.log(value) if self.log else value


def marked(files: Mapping[str, str]) -> tuple[Constant, ...]:
    """Return the marked constants of a program in Python, file by file."""
    texts = ((path, text) for path, text in files.items() if path.endswith(".py"))
    return tuple(constant for path, text in texts for constant in constants(path, text))


class _Number(NamedTuple):
    """A number that can be marked, as it stands there."""

    line: int
    column: int
    end: int
    name: str
    written: str


@lru_cache(maxsize=1024)  # a tuner looks at every trial again, for each proposal
def constants(path: str, text: str) -> tuple[Constant, ...]:
    """Return the marked constants of a text, in order; a mark whose range is empty is none.

    A mark in a string is no mark, and a text that is not Python has none. Neither is one whose
    ranges are not as many as the numbers on its line.
    """
    if "tune:" not in text:
        return ()
    # All line ends that `splitlines` knows: a form feed does not count for Python.
    lines = text.splitlines()
    try:
        marks, tree = marks_in(lines), tree_of("\n".join(lines))
    except (tokenize.TokenError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    allowed = evolve_lines(text)
    found: list[Constant] = []
    for number, mark in sorted(_ranged(lines, marks, tree)):
        before = sum(constant.name == number.name for constant in found)
        constant = _constant(path, number, before, mark)
        if constant and (allowed is None or number.line in allowed):
            found.append(constant)
    return tuple(found)


def replaced(text: str, values: Mapping[Constant, float]) -> str:
    """Return a text with other values for some of its constants, all else as it was."""
    lines = text.splitlines(keepends=True)
    # From the end, so that places before stay what they are.
    for constant in sorted(values, key=lambda one: (one.line, one.column), reverse=True):
        line, value = lines[constant.line - 1], constant.written(values[constant])
        lines[constant.line - 1] = line[: constant.column] + value + line[constant.end :]
    return "".join(lines)


def _constant(path: str, number: _Number, occurrence: int, mark: str) -> Constant | None:
    said = RANGE.fullmatch(mark)
    if said is None:
        return None
    texts = (said["low"], said["high"], number.written)
    low, high, value = map(float, texts)
    bare = all(map(_WHOLE.fullmatch, texts))
    whole, log = said["int"] is not None or bare, said["log"] is not None
    if not math.isfinite(high - low) or not math.isfinite(value):
        return None
    if whole:
        low, high = float(math.ceil(low)), float(math.floor(high))
    if low >= high or (log and low <= 0):
        return None
    place = (path, number.line, number.column, number.end)
    return Constant(*place, number.name, occurrence, value, low, high, whole, log)


def marks_in(lines: Sequence[str]) -> dict[int, list[str]]:
    """Return what marks say, range by range, by the lines that they end."""
    code = "".join(line + "\n" for line in lines)
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    comments = (token for token in tokens if token.type == tokenize.COMMENT)
    marks = ((token.start[0], _MARK.fullmatch(token.string)) for token in comments)
    return {line: mark[1].split(",") for line, mark in marks if mark}


def _ranged(
    lines: Sequence[str], marks: Mapping[int, list[str]], tree: ast.Module
) -> Iterable[tuple[_Number, str]]:
    """Return each number that a mark is about, with the range that it names."""
    found: dict[_Number, str] = {}
    by_line: dict[int, list[_Number]] = {}
    for number in sorted(numbers_in(lines, tree)):
        by_line.setdefault(number.line, []).append(number)
    for node in dictionaries_in(tree):
        ranges = marks.get(node.lineno, [])
        if len(ranges) == 1 and node.lineno not in by_line:
            found |= dict.fromkeys(numbers_in(lines, node), ranges[0])
    for line, ranges in marks.items():
        own = by_line.get(line, [])
        found |= zip(own, _each(ranges, len(own)), strict=True)
    return found.items()


def _each(ranges: list[str], count: int) -> list[str]:
    """Return a range for each of so many numbers; empty ones where they are not as many."""
    if len(ranges) == 1:
        return ranges * count
    return ranges if len(ranges) == count else [""] * count


def dictionaries_in(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the dictionaries that are written out, an inner one after that around it."""
    for node in ast.walk(tree):
        match node:
            case ast.Dict() | ast.Call(func=ast.Name(id="dict")):
                yield node


def numbers_in(lines: Sequence[str], tree: ast.AST) -> Iterator[_Number]:
    """Yield the numbers that can be marked: plain ones, which have a name."""
    for name, value in _named(tree):
        if value.lineno == value.end_lineno and _NAME.fullmatch(name):
            line = lines[value.lineno - 1].encode()  # columns of Python count bytes
            column = len(line[: value.col_offset].decode())
            written = line[value.col_offset : value.end_col_offset].decode()
            if _PLAIN.fullmatch(written):
                yield _Number(value.lineno, column, column + len(written), name, written)


def _named(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    yield from bindings(tree)
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg=str(name), value=value):
                yield name, value
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        yield key.value, value


def bindings(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield name and value of every plain assignment and of every default."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value
        elif isinstance(node, ast.AnnAssign) and node.value:
            if isinstance(node.target, ast.Name):
                yield node.target.id, node.value
        elif isinstance(node, ast.arguments):
            plain = [*node.posonlyargs, *node.args]
            last = plain[len(plain) - len(node.defaults) :]
            pairs = [*zip(last, node.defaults, strict=True)]
            named = zip(node.kwonlyargs, node.kw_defaults, strict=True)
            pairs += [(argument, value) for argument, value in named if value]
            yield from ((argument.arg, value) for argument, value in pairs)
