"""What programs print, compared word by word: which words are floats, and where outputs differ.

Not here: values, which have types (`evaluators.running.disagreement`, `se_agent.wire.same`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from evaluators.running.disagreement import AnswerDifference, by, relative_gap
from evaluators.running.shown import SHOWN, cut, shown
from se_agent.wire import Tolerance, same

_INTEGER = re.compile(rb"[+-]?[0-9]+")
_NUMBER = re.compile(
    rb"[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf|infinity|nan)", re.IGNORECASE
)


class _Word(NamedTuple):
    """A word of an output; of one that has come to its end an empty one."""

    text: bytes
    line: int
    number: int


_NONE = _Word(b"", 0, 0)


def close(right: bytes, given: bytes, tolerance: Tolerance) -> bool:
    """Compare two words as numbers, where the right one is written as a float."""
    if not tolerance or not _are_floats(right, given):
        return False
    return same(float(right), float(given), tolerance=tolerance)


def apart_in_words(right: bytes, given: bytes, tolerance: Tolerance) -> AnswerDifference:
    """Return how two outputs differ that are not the same.

    Args:
        right: What was expected.
        given: What was printed.
        tolerance: What floats may differ by.
    """
    whole = [cut(text[: 4 * SHOWN].decode("utf-8", "replace")) for text in (right, given)]
    pairs = zip_longest(_words(right), _words(given), fillvalue=_NONE)
    one, other = next(
        ((a, b) for a, b in pairs if a.text != b.text and not close(a.text, b.text, tolerance)),
        (_NONE, _NONE),
    )
    place = one if one is not _NONE else other
    where = f"at line {place.line}, word {place.number}"
    gap = None
    if _are_floats(one.text, other.text):
        gap = relative_gap(float(one.text), float(other.text))
    how = f"differ by {by(gap)}, {where}" if gap else ""
    if whole[0].split() != whole[1].split():
        return AnswerDifference(whole[0], whole[1], how)
    expected, got = _line(right, one), _line(given, other)
    if expected == got:
        expected, got = (
            f"{where}: {shown(word.text.decode(errors='replace'))}" for word in (one, other)
        )
    return AnswerDifference(cut(expected), cut(got), how)


def _words(text: bytes) -> Iterator[_Word]:
    for line, words in enumerate(text.splitlines(), start=1):
        yield from (_Word(word, line, n) for n, word in enumerate(words.split(), start=1))


def _line(text: bytes, word: _Word) -> str:
    """Return the line in which a word stands, with its number."""
    if word is _NONE:
        return "the output ends"
    lines: Sequence[bytes] = text.splitlines()
    return f"at line {word.line}: {shown(lines[word.line - 1].decode('utf-8', 'replace'))}"


def _are_floats(right: bytes, given: bytes) -> bool:
    numbers = _NUMBER.fullmatch(right) and _NUMBER.fullmatch(given)
    return bool(numbers and not _INTEGER.fullmatch(right))
