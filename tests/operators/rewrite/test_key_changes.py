"""Keys that elements are sorted by, and what may change them in a file."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.sorted_queue import SortedQueue
from tests.operators.rewrite.cases import assert_equivalent, rewritten
from tests.operators.rewrite.desk import (
    ADD,
    COMPARED,
    ENTRY,
    ORDERED,
    PAIR,
    RANK,
    SORT,
    TAKE,
    desk,
)

KEPT = [
    pytest.param(
        desk(
            "self._calls.append({'time': time, 'number': number})\n"
            "self._calls.sort(key=lambda call: call['time'])",
            "for call in self._calls:\n    call['gone'] = True\n"
            "return self._calls.pop(0)['number']",
        ),
        id="other-entries-are-set",
    ),
    pytest.param(
        desk(
            ADD + "self._calls.sort(key=attrgetter('time', 'number'))",
            above="from operator import attrgetter\n\n",
        ),
        id="attrgetter",
    ),
    pytest.param(
        desk(
            ENTRY,
            "for entry in self._calls:\n    entry.gone = True\n"
            "return self._calls.pop(0).number",
            above=ORDERED,
        ),
        id="a-dataclass",
    ),
    pytest.param(
        desk(ENTRY, "return self._calls.pop(0).number", above=COMPARED),
        id="compared-by-a-method",
    ),
    pytest.param(
        desk("self.time = number\n" + ADD + SORT), id="an-attribute-of-that-name-elsewhere"
    ),
    pytest.param(
        desk(ADD + RANK, more="def _rank(self, call):\n    return call.time - self.count\n"),
        id="a-number-of-the-object",
    ),
    pytest.param(
        desk(
            ADD + "self._calls.sort(key=rank)",
            above="RANKS = [3, 1, 2]\ndef rank(call):\n    return RANKS[call.time % 3]\n",
        ),
        id="a-table-of-the-module",
    ),
    pytest.param(
        desk(ADD + SORT.replace("call.time)", "call.order)")).replace(
            "        self.gone = False\n",
            "\n    @property\n    def order(self):\n        return (self.time, -self.number)\n",
        ),
        id="a-property",
    ),
    pytest.param(
        desk(PAIR, "seen = {}\nseen[1] = 2\nreturn self._calls.pop(0)"), id="another-table"
    ),
]


@pytest.mark.parametrize("text", KEPT)
@given(xs=st.lists(st.integers(0, 9), max_size=12))
def test_same_answers(text: str, xs: list[int]) -> None:
    for x in (9, 3):  # so that there is something to take
        xs = [x, *xs]
    assert_equivalent(SortedQueue(), text, xs)


METHODS = {
    "key-is-set": "a.time = 0",
    "key-grows": "a.time += 1",
    "key-goes": "del a.time",
    "key-is-set-by-a-loop": "for a.time in range(3):\n    pass",
    "key-is-set-by-name": "setattr(a, 'time', 0)",
    "set-by-some-name": "setattr(a, a.name, 0)",
    "set-by-force": "a.__dict__['time'] = 0",
}


@pytest.mark.parametrize("body", METHODS.values(), ids=METHODS.keys())
def test_a_method_that_may_change_keys(body: str) -> None:
    more = f"def other(self, a):\n{textwrap.indent(body, '    ')}\n"
    assert rewritten(
        SortedQueue(), desk(ADD + SORT, more="def other(self, a):\n    a.gone = 1\n")
    )
    assert rewritten(SortedQueue(), desk(ADD + SORT, more=more)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("call.time)", "call.time - number)", id="key-of-a-local-name"),
        pytest.param("call.time)", "print(call) or call.time)", id="key-leaves-a-trace"),
        pytest.param("call.time)", "call.time - len(self._calls))", id="key-asks-the-list"),
        pytest.param("call: call", "call, n=number: call", id="key-with-two-parameters"),
        pytest.param("lambda call: call.time", "desk.rank", id="key-of-another"),
        pytest.param("self.time = time", "add(self)\n        self.time = time", id="set-late"),
    ],
)
def test_keys_that_are_not_understood(old: str, new: str) -> None:
    text = desk(ADD + SORT)
    assert old in text
    assert rewritten(SortedQueue(), text.replace(old, new)) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            desk(
                "self._calls.append([time, number])\nself._calls.sort()",
                "first = self._calls[0]\nfirst[0] = 5\n" + TAKE,
            ),
            id="entries-are-set",
        ),
        pytest.param(
            desk(
                "self._calls.append([time])\nself._calls.sort(key=lambda c: c[0])",
                "for c in self._calls:\n    c[-1] = 5\n" + TAKE,
            ),
            id="set-from-the-end",
        ),
        pytest.param(
            desk(
                "self._calls.append({'t': time})\nself._calls.sort(key=lambda c: c['t'])",
                "for c in self._calls:\n    c.update(t=0)\n" + TAKE,
            ),
            id="updated",
        ),
        pytest.param(
            desk(
                "self.count += 1\n" + ADD + RANK,
                more="def _rank(self, call):\n    return call.time - self.count\n",
            ),
            id="key-of-a-count",
        ),
        pytest.param(
            desk(
                ADD + RANK,
                more="def _rank(self, call):\n    self.count += 1\n    return call.time\n",
            ),
            id="key-counts",
        ),
        pytest.param(
            desk(
                "self.ranks[number] = time\n" + ADD + RANK,
                more="ranks = {}\ndef _rank(self, call):\n    return self.ranks[call.number]\n",
            ),
            id="key-of-a-table-that-grows",
        ),
        pytest.param(
            desk(
                "self.now = number\nself._calls.append(Call(time, self))\n"
                "self._calls.sort(key=lambda c: c.number.now - c.time)"
            ),
            id="key-of-the-object-itself",
        ),
        pytest.param(
            desk(ENTRY, "for c in self._calls:\n    c.time = 0\n" + TAKE, above=ORDERED),
            id="a-field-is-set",
        ),
        pytest.param(
            desk(ENTRY, above=COMPARED.replace("return", "self.asked += 1\n        return")),
            id="comparison-counts",
        ),
        pytest.param(
            desk(
                ADD + "self._calls.sort(key=attrgetter('time'))",
                above="def attrgetter(name):\n    return id\n",
            ),
            id="another-getter",
        ),
    ],
)
def test_what_is_compared_may_change(text: str) -> None:
    compile(text, "main.py", "exec")
    assert rewritten(SortedQueue(), text) == []
