"""Text that grows in place: `s += x` instead of `s = s + x`."""

from __future__ import annotations

from collections.abc import Iterator

from operators.cpp.rule import TextRule, TokenChange
from se_agent.program.clike.functions import statement_end
from se_agent.program.clike.tokens import SourceText, TokenKind

_BEFORE = {"{", "}", ";", ")", "else"}
_OPERATORS = {
    "-", "*", "/", "%", "&", "|", "^", "?", ":", ",", "<", ">", "<<", "==", "!=", "<=", "&&",
    "||", "=", "!", "~", "++", "--",
}  # fmt: skip


class AppendInPlace(TextRule):
    """Append to a variable instead of assigning it the sum of itself and more."""

    name = "append_in_place"

    def changes(self, source: SourceText) -> Iterator[TokenChange]:
        """Yield a change for each `s = s + a + b;`, whose addends do not mention `s`."""
        for place, token in enumerate(source.tokens):
            if token.kind is not TokenKind.NAME or source.at(place - 1) not in _BEFORE:
                continue
            end = statement_end(source, place)
            if end < 0 or not source.starts(place, token.text, "=", token.text, "+"):
                continue
            parts = list(_addends(source, place + 4, end - 1))
            if parts and token.text not in source.words(place + 4, end - 1):
                yield _change(source, place, end, parts)


def _addends(source: SourceText, first: int, last: int) -> Iterator[str]:
    """Yield what is added; nothing where another operator stands between."""
    start = place = first
    found = []
    while place < last:
        text = source.at(place)
        if text in _OPERATORS:
            return
        if text == "+":
            found.append((start, place))
            start = place + 1
        place = source.closing.get(place, place) + 1
    found.append((start, last))
    if all(a < b for a, b in found):
        yield from (source.code(a, b) for a, b in found)


def _change(source: SourceText, place: int, end: int, parts: list[str]) -> TokenChange:
    name = source.at(place)
    new = " ".join(f"{name} += {part};" for part in parts)
    span = (source.tokens[place].start, source.tokens[end - 1].end)
    return TokenChange(
        anchor=span,
        spans=((*span, new if len(parts) == 1 else f"{{ {new} }}"),),
        direction=f"Append to `{name}` in place",
        effect="O(n) -> O(1) an addition: the text so far is not copied",
    )
