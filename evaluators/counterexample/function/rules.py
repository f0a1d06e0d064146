"""Rules that sequences at one place keep: sorted, distinct, rows of one length; and tuples.

A rule that held in every sequence of two elements or more is one; shorter ones keep all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any  # values of any type that may cross the wire

from evaluators.counterexample.function.texts import closed
from se_agent import wire

_COLLISIONS = 5.0  # duplicates that chance would have made, where none is an accident no more
_ROWS = (list, tuple)

Orders = tuple[tuple[int, int, bool], ...]


def shared(rows: Sequence[Sequence[Any]]) -> frozenset[str]:
    """Return the rules that all sequences keep; none where no sequence could break one."""
    long = [list(row) for row in rows if len(row) > 1]
    if not long:
        return frozenset()
    first, *others = (frozenset(_kept(row)) for row in long)
    found = first.intersection(*others)
    return frozenset(rule for rule in found if _meant(rule, long))


def keeps(row: Sequence[Any], rules: frozenset[str]) -> bool:
    """Say whether a sequence keeps rules."""
    return not rules or len(row) < 2 or rules.issubset(_kept(list(row)))


def _kept(items: list[Any]) -> Iterator[str]:
    """Yield the rules that a sequence of two elements or more keeps."""
    kinds = set(map(type, items))
    if kinds <= {int, float} or kinds == {str}:
        if all(a <= b for a, b in pairwise(items)):
            yield "ascending"
        if all(a >= b for a, b in pairwise(items)):
            yield "descending"
        if len(set(items)) == len(items):
            yield "distinct"
    elif len(set(map(wire.dumps, items))) == len(items):
        yield "distinct"
    if kinds <= set(_ROWS) and len(set(map(len, items))) == 1:
        yield "even"
        for column in range(len(items[0])):
            if len({wire.dumps(row[column]) for row in items}) == len(items):
                yield f"distinct {column}"


def _meant(rule: str, rows: list[list[Any]]) -> bool:
    """Say whether one column of rows would have had duplicates, had they been allowed."""
    _, _, column = rule.partition("distinct ")
    if not column:
        return True
    return _no_accident([[row[int(column)] for row in items] for items in rows])


def _no_accident(rows: list[list[Any]]) -> bool:
    """Say whether random values of that range would have met each other somewhere."""
    items = [item for row in rows for item in row]
    if all(type(item) is int for item in items):
        span = max(items) - min(items) + 1
    else:
        span = len(closed([wire.dumps(item) for item in items]))
    met = sum(len(row) ** 2 for row in rows)
    return bool(span > 0 and met >= 2 * span * _COLLISIONS)


def orders(rows: Sequence[Sequence[Any]], fields: int) -> Orders:
    """Return the fields of which the first was never larger, and whether it was smaller."""
    numeric = [i for i in range(fields) if rows and all(type(row[i]) is int for row in rows)]
    pairs = [(i, j) for i in numeric for j in numeric if i != j]
    return tuple(
        (i, j, all(row[i] < row[j] for row in rows))
        for i, j in pairs
        if all(row[i] <= row[j] for row in rows)
    )


def in_order(row: Sequence[Any], known: Iterable[tuple[int, int, bool]]) -> bool:
    """Say whether a tuple keeps the orders of its fields."""
    return all(
        row[i] < row[j] or (row[i] == row[j] and not strict)
        for i, j, strict in known
        if type(row[i]) is int and type(row[j]) is int
    )
