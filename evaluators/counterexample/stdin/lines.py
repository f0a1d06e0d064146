"""Lines of a text as tokens and the gaps between them, and back.

Nothing gets lost: the text of the lines of a text is that text, but for its last newline.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_GAPS = re.compile(r"([\s,;:|=]+)")
_TOKEN = re.compile(r"[^\s,;:|=]+")
_FLOAT = re.compile(r"-?[0-9]+\.[0-9]+")
_LONGEST = 18  # digits of a number that is one; longer ones are words


@dataclass(frozen=True)
class Line:
    """A line: a gap before each token, and one behind the last."""

    tokens: tuple[str, ...]
    gaps: tuple[str, ...]

    @property
    def text(self) -> str:
        """The line as it was written."""
        inner = "".join(gap + token for gap, token in zip(self.gaps, self.tokens, strict=False))
        return inner + self.gaps[-1]


def lines_of(text: str) -> list[Line]:
    """Take a text apart; what the last newline ends is the last line."""
    found = text.split("\n")
    return [_line(one) for one in (found if found[-1] else found[:-1])]


def text_of(lines: Iterable[Line]) -> str:
    """Return the text of lines, each ended by a newline."""
    return "".join(f"{line.text}\n" for line in lines)


def is_token(text: str) -> bool:
    """Say whether a text would be one token."""
    return _TOKEN.fullmatch(text) is not None


def kind_of(token: str) -> type:
    """Return int for an integer as it is usually written, float, or str."""
    digits = token.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST:
        return int if str(int(token)) == token else str
    return float if len(token) <= _LONGEST and _FLOAT.fullmatch(token) else str


def _line(text: str) -> Line:
    pieces = _GAPS.split(text)
    tokens, gaps = pieces[::2], ["", *pieces[1::2], ""]
    if not tokens[0]:
        del tokens[0], gaps[0]
    if tokens and not tokens[-1]:
        del tokens[-1], gaps[-1]
    return Line(tuple(tokens), tuple(gaps))
