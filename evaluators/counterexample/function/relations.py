"""What ties the arguments of one input together: equal lengths, bounds, indices, squares.

What held in every input seen counts, be it by chance: where few were seen, little may be made
up. Not here: what the values at one place have in common (`shape`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any  # values of any type that may cross the wire

from evaluators.counterexample.function.shape import SEQUENCES
from evaluators.counterexample.function.values import without

Feature = tuple[str, int, int]
"""A number of an input, the argument, the field of its rows.

The number is `size`, `value`, `largest`, or `width`: the length that all rows have.
"""

_TESTS: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
}
_LENGTHS = ("size", "width")
_FIELDS = 4  # of rows whose largest numbers are looked at


@dataclass(frozen=True)
class Relation:
    """Two numbers of an input, and how they compare."""

    left: Feature
    test: str
    right: Feature

    def holds(self, known: Mapping[Feature, int]) -> bool:
        """Say whether it holds; a number that an input does not have breaks nothing."""
        if self.left not in known or self.right not in known:
            return True
        return _TESTS[self.test](known[self.left], known[self.right])


def relations(inputs: Sequence[tuple[Any, ...]]) -> tuple[Relation, ...]:
    """Return what held in all inputs that had the numbers at all."""
    return held([features(arguments) for arguments in inputs])


def held(known: Sequence[Mapping[Feature, int]]) -> tuple[Relation, ...]:
    """Return what held among the numbers of all inputs."""
    names = list(dict.fromkeys(name for one in known for name in one))
    return tuple(_found(names, known))


def _found(
    names: Sequence[Feature], known: Sequence[Mapping[Feature, int]]
) -> Iterator[Relation]:
    for left in names:
        for right in names:
            if left == right or not _comparable(left, right):
                continue
            for test in ("==", "<", "<="):
                relation = Relation(left, test, right)
                if all(relation.holds(one) for one in known):
                    if left[0] not in _LENGTHS or test == "==":
                        yield relation
                    break


def _comparable(left: Feature, right: Feature) -> bool:
    if left[0] in _LENGTHS:
        return right[0] in _LENGTHS
    return right[0] != "largest"


def features(arguments: tuple[Any, ...]) -> dict[Feature, int]:
    """Return the numbers of an input."""
    found: dict[Feature, int] = {}
    for place, value in enumerate(arguments):
        if type(value) is int:
            found["value", place, -1] = value
        elif type(value) in (*SEQUENCES, str):
            found["size", place, -1] = len(value)
            if type(value) is list:
                found |= _largest(place, value)
    return found


def _largest(place: int, rows: list[Any]) -> dict[Feature, int]:
    if rows and all(type(row) is int for row in rows):
        return {("largest", place, -1): max(rows)}
    width = len(rows[0]) if rows and type(rows[0]) in (tuple, list) else 0
    if not width or not all(type(row) in (tuple, list) and len(row) == width for row in rows):
        return {}
    return {("width", place, -1): width} | {
        ("largest", place, field): max(row[field] for row in rows)
        for field in range(min(width, _FIELDS))
        if all(type(row[field]) is int for row in rows)
    }


def mended(arguments: tuple[Any, ...], known: Sequence[Relation]) -> tuple[Any, ...]:
    """Return the input, bent so that it keeps the relations as far as that is simple."""
    values = list(arguments)
    for relation in known:
        now = features(tuple(values))
        if relation.holds(now):
            continue
        (kind, place, field), right = relation.left, now[relation.right]
        if "width" in (kind, relation.right[0]):
            continue
        if kind == "size":
            values[place] = _cut(values[place], right)
            values[relation.right[1]] = _cut(values[relation.right[1]], now[relation.left])
        elif kind == "value":
            values[place] = right if relation.test != "<" else right - 1
        elif right > 0:
            bound = right if relation.test == "<" else right + 1
            values[place] = [_bounded(row, field, bound) for row in values[place]]
    return tuple(values)


def _cut(value: Any, size: int) -> Any:
    return without(value, [i < size for i in range(len(value))])


def _bounded(row: Any, field: int, bound: int) -> Any:
    if field < 0:
        return row % bound
    return type(row)([*row[:field], row[field] % bound, *row[field + 1 :]])
