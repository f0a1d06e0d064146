"""How a library's result becomes the wanted one: other shapes, and constants that are learned.

An expression is over `r`. A constant counts only when more than one call speaks for it.
Not here: whether enough calls agree (`matching`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Any  # results are plain data of any type

from operators.archetypes.adapter import FAILURES, of_result
from se_agent.wire.same import same

PLAIN = "r"
_SHAPES = (
    PLAIN,
    "list(r)",
    "tuple(r)",
    "set(r)",
    "sorted(r)",
    "int(r)",
    "bool(r)",
    "float(r)",
    "str(r)",
    "not r",
    "-r",
    "r[::-1]",
    "len(r)",
    "sum(r)",
    "max(r)",
    "min(r)",
    "r[0]",
    "r[-1]",
    "r is not None",
    "r * 2",
    "r // 2",
    "list(map(list, r))",
    "list(map(tuple, r))",
    "set(map(tuple, r))",
    "list(map(str, r))",
    "list(map(int, r))",
    "''.join(r)",
    "' '.join(r)",
    "' '.join(map(str, r))",
    "list(map(''.join, r))",
    "list(r.items())",
    "list(r.values())",
    "len(set(r))",
    "sorted(r, reverse=True)",
)
_ANSWERS = frozenset({"bool(r)", "not r"})
_LEAST = 2  # calls that must speak for a learned constant


def agrees(form: str, raw: Any, want: Any) -> bool:
    """Say whether a form makes the wanted value of a raw one.

    That a list is empty, or a text, is no answer to a question.
    """
    if form in _ANSWERS and not isinstance(raw, bool | int | None):
        return False
    try:
        return same(of_result(form)(raw), want)
    except FAILURES:
        return False


def forms(raws: Sequence[Any], wants: Sequence[Any], constants: Sequence[Any]) -> Iterator[str]:
    """Yield forms worth a comparison, the simplest first.

    Args:
        raws: What the library function returned.
        wants: What was returned instead, call by call.
        constants: Plain constants that the program holds.
    """
    yield from _SHAPES
    yield from _shifted(raws, wants)
    yield from _remainders(raws, constants)
    yield from _named(raws, wants)
    yield from _otherwise(raws, wants)


def _shifted(raws: Sequence[Any], wants: Sequence[Any]) -> Iterator[str]:
    """Results that are off by the same number."""
    gaps = Counter(
        want - raw
        for raw, want in zip(raws, wants, strict=True)
        if type(raw) is int and type(want) is int
    )
    for gap, count in gaps.most_common(1):
        if gap and count >= _LEAST:
            yield f"r {'+' if gap > 0 else '-'} {abs(gap)}"


def _remainders(raws: Sequence[Any], constants: Sequence[Any]) -> Iterator[str]:
    """Results modulo a constant of the program, where the constant made a difference."""
    numbers = [raw for raw in raws if type(raw) is int]
    for modulus in (c for c in constants if type(c) is int and c > 1):
        if sum(not 0 <= number < modulus for number in numbers) >= _LEAST:
            yield f"r % {modulus}"


def _named(raws: Sequence[Any], wants: Sequence[Any]) -> Iterator[str]:
    """Two values for yes and no, such as two texts."""
    sides: dict[bool, Counter[Hashable]] = {True: Counter(), False: Counter()}
    for raw, want in zip(raws, wants, strict=True):
        if isinstance(want, str | int | None) and isinstance(raw, bool | int | None):
            sides[bool(raw)][want] += 1
    usual = {side: seen.most_common(1) for side, seen in sides.items()}
    if all(found and found[0][1] >= _LEAST for found in usual.values()):
        yes, no = usual[True][0][0], usual[False][0][0]
        if yes != no and {yes, no} != {True, False}:
            yield f"{yes!r} if r else {no!r}"


def _otherwise(raws: Sequence[Any], wants: Sequence[Any]) -> Iterator[str]:
    """Another value for the one that says that there is no result."""
    for none in (None, -1, 0, "", False):
        test = f"r is {none}" if none in (None, False) and none != 0 else f"r == {none!r}"
        instead = Counter(
            repr(want)
            for raw, want in zip(raws, wants, strict=True)
            if same(raw, none) and not same(want, none) and _short(want)
        )
        for text, count in instead.most_common(1):
            if count >= _LEAST:
                yield f"{text} if {test} else r"


def _short(value: Any) -> bool:
    """Whether a value may stand in a program as a constant."""
    if isinstance(value, list | tuple):
        return len(value) <= 2 and all(map(_short, value))
    return value is None or isinstance(value, bool | int | str)
