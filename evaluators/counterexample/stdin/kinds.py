"""Kinds of lines: how their tokens are laid out, and what stands in each column.

Lines of one place are of one kind, unless their first word or their gaps tell them apart.
Where their length differs, a row of like tokens, the tail, follows columns of their own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from evaluators.counterexample.function.shape import ENOUGH, Shape, shape_of
from evaluators.counterexample.stdin.lines import Line, is_token, kind_of

_TAGS = 6  # different first words that tell lines apart, at most
_HEADS = 3  # columns before a tail
_RUN = re.compile(r"[0-9]+")
Value = int | float | str


class LineRow(NamedTuple):
    """A line of a kind; its gaps are those of the kind."""

    kind: int
    tokens: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Column:
    """What the tokens of a column have in common.

    Attributes:
        kind: int, float or str; numbers and words mixed are words.
        shape: Shape of their values.
        places: Decimal places of floats; -1 where they differ.
        highest: Largest number inside a word; -1 without any.
        zeros: Whether numbers inside words may begin with a zero.
        mixed: Whether numbers stand among words.
        stride: What all differences of integers are multiples of; 1 where few were seen.
    """

    kind: type[int] | type[float] | type[str]
    shape: Shape
    places: int = -1
    highest: int = -1
    zeros: bool = False
    mixed: bool = False
    stride: int = 1

    @classmethod
    def of(cls, tokens: Sequence[str]) -> Column:
        """Return what these tokens have in common."""
        kinds = set(map(kind_of, tokens))
        kind = int if kinds == {int} else float if kinds <= {int, float} else str
        found = [one.rpartition(".")[2] if "." in one else "" for one in tokens]
        places = {len(one) for one in found}
        runs = [run for token in tokens for run in _RUN.findall(token)]
        return cls(
            kind=kind,
            shape=shape_of([kind(token) for token in tokens]),
            places=min(places) if len(places) == 1 else -1,
            highest=max(map(int, runs), default=-1),
            zeros=any(len(run) > 1 and run[0] == "0" for run in runs),
            mixed=str in kinds and len(kinds) > 1,
            stride=_stride([*map(int, tokens)]) if kind is int else 1,
        )

    def fits(self, token: str) -> bool:
        """Say whether a token is of the kind: a number where only numbers were seen."""
        if self.kind is str:
            return is_token(token)
        return kind_of(token) in ({int} if self.kind is int else {int, float})

    def value(self, token: str) -> Value:
        """Return the value of a token that fits."""
        found: Value = self.kind(token)
        return found

    def admits(self, token: str) -> bool:
        """Say whether a token is like those seen."""
        if not self.fits(token) or not self.shape.admits(self.value(token)):
            return False
        if self.kind is float and self.places >= 0:
            return len(token.partition(".")[2]) == self.places
        if self.kind is int:
            return (int(token) - int(self.shape.low)) % self.stride == 0
        return self.kind is not str or all(map(self._admits_run, _RUN.findall(token)))

    def written(self, value: Value) -> str:
        """Return the token of a value."""
        if type(value) is float:
            places = self.places if self.places >= 0 else self.shape.places
            return f"{value:.{places}f}"
        return str(value)

    def _admits_run(self, run: str) -> bool:
        if len(run) > 1 and run[0] == "0" and not self.zeros:
            return False
        return int(run) <= self.highest


@dataclass(frozen=True, kw_only=True)
class LineKind:
    """Lines that look the same.

    Attributes:
        columns: One each; the last one is that of the tail, if there is one.
        gaps: Before each column of its own; then the one behind it all.
        tag: The first word, where it tells lines apart.
        tail: Gaps before the tail and between its tokens; None without a tail.
        widths: Lengths of the tail.
        own: The column that holds the length of the tail; -1: none.
    """

    columns: tuple[Column, ...]
    gaps: tuple[str, ...]
    tag: str = ""
    tail: tuple[str, str] | None = None
    widths: tuple[int, int] = (0, 0)
    own: int = -1

    @property
    def head(self) -> int:
        """How many columns have a meaning of their own."""
        return len(self.gaps) - 1

    def column(self, place: int) -> Column:
        """Return the column of a token."""
        return self.columns[min(place, self.head)]

    def line(self, tokens: Sequence[str]) -> Line:
        """Return a line of this kind."""
        between = self.gaps[: self.head]
        count = len(tokens) - self.head
        if self.tail and count:
            between += (self.tail[0], *[self.tail[1]] * (count - 1))
        return Line(tuple(tokens), (*between, self.gaps[-1]))

    def fits(self, line: Line) -> bool:
        """Say whether a line is one of this kind, by its looks."""
        count = len(line.tokens)
        if count < self.head or (count > self.head and not self.tail):
            return False
        if self.tag and line.tokens[0] != self.tag:
            return False
        if self.line(line.tokens) != line:
            return False
        return all(self.column(i).fits(token) for i, token in enumerate(line.tokens))

    def admits(self, tokens: Sequence[str], counts: frozenset[int]) -> bool:
        """Say whether the tokens are like those seen, but for counts."""
        if not (not self.tag or tokens[0] == self.tag):
            return False
        width = len(tokens) - self.head
        low, high = self.widths
        return min(low, 2) <= width <= high and all(
            i in counts or self.column(i).admits(token) for i, token in enumerate(tokens)
        )


def kinds_of(lines: Sequence[Line]) -> list[LineKind]:
    """Return the kinds of lines of one place; every line fits at least one."""
    empty = [line for line in lines if not line.tokens]
    found = [_fixed(same) for same in _grouped(empty)]
    rest = [line for line in lines if line.tokens]
    tags = _tags(rest)
    for tag in tags:
        same = [line for line in rest if line.tokens[0] == tag]
        found += [replace(kind, tag=tag) for kind in _plain(same, heads=1)]
    return found if tags else found + _plain(rest, heads=0)


def _stride(numbers: Sequence[int]) -> int:
    found = math.gcd(*(number - numbers[0] for number in numbers))
    return found if found and len(set(numbers)) >= ENOUGH else 1


def _plain(lines: Sequence[Line], *, heads: int) -> list[LineKind]:
    if len({len(line.tokens) for line in lines}) > 1:
        tailed = [kind for h in range(heads, _HEADS + 1) if (kind := _tailed(lines, h))]
        if tailed:
            return [next((kind for kind in tailed if kind.own >= 0), tailed[0])]
    return [_fixed(same) for same in _grouped(lines)]


def _grouped(lines: Sequence[Line]) -> Iterator[list[Line]]:
    groups: dict[tuple[str, ...], list[Line]] = {}
    for line in lines:
        groups.setdefault(line.gaps, []).append(line)
    yield from groups.values()


def _fixed(lines: Sequence[Line]) -> LineKind:
    columns = zip(*(line.tokens for line in lines), strict=True)
    return LineKind(columns=tuple(map(Column.of, columns)), gaps=lines[0].gaps)


def _tailed(lines: Sequence[Line], head: int) -> LineKind | None:
    """Return the kind of lines that are `head` columns and a tail, if they are."""
    if any(len(line.tokens) < head for line in lines):
        return None
    firsts = {line.gaps[head] for line in lines if len(line.tokens) > head}
    between = {gap for line in lines for gap in line.gaps[head + 1 : -1]} or {" "}
    heads = {(line.gaps[:head], line.gaps[-1]) for line in lines}
    if not len(firsts) == len(between) == len(heads) == 1:
        return None
    items = [token for line in lines for token in line.tokens[head:]]
    kinds = set(map(kind_of, items))
    if str in kinds and len(kinds) > 1:
        return None
    ((gaps, last),), (first,), (gap,) = heads, firsts, between
    tails = [len(line.tokens) - head for line in lines]
    columns = [[line.tokens[i] for line in lines] for i in range(head)]
    own = [i for i, column in enumerate(columns) if column == list(map(str, tails))]
    return LineKind(
        columns=(*map(Column.of, columns), Column.of(items)),
        gaps=(*gaps, last),
        tail=(first, gap),
        widths=(min(tails), max(tails)),
        own=own[0] if own else -1,
    )


def _tags(lines: Sequence[Line]) -> list[str]:
    """Return the first words that tell lines apart: a few plain ones, again and again."""
    words = list(dict.fromkeys(line.tokens[0] for line in lines))
    if not 1 < len(words) <= _TAGS or not all(word.isalpha() for word in words):
        return []
    return words if len(lines) >= 4 * len(words) else []
