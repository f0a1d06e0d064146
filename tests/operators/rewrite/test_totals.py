"""Totals are kept up to date where each step of a loop is understood."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.rewrite.running_aggregate import RunningAggregate
from tests.operators.rewrite.cases import answer, assert_equivalent, dedented, rewritten

BALANCE = """
from collections import defaultdict

def solve(xs):
    d, out = defaultdict(int), []
    for x in xs:
        d[x % 3] = d.get(x % 3, 0) + x
        d[x % 4] -= abs(x)
        if x == 2 and 2 in d:
            del d[2]
        elif x == 3:
            gone = d.pop(0)
            d[1] = gone * 2
        out.append((sum(d.values()), len([v for v in d.values() if v > 0 if v % 2])))
        if x == 4:
            d.clear()
    return out
"""
WINDOW = """
from collections import deque

def solve(xs):
    a, b, out = [], deque(maxlen=2), []
    for x in xs:
        a.append(x + 1)
        b.append(x)
        if len(a) > 3:
            a.pop(0)
        a[-1] += x
        a[0] = 7
        out.append((sum(a), sum(map(abs, b))))
    return out
"""
LINES = """
def solve(xs):
    rows, row = [], []
    for x in xs:
        if row and sum(len(str(each)) for each in row) + len(row) > 5:
            rows.append(row)
            row = [x, 1]
        row.append(x)
        if x == 9:
            row.remove(x)
            row.pop()
    return rows, row
"""


@pytest.mark.parametrize(
    ("text", "number"), [(BALANCE, 2), (WINDOW, 2), (LINES, 1)], ids=["dict", "window", "lines"]
)
@settings(max_examples=40)
@given(xs=st.lists(st.integers(-3, 12), max_size=12))
def test_same_answers(text: str, number: int, xs: list[int]) -> None:
    found = rewritten(RunningAggregate(), text)
    assert len(found) == number
    try:
        assert_equivalent(RunningAggregate(), text, xs)
    except (KeyError, IndexError) as error:
        for each in found:
            with pytest.raises(type(error), match=re.escape(str(error))):
                answer(each, (xs,))


def test_each_step_changes_the_total() -> None:
    slow = """
        def solve(moves):
            held, out = {}, []
            for name, amount in moves:
                held[name] = held.get(name, 0) + amount
                out.append(sum(held.values()))
            return out
        """
    new = """
        def solve(moves):
            held, out = {}, []
            held_sum = sum(held.values())
            for name, amount in moves:
                held[name] = held.get(name, 0) + amount
                held_sum += amount
                out.append(held_sum)
            return out
        """
    assert rewritten(RunningAggregate(), slow) == [dedented(new)]


@pytest.mark.parametrize(("size", "fires"), [("", True), ("maxlen=2", False)])
def test_a_deque_of_others_may_drop_elements(size: str, *, fires: bool) -> None:
    text = f"""
        from collections import deque
        def fill(held, xs):
            for x in xs:
                held.append(x)
                print(sum(held))
        def solve(xs):
            fill(deque({size}), xs)
        """
    assert bool(rewritten(RunningAggregate(), text)) == fires


def test_a_list_made_in_each_round_has_a_total_in_that_round() -> None:
    text = """
        def solve(rows):
            out = []
            for row in rows:
                seen = []
                for x in row:
                    seen.append(x)
                    out.append(sum(seen))
            return out
        """
    assert_equivalent(RunningAggregate(), text, [[1, 2], [], [3]])


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("f(d)\n", id="handed-on"),
        pytest.param("d[next(it)] = x\n", id="at-a-place-that-is-made"),
        pytest.param("d[x] = sum(d.values())\n", id="asked-within-a-step"),
        pytest.param("try:\n    d[x] = int(x)\nexcept ValueError:\n    pass\n", id="tried"),
        pytest.param("d[x] = 0.5\n", id="a-fraction"),
        pytest.param("d.update(x)\n", id="many-at-once"),
        pytest.param("d.setdefault(x, 1)\n", id="perhaps"),
        pytest.param("other = d\nother[x] = 1\nd[x] = 2\n", id="another-name"),
        pytest.param("d = x\n", id="set-anew"),
        pytest.param("y = d.pop(x, 0)\n", id="taken-where-it-is"),
        pytest.param("pass\n", id="no-step"),
    ],
)
def test_other_steps_are_left_alone(body: str) -> None:
    inner = "".join(f"        {line}\n" for line in body.splitlines())
    head = "def solve(xs, it):\n    d, out = {}, []\n    for x in xs:\n"
    tail = "        out.append(sum(d.values()))\n    return out\n"
    assert not rewritten(RunningAggregate(), head + inner + tail)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("row.append(x)", id="an-element"),
        pytest.param("rows[-1].append(x)", id="the-last"),
        pytest.param("size += 1", id="what-it-depends-on"),
    ],
)
def test_elements_that_change_add_something_else_later(line: str) -> None:
    text = f"""
        def solve(xs, size):
            rows, out = [], []
            for x in xs:
                row = [x]
                rows.append(row)
                {line}
                out.append(sum(len(each) * size for each in rows))
            return out
        """
    assert not rewritten(RunningAggregate(), text)


@pytest.mark.parametrize(
    ("step", "head", "fires"),
    [
        pytest.param("x += 1", "", True, id="a-number"),
        pytest.param("x -= len(out) % -2", "import math\n", True, id="of-numbers"),
        pytest.param("x += [1]", "", False, id="a-list"),
        pytest.param("x += '1'", "", False, id="a-text-into-a-list"),
        pytest.param("x += y", "", False, id="a-name"),
        pytest.param("x *= 2", "", False, id="a-list-twice"),
        pytest.param("x += 1", "import numpy\n", False, id="of-a-library"),
        pytest.param("x += 1", "from math import *\n", False, id="of-who-knows-what"),
        pytest.param("x += 1", "def __iadd__(a, b): pass\n", False, id="of-a-class"),
    ],
)
def test_a_number_is_added_to_a_name_not_to_an_object(
    step: str, head: str, fires: bool
) -> None:
    text = (
        f"{head}def solve(xs, w, y):\n    out = []\n    for x in xs:\n        {step}\n"
        "        w.append(x)\n        out.append(sum(w))\n    return out\n"
    )
    assert len(rewritten(RunningAggregate(), text)) == fires
