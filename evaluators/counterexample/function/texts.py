"""What the texts at one place have in common: their characters, and what follows on what."""

from __future__ import annotations

import string
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

_CLOSED = 24  # values, each seen four times on average, that are taken for all there are
_ALL_SEEN = 5  # characters per letter of a class, after which those not seen are not meant
_LETTERS = {
    "digit": string.digits,
    "upper": string.ascii_uppercase,
    "lower": string.ascii_lowercase,
}
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_EDGE = ""

H = TypeVar("H", bound=Hashable)


@dataclass(frozen=True)
class Texts:
    """What all texts shared.

    Attributes:
        characters: Those that stood in them.
        classes: Classes of characters of which others may stand in them, too.
        pairs: Classes that stood side by side; an empty one is the edge of the text.
        words: All that a text may be, where few were seen again and again.
        balanced: Whether all brackets matched.
    """

    characters: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()
    words: frozenset[str] = frozenset()
    balanced: bool = False

    @classmethod
    def of(cls, texts: Sequence[str]) -> Texts:
        """Return what these texts have in common."""
        counted = Counter(c for text in texts for c in text)
        brackets = {*_BRACKETS, *_BRACKETS.values()} & set(counted)
        return cls(
            characters=frozenset(counted),
            classes=frozenset(_open(counted)),
            pairs=frozenset(pair for text in texts for pair in _pairs(text)),
            words=closed(texts),
            balanced=bool(brackets) and all(map(_balanced, texts)),
        )

    def admits(self, text: str) -> bool:
        """Say whether a text keeps what all have shared; its length is not looked at."""
        if self.words:
            return text in self.words
        known = all(c in self.characters or class_of(c) in self.classes for c in text)
        return (
            known
            and self.pairs.issuperset(_pairs(text))
            and (not self.balanced or _balanced(text))
        )


def closed(values: Sequence[H]) -> frozenset[H]:
    """Return the values if few were seen again and again, so that no others are meant."""
    if len(values) < _CLOSED:
        return frozenset()
    found = frozenset(values)
    return found if len(values) >= 4 * len(found) else frozenset()


def class_of(c: str) -> str:
    """Return the class of a character; punctuation stands for itself."""
    if not c.isascii():
        case = "upper" if c.isupper() else "lower" if c.islower() else ""
        return f"{unicodedata.name(c, '').partition(' ')[0]} {unicodedata.category(c)} {case}"
    if c.isdigit():
        return "digit"
    return ("upper" if c.isupper() else "lower") if c.isalpha() else c


def _open(counted: Counter[str]) -> Iterable[str]:
    """Yield the classes of which some characters may have been missed by chance."""
    classes = Counter[str]()
    for c, count in counted.items():
        classes[class_of(c)] += count
    for name, count in classes.items():
        if count < _ALL_SEEN * len(_LETTERS.get(name, string.printable)):
            yield name


def _pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise([_EDGE, *map(class_of, text), _EDGE])) if text else set()


def _balanced(text: str) -> bool:
    waiting = []
    for c in text:
        if c in _BRACKETS.values():
            waiting.append(c)
        elif c in _BRACKETS and (not waiting or waiting.pop() != _BRACKETS[c]):
            return False
    return not waiting
