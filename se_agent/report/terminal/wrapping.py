"""Text in lines that fit a terminal: broken between words, never inside one. Pure.

A word that is longer than a line stands on a line of its own and is wider than the screen: a
path, a command, or a name is there to be copied. What stands between backticks is one word, as
long as it fits a line.
Not here: tables (`columns`), and what is shown in a pipe, where nothing is broken.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.cells import cell_len

if TYPE_CHECKING:
    from rich.text import Text

_WORD = re.compile(r"(?:`[^`\n]*`|[^ \t\n`]|`)+")
TIED = "\N{NO-BREAK SPACE}"
"""A space at which no line is broken; on the screen it is one like others."""

_PART = re.compile(r"[^ \t\n]+")
_COMMAND = "`se-agent "
_NARROWEST = 16
"""Columns that are left for words: a hanging indent that leaves fewer is given up."""


def wrapped(text: str, width: int, *, hang: int = 0) -> list[str]:
    """Return `text` in lines of at most `width` columns, a longer word excepted.

    Args:
        text: Lines of it stay lines; the spaces that one begins with stay.
        width: Columns of the screen.
        hang: Columns that every further line of a line is moved to the right.
    """
    return [line for part in text.split("\n") for line in _line(part, width, hang)]


def _line(text: str, width: int, hang: int) -> Iterator[str]:
    words = [*_words(text, width)]
    if not words:
        yield ""
        return
    margin = text[: words[0][0]]
    indent = " " * (len(margin) + hang)
    if width - cell_len(indent) < _NARROWEST:
        indent = ""
    line = text[: words[0][1]]
    for (_, end), (start, stop) in itertools.pairwise(words):
        longer = line + text[end:stop]
        if cell_len(longer) <= width:
            line = longer
        else:
            yield line
            line = indent + text[start:stop]
    yield line


def _words(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Yield where words begin and end; of code that fits no line only a command is one."""
    for word in _WORD.finditer(text):
        if cell_len(word[0]) <= width or _COMMAND in word[0]:
            yield word.span()
        else:
            parts = _PART.finditer(text, *word.span())
            yield from (part.span() for part in parts)


def styled(text: Text, width: int, *, hang: int = 0) -> list[Text]:
    """Return rich text in lines as `wrapped` makes them; each keeps its colours."""
    from rich.text import Text

    found = []
    for part in text.split("\n", allow_blank=True):
        place = 0
        for number, line in enumerate(wrapped(part.plain, width, hang=hang)):
            words = line.strip(" ") if number else line
            start = part.plain.index(words, place)
            place = start + len(words)
            piece = part[start:place] if words else Text(style=part.style)
            indent = len(line) - len(line.lstrip(" ")) if number else 0
            piece.plain = piece.plain.replace(TIED, " ")
            found.append(Text(" " * indent, end="").append_text(piece))
    return found


def longest_word(text: str) -> int:
    """Return the columns of the longest word of `text`."""
    return max((cell_len(word[0]) for word in _WORD.finditer(text)), default=0)
