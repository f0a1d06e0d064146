"""An attribute that a loop changes leaves those alone that may not be the same object."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.set_membership import SetMembership
from tests.operators.rewrite.cases import assert_equivalent, rewritten

SHELF = """
class Shelf:
    def __init__(self, names):
        self.names = list(names)
        self.asked = 0
        self.found = []

    def known(self, wanted):
        for each in wanted:
            self.asked += 1
            if each in self.names:
                self.found.append(each)
        return self.found

def solve(names, wanted):
    shelf = Shelf(names)
    return shelf.known(wanted), shelf.known(wanted), shelf.asked
"""


def test_a_list_in_an_attribute_is_hashed_once_though_others_change() -> None:
    (text,) = rewritten(SetMembership(), SHELF)
    assert "        names_set = set(self.names)\n        for each in wanted:\n" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("self.found.append", "self.names.append", id="the-list-itself"),
        pytest.param("self.found = []", "self.found = self.names", id="perhaps-the-same-list"),
        pytest.param("self.found = []", "self.found = names", id="perhaps-an-argument-s"),
        pytest.param("self.asked += 1", "self.asked += wanted", id="perhaps-adds-in-place"),
        pytest.param("self.asked += 1", "self.note(each)", id="a-method"),
        pytest.param("self.asked += 1", "note(self)", id="is-handed-on"),
        pytest.param("self.asked += 1", "self = wanted", id="another-object"),
        pytest.param("self.asked += 1", "self.names = wanted", id="another-list"),
        pytest.param("self.asked += 1", "self.asked, self.names = 1, each", id="one-of-two"),
        pytest.param("class Shelf:", "class Shelf:\n    def asked(self): ...", id="a-property"),
        pytest.param(
            "class Shelf:", "class Shelf:\n    def names(self): ...", id="is-made-anew"
        ),
        pytest.param("list(names)", "set(names)", id="a-set"),
        pytest.param("list(names)", '" ".join(names)', id="a-text"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert rewritten(SetMembership(), SHELF.replace(old, new)) == []


@given(st.lists(st.integers(0, 5), max_size=5), st.lists(st.integers(0, 5), max_size=5))
def test_same_answers(names: list[int], wanted: list[int]) -> None:
    assert_equivalent(SetMembership(), SHELF, names, wanted)


LATER = """
def solve(xs, ys):
    xs = list(xs)
    is_known = lambda y: y in xs
    found = [is_known(y) for y in ys]
    {line}
    return found, sorted(ys, key=lambda y: y in xs)
"""


@pytest.mark.parametrize(
    ("line", "hashed"),
    [
        pytest.param("ys = ys[1:]", 2, id="others-change"),
        pytest.param("xs.append(ys[0])", 1, id="it-changes-before-the-lambda-is-called-again"),
    ],
)
def test_what_a_lambda_asks_stays_until_its_last_call(line: str, hashed: int) -> None:
    texts = rewritten(SetMembership(), LATER.replace("{line}", line))
    assert len(texts) == hashed
    assert_equivalent(SetMembership(), LATER.replace("{line}", line), [1, 2], [3, 1, 3])


KEPT = """
def f(xs, ys):
    for y in ys:
        xs.append(y)
        yield lambda z: z in xs
"""


def test_in_a_loop_what_comes_before_a_lambda_comes_after_it_too() -> None:
    assert rewritten(SetMembership(), KEPT) == []


@pytest.mark.parametrize(
    "body",
    [
        "ys.append(1); return [x for x in xs if x in ys]",
        "return ys.pop(), [x for x in xs if x in ys]",
        "return (ys := sorted(ys)) and [x for x in xs if x in ys]",
        "return [[x for x in xs if x in ys] for ys in ys]",
        "ys.sort(key=lambda x: x in ys)",
    ],
)
def test_no_line_before_what_the_statement_changes(body: str) -> None:
    text = f"def solve(xs, ys):\n    ys = list(ys)\n    {body}\n"
    assert rewritten(SetMembership(), text) == []


@pytest.mark.parametrize("given", ["seen = out", "out = seen", "seen = out = []"])
def test_a_list_that_changes_by_another_name(given: str) -> None:
    loop = "for x in xs:\n        if x not in seen:\n            out.append(x)"
    text = f"def solve(xs):\n    seen = out = []\n    {given}\n    {loop}\n"
    assert rewritten(SetMembership(), text) == []
