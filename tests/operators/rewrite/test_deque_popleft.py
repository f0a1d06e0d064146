"""Queues become deques, where all that is done to them is something a deque knows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.rewrite.deque_popleft import DequePopleft
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(edges):
    dist = {0: 0}
    queue = [0]
    # breadth first
    while len(queue) > 0:
        node = queue.pop(0)
        for other in edges[node]:
            if other not in dist:
                dist[other] = dist[node] + 1
                queue.append(other)  # later
    return dist
"""
DEQUE = """
from collections import deque

def solve(edges):
    dist = {0: 0}
    queue = deque([0])
    # breadth first
    while len(queue) > 0:
        node = queue.popleft()
        for other in edges[node]:
            if other not in dist:
                dist[other] = dist[node] + 1
                queue.append(other)  # later
    return dist
"""
WALK = """
def solve(edges):
    dist = {0: 0}
    queue = [0]
    # breadth first
    for node in queue:
        for other in edges[node]:
            if other not in dist:
                dist[other] = dist[node] + 1
                queue.append(other)  # later
    return dist
"""
WINDOW = """
def solve(xs, k):
    window = []
    sums = []
    for x in xs:
        window.insert(0, x)
        window.append(-x)
        if len(window) > k:
            window.pop()
            window.pop(0)
        sums.append((sum(window), window[0] if window else 0, max(window, default=0)))
    return window
"""
MERGE = """
def solve(first, second):
    first, second = list(first), sorted(second)
    merged, rest = [], []
    while first and second:
        merged.append(first.pop(0) if first[0] <= second[0] else second.pop(0))
    rest += first
    return merged + first + second, first[1:], rest, [*second]
"""


class TestContract(RuleContract):
    rule = DequePopleft
    slow = SLOW
    others = (MERGE,)


def test_both_forms() -> None:
    assert rewritten(DequePopleft(), SLOW) == [dedented(DEQUE), dedented(WALK)]


def test_a_returned_queue_is_a_list_again() -> None:
    (text,) = rewritten(DequePopleft(), WINDOW)
    assert "window.appendleft(x)" in text
    assert "return list(window)" in text


def test_a_copy_that_is_made_for_the_queue_is_not_copied_again() -> None:
    deque, _ = rewritten(DequePopleft(), SLOW.replace("[0]\n", "list(edges)\n", 1))
    assert "queue = deque(edges)\n" in deque


def test_a_queue_that_is_filled_again_is_not_walked_again() -> None:
    text = """
    def solve(xs):
        n = 0
        q = []
        for x in xs:
            q.append(x)
            while q:
                y = q.pop(0)
                n += y
        return n
    """
    assert len(rewritten(DequePopleft(), text)) == 1
    assert_equivalent(DequePopleft(), text, [1, 2, 3])


@pytest.mark.parametrize(
    "use",
    [
        pytest.param("q[1:]", id="sliced"),
        pytest.param("q.sort()", id="sorted"),
        pytest.param("f(q)", id="passed-on"),
        pytest.param("p = q", id="another-name"),
        pytest.param("q == []", id="compared"),
        pytest.param("[] != q", id="compared-the-other-way"),
        pytest.param("q.pop(1)", id="taken-from-within"),
        pytest.param("print(q)", id="shown"),
        pytest.param("isinstance(q, list)", id="asked-what-it-is"),
        pytest.param("out.append(q)", id="kept"),
        pytest.param("for x in q:\n            q.append(x)", id="grows-under-way"),
        pytest.param("[q.append(x) for x in q]", id="grows-in-a-comprehension"),
        pytest.param("p = q or [1]", id="perhaps-another-name"),
        pytest.param("p = q if x else [1]", id="perhaps-another-name-by-a-test"),
        pytest.param("p = dict(a=q)", id="kept-by-keyword"),
        pytest.param("p = max(q, x)", id="compared-with-a-list"),
        pytest.param("p = zip(q)", id="walked-over-later"),
        pytest.param("p = (x for x in q)", id="walked-over-later-by-a-generator"),
        pytest.param("p = x + [q]", id="an-element"),
    ],
)
def test_must_not_fire(use: str) -> None:
    assert rewritten(DequePopleft(), f"q = [1]\nwhile q:\n    q.pop(0)\n    {use}\n") == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("def f(q):\n    while q:\n        q.pop(0)\n", id="not-made-here"),
        pytest.param("q = [1]\nq.pop()\n", id="a-stack"),
        pytest.param("q = {}\nq.pop(0)\n", id="a-dictionary"),
    ],
)
def test_must_not_fire_without_a_queue(text: str) -> None:
    assert rewritten(DequePopleft(), text) == []


@given(st.lists(st.lists(st.integers(0, 5), max_size=4), min_size=6, max_size=6))
def test_same_answers(edges: list[list[int]]) -> None:
    assert_equivalent(DequePopleft(), SLOW, edges)


@given(st.lists(st.integers(0, 9), max_size=9), st.integers(2, 5))
def test_same_answers_for_both_ends(xs: list[int], k: int) -> None:
    assert_equivalent(DequePopleft(), WINDOW, xs, k)


def test_a_queue_is_a_list_again_where_one_is_wanted() -> None:
    first, second = rewritten(DequePopleft(), MERGE)
    assert "    first, second = deque(first), sorted(second)\n" in first
    assert "return merged + list(first) + second, list(first)[1:], rest, [*second]\n" in first
    assert "    first, second = list(first), deque(sorted(second))\n" in second


@given(st.lists(st.integers(0, 5), max_size=5), st.lists(st.integers(0, 5), max_size=5))
def test_merges_answer_alike(first: list[int], second: list[int]) -> None:
    assert_equivalent(DequePopleft(), MERGE, first, second)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("    first, second =", "    if first: first, second =", id="set-perhaps"),
        pytest.param("list(first), sorted", "first, sorted", id="the-caller's"),
        pytest.param("first, second = list", "first, *second = list", id="the-rest"),
        pytest.param("first[1:]", "first * 2", id="repeated"),
        pytest.param(
            "    rest += first", "    first += rest[1:]; first = rest", id="another's"
        ),
    ],
)
def test_lists_that_stay(old: str, new: str) -> None:
    assert old in MERGE
    assert not any(
        "deque(first)" in text for text in rewritten(DequePopleft(), MERGE.replace(old, new))
    )


def test_a_copy_is_a_list() -> None:
    (text,) = rewritten(DequePopleft(), "q = [1]\nq.pop(0)\np = q.copy()\n")
    assert "p = list(q)\n" in text


@pytest.mark.parametrize(
    "line", ["def left(): return len(q)", "def left(): return q"], ids=["asks", "hands-on"]
)
def test_no_walk_where_a_function_within_sees_the_queue(line: str) -> None:
    text = f"q = [1]\n{line}\nwhile q:\n    x = q.pop(0)\n    left()\n"
    assert not any("for x in q" in new for new in rewritten(DequePopleft(), text))


def test_a_variable_may_be_called_like_a_method() -> None:
    text = "q = [1]\nq.pop(0)\npop = [q[0]]\n"
    (new,) = rewritten(DequePopleft(), text)
    assert "q.popleft()\npop = [q[0]]\n" in new


APART = """
def solve(edges):
    todo, found = [0], []
    while todo and len(found) < 9:
        node = todo[0]
        todo = todo[1:]
        found.append(node)
        if node < len(edges):
            todo += edges[node]
    return found, todo
"""


@pytest.mark.parametrize("cut", ["todo = todo[1:]", "del todo[0]", "del todo[:1]"])
@given(st.lists(st.lists(st.integers(0, 5), max_size=2), max_size=5))
@settings(max_examples=15)
def test_an_element_that_is_read_and_then_cut_off(cut: str, edges: list[list[int]]) -> None:
    text = APART.replace("todo = todo[1:]", cut)
    assert "        node = todo.popleft()\n        found" in rewritten(DequePopleft(), text)[0]
    assert_equivalent(DequePopleft(), text, edges)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("node = todo[0]", "node = todo[-1]", id="another"),
        pytest.param("node = todo[0]", "node = 1", id="none"),
        pytest.param("todo = todo[1:]", "todo = todo[2:]", id="more"),
    ],
)
def test_an_element_that_is_cut_off_unread(old: str, new: str) -> None:
    assert rewritten(DequePopleft(), APART.replace(old, new)) == []
