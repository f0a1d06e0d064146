"""The tracer, run here instead of in the jail: calls that it keeps, costs of lines."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.observing.tracer import ROOM, Copying, TracedCode, UnkeptError

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner),
    max_leaves=8,
)
Seen = tuple[str, tuple[Any, ...], Any, tuple[Any, ...] | None]


def watched(text: str, *, most: int = 10_000, seconds: float = 100.0) -> TracedCode:
    return TracedCode(text, "main.py", "", "f", most=most, seconds=seconds)


def calls(text: str, *arguments: object) -> list[Seen]:
    found: list[Seen] = watched(text).calls(*arguments)
    return found


@given(PLAIN)
def test_a_copy_is_equal_and_of_the_same_types(value: object) -> None:
    assert repr(Copying().copy(value)) == repr(value)


@pytest.mark.tier("hunts")
@pytest.mark.parametrize(
    ("value", "why"),
    [
        pytest.param([0] * (ROOM + 1), "too large", id="many parts"),
        pytest.param(
            [[0] * 50 for _ in range(ROOM // 50)], "too large", id="many parts in parts"
        ),
        pytest.param("x" * 9 * ROOM, "too large", id="long text"),
        pytest.param(1 << 64 * (ROOM + 1), "too large", id="long number"),
        pytest.param([object()], "no plain data", id="an object"),
        pytest.param(iter([1]), "no plain data", id="something that is used up"),
    ],
)
def test_what_is_large_or_not_plain_is_not_copied(value: object, why: str) -> None:
    with pytest.raises(UnkeptError, match=why):
        Copying().copy(value)


def test_a_value_that_holds_itself_is_not_copied() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(UnkeptError, match="too large"):
        Copying().copy(value)


@pytest.mark.parametrize(
    ("text", "arguments", "found"),
    [
        pytest.param("def f(n): return n + 1", (2,), [("f", (2,), 3, None)], id="one call"),
        pytest.param(
            "def f(n, by=2): return n + by", (1,), [("f", (1, 2), 3, None)], id="a default"
        ),
        pytest.param(
            "def f(n): return n and f(n - 1)",
            (2,),
            [("f", (0,), 0, None), ("f", (1,), 0, None), ("f", (2,), 0, None)],
            id="recursion",
        ),
        pytest.param(
            "def f(n):\n    def go(i): return i * n\n    return go(3)",
            (2,),
            [("f.go", (3,), 6, None), ("f", (2,), 6, None)],
            id="nested",
        ),
        pytest.param(
            "def f(xs):\n    xs.sort()",
            ([2, 1],),
            [("f", ([2, 1],), None, ([1, 2],))],
            id="sorted",
        ),
        pytest.param(
            "def f(xs):\n    xs = xs[1:]\n    return xs",
            ([2, 1],),
            [("f", ([2, 1],), [1], None)],
            id="another name for it is no change",
        ),
        pytest.param(
            "def g(x): return int(x)\n"
            "def f(x):\n    try: return g(x)\n    except ValueError: pass",
            ("a",),
            [("f", ("a",), None, None)],
            id="who raises returns nothing",
        ),
        pytest.param(
            "def g(n):\n    try: int('a')\n    except ValueError: return None\ndef f(n): g(n)",
            (1,),
            [("g", (1,), None, None), ("f", (1,), None, None)],
            id="who catches returns",
        ),
        pytest.param("def f(*xs): return xs", (1, 2), [], id="any number of arguments"),
        pytest.param("def f(n): yield n", (1,), [], id="generator"),
        pytest.param(
            "def g(n): return n\ndef f(n): return sum(g(1) for _ in range(n))",
            (9,),
            [("g", (1,), 1, None), ("f", (9,), 9, None)],
            id="each once",
        ),
        pytest.param(
            "class A:\n    def g(self, n): return n\ndef f(n): return A().g(n)",
            (1,),
            [("f", (1,), 1, None)],
            id="an object is no plain data",
        ),
        pytest.param("def f(n): raise SystemExit", (1,), [], id="who leaves"),
    ],
)
def test_calls_are_kept_with_their_values(
    text: str, arguments: tuple[object, ...], found: list[Seen]
) -> None:
    assert calls(text, *arguments) == found


def test_many_calls_are_not_all_looked_at() -> None:
    text = "def g(n): return n\ndef f(n): return sum(g(i) for i in range(n))"
    names = [name for name, *_ in calls(text, 1000)]
    assert names.count("f") == 1
    assert 10 <= names.count("g") <= 40


LOOPS = """\
def inner(n):
    return n + 1

def f(n):
    total = 0
    for i in range(n):
        total += inner(i)
    return total
"""


def test_lines_are_counted_where_they_are() -> None:
    ended, costs, whole, least = watched(LOOPS).lines(10)
    hits = {(name, line): count for name, line, count, *_ in costs}
    assert ended
    assert hits == {
        ("f", 5): 1,
        ("f", 6): 11,
        ("f", 7): 10,
        ("inner", 2): 10,
        ("f", 8): 1,
    }
    assert {name: count for name, count, _ in whole} == {"f": 33, "inner": 10}
    assert least >= 0


def test_what_a_line_takes_is_charged_to_it() -> None:
    text = "def f(n):\n    x = 1\n    y = sum(range(n))\n    return x + y\n"
    _, costs, whole, _ = watched(text).lines(2_000_000)
    seconds = {line: spent for _, line, _, spent, _ in costs}
    assert seconds[3] > 0.9 * sum(seconds.values())
    assert whole[0][2] == pytest.approx(sum(seconds.values()))


def test_recursion_counts_once() -> None:
    text = "def f(n):\n    if n:\n        f(n - 1)\n"
    _, costs, whole, _ = watched(text).lines(5)
    assert {name: count for name, count, _ in whole} == {"f": sum(row[2] for row in costs)}


def test_enough_is_enough_for_all_inputs_together() -> None:
    found = watched(LOOPS, most=100)
    first, second, third = found.lines(10), found.lines(1000), found.lines(10)
    assert [report[0] for report in (first, second, third)] == [True, False, False]
    assert sum(hits for report in (first, second) for _, _, hits, *_ in report[1]) == 101
    assert third[1] == []


def test_a_few_lines_that_take_long_are_enough() -> None:
    text = "def f(n):\n    for i in range(n):\n        sum(range(100_000))\n"
    ended, costs, _, _ = watched(text, most=10_000, seconds=0.05).lines(10_000)
    assert not ended
    assert 0 < sum(hits for _, _, hits, *_ in costs) < 5_000


def test_a_function_that_did_not_end_counts_as_far_as_it_came() -> None:
    _, _, whole, _ = watched(LOOPS, most=50).lines(1000)
    assert {name: count for name, count, _ in whole}["f"] == 51


TAKING = """\
def kept(n):
    return [0] * n

def f(n):
    total = 0
    for i in range(10):
        total += len(bytes(n))
    xs = kept(n)
    return total + len(xs)
"""


def taken(n: int) -> dict[tuple[str, int], float]:
    ended, costs, _, least = watched(TAKING).memory(n)
    assert ended
    return {(name, line): spent - least * pieces for name, line, _, spent, pieces in costs}


def test_memory_is_charged_to_the_line_that_takes_it_each_time_anew() -> None:
    found = taken(100_000)
    assert found["f", 7] == pytest.approx(1_000_000, rel=0.05), "ten times, given back each"
    assert found["kept", 2] == pytest.approx(800_000, rel=0.05)
    others = {place: spent for place, spent in found.items() if place[1] not in (7, 2)}
    assert max(others.values()) < 10_000


def test_a_program_is_watched_for_memory_again_and_again() -> None:
    assert taken(1000)["kept", 2] == pytest.approx(taken(1000)["kept", 2], rel=0.2)
    found = watched(TAKING, most=30)
    assert [found.memory(1000)[0] for _ in range(3)] == [True, False, False]
