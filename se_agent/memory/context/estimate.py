"""An estimate of a text's tokens that needs no vocabulary and rather counts too many.

Not a tokeniser: it counts words, numbers, signs and scripts, each at a price calibrated
against o200k_base on code, prose in several scripts, JSON and emoji, and adds 10 %. Text that
is none of these (random letters) can cost more than it says.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache
from itertools import chain

_MARGIN = 1.1
_LONG = 4000  # characters
_PIECES = re.compile(
    r"(?P<word>[A-Z]?[a-z]+|[A-Z]+)"
    r"|(?P<number>\s?[0-9]{1,3})"
    r"|(?P<gap>\s+)"
    r"|(?P<sign>[!-/:-@\[-`{-~]+)"
    r"|(?P<han>[\u2e80-\u2fff\u3000-\u303f\u31c0-\u9fff\uf900-\ufaff\uff00-\uffef]+)"
    r"|(?P<kana>[\u3040-\u30ff]+)"
    r"|(?P<alphabet>[\u0370-\u052f]+)"
    r"|(?P<letters>[\u00c0-\u02af\u0530-\u07ff\u0900-\u0dff\u1e00-\u1fff\uac00-\ud7a3]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_ANY = re.compile(re.sub(r"\?P<\w+>", "?:", _PIECES.pattern), re.DOTALL)
"""The same pieces, in one group: a list of them is made without a step in Python for each."""

_WORDS = re.compile(r"\s*\S+(?:\u3000\s*\S*)*|\s+")
"""Words with the space before them. No piece goes on past a word's end, but Chinese may past
the wide space that its script has."""


def estimate(text: str) -> int:
    """Return about how many tokens `text` has, seldom too few; 0 for the empty text."""
    prices = _known_prices if len(text) < _LONG else _prices
    return math.ceil(_MARGIN * sum(chain.from_iterable(map(prices, _WORDS.findall(text)))))


def _prices(word: str) -> tuple[float, ...]:
    """Return what the pieces of a word cost, one by one: sums of sums are rounded otherwise."""
    return tuple(map(_price, _ANY.findall(word)))


@lru_cache(4096)
def _known_prices(word: str) -> tuple[float, ...]:
    """Return the same; most words of a run come again and again."""
    return tuple(map(_known_price, _ANY.findall(word)))


def _price(piece: str) -> float:
    """Return what a piece costs."""
    kind = _PIECES.match(piece)
    assert kind is not None, "what was found in a text is found in itself"
    return _PRICES[str(kind.lastgroup)](piece)


_known_price = lru_cache(4096)(_price)
"""A new word has known pieces, mostly; those of long texts would fill the memory."""


def _word(text: str) -> float:
    return 1 + max(0, len(text) - 7) * 0.2


def _gap(text: str) -> float:
    if text == " ":
        return 0  # belongs to the word that follows
    return 0.5 + 0.5 * text.count("\n")


def _sign(text: str) -> float:
    repeated = len(set(text)) == 1
    return 0.75 + len(text) / (16 if repeated else 2.7)


_PRICES: dict[str, Callable[[str], float]] = {
    "word": _word,
    "number": lambda text: 1.0 + text[0].isspace(),
    "gap": _gap,
    "sign": _sign,
    "han": lambda text: 0.78 * len(text),
    "kana": lambda text: 0.75 * len(text),
    "alphabet": lambda text: 0.34 * len(text),
    "letters": lambda text: 0.68 * len(text),
    "other": lambda text: 0.5 * len(text.encode("utf-8", "replace")),
}
