"""How a library's result becomes the wanted one: other shapes, and constants that are learned.

An expression is over `r`. A constant counts only when more than one call speaks for it.
Not here: whether enough calls agree (`matching`).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeVar  # results are plain data of any type

from operators.known_functions.adapter import FAILURES, of_result
from se_agent.program.parsing import expression_tree
from se_agent.wire.same import same

Common = TypeVar("Common", bound=Hashable)

PLAIN = "r"
_OF_ANY = ("r[0]", "r[-1]", "max(r)", "min(r)")
_SHAPES: dict[type, tuple[str, ...]] = {
    bool: ("bool(r)", "not r", "r is not None"),
    int: ("int(r)", "-r", "len(r)", "sum(r)", "r * 2", "r // 2", "len(set(r))"),
    float: ("float(r)", "-r", "sum(r)"),
    str: (
        "str(r)",
        "r[::-1]",
        "''.join(r)",
        "' '.join(r)",
        "' '.join(map(str, r))",
        "bin(r)[2:]",
    ),
    tuple: ("tuple(r)", "r[::-1]"),
    set: ("set(r)", "set(map(tuple, r))"),
    list: (
        "list(r)",
        "sorted(r)",
        "r[::-1]",
        "list(map(list, r))",
        "list(map(tuple, r))",
        "list(map(str, r))",
        "list(map(int, r))",
        "list(map(''.join, r))",
        "list(r.items())",
        "list(r.values())",
        "sorted(r, reverse=True)",
    ),
}
_FIXED = frozenset({PLAIN, *_OF_ANY, *chain.from_iterable(_SHAPES.values())})
_ANSWERS = frozenset({"bool(r)", "not r"})
_SCALAR = bool | int | float | None
_OF_SCALARS = _ANSWERS | {
    *("r is not None", "int(r)", "float(r)", "str(r)", "-r", "r * 2", "r // 2", "bin(r)[2:]")
}
"""The shapes of what has no items: all others fail with it."""
_NOTHING = (None, -1, 0, "", False)
_LONG = 10**100
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
    yield PLAIN
    kinds = dict.fromkeys(map(type, wants))
    shapes = (form for kind in kinds for form in _SHAPES.get(kind, ()))
    if all(isinstance(raw, _SCALAR) for raw in raws):
        yield from (form for form in shapes if form in _OF_SCALARS)
    else:
        yield from (*shapes, *_OF_ANY)
    yield from _shifted(raws, wants)
    yield from _remainders(raws, constants)
    yield from _named(raws, wants)
    yield from _otherwise(raws, wants)
    yield from _between(raws, wants)


def learned_constants(form: str) -> Iterator[Any]:
    """Yield the constants of a form that were chosen to fit the calls."""
    if form in _FIXED or form.startswith("r % "):
        return
    for node in ast.walk(expression_tree(form)):
        if isinstance(node, ast.Constant):
            yield node.value


def _shifted(raws: Sequence[Any], wants: Sequence[Any]) -> Iterator[str]:
    """Results that are off by the same number."""
    gaps = [
        want - raw
        for raw, want in zip(raws, wants, strict=True)
        if type(raw) is int and type(want) is int
    ]
    for gap in _usual(gaps):
        if gap:
            yield f"r {'+' if gap > 0 else '-'} {abs(gap)}"


def _remainders(raws: Sequence[Any], constants: Sequence[Any]) -> Iterator[str]:
    """Results modulo a constant of the program, where the constant made a difference."""
    numbers = [raw for raw in raws if type(raw) is int]
    for modulus in (c for c in constants if type(c) is int and c > 1):
        if sum(not 0 <= number < modulus for number in numbers) >= _LEAST:
            yield f"r % {modulus}"


def _named(raws: Sequence[Any], wants: Sequence[Any]) -> Iterator[str]:
    """Two values for yes and no, such as two texts."""
    sides: dict[bool, list[Hashable]] = {True: [], False: []}
    for raw, want in zip(raws, wants, strict=True):
        if isinstance(want, str | int | None) and isinstance(raw, bool | int | None):
            sides[bool(raw)].append(want)
    usual = {side: _usual(seen) for side, seen in sides.items()}
    if all(usual.values()):
        yes, no = usual[True][0], usual[False][0]
        if yes != no and {yes, no} != {True, False}:
            yield f"{yes!r} if r else {no!r}"


def _otherwise(raws: Sequence[Any], wants: Sequence[Any]) -> Iterator[str]:
    """Another value for the one that says that there is no result."""
    empty = [pair for pair in zip(raws, wants, strict=True) if pair[0] in _NOTHING]
    for none in _NOTHING if empty else ():
        test = f"r is {none}" if none in (None, False) and none != 0 else f"r == {none!r}"
        instead = [
            repr(want)
            for raw, want in empty
            if same(raw, none) and not same(want, none) and _short(want)
        ]
        for text in _usual(instead):
            yield f"{text} if {test} else r"


def _between(raws: Sequence[Any], wants: Sequence[Any]) -> Iterator[str]:
    """The same text before and behind all results."""
    texts = [raw if isinstance(raw, str) else _digits(raw) for raw in raws]
    around = [
        tuple(want.split(text, 1))
        for text, want in zip(texts, wants, strict=True)
        if text and isinstance(want, str) and text in want
    ]
    for before, behind in _usual(around):
        if before + behind:
            yield f"{before!r} + str(r) + {behind!r}"


def _usual(values: Sequence[Common]) -> list[Common]:
    """Return the most frequent value; nothing where too few calls speak for it."""
    if len(values) < _LEAST:
        return []
    return [value for value, count in Counter(values).most_common(1) if count >= _LEAST]


def _digits(value: Any) -> str:
    """Return a number as text; nothing for what is none, or too long to be written."""
    return str(value) if type(value) is int and abs(value) < _LONG else ""


def _short(value: Any) -> bool:
    """Whether a value may stand in a program as a constant."""
    if isinstance(value, list | tuple):
        return len(value) <= 2 and all(map(_short, value))
    return value is None or isinstance(value, bool | int | str)
