"""The smallest element comes from a heap, where the loop does nothing else with the list."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.rewrite.heap_min import HeapMin
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    xs = list(xs)
    out = []
    while len(xs) > 1:
        a = min(xs)
        xs.remove(a)  # once
        if a < 20:
            xs.append(a + 7)
        out.append(a)
    return out
"""
AFTER = """
from heapq import heapify, heappop, heappush

def solve(xs):
    xs = list(xs)
    out = []
    heapify(xs)
    while len(xs) > 1:
        a = heappop(xs)
        if a < 20:
            heappush(xs, a + 7)
        out.append(a)
    return out
"""
SORTING = """
def solve(xs):
    todo = [(x, i) for i, x in enumerate(xs)]
    out = []
    while todo:
        todo.sort()
        x, i = todo.pop(0)
        out.append(x)
        if x % 3:
            todo.append((x - 1, i))
    return out
"""
LARGEST = """
def solve(xs):
    xs = list(xs)
    out = []
    for _ in range(len(xs)):
        x = max(xs)
        xs.remove(x)
        out.append(x)
    return out
"""
ENDS = """
def solve(xs):
    xs, out, low = list(xs), [], True
    while xs:
        out.append(min(xs) if low else max(xs))
        xs.remove(out[-1])
        low = not low
    return out
"""


class TestContract(RuleContract):
    rule = HeapMin
    slow = SLOW


def test_min_and_remove() -> None:
    assert rewritten(HeapMin(), SLOW) == [dedented(AFTER)]


def test_without_appends_there_are_more_ways() -> None:
    assert len(rewritten(HeapMin(), LARGEST)) == 2
    (text,) = rewritten(HeapMin(), ENDS)
    assert "out.append(xs.popleft() if low else xs.pop())" in text


@pytest.mark.parametrize(
    "use",
    [
        pytest.param("xs[0] = 1", id="written"),
        pytest.param("f(xs)", id="passed-on"),
        pytest.param("xs.insert(0, 1)", id="inserted"),
        pytest.param("y = xs[-1]", id="indexed"),
        pytest.param("xs = xs[1:]", id="something-else"),
    ],
)
def test_must_not_fire(use: str) -> None:
    text = f"while xs:\n    m = min(xs)\n    xs.remove(m)\n    {use}\n"
    assert rewritten(HeapMin(), text) == []


def test_must_not_fire_when_another_element_goes() -> None:
    assert rewritten(HeapMin(), "while xs:\n    m = min(xs)\n    xs.remove(k)\n") == []


CUT = """
def solve(xs):
    out, kept = [], xs
    while xs:
        xs = sorted(xs)
        x = xs[0]
        xs = xs[1:]
        out.append(x)
    return out, kept
"""
BY_KEY = """
def solve(xs):
    rows = [(x % 4, i) for i, x in enumerate(xs)]
    out = []
    while rows:
        row = max(rows, key=lambda row: row[0])
        rows.remove(row)
        out.append(row)
    return out
"""
SCHEDULE = """
def solve(xs):
    queue = list(enumerate(xs))
    out = []
    while queue:
        queue.sort(key=lambda job: job[1] // 2)
        number, time = queue.pop(0)
        out.append((number, time))
        if time % 3 == 1:
            queue.append((number, time - 1))
    return out
"""
KEYS = """
def solve(xs):
    left = {i: x % 3 for i, x in enumerate(xs)}
    out = []
    while left:
        i = min(left, key=left.get)
        out.append((i, left.pop(i)))
    return out
"""
COSTS = """
def solve(xs):
    left = {i: x % 5 for i, x in enumerate(xs)}
    out = []
    while left:
        i = min(left, key=left.get)
        cost = left.pop(i)
        out.append((i, cost))
        for j in (i + 1, i - 2):
            if j in left:
                left[j] -= 1
        if cost == 3:
            left[i] = cost + 1
    return out
"""
WAYS = """
def solve(xs):
    ends = len(xs)
    cost = [99] * ends
    cost[:1] = [0][:ends]
    left = list(range(ends))
    order = []
    while left:
        i = min(left, key=lambda i: cost[i])
        left.remove(i)
        order.append(i)
        for j in (xs[i] % ends, (i + 1) % ends):
            if j in left and cost[i] + xs[j] < cost[j]:
                cost[j] = cost[i] + xs[j]
    return order, cost
"""
SHAPES = {
    "min": SLOW, "sorting": SORTING, "largest": LARGEST, "ends": ENDS, "cut": CUT,
    "by-key": BY_KEY, "schedule": SCHEDULE, "keys": KEYS, "costs": COSTS, "ways": WAYS,
}  # fmt: skip


def test_old_values_are_passed_over() -> None:
    (text,) = rewritten(HeapMin(), WAYS)
    assert "        while left.get(i) != rank or cost[i] != least:\n" in text
    assert "                    heappush(heap, (cost[j], left[j], j))\n" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("order.append(i)", "order.append(left[0])", id="the-queue-is-asked"),
        pytest.param("order.append(i)", "left.append(i)", id="the-queue-grows"),
        pytest.param("order.append(i)", "f(cost)", id="values-are-handed-on"),
        pytest.param("order.append(i)", "cost = list(cost)", id="values-are-others"),
        pytest.param("return order", "return left", id="read-later"),
        pytest.param("lambda i: cost[i]", "lambda i: cost[0]", id="of-another"),
        pytest.param("left.remove(i)", "left.remove(0)", id="another-goes"),
        pytest.param("    left = list(range(ends))\n", "", id="of-others"),
    ],
)
def test_must_not_choose_from_a_heap(old: str, new: str) -> None:
    assert old in WAYS
    assert rewritten(HeapMin(), WAYS.replace(old, new)) == []


LEAVES = """
def solve(xs):
    ys = list(xs)
    last = 0
    while ys:
        m = min(ys)
        ys.remove(m)
        if m > 3:
            break
    return last
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("return last", "return ys", id="returned"),
        pytest.param("return last", "last.append(ys)", id="handed-on"),
        pytest.param("last = 0", "last = lambda: ys", id="read-by-a-function"),
        pytest.param("last = 0", "last = ys", id="another-name"),
        pytest.param("ys = list(xs)", "ys = last = list(xs)", id="another-name-at-once"),
        pytest.param("list(xs)", "xs", id="of-the-caller"),
    ],
)
def test_who_sees_the_rest_sees_it_in_its_order(old: str, new: str) -> None:
    assert len(rewritten(HeapMin(), LEAVES)) == 3
    text = LEAVES.replace(old, new)
    assert rewritten(HeapMin(), text) == []
    drained = text.replace("        if m > 3:\n            break\n", "")
    assert len(rewritten(HeapMin(), drained)) == 2  # nothing is left


def test_a_list_that_is_made_anew_has_no_rest() -> None:
    inner = "".join(f"    {line}\n" for line in LEAVES.splitlines()[2:-1])
    text = f"def solve(rows):\n    for xs in rows:\n{inner}    return rows\n"
    assert len(rewritten(HeapMin(), text)) == 3
    for making in ("ys = ys + xs", "rows[0] = ys\n        ys = list(xs)"):
        assert rewritten(HeapMin(), text.replace("ys = list(xs)", making)) == []


@pytest.mark.parametrize(
    ("old", "new"), [("return out", "return out, xs"), ("list(xs), [", "xs, [")]
)
def test_nobody_is_handed_a_deque_for_a_list(old: str, new: str) -> None:
    assert old in ENDS
    assert rewritten(HeapMin(), ENDS.replace(old, new)) == []


def test_a_key_that_is_set_elsewhere_is_none() -> None:
    text = BY_KEY.replace("row[0]", "row.size").replace(
        "out.append", "out[0].size = 2\n        f"
    )
    assert rewritten(HeapMin(), text) == []


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
@settings(max_examples=40)
@given(xs=st.lists(st.integers(0, 30), max_size=9))
def test_same_answers(text: str, xs: list[int]) -> None:
    assert_equivalent(HeapMin(), text, xs)
