"""Ways in which all texts seen can be cut into sections, by the counts that stand in them.

A section is a single line, or a sequence of units: as many as a number of a single line says,
or all that is left. A unit is a line, or a line with a number and as many further ones (or
one line of as many tokens).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from evaluators.counterexample.stdin.kinds import LineKind, kinds_of
from evaluators.counterexample.stdin.lines import Line, kind_of

_SINGLES = 4  # lines that stand for themselves, at most
_SECTIONS = 6
_COLUMNS = 4  # columns of a line that may hold a count
_TRIED = 60  # ways that are looked at
_UNTIED = 10  # kinds that a length without a reason is worth
_KINDS = 32  # kinds of lines in all; what has more is free text, and no layout
_WIDEST = 128  # columns of all kinds together: each of them is compared with each other

Texts = Sequence[Sequence[Line]]
Units = list[list[Line]]


class InputPlace(NamedTuple):
    """Where a number stands: the section, a single line, and the column."""

    section: int
    column: int


@dataclass(frozen=True)
class InputPlan:
    """How a section is cut out.

    Attributes:
        single: Whether it is one line that stands for itself.
        count: Where the number of its units stands; None for all that is left.
        inner: Column of the first line of a unit with the length of the rest; -1: no rest.
        wide: Whether that is the number of tokens of the one line that follows.
    """

    single: bool = False
    count: InputPlace | None = None
    inner: int = -1
    wide: bool = False


class Way(NamedTuple):
    """How all texts can be cut: the plans of the sections, and the sections of each text."""

    plans: tuple[InputPlan, ...]
    cut_up: list[list[Units]]


SINGLE = InputPlan(single=True)


def cut(lines: Sequence[Line], plans: Sequence[InputPlan]) -> list[Units] | None:
    """Cut the lines of a text; None where they do not go on like that, or not to the end."""
    at, found = 0, list[Units]()
    for plan in plans:
        units = _units(lines, at, plan, found)
        if units is None:
            return None
        found.append(units)
        at += sum(map(len, units))
    return found if at == len(lines) else None


def best(texts: Texts) -> Way | None:
    """Return the simplest way to cut all texts; None where there is none that says anything."""
    ways = islice(_ways(texts, (), [[] for _ in texts]), _TRIED)
    cost, way = min(((_cost(way), way) for way in ways), key=_first, default=(math.inf, None))
    return way if cost < math.inf else None


def _first(pair: tuple[float, Way | None]) -> float:
    return pair[0]


def _units(
    lines: Sequence[Line], at: int, plan: InputPlan, before: Sequence[Units]
) -> Units | None:
    if plan.single:
        return [[lines[at]]] if at < len(lines) else None
    wanted = None
    if plan.count is not None:
        wanted = number_at(before, plan.count)
        if wanted is None:
            return None
    units: Units = []
    while at < len(lines) if wanted is None else len(units) < wanted:
        unit = _unit(lines, at, plan)
        if unit is None:
            return None
        units.append(unit)
        at += len(unit)
    return units


def _unit(lines: Sequence[Line], at: int, plan: InputPlan) -> list[Line] | None:
    if at >= len(lines):
        return None
    size = 1
    if plan.inner >= 0:
        count = _number(lines[at], plan.inner)
        if count is None:
            return None
        size = 2 if plan.wide else 1 + count
        if at + size > len(lines):
            return None
        if plan.wide and len(lines[at + 1].tokens) != count:
            return None
    return list(lines[at : at + size])


def number_at(sections: Sequence[Units], place: InputPlace) -> int | None:
    """Return the count at a place; None where no count stands."""
    return _number(sections[place.section][0][0], place.column)


def _number(line: Line, column: int) -> int | None:
    if column >= len(line.tokens) or kind_of(line.tokens[column]) is not int:
        return None
    value = int(line.tokens[column])
    return value if value >= 0 else None


def places(plans: Sequence[InputPlan]) -> Iterator[InputPlace]:
    """Yield where counts may stand: in the single lines."""
    for section, plan in enumerate(plans):
        if plan.single:
            yield from (InputPlace(section, column) for column in range(_COLUMNS))


def _ways(texts: Texts, plans: tuple[InputPlan, ...], done: list[list[Units]]) -> Iterator[Way]:
    starts = [sum(len(unit) for units in one for unit in units) for one in done]
    if all(at == len(text) for at, text in zip(starts, texts, strict=True)):
        yield Way(plans, done)
        return
    if len(plans) == _SECTIONS:
        return
    for plan in _steps(plans):
        found = [
            _units(text, at, plan, one)
            for text, at, one in zip(texts, starts, done, strict=True)
        ]
        units = [one for one in found if one is not None]
        if len(units) == len(texts) and _says_something(plan, units):
            further = [[*one, more] for one, more in zip(done, units, strict=True)]
            yield from _ways(texts, (*plans, plan), further)


def _steps(plans: tuple[InputPlan, ...]) -> Iterator[InputPlan]:
    counts = [*places(plans)]
    for count in counts:
        yield InputPlan(count=count)
    for either in (*counts, None):
        for column in range(_COLUMNS):
            yield from (
                InputPlan(count=either, inner=column, wide=wide) for wide in (False, True)
            )
    if sum(plan.single for plan in plans) < _SINGLES:
        yield SINGLE
    yield InputPlan()


def _says_something(plan: InputPlan, found: Sequence[Units]) -> bool:
    """Say whether counts differ: one that is always the same may be so by chance."""
    if plan.single:
        return True
    sizes = {len(units) for units in found}
    inner = {len(unit[1].tokens if plan.wide else unit) for units in found for unit in units}
    differing = len(sizes) > 1 and (plan.inner < 0 or len(inner) > 1)
    return differing or plan == InputPlan()


def _cost(way: Way) -> float:
    """Return how complicated a way is; infinite for one with more kinds than a layout has."""
    plans, cut_up = way
    cost, many, wide = len(plans), 0, 0
    for number, plan in enumerate(plans):
        if (
            not plan.single
            and plan.count is None
            and len({len(one[number]) for one in cut_up}) > 1
        ):
            cost += _UNTIED
        heads, bodies = kinds_at(cut_up, number)
        many += len(heads) + len(bodies)
        wide += sum(len(kind.columns) for kind in (*heads, *bodies))
        if many > _KINDS or wide > _WIDEST:
            return math.inf
        for kind in heads:
            cost += 1 + _oddness(cut_up, plans, number, kind)
        for kind in bodies:
            cost += 1 + (0 if plan.wide else _oddness(cut_up, plans, number, kind))
    return cost


def _oddness(
    cut_up: Sequence[Sequence[Units]], plans: Sequence[InputPlan], number: int, kind: LineKind
) -> int:
    """Return what speaks against a kind: numbers among words, a length without a reason."""
    mixed = sum(column.mixed for column in kind.columns)
    untied = kind.tail is not None and kind.own < 0
    if untied and width_at(cut_up, plans, number, kind) is None:
        mixed += _UNTIED
    return mixed


def kinds_at(
    cut_up: Sequence[Sequence[Units]], number: int
) -> tuple[list[LineKind], list[LineKind]]:
    """Return the kinds of first and of further lines of the units of a section."""
    units = [unit for sections in cut_up for unit in sections[number]]
    return (
        kinds_of([unit[0] for unit in units]),
        kinds_of([line for unit in units for line in unit[1:]]),
    )


def lines_at(cut_up: Sequence[Units], number: int) -> Iterator[tuple[int, Line]]:
    """Yield the lines of a section with their numbers."""
    yield from enumerate(line for unit in cut_up[number] for line in unit)


def width_at(
    cut_up: Sequence[Sequence[Units]], plans: Sequence[InputPlan], number: int, kind: LineKind
) -> InputPlace | None:
    """Return where the length of the tails of a kind stands."""
    for place in places(plans[: number + (not plans[number].single)]):
        found = [
            (len(line.tokens) - kind.head, number_at(one, place))
            for one in cut_up
            for _, line in lines_at(one, number)
            if kind.fits(line)
        ]
        if found and all(width == count for width, count in found):
            return place
    return None
