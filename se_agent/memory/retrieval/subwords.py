"""Texts as numbers of subwords, as the two tokenizers of small sentence encoders cut them.

`WordPiece` is BERT's: small letters without accents, longest piece first. `Unigram` is that of
the multilingual encoders: the likeliest way to cut a text. Pure; written after their published
descriptions. Not here: the file that holds the pieces (`encoder_files`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

_LONGEST = 100  # letters of a word that is cut at all
_SPACE = "\u2581"  # stands for a space in the pieces of `Unigram`
_UNKNOWN_COST = 10.0  # below the least likely piece
_IDEOGRAPHS = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2FA1F), (0xF900, 0xFAFF))


class Subwords(Protocol):
    """Cuts texts."""

    def numbers(self, text: str, most: int) -> list[int]:
        """Return the numbers of a text's pieces, with first and last mark; `most` in all."""
        ...


@dataclass(frozen=True, kw_only=True)
class WordPiece:
    """Pieces of words; those within a word begin with `##`.

    Attributes:
        pieces: Numbers of the pieces.
        first: Mark at the start of a text.
        last: Mark at its end.
        unknown: Piece of a word that cannot be cut.
        lower: Whether letters become small and lose their accents.
    """

    pieces: Mapping[str, int]
    first: str = "[CLS]"
    last: str = "[SEP]"
    unknown: str = "[UNK]"
    lower: bool = True

    def numbers(self, text: str, most: int) -> list[int]:
        """Return the numbers of a text; see `Subwords`."""
        found = [number for word in self._words(text) for number in self._cut(word)]
        return [self.pieces[self.first], *found[: most - 2], self.pieces[self.last]]

    def _words(self, text: str) -> Iterator[str]:
        clean = "".join(map(_spaced, text))
        if self.lower:
            decomposed = unicodedata.normalize("NFD", clean.lower())
            clean = "".join(c for c in decomposed if unicodedata.category(c) != "Mn")
        for word in clean.split():
            yield from _without_punctuation(word)

    def _cut(self, word: str) -> list[int]:
        found, start = list[int](), 0
        while start < len(word):
            ends = range(len(word), start, -1) if len(word) <= _LONGEST else ()
            mark = "##" if start else ""
            end = next((e for e in ends if mark + word[start:e] in self.pieces), 0)
            if not end:
                return [self.pieces[self.unknown]]
            found.append(self.pieces[mark + word[start:end]])
            start = end
        return found


@dataclass(frozen=True, kw_only=True)
class Unigram:
    """Pieces of texts with the logarithms of how likely they are.

    Attributes:
        pieces: Pieces in the order of their numbers, with their scores.
        unknown: Number of the piece for what no piece holds.
        first: Mark at the start of a text.
        last: Mark at its end.
    """

    pieces: Sequence[tuple[str, float]]
    unknown: int
    first: str = "<s>"
    last: str = "</s>"

    def numbers(self, text: str, most: int) -> list[int]:
        """Return the numbers of a text; see `Subwords`."""
        words = unicodedata.normalize("NFKC", text).split()
        found = [number for word in words for number in self._cut(f"{_SPACE}{word}")]
        first, last = (self._table[mark][0] for mark in (self.first, self.last))
        return [first, *found[: most - 2], last]

    def _cut(self, word: str) -> list[int]:
        """Return the likeliest way to cut a word, by Viterbi's algorithm.

        Unknown letters next to each other are one piece.
        """
        word = word[: 4 * _LONGEST]
        best: list[tuple[float, int, int]] = [
            (0.0, 0, -1)
        ]  # score, start and number of the last
        for end in range(1, len(word) + 1):
            ways = [
                (best[start][0] + score, start, number)
                for start in range(max(0, end - self._longest), end)
                for number, score in [self._piece(word[start:end])]
                if number >= 0
            ]
            best.append(max(ways))
        found, end = list[int](), len(word)
        while end:
            _, start, number = best[end]
            if not (number == self.unknown and found and found[-1] == self.unknown):
                found.append(number)
            end = start
        return found[::-1]

    def _piece(self, text: str) -> tuple[int, float]:
        """Return the number and score of a piece; -1: it is none, and longer than a letter."""
        unknown = (self.unknown, self._least - _UNKNOWN_COST) if len(text) == 1 else (-1, 0.0)
        return self._table.get(text, unknown)

    @cached_property
    def _table(self) -> dict[str, tuple[int, float]]:
        return {piece: (number, score) for number, (piece, score) in enumerate(self.pieces)}

    @cached_property
    def _longest(self) -> int:
        return max(len(piece) for piece, _ in self.pieces)

    @cached_property
    def _least(self) -> float:
        return min(score for _, score in self.pieces)


def _spaced(letter: str) -> str:
    """Return a letter with spaces around ideographs, and none of what cannot be seen."""
    code = ord(letter)
    if any(low <= code <= high for low, high in _IDEOGRAPHS):
        return f" {letter} "
    if letter in "\t\n\r" or unicodedata.category(letter) == "Zs":
        return " "
    hidden = code in (0, 0xFFFD) or unicodedata.category(letter) in ("Cc", "Cf", "Cn", "Co")
    return "" if hidden else letter


def _without_punctuation(word: str) -> Iterator[str]:
    """Yield the parts of a word, each punctuation mark for itself."""
    part = ""
    for letter in word:
        if _is_punctuation(letter):
            yield from filter(None, (part, letter))
            part = ""
        else:
            part += letter
    if part:
        yield part


def _is_punctuation(letter: str) -> bool:
    plain = letter.isascii() and letter.isprintable() and not letter.isalnum()
    return (plain and letter != " ") or unicodedata.category(letter).startswith("P")
