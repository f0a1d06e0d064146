"""Where the arguments of a library function come from, and what becomes of those left over.

An argument goes as it is or in another shape of the same content; a constant of the program
may stand in for one. A parameter that no one needs must be known from the rest: the length of
a list, or always the same; the guard of the adapter says so.
Not here: what becomes of the result (`forms`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice, product
from typing import Any, NamedTuple  # arguments are plain data of any type

from operators.known_functions.adapter import FAILURES, evaluated
from operators.known_functions.archetype import Archetype, fits

_MODULUS = "modulus"  # a parameter of this name takes a number of any size
_LARGE = 10**6
_WAYS = 48  # of passing arguments to one library function that are tried
_SHAPED = 3  # shapes of one parameter for one kind
_SHAPES = (
    "{0}",
    "list({0})",
    "''.join({0})",
    "int({0})",
    "len({0})",
    "[list(row) for row in {0}]",
    "list(map(int, {0}))",
    "{0}.split()",
    "list({0}.items())",
    "[first for first, _ in {0}]",
    "[second for _, second in {0}]",
)
_NUMBER = re.compile(r"(len\()?a\d\)?")  # what cannot fail, nor be below what was seen
_JOINED = ("list(zip({0}, {1}))", "{0} + {1}")


class ArgumentSource(NamedTuple):
    """An expression for one argument of a library function, and the parameters that it uses."""

    expression: str
    uses: frozenset[int] = frozenset()


class Passing(NamedTuple):
    """Expressions for all arguments, and the guard under which the rest can be left out."""

    arguments: tuple[str, ...]
    guard: str = ""


class Sources:
    """The arguments of the observed calls, column by column.

    Args:
        rows: Arguments of each call, of equal length.
        constants: Plain constants that the program holds.
        results: What each call returned.
    """

    def __init__(
        self,
        rows: Sequence[tuple[Any, ...]],
        constants: Sequence[int | str],
        results: Sequence[Any],
    ) -> None:
        self._rows = rows
        self._results = results
        self._arity = len(rows[0])
        self._constants = constants
        self._columns: dict[str, list[Any] | None] = {}
        self._fitting: dict[str, tuple[ArgumentSource, ...]] = {}
        self._passings: dict[tuple[tuple[str, bool], ...], tuple[Passing, ...]] = {}

    def passings(self, known: Archetype) -> tuple[Passing, ...]:
        """Return the ways to pass arguments to an archetype, the plainest first."""
        takes = tuple(
            (kind, name == _MODULUS)
            for kind, name in zip(known.takes, known.parameters, strict=True)
        )
        if takes not in self._passings:
            self._passings[takes] = tuple(islice(self._ways(takes), _WAYS))
        return (*self._passings[takes], *self._solved(known))

    def _solved(self, known: Archetype) -> Iterator[Passing]:
        """Yield ways for which all arguments but the last are solved from the calls."""
        for source in self._of_kind(known.takes[-1]) if known.solver else ():
            if not _NUMBER.fullmatch(source.expression):
                continue
            for (last,), guard in self._passing((source,)):
                given = zip(self._column(last) or (), self._results, self._rows, strict=True)
                points = _points((x, y) for x, y, row in given if held(guard, row))
                if known.solver and (solved := known.solver.solve(points)):
                    offset = f" - {solved.begin}" if solved.begin else ""
                    yield Passing((*map(repr, solved.literals), last + offset), guard)

    def _ways(self, takes: tuple[tuple[str, bool], ...]) -> Iterator[Passing]:
        """Yield the ways for parameters of these kinds, of which some take large numbers."""
        options = [
            (*self._of_kind(kind), *_held(self._constants, kind, large=large))
            for kind, large in takes
        ]
        ways = [way for way in islice(product(*options), 20 * _WAYS) if _apart(way)]
        ways.sort(key=lambda way: -len(_uses(way)))
        for way in ways:
            yield from self._passing(way)

    def _of_kind(self, kind: str) -> tuple[ArgumentSource, ...]:
        """Return what can be passed for a parameter of this kind."""
        if kind not in self._fitting:
            found = [source for i in range(self._arity) for source in self._shaped(kind, i)]
            if kind in {"pairs", "list", "list[int]"}:
                found += self._joined(kind)
            self._fitting[kind] = tuple(found)
        return self._fitting[kind]

    def _shaped(self, kind: str, i: int) -> list[ArgumentSource]:
        """Return a parameter as it is, or else in the shapes that are of this kind."""
        plain, *others = (
            ArgumentSource(shape.format(f"a{i}"), frozenset({i})) for shape in _SHAPES
        )
        if kind == "any" or self._fits(plain.expression, kind):
            return [plain]
        if kind == "str" and self._fits(plain.expression, "number"):
            return [ArgumentSource(f"str(a{i})", frozenset({i}))]
        return [other for other in others if self._fits(other.expression, kind)][:_SHAPED]

    def _joined(self, kind: str) -> list[ArgumentSource]:
        return [
            ArgumentSource(expression, frozenset({i, j}))
            for i, j in product(range(self._arity), repeat=2)
            if i != j
            for expression in (shape.format(f"a{i}", f"a{j}") for shape in _JOINED)
            if self._fits(expression, kind)
        ]

    def _fits(self, expression: str, kind: str) -> bool:
        column = self._column(expression)
        return column is not None and all(fits(value, kind) for value in column)

    def _column(self, expression: str) -> list[Any] | None:
        """Return the values of an expression over all calls; None if it fails on one."""
        if expression not in self._columns:
            try:
                found = [evaluated(expression, row) for row in self._rows]
            except FAILURES:
                found = None
            self._columns[expression] = found
        return self._columns[expression]

    def _passing(self, way: tuple[ArgumentSource, ...]) -> Iterator[Passing]:
        arguments = tuple(source.expression for source in way)
        left = [i for i in range(self._arity) if i not in _uses(way)]
        for guards in product(*(self.known[i] for i in left)):
            yield Passing(arguments, " and ".join(guards))

    @cached_property
    def known(self) -> tuple[tuple[str, ...], ...]:
        """For each parameter the guards under which it says nothing new."""
        return tuple(tuple(self._known(i)) for i in range(self._arity))

    def _known(self, i: int) -> Iterator[str]:
        others = [f"len(a{j})" for j in range(self._arity) if j != i]
        others += [f"len(a{j}[0])" for j in range(self._arity) if j != i]
        most = len(self._rows) // 2
        for length in (*others, *(f"{other} - 1" for other in others)):
            guard = f"a{i} == {length}"
            if sum(held(guard, row) for row in self._rows) > most:
                yield guard
        values = [row[i] for row in self._rows]
        plain = [repr(v) for v in values if v is None or isinstance(v, bool | int | str)]
        for text, count in Counter(plain).most_common(1):
            if count > most:
                yield f"a{i} {'is' if text in ('None', 'True', 'False') else '=='} {text}"


def held(guard: str, row: Sequence[Any]) -> bool:
    """Say whether a guard holds for a call; one that fails does not hold."""
    if not guard:
        return True
    try:
        return bool(evaluated(guard, row))
    except FAILURES:
        return False


def _held(
    constants: Sequence[int | str], kind: str, *, large: bool
) -> Iterator[ArgumentSource]:
    """Yield the constants of this kind. What large numbers may do is known of a modulus."""
    for value in constants if kind in {"int", "str"} else ():
        if fits(value, kind) and (large or isinstance(value, str) or value < _LARGE):
            yield ArgumentSource(repr(value))


def _points(given: Iterable[tuple[Any, Any]]) -> list[tuple[int, int]]:
    """Return whole numbers from 0 on with the whole numbers that came of them.

    None at all where two came of one. Floats are left out: small ones do not show how large
    ones are rounded.
    """
    points = {(x, y) for x, y in given if x >= 0 and fits(y, "int")}
    return sorted(points) if len(dict(points)) == len(points) else []


def _uses(way: tuple[ArgumentSource, ...]) -> frozenset[int]:
    return frozenset().union(*(source.uses for source in way))


def _apart(way: tuple[ArgumentSource, ...]) -> bool:
    """Whether no parameter is used twice, at least one is used, and one constant at most."""
    uses = [i for source in way for i in source.uses]
    held = sum(not source.uses for source in way)
    return len(uses) == len(set(uses)) > 0 and held <= 1
