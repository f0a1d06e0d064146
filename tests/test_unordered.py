"""Iterating over a set is found, and only looking into one is not."""

from __future__ import annotations

import ast

import pytest

from tests.unordered import Known, places

OLD_EARLY_EXIT = """
def _flag(program, loop):
    pairs = [(s, pair) for s in smalls(loop) if (pair := assigned(s))]
    constants = [(s, pair) for s, pair in pairs if _constant(pair[1])]
    for name in {pair[0] for _, pair in constants}:
        if wanted(name):
            return name
    return None

def _flagged(program, place, loop):
    loops = {inner for line in flag.lines for inner in _between(program, line, loop)}
    return {inner: [_test(flag)] for inner in loops}
"""
"""Two processes with other hash seeds proposed other programs."""

PROJECT = """
class Unit:
    defines: frozenset[str]
    lines: tuple[str, ...]

    def __init__(self):
        self.unclosed: set[int] = set()

    @property
    def names(self) -> frozenset[str]: ...

    @property
    def items(self) -> list[str]: ...

def bound(node) -> set[str]: ...
def tokens(text) -> list[str]: ...
def nearest(word: str, words: Iterable[str]) -> str: ...
def inside(word: str, words: Collection[str]) -> bool: ...
def counted(words: Iterable[str]) -> int: return len(set(words))
"""


def found(text: str) -> list[str]:
    tree = ast.parse(text)
    return [code for _, code in places(tree, Known.of([ast.parse(PROJECT), tree]))]


def test_the_old_early_exit_is_found() -> None:
    assert found(OLD_EARLY_EXIT) == ["{pair[0] for _, pair in constants}", "loops"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("for x in {1, 2}: print(x)", id="display"),
        pytest.param("for x in set(xs): print(x)", id="call"),
        pytest.param("for x in {y for y in xs}: print(x)", id="comprehension"),
        pytest.param("for x in frozenset[str]().union(a, b): print(x)", id="union"),
        pytest.param("for x in a.keys() - b: print(x)", id="difference-of-keys"),
        pytest.param("s = set(xs)\nfor x in s: print(x)", id="name"),
        pytest.param("s = set()\ns |= more\nys = list(s)", id="name-that-grows"),
        pytest.param("def f(s: set[int] | None): return [x for x in s]", id="parameter"),
        pytest.param("def f(u): return [x for x in u.defines]", id="attribute"),
        pytest.param("def f(u): return list(u.unclosed)", id="attribute-of-self"),
        pytest.param("def f(u): return tuple(u.names)", id="property"),
        pytest.param("for x in bound(node): print(x)", id="result"),
        pytest.param("ys = list(set(xs))", id="list"),
        pytest.param("y = next(iter(set(xs)))", id="next"),
        pytest.param("s = set(xs)\ny = s.pop()", id="pop"),
        pytest.param("t = ', '.join({*xs})", id="join"),
        pytest.param("t = ', '.join(str(x) for x in {*xs})", id="join-of-generator"),
        pytest.param("d = dict.fromkeys(set(xs), 0)", id="fromkeys"),
        pytest.param("d = {x: 0 for x in set(xs)}", id="dictionary"),
        pytest.param("ys = [*set(xs)]", id="starred"),
        pytest.param("print(*set(xs))", id="starred-argument"),
        pytest.param("total = sum(cost(x) for x in set(xs))", id="sum-of-floats"),
        pytest.param("y = min(set(xs), key=len)", id="equal-keys"),
        pytest.param("ys = sorted(set(xs), key=len)", id="equal-keys-in-sorted"),
        pytest.param("y = nearest(word, set(words))", id="parameter-that-is-iterated-over"),
        pytest.param("def f():\n    s = set(xs)\n    yield from s", id="yield-from"),
        pytest.param("def f():\n    s = set(xs)\n    def g(): return [*s]", id="closure"),
        pytest.param("a, s = 1, set(xs)\nys = list(s)", id="one-of-two"),
    ],
)
def test_who_takes_the_order_of_a_set_is_found(text: str) -> None:
    assert len(found(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("for x in sorted(set(xs)): print(x)", id="sorted"),
        pytest.param("for x in dict.fromkeys(xs): print(x)", id="dictionary-for-it"),
        pytest.param("y = all(f(x) for x in set(xs))", id="all"),
        pytest.param("y = max((f(x) for x in set(xs)), default=0)", id="max"),
        pytest.param("y = {f(x) for x in set(xs)} | {*set(ys)}", id="another-set"),
        pytest.param("y = sum(x > 1 for x in set(xs))", id="count"),
        pytest.param("y = x in set(xs) and len(set(xs)) == 1", id="looked-into"),
        pytest.param("[y] = set(xs)", id="the-only-one"),
        pytest.param("ys = sorted(set(xs), key=lambda x: (len(x), x))", id="no-equal-keys"),
        pytest.param("s = set()\ns.update(x for x in {*xs})", id="update-of-a-set"),
        pytest.param("y = inside(word, set(words))", id="parameter-that-is-looked-into"),
        pytest.param("y = counted(set(words))", id="parameter-that-becomes-a-set"),
        pytest.param("for x in tokens(text): print(x)", id="list"),
        pytest.param("def f(u): return [*u.items, *u.lines]", id="attributes"),
        pytest.param("def f(s: set[int]): ...\ndef g(s): return list(s)", id="other-function"),
    ],
)
def test_who_does_not_is_not(text: str) -> None:
    assert found(text) == []
