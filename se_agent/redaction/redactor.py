"""Takes secrets out of texts, however they are spelled. Pure.

Texts and spellings are compared by their letters and digits alone, so that case and whatever
stands between characters do not matter. Not here: which values are secret (`secret_values`).
"""

from __future__ import annotations

import codecs
import json
import re
from base64 import b32encode, b64encode
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple
from urllib.parse import quote

from se_agent.redaction.secret_values import SHORTEST

MARK = "***"
"""Stands where a secret stood."""

_GRAM = 8  # letters and digits that are looked up at a time
_STRIDE = 3  # a piece of 10 holds one of the grams that are known
_WORD = 16  # characters from which on a word without digits is no name in a program
_SURE = 12  # letters and digits in a row that are no coincidence, without a digit, too
_CACHED = 100_000  # characters of a text that may come again, such as instructions
_FOLDED = bytes(range(256)).lower()
_OTHERS = bytes(c for c in range(256) if not (chr(c).isascii() and chr(c).isalnum()))
_SHAPES = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]{0,16384}?(?:-----END [A-Z0-9 ]*KEY-----|\Z)"
    r"|(?<![A-Za-z0-9])(?:"
    r"sk-(?=[\w-]*\d)[\w-]{20,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}"
    r"|gh[opsur]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}"
    r"|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{35}|xox[abeoprs]-[\w-]{10,}"
    r"|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}|npm_[A-Za-z0-9]{36}|pypi-AgE[\w-]{30,}"
    r"|hf_[A-Za-z0-9]{30,}|SG\.[\w-]{16,}\.[\w-]{30,})"
)


class _Spelling(NamedTuple):
    text: bytes
    least: int  # letters and digits of a piece that is taken out
    sure: bool  # such a piece is no coincidence, whatever is in it


class Redactor:
    """Takes known secrets out of texts, and what has the shape of one.

    Args:
        secrets: Values; those of less than eight characters are left in.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = [s for s in dict.fromkeys(secrets) if len(s) >= SHORTEST]
        known.sort(key=len, reverse=True)  # of a longer one nothing stays beside a shorter one
        told = "|".join(s for s in known if _is_word(s))
        self._words = re.compile(rf"(?<!\w)(?:{told})(?!\w)") if told else None
        self._secrets = [s for s in known if not _is_word(s)]
        self._without = lru_cache(maxsize=64)(self._known)  # instructions come again and again

    def __call__(self, text: str, *, words: bool = True) -> str:
        """Return a text without secrets, and otherwise as it was.

        Args:
            text: Anything.
            words: Whether a secret that is a short word is taken out, too; of a program it
                would be taken for a name.
        """
        text = self._without(text) if len(text) <= _CACHED else self._known(text)
        if words and self._words:
            text = self._words.sub(MARK, text)
        return _SHAPES.sub(MARK, text)

    def _known(self, text: str) -> str:
        for secret in self._secrets:  # it may have no letters and digits to find it by
            if secret in text:
                text = text.replace(secret, MARK)
        if not self._grams:
            return text
        folded = _folded(text)
        grams = [folded[n : n + _GRAM] for n in range(len(folded) - _GRAM + 1)]
        if self._grams.keys().isdisjoint(grams):
            return text
        found = [span for n, gram in enumerate(grams) for span in self._spans(folded, n, gram)]
        if not found:
            return text
        places = [n for n, c in enumerate(text) if c.isascii() and c.isalnum()]
        left, done = list[str](), 0
        for start, end in _merged(found):
            left += text[done : places[start]], MARK
            done = places[end - 1] + 1
        return "".join(left) + text[done:]

    def _spans(self, folded: bytes, place: int, gram: bytes) -> Iterator[tuple[int, int]]:
        for spelling, offset in self._grams.get(gram, ()):
            first, rest = spelling.text[:offset], spelling.text[offset:]
            before = _alike(folded[max(0, place - offset) : place][::-1], first[::-1])
            after = _alike(folded[place : place + len(rest)], rest)
            start, end = place - before, place + after
            piece = folded[start:end]
            if len(piece) >= spelling.least and (spelling.sure or _is_drawn(piece)):
                yield start, end

    @cached_property
    def _grams(self) -> dict[bytes, list[tuple[_Spelling, int]]]:
        """By their letters and digits: where in which spelling they stand."""
        known: dict[bytes, list[tuple[_Spelling, int]]] = {}
        for spelling in dict.fromkeys(
            s for secret in self._secrets for s in _spellings(secret)
        ):
            last = len(spelling.text) - _GRAM
            stride = max(_STRIDE, len(spelling.text) // 32)
            every = {*range(0, last + 1, stride), *range(0, last + 1, _GRAM), last}
            for offset in sorted(every if spelling.least < len(spelling.text) else {0}):
                gram = spelling.text[offset : offset + _GRAM]
                places = known.setdefault(gram, [])
                if [one for one, _ in places[-2:]] == [spelling] * 2:
                    places.pop()  # where it comes again and again the first and last will do
                places.append((spelling, offset))
        return known


def _is_word(secret: str) -> bool:
    return len(secret) < _WORD and secret.isidentifier() and not any(map(str.isdigit, secret))


def _folded(text: str) -> bytes:
    return text.encode("ascii", "ignore").translate(_FOLDED, _OTHERS)


def _is_drawn(piece: bytes) -> bool:
    return len(piece) >= _SURE or not (piece.isalpha() or piece.isdigit())


def _alike(left: bytes, right: bytes) -> int:
    """Return how many bytes two texts begin with alike."""
    size = min(len(left), len(right))
    differ = int.from_bytes(left[:size], "big") ^ int.from_bytes(right[:size], "big")
    return size - -(-differ.bit_length() // 8)


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans that do not overlap, from the first to the last."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _spellings(secret: str) -> Iterator[_Spelling]:
    """Yield how a secret may be written, with what a piece of it has to have at least."""
    data = secret.encode("utf-8", "surrogateescape")
    plain = _folded(secret)
    drawn = not (plain.isalpha() or plain.isdigit())
    in_json = json.dumps(secret)
    for text in (secret, quote(data, safe=""), in_json, codecs.encode(secret, "rot13")):
        for form in (_folded(text), _folded(text)[::-1]):
            if len(form) >= _GRAM:
                yield _Spelling(form, _GRAM if drawn else len(form), sure=False)
    codes = {
        16: ("".join(f"{c:02x}" for c in data), "".join(f"{c:02x}" for c in data[::-1])),
        20: ("".join(map(str, data)), "".join(map(str, data[::-1]))),
        24: ("".join(f"x{c:02x}" for c in data), "".join(f"{c:03d}" for c in data)),
        32: ("".join(f"0x{c:02x}" for c in data),),
        11: tuple(t for n in range(3) for t in _in_base(b64encode, 6, data, n)),
        13: tuple(t for n in range(5) for t in _in_base(b32encode, 5, data, n)),
    }
    for least, texts in codes.items():
        for form in map(_folded, texts):
            if len(form) >= _GRAM:
                shorter = min(least, len(form)) if drawn else len(form)
                yield _Spelling(form, shorter, sure=len(form) > _SURE)


def _in_base(
    encode: Callable[[bytes], bytes], bits: int, data: bytes, before: int
) -> Iterator[str]:
    """Yield what of it stands in a base behind so many other bytes, and the reverse."""
    for each in (data, data[::-1]):
        text = encode(b"\0" * before + each).decode().rstrip("=")
        start, end = -(-8 * before // bits), 8 * (before + len(each)) // bits
        yield text[start:end]
        yield text[start:end][::-1]
