"""Helpers that scan are written out in a loop where another rule then fits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.inlined_return import InlinedReturn
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, assert_equivalent, dedented, rewritten

SLOW = """
LIMIT = 9

def is_new(name, names):
    \"\"\"Whether nobody has the name.\"\"\"
    return name not in names and name < LIMIT

def solve(xs, ys):
    found = []
    for x in xs:
        if is_new(x, ys):  # of all
            found.append(x)
    return found
"""
AFTER = """
LIMIT = 9

def is_new(name, names):
    \"\"\"Whether nobody has the name.\"\"\"
    return name not in names and name < LIMIT

def solve(xs, ys):
    found = []
    ys_set = set(ys)
    for x in xs:
        if x not in ys_set and x < LIMIT:  # of all
            found.append(x)
    return found
"""
COUNTED = """
def share(x, values):
    return values.count(x) / len(values)

def solve(xs, ys):
    return [share(x, ys) for x in xs if ys], len([x for x in ys if share(x, ys) > 1])
"""
SEARCH = """
def place(wanted, rows):
    for row in rows:
        if row[0] == wanted:
            return row[1]
    return -1

def solve(xs, ys):
    rows = [(y, number) for number, y in enumerate(ys)]
    return [place(x, rows) for x in xs]
"""
FILTER = """
def of(rows, key):
    return [row for row in rows if row[0] == key]

def solve(xs, ys):
    rows = [(y, number) for number, y in enumerate(ys)]
    return {x: len(of(rows, x)) for x in xs}
"""
COLLECTED = """
def total_of(rows, who):
    total = 0
    for row in rows:
        if row[0] == who:
            total += row[1]
    return total

def all_of(rows, who):
    found = []
    for row in rows:
        if row[0] == who:
            found.append(row)
    return found

def solve(xs, ys):
    rows = [(y, number) for number, y in enumerate(ys)]
    return [(total_of(rows, x), 0) for x in xs], [all_of(rows, x) for x in xs]
"""
METHOD = """
class Names:
    def __init__(self, names):
        self.names = names

    def find(self, wanted):
        for name in self.names:
            if name[0] == wanted:
                return name

    def all(self, wanted):
        found = []
        for each in wanted:
            found.append(self.find(each))
        return found

def solve(xs, ys):
    return Names([(y, number) for number, y in enumerate(ys)]).all(xs)
"""


class TestContract(RuleContract):
    rule = InlinedReturn
    slow = SLOW
    others = (COUNTED, FILTER, SEARCH, COLLECTED, METHOD)


def test_a_set_is_made_once_for_a_helper() -> None:
    assert rewritten(InlinedReturn(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("found = []", "found, LIMIT = [], 3", id="a-name-means-another-thing"),
        pytest.param("found = []", "from limits import LIMIT; found = []", id="an-import"),
        pytest.param("def solve", "is_new = max\ndef solve", id="set-to-something-else"),
        pytest.param("(name, names):", "(name, names=()):", id="a-default"),
        pytest.param("def is_new", "@cached\ndef is_new", id="decorated"),
        pytest.param(
            "    return name not", "    print(name)\n    return name not", id="more-lines"
        ),
        pytest.param("is_new(x, ys):", "is_new(x, names=ys):", id="by-keyword"),
        pytest.param("is_new(x, ys):", "is_new(xs.pop(), ys):", id="named-twice"),
        pytest.param("found.append(x)", "ys.append(x)", id="what-is-asked-changes"),
        pytest.param("for x in xs:", "if x := xs:", id="no-loop"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert rewritten(InlinedReturn(), SLOW.replace(old, new)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("def all(self", "find = max\n\n    def all(self", id="set-in-the-class"),
        pytest.param("found = []", "self, found = wanted, []", id="another-object"),
        pytest.param("def all(self", "@staticmethod\n    def all(self", id="of-no-class"),
        pytest.param(
            "    def all", "    def __getattr__(self, n): ...\n\n    def all", id="made"
        ),
        pytest.param("return name\n", "return name\n        return wanted[0]\n", id="raises"),
    ],
)
def test_a_method_may_be_another(old: str, new: str) -> None:
    assert old in METHOD
    assert rewritten(InlinedReturn(), METHOD.replace(old, new)) == []


def test_an_argument_is_asked_for_though_a_test_leaves_it_out() -> None:
    text = """
def ok(flag, x, ys):
    return flag and x in ys

def solve(xs, ys, d):
    return [ok(x > 1, d[x], ys) for x in xs]
"""
    assert rewritten(InlinedReturn(), text) == []


def test_a_helper_that_searches_is_asked_for_an_index() -> None:
    (text,) = rewritten(InlinedReturn(), SEARCH)
    assert "    rows_by_key = {row[0]: row[1] for row in reversed([*rows])}\n" in text
    assert "[rows_by_key.get(x, -1) for x in xs]" in text


def test_a_helper_that_collects_walks_over_partners_alone() -> None:
    total, every = rewritten(InlinedReturn(), COLLECTED)
    assert "(sum(row[1] for row in rows_by_key.get(x, ())), 0) for x in xs]" in total
    assert "[list(rows_by_key.get(x, ())) for x in xs]" in every


def test_so_is_a_method_of_the_same_object() -> None:
    (text,) = rewritten(InlinedReturn(), METHOD)
    assert (
        "        names_by_key = {name[0]: name for name in reversed([*self.names])}\n" in text
    )
    assert "found.append(names_by_key.get(each))" in text


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        pytest.param(SEARCH, "return -1", "return row", id="another-last-value"),
        pytest.param(SEARCH, "return -1", "raise KeyError", id="raises"),
        pytest.param(SEARCH, "return row[1]\n", "break\n", id="no-search"),
        pytest.param(SEARCH, "== wanted", "> wanted", id="not-equal"),
        pytest.param(SEARCH, "place(x, rows) for x", "place(row, rows) for row", id="its-name"),
        pytest.param(METHOD, "self.find(each)", "other.find(each)", id="another-object"),
        pytest.param(METHOD, "def all", "def find(self, x): pass\n    def all", id="two"),
        pytest.param(METHOD, "for each in", "for self.names in", id="set-anew"),
    ],
)
def test_no_index_must_be_made(text: str, old: str, new: str) -> None:
    assert old in text
    assert rewritten(InlinedReturn(), text.replace(old, new)) == []


@pytest.mark.tier("library")
@pytest.mark.parametrize(
    "text",
    [SLOW, COUNTED, FILTER, SEARCH, COLLECTED, METHOD],
    ids=["set", "counter", "filter", "search", "collected", "method"],
)
@given(st.lists(st.integers(0, 12), max_size=6), st.lists(st.integers(0, 12), max_size=6))
def test_same_answers(text: str, xs: list[int], ys: list[int]) -> None:
    assert_equivalent(InlinedReturn(), text, xs, ys)


@pytest.mark.parametrize(
    ("found", "otherwise", "values"),
    [
        pytest.param("y, x", "x, x", "ys", id="pairs"),
        pytest.param("y if y else x", "x", "ys", id="one-of-two"),
        pytest.param("y", "x", "1, 2, 3", id="walks-over-a-bare-tuple"),
        pytest.param("(y, x)", "None", "ys", id="in-brackets"),
    ],
)
def test_what_is_returned_without_brackets(found: str, otherwise: str, values: str) -> None:
    text = f"""
    def partner(x, ys):
        for y in {values}:
            if y == x:
                return {found}
        return {otherwise}

    def solve(xs, ys):
        return [partner(x, ys) for x in xs]
    """
    given = [1, 2, 2, 9], [2, 3, 1]
    for new in rewritten(InlinedReturn(), text):  # a pair was put into a call as two arguments
        assert answer(new, given) == answer(text, given)
    lone = "def pair(x, ys):\n    return x, x in ys\ndef solve(xs, ys):\n"
    lone += "    return [pair(x, ys) for x in xs]\n"
    assert_equivalent(InlinedReturn(), lone, [1, 2, 9], [2, 3])
