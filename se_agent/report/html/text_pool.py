"""The long texts of a report, each of them once: programs, prompts, replies, details of steps.

Whoever mentions a text names its number. Few texts stand in the page as they are. Many are
packed in parts, which a page unpacks when it shows one of them. Pure.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Mapping

LONGEST = 400_000
"""Characters of a text that a report holds."""

PLAIN = 1_500_000
"""Characters of all texts together up to which they are not packed."""

PART = 1_000_000
"""Characters of texts that are packed, and unpacked, together."""


class TextPool:
    """Texts by number, in the order in which they came."""

    def __init__(self, *, plain: int = PLAIN, part: int = PART) -> None:
        """Begin without texts.

        Args:
            plain: Characters up to which the texts are not packed.
            part: Characters of a packed part, unless it is a single text.
        """
        self._plain, self._part = plain, part
        self._numbers: dict[str, int] = {}
        self._size = 0
        self._common = 0
        self._done: dict[tuple[int, int], str] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, text: str) -> int:
        """Return the number of a text; one that is too long is cut, and says so."""
        return self._number(_cut(text))

    def add_value(self, value: object) -> int:
        """Return the number of a value as a text of JSON, in which each text is cut so, too."""
        text = json_text(value)
        return self._number(text if len(text) <= LONGEST else json_text(_cut_each(value)))

    def copy(self) -> TextPool:
        """Return a pool with the same texts, which gets others besides.

        What one copy has packed of the common texts no later copy packs anew.
        """
        made = TextPool(plain=self._plain, part=self._part)
        made._numbers, made._size = {**self._numbers}, self._size
        made._common, made._done = len(self), self._done
        return made

    @property
    def is_packed(self) -> bool:
        """Whether the texts are so many that they are packed."""
        return self._size > self._plain

    def plain(self) -> list[str]:
        """Return all texts."""
        return list(self._numbers)

    def packed(self) -> Iterator[tuple[int, str]]:
        """Yield each part: the number of its first text, and the texts, packed.

        A part is a JSON list of texts by deflate (zlib), in base64.
        """
        first, held, size = 0, list[str](), 0
        for number, text in enumerate(self._numbers):
            if held and size + len(text) > self._part:
                yield first, self._deflated(first, held)
                first, held, size = number, [], 0
            held.append(text)
            size += len(text)
        if held:
            yield first, self._deflated(first, held)

    def _deflated(self, first: int, texts: list[str]) -> str:
        """Return a part, which another copy may have made already."""
        end = first + len(texts)
        if end > self._common:
            return _deflated(texts)
        if (first, end) not in self._done:
            self._done[first, end] = _deflated(texts)
        return self._done[first, end]

    def _number(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self._numbers)
            self._size += len(text)
        return number


def json_text(value: object) -> str:
    """Return a value as JSON of ASCII, which holds nothing that could be markup.

    Halves of letters, null bytes, what ends a line and what turns the direction of writing are
    escaped, as are `<`, `>` and `&`: no text can close the element that it stands in.
    """
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}\n[{len(text) - LONGEST:,} more characters are in the run]"


def _cut_each(value: object) -> object:
    """Return a value of JSON in which no text is too long."""
    if isinstance(value, str):
        return _cut(value)
    if isinstance(value, Mapping):
        return {key: _cut_each(each) for key, each in value.items()}
    return [*map(_cut_each, value)] if isinstance(value, list | tuple) else value


def _deflated(texts: list[str]) -> str:
    return base64.b64encode(zlib.compress(json_text(texts).encode(), 9)).decode()
