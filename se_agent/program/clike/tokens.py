"""C++ and its kin as tokens: what is code, and what bracket closes which.

Not a parser: whoever needs more asks for a pattern of tokens and hopes; the compiler, the
tests and the clock decide.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from se_agent.program.language import Language

_SPACE = r"(?P<space>\s+) | (?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"
_NAME = r"(?P<name>[A-Za-z_]\w*)"
_SYMBOL = r"""
    (?P<symbol><<=|\.\.\.|->\*|::|->|\+\+|--|<<|<=|==|!=|&&|\|\||[-+*/%&|^]=|.)
"""
_DIRECTIVE = r"\#(?:\\\n|[^\n])*"
_CPP = r"""
    (?P<string>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"
      |(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|(?:u8|[uUL])?'(?:\\.|[^'\\\n])*')
  | (?P<number>\.?\d(?:[eEpP][+-]|['.\w])*)
"""
_QUOTED = r"""
    (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)
  | (?P<number>\.?\d(?:[eEpP][+-]|[.\w])*)
"""
_RUST = r"""
    (?P<string>b?r(?P<mark>\#*)".*?"(?P=mark)|b?"(?:\\.|[^"\\])*"
      |b?'(?:\\[^'\n]*|[^'\\\n])'|'[A-Za-z_]\w*)  # a lifetime is no code to change, either
  | (?P<number>0[xbo]\w+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?\w*)
"""


def _lexemes(literals: str, directive: str = _DIRECTIVE) -> re.Pattern[str]:
    kinds = (_SPACE, literals, _NAME, f"(?P<directive>{directive})", _SYMBOL)
    return re.compile("|".join(kinds), re.VERBOSE | re.DOTALL)


_LEXEMES = {
    Language.C: _lexemes(_CPP),
    Language.CPP: _lexemes(_CPP),
    Language.GO: _lexemes(_QUOTED),
    Language.JAVA: _lexemes(_QUOTED),
    Language.JAVASCRIPT: _lexemes(_QUOTED),
    Language.RUST: _lexemes(_RUST, r"\#!?\[[^\]\n]*\]"),
}
_PAIRS = {"(": ")", "[": "]", "{": "}"}


class TokenKind(enum.Enum):
    """What a token is. `>` always stands alone, so that templates can be matched."""

    NAME = "name"
    NUMBER = "number"
    STRING = "string"  # characters too
    SYMBOL = "symbol"


class Token(NamedTuple):
    """A piece of code and where it stands in the text."""

    kind: TokenKind
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class SourceText:
    """A program as tokens, without comments and directives.

    Attributes:
        text: All of it.
        tokens: The code.
        directives: Lines for the preprocessor, whole.
        closing: For each opening bracket its closing one, by their places in `tokens`.
        opening: The other way round.
    """

    text: str
    tokens: Sequence[Token]
    directives: tuple[Token, ...]
    closing: dict[int, int] = field(default_factory=dict)
    opening: dict[int, int] = field(default_factory=dict)

    def at(self, place: int) -> str:
        """Return the text of a token; nothing beyond either end."""
        return self.tokens[place].text if 0 <= place < len(self.tokens) else ""

    def starts(self, place: int, *texts: str) -> bool:
        """Say whether the tokens from here on are these."""
        return all(self.at(place + n) == text for n, text in enumerate(texts))

    def words(self, first: int, last: int) -> list[str]:
        """Return the texts of the tokens from `first` up to, not including, `last`."""
        return [token.text for token in self.tokens[first:last]]

    def code(self, first: int, last: int) -> str:
        """Return the text that these tokens, the last not included, stand in."""
        return self.text[self.tokens[first].start : self.tokens[last - 1].end]

    def after_template(self, place: int) -> int:
        """Return the place behind the `>` that closes the `<` here; -1 when none does."""
        depth = 0
        for here in range(place, len(self.tokens)):
            depth += {"<": 1, ">": -1}.get(self.at(here), 0)
            if self.at(here) in ("{", ";"):
                return -1
            if depth == 0:
                return here + 1
        return -1

    def indentation(self, place: int) -> str:
        """Return the white space that the line of a token begins with."""
        line = self.text[self.text.rfind("\n", 0, self.tokens[place].start) + 1 :]
        return line[: len(line) - len(line.lstrip(" \t"))]


@lru_cache(maxsize=64)
def source(text: str, language: Language = Language.CPP) -> SourceText | None:
    """Return the tokens of a text; None when its brackets do not match."""
    tokens: list[Token] = []
    directives: list[Token] = []
    for found in _LEXEMES[language].finditer(text):
        kind = found.lastgroup if found.lastgroup != "mark" else "string"
        piece = (found[0], found.start(), found.end())
        if kind == "directive":
            directives.append(Token(TokenKind.SYMBOL, *piece))
        elif kind not in ("space", "comment"):
            tokens.append(Token(TokenKind(kind), *piece))
    made = SourceText(text, tokens, tuple(directives))
    return made if _matched(made) else None


def _matched(made: SourceText) -> bool:
    open_: list[int] = []
    for place, token in enumerate(made.tokens):
        if token.kind is not TokenKind.SYMBOL:
            continue
        if token.text in _PAIRS:
            open_.append(place)
        elif token.text in _PAIRS.values():
            if not open_ or _PAIRS[made.at(open_[-1])] != token.text:
                return False
            made.closing[open_[-1]] = place
            made.opening[place] = open_.pop()
    return not open_
