"""Elements that are taken out one by one are left out in one pass."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.rewrite.filtered_removal import FilteredRemoval
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, dedented, rewritten

SLOW = """
def solve(xs, gone):
    for x in gone:
        if x in xs:
            xs.remove(x)  # the first
    return len(xs)
"""
AFTER = """
from collections import Counter

def solve(xs, gone):
    left = Counter(gone)
    kept = []
    for each in xs:
        if left.get(each):
            left[each] -= 1
        else:
            kept.append(each)
    xs[:] = kept
    return len(xs)
"""
HEAD = "def solve(xs, gone):\n"
OWN = f"""{HEAD}    for x in list(xs):
        if x > 2 and x not in gone:
            xs.remove(x)
"""
SHAPES = {
    "all": f"{HEAD}    for x in gone:\n        while x in xs:\n            xs.remove(x)\n",
    "surely": f"{HEAD}    for x in gone:\n        xs.remove(x)\n",
    "tried": f"{HEAD}    for x in gone:\n        try:\n            xs.remove(x)\n"
    "        except ValueError:\n            pass\n",
    "own": OWN,
    "backwards": f"{HEAD}    for i in range(len(xs) - 1, -1, -1):\n"
    "        if not xs[i] % 2:\n            del xs[i]\n",
    "backwards-popped": f"{HEAD}    for i in reversed(range(len(xs))):\n"
    "        if xs[i] in gone:\n            xs.pop(i)\n",
}


class TestContract(RuleContract):
    rule = FilteredRemoval
    slow = SLOW
    others = tuple(SHAPES.values())


def test_what_is_to_go_is_counted() -> None:
    assert rewritten(FilteredRemoval(), SLOW) == [dedented(AFTER)]


def test_own_elements_are_filtered() -> None:
    (new,) = rewritten(FilteredRemoval(), OWN)
    assert "    xs[:] = [x for x in xs if not (x > 2 and x not in gone)]\n" in new
    (new,) = rewritten(FilteredRemoval(), SHAPES["backwards"])
    assert "    xs[:] = [each for each in xs if each % 2]\n" in new


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "for x in gone:\n    if x in ys:\n        xs.remove(x)", id="another-list"
        ),
        pytest.param(
            "for x in gone:\n    if x in xs:\n        ys.append(x)", id="not-taken-out"
        ),
        pytest.param("for x in gone:\n    xs.remove(x)\n    ys.append(x)", id="more-is-done"),
        pytest.param("for x in xs:\n    if x > 2:\n        xs.remove(x)", id="it-skips"),
        pytest.param("for x in xs[1:]:\n    if x > 2:\n        xs.remove(x)", id="not-all"),
        pytest.param(
            "for x in list(xs):\n    if len(xs) > 2:\n        xs.remove(x)", id="it-asks"
        ),
        pytest.param(
            "for x in list(xs):\n    if x is ys:\n        xs.remove(x)", id="which-one"
        ),
        pytest.param(
            "for x in list(xs):\n    if f'{x}':\n        xs.remove(x)", id="how-it-is-told"
        ),
        pytest.param(
            "gone = (x for x in xs)\nfor x in gone:\n    xs.remove(x)", id="meanwhile"
        ),
        pytest.param(
            "for x in list(xs):\n    if f(x):\n        xs.remove(x)", id="a-trace-perhaps"
        ),
        pytest.param(
            "for x in gone:\n    if x in xs:\n        xs.remove(x)\ng(x)", id="read-later"
        ),
        pytest.param("xs = set(gone)\nfor x in ys:\n    xs.remove(x)", id="a-set"),
        pytest.param("gone = xs\nfor x in gone:\n    xs.remove(x)", id="itself"),
        pytest.param(
            "for i in range(len(xs)):\n    if xs[i]:\n        del xs[i]", id="forwards"
        ),
        pytest.param(
            "for i in reversed(range(len(xs))):\n    if xs[i] == xs[0]:\n        del xs[i]",
            id="others",
        ),
        pytest.param(
            "for i in reversed(range(len(xs))):\n    if xs[i] == i:\n        del xs[i]",
            id="the-place",
        ),
        pytest.param(
            "try:\n    for x in gone:\n        xs.remove(x)\nexcept ValueError:\n    pass",
            id="until-one-is-missed",
        ),
    ],
)
def test_must_not_fire(body: str) -> None:
    inner = "".join(f"    {line}\n" for line in body.splitlines())
    assert rewritten(FilteredRemoval(), f"def f(xs, ys, gone):\n{inner}") == []


@pytest.mark.parametrize(
    ("head", "fires"),
    [
        ("class A:\n    def __len__(self): 0\n", True),
        ("class A:\n    def __eq__(self, other): 0\n", False),
        ("class A:\n    done: bool = field(compare=False)\n", False),
    ],
)
def test_equal_elements_may_differ_in_what_is_asked(head: str, *, fires: bool) -> None:
    body = "for x in xs[:]:\n        if x.done:\n            xs.remove(x)"
    text = f"{head}def f(xs):\n    {body}\n"
    assert bool(rewritten(FilteredRemoval(), text)) == fires


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@settings(max_examples=40)
@given(
    xs=st.lists(st.integers(0, 5) | st.sampled_from([1.0, True, float("nan")]), max_size=9),
    gone=st.lists(st.integers(0, 6), max_size=5),
)
def test_same_answers(text: str, xs: list[float], gone: list[int]) -> None:
    try:
        before = repr(answer(text, (xs, gone)))
    except ValueError as error:
        for new in rewritten(FilteredRemoval(), text):
            with pytest.raises(ValueError, match=re.escape(str(error))):
                answer(new, (xs, gone))
        return
    for new in rewritten(FilteredRemoval(), text):
        assert repr(answer(new, (xs, gone))) == before
