"""Figures in a model's words: a model may word what was measured, never invent a number.

Pure. A figure is a number with a unit of measurement; other numbers, such as those of a bound
or a line of code, are words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from se_agent.chat.escaping import inline

_UNITS = {
    "%": r"%|percent",
    "x": r"x|times|-?fold",
    "s": r"s|sec(?:ond)?s?",
    "ms": r"ms|millisec(?:ond)?s?",
    "us": r"us|microsec(?:ond)?s?",
    "ns": r"ns|nanosec(?:ond)?s?",
    "B": r"B|bytes?",
    "kB": r"ki?B|kilobytes?",
    "MB": r"Mi?B|megabytes?",
    "GB": r"Gi?B|gigabytes?",
}
_UNIT = "|".join(f"(?P<u{place}>{unit})" for place, unit in enumerate(_UNITS.values()))
_FIGURE = re.compile(
    rf"(?<![\w.])(?P<number>\d[\d,]*(?:\.\d+)?)[ \t-]?(?:{_UNIT})(?!\w)", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")


class _Figure(NamedTuple):
    value: float
    digits: int  # behind the point, as written
    unit: str


def supported_line(text: str, given: str, width: int) -> str:
    """Return a model's text on one line of at most `width` characters, as far as supported."""
    line = supported_sentences(inline(text[: 4 * width]), given)
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def supported_sentences(text: str, given: str) -> str:
    """Return those sentences of `text` whose figures stand in `given`, rounded or not.

    Args:
        text: A model's.
        given: All that it was told.
    """
    sentences = [(sentence, list(_figures(sentence))) for sentence in _split(text)]
    if not any(claimed for _, claimed in sentences):
        return " ".join(sentence for sentence, _ in sentences)
    known = _known(given)
    return " ".join(
        sentence
        for sentence, claimed in sentences
        if all(any(_same(one, other) for other in known) for one in claimed)
    )


def _split(text: str) -> list[str]:
    return _SENTENCE.split(text.strip())


@lru_cache(8)  # a reply has many sentences, and all are held against the same prompt
def _known(given: str) -> tuple[_Figure, ...]:
    return tuple(_figures(given))


def _figures(text: str) -> Iterator[_Figure]:
    for found in _FIGURE.finditer(text):
        number = found["number"].replace(",", "")
        (unit,) = (u for place, u in enumerate(_UNITS) if found[f"u{place}"] is not None)
        yield _Figure(float(number), len(number.partition(".")[2]), unit)


def _same(claimed: _Figure, known: _Figure) -> bool:
    return claimed.unit == known.unit and round(known.value, claimed.digits) == claimed.value
