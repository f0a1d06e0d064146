"""What is the same in every pass leaves the loop, where nobody can tell the difference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.loop_invariant import LoopInvariant
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs, top):
    out = []
    for x in xs:
        out.append(x * sum(xs) + max(xs))  # both
    return out
"""
AFTER = """
def solve(xs, top):
    out = []
    xs_sum = sum(xs)
    xs_max = max(xs) if xs else None
    for x in xs:
        out.append(x * xs_sum + xs_max)  # both
    return out
"""
SHAPES = {
    "test-of-a-while": "def solve(xs, top):\n    i = 0\n"
    "    while i < len(sorted(xs)) and i < max(top, 3):\n        i += 1\n    return i\n",
    "comprehension": "def solve(xs, top):\n"
    "    return [x in sorted(xs)[:top] for x in xs if x > 1]\n",
    "generator-within": "def solve(xs, top):\n    n = 0\n    for x in xs:\n"
    "        n += sum(y * y for y in xs if y != top)\n    return n\n",
    "assigned-and-read": "def solve(xs, top):\n    n = 0\n    for x in xs:\n"
    "        ys = sorted(xs)\n        n += ys[0] * x + len(ys)\n    return n\n",
    "own-function": "def area(n):\n    return n * n\n\ndef solve(xs, top):\n"
    "    return [x for x in xs if x < area(top) + sum(xs)]\n",
    "nested": "def solve(xs, top):\n    n = 0\n    for x in xs:\n        for y in xs:\n"
    "            if y in set(xs[:x]):\n                n += 1\n    return n\n",
}


class TestContract(RuleContract):
    rule = LoopInvariant
    slow = SLOW


def test_all_at_once_and_one_by_one() -> None:
    every, first, second = rewritten(LoopInvariant(), SLOW)
    assert every == dedented(AFTER)
    assert "x * xs_sum + max(xs)" in first
    assert "x * sum(xs) + xs_max" in second


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "for w in words:\n    if w in t.lower().split():\n        f(w)\n",
            "t_split = t.lower().split()\nfor w in words:\n    if w in t_split:\n        f(w)\n",  # noqa: E501
            id="the-largest-part",
        ),
        pytest.param(
            "for a in r:\n    t = a[0]\n    for b in r:\n        g(b, sum(t))\n",
            "for a in r:\n    t = a[0]\n    t_sum = sum(t)\n    for b in r:\n        g(b, t_sum)\n",  # noqa: E501
            id="where-it-is-bound",
        ),
        pytest.param(
            "for a in r:\n    b(sum(t))\n    c(sum(t))\n",
            "t_sum = sum(t)\nfor a in r:\n    b(t_sum)\n    c(t_sum)\n",
            id="wherever-it-stands",
        ),
        pytest.param(
            "while a < b:\n    a += min(t)\n",
            "t_min = min(t) if a < b else None\nwhile a < b:\n    a += t_min\n",
            id="guarded-by-the-test",
        ),
    ],
)
def test_shapes(before: str, after: str) -> None:
    assert rewritten(LoopInvariant(), before) == [after]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("xs.append(sum(xs))", id="it-grows"),
        pytest.param("xs = f(sum(xs))", id="it-is-bound-anew"),
        pytest.param("xs[0] = sum(xs)", id="it-is-written"),
        pytest.param("g(xs, sum(xs))", id="it-is-passed-on"),
        pytest.param("out.append(sorted(xs))", id="a-fresh-list-is-kept"),
        pytest.param("ys = sorted(xs)\n    ys.pop()", id="a-fresh-list-is-changed"),
        pytest.param("row = [0 for _ in xs]\n    out.append(row)", id="rows"),
        pytest.param("if x:\n        n = max(xs)", id="may-raise-and-may-not-run"),
        pytest.param("if x:\n        break\n    n = max(xs)", id="not-in-every-pass"),
        pytest.param("if xs is not None:\n        n = sum(xs)", id="asked-for-before"),
        pytest.param("n = f(xs)", id="unknown"),
        pytest.param("n = sum(ys for ys in it())", id="unknown-within"),
        pytest.param("n = max(xs, key=lambda v: f(v))", id="unknown-in-a-lambda"),
        pytest.param("n = len(xs) + abs(y)", id="cheap"),
        pytest.param("n = sum(x)", id="of-the-loop"),
        pytest.param(
            "try:\n        n = max(xs)\n    except ValueError:\n        n = 0", id="caught"
        ),
    ],
)
def test_must_not_fire(body: str) -> None:
    assert rewritten(LoopInvariant(), f"for x in vs:\n    {body}\n") == []


def test_no_value_is_taken_before_a_while_whose_passes_change_it() -> None:
    text = "while any(v in sorted(xs) for v in vs):\n    xs.pop()\n"
    assert rewritten(LoopInvariant(), text) == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(xs=st.lists(st.integers(0, 9), max_size=6), top=st.integers(0, 5))
def test_same_answers(text: str, xs: list[int], top: int) -> None:
    assert_equivalent(LoopInvariant(), text, xs, top)


OWN = """
class Page:
    def __init__(self, rows):
        self.rows, self.at, self.unit = rows, 0, 2

    @property
    def width(self):
        return max(map(len, self.rows)) * self.unit

    def height(self):
        total = 0
        for row in self.rows:
            total += len(row)
        return total

    def scaled(self, number):
        return number * self.unit

    def shares(self, numbers):
        out = []
        for number in numbers:
            self.at += 1
            out.append(self.scaled(number) + self.height())
            LINE
        return out, [len(row) / self.width for row in self.rows]


def solve(rows, numbers):
    return Page(rows).shares(numbers)
"""


def test_what_an_object_tells_about_itself_is_asked_once() -> None:
    _both, height, width = rewritten(LoopInvariant(), OWN.replace("LINE", "pass"))
    assert "        height = self.height() if numbers else None\n" in height
    assert "            out.append(self.scaled(number) + height)\n" in height
    assert "        width = self.width if self.rows else None\n" in width
    assert "[len(row) / width for row in self.rows]" in width
    for rows in ([], ["ab", "c"]):
        assert_equivalent(LoopInvariant(), OWN.replace("LINE", "pass"), rows, [1, 2])


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("self.rows = numbers", id="what-it-reads-is-set"),
        pytest.param("self.rows.append(number)", id="what-it-reads-grows"),
        pytest.param("self.rows[0] = number", id="a-part-is-set"),
        pytest.param("for row in self.rows:\n                row.append(1)", id="an-element"),
        pytest.param("for row in self.rows:\n                row.rows = 1", id="of-an-element"),
        pytest.param("number.fill()", id="by-another-object"),
        pytest.param("self.shares(number)", id="a-method-that-does-more"),
        pytest.param("self.reset()", id="a-method-of-nobody-knows-whom"),
        pytest.param("print(self)", id="handed-on"),
        pytest.param("yield number", id="others-run-meanwhile"),
    ],
)
def test_what_an_object_tells_may_change(line: str) -> None:
    other = "class Other:\n    def fill(self):\n        self.page.rows.append(1)\n"
    texts = rewritten(LoopInvariant(), OWN.replace("LINE", line) + other)
    assert not any("height = self.height()" in text for text in texts)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[x / max(xs) for x in xs]", id="list"),
        pytest.param("sum(x / max(xs) for x in xs)", id="summed-up"),
        pytest.param("{x: x / max(xs) for x in xs}", id="dictionary"),
    ],
)
def test_a_comprehension_is_a_loop(text: str) -> None:
    slow = f"def solve(xs):\n    return {text}\n"
    assert_equivalent(LoopInvariant(), slow, [1, 2, 3])
    assert_equivalent(LoopInvariant(), slow, [])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("(x / max(xs) for x in xs)", id="later"),
        pytest.param("[x / max(xs) for x in xs if x]", id="perhaps-never"),
        pytest.param("[x / max(xs) for x in f(xs)]", id="of-unknown-length"),
    ],
)
def test_a_comprehension_may_have_no_pass(text: str) -> None:
    assert rewritten(LoopInvariant(), f"def solve(xs):\n    return {text}\n") == []


FUNCTIONS = """
def starts(lines, depth):
    for number, line in enumerate(lines):
        if line > depth:
            yield number

def widest(lines):
    best = 0
    for line in lines:
        best = max(best, line)
    return best

def solve(lines, numbers):
    out = []
    for number in numbers:
        LINE
        out.append(number * widest(lines))
        for start in starts(lines, 2):
            if start >= number:
                out.append(start)
                break
    return out
"""


@given(st.lists(st.integers(-3, 9), max_size=9), st.lists(st.integers(-2, 12), max_size=9))
def test_functions_of_the_file_are_asked_once(lines: list[int], numbers: list[int]) -> None:
    text = FUNCTIONS.replace("LINE", "pass")
    every, *_ = rewritten(LoopInvariant(), text)
    assert "    lines_widest = widest(lines) if numbers else None\n" in every
    assert "    lines_starts = list(starts(lines, 2)) if numbers else None\n" in every
    assert "        for start in lines_starts:\n" in every
    assert_equivalent(LoopInvariant(), text, lines, numbers)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("LINE", "lines.append(number)", id="grows"),
        pytest.param("LINE", "grow(lines)", id="somebody-is-handed-it"),
        pytest.param("LINE", "lines = lines[:]", id="another-list"),
        pytest.param("LINE", "for line in lines:\n            line.append(1)", id="an-element"),
        pytest.param("LINE", "first = lines[0]\n        first.pop()", id="one-of-them"),
        pytest.param("LINE", "widest = max", id="another-function"),
        pytest.param("LINE", "yield number", id="others-run-meanwhile"),
        pytest.param("LINE", "grow(lines[0], number)", id="a-part-is-handed-on"),
        pytest.param("LINE", "number.grow(lines)", id="a-method-is-handed-it"),
        pytest.param("LINE", "number.bump()", id="another-object-is-asked"),
        pytest.param("LINE", "for hook in HOOKS:\n            hook(number)", id="unknown"),
        pytest.param(
            "LINE", "for line in halves(lines):\n            line.clear()", id="parts"
        ),
        pytest.param("out = []", "out = lines", id="another-name"),
        pytest.param("out = []", "out = []\n    lines.append(out)", id="within-it"),
        pytest.param("out = []", "out = []\n    lines = wrapped(lines, out)", id="is-kept"),
        pytest.param("out = []", "out = []\n    lines = iter(lines)", id="read-once"),
        pytest.param("LINE", "with number:\n            pass", id="a-context"),
        pytest.param("best = 0", "best = lines.pop()", id="the-function-changes-it"),
        pytest.param("best = 0", "best = COUNT", id="reads-what-may-change"),
        pytest.param("best = 0", "print(lines)\n    best = 0", id="an-effect"),
    ],
)
def test_but_not_where_its_answer_may_change(old: str, new: str) -> None:
    text = FUNCTIONS.replace(old, new).replace("LINE", "COUNT[0] += 1")
    assert not any("lines_widest =" in found for found in rewritten(LoopInvariant(), text))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            "        for start in starts(lines, 2):",
            "        every = starts(lines, 2)\n        for start in every:",
            id="by-a-name",
        ),
        pytest.param(
            "for start in starts(lines, 2)", "for start in [starts(lines, 2)]", id="kept"
        ),
        pytest.param(
            "    for number, line in",
            "    while lines:\n        break\n    for number, line in",
            id="waits",
        ),
    ],
)
def test_a_generator_is_listed_only_where_a_loop_walks_over_it(old: str, new: str) -> None:
    text = FUNCTIONS.replace(old, new).replace("LINE", "pass")
    assert not any("list(starts" in found for found in rewritten(LoopInvariant(), text))


def test_a_function_with_a_generator_inside_is_none() -> None:
    text = FUNCTIONS.replace("LINE", "pass").replace(
        "    best = 0\n    for line in lines:",
        "    def halves():\n        for line in lines:\n            yield line\n"
        "    best = 0\n    for line in halves():",
    )
    assert not any("list(widest" in found for found in rewritten(LoopInvariant(), text))
    assert_equivalent(LoopInvariant(), text, [3, 4], [1, 2])


def test_what_a_generator_without_an_end_yields_stays() -> None:
    text = FUNCTIONS.replace(
        "for number, line in enumerate(lines):", "number = line = 0\n    while True:"
    )
    assert not any("list(starts" in found for found in rewritten(LoopInvariant(), text))
