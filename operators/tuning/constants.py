"""Constants that a program marks for tuning: where they stand, and what they may be.

A mark stands behind a number that is assigned, or is the value of a dictionary or an argument,
alone on its line, and names its range:

    ROUNDS = 60  # tune: 20..200
    RATE = 0.1  # tune: 0.001..1.0 log
    PARAMETERS = {
        "depth": 3,  # tune: 1..9
    }

Where both ends and the number are written without a point, only whole numbers will do; `int`
before the range says the same. `log` means that ratios matter, not differences. Not here: which
value to try.
"""

from __future__ import annotations

import io
import math
import re
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from se_agent.code import evolve_lines

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_MARK = re.compile(
    r"^(?P<head>\s*(?:(?P<name>\w+)\s*(?::[^=#]+)?=|(?P<quote>[\"'])(?P<key>\w+)(?P=quote)\s*:)"
    rf"\s*)(?P<value>{_NUMBER})"
    rf"(?P<tail>\s*,?\s*\#\s*tune:\s*(?P<int>int\s+)?(?P<low>{_NUMBER})\s*\.\."
    rf"\s*(?P<high>{_NUMBER})(?P<log>\s+log)?\s*)$"
)
_WHOLE = re.compile(r"[-+]?\d+")
_DIGITS = 4  # that a number has at least
_FINE = 0.0005  # share of the range that rounding may move a number by


@dataclass(frozen=True)
class Constant:
    """A marked constant: where it stands, what it is, and what it may be.

    Attributes:
        path: Of its file.
        line: Its line, from 1.
        name: That it is assigned to, or its key.
        occurrence: Which of several marked constants of this name in this file, from 0.
        value: The number that stands there; it may lie outside the range.
        low: Least value.
        high: Largest value.
        whole: Whether only whole numbers will do; then both ends are whole.
        log: Whether steps are even over the logarithm.
    """

    path: str
    line: int
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


@lru_cache(maxsize=1024)  # a tuner looks at every trial again, for each proposal
def constants(path: str, text: str) -> tuple[Constant, ...]:
    """Return the marked constants of a text, in order; a mark whose range is empty is none.

    A mark in a string is no mark, and a text that is not Python has none.
    """
    allowed, lines = evolve_lines(text), text.splitlines()
    found: list[Constant] = []
    for number in _commented(text):
        mark = _MARK.match(lines[number - 1])
        if mark is None or (allowed is not None and number not in allowed):
            continue
        before = sum(constant.name == _name(mark) for constant in found)
        if constant := _constant(path, number, before, mark):
            found.append(constant)
    return tuple(found)


def replaced(text: str, constant: Constant, value: float) -> str:
    """Return the text with another value for a constant, all else as it was."""
    lines = text.splitlines(keepends=True)
    line = lines[constant.line - 1]
    body = line.rstrip("\r\n")
    mark = _MARK.match(body)
    assert mark is not None, "the constant was found in this text"
    ending = line[len(body) :]
    lines[constant.line - 1] = mark["head"] + constant.written(value) + mark["tail"] + ending
    return "".join(lines)


def _constant(path: str, line: int, occurrence: int, mark: re.Match[str]) -> Constant | None:
    low, high, value = (float(mark[part]) for part in ("low", "high", "value"))
    bare = all(_WHOLE.fullmatch(mark[part]) for part in ("low", "high", "value"))
    whole, log = mark["int"] is not None or bare, mark["log"] is not None
    if not math.isfinite(high - low) or not math.isfinite(value):
        return None
    if whole:
        low, high = float(math.ceil(low)), float(math.floor(high))
    if low >= high or (log and low <= 0):
        return None
    return Constant(path, line, _name(mark), occurrence, value, low, high, whole, log)


def _name(mark: re.Match[str]) -> str:
    return str(mark["name"] or mark["key"])


def _commented(text: str) -> list[int]:
    """Return the numbers of the lines that end in a comment with a mark."""
    if "tune:" not in text:
        return []
    # All line ends that `splitlines` knows: a form feed does not count for tokenize.
    lines = (line + "\n" for line in text.splitlines())
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO("".join(lines)).readline))
    except (tokenize.TokenError, SyntaxError):
        return []
    comments = (token for token in tokens if token.type == tokenize.COMMENT)
    return [token.start[0] for token in comments if "tune:" in token.string]
