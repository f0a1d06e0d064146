"""Another container: hashed instead of ordered, contiguous instead of linked."""

from __future__ import annotations

from collections.abc import Iterator

from operators.cpp.rule import TextRule, TokenChange, with_include
from se_agent.program.clike.tokens import SourceText, TokenKind

_CHOICES = {
    "map": ("unordered_map", 2),
    "set": ("unordered_set", 1),
    "multiset": ("unordered_multiset", 1),
    "list": ("vector", 1),
    "deque": ("vector", 1),
}
"""For each container the other one, and how many types it holds: with more it has an order."""

_EFFECTS = {
    "vector": "elements lie side by side",
    "unordered_map": "O(log n) -> O(1) a look-up",
}


class ContainerChoice(TextRule):
    """Use another container for all of one type."""

    name = "container_choice"

    def changes(self, source: SourceText) -> Iterator[TokenChange]:
        """Yield a change for each type of container, and for each variable of it alone."""
        found: dict[str, list[tuple[int, int]]] = {}
        for first, last in _types(source):
            found.setdefault("".join(source.words(first, last)), []).append((first, last))
        for places in found.values():
            yield _change(source, places, "all of")
            alone = [p for p in places if _declares(source, p[1])]
            if len(places) > 1:
                yield from (_change(source, [p], f"`{source.at(p[1])}` of") for p in alone)


def _types(source: SourceText) -> Iterator[tuple[int, int]]:
    """Yield the places of types that have a choice: of the name, and behind the `>`."""
    for place, token in enumerate(source.tokens):
        if token.text in _CHOICES and source.at(place + 1) == "<":
            qualified = source.at(place - 1) == "::" and source.at(place - 2) != "std"
            end = source.after_template(place + 1)
            if end > 0 and not qualified and _held(source, place + 2, end - 1):
                yield place, end


def _held(source: SourceText, first: int, last: int) -> bool:
    """Say whether a container holds as many types as it must, and has no order of its own."""
    count, depth = 1, 0
    for text in source.words(first, last):
        depth += {"<": 1, ">": -1, "(": 1, ")": -1}.get(text, 0)
        count += text == "," and depth == 0
    return count == _CHOICES[source.at(first - 2)][1]


def _declares(source: SourceText, place: int) -> bool:
    named = place < len(source.tokens) and source.tokens[place].kind is TokenKind.NAME
    return named and source.at(place + 1) in (";", "{", "=")


def _change(source: SourceText, places: list[tuple[int, int]], which: str) -> TokenChange:
    first, last = places[0]
    new, _ = _CHOICES[source.at(first)]
    names = [source.tokens[place] for place, _ in places]
    return TokenChange(
        anchor=(source.tokens[first].start, source.tokens[last - 1].end),
        spans=(
            *((token.start, token.end, new) for token in names),
            *with_include(source, {"unordered_multiset": "unordered_set"}.get(new, new)),
        ),
        direction=f"Use {new} for {which} {source.code(first, last)}",
        effect=_EFFECTS.get(new, "O(log n) -> O(1) a look-up"),
        parameters=(("which", which),),
    )
