"""Diffs in a reply: SEARCH/REPLACE blocks, and unified ones.

The marks of a block are longer than any that stands in the program, so that a program which
holds such marks can be changed too. Not here: how a diff is applied (`replacing`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from operators.written.blocks import blocks
from operators.written.replacing import Replacement
from se_agent.errors import ReplyError

_WIDTH = 7  # of a mark, unless the program holds one that is as long
_MARK = re.compile(r"^[ \t]*(<{5,}|>{5,})[ \t]*(?:SEARCH|REPLACE)\b", re.MULTILINE)
_DIVIDER = re.compile(r"={5,}[ \t]*")
_HUNK = re.compile(r"@@(?:[ \t]+-(?P<line>\d{1,9})(?:,\d+)?[ \t]+\+\d+(?:,\d+)?[ \t]+@@)?")
_FILE = re.compile(r"^--- .*\n\+\+\+ .*\n(?=@@)", re.MULTILINE)
_HEAD = ("--- ", "+++ ", "diff ", "index ")
_CUT = "the diff is cut off at the end of the reply: write less around it"
_SHOWN = 200  # characters of an error, which holds a line of the diff
_LABELS = ("diff", "patch", "udiff")


@dataclass(frozen=True)
class Marks:
    """The lines that a SEARCH/REPLACE block is made of.

    Attributes:
        width: Characters of each.
    """

    width: int = _WIDTH

    @property
    def search(self) -> str:
        """The first line."""
        return "<" * self.width + " SEARCH"

    @property
    def divider(self) -> str:
        """The line between."""
        return "=" * self.width

    @property
    def replace(self) -> str:
        """The last line."""
        return ">" * self.width + " REPLACE"

    def opens(self, line: str) -> bool:
        """Say whether a line of a reply begins a block."""
        return self._is(line, "<", "SEARCH")

    def closes(self, line: str) -> bool:
        """Say whether a line of a reply ends a block."""
        return self._is(line, ">", "REPLACE")

    def _is(self, line: str, sign: str, word: str) -> bool:
        bare = line.strip()
        rest = bare.lstrip(sign)
        least = self.width if self.width > _WIDTH else 5
        return len(bare) - len(rest) >= least and rest.strip().rstrip(":") == word


def marks_for(*texts: str) -> Marks:
    """Return marks that are longer than any in these texts."""
    found = (mark for text in texts for mark in _MARK.findall(text))
    return Marks(max([_WIDTH, *(len(mark) + 1 for mark in found)]))


@dataclass(frozen=True)
class Diff:
    """What a reply changes, and what is left of the reply without it."""

    replacements: tuple[Replacement, ...]
    rest: str


def diff_in(reply: str, text: str) -> Diff | None:
    """Return the diff in a reply, or None where it holds none.

    Args:
        reply: A model's.
        text: The program that it changes.

    Raises:
        ReplyError: A block of it is not complete.
    """
    return _searched(reply, text) or _unified(reply)


def _searched(reply: str, text: str) -> Diff | None:
    marks, found, rest = marks_for(text), list[Replacement](), list[str]()
    inner: list[str] | None = None
    for line in reply.split("\n"):
        number = len(found) + 1
        if inner is None:
            if marks.opens(line):
                inner = []
            else:
                rest.append(line)
        elif marks.opens(line):
            raise ReplyError(f"block {number} does not end with a line {marks.replace}")
        elif marks.closes(line):
            found.append(_halves(inner, text, number, marks))
            inner = None
        else:
            inner.append(line)
    if inner is not None:
        raise ReplyError(f"block {len(found) + 1} does not end with a line {marks.replace}")
    return Diff(tuple(found), "\n".join(rest)) if found else None


def _halves(lines: Sequence[str], text: str, number: int, marks: Marks) -> Replacement:
    """Split a block at its divider.

    Code may hold lines that look like one: then all that stands in the program is above it.
    """
    found = [n for n, line in enumerate(lines) if _DIVIDER.fullmatch(line)]
    if len(found) > 1:
        known = [line.strip() for line in text.split("\n")]
        found = [n for n in found if n <= len(known)]  # no more can stand there
        found = [n for n in found if _stands([line.strip() for line in lines[:n]], known)]
    if not found:
        raise ReplyError(
            f"block {number} needs a line {marks.divider} between the lines that are replaced, "
            "exactly as they stand in the program, and the new ones"
        )
    return Replacement(tuple(lines[: found[-1]]), tuple(lines[found[-1] + 1 :]))


def _stands(part: list[str], lines: list[str]) -> bool:
    size = len(part)
    return any(lines[n : n + size] == part for n in range(len(lines) - size + 1))


def _unified(reply: str) -> Diff | None:
    kept, end, found = list[str](), 0, list[Replacement]()
    for block in blocks(reply):
        lines = block.text.splitlines()
        if block.label in _LABELS or (not block.label and any(map(_HUNK.match, lines))):
            if not block.closed:
                raise ReplyError(_CUT)
            found += _hunks(block.text)
            kept.append(reply[end : block.start])
            end = block.end
    if found:
        return Diff(tuple(found), "".join([*kept, reply[end:]]))
    lines = reply.split("\n")
    start = next((n for n, line in enumerate(lines) if line.startswith("--- ")), len(lines))
    if not any(map(_HUNK.match, lines[start:])):
        return None
    return Diff(tuple(_hunks("\n".join(lines[start:]))), "\n".join(lines[:start]))


def _hunks(text: str) -> Iterator[Replacement]:
    """Yield the hunks of a patch whose headers may count wrongly, as models do."""
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        patch = PatchSet("\n".join(_recounted(_parts(text))) + "\n")
    except UnidiffParseError as err:
        raise ReplyError(f"the diff cannot be read: {err}"[:_SHOWN].rstrip()) from None
    for file in patch:
        for hunk in file:
            old = [line.value for line in hunk if line.is_removed or line.is_context]
            new = [line.value for line in hunk if line.is_added or line.is_context]
            yield Replacement(_ended(old), _ended(new), hunk.source_start)


def _ended(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(value.rstrip("\r\n") for value in values)


def _parts(text: str) -> Iterator[list[str]]:
    """Yield header and body of each hunk; what stands before the first has no header."""
    part: list[str] = ["@@"]
    for line in _FILE.sub("", text).splitlines():
        if _HUNK.match(line):
            yield part
            part = [line]
        elif len(part) > 1 or not line.startswith(_HEAD):
            part.append(line)
    yield part


def _recounted(parts: Iterable[list[str]]) -> Iterator[str]:
    yield from ("--- a/program", "+++ b/program")
    for header, *body in parts:
        while body and not body[-1].strip():
            body.pop()
        if not any(line.startswith(("+", "-")) for line in body):
            continue
        kept = [line if line.strip() else " " for line in body if not line.startswith("\\")]
        old = sum(not line.startswith("+") for line in kept)
        new = sum(not line.startswith("-") for line in kept)
        found = _HUNK.match(header)
        line = int(found["line"] or 0) if found else 0
        yield f"@@ -{line},{old} +{line},{new} @@"
        yield from kept
