"""How a file is laid out: length of its lines, quotes, indentation. Read from it, or told.

Not here: how new lines are laid out so (`wrapping`).
"""

from __future__ import annotations

import re
import tokenize
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from se_agent.program.style.changed import rows_of, tokens_of

_USUAL = (79, 88, 100, 120)
"""Lengths that formatters are set to."""

_SHORT = 72  # columns up to which a file says nothing of its length


@dataclass(frozen=True)
class FormatterSettings:
    """What a project tells its formatter.

    Attributes:
        line_length: Columns of a line; 0: nothing is told.
        quote: Quote of texts; empty: nothing is told, or both are in use.
    """

    line_length: int = 0
    quote: str = ""


UNTOLD = FormatterSettings()
"""The settings of a project that says nothing."""


class FileLayout(NamedTuple):
    """Settings of a file's formatter, as far as they concern new lines.

    Attributes:
        line_length: Columns of a line.
        quote: Quote of new texts; empty: both are in use.
        indent: One level of indentation.
    """

    line_length: int = 88
    quote: str = ""
    indent: str = "    "


@lru_cache(maxsize=64)
def layout_of(text: str, told: FormatterSettings = UNTOLD) -> FileLayout:
    """Return the layout of a file: as its formatter is told, or else as its lines are.

    Args:
        text: The file before it was changed.
        told: Settings of its formatter.
    """
    length, quote = told.line_length or _length(text), told.quote or _quote(text)
    return FileLayout(length, quote, _indent(text))


def _length(text: str) -> int:
    """Return the least usual length that all lines keep, but for one in fifty.

    Short lines say little: without one of more than 72 columns it is that of most formatters.
    """
    lengths = sorted((len(row.rstrip("\n")) for row in rows_of(text)), reverse=True)
    longest = next(iter(lengths[len(lengths) // 50 :]), 0)
    if _SHORT < longest <= _USUAL[0]:
        return _USUAL[0]
    return next((length for length in _USUAL[1:] if length >= longest), longest)


def _quote(text: str) -> str:
    marks = Counter(
        found[1]
        for token in tokens_of(text)
        if token.type == tokenize.STRING
        and (found := re.match(r"[a-zA-Z]*(['\"])(?!\1\1)", token.string))
    )
    if not marks:
        return '"'
    (mark, count), *_ = marks.most_common()
    return mark if count >= 0.9 * marks.total() else ""


def _indent(text: str) -> str:
    margins = Counter(
        token.string for token in tokens_of(text) if token.type == tokenize.INDENT
    )
    return min(margins, key=len, default="    ")
