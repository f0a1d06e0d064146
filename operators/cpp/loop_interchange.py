"""The inner loop outside: so that memory is walked through in the order in which it lies."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from operators.cpp.rule import TextRule, TokenChange
from se_agent.program.clike.functions import ForLoop, loops
from se_agent.program.clike.tokens import SourceText, TokenKind

_GATHERING = ("+=", "-=", "*=", "^=", "|=", "&=")


class LoopInterchange(TextRule):
    """Interchange two counting loops around one assignment that does not mind the order."""

    name = "loop_interchange"

    def changes(self, source: SourceText) -> Iterator[TokenChange]:
        """Yield a change for each two loops that stand in each other, with nothing between.

        The deepest come first: they are run most often.
        """
        every = {loop.start: loop for loop in loops(source)}
        pairs = []
        for outer in every.values():
            inner = every.get(_only(source, outer.body)[0])
            if inner is not None and _only(source, outer.body)[1] == inner.body[1]:
                depth = sum(loop.start < inner.start < loop.body[1] for loop in every.values())
                pairs.append((-depth, outer, inner))
        for _, outer, inner in sorted(pairs):
            if _independent(source, outer, inner) and _orderless(source, outer, inner, every):
                yield _change(source, outer, inner)


def _only(source: SourceText, body: tuple[int, int]) -> tuple[int, int]:
    """Return a body without the braces around it."""
    first, last = body
    return (first + 1, last - 1) if source.at(first) == "{" else body


def _independent(source: SourceText, outer: ForLoop, inner: ForLoop) -> bool:
    """Say whether neither loop's first value and bound need what the other one changes."""
    words = [
        *source.words(*inner.first),
        *source.words(*inner.bound),
        *source.words(*outer.bound),
    ]
    changed = {outer.variable, inner.variable}
    body = source.words(*inner.body)
    assigned = {word for word, after in itertools.pairwise(body) if _writes(after)}
    called = "(" in "".join(words).replace(".size()", "")
    return not called and not (changed | assigned) & set(words)


def _writes(text: str) -> bool:
    return text == "=" or text in ("++", "--") or (text[-1:] == "=" and text[0] in "+-*/%&|^<")


def _orderless(
    source: SourceText, outer: ForLoop, inner: ForLoop, nest: Mapping[int, ForLoop]
) -> bool:
    """Say whether the body is one assignment that may happen in any order.

    Either it gathers (`x += ...`, right for whole numbers), or each turn writes a cell of its
    own. What is written is read nowhere else, and nothing is called.
    """
    first, last = _innermost(source, inner, nest)
    words = source.words(first, last)
    marks = [n for n, word in enumerate(words) if _writes(word)]
    simple = words[-1:] == [";"] and words.count(";") == 1 and not _calls(source, first, last)
    if not simple or len(marks) != 1 or source.tokens[first].kind is not TokenKind.NAME:
        return False
    left, right = words[: marks[0]], words[marks[0] + 1 :]
    if left[0] in right:
        return False
    own = all(f"[{loop.variable}]" in "".join(left) for loop in (outer, inner))
    return words[marks[0]] in _GATHERING or (words[marks[0]] == "=" and own)


def _calls(source: SourceText, first: int, last: int) -> bool:
    """Say whether anything is called: other brackets stand around a sum or a type."""
    opened = (place for place in range(first, last) if source.at(place) == "(")
    before = (source.tokens[place - 1] for place in opened)
    return any(token.kind is TokenKind.NAME or token.text in ("]", ">") for token in before)


def _innermost(
    source: SourceText, inner: ForLoop, nest: Mapping[int, ForLoop]
) -> tuple[int, int]:
    """Return the innermost statement; loops that stand between belong to the nest."""
    place = _only(source, inner.body)
    while place[0] in nest and nest[place[0]].body[1] == place[1]:
        place = _only(source, nest[place[0]].body)
    return place


def _change(source: SourceText, outer: ForLoop, inner: ForLoop) -> TokenChange:
    heads = [
        tuple((source.tokens[place].start, source.tokens[place].end) for place in loop.header)
        for loop in (outer, inner)
    ]
    spans = [(opening[1], closing[0]) for opening, closing in heads]
    texts = [source.text[start:end] for start, end in spans]
    return TokenChange(
        anchor=(spans[0][0], spans[1][1]),
        spans=tuple((*span, new) for span, new in zip(spans, texts[::-1], strict=True)),
        direction=f"Interchange the loops over `{outer.variable}` and `{inner.variable}`",
        effect="memory is walked through in the order in which it lies",
    )
