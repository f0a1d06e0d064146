"""Lists of objects that are sorted again for each element are kept in order."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.sorted_queue import SortedQueue
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

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
        urgency, _ = self._urgency[name]
        return -urgency, name

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
AFTER = SLOW.replace(
    "self._waiting.append(name)  # waits\n        self._arrange()",
    "insort(self._waiting, name, key=self._rank)  # waits",
).replace("    def _arrange(self):\n        self._waiting.sort(key=self._rank)\n\n", "")

DESK = """
class Call:
    def __init__(self, time, number):
        self.time = time
        self.number = number
        self.gone = False

class Desk:
    def __init__(self):
        self._calls = []
        self.count = 0

    def push(self, time, number):
PUSH
    def pop(self):
POP
MORE
def solve(xs):
    desk = Desk()
    out = []
    for i, x in enumerate(xs):
        desk.push(x, i)
        if x % 3 == 0:
            out.append(desk.pop())
    return [o.number if isinstance(o, Call) else o for o in out]
"""
ADD = "self._calls.append(Call(time, number))\n"
SORT = "self._calls.sort(key=lambda call: call.time)\n"
TAKE = "return self._calls.pop(0)\n"
PAIR = "self._calls.append((time // 3, number))\nself._calls.sort()\n"
OTHER = "def other(self, a=None):\n"


def desk(push: str, pop: str = TAKE, more: str = "", above: str = "") -> str:
    """Return a program whose list is in `push` and `pop`, the bodies of two methods."""
    text = DESK.replace("PUSH", textwrap.indent(push, " " * 8))
    text = text.replace("POP", textwrap.indent(pop, " " * 8))
    return above + text.replace("MORE", textwrap.indent(more, " " * 4)).lstrip("\n")


def by(key: str) -> str:
    return SORT.replace("lambda call: call.time", key)


FIRED = {
    "sorted-at-once": desk(ADD.replace("time", "time // 3") + SORT),
    "sorted-before-it-is-asked": desk(ADD, SORT + TAKE),
    "a-method-sorts": desk(ADD, "self._order()\n" + TAKE, "def _order(self):\n    " + SORT),
    "called-after-it-is-taken": desk(
        ADD,
        SORT + "return self.told(self._calls.pop(0))",
        "def told(self, call):\n    self.push(0, 42) if call.time > 6 else 0\n    return 1\n",
    ),
    "tuples": desk(PAIR),
    "by-one-part": desk(PAIR.replace("sort()", "sort(key=lambda call: call[0])")),
    "numbers": desk("self._calls.append(time)\nself._calls.sort()"),
    "grows-while-it-is-walked-over": desk(
        ADD + SORT,
        "for call in self._calls:\n    if call.number < 5 and len(self._calls) < 30:\n"
        "        self.push(call.time - 1, 9)\nreturn self._calls.pop()",
    ),
    "some-go": desk(ADD + SORT, "del self._calls[1:3]\n" + TAKE),
    "an-attribute-of-that-name": desk("self.time = number\n" + ADD + SORT),
    "of-a-name": desk("self.time = 0\ncall = Call(time, 1)\n" + ADD[:19] + "call)\n" + SORT),
    "a-getter": desk(
        ADD + by("attrgetter('time', 'number')"), above="from operator import attrgetter\n"
    ),
    "a-property": desk(ADD + by("lambda call: call.order")).replace(
        "        self.gone = False\n",
        "\n    @property\n    def order(self):\n        return (-self.time, self.number)\n",
    ),
}


class TestContract(RuleContract):
    rule = SortedQueue
    slow = SLOW
    others = (FIRED["sorted-at-once"], FIRED["sorted-before-it-is-asked"])


def test_a_method_that_only_sorts_goes() -> None:
    assert rewritten(SortedQueue(), SLOW) == ["from bisect import insort\n" + AFTER]


def test_a_sort_before_the_first_is_taken_goes() -> None:
    (text,) = rewritten(SortedQueue(), desk(ADD, SORT + TAKE))
    key = "key=lambda call: call.time"
    assert f"        insort(self._calls, Call(time, number), {key})\n" in text
    assert f"    def pop(self):\n        {TAKE}" in text


def test_an_insort_of_the_program_stays() -> None:
    (text,) = rewritten(SortedQueue(), desk(ADD + SORT, above="def insort(xs):\n    pass\n"))
    assert "from bisect import insort as insort_" in text


@pytest.mark.parametrize("text", FIRED.values(), ids=FIRED)
@given(xs=st.lists(st.integers(0, 9), max_size=12))
def test_same_answers(text: str, xs: list[int]) -> None:
    assert_equivalent(SortedQueue(), text, [9, 9, 9, 3, 9, *xs])  # something to take


@given(st.lists(st.integers(0, 7), max_size=12))
def test_a_table_of_the_object_is_the_key(names: list[int]) -> None:
    assert_equivalent(SortedQueue(), SLOW, names, {name: (name // 3, 0) for name in range(8)})


METHODS = {
    "another-name": "return self._calls",
    "a-method-of-it": "return self._calls.append",
    "added": "self._calls += a",
    "exchanged": "self._calls[0] = a",
    "set": "self._calls = []",
    "set-anew": "self._calls = sorted(self._calls, key=lambda call: call.time)",
    "two-values": "self._calls.append(*a)",
    "a-generator": "self._calls.append(c for c in a)",
    "sorted-otherwise": "self._calls.sort()\nreturn 0",
    "handed-on": "return a(self._calls)",
    "within-a-function": "def add():\n    self._calls.append(a)\nreturn add",
    "of-another-self": "self = a\nreturn self._calls[0]",
    "a-keyword": "return a(_calls=1)",
    "by-a-text": "return a('_calls')",
    "read-by-name": "return getattr(self, a)",
    "key-is-set": "a.time = 0",
    "key-grows": "a.time += 1",
    "key-grows-as-a-list": "a.time.append(3)",
    "key-is-a-part-of-it": "a.time.x = 3",
    "key-is-exchanged": "a.time[0] = 3",
    "key-is-set-by-force": "a.__dict__['time'] = 0",
}


@pytest.mark.parametrize(("push", "pop"), [(ADD + SORT, TAKE), (ADD, SORT + TAKE)])
@pytest.mark.parametrize("body", METHODS.values(), ids=METHODS)
def test_must_not_fire_beside_a_method(push: str, pop: str, body: str) -> None:
    assert rewritten(SortedQueue(), desk(push, pop, OTHER + "    a.gone = 1\n"))
    text = desk(push, pop, OTHER + textwrap.indent(body, "    ") + "\n")
    assert rewritten(SortedQueue(), text) == []


REPLACED = {
    "begins-with-some": ("self._calls = []", "self._calls = [3, 1]"),
    "of-the-class": ("class Desk:", "class Desk:\n    _calls = []"),
    "no-object": ("def pop(self", "@classmethod\n    def pop(self"),
    "another-list": ("class Desk", "def list(x=3):\n    x\nclass Desk"),
    "touched-by-others": ("out.append(", "desk._calls.append("),
    "hidden": ("self._calls.a", "bisect = 1\n        self._calls.a"),
    "key-of-another-name": ("call.time)", "(call.time, number))"),
    "key-is-computed": ("call.time)", "call.time - 1)"),
    "key-leaves-a-trace": ("call.time)", "print(call))"),
    "key-asks-the-list": ("call.time)", "self._calls[call.number])"),
    "key-with-two-parameters": ("call: call", "call, n=number: call"),
    "key-of-another": ("lambda call: call.time", "desk.rank"),
    "key-of-python": ("lambda call: call.time", "len"),
    "set-late": ("self.time = time", "add(self)\n        self.time = time"),
    "an-order-of-its-own": ("self.gone =", "self.gone = self.__lt__ ="),
    "an-order-of-fields": ("class Call", "@dataclass(order=True)\nclass Call"),
}


@pytest.mark.parametrize(("old", "new"), REPLACED.values(), ids=REPLACED)
def test_must_not_fire(old: str, new: str) -> None:
    text = "import bisect\n" + desk(ADD + SORT)
    assert old in text
    assert rewritten(SortedQueue(), text)
    assert rewritten(SortedQueue(), text.replace(old, new)) == []


RANK = ADD + by("self._rank")
METHOD = "def _rank(self, call):\n    {}\n"
ENTRY = "self._calls.append([time, number])\nself._calls.sort()\n"
REFUSED = {
    "called-between": desk(ADD, SORT + "self.push(0, 1)\n" + TAKE),
    "called-in-the-line": desk(ADD, SORT + "return (self.push(0, 1), self._calls.pop(0))"),
    "asked-later": desk(ADD, SORT + "return (c for c in self._calls)"),
    "in-a-loop": desk(ADD, SORT + "while self._calls:\n    self.push(*self._calls.pop(0))"),
    "sorted-after-a-loop": desk("for _ in range(2):\n    " + ADD + SORT),
    "sorted-one-line-later": desk(ADD + "self.count += 1\n" + SORT),
    "one-is-not-sorted": desk(ADD + SORT + "if time:\n    " + ADD),
    "an-error-is-expected": desk(f"try:\n    {ADD}    {SORT}except TypeError:\n    pass"),
    "others-sort": desk(ADD + "self._order()\n", TAKE, "def _order(self):\n    " + SORT)
    + "Desk()._order()\n",
    "entries-are-set": desk(ENTRY, "first = self._calls[0]\nfirst[0] = 5\n" + TAKE),
    "entries-grow": desk(ENTRY, "for c in self._calls:\n    c.append(0)\n" + TAKE),
    "set-in-it": desk(ENTRY, "self._calls[0][0] = 5\n" + TAKE),
    "set-by-a-name": desk("e = f = [1]\n" + ENTRY.replace("[time, number]", "f") + "e[0] = 1"),
    "joined": desk(ENTRY, "c = self._calls[-1]\nc |= {0: 5}\n" + TAKE),
    "begins-anew": desk(ADD + SORT, "self._calls[0].__init__(5, 3)\n" + TAKE),
    "key-counts": desk(RANK, TAKE, METHOD.format("self.count = 1\n    return call.time")),
    "key-of-a-count": desk(
        "self.count += 1\n" + RANK, TAKE, METHOD.format("return self.count")
    ),
    "key-of-the-object": desk(
        "self.time = 1\n" + RANK, TAKE, METHOD.format("call = self\n    return call.time")
    ),
    "another-getter": desk(ADD + by("attrgetter('time')"), above="from x import attrgetter\n"),
    "a-class-of-it": desk("self.time = 1\n" + ADD + SORT).replace("Call:", "Call(Desk):"),
    "the-table-changes": SLOW.replace("    called = []", "    called = urgency[2] = []"),
    "the-table-has-a-name": SLOW.replace(
        "return self._w", "t = self._urgency\n        self._w"
    ),
    "a-method-is-exchanged": SLOW + "\nWard._rank = len\n",
    "a-list-that-is-returned": desk(
        "self._calls.append(time)\nself._calls.sort()",
        TAKE,
        "rows = property(lambda self: self.row)\n"
        + OTHER
        + "    self.row = []\n    return self.row\n"
        + OTHER.replace("other", "more")
        + "    self.row.append(a)\n",
    ),
    "a-part-of-a-pair-is-set": desk(PAIR).replace(
        "desk.push(x, i)", "b = [x]; desk.push(x, b); b[0] = 9"
    ),
    "grows-by-a-name": desk(ENTRY, "c = self._calls[0]\nc += self._calls[1]\n" + TAKE),
    "a-heap-of-one": desk(ENTRY, "heappop(self._calls[0])\n" + TAKE),
    "a-heap-by-its-module": desk(ENTRY, "heapq.heapreplace(self._calls[0], 1)\n" + TAKE),
    "an-error-is-waited-for": desk(ADD + SORT)
    + "try:\n    solve([])\nexcept TypeError: pass\n",
    "any-error-is-waited-for": desk(ADD + SORT) + "try:\n    solve([])\nexcept: pass\n",
    "seen-at-last": desk(ADD + SORT) + "try:\n    solve([])\nfinally:\n    print(1)\n",
    "another-self": desk(ADD + SORT, TAKE, "def a(me, /, self):\n    self._calls.clear()\n"),
    "two-methods": SLOW
    + "\nclass Other(Ward):\n    def _rank(self, name):\n        return 1\n",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_must_not_fire_where_somebody_could_tell(text: str) -> None:
    compile(dedented(text), "main.py", "exec")
    assert rewritten(SortedQueue(), text) == []
