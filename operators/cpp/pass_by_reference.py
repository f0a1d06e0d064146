"""Parameters and loop variables that are looked at, not copied."""

from __future__ import annotations

from collections.abc import Iterator

from operators.cpp.rule import TextRule, TokenChange
from se_agent.program.clike.functions import functions
from se_agent.program.clike.tokens import SourceText, TokenKind

_LARGE = {
    "string", "vector", "map", "set", "unordered_map", "unordered_set", "multimap", "multiset",
    "deque", "list", "array", "pair", "tuple",
}  # fmt: skip


class PassByReference(TextRule):
    """Take a parameter or a loop variable by reference to const instead of by value."""

    name = "pass_by_reference"

    def changes(self, source: SourceText) -> Iterator[TokenChange]:
        """Yield a change for each value of a class type; the compiler refuses a wrong one."""
        large = _LARGE | {
            source.at(place + 1)
            for place, token in enumerate(source.tokens)
            if token.text in ("struct", "class")
        }
        for function in functions(source):
            close = source.closing[function.parameters]
            for first, last in _parts(source, function.parameters + 1, close):
                yield from _change(source, first, last, large, "the parameter")
        for place, token in enumerate(source.tokens):
            if token.text == "for" and place + 1 in source.closing:
                colon = _colon(source, place + 1)
                if colon > 0:
                    known = large | {"auto"}
                    yield from _change(source, place + 2, colon, known, "the loop variable")


def _change(
    source: SourceText, first: int, last: int, large: set[str], what: str
) -> Iterator[TokenChange]:
    """Yield the change of one declaration, if it declares a value of a large type."""
    constant = source.at(first) == "const"
    kind = first + constant
    qualified = kind + 2 * source.starts(kind, "std", "::")
    end = qualified + 1
    if source.at(end) == "<":
        end = source.after_template(end)
    bound = source.at(end) == "[" and source.at(qualified) == "auto"
    named = 0 <= end < last and source.tokens[end].kind is TokenKind.NAME
    over = source.closing.get(end, -1) + 1 if bound else end + 1
    if source.at(qualified) not in large or not (bound or named) or over != last:
        return
    start, behind = source.tokens[kind].start, source.tokens[end - 1].end
    spans = [(behind, behind, "&")]
    if not constant:
        spans.append((start, start, "const "))
    yield TokenChange(
        anchor=(source.tokens[first].start, source.tokens[last - 1].end),
        spans=tuple(spans),
        direction=f"Take {what} `{source.code(end, last)}` by reference",
        effect="no copy is made",
    )


def _parts(source: SourceText, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the parameters between two places: they are parted by commas."""
    start = place = first
    while place < last:
        here = source.at(place)
        if here == ",":
            yield start, place
            start = place + 1
        behind = source.after_template(place) if here == "<" else -1
        place = behind if behind > 0 else source.closing.get(place, place) + 1
    if start < last:
        yield start, last


def _colon(source: SourceText, opening: int) -> int:
    """Return the place of the `:` of a loop over a range; -1 when it is another loop."""
    words = source.words(opening, source.closing[opening])
    return opening + words.index(":") if ":" in words and ";" not in words else -1
