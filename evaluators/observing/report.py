"""What a watched program reported, read with care: it may say whatever it likes.

Pure. Not here: how it is watched (`tracer`), and on which inputs (`observer`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, zip_longest
from typing import Any  # what a program reports may be of any type

from evaluators.observing.tracer import Copying, UnkeptError
from evaluators.reported import figure, part, place, rows
from se_agent.errors import WireError
from se_agent.program.editable import prefix_in, prefix_of
from se_agent.program.features import functions
from se_agent.values.observation import Allocation, Call, HotLine

MOST_CALLS = 80
"""Distinct calls of a function that are kept."""

MOST_LINES = 30
"""Hot lines that are kept."""

MOST_ALLOCATIONS = 8
"""Lines that allocate which are kept."""

_LEAST_BYTES = 4096  # less is no matter

_LARGEST = 4000  # characters of a call
_OF_FUNCTION = 12_000  # characters of all calls of a function
_OF_ALL = 16_000  # characters of all calls
_LONGEST = 100  # characters of a line
_EDGES = 3 / 4  # share of the kept calls that are the smallest ones


@dataclass(frozen=True)
class ProgramText:
    """A program that was watched.

    Attributes:
        texts: Its files, by what names in them begin with: `pkg/mod.py:` where it has several.
        sent: The text that is run: its own, or one that loads its files as modules.
        watched: What names begin with, by the path of such a module; none: it is run itself.
    """

    texts: Mapping[str, str]
    sent: str
    watched: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> ProgramText:
        """Return the program of a text that compiles, and is run itself."""
        return cls({"": text}, text)

    @classmethod
    def loading(cls, files: Mapping[str, str], sent: str) -> ProgramText:
        """Return the program of a text that loads files as modules."""
        watched = {path: prefix_in(files, path) for path in files}
        return cls({watched[path]: text for path, text in files.items()}, sent, watched)

    @cached_property
    def functions(self) -> frozenset[str]:
        """Qualified names of its functions."""
        return frozenset(
            f"{prefix}{name}" for prefix, text in self.texts.items() for name in functions(text)
        )

    @cached_property
    def _lines(self) -> dict[str, list[str]]:
        return {prefix: text.splitlines() for prefix, text in self.texts.items()}

    def lines(self, name: str) -> Sequence[str]:
        """Return the lines of the file that a function is in; none where there is no such."""
        return self._lines.get(prefix_of(name), [])

    def knows(self, name: object) -> bool:
        """Say whether there is a function, or module level, of this name."""
        return type(name) is str and (name in self.functions or name in self.texts)


def calls(program: ProgramText, reports: Iterable[Any]) -> dict[str, tuple[Call, ...]]:
    """Return the calls worth keeping, by function.

    Args:
        program: The program that was watched.
        reports: What it said for each input; see `tracer.Watched.calls`.
    """
    found: dict[str, dict[str, Call]] = {}
    for row in chain.from_iterable(r for r in reports if type(r) is list):
        named = _call(program, row)
        if named is not None:
            name, call = named
            found.setdefault(name, {}).setdefault(call.given, call)
    room = min(_OF_FUNCTION, _OF_ALL // max(1, len(found)))
    kept = {name: chosen(known.values(), room) for name, known in found.items()}
    return {name: some for name, some in kept.items() if some}


def chosen(found: Iterable[Call], room: int) -> tuple[Call, ...]:
    """Return a few calls: small ones and different results first, and some of the largest.

    Args:
        found: Distinct calls.
        room: Characters that they may take together.
    """
    by_result: dict[str, list[Call]] = {}
    for call in sorted(found, key=lambda call: (call.size, call.given)):
        by_result.setdefault(call.gave + call.left, []).append(call)
    turns = zip_longest(*by_result.values())
    order = [call for turn in turns for call in turn if call is not None]
    small = math.ceil(_EDGES * MOST_CALLS)
    kept: list[Call] = []
    for call in [*order[:small], *reversed(order[small:])]:
        if len(kept) < MOST_CALLS and call.size <= room:
            kept.append(call)
            room -= call.size
    return tuple(sorted(kept, key=order.index))


def _call(program: ProgramText, row: Any) -> tuple[str, Call] | None:
    if type(row) is not tuple or len(row) != 4:
        return None
    name, given, result, after = row
    if type(name) is not str or name not in program.functions or type(given) is not tuple:
        return None
    try:
        for value in (given, result, after):
            Copying().copy(value)
        call = Call.of(given, result, after)
    except (UnkeptError, WireError):
        return None
    return (name, call) if call.size <= _LARGEST else None


def reached(program: ProgramText, reports: Iterable[Any]) -> frozenset[tuple[str, int]]:
    """Return the lines that were reached on some input, whether it was answered or not.

    Args:
        program: The program that was watched.
        reports: What it said for each input; see `tracer.Watched.lines`.

    Returns:
        Numbers of lines, each with what names in its file begin with.
    """
    lines = set[tuple[str, int]]()
    for report in reports:
        with suppress(WireError):
            for row in rows(part(report, 1)):
                with suppress(WireError):
                    name = str(part(row, 0))
                    number = place(part(row, 1), len(program.lines(name)))
                    lines.add((prefix_of(name), number))
    return frozenset(lines)


@dataclass
class LineCosts:
    """Sums over what was reported of lines.

    Attributes:
        program: The program that was watched.
        timed: Whether CPU seconds (or bytes, where memory was watched) say what a line costs;
            else how often it was reached.
        lines: Cost and hits by function and number of the line.
        whole: Cost by function, of what it calls as well.
    """

    program: ProgramText
    timed: bool
    lines: dict[tuple[str, int], tuple[float, int]] = field(default_factory=dict)
    whole: dict[str, float] = field(default_factory=dict)

    def add(self, costs: Sequence[Any], whole: Sequence[Any], least: float) -> None:
        """Add what was reported for one input; see `tracer.Watched.lines`.

        Raises:
            WireError: It is no report.
            ValueError: Nor is this.
        """
        least = figure(least)
        for name, line, *figures in map(rows, rows(costs)):
            hits, seconds, pieces = map(figure, figures)
            if not self.program.knows(name) or type(line) is not int:
                continue
            if 0 < line <= len(self.program.lines(name)):
                cost = max(0.0, seconds - least * pieces) if self.timed else hits
                before = self.lines.get((name, line), (0.0, 0))
                self.lines[name, line] = before[0] + cost, before[1] + int(hits)
        for name, *figures in map(rows, rows(whole)):
            hits, seconds = map(figure, figures)
            if self.program.knows(name):
                cost = seconds if self.timed else hits
                self.whole[name] = self.whole.get(name, 0.0) + cost

    def hot(self) -> tuple[HotLine, ...]:
        """Return the hot lines, the most expensive first."""
        return tuple(
            HotLine(
                function=function,
                line=line,
                text=self._text(function, line),
                share=share,
                hits=int(figure(self.lines[function, line][1])),
            )
            for function, line, share in self._ranked(MOST_LINES)
        )

    def allocations(self) -> tuple[Allocation, ...]:
        """Return the lines that take most memory, the worst first, if bytes were reported."""
        return tuple(
            Allocation(
                function=function,
                line=line,
                text=self._text(function, line),
                share=share,
                bytes=int(figure(self.lines[function, line][0])),
            )
            for function, line, share in self._ranked(MOST_ALLOCATIONS)
            if self.lines[function, line][0] >= _LEAST_BYTES
        )

    def _ranked(self, most: int) -> Iterator[tuple[str, int, float]]:
        """Yield function, line and share of the lines that cost most."""
        total = sum(cost for cost, _ in self.lines.values())
        ranked = sorted(self.lines.items(), key=lambda item: (-item[1][0], item[0]))
        for (function, line), (cost, _) in ranked[:most]:
            if 0 < total < math.inf:
                yield function, line, round(cost / total, 4)

    def _text(self, function: str, line: int) -> str:
        return self.program.lines(function)[line - 1].strip()[:_LONGEST]

    def functions(self) -> dict[str, float]:
        """Return the share of each function, what it calls included."""
        total = max(self.whole.values(), default=0.0)
        if not 0 < total < math.inf:
            return {}
        ranked = sorted(self.whole.items(), key=lambda item: (-item[1], item[0]))
        return {name: round(cost / total, 4) for name, cost in ranked}
