"""Room for all elements before the loop that appends them."""

from __future__ import annotations

from collections.abc import Iterator

from operators.cpp.rule import TextRule, TokenChange
from se_agent.program.clike.functions import ForLoop, loops
from se_agent.program.clike.tokens import SourceText, TokenKind

_APPENDING = ("push_back", "emplace_back")


class ReserveSpace(TextRule):
    """Reserve a vector's memory before the counting loop that fills it.

    A count below nought fills nothing, and reserves nothing (checked as it runs).
    """

    name = "reserve_space"

    def changes(self, source: SourceText) -> Iterator[TokenChange]:
        """Yield a change for each loop and vector, declared outside of all loops around it."""
        declared = dict(_vectors(source))
        every = list(loops(source))
        for loop in every:
            if source.at(loop.start - 1) not in ("{", "}", ";"):
                continue  # it is a branch: a statement before it would not be
            for name in dict.fromkeys(_filled(source, loop)):
                place = declared.get(name, len(source.tokens))
                reserved = _reserves(source, name, range(place, loop.start))
                if place < loop.start and not reserved and not _repeated(every, loop, place):
                    yield _change(source, loop, name)


def _vectors(source: SourceText) -> Iterator[tuple[str, int]]:
    """Yield the names of vectors and the places of their declarations."""
    for place, token in enumerate(source.tokens):
        if token.text != "vector" or source.at(place + 1) != "<":
            continue
        end = source.after_template(place + 1)
        end += source.at(end) == "&"
        named = 0 < end < len(source.tokens) and source.tokens[end].kind is TokenKind.NAME
        if named and source.at(end + 1) in (";", ",", ")"):
            yield source.at(end), end


def _filled(source: SourceText, loop: ForLoop) -> Iterator[str]:
    for place in range(*loop.body):
        if source.at(place) in _APPENDING and source.at(place - 1) == ".":
            plain = source.at(place - 3) not in (".", "->", "::")
            if plain and source.tokens[place - 2].kind is TokenKind.NAME:
                yield source.at(place - 2)


def _reserves(source: SourceText, name: str, places: range) -> bool:
    """Say whether a vector has room made for it somewhere."""
    return any(
        (source.at(place), source.at(place + 1), source.at(place + 2)) == (name, ".", "reserve")
        for place in places
    )


def _repeated(every: list[ForLoop], loop: ForLoop, declared: int) -> bool:
    """Say whether the loop is repeated for one vector: then it would grow step by step."""
    around = [o for o in every if o.start < loop.start < o.body[1]]
    return any(declared < other.start for other in around)


def _change(source: SourceText, loop: ForLoop, name: str) -> TokenChange:
    start = source.tokens[loop.start].start
    bound = source.code(*loop.bound)
    indent = source.indentation(loop.start)
    plain = loop.bound[1] - loop.bound[0] == 1
    some = f"if ({bound} > 0) " if plain else f"if (({bound}) > 0) "
    room = f"{name}.size() + static_cast<std::size_t>({bound})"
    new = f"{some}{name}.reserve({room});\n{indent}"
    return TokenChange(
        anchor=(start, source.tokens[loop.header[1]].end),
        spans=((start, start, new),),
        direction=f"Reserve the memory of `{name}` before it is filled",
        effect="it is allocated once, and nothing is moved",
        parameters=(("vector", name),),
    )
