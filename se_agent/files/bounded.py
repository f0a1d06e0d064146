"""TOML that somebody else wrote, read within bounds: nothing in it stops us.

A key of 50,000 parts or a number of a million digits is refused with a reason. Not here: how
a file is read (`plain`), which keys there are, and what they hold (`problem.schema`,
`config`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any, NoReturn

from se_agent.wire.spelling import is_hidden

LONGEST = 1000
"""Characters of one line of text, of a name or a number in a TOML file."""

_OUTSIDE = 1 << 20  # characters of a TOML file that stand outside of its texts
_PARTS = 16  # of a key; reading more takes time that grows with their square
_DEEPEST = 32  # brackets around a value

# Possessive, and whatever nothing closes ends with its line or the file: looking for the end
# again from each of its quotes would take minutes.
_TEXT = re.compile(
    r"""
    \"{3} (?: [^"\\] | \\. | "(?!"") )*+ (?: "{3,5} | \\?\Z | )
    | '{3} (?: [^'] | '(?!'') )*+ (?: '{3,5} | \Z | )
    | " (?: [^"\\\n] | \\[^\n] )*+ "?
    | ' [^'\n]*+ '?
    | \# [^\n]*+
    """,
    re.VERBOSE | re.DOTALL,
)
_PIECE = re.compile(r"[^,=\[\]{}\n]+")
_BRACKET = re.compile(r"[\[\]{}]")


class TomlError(ValueError):
    """A text is not TOML, or more of it than anybody writes; `line` says where, from 1."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


def toml(text: str) -> dict[str, Any]:  # whatever TOML can say
    """Return what a TOML text says.

    Raises:
        TomlError: It is not TOML, or nested or long beyond all use.
    """
    _require_bounded(text)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as err:
        found = re.search(r"^(.*?) \(at (?:line (\d+), column \d+|end of document)\)", str(err))
        if found is None:
            raise TomlError(str(err)) from err
        last = text.count("\n") + (not text.endswith("\n"))
        raise TomlError(found[1], int(found[2] or last)) from err


def require_key(parts: int) -> None:
    """Refuse a key of more parts than any has.

    Raises:
        TomlError: It has more.
    """
    if parts > _PARTS:
        raise TomlError(_of_parts(parts))


def texts_in(value: object) -> Iterator[str]:
    """Yield the texts of a value of a TOML file, those of its keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from (*texts_in(key), *texts_in(each))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_in(each)


def require_line(text: str) -> None:
    """Refuse a text that is not one line of printable characters, or endless.

    Raises:
        ValueError: It is not; the message is for people.
    """
    if len(text) > LONGEST:
        raise ValueError(f"a text of {len(text):,} characters; {LONGEST:,} are the most")
    if any(map(is_hidden, text)):
        raise ValueError(f"{text[:100]!r} is not one line of printable characters")


def _require_bounded(text: str) -> None:
    outside = _TEXT.sub(lambda found: '""' + "\n" * found[0].count("\n"), text)
    if len(outside) > _OUTSIDE:
        raise TomlError(f"more than {_OUTSIDE >> 20} MB of keys and numbers")
    for piece in _PIECE.finditer(outside):
        if (parts := piece[0].count(".") + 1) > _PARTS:
            _refuse(_of_parts(parts), outside, piece.start())
        if (length := len(piece[0].strip())) > LONGEST:
            told = f"a name or a number of {length:,} characters; {LONGEST:,} are the most"
            _refuse(told, outside, piece.start())
    depth = 0
    for bracket in _BRACKET.finditer(outside):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > _DEEPEST:
            _refuse(f"nested deeper than {_DEEPEST} levels", outside, bracket.start())


def _of_parts(parts: int) -> str:
    return f"a key of {parts:,} parts; {_PARTS} are the most"


def _refuse(told: str, outside: str, place: int) -> NoReturn:
    raise TomlError(told, outside.count("\n", 0, place) + 1)
