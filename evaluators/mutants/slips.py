"""Small faults in programs of C-like languages: what can be planted at their tokens. Pure.

Tokens do not tell a pointer from a product, so layout decides where both are possible, and what
is no program any more the compiler says. Not here: faults in Python (`faults`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from evaluators.mutants.faults import Fault
from se_agent.program.clike.tokens import SourceText, Token, TokenKind
from se_agent.program.language import Language


class Patch(NamedTuple):
    """One fault at one place: what stands between two places of the text instead."""

    fault: Fault
    start: int
    end: int
    new: str


_COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", "==": "!=", "!=": "=="}
_ARITHMETIC = {
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "&": "|", "|": "&", "^": "&",
    "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "%=": "*=", "&=": "|=", "|=": "&=",
    "^=": "&=", "++": "--", "--": "++",
}  # fmt: skip
_LOGIC = {"&&": "||", "||": "&&"}
_LOOP = {"break": "continue", "continue": "break"}
_BINARY = frozenset("+-*/%&|^") | _LOGIC.keys()
"""What means something else, or is a part of something else, without an operand before it."""

_WORDS = frozenset(
    {
        "alignas", "auto", "await", "bool", "break", "case", "catch", "char", "class", "const",
        "constexpr", "continue", "default", "defer", "delete", "do", "double", "else", "enum",
        "extern", "final", "float", "fn", "for", "func", "function", "go", "goto", "if", "impl",
        "import", "in", "int", "let", "long", "loop", "match", "mod", "mut", "namespace", "new",
        "operator", "package", "private", "protected", "pub", "public", "return", "short",
        "signed", "sizeof", "static", "struct", "switch", "template", "throw", "try", "type",
        "typedef", "typeof", "typename", "union", "unsigned", "use", "using", "var", "void",
        "while", "yield",
    }
)  # fmt: skip
"""Words that are no operand, and begin no statement that could be dropped."""

_KEPT = frozenset(
    {
        "sync_with_stdio", "tie", "reserve", "flush", "close", "cin", "scanf", "getline",
        "Scan", "Scanln", "Fscan", "read_line",
    }
)  # fmt: skip
"""Calls without which a program answers as before, or computes with whatever lay there."""

_ACTS = frozenset(
    ["(", "[", "!", "=", "++", "--", "<<", "<<=", *(f"{sign}=" for sign in "+-*/%&|^")]
)
"""What makes of the name before it a statement that does something."""

_UNTOUCHED = frozenset({";", "let", "==", "!="})
"""A condition with these is left alone; to swap `==` is to negate it."""

_WHOLE = re.compile(r"(0|[1-9]\d*)([uUlLn]*|_?[iu](?:8|16|32|64|128|size))")
_BROKEN = re.compile(r"(\d+)(\.\d+)([fF]?|_?f(?:32|64))")


def patches(source: SourceText, language: Language) -> Iterator[Patch]:
    """Yield every fault that can be planted in a program."""
    found = _Program(source, language)
    for place in range(len(source.tokens)):
        yield from found.at(place)
    yield from found.dropped()


class _Blocks:
    """What stands in which brackets, and the statements among it."""

    def __init__(self, source: SourceText, *, lines: bool) -> None:
        self._source = source
        self._lines = lines  # whether the end of a line may end a statement

    @cached_property
    def statements(self) -> list[tuple[int, int]]:
        """Where simple statements are: from, up to; what ends them is left out."""
        found: list[tuple[int, int]] = []
        first = 0
        for place, (_, inside) in enumerate(self.around):
            text = self._source.at(place)
            if text in ("{", "}"):
                first = place + 1
            elif (text == ";" and inside == "{") or self._ends_with_its_line(place):
                last = place if text == ";" else place + 1
                found.append((self._behind_headers(first), last))
                first = place + 1
        return found

    @cached_property
    def around(self) -> list[tuple[int, str]]:
        """How many brackets are open around each token, and the innermost of them."""
        open_, found = [""], list[tuple[int, str]]()
        for place in range(len(self._source.tokens)):
            if place in self._source.closing:
                open_.append(self._source.at(place))
            found.append((len(open_), open_[-1]))
            if place in self._source.opening:
                open_.pop()
        return found

    def _ends_with_its_line(self, place: int) -> bool:
        tokens = self._source.tokens
        if not self._lines or place + 1 >= len(tokens):
            return False
        between = self._source.text[tokens[place].end : tokens[place + 1].start]
        return "\n" in between and self.around[place + 1][1] == "{"

    def _behind_headers(self, place: int) -> int:
        """Return where the statement begins that an `if`, `else` or loop has, or itself."""
        source = self._source
        while True:
            if source.at(place) in ("if", "while", "for") and place + 1 in source.closing:
                place = source.closing[place + 1] + 1
            elif source.at(place) in ("else", "do"):
                place += 1
            else:
                return place


class _Program:
    """A program that faults are planted in."""

    def __init__(self, source: SourceText, language: Language) -> None:
        self._source = source
        self._lines = language in (Language.GO, Language.JAVASCRIPT)
        self._blocks = _Blocks(source, lines=self._lines)
        self._bare = language in (Language.GO, Language.RUST)  # no brackets around conditions

    def at(self, place: int) -> Iterator[Patch]:
        """Yield the faults at a token."""
        token = self._source.tokens[place]
        if token.kind is TokenKind.NUMBER:
            yield from self._number(place, token)
        elif token.kind is TokenKind.NAME:
            if token.text in _LOOP:
                yield _instead(Fault.LOOP, token, _LOOP[token.text])
            elif token.text in ("if", "while", "for"):
                yield from self._header(place)
        elif token.kind is TokenKind.SYMBOL:
            yield from self._operator(place, token)

    def dropped(self) -> Iterator[Patch]:
        """Yield the faults of leaving a statement out where the rest can be a program."""
        source = self._source
        for first, last in self._blocks.statements:
            words = source.words(first, last)
            if words and _droppable(words):
                start, end = source.tokens[first].start, source.tokens[last - 1].end
                yield Patch(Fault.DROPPED, start, end, ";" if self._lines else "")

    def _number(self, place: int, token: Token) -> Iterator[Patch]:
        source = self._source
        if source.at(place - 1) == "[" and _are_names(
            source.tokens[max(place - 3, 0) : place - 1]
        ):
            return  # how long an array is: a little more room changes nothing
        if whole := _WHOLE.fullmatch(token.text):
            number = int(whole[1])
            yield _instead(Fault.OFF_BY_ONE, token, f"{number + 1}{whole[2]}")
            if number:
                yield _instead(Fault.OFF_BY_ONE, token, f"{number - 1}{whole[2]}")
        elif broken := _BROKEN.fullmatch(token.text):
            new = f"{int(broken[1]) + 1}{broken[2]}{broken[3]}"
            yield _instead(Fault.OFF_BY_ONE, token, new)

    def _operator(self, place: int, token: Token) -> Iterator[Patch]:
        text, symbol = self._source.text, token.text
        before, after = text[: token.start][-1:], text[token.end : token.end + 1]
        if symbol in ("<", ">"):
            yield from self._angle(place, token, before, after)
        elif symbol in _COMPARISONS:
            yield _instead(Fault.COMPARISON, token, _COMPARISONS[symbol])
        elif symbol in _BINARY and not self._is_binary(place, before, after):
            return
        elif symbol in _LOGIC:
            yield _instead(Fault.LOGIC, token, _LOGIC[symbol])
        elif symbol in _ARITHMETIC:
            yield _instead(Fault.ARITHMETIC, token, _ARITHMETIC[symbol])

    def _angle(self, place: int, token: Token, before: str, after: str) -> Iterator[Patch]:
        """Yield a comparison's fault; brackets of templates, arrows and shifts are none."""
        if before in ("<", ">", "-", "=") or after in (">", "<", "-"):
            return
        if after == "=":
            yield Patch(Fault.COMPARISON, token.start, token.end + 1, token.text)
        elif (before.isspace() and after.isspace()) or place not in self._templates:
            yield _instead(Fault.COMPARISON, token, _COMPARISONS[token.text])

    @cached_property
    def _templates(self) -> set[int]:
        """Places of `<` and `>` that seem to be brackets."""
        places = (n for n in range(len(self._source.tokens)) if self._source.at(n) == "<")
        pairs = ((place, self._source.after_template(place) - 1) for place in places)
        return {place for pair in pairs if pair[1] >= 0 for place in pair}

    def _is_binary(self, place: int, before: str, after: str) -> bool:
        """Say whether it has operands on both sides; texts are joined, never subtracted."""
        sides = self._source.tokens[max(0, place - 1) : place + 2 : 2]
        if len(sides) < 2 or before.isspace() != after.isspace():
            return False
        previous = sides[0]
        if previous.text in _WORDS or any(side.kind is TokenKind.STRING for side in sides):
            return False
        return previous.kind is not TokenKind.SYMBOL or previous.text in (")", "]")

    def _header(self, place: int) -> Iterator[Patch]:
        """Yield the faults of a condition or of a loop's bound, as far as they are seen."""
        source = self._source
        first, last = self._headed(place)
        words = source.words(first, last)
        if source.at(place) == "for":
            yield from self._bound(first, last)
        elif words and not _UNTOUCHED & set(words):
            condition = source.code(first, last)
            start, end = source.tokens[first].start, source.tokens[last - 1].end
            yield Patch(Fault.CONDITION, start, end, f"!({condition})")

    def _headed(self, place: int) -> tuple[int, int]:
        """Return what stands behind `if`, `while` or `for`: from, up to, brackets left out."""
        source, first = self._source, place + 1
        if not self._bare:
            return first + 1, source.closing.get(first, first + 1)
        last = first
        while source.at(last) not in ("{", "}", ""):
            last = source.closing.get(last, last) + 1
        return first, last if source.at(last) == "{" else first

    def _bound(self, first: int, last: int) -> Iterator[Patch]:
        """Yield a loop that ends one early: `i < n - 1`, `i > n + 1`, `0..n - 1`."""
        source, around = self._source, self._blocks.around
        inner = [n for n in range(first, last) if around[n] == around[first]]
        stops = [n for n in inner if source.at(n) == ";"]
        if len(stops) == 2:
            first, last = stops[0] + 1, stops[1]
            ends = [n for n in range(first, last) if source.at(n) in ("<", "<=", ">")]
        else:
            ends = [n for n in inner if source.starts(n, ".", ".")]
        words = source.words(first, last)
        if len(ends) != 1 or {"&&", "||", "?", "&", "|"} & set(words):
            return
        behind = ends[0] + 1
        behind += source.at(behind) in (".", "=")
        behind += source.at(behind) == "="
        if last - behind < 1 or (last - behind == 1 and _is_number(source, behind)):
            return  # a number is off by one already
        end = source.tokens[last - 1].end
        yield Patch(Fault.BOUNDARY, end, end, " + 1" if source.at(ends[0]) == ">" else " - 1")


def _instead(fault: Fault, token: Token, new: str) -> Patch:
    return Patch(fault, token.start, token.end, new)


def _are_names(tokens: Sequence[Token]) -> bool:
    return all(token.kind is TokenKind.NAME for token in tokens)


def _is_number(source: SourceText, place: int) -> bool:
    return source.tokens[place].kind is TokenKind.NUMBER


def _droppable(words: list[str]) -> bool:
    """Say whether these are an assignment to something that is there, or a call."""
    if words[0] in ("++", "--"):
        return True
    if not words[0].isidentifier() or words[0] in _WORDS or _KEPT & set(words):
        return False
    place = 1
    while words[place : place + 1] and words[place] in (".", "->", "::"):
        place += 2
    return words[place : place + 1] != [] and words[place] in _ACTS
