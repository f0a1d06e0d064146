"""Lists of objects that are sorted again for each element are kept in order."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.sorted_queue import SortedQueue
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten
from tests.operators.rewrite.desk import ADD, ANEW, PAIR, SORT, TAKE, desk

SLOW = """
class Ward:
    def __init__(self, urgency):
        self._urgency = urgency
        self._waiting = []

    def admit(self, name):
        # the newest one
        self._waiting.append(name)  # waits
        self._arrange()

    def _arrange(self):
        self._waiting.sort(key=self._rank)

    def _rank(self, name):
        return -self._urgency[name]

    def call(self):
        return self._waiting.pop(0)

def solve(names, urgency):
    ward = Ward(urgency)
    called = []
    for name in names:
        ward.admit(name)
        if name % 2:
            called.append(ward.call())
    return called
"""
AFTER = """
from bisect import insort

class Ward:
    def __init__(self, urgency):
        self._urgency = urgency
        self._waiting = []

    def admit(self, name):
        # the newest one
        insort(self._waiting, name, key=self._rank)  # waits

    def _rank(self, name):
        return -self._urgency[name]

    def call(self):
        return self._waiting.pop(0)

def solve(names, urgency):
    ward = Ward(urgency)
    called = []
    for name in names:
        ward.admit(name)
        if name % 2:
            called.append(ward.call())
    return called
"""


FIRED = [
    pytest.param(desk(ADD + SORT), id="sorted-at-once"),
    pytest.param(desk(ADD + ANEW), id="sorted-anew"),
    pytest.param(desk(ADD, SORT + TAKE), id="sorted-before-it-is-asked"),
    pytest.param(desk(ADD, ANEW + TAKE), id="sorted-anew-before"),
    pytest.param(
        desk(ADD, SORT + "first = self._calls[0]\ndel self._calls[0]\nreturn first"),
        id="two-lines",
    ),
    pytest.param(desk(ADD, SORT + "return sum(c.time for c in self._calls[:2])"), id="a-slice"),
    pytest.param(
        desk(
            ADD,
            SORT + "n = 0\nfor i, c in enumerate(self._calls):\n    n += i * c.time\nreturn n",
        ),
        id="walked-over",
    ),
    pytest.param(
        desk(ADD, SORT + "if self._calls:\n    return self._calls.pop()\nreturn 0"), id="below"
    ),
    pytest.param(desk(PAIR.replace("time", "time // 3")), id="tuples"),
    pytest.param(desk(ADD.replace("time", "time // 3") + SORT), id="of-one-time"),
    pytest.param(
        desk(
            ADD + SORT,
            more="def drop(self, n):\n"
            "    self._calls = [c for c in self._calls if c.number != n]\n",
        ),
        id="some-are-left-out",
    ),
    pytest.param(
        desk(
            ADD + SORT,
            "for call in self._calls:\n    if call.number < 5 and len(self._calls) < 30:\n"
            "        self.push(call.time - 1, 9)\nreturn self._calls.pop(0)",
        ),
        id="grows-while-it-is-walked-over",
    ),
    pytest.param(
        desk(ADD, "self._order()\n" + TAKE, more="def _order(self):\n    " + SORT),
        id="a-method-sorts-before",
    ),
    pytest.param(
        desk(
            ADD,
            SORT + "return self.told(self._calls.pop(0))",
            more="def told(self, call):\n"
            "    if call.time > 6:\n        self.push(0, 42)\n    return call.number\n",
        ),
        id="called-after-it-is-taken",
    ),
]


class TestContract(RuleContract):
    rule = SortedQueue
    slow = SLOW
    others = (desk(ADD + SORT), desk(ADD, SORT + TAKE))


def test_a_method_that_only_sorts_goes() -> None:
    assert rewritten(SortedQueue(), SLOW) == [dedented(AFTER)]


def test_a_sort_before_the_first_is_taken_goes() -> None:
    (text,) = rewritten(SortedQueue(), desk(ADD, SORT + TAKE))
    key = "key=lambda call: call.time"
    assert f"        insort(self._calls, Call(time, number), {key})\n" in text
    assert f"    def pop(self):\n        {TAKE}" in text


def test_without_a_key() -> None:
    push = PAIR.replace("self._calls.sort()", "self._calls = sorted(self._calls)")
    (text,) = rewritten(SortedQueue(), desk(push))
    assert "        insort(self._calls, (time, number))\n" in text
    assert "sorted(" not in text


@pytest.mark.parametrize("text", FIRED)
@given(xs=st.lists(st.integers(0, 9), max_size=12))
def test_same_answers(text: str, xs: list[int]) -> None:
    for x in (9, 3):  # so that there is something to take
        xs = [x, *xs]
    assert_equivalent(SortedQueue(), text, xs)


@given(st.lists(st.integers(0, 7), max_size=12))
def test_a_table_of_the_object_is_the_key(names: list[int]) -> None:
    assert_equivalent(SortedQueue(), SLOW, names, {name: name // 3 for name in range(8)})


METHODS = {
    "another-name": "return self._calls",
    "perhaps-another-name": "return self._calls or None",
    "a-method-of-it": "return self._calls.append",
    "extended": "self._calls.extend(a)",
    "inserted": "self._calls.insert(0, a)",
    "reversed": "self._calls.reverse()",
    "added": "self._calls += a",
    "exchanged": "self._calls[0] = a",
    "set": "self._calls = a",
    "set-with-another": "self._calls = self.count = []",
    "sorted-otherwise": "self._calls.sort()\nreturn 0",
    "turned": "self._calls.sort(key=lambda call: call.time, reverse=True)\nreturn 0",
    "handed-on": "return a(self._calls)",
    "shown": "return f'{self._calls}'",
    "waits": "yield from self._calls",
    "asked-later": "return lambda: self._calls[0]",
    "within-a-function": "def add():\n    self._calls.append(a)\nreturn add",
    "read-by-name": "return getattr(self, '_calls')",
    "only-sorts": "self._calls.sort(key=lambda call: call.time)",
    "perhaps-sorts": "if a:\n    self._calls.sort(key=lambda call: call.time)\nreturn 0",
}


@pytest.mark.parametrize(("push", "pop"), [(ADD + SORT, TAKE), (ADD, SORT + TAKE)])
@pytest.mark.parametrize("body", METHODS.values(), ids=METHODS.keys())
def test_must_not_fire_beside_a_method(push: str, pop: str, body: str) -> None:
    more = f"def other(self, a=None):\n{textwrap.indent(body, '    ')}\n"
    assert rewritten(SortedQueue(), desk(push, pop, "def other(self, a=None):\n    return a\n"))
    assert rewritten(SortedQueue(), desk(push, pop, more)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("self._calls = []", "self._calls = [3, 1]", id="begins-with-some"),
        pytest.param("self._calls = []", "self.calls = []", id="set-elsewhere"),
        pytest.param("class Desk:", "class Desk:\n    _calls = []", id="of-the-class"),
        pytest.param("Call(time, number))", "Call(time, number), 1)", id="two-values"),
        pytest.param("Call(time, number))", "c for c in (time, 1))", id="a-generator"),
        pytest.param("def pop(self", "def pop(me", id="another-name-of-the-object"),
        pytest.param("def pop(self", "@classmethod\n    def pop(self", id="no-object"),
        pytest.param("call.time)", "call.time, reverse=True)", id="turned"),
        pytest.param("class Desk", "def list(x=3):\n    x\nclass Desk", id="another-list"),
        pytest.param("out.append(", "desk._calls.append(", id="touched-by-others"),
        pytest.param(
            "def solve",
            "class D(Desk):\n    def f(self):\n        del self._calls[0]\ndef solve",
            id="touched-by-a-class-of-it",
        ),
        pytest.param(
            "self._calls.append", "bisect = 1\n        self._calls.append", id="hidden"
        ),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    text = "import bisect\n" + desk(ADD + SORT)
    assert old in text
    assert rewritten(SortedQueue(), text)
    assert rewritten(SortedQueue(), text.replace(old, new)) == []


MAKE = (
    "def make(self, time, number):\n    self.push(time - 3, 0)\n    return Call(time, number)\n"
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            desk(ADD, SORT + TAKE, "def first(self):\n    return self._calls[0]\n"),
            id="asked-without-a-sort",
        ),
        pytest.param(desk(ADD, SORT + "self.push(0, 1)\n" + TAKE), id="called-between"),
        pytest.param(desk(ADD, SORT + ADD.replace("time, number", "0, 1") + TAKE), id="grows"),
        pytest.param(
            desk(ADD, SORT + "return (self.push(0, 1), self._calls.pop(0))"),
            id="called-in-the-line",
        ),
        pytest.param(
            desk(
                ADD,
                SORT + "while self._calls:\n    c = self._calls.pop(0)\n"
                "    self.push(c.time, 1)",
            ),
            id="called-in-the-loop",
        ),
        pytest.param(desk(ADD, SORT + "for c in self._calls:\n    yield c"), id="waits"),
        pytest.param(desk(ADD, SORT + "return (c for c in self._calls)"), id="asked-later"),
        pytest.param(
            desk(ADD, SORT + TAKE, "def drop(self, c):\n    self._calls.remove(c)\n"),
            id="taken-without-a-sort",
        ),
        pytest.param(desk("for _ in range(2):\n    " + ADD + SORT), id="sorted-after-a-loop"),
        pytest.param(desk(ADD + "self.count += 1\n" + SORT), id="sorted-one-line-later"),
        pytest.param(desk(ADD + SORT + "if time:\n    " + ADD), id="one-is-not-sorted"),
        pytest.param(
            desk("try:\n    " + ADD + "    " + SORT + "except TypeError:\n    pass"),
            id="an-error-is-expected",
        ),
        pytest.param(
            desk(ADD + ANEW, "for c in self._calls:\n    self.push(c.time, 1)\n" + TAKE),
            id="another-list-while-walked-over",
        ),
        pytest.param(
            desk(
                f"if time > 6:\n    self._calls.append(self.make(time, number))\n"
                f"    {ANEW}else:\n    {ADD}    {ANEW}",
                more=MAKE,
            ),
            id="another-list-while-it-grows",
        ),
        pytest.param(
            desk(
                ADD + "self._order()\n",
                more=f"def order(self):\n    self._order()\ndef _order(self):\n    {SORT}",
            ),
            id="nothing-left-of-a-method",
        ),
        pytest.param(
            desk(
                ADD + "self._order()\n",
                more=f"def order(self):\n    return 1\ndef _order(self):\n    {SORT}",
            )
            + "\nDesk()._order()\n",
            id="others-sort",
        ),
    ],
)
def test_must_not_fire_where_somebody_could_tell(text: str) -> None:
    compile(text, "main.py", "exec")
    assert rewritten(SortedQueue(), text) == []


def test_a_private_list_of_another_class_is_another_one() -> None:
    other = "\nclass Log:\n    def __init__(self):\n        self._calls = {}\n"
    assert rewritten(SortedQueue(), desk(ADD + SORT) + other)
    named = (desk(ADD + SORT) + other).replace("_calls", "calls")
    assert rewritten(SortedQueue(), named) == []


def test_an_insort_of_the_program_stays() -> None:
    (text,) = rewritten(SortedQueue(), desk(ADD + SORT, above="def insort(xs):\n    pass\n"))
    assert "from bisect import insort as insort_" in text
