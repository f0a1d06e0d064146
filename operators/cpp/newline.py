"""A newline character that does not flush, instead of `std::endl`."""

from __future__ import annotations

from collections.abc import Iterator

from operators.cpp.rule import TextRule, TokenChange
from se_agent.program.clike.tokens import SourceText


class Newline(TextRule):
    """End lines with a newline character instead of `endl`, all over the program."""

    name = "newline"

    def changes(self, source: SourceText) -> Iterator[TokenChange]:
        """Yield one change of all places where `endl` is written to a stream."""
        spans = []
        for place, token in enumerate(source.tokens):
            start = place - 2 * source.starts(place - 2, "std", "::")
            if token.text == "endl" and source.at(start - 1) == "<<":
                spans.append((source.tokens[start].start, token.end, r"'\n'"))
        if spans:
            yield TokenChange(
                anchor=spans[0][:2],
                spans=tuple(spans),
                direction="End lines with a newline character, without flushing",
                effect="one write for many lines instead of one each",
            )
