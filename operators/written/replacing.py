"""Pieces of a text replaced by others: exactly, then whatever the white space, never guessed.

Not here: how the pieces are found in a reply (`diffs`).
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from operators.written.cited import cited
from se_agent.errors import ReplyError

_SHOWN = 12  # lines of the program that an error shows
_ALIKE = 0.5  # likeness of a line that is worth showing


@dataclass(frozen=True)
class Replacement:
    """Lines to be found once in a text, and what takes their place.

    Attributes:
        old: Without ends of lines.
        new: Likewise; none: the lines go.
        line: Where they begin, from 1, if the reply says so; it decides among equal places.
    """

    old: tuple[str, ...]
    new: tuple[str, ...]
    line: int = 0


class _Change(NamedTuple):
    start: int
    end: int
    new: tuple[str, ...]


Lines = Sequence[str]
Finder = Callable[[Lines, Replacement], list[_Change]]


def replaced(text: str, replacements: Iterable[Replacement]) -> str:
    """Return the text with all replacements made; each refers to the text as it was.

    Raises:
        ReplyError: A place is absent, ambiguous, or overlaps another; the message shows which
            block it is, and the nearest lines of the text.
    """
    lines = text.split("\n")
    changes = [_change(lines, each, n) for n, each in enumerate(replacements, start=1)]
    ordered = sorted(range(len(changes)), key=lambda n: changes[n])
    for first, second in pairwise(ordered):
        if changes[second].start < changes[first].end:
            raise ReplyError(
                f"blocks {first + 1} and {second + 1} change the same lines: unite them"
            )
    for number in reversed(ordered):
        change = changes[number]
        lines[change.start : change.end] = change.new
    return "\n".join(lines)


def _change(lines: Lines, wanted: Replacement, number: int) -> _Change:
    if not any(line.strip() for line in wanted.old):
        raise ReplyError(
            f"block {number} names no lines to be replaced: to add code, repeat a line beside "
            "its place, and write that line again with the new ones"
        )
    for find in (_exact, _trimmed, _shifted):
        found = find(lines, wanted)
        if len(found) > 1:
            found = [change for change in found if change.start + 1 == wanted.line] or found
        if len(found) == 1:
            return found[0]
        if found:
            places = ", ".join(str(change.start + 1) for change in found[:_SHOWN])
            raise ReplyError(
                f"block {number}: its lines stand in the program {len(found)} times (lines "
                f"{places}): repeat more of the lines around the one you mean"
            )
    raise ReplyError(
        f"block {number}: its lines do not stand in the program. They begin with:\n"
        f"{cited(wanted.old[:3])}\n{_nearest(lines, wanted.old)}"
    )


def _exact(lines: Lines, wanted: Replacement) -> list[_Change]:
    return [
        _Change(start, start + len(wanted.old), wanted.new)
        for start in _places(lines, wanted.old)
    ]


def _trimmed(lines: Lines, wanted: Replacement) -> list[_Change]:
    """Find the lines whatever stands at their ends, and without empty ones at the edges."""
    old, new = _core(wanted.old), _core(wanted.new)
    places = _places([line.rstrip() for line in lines], [line.rstrip() for line in old])
    return [_Change(start, start + len(old), new) for start in places]


def _shifted(lines: Lines, wanted: Replacement) -> list[_Change]:
    """Find the lines indented otherwise, all by the same; the new ones are moved likewise."""
    old, new = _core(wanted.old), _core(wanted.new)
    margin = _margin(old)
    if any(line.strip() and not line.startswith(margin) for line in new):
        return []
    bare = [line.strip() for line in lines]
    found = []
    for start in _places(bare, [line.strip() for line in old]):
        window = lines[start : start + len(old)]
        own = _margin(window)
        if _without(window, own) == _without(old, margin):
            moved = [own + line if line else "" for line in _without(new, margin)]
            found.append(_Change(start, start + len(old), tuple(moved)))
    return found


def _places(lines: Lines, wanted: Lines) -> list[int]:
    """Return where `wanted` begins in `lines`."""
    first, size = wanted[0], len(wanted)
    return [
        start
        for start in range(len(lines) - size + 1)
        if lines[start] == first and lines[start : start + size] == list(wanted)
    ]


def _core(lines: Lines) -> tuple[str, ...]:
    filled = [number for number, line in enumerate(lines) if line.strip()]
    return tuple(lines[filled[0] : filled[-1] + 1]) if filled else ()


def _margin(lines: Lines) -> str:
    starts = [line[: len(line) - len(line.lstrip())] for line in lines if line.strip()]
    shortest = min(starts, key=len, default="")
    return shortest if all(start.startswith(shortest) for start in starts) else ""


def _without(lines: Lines, margin: str) -> list[str]:
    return [line[len(margin) :].rstrip() if line.strip() else "" for line in lines]


def _nearest(lines: Lines, wanted: Lines) -> str:
    """Return the lines of the program that are most like the wanted ones, with numbers."""
    core = [line.strip() for line in _core(wanted)]
    bare = [line.strip() for line in lines]
    known = set(core)
    hits = [
        sum(line in known and line != "" for line in bare[n : n + len(core)])
        for n in range(len(bare))
    ]
    place = max(range(len(hits)), key=lambda n: hits[n])
    if not hits[place]:
        near = difflib.get_close_matches(max(core, key=len), bare, n=1, cutoff=_ALIKE)
        if not near:
            return "Nothing in the program is like them."
        place = bare.index(near[0])
    shown = lines[place : place + min(len(core), _SHOWN)]
    return f"Nearest are these, from line {place + 1}:\n{cited(shown)}"
