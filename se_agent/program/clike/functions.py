"""Functions and loops of a C++ program, as far as tokens tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from se_agent.program.clike.tokens import SourceText, TokenKind

_CONTROL = frozenset({"if", "for", "while", "switch", "catch", "return", "sizeof", "alignof"})
_TRAILING = frozenset({"const", "noexcept", "override", "final", "mutable"})


class Function(NamedTuple):
    """A definition, as places of tokens.

    Attributes:
        name: Empty for a lambda.
        parameters: Place of the `(`.
        body: Place of the `{`.
    """

    name: str
    parameters: int
    body: int


class ForLoop(NamedTuple):
    """A `for` that counts up: `for (int i = 0; i < n; i++) body`, as places of tokens.

    Attributes:
        start: Place where the `for` begins.
        variable: Its counter.
        first: Tokens of the first value: from, up to.
        bound: Tokens of the bound: from, up to.
        header: The two brackets.
        body: Tokens of what is repeated: from, up to; its braces included.
    """

    start: int
    variable: str
    first: tuple[int, int]
    bound: tuple[int, int]
    header: tuple[int, int]
    body: tuple[int, int]


def functions(source: SourceText) -> Iterator[Function]:
    """Yield the definitions of functions and lambdas, in order."""
    for place, close in sorted(source.closing.items()):
        if source.at(place) != "(":
            continue
        after = _body(source, close + 1)
        before = source.tokens[place - 1] if place else None
        if after < 0 or before is None:
            continue
        if before.kind is TokenKind.NAME and before.text not in _CONTROL:
            yield Function(before.text, place, after)
        elif before.text == "]":
            yield Function("", place, after)


def _body(source: SourceText, place: int) -> int:
    """Return the place of the `{` of a function whose parameters end before; or -1."""
    while source.at(place) in _TRAILING:
        place += 1
    if source.at(place) == "->":
        while source.at(place) not in ("{", ";", ""):
            place += 1
    return place if source.at(place) == "{" else -1


def function_at(source: SourceText, where: int) -> str:
    """Return the name of the innermost named function around a place in the text."""
    name = ""
    for function in functions(source):
        start = source.tokens[function.parameters - 1].start
        if function.name and start <= where < source.tokens[source.closing[function.body]].end:
            name = function.name
    return name


def loops(source: SourceText) -> Iterator[ForLoop]:
    """Yield the counting loops, in order."""
    for place, token in enumerate(source.tokens):
        if token.kind is TokenKind.NAME and token.text == "for":
            found = _loop(source, place)
            if found is not None:
                yield found


def _loop(source: SourceText, place: int) -> ForLoop | None:
    opening = place + 1
    closing = source.closing.get(opening, -1)
    stops = [p for p in range(opening, closing) if source.at(p) == ";"]
    equals = next((p for p in range(opening, closing) if source.at(p) == "="), -1)
    if closing < 0 or len(stops) != 2 or not opening + 1 < equals < stops[0]:
        return None
    name, test = source.at(equals - 1), stops[0] + 1
    steps = source.words(stops[1] + 1, closing)
    counts = steps in ([name, "++"], ["++", name], [name, "+=", "1"])
    several = "," in source.words(opening, stops[0])
    if not counts or several or not source.starts(test, name, "<"):
        return None
    end = statement_end(source, closing + 1)
    if end < 0 or test + 2 >= stops[1]:
        return None
    return ForLoop(
        start=place,
        variable=name,
        first=(equals + 1, stops[0]),
        bound=(test + 2, stops[1]),
        header=(opening, closing),
        body=(closing + 1, end),
    )


def statement_end(source: SourceText, place: int) -> int:
    """Return the place behind the statement that begins here; -1 when it is not told."""
    if source.at(place) == "{":
        return source.closing[place] + 1
    if source.at(place) in ("for", "while", "if") and place + 1 in source.closing:
        end = statement_end(source, source.closing[place + 1] + 1)
        if source.at(place) == "if" and end > 0 and source.at(end) == "else":
            return statement_end(source, end + 1)
        return end
    while place < len(source.tokens) and source.at(place) != ";":
        place = source.closing.get(place, place) + 1
    return place + 1 if place < len(source.tokens) else -1
